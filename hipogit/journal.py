"""The raw log of one day: a preamble and entries in the order they were said."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from .entry import Entry, parse_all, render
from .periods import Day


@dataclass(frozen=True, slots=True)
class Journal:
    """One day's entries, ordered by instant and id."""

    day: Day
    entries: tuple[Entry, ...] = ()
    preamble: str = ""

    @classmethod
    def parse(cls, day: Day, text: str) -> Journal:
        """The journal a file holds. Entries keep the order written; any text parses."""
        preamble, entries = parse_all(text)
        return cls(day, tuple(entries), preamble.strip("\n"))

    def render(self) -> str:
        """The file: the same bytes however the entries were batched or ordered."""
        head = self.preamble or f"# {self.day}"
        entries = sorted(self.entries, key=lambda entry: entry.key)
        return "\n".join([head + "\n", *(render(entry) for entry in entries)])

    def add(self, entries: Iterable[Entry]) -> Journal:
        """With these entries too; one whose id stands here already changes nothing."""
        ids = {entry.id for entry in self.entries if entry.id}
        fresh: list[Entry] = []
        for entry in entries:
            if entry.id not in ids:
                ids.add(entry.id)
                fresh.append(entry)
        return replace(self, entries=(*self.entries, *fresh)) if fresh else self

    def replace(self, entry: Entry) -> Journal:
        """With the entry of that id put in place of the one that stands here."""
        return replace(
            self, entries=tuple(entry if e.id == entry.id else e for e in self.entries)
        )

    def find(self, id: str) -> Entry | None:
        """The entry of exactly that id."""
        return next((entry for entry in self.entries if entry.id == id), None)
