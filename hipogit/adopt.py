"""Entries typed by hand: given an id and a place in time when they are first met."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from datetime import datetime, time, timedelta

from .entry import STANDINGS, Entry, is_id, new_id
from .errors import GitFailed
from .journal import Journal
from .periods import Day, journal_day
from .plumbing import decode
from .record import Record
from .store import Snapshot, Step, Store


def step(
    store: Store, snapshot: Snapshot, paths: Collection[str], now: datetime
) -> Step | None:
    """The commit that adopts what was typed into these journals; None when nothing was.

    An entry's time is the author date of the commit that brought it.
    """
    changes: dict[str, str | None] = {}
    ids: list[str] = []
    replaced: list[str] = []
    for path in sorted(paths):
        day = journal_day(path)
        text = snapshot.read(path) if day else None
        if day is None or text is None:
            continue
        journal = Journal.parse(day, text)
        if all(_known(entry, day) for entry in journal.entries):
            continue
        brought = _brought(store, snapshot, path, now)
        entries = [
            adopted(entry, day, brought, number)
            for number, entry in enumerate(journal.entries)
        ]
        both = list(zip(journal.entries, entries, strict=True))
        ids += [new.id for old, new in both if old != new]
        replaced += [old.id for old, new in both if old.id not in ("", new.id)]
        journal = Journal(day, (), journal.preamble).add(entries)
        changes[path] = journal.render()
    if not changes:
        return None
    subject = f"{len(ids)} typed by hand"
    # Ids that lead nowhere are named as well, or they would look like entries lost.
    return Step(changes, Record("adopt", subject, (*ids, *replaced), source="hand"))


def _known(entry: Entry, day: Day) -> bool:
    return bool(entry.at) and _placed(entry, day) and entry.standing in STANDINGS


def _placed(entry: Entry, day: Day) -> bool:
    # An id leads to its day's journal: under another one no correction would find it.
    return is_id(entry.id) and entry.day == day.date


def adopted(entry: Entry, day: Day, brought: datetime, number: int) -> Entry:
    """An entry typed by hand with an id and its time."""
    if _known(entry, day):
        return entry
    at = entry.at
    if at is None:
        # Typed on its own day: when it was committed. On another: in order from
        # midnight, because nothing tells the hour.
        same = brought.date() == day.date
        start = brought if same else datetime.combine(day.date, time(), brought.tzinfo)
        at = start + timedelta(seconds=number)
    body = entry.body.replace("\r\n", "\n").removesuffix("\r")
    id = new_id(
        day.date,
        session=entry.get("session"),
        source="hand",
        topic=entry.topic,
        type=entry.type,
        body=body,
    )
    standing = entry.standing if entry.standing in STANDINGS else "stated"
    found = replace(
        entry,
        id=entry.id if _placed(entry, day) else id,
        at=at,
        standing=standing,
        body=body,
    )
    return found if found.get("source") else found.with_meta(source="hand")


def _brought(store: Store, snapshot: Snapshot, path: str, now: datetime) -> datetime:
    if snapshot.tip is None:
        return now
    try:
        out = store.git.run("log", "-1", "--format=%aI", snapshot.tip, "--", path)
        return datetime.fromisoformat(decode(out).strip())
    except (GitFailed, ValueError):
        return now
