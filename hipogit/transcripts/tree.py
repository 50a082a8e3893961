"""Which statements of a session that is a tree still stand.

Each row names the row it follows. A statement that follows an earlier one than the
newest leaves those in between: the user went back and said something else. When the
session later goes on from what was left, both lines stand side by side (two programs
went on with one session, or a resume chose the older line); then nothing in it is taken
for taken back any more. (Seen in files of Claude Code 2.1.197: going back writes a row
with an earlier `parentUuid`, and a later plain resume went on from the line left.)
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from itertools import groupby

from .fields import items, name
from .turns import State

# So many of the newest rows can be followed or written again, so many of the newest
# statements left or returned to.
_ROWS = 4096
_STATEMENTS = 256
_MARK = 6


class Tree:
    """The rows of a session, by marks without their text."""

    def __init__(self, state: State) -> None:
        # Each row's mark, and the number of the statement it belongs to.
        self.rows: dict[str, int] = _rows(state)
        # Each statement's message id, and the number of the statement before it.
        self.statements: dict[int, tuple[str, int]] = {}
        for item in items(state.get("statements"))[-_STATEMENTS:]:
            number, id, before = (*items(item), None, None, None)[:3]
            if type(number) is int and type(before) is int and name(id):
                self.statements[number] = (name(id), before)
        self.current = _number(state.get("current"))
        self.left = {n for n in items(state.get("left")) if type(n) is int}
        self.parallel = state.get("parallel") is True

    def state(self) -> State:
        """What a later reading has to know; no text of the conversation."""
        # A statement's rows stand together, as a rule.
        grouped = groupby(self.rows.values())
        runs = [[len(list(group)), number] for number, group in grouped]
        statements = [[n, id, before] for n, (id, before) in self.statements.items()]
        return {
            "rows": "".join(self.rows),
            "runs": runs,
            "statements": statements,
            "current": self.current,
            "left": sorted(self.left),
            "parallel": self.parallel,
        }

    def knows(self, id: str) -> bool:
        """Whether the row came by before."""
        return _mark(id) in self.rows

    def add(self, id: str, follows: str) -> None:
        """Take a row in; one that follows nothing known follows the newest."""
        self._put(id, self.rows.get(_mark(follows), self.current))

    def statement(self, id: str, follows: str) -> tuple[list[str], list[str]]:
        """Take a statement in: the ids of those it leaves, and of those returned to."""
        before = self.rows.get(_mark(follows), self.current)
        between: list[int] = []
        at = self.current
        while at != before and at in self.statements and at not in between:
            between.append(at)
            at = self.statements[at][1]
        gone: list[int] = []
        back: list[int] = []
        if at != before:
            # Not behind us: on a line that was left.
            back = sorted(self.left)
            self.left, self.parallel = set(), True
        elif not self.parallel:
            gone = sorted(between)
            self.left.update(gone)
        number = max((self.current, *self.statements), default=0) + 1
        self.statements[number] = (id, before)
        self.current = number
        self._put(id, number)
        while len(self.statements) > _STATEMENTS:
            oldest = next(iter(self.statements))
            del self.statements[oldest]
            self.left.discard(oldest)
        return self._ids(gone), self._ids(back)

    def _put(self, id: str, number: int) -> None:
        self.rows[_mark(id)] = number
        if len(self.rows) > _ROWS:
            del self.rows[next(iter(self.rows))]

    def _ids(self, numbers: list[int]) -> list[str]:
        return [self.statements[n][0] for n in numbers if n in self.statements]


def _mark(id: str) -> str:
    return hashlib.sha256(id.encode()).hexdigest()[: 2 * _MARK] if id else ""


def _rows(state: Mapping[str, object]) -> dict[str, int]:
    text = state.get("rows")
    if not isinstance(text, str):
        return {}
    marks = [text[at : at + 2 * _MARK] for at in range(0, len(text), 2 * _MARK)]
    numbers: list[int] = []
    for run in items(state.get("runs")):
        count, number = (*items(run), None, None)[:2]
        if type(count) is int and type(number) is int and 0 < count <= _ROWS:
            numbers += [number] * count
    return dict(zip(marks[-_ROWS:], numbers[-_ROWS:], strict=False))


def _number(value: object) -> int:
    return value if type(value) is int else 0
