"""Entries typed by hand: given an id and a place in time when they are first met."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from datetime import datetime, time, timedelta

from .entry import Entry, new_id
from .errors import GitFailed
from .journal import Journal
from .periods import Day, journal_day
from .plumbing import decode
from .record import Record
from .store import Snapshot, Step, Store


def changed_by_hand(store: Store, tip: str) -> frozenset[str]:
    """Files changed by the commits at the tip that hipogit did not write itself."""
    out = store.git.run(
        "log", "-z", "--format=%x01%(trailers:key=Hipogit-Action,valueonly)",
        "--name-only", "--no-renames", "-m", "--first-parent", "-n", "1000", tip,
    )  # fmt: skip
    paths: set[str] = set()
    for part in decode(out).split("\x01")[1:]:
        action, _, names = part.partition("\0")
        if action.strip():
            break
        paths.update(name.strip("\n") for name in names.split("\0"))
    return frozenset(paths - {""})


def step(
    store: Store, snapshot: Snapshot, paths: Collection[str], now: datetime
) -> Step | None:
    """The commit that adopts what was typed into these journals; None when nothing was.

    An entry's time is the author date of the commit that brought it.
    """
    changes: dict[str, str | None] = {}
    ids: list[str] = []
    for path in sorted(paths):
        day = journal_day(path)
        text = snapshot.read(path) if day else None
        if day is None or text is None:
            continue
        journal = Journal.parse(day, text)
        if all(entry.id and entry.at for entry in journal.entries):
            continue
        brought = _brought(store, snapshot, path, now)
        entries = [
            adopted(entry, day, brought, number)
            for number, entry in enumerate(journal.entries)
        ]
        ids += [
            new.id
            for old, new in zip(journal.entries, entries, strict=True)
            if old != new
        ]
        journal = Journal(day, (), journal.preamble).add(entries)
        changes[path] = journal.render()
    if not changes:
        return None
    subject = f"{len(ids)} typed by hand"
    return Step(changes, Record("adopt", subject, tuple(ids), source="hand"))


def adopted(entry: Entry, day: Day, brought: datetime, number: int) -> Entry:
    """An entry typed by hand with an id and its time."""
    if entry.id and entry.at:
        return entry
    at = entry.at
    if at is None:
        # Typed on its own day: when it was committed. On another: in order from
        # midnight, because nothing tells the hour.
        same = brought.date() == day.date
        start = brought if same else datetime.combine(day.date, time(), brought.tzinfo)
        at = start + timedelta(seconds=number)
    id = entry.id or new_id(
        day.date,
        session=entry.get("session"),
        source="hand",
        topic=entry.topic,
        type=entry.type,
        body=entry.body,
    )
    found = replace(entry, id=id, at=at)
    return found if found.get("source") else found.with_meta(source="hand")


def _brought(store: Store, snapshot: Snapshot, path: str, now: datetime) -> datetime:
    if snapshot.tip is None:
        return now
    try:
        out = store.git.run("log", "-1", "--format=%aI", snapshot.tip, "--", path)
        return datetime.fromisoformat(decode(out).strip())
    except (GitFailed, ValueError):
        return now
