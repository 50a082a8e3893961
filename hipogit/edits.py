"""Edits by hand: what a person or an agent changed in the view, taken into memory.

`absorb` commits what was changed in hot files, notes and journals without a commit;
`settle` takes up commits made by hand. In a journal a changed entry is a correction and
one that is gone leaves a tombstone; both are recorded as `edit`. Nodes of the tree are
made from the journals and never absorbed, and a file that is missing is no correction.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from typing import NamedTuple

from . import adopt, conflict, gate, hot, memory
from .correct.tombstone import tombstone
from .entry import Entry
from .inbox import write_whole
from .journal import Journal
from .periods import Day, journal_day
from .plumbing import decode, encode
from .record import Record
from .store import Snapshot, Step, Store, Written
from .worktree import Edit

_NOTES = ("knowledge/", "plans/", "memory/agents/")
_LARGEST = 4 * 1024 * 1024


class Taken(NamedTuple):
    """One journal after an edit: the ids concerned, and what was not taken, in words.

    `corrects` when an entry was changed or taken out, not only added.
    """

    journal: Journal
    ids: tuple[str, ...]
    corrects: bool
    left: tuple[str, ...]


# --- without a commit


def absorb(store: Store, now: datetime) -> Written | None:
    """Commit the edits of hot files, notes and journals in the view, gated.

    Costs one `git status` when there are none.
    """
    view = store.view
    tip = store.tip()
    if view is None or tip is None or not view.present:
        return None
    shown = view.shown
    if shown is None:
        return None
    edits = [edit for edit in view.edits() if _absorbed(edit)]
    if not edits:
        return None
    actor = memory.person(store.git)
    last: list[tuple[Step, list[str]]] = []

    def decide(snapshot: Snapshot) -> list[Step] | None:
        found = _absorbing(store, snapshot, snapshot.at(shown), edits, actor, now)
        last[:] = [found]
        return [found[0]] if found[0].changes else None

    with store.snapshot() as peek:
        first = _absorbing(store, peek, peek.at(shown), edits, actor, now)
    if not first[0].changes:
        _left(store, first[1], now)
        return None
    # Only what withdraws has to clear the view at once.
    merged = bool(first[0].record.entries)
    written = memory.write(store, decide, now, merged=merged)
    if written:
        step, left = last[0]
        _left(store, left, now)
        _show(store, written, step, edits)
    return written


def _absorbed(edit: Edit) -> bool:
    path = edit.path
    if edit.text is None or "\0" in edit.text or len(edit.text) > _LARGEST:
        return False
    hot = "/" not in path and path.endswith(".md")
    return hot or path.startswith(_NOTES) or journal_day(path) is not None


def _absorbing(
    store: Store,
    tip: Snapshot,
    shown: Snapshot,
    edits: Iterable[Edit],
    actor: str,
    now: datetime,
) -> tuple[Step, list[str]]:
    """The step that takes the edits in, and what it leaves, in words."""
    changes: dict[str, str | None] = {}
    ids: list[str] = []
    left: list[str] = []
    for edit in edits:
        base, theirs = shown.read(edit.path), tip.read(edit.path)
        if edit.text is None or edit.text in (base, theirs):
            continue
        if (shown_as := gate.clean_path(edit.path)) != edit.path:
            left.append(f"{shown_as} was not taken in: its name is a secret")
            continue
        if conflict.line(edit.text):
            left.append(f"{shown_as} was not taken in: it holds a conflict")
            continue
        text = memory.cleaned(store, edit.text).text
        frozen = hot.core(theirs or "") if edit.path == "MEMORY.md" else ""
        if frozen not in ("", hot.core(text)):
            left.append("an edit of the Core section of MEMORY.md was not taken in")
            text = hot.with_core(text, frozen)
        day = journal_day(edit.path)
        new: str | None
        if day is None:
            new = text
            if theirs != base:
                new = store.git.union(text, base or "", theirs or "")
        else:
            mine = Journal.parse(day, text)
            old = Journal.parse(day, base or "")
            taken = _edited(store, tip, day, old, mine, theirs, actor, now)
            ids += taken.ids
            left += taken.left
            kept = taken.journal == Journal.parse(day, theirs or "")
            new = theirs if kept else taken.journal.render()
        if new != theirs:
            changes[edit.path] = new
    names = sorted(changes)
    more = f" (+{len(names) - 3})" if len(names) > 3 else ""
    subject = ", ".join(names[:3]) + more
    record = Record("edit", subject, tuple(ids), source="hand", actor=actor)
    return Step(changes, record), left


def _show(store: Store, written: Written, step: Step, edits: Iterable[Edit]) -> None:
    """Bring the view along: what was read and is in now is no edit any more."""
    view = store.view
    if view is None:
        return
    read = {edit.path: edit.text for edit in edits}
    for path, text in step.changes.items():
        file = view.path / path
        said = read.get(path)
        with suppress(OSError):
            # Written to again meanwhile: that is the next edit.
            if text is not None and said is not None:
                if said != text and file.read_bytes() == encode(said):
                    write_whole(file, text)
                aside = file.with_name(f"{file.name}.local")
                saved = f"{path}.local" in written.saved
                if saved and aside.read_bytes() == encode(
                    memory.cleaned(store, said).text
                ):
                    aside.unlink()
    if not written.view_current:
        with store.lock():
            view.refresh(store.tip() or written.tip)


def _left(store: Store, left: Iterable[str], now: datetime) -> None:
    for sentence in dict.fromkeys(left):
        known = [line["sentence"] for line in store.ledger.lines()]
        if sentence not in known:
            store.ledger.note(now.isoformat(), "edit", sentence, "hipogit review")


def _edited(
    store: Store,
    tip: Snapshot,
    day: Day,
    old: Journal,
    mine: Journal,
    theirs: str | None,
    actor: str,
    now: datetime,
) -> Taken:
    """A journal with the edits between `old` and `mine` made on top of the tip's."""
    here = Journal.parse(day, theirs or "")
    if mine.preamble not in ("", old.preamble):
        # What stands above the entries is nobody's entry, but somebody's words.
        above = mine.preamble
        if here.preamble not in ("", old.preamble):
            above = store.git.union(above, old.preamble, here.preamble)
        here = replace(here, preamble=above)
    before = {entry.id: entry for entry in old.entries if entry.id}
    ids: list[str] = []
    left: list[str] = []
    corrects = False
    kept: set[str] = set()
    fresh: list[Entry] = []
    for number, entry in enumerate(mine.entries):
        was = before.get(entry.id)
        now_ = here.find(entry.id) if entry.id else None
        if was is None and now_ is not None:
            continue  # the tip has it by now, from somebody else
        if was is None or entry.id in kept:
            # A comment typed here is nobody's word: neither id nor standing counts.
            bare = Entry(entry.topic, entry.body, entry.type)
            fresh.append(adopt.adopted(bare, day, now, number))
            continue
        kept.add(entry.id)
        if _content(entry) == _content(was) or now_ is None:
            continue
        if now_.withdrawn:
            left.append(_not_taken(store, tip, now_))
            continue
        here = here.replace(_revised(now_, entry))
        ids.append(entry.id)
        corrects = True
    gone = [e for id, e in before.items() if id not in kept and not e.withdrawn]
    if gone and not kept and len(before) > 1:
        left.append(f"{day.journal} lost all of its entries, which is no correction")
        gone = []
    for entry in gone:
        now_ = here.find(entry.id)
        if now_ is not None and not now_.withdrawn:
            here = here.replace(_taken_out(now_, actor, now))
            ids.append(entry.id)
            corrects = True
    known = {entry.id for entry in here.entries}
    added = [entry for entry in fresh if entry.id not in known]
    ids += [entry.id for entry in added]
    return Taken(here.add(added), tuple(dict.fromkeys(ids)), corrects, tuple(left))


