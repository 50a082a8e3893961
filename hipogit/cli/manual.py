"""The manual page, made from the commands' own help: `python -m hipogit.cli.manual`.

`git hipogit --help` opens it, as git does for every program named git-*.
"""

from __future__ import annotations

import sys

import click

from . import COMMANDS, cli

_HEAD = """\
.TH HIPOGIT 1 "" "hipogit" "User commands"
.SH NAME
hipogit, git\\-hipogit \\- memory for AI coding agents, kept in git
.SH SYNOPSIS
.B hipogit
[\\-C DIR] [\\-\\-now ISO] [\\-\\-git\\-dir DIR] COMMAND [OPTIONS] [ARGS]
.SH DESCRIPTION
What an agent should know next month is kept as Markdown on one branch of your own
repository. Every write is a commit. Each command says more under \\-\\-help.
.SH COMMANDS
"""
_FOOT = """\
.SH EXIT STATUS
0 done, 1 refused (a finding, a failed check, an unknown topic), 2 usage or
configuration, 3 git or hipogit failed, 130 interrupted.
.SH ENVIRONMENT
HIPOGIT_NOW replaces the clock, HIPOGIT_SESSION names the session, NO_COLOR is honoured.
.SH FILES
.I .hipogit/
is the branch checked out,
.I hipogit.toml
on it holds shared settings,
.I .git/hipogit/
what belongs to this clone.
"""


def render() -> str:
    """The page in roff."""
    return _HEAD + "".join(map(_command, COMMANDS)) + _FOOT


def _command(name: str) -> str:
    command = cli.get_command(click.Context(cli), name)
    assert command and command.help
    first, _, rest = command.help.partition("\n\n")
    example = rest.rpartition("Example: ")[2].strip()
    text = _roff(" ".join(first.split()))
    return f".TP\n.B {_roff(name)}\n{text}\n.br\n.I {_roff(example)}\n"


def _roff(text: str) -> str:
    escaped = text.replace("\\", "\\e").replace("-", "\\-").replace('"', "\\(dq")
    # A line that begins with one of these is a request to roff, not text.
    return f"\\&{escaped}" if escaped[:1] in (".", "'") else escaped


if __name__ == "__main__":
    sys.stdout.write(render())
