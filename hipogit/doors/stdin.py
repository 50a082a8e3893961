"""`scan --stdin` without the command line around it.

Editors and hooks pipe every text through it, and click, settings and git cost more than
the scan. Only when something was found does the whole command run, on the same text.
"""

from __future__ import annotations

import io
import sys

from .. import gate
from ..gate.redact import NOTHING


def run(redact: bool) -> int | None:
    """0 when standard input holds no secret; None leaves the rest to the command."""
    data = sys.stdin.buffer.read()
    if redact:
        text = data.decode("utf-8", "surrogateescape")
        cleaned = gate.clean(text, allow=NOTHING)
        if not cleaned.findings:
            sys.stdout.buffer.write(cleaned.text.encode("utf-8", "surrogateescape"))
            return 0
    elif not gate.scan_bytes(data, allow=NOTHING):
        return 0
    sys.stdin = io.TextIOWrapper(io.BytesIO(data))
    return None
