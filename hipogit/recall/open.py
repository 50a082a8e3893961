"""An open index, and whether its rows are what was written. Light enough for hooks."""

from __future__ import annotations

import os
from zlib import crc32

TYPE_CHECKING = False  # `typing` costs as much as an empty Python
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable
    from typing import Any


class Damaged(Exception):
    """The index holds something that was never written to it."""


class Seal:
    """What a file looked like when it was opened."""

    __slots__ = ("_name", "_state")

    def __init__(self, name: str) -> None:
        self._name = name
        self._state = os.stat(name)  # noqa: PTH116 - pathlib would be felt by hooks

    def holds(self) -> bool:
        """Whether it is as it was, or another file by now."""
        try:
            now = os.stat(self._name)  # noqa: PTH116
        except OSError:
            return True
        then = self._state
        if (now.st_dev, now.st_ino) != (then.st_dev, then.st_ino):
            return True
        return (now.st_size, now.st_mtime_ns) == (then.st_size, then.st_mtime_ns)


class Index:
    """An open index of one commit."""

    def __init__(
        self, db: sqlite3.Connection, tip: str, seal: Seal | None = None
    ) -> None:
        self.db = db
        self.tip = tip
        self._seal = seal

    @property
    def as_of(self) -> str:
        """The day the branch was last written to, by its own word."""
        found = self.rows("select value from meta where key='as-of'")
        if found:
            return str(found[0][0])
        return str(self.rows("select coalesce(max(day), '') from piece")[0][0])

    def rows(self, sql: str, values: Iterable[object] = ()) -> list[Any]:
        """What a query gives; any number of values, set in for `(?*)`."""
        given = tuple(values)
        sql = sql.replace("(?*)", "(" + ",".join("?" * len(given)) + ")")
        return self.db.execute(sql, given).fetchall()

    @property
    def sound(self) -> bool:
        """Whether nobody changed the file since it was opened.

        Writers of ours cannot while it is open. One that was deleted or replaced is
        still the one we have.
        """
        return self._seal is None or self._seal.holds()

    def close(self) -> None:
        """Let go of the file."""
        self.db.close()


def checksum(said: str, *row: str) -> int:
    """What a row's text and facts add up to."""
    return crc32("\0".join((said, *row)).encode("utf-8"))


def checked(sum: object, said: object, *row: object) -> None:
    """Raises Damaged when a row is not what was written."""
    if sum != checksum(str(said), *map(str, row)):
        raise Damaged("a row was changed")
