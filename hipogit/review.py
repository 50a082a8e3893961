"""What a person should look at: captured talk, doubts, contradictions, old pointers."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path
from typing import NamedTuple

from . import access, correct
from .entry import Entry
from .inbox import write_whole
from .journal import Journal
from .periods import Day, journal_day
from .store import Snapshot, Store
from .tree.root import last_updated

_STALE = timedelta(days=30)


class Candidate(NamedTuple):
    """An entry and why it is asked about."""

    entry: Entry
    why: str


def queue(store: Store, view: Snapshot, *, again: bool = False) -> Iterator[Candidate]:
    """The entries to look at: contradictions first, then the newest day first.

    What was skipped before is left out unless it was corrected since, or `again`.
    """
    seen = {} if again else skipped(store)
    asked: set[str] = set()
    for one in correct.contradictions(view):
        asked.add(one.newer.id)
        if seen.get(one.newer.id) != one.newer.rev:
            yield Candidate(one.newer, f"contradicts {one.older.id}: {one.line}")
    as_of = last_updated(view)
    for path in sorted(view.paths("memory/"), reverse=True):
        day = journal_day(path)
        if day is None:
            continue
        for entry in Journal.parse(day, view.read(path) or "").entries:
            why = _why(entry, day, as_of)
            if why and entry.id not in asked and seen.get(entry.id) != entry.rev:
                yield Candidate(entry, why)


def _why(entry: Entry, day: Day, as_of: date | None) -> str:
    if not entry.id or entry.withdrawn:
        return ""
    if entry.standing == "captured":
        return "captured from a session, said by nobody yet"
    if entry.standing == "disputed":
        by = entry.get("corrected-by")
        because = entry.get("because") or (f"corrected by {by}" if by else "")
        return f"disputed: {because}" if because else "disputed"
    if entry.type == "reference" and as_of and as_of - day.date > _STALE:
        checked = entry.get("confirmed-at")[:10]
        if not checked or as_of - date.fromisoformat(checked) > _STALE:
            return f"a reference of {(as_of - day.date).days} days ago"
    return ""


def skipped(store: Store) -> dict[str, int]:
    """Ids that were skipped, with the revision they had."""
    try:
        found = json.loads(_place(store).read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def skip(store: Store, entry: Entry) -> None:
    """Do not ask about an entry again while it stays as it is. Raises ReadOnly."""
    known = {**skipped(store), entry.id: entry.rev}
    try:
        write_whole(_place(store), json.dumps(known))
    except OSError as problem:
        raise access.refusal(store.local, problem) from None


def _place(store: Store) -> Path:
    return store.local / "review.json"
