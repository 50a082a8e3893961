"""The trail of an entry: what was said under its id, commit by commit."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import NamedTuple

from .entry import Entry
from .journal import Journal
from .periods import Day
from .plumbing import decode
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
    # No commit from before a day holds its entries; two days are room for clocks.
    since = f"{day.date - timedelta(days=2)}T00:00:00Z"
    later: Version | None = None
    before: str | None = None
    with store.git.objects() as objects:
        for line in store.git.lines(
            *("log", "--full-history", "-m", "--format=%H", f"--since={since}"),
            *(tip, "--", day.journal),
        ):
            commit = decode(line)
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
