"""The commits of a memory branch, each with the entries it changed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from ..entry import Entry, parse_all
from ..plumbing import Git, Objects, decode
from ..record import Record

_KEPT = 400  # parsed journals kept at hand: the next commit's old one is this one's new


class File(NamedTuple):
    """One file a commit changed against one parent; an id of zeros: there was none."""

    path: str
    old: str
    new: str
    parent: int


@dataclass(frozen=True, slots=True)
class Commit:
    """A commit: its parents, what it says of itself (None: a person made it), files."""

    oid: str
    parents: tuple[str, ...]
    record: Record | None
    files: tuple[File, ...]


class Change(NamedTuple):
    """One entry before and after a commit; None where it did not stand."""

    path: str
    before: Entry | None
    after: Entry | None


def commits(git: Git, tip: str, known: frozenset[str] = frozenset()) -> list[Commit]:
    """The commits that reach a tip, oldest first, without those already known."""
    out = git.run(
        "-c", "log.showRoot=true", "log", "--reverse", "--topo-order", "-z", "--raw",
        "-m", "--no-renames", "--no-abbrev", "--format=%H%x00%P%x00%B%x00",
        "--stdin", input="\n".join([tip, *(f"^{oid}" for oid in known)]).encode(),
    )  # fmt: skip
    return list(_read(decode(out).split("\0")))


def _read(tokens: list[str]) -> Iterator[Commit]:
    at, end = 0, len(tokens)
    last: Commit | None = None
    while at + 2 < end:
        oid, parents, message = tokens[at : at + 3]
        at += 3
        files = []
        # With -m a merge is listed once for each parent.
        number = last.files[-1].parent + 1 if last and last.oid == oid else 0
        if last and last.oid == oid and not last.files:
            number = 1
        while at < end and (not tokens[at].strip() or tokens[at].lstrip()[0] == ":"):
            about = tokens[at].strip()
            at += 1
            if about:
                fields = about.split(" ")
                files.append(File(tokens[at], fields[2], fields[3], number))
                at += 1
        found = Commit(oid, tuple(parents.split()), Record.parse(message), tuple(files))
        if last and last.oid == oid:
            last = Commit(oid, last.parents, last.record, last.files + found.files)
            continue
        if last:
            yield last
        last = found
    if last:
        yield last


class Journals:
    """Parsed journals by object id."""

    def __init__(self, objects: Objects) -> None:
        self._objects = objects
        self._parsed: dict[str, tuple[Entry, ...]] = {}

    def entries(self, oid: str) -> tuple[Entry, ...]:
        """The entries a journal's blob holds."""
        if not oid.strip("0"):
            return ()
        if oid not in self._parsed:
            if len(self._parsed) >= _KEPT:
                del self._parsed[next(iter(self._parsed))]
            found = self._objects.read(oid)
            text = decode(found.data) if found else ""
            self._parsed[oid] = tuple(parse_all(text)[1])
        return self._parsed[oid]

    def changes(self, file: File) -> list[Change]:
        """Entries with an id that differ between the two sides of a file."""
        before = {e.id: e for e in self.entries(file.old) if e.id}
        after = {e.id: e for e in self.entries(file.new) if e.id}
        return [
            Change(file.path, before.get(id), after.get(id))
            for id in {**before, **after}
            if before.get(id) != after.get(id)
        ]
