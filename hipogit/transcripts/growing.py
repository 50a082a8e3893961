"""Transcripts that grow line by line: only what is new is read.

While a turn is open the next reading starts at its statement again, with the reader's
state from there, so that many small readings give the turns of one.
"""

from __future__ import annotations

import os
from collections.abc import Container, Mapping
from typing import BinaryIO, Protocol

from .cursor import Cursor
from .fields import loads
from .lines import complete_lines
from .reading import Reading
from .turns import Pen, State


class Rows(Protocol):
    """A platform's reader of rows."""

    def state(self) -> State:
        """What a later reading has to know; no text of the conversation."""

    def row(self, row: Mapping[str, object]) -> None:
        """Take one row into account."""


def read(
    platform: str,
    file: BinaryIO,
    since: Cursor | None,
    final: bool,
    injected: Container[str],
) -> Reading:
    """The turns completed since the cursor, or all when the file is another one."""
    start = since if since is not None and since.still_fits(file) else Cursor()
    pen = Pen(injected, start.given, start.started)
    reader = rows(platform, pen, start.state)
    file.seek(start.offset)
    line, end, last = feed(file, reader, pen, start)
    if final:
        pen.give_out()
    open = pen.open
    cursor = Cursor(
        inode=os.fstat(file.fileno()).st_ino,
        offset=open.offset if open else end,
        end=end,
        line=line,
        last=last,
        state=open.before if open else reader.state(),
        given=pen.given,
        started=pen.started,
    )
    return Reading.written(pen, cursor)


def feed(file: BinaryIO, reader: Rows, pen: Pen, start: Cursor) -> tuple[int, int, str]:
    """Read on; gives place, end and digest of the last complete line."""
    newest = None
    for line in complete_lines(file, start.offset):
        pen.start, pen.fresh = line.start, line.start >= start.end
        newest = line
        if line.data is None:
            pen.skip("too long")
            continue
        if line.blank:
            continue
        try:
            row = loads(line.data.decode("utf-8", "replace"))
        except ValueError:
            pen.skip("unparsable")
            continue
        if isinstance(row, dict):
            reader.row(row)
        else:
            pen.skip("not an object")
    if newest is None or newest.end <= start.end:
        return start.line, start.end, start.last
    return newest.start, newest.end, newest.digest


def rows(platform: str, pen: Pen, state: State) -> Rows:
    """The platform's reader, imported when it is asked for."""
    if platform == "claude-code":
        from . import claude_code

        return claude_code.Reader(pen, state)
    if platform == "codex":
        from . import codex

        return codex.Reader(pen, state)
    if platform == "gemini":
        from . import gemini

        return gemini.Reader(pen, state)
    from . import openclaw

    return openclaw.Reader(pen, state)
