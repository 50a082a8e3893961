"""How far a transcript was read: a value small enough to keep, without its text.

It lies on disk outside the gate, so nothing anyone said may be in it. While a turn
is open the next reading starts at its statement again.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import BinaryIO

from .fields import instant, mapping, text
from .lines import digest_of
from .turns import State

_FORMAT = 2


@dataclass(frozen=True, slots=True)
class Cursor:
    """Where to go on reading a transcript, and how to tell that it is still the same.

    `offset` is where the next reading starts, `end` how far this one got; `last` is
    the SHA-256 of the last complete line, which stands at `line` .. `end` (of the
    whole content where a file is read whole). `state` is what the platform's reader
    needs there, `given` the turn that a final reading gave out, `started` when the
    session began.
    """

    inode: int = 0
    offset: int = 0
    end: int = 0
    line: int = 0
    last: str = ""
    state: State = field(default_factory=dict)
    given: State = field(default_factory=dict)
    started: datetime | None = None

    def to_json(self) -> dict[str, object]:
        """A JSON object that `from_json` reads back."""
        return {
            "format": _FORMAT,
            "inode": self.inode,
            "offset": self.offset,
            "end": self.end,
            "line": self.line,
            "last": self.last,
            "state": dict(self.state),
            "given": dict(self.given),
            "started": self.started.isoformat() if self.started else "",
        }

    @classmethod
    def from_json(cls, value: object) -> Cursor | None:
        """The cursor, or None for what is none (then a file is read from 0)."""
        data = mapping(value)
        numbers = [data.get(key) for key in ("inode", "offset", "end", "line")]
        if data.get("format") != _FORMAT:
            return None
        whole = [n for n in numbers if type(n) is int and n >= 0]
        if len(whole) != len(numbers):
            return None
        inode, offset, end, line = whole
        if offset > end or line > end:
            return None
        return cls(
            inode=inode,
            offset=offset,
            end=end,
            line=line,
            last=text(data.get("last")),
            state=mapping(data.get("state")),
            given=_given(mapping(data.get("given"))),
            started=instant(data.get("started")),
        )

    def still_fits(self, file: BinaryIO) -> bool:
        """Whether the file is the one read before, with the same last line in it."""
        stat = os.fstat(file.fileno())
        if stat.st_ino != self.inode or stat.st_size < self.end:
            return False
        return not self.last or digest_of(file, self.line, self.end) == self.last


def _given(data: Mapping[str, object]) -> State:
    if not text(data.get("id")):
        return {}
    return {
        "id": text(data.get("id")),
        "session": text(data.get("session")),
        "cwd": text(data.get("cwd")),
        "branch": text(data.get("branch")),
        "sidechain": data.get("sidechain") is True,
    }
