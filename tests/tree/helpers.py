"""Journals for tests of the tree, built the way the importers build them."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

from hipogit.entry import Entry, new_id
from hipogit.journal import Journal
from hipogit.periods import Day
from hipogit.tree import Compaction, TreeSettings, compact
from hipogit.view import MemoryView


def entry(
    day: str,
    topic: str,
    body: str = "- decisions: token bucket, 100 req/s",
    type: str = "project",
    second: int = 0,
    standing: str = "stated",
    **meta: str,
) -> Entry:
    """One entry said on a day, so many seconds after midnight."""
    when = date.fromisoformat(day)
    at = datetime(when.year, when.month, when.day, tzinfo=UTC)
    id = new_id(when, session="s", source="test", topic=topic, type=type, body=body)
    return Entry(
        topic=topic,
        body=body,
        type=type,
        id=id,
        at=at + timedelta(seconds=second),
        standing=standing,
        meta=tuple(meta.items()),
    )


def journals(*entries: Entry) -> dict[str, str]:
    """The journal files that hold the entries."""
    days: dict[Day, list[Entry]] = {}
    for e in entries:
        assert e.day is not None
        days.setdefault(Day(e.day), []).append(e)
    return {
        day.journal: Journal(day).add(found).render() for day, found in days.items()
    }


def put(view: MemoryView, *entries: Entry) -> tuple[MemoryView, set[str]]:
    """The view with entries added (or replaced by id), and the journals touched."""
    touched = set()
    for e in entries:
        assert e.day is not None
        day = Day(e.day)
        journal = Journal.parse(day, view.read(day.journal) or "")
        journal = journal.replace(e) if journal.find(e.id) else journal.add([e])
        view = view.with_changes({day.journal: journal.render()})
        touched.add(day.journal)
    return view, touched


def built(
    view: MemoryView,
    as_of: str,
    sizes: TreeSettings | None = None,
    **options: object,
) -> tuple[MemoryView, Compaction]:
    """The view with its tree, and what the run said."""
    run = compact(view, date.fromisoformat(as_of), sizes, **options)  # type: ignore[arg-type]
    return view.with_changes(run.changes), run


def only_journals(view: MemoryView) -> MemoryView:
    """The view without anything that compaction makes."""
    keep = {p: view.read(p) for p in view.paths() if p.count("/") == 1}
    keep.pop("memory/ROOT.md", None)
    return MemoryView(keep)


def tree_text(view: MemoryView) -> str:
    """All text of the tree, journals left out."""
    return "\n".join(
        view.read(p) or ""
        for p in view.paths("memory/")
        if p.count("/") > 1 or p.endswith("ROOT.md")
    )
