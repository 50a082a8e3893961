"""An open index, and whether its rows are what was written. Light enough for hooks."""

from __future__ import annotations

import sqlite3
from zlib import crc32

TYPE_CHECKING = False  # `typing` costs as much as an empty Python
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any


class Damaged(Exception):
    """The index holds something that was never written to it."""


class Index:
    """An open index of one commit."""

    def __init__(self, db: sqlite3.Connection, tip: str) -> None:
        self.db = db
        self.tip = tip

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
