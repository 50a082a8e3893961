"""The trail of an entry: what was said under its id, commit by commit."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import NamedTuple

from .entry import Entry
from .journal import Journal
from .periods import Day
from .plumbing import Objects, decode
from .store import Store


class Version(NamedTuple):
    """An entry as a commit left it; None where that commit took it away."""

    commit: str
    entry: Entry | None


def versions(store: Store, id: str, tip: str) -> Iterator[Version]:
    """Every form an entry had, newest first, each with the commit that gave it.

    Read while git walks, so that whoever needs the newest alone waits for no more.
    """
    day = Day(datetime.strptime(id[:8], "%Y%m%d").date())
    later: Version | None = None
    before: str | None = None
    with store.git.objects() as objects:
        for commit in _commits(store, objects, day, id, tip):
            found = objects.read(f"{commit}:{day.journal}")
            oid = found.oid if found else ""
            if oid == before and later:
                # The same file again: an older commit has the better claim to it.
                later = Version(commit, later.entry)
                continue
            before = oid
            text = decode(found.data) if found else ""
            entry = Journal.parse(day, text).find(id) if id in text else None
            if later is not None and later.entry != entry:
                yield later
            later = Version(commit, entry)
    if later is not None and later.entry is not None:
        yield later


def _commits(
    store: Store, objects: Objects, day: Day, id: str, tip: str
) -> Iterator[str]:
    """The commits that may have changed an entry, newest first."""
    words = ("log", "--full-history", "-m", "--format=%H")
    # No commit from before a day holds its entries; two days are room for clocks.
    since = f"--since={day.date - timedelta(days=2)}T00:00:00Z"
    start = tip
    for line in store.git.lines(*words, since, tip, "--", day.journal):
        commit = decode(line)
        start = f"{commit}^"
        yield commit
    # git goes no further than the first old date, and a clock may have been wrong.
    found = objects.read(f"{start}:{day.journal}")
    if found and id in decode(found.data):
        yield from map(decode, store.git.lines(*words, start, "--", day.journal))


def standing_before(store: Store, entry: Entry, tip: str) -> Entry | None:
    """The entry as it stood before it was disputed or withdrawn, or None."""
    for version in versions(store, entry.id, tip):
        old = version.entry
        if old is None or old.withdrawn:
            continue
        if old.standing == "disputed" and entry.standing == "disputed":
            continue
        return old
    return None
