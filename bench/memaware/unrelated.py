"""Two hundred prompts that nothing in 91 days of one person's talk bears on.

They are what a developer types at an agent, about systems the logs never mention. A
memory that answers them with anything is noise in every prompt.
"""

from __future__ import annotations

from itertools import product

_WHERE = (
    "the CAN bus driver",
    "the COBOL payroll batch",
    "the FPGA bitstream loader",
    "the Kerberos ticket cache",
    "the LDAP sync daemon",
    "the MQTT bridge",
    "the OpenGL shader cache",
    "the PLC ladder compiler",
    "the RISC-V assembler backend",
    "the SCSI passthrough layer",
    "the TLS handshake parser",
    "the Verilog linter",
    "the WAL replay routine",
    "the bootloader's relocation code",
    "the cgroup memory accountant",
    "the eBPF verifier shim",
    "the garbage collector's write barrier",
    "the inode allocator",
    "the mutex wrapper in libsync",
    "the syscall tracer",
)
_WHAT = (
    "Why does {} segfault when built with -O3?",
    "Rename the mangled symbols in {} and regenerate the header.",
    "Bisect the regression in {} between tags v4.1 and v4.2.",
    "Replace the spinlock in {} by an RCU read section.",
    "Port {} from autoconf to meson.",
    "Silence the -Wconversion warnings in {}.",
    "Fuzz {} with AFL and triage the crashes.",
    "Write a unit test that reproduces the overflow in {}.",
    "Strip the debug symbols from {} in the release tarball.",
    "Backport the upstream patch for {} to the stable branch.",
)
PROMPTS = [what.format(where) for where, what in product(_WHERE, _WHAT)]
