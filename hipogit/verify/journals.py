"""What commits did to entries: journals compared piece by piece.

A day's journal is written anew with each of its entries. Only the pieces that differ
are parsed, so that a day of many entries costs no more than its entries.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from ..entry import Entry, heading_lines, parse_all
from ..plumbing import Objects, decode
from .brought import present
from .changes import File

_AT_HAND = 64 * 1024 * 1024  # bytes of journals; older ones are read again
_OURS = re.compile(r"^## [^\n]*\n<!-- hipogit ", re.MULTILINE)
_PIECE = re.compile(r"^(?=## )", re.MULTILINE)


class Change(NamedTuple):
    """One entry before and after a commit; None where it did not stand.

    `line` is where it stands now, or where it stood.
    """

    path: str
    before: Entry | None
    after: Entry | None
    line: int


class Journals:
    """Texts of journals by object id, and what differs between two of them."""

    def __init__(self, objects: Objects) -> None:
        self._objects = objects
        self._texts: dict[str, str] = {}
        self._pieces: dict[str, dict[str, None] | None] = {}
        self._size = 0

    def give(self, oid: str, data: bytes) -> None:
        """Have the text of a journal at hand."""
        self._size += len(data)
        self._texts[oid] = decode(data)
        while self._size > _AT_HAND and len(self._texts) > 2:
            oldest = next(iter(self._texts))
            self._size -= len(self._texts.pop(oldest))

    def text(self, file: File) -> str:
        """A journal as it is after a commit; empty where it is gone."""
        return self._text(file.new, file.path)

    def changes(self, file: File) -> list[Change]:
        """Entries with an id that differ between the two sides of a file."""
        old, new = self._texts_of(file)
        before, after = self._differing(file)
        found = []
        for id in {**before, **after}:
            one, other = before.get(id), after.get(id)
            if one != other:
                line = line_of(new if other else old, id)
                found.append(Change(file.path, one, other, line))
        return found

    def _differing(self, file: File) -> tuple[dict[str, Entry], dict[str, Entry]]:
        old, new = self._texts_of(file)
        ours, theirs = self._cut(file.old, old), self._cut(file.new, new)
        if ours is None or theirs is None:
            return _parsed([old]), _parsed([new])
        before = _parsed(piece for piece in ours if piece not in theirs)
        after = _parsed(piece for piece in theirs if piece not in ours)
        # An id that stands twice: what its pieces alone say would mislead.
        if any(line_of(new, id) for id in before.keys() - after.keys()) or any(
            line_of(old, id) for id in after.keys() - before.keys()
        ):
            return _parsed([old]), _parsed([new])
        return before, after

    def _texts_of(self, file: File) -> tuple[str, str]:
        return self._text(file.old, file.path), self._text(file.new, file.path)

    def _cut(self, oid: str, text: str) -> dict[str, None] | None:
        # The new side of one commit is the old side of the next.
        if oid not in self._pieces:
            if len(self._pieces) > 64:
                self._pieces.clear()
            self._pieces[oid] = _pieces(text)
        return self._pieces[oid]

    def _text(self, oid: str, path: str) -> str:
        if not oid.strip("0"):
            return ""
        if oid not in self._texts:
            self.give(oid, present(self._objects.read(oid), oid, path).data)
        return self._texts[oid]


def line_of(text: str, id: str) -> int:
    """The line of the heading of the entry with that id; 0 when there is none."""
    at = text.find(f"<!-- hipogit id={id} ")
    return text.count("\n", 0, at) if at >= 0 else 0


def numbered(text: str) -> list[tuple[int, Entry]]:
    """The entries of a journal, each with the line of its heading."""
    return list(zip(heading_lines(text), parse_all(text)[1], strict=True))


def _pieces(text: str) -> dict[str, None] | None:
    """The text cut before its entries; None where only a parse finds them."""
    headings = text.count("\n## ") + text.startswith("## ")
    # Without our comment beneath, a heading may stand in a fence.
    if headings != len(_OURS.findall(text)):
        return None
    return dict.fromkeys(_PIECE.split(text))


def _parsed(texts: Iterable[str]) -> dict[str, Entry]:
    return {e.id: e for text in texts for e in parse_all(text)[1] if e.id}