def _content(entry: Entry) -> tuple[str, str, str]:
    return (entry.topic, entry.type, entry.body)


def _revised(old: Entry, new: Entry) -> Entry:
    changed = replace(old, topic=new.topic, type=new.type, body=new.body)
    return changed.with_meta(rev=str(old.rev + 1), edited="hand")


def _taken_out(entry: Entry, actor: str, now: datetime) -> Entry:
    return tombstone(entry, "retracted", now, actor=actor, reason="taken out by hand")


def _not_taken(store: Store, tip: Snapshot, entry: Entry) -> str:
    return (
        f"an edit of {entry.id} was not taken: it was {entry.standing};"
        f" hipogit restore {entry.id} brings it back"
    )


# --- with a commit


def settle(store: Store, now: datetime) -> Written | None:
    """Take up what was committed by hand: adopt entries typed there, record what was
    changed or taken out, rebuild the summaries. None when nothing is to be done."""
    tip = store.tip()
    if tip is None:
        return None
    look(store)
    with store.snapshot() as peek:
        steps = by_hand(store, peek, now)
    edits = any(step.record.action == "edit" for step in steps)
    return memory.write(
        store, lambda snapshot: by_hand(store, snapshot, now), now, merged=edits
    )


def look(store: Store) -> None:
    """See that the view was brought to the tip by git itself, and no hook told of it:
    a commit there, a reset."""
    view, tip = store.view, store.tip()
    if view and tip and view.present and view.shown != tip and view.staged(tip):
        # What cannot be written down now is seen again by the next.
        with suppress(OSError):
            view.mark_shown(tip)


