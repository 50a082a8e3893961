"""What memory learnt, changed and withdrew between two points, as entries."""

from __future__ import annotations

from dataclasses import dataclass, field

from .. import resolve
from ..entry import Entry
from ..journal import Journal
from ..periods import Day, journal_day
from ..plumbing import decode
from ..store import Snapshot, Store
from . import points


@dataclass(frozen=True, slots=True)
class Changes:
    """Entries by what became of them between two commits.

    Of what is withdrawn by now the topic is told and no text: reading a difference is
    reading memory.
    """

    before: str
    after: str
    learnt: list[Entry] = field(default_factory=list)
    changed: list[tuple[Entry, Entry]] = field(default_factory=list)
    withdrawn: list[tuple[Entry, Entry | None]] = field(default_factory=list)
    restored: list[Entry] = field(default_factory=list)
    # Learnt or changed in between, and withdrawn since.
    gone: frozenset[str] = frozenset()
    files: list[str] = field(default_factory=list)


def diff(store: Store, a: str, b: str = "") -> Changes:
    """The changes from point `a` to point `b` (the tip, when not given).

    Before memory began there was nothing, so from there all of it is new.
    """
    old, new = points.tree(store, a), points.tree(store, b)
    out = store.git.run(
        "diff-tree", "-r", "-z", "--name-only", "--no-renames", old, new
    )
    paths = [path for path in decode(out).split("\0") if path]
    found = Changes(
        old,
        new,
        files=[p for p in paths if not journal_day(p) and not resolve.is_summary(p)],
    )
    with store.snapshot() as tip:
        before, after = tip.at(old), tip.at(new)
        for path in paths:
            day = journal_day(path)
            if day:
                _compare(found, _entries(before, day), _entries(after, day))
        shown = [*found.learnt, *(pair[1] for pair in found.changed), *found.restored]
        gone = {e.id for e in shown if _gone(tip, e.id)}
    return Changes(
        old, new, found.learnt, found.changed, found.withdrawn, found.restored,
        frozenset(gone), found.files,
    )  # fmt: skip


def _compare(found: Changes, old: dict[str, Entry], new: dict[str, Entry]) -> None:
    for id, entry in new.items():
        was = old.get(id)
        if was is None:
            if not entry.withdrawn:
                found.learnt.append(entry)
        elif entry.withdrawn and not was.withdrawn:
            found.withdrawn.append((was, entry))
        elif was.withdrawn and not entry.withdrawn:
            found.restored.append(entry)
        elif was != entry and not entry.withdrawn:
            found.changed.append((was, entry))
    for id, was in old.items():
        if id not in new and not was.withdrawn:
            found.withdrawn.append((was, None))


def _entries(view: Snapshot, day: Day) -> dict[str, Entry]:
    journal = Journal.parse(day, view.read(day.journal) or "")
    return {e.id: e for e in journal.entries if e.id}


def _gone(tip: Snapshot, id: str) -> bool:
    found = resolve.exact(tip, id)
    return found is None or found.entry.withdrawn
