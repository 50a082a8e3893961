"""What every command is given, and how it speaks."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Mapping
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Any, NoReturn

import click

from .. import access, clock, quick
from ..errors import NotSetUp
from ..plumbing import Git, encode
from ..store import Store

as_json = click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
pass_app = click.pass_obj

_COLOUR = re.compile(r"(\x1b\[[\d;]*m)")
# The last two join and part letters and emoji; without them words change.
_HARMLESS = "\n\t\N{ZERO WIDTH NON-JOINER}\N{ZERO WIDTH JOINER}"


class App:
    """Where and when a command acts."""

    def __init__(self, cwd: Path, now: str, git_dir: Path | None) -> None:
        self.cwd = cwd
        self.git_dir = git_dir
        self._now = now

    @property
    def now(self) -> datetime:
        """The time to act at."""
        return clock.now(self._now)

    def git(self) -> Git:
        """The repository. Raises NotSetUp when there is none."""
        try:
            return Git.discover(self.cwd, self.git_dir)
        except NotSetUp:
            # A work tree of dotfiles is in no repository that git finds by itself.
            git_dir = quick.lent(str(self.cwd))[1]
            if self.git_dir or not git_dir:
                raise
            self.git_dir = Path(git_dir)
            return Git.discover(self.cwd, self.git_dir)

    def store(self) -> Store:
        """The memory of the repository."""
        self.git()  # which knows where
        return Store.open(self.cwd, self.git_dir)


def out(text: str) -> None:
    """A result, on standard output: whatever it holds, save on a terminal."""
    if sys.stdout.isatty():
        text = shown(text)
    sys.stdout.flush()
    sys.stdout.buffer.write(encode(text if text.endswith("\n") else text + "\n"))
    sys.stdout.flush()


def out_json(values: Mapping[str, Any]) -> None:
    """A result as one JSON object on one line."""
    out(json.dumps(values, ensure_ascii=False, default=str))


def say(text: str) -> None:
    """Anything that is no result, on standard error."""
    sys.stderr.write(text + "\n")


def report(sentence: str, hint: str) -> None:
    """An error: what is wrong, and what to do about it."""
    say(f"error: {printable(sentence)}")
    if hint:
        say(f"hint: {printable(hint)}")


def spooled(problem: str) -> None:
    """Say that a write waits."""
    report(f"not committed: {problem}", "it waits in the spool; hipogit status")


def waits(problem: str) -> NoReturn:
    """End a command whose entries are in the spool and not on the branch."""
    spooled(problem)
    raise click.exceptions.Exit(3)


def printable(text: str) -> str:
    """The text without control characters that could drive a terminal."""
    return "".join(
        c if c.isprintable() or c in _HARMLESS else "\N{REPLACEMENT CHARACTER}"
        for c in text
    )


def shown(text: str) -> str:
    """The same, save that colours may pass."""
    parts = _COLOUR.split(text)
    parts[::2] = map(printable, parts[::2])
    return "".join(parts)


def read_stdin() -> str:
    """Standard input as text. Raises Usage when it is not UTF-8."""
    from ..errors import Usage

    data = sys.stdin.buffer.read()
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        raise Usage(
            f"standard input is not UTF-8 (byte {problem.start})",
            hint="iconv -t UTF-8",
        ) from None


def trouble(problem: Exception, words: list[str]) -> int:
    """A failure nobody foresaw: a line for the person, the traceback for the log."""
    import traceback

    import hipogit.gate as gate

    log = Path("~/.local/state/hipogit/log").expanduser()
    with suppress(Exception):
        log = Git.discover(Path.cwd()).common / "hipogit" / "log"
    frames = "".join(traceback.format_tb(problem.__traceback__))
    # Any other message may quote part of what was being stored, and of a part nobody
    # can tell whether it is a secret.
    told = str(problem) if isinstance(problem, (OSError, AttributeError)) else "…"
    text = f"{frames}{type(problem).__name__}: {gate.clean(told).text}"
    try:
        log.parent.mkdir(parents=True, exist_ok=True)
        with log.open("ab") as file:
            file.write(encode(f"{clock.now().isoformat()} {words[:1]}\n{text}\n"))
        hint = f"the traceback is in {log}"
    except OSError:
        hint = "it could not be logged either"
    if isinstance(problem, OSError) and access.denied(problem) and problem.filename:
        # Nobody needs a traceback to see that a file may not be written.
        refused = access.refusal(Path(str(problem.filename)))
        report(refused.sentence, refused.hint)
    else:
        report(f"hipogit failed: {type(problem).__name__}", hint)
    return 3