def by_hand(store: Store, snapshot: Snapshot, now: datetime) -> list[Step]:
    """The steps that take up what was committed by hand at the tip of a snapshot."""
    if snapshot.tip is None or _ours(store, snapshot.tip):
        return []
    base, paths = _by_hand(store, snapshot.tip)
    named = _named(store, base, snapshot.tip)
    steps = []
    adopted = adopt.step(store, snapshot, paths, now)
    if adopted:
        steps.append(adopted)
        snapshot = snapshot.with_changes(adopted.changes)
    actor = memory.person(store.git)
    recorded = _recorded(snapshot, snapshot.at(base), paths, named, actor, now)
    return [*steps, *([recorded] if recorded else [])]


def _ours(store: Store, commit: str) -> bool:
    message = store.git.text("log", "-1", "--format=%B", commit)
    return Record.parse(message) is not None


def _by_hand(store: Store, tip: str) -> tuple[str, frozenset[str]]:
    """The last commit of our own, and the files changed by hand since."""
    base = tip
    for line in store.git.lines(
        "log", "--first-parent", "--format=%H %(trailers:key=Hipogit-Action,valueonly)",
        tip,
    ):  # fmt: skip
        commit, _, action = decode(line).partition(" ")
        if commit:
            base = commit
            if action.strip():
                break
    out = store.git.run("diff-tree", "-r", "-z", "--name-only", base, tip)
    return base, frozenset(decode(out).split("\0")) - {""}


def _named(store: Store, base: str, tip: str) -> frozenset[str]:
    """The ids that commits merged in since then have recorded themselves."""
    form = "--format=%(trailers:key=Hipogit-Entry,valueonly)"
    return frozenset(
        decode(line) for line in store.git.lines("log", form, tip, f"^{base}")
    )


def _recorded(
    tip: Snapshot,
    base: Snapshot,
    paths: Iterable[str],
    named: frozenset[str],
    actor: str,
    now: datetime,
) -> Step | None:
    """The commit that records corrections made by hand; None when there were none."""
    changes: dict[str, str | None] = {}
    ids: list[str] = []
    for path in sorted(paths):
        day = journal_day(path)
        if day is None:
            continue
        before = Journal.parse(day, base.read(path) or "")
        here = Journal.parse(day, tip.read(path) or "")
        here = replace(here, preamble=here.preamble or before.preamble)
        for was in before.entries:
            found = here.find(was.id) if was.id else None
            if found and found.rev > was.rev and was.id in named:
                continue  # corrected in another clone
            entry = _after(was, found, actor, now) if was.id else None
            if entry is None:
                continue
            here = here.replace(entry) if found else here.add([entry])
            changes[path] = here.render()
            ids.append(was.id)
        for new in here.entries:
            if new.standing == "confirmed" and not (
                before.find(new.id) or new.id in named
            ):
                here = here.replace(_stated(new))
                changes[path] = here.render()
                ids.append(new.id)
    if not changes:
        return None
    return Step(
        changes,
        Record("edit", f"{len(ids)} by hand", tuple(ids), source="hand", actor=actor),
    )


def _stated(typed: Entry) -> Entry:
    """An entry that says of itself that somebody vouched for it: nobody did."""
    spent = {"confirmed_by": None, "confirmed_at": None, "confirmed_via": None}
    return replace(typed, standing="stated").with_meta(rev=str(typed.rev + 1), **spent)


def _after(was: Entry, now_: Entry | None, actor: str, now: datetime) -> Entry | None:
    """What an entry becomes that a commit by hand changed; None: nothing to record."""
    if now_ is None:
        # The tombstone of what was withdrawn before comes back as it was.
        return was if was.withdrawn else _taken_out(was, actor, now)
    if now_ == was:
        return None
    # Above what was typed, too: what an amended commit recorded is typed by now.
    rev = str(max(was.rev, now_.rev) + 1)
    if was.withdrawn != now_.withdrawn:
        return now_.with_meta(rev=rev, edited="hand")
    if _content(now_) == _content(was):
        return was.with_meta(rev=rev)  # a standing is not typed
    return _revised(was, now_).with_meta(rev=rev)
