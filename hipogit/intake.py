"""From an agent's transcript to the branch: read what is new, write it, go on later.

How far a transcript was read is kept beside the branch, without any of its text. The
place is noted only after the entries are in a commit or in the spool; a reading that
dies in between is done again, and its entries are known by their ids.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from contextlib import suppress
from datetime import date, datetime, timedelta, tzinfo
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from . import capture, context, inbox, memory, transcripts
from .entry import Entry
from .journal import Journal
from .periods import Day
from .record import Record
from .store import Snapshot, Store

if TYPE_CHECKING:
    from .gate.finding import Finding

_KEPT_DAYS = 90


class Taken(NamedTuple):
    """What became of a transcript. `commit` is None when entries wait in the spool.

    `rewound` are ids of entries whose statements the user took back since.
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
    path: Path,
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

    With `final` the newest turn counts as complete. Raises HipogitError for a
    transcript that cannot be read and NotSetUp without a branch.
    """
    place = _place(store, platform, path)
    with store.snapshot() as tip:
        reading = transcripts.read(
            platform, path, _load(place), final=final, injected=_injected(tip)
        )
        started = reading.started or now
        day = capture.start_day(reading, started, tz)
        made = capture.captured(
            reading,
            platform=platform,
            session=session,
            started=started,
            tz=tz,
            via=via,
            only_decisions=only_decisions,
            known=_known(tip, day),
        )
        commit: str | None = tip.tip
    rewound = capture.taken_back(
        reading, platform=platform, session=session, started=started, tz=tz
    )
    spooled, problem = False, ""
    if made.entries:
        record = Record(
            "capture",
            "",
            session=made.entries[0].get("session"),
            source=platform,
            actor=memory.person(store.git),
            code=memory.code_state(store.git),
        )
        gated = memory.Gated(made.entries, made.findings)
        done = memory.keep(store, gated, record, now)
        commit, spooled, problem = done.commit, done.spooled, done.problem
    # Where nothing can be written the next reading starts over; ids make it harmless.
    with suppress(OSError):
        place.parent.mkdir(parents=True, exist_ok=True)
        inbox.write_whole(place, json.dumps(reading.cursor.to_json()))
        _forget_old(place.parent, now)
    return Taken(
        commit,
        spooled,
        made.entries,
        reading.skipped,
        made.findings,
        tuple(rewound),
        problem,
    )


def _place(store: Store, platform: str, path: Path) -> Path:
    named = hashlib.sha256(str(path.absolute()).encode("utf-8", "replace")).hexdigest()
    return store.local / "sessions" / f"{platform}-{named[:16]}.cursor"


def _load(place: Path) -> transcripts.Cursor | None:
    try:
        return transcripts.Cursor.from_json(json.loads(place.read_bytes()))
    except (OSError, ValueError):
        return None


def _forget_old(folder: Path, now: datetime) -> None:
    # Hosts delete transcripts after weeks; places in them would pile up for years.
    oldest = now.timestamp() - _KEPT_DAYS * 86_400
    for place in folder.glob("*.cursor"):
        if place.stat().st_mtime < oldest:
            place.unlink(missing_ok=True)


def _injected(tip: Snapshot) -> frozenset[str]:
    """The lines a session is given from memory."""
    texts = [tip.read(path) or "" for path in context.FILES]
    return frozenset(line for text in texts for line in text.split("\n") if line)


def _known(tip: Snapshot, day: date) -> frozenset[str]:
    """Codes of that day's entries and, as time zones differ, of its neighbours'."""
    found: set[str] = set()
    for days in (-1, 0, 1):
        with suppress(OverflowError):
            near = Day(day + timedelta(days=days))
            journal = Journal.parse(near, tip.read(near.journal) or "")
            found.update(capture.code_of(entry.id) for entry in journal.entries)
    return frozenset(found)
