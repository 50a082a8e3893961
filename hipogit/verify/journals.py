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
from .changes import File

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

    def fetch(self, files: Iterable[File]) -> None:
        """Have both sides of these files at hand."""
        wanted = dict.fromkeys(oid for file in files for oid in (file.old, file.new))
        wanted = {oid: None for oid in wanted if oid.strip("0")}
        kept = {oid: self._texts[oid] for oid in wanted if oid in self._texts}
        missing = [oid for oid in wanted if oid not in kept]
        for oid, found in zip(missing, self._objects.stream(missing), strict=True):
            kept[oid] = decode(found.data) if found and found.type == "blob" else ""
        self._texts = kept

    def changes(self, file: File) -> list[Change]:
        """Entries with an id that differ between the two sides of a file."""
        old, new = self._text(file.old), self._text(file.new)
        before, after = _differing(old, new)
        found = []
        for id in {**before, **after}:
            one, other = before.get(id), after.get(id)
            if one != other:
                line = line_of(new if other else old, id)
                found.append(Change(file.path, one, other, line))
        return found

    def _text(self, oid: str) -> str:
        if oid not in self._texts:
            found = self._objects.read(oid) if oid.strip("0") else None
            self._texts[oid] = decode(found.data) if found else ""
        return self._texts[oid]


def line_of(text: str, id: str) -> int:
    """The line of the heading of the entry with that id; 0 when there is none."""
    at = text.find(f"<!-- hipogit id={id} ")
    return text.count("\n", 0, at) if at >= 0 else 0


def numbered(text: str) -> list[tuple[int, Entry]]:
    """The entries of a journal, each with the line of its heading."""
    return list(zip(heading_lines(text), parse_all(text)[1], strict=True))


def _differing(old: str, new: str) -> tuple[dict[str, Entry], dict[str, Entry]]:
    ours, theirs = _pieces(old), _pieces(new)
    if ours is None or theirs is None:
        return _parsed([old]), _parsed([new])
    known, fresh = set(ours), set(theirs)
    before = _parsed(piece for piece in ours if piece not in fresh)
    after = _parsed(piece for piece in theirs if piece not in known)
    # An id that stands twice: what its pieces alone say would mislead.
    if any(line_of(new, id) for id in before.keys() - after.keys()) or any(
        line_of(old, id) for id in after.keys() - before.keys()
    ):
        return _parsed([old]), _parsed([new])
    return before, after


def _pieces(text: str) -> list[str] | None:
    """The text cut before its entries; None where only a parse finds them."""
    headings = text.count("\n## ") + text.startswith("## ")
    # Without our comment beneath, a heading may stand in a fence.
    return _PIECE.split(text) if headings == len(_OURS.findall(text)) else None


def _parsed(texts: Iterable[str]) -> dict[str, Entry]:
    return {e.id: e for text in texts for e in parse_all(text)[1] if e.id}
