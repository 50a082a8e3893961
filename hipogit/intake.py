"""From an agent's transcript to the branch: read what is new, write it, go on later.

How far a transcript was read is kept beside the branch, without any of its text. The
place is noted only after the entries are in a commit or in the spool; a reading that
dies in between is done again, and its entries are known by their ids. What the user
took back in the session (a rewind) is retracted, unless a person has confirmed it, and
restored when the session returns to it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from contextlib import suppress
from datetime import date, datetime, timedelta, tzinfo
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from . import capture, context, correct, inbox, marks, memory, transcripts, waiting
from .entry import Entry
from .journal import Journal
from .periods import Day
from .store import Snapshot, Store
from .transcripts import reduce

if TYPE_CHECKING:
    from .gate.finding import Finding

_TAKEN_BACK = "taken back in the session"


class Taken(NamedTuple):
    """What became of a transcript. `commit` is None when entries wait in the spool.

    `rewound` are ids of captured entries that were retracted, because the user has
    taken the statement back in the session since.
    """

    commit: str | None
    spooled: bool
    entries: tuple[Entry, ...]
    skipped: Mapping[str, int]
    findings: tuple[Finding, ...]
    rewound: tuple[str, ...] = ()
    problem: str = ""


def take(
    store: Store,
    source: Path | Mapping[str, object],
    now: datetime,
    *,
    platform: str,
    session: str = "",
    final: bool = True,
    via: str = "pipe",
    tz: tzinfo | None = None,
    only_decisions: bool = False,
) -> Taken:
    """Write the turns that were completed since the last time.

    `source` is a transcript's path, or the export that OpenCode's hooks hand over. With
    `final` the newest turn counts as complete. Raises HipogitError for a
    transcript that cannot be read and NotSetUp without a branch.
    """
    named = str(source.absolute()) if isinstance(source, Path) else session
    place = _place(store, platform, named)
    with store.snapshot() as tip:
        since, injected = _load(place), _Given(store, tip)
        if isinstance(source, Path):
            reading = transcripts.read(
                platform, source, since, final=final, injected=injected
            )
        else:
            reading = transcripts.read_export(
                source, since, final=final, injected=injected
            )
        started = reading.started or now
        day = capture.start_day(reading, started, tz)
        near = _near(tip, day)
        made = capture.captured(
            reading,
            platform=platform,
            session=session,
            started=started,
            tz=tz,
            via=via,
            only_decisions=only_decisions,
            known={capture.code_of(entry.id) for entry in near},
            clean=lambda text: memory.cleaned(store, text),
        )
        gone, left, back = (
            capture.ids_of(
                messages,
                reading,
                platform=platform,
                session=session,
                started=started,
                tz=tz,
            )
            for messages in (reading.rewound, reading.left, reading.returned)
        )
        rewound = _standing(near, gone) + _standing([*near, *made.entries], left)
        returned = _taken_back(near, back)
        commit: str | None = tip.tip
    who = correct.Who(
        # Restoring needs somebody's word; here it is the session's.
        memory.person(store.git) or platform,
        session or reading.session,
        platform,
        via,
        memory.code_state(store.git),
    )
    spooled, problem = False, ""
    if made.entries:
        record = who.record("capture", "", (), "")
        done = memory.keep(store, made, record, now)
        commit, spooled, problem = done.commit, done.spooled, done.problem
    if spooled:
        rewound = ()
    _unspool(store, [*gone, *left], (*reading.rewound, *reading.left))
    for id in rewound:
        commit = correct.retract(store, id, _TAKEN_BACK, who, now, wait=False).commit
    for id in returned:
        commit = correct.restore(store, id, who, now).commit
    # Where nothing can be written the next reading starts over; ids make it harmless.
    with suppress(OSError):
        place.parent.mkdir(parents=True, exist_ok=True)
        inbox.write_whole(place, json.dumps(reading.cursor.to_json()))
    return Taken(
        commit,
        spooled,
        made.entries,
        reading.skipped,
        made.findings,
        rewound,
        problem,
    )


def take_summary(
    store: Store,
    said: str,
    started: datetime,
    now: datetime,
    *,
    platform: str,
    session: str,
) -> tuple[Entry, ...]:
    """Write what a compaction's summary decided or achieved that no entry says yet.

    It is the agent's word on the whole session, much of it said before and some of it
    ours: those lines are left out.
    """
    digest = hashlib.sha256(said.encode("utf-8", "replace")).hexdigest()[:16]
    with store.snapshot() as tip:
        parts = reduce.said(said, _Given(store, tip))
        empty = transcripts.Reading((), transcripts.Cursor(), started=started)
        day = capture.start_day(empty, None, None)
        told = "\n".join(tip.read(path) or "" for path in context.FILES)
        known = {
            line.strip(" -")
            for entry in _near(tip, day)
            if entry.get("session") == session
            for text in entry.fields().values()
            for line in text.split("\n")
        }
        decisions, outcomes = (
            tuple(line for line in lines if line not in known and line not in told)
            for lines in reduce.chosen(parts, ())
        )
        turn = transcripts.Turn(
            f"summary-{digest}", session, now, "", decisions, outcomes
        )
        reading = transcripts.Reading((turn,), transcripts.Cursor(), started=started)
        made = capture.captured(
            reading,
            platform=platform,
            session=session,
            via="hook",
            clean=lambda text: memory.cleaned(store, text),
        )
    if made.entries:
        who = correct.Who(
            memory.person(store.git),
            session,
            platform,
            "hook",
            memory.code_state(store.git),
        )
        memory.keep(store, made, who.record("capture", "", (), ""), now)
    return made.entries


def _place(store: Store, platform: str, named: str) -> Path:
    code = hashlib.sha256(named.encode("utf-8", "replace")).hexdigest()[:16]
    return store.local / "sessions" / f"{platform}-{code}.cursor"


def _load(place: Path) -> transcripts.Cursor | None:
    try:
        return transcripts.Cursor.from_json(json.loads(place.read_bytes()))
    except (OSError, ValueError):
        return None


class _Given:
    """The lines sessions were given from memory: now, or as their hooks noted them."""

    def __init__(self, store: Store, tip: Snapshot) -> None:
        texts = [tip.read(path) or "" for path in context.FILES]
        lines = (line for text in texts for line in text.split("\n"))
        self._marks = {marks.mark(line) for line in lines}
        # A session may quote what an earlier tip had told it, or another session.
        self._marks |= marks.all_said(str(store.local))

    def __contains__(self, line: object) -> bool:
        return isinstance(line, str) and marks.mark(line) in self._marks


def _near(tip: Snapshot, day: date) -> list[Entry]:
    """The entries of that day and, as time zones differ, of the days beside it."""
    found: list[Entry] = []
    for days in (-1, 0, 1):
        with suppress(OverflowError):
            near = Day(day + timedelta(days=days))
            journal = Journal.parse(near, tip.read(near.journal) or "")
            found += journal.entries
    return found


def _unspool(store: Store, gone: list[str], messages: tuple[str, ...]) -> None:
    """What was taken back while it waited is never written, nor what continues it."""
    codes = {capture.code_of(id) for id in gone}
    if codes:
        waiting.forget(
            store,
            lambda entry: (
                capture.code_of(entry.id) in codes or entry.get("continues") in messages
            ),
        )


def _standing(near: list[Entry], gone: list[str]) -> tuple[str, ...]:
    """Ids of those entries, and of what continues them, that are captured still."""
    codes = {capture.code_of(id) for id in gone}
    refs = {e.get("ref") for e in near if capture.code_of(e.id) in codes}
    return tuple(
        entry.id
        for entry in near
        if entry.standing == "captured"
        and (
            capture.code_of(entry.id) in codes or entry.get("continues") in refs - {""}
        )
    )


def _taken_back(near: list[Entry], back: list[str]) -> tuple[str, ...]:
    """Ids of those entries that were retracted because they had been taken back."""
    codes = {capture.code_of(id) for id in back}
    return tuple(
        entry.id
        for entry in near
        if capture.code_of(entry.id) in codes
        and entry.standing == "retracted"
        and entry.body.endswith(f": {_TAKEN_BACK}")
    )
