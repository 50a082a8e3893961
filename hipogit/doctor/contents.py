"""Faults of what stands on the branch and waits beside it."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, time, timedelta

from .. import access, compaction, correct, edits, tree
from ..counted import counted
from ..store import Store
from ..tree.root import last_updated
from . import Fault


def faults(store: Store, now: datetime) -> Iterator[Fault]:
    """Waiting entries, a clock that went back, stale or hand-edited summaries."""
    waiting = sum(len(spool.items()) for spool in store.spools)
    if waiting:
        yield Fault(
            "spool",
            f"{counted(waiting, 'checkpoint')} waiting to be committed",
            "hipogit doctor --fix",
            lambda: _drained(store, now),
        )
    with store.snapshot() as snapshot:
        as_of = last_updated(snapshot)
        if as_of and as_of > now.date() + timedelta(days=1):
            yield Fault(
                "clock",
                f"memory was written on {as_of}, but the clock says {now.date()}",
                "set the clock: ages count from the newest write and never go back",
            )
        edited = tree.edited(snapshot)
        for path in edited:
            yield Fault(
                "node-edited",
                f"the summary {path} was edited by hand",
                f"hipogit summarize {_label(path)} --from FILE keeps a text of yours",
            )
        # As of the tree's own date, since the clock makes nothing stale by itself,
        # and from where it was last compacted here: looking at all is `verify`'s.
        when = datetime.combine(as_of or now.date(), time(), now.tzinfo)
        found = compaction.needed(store, snapshot, {}, when)
        stale = set(found.changes) - set(edited)
    if stale and not edited:
        yield Fault(
            "stale",
            f"{counted(len(stale), 'summary')} out of step with the journal",
            "hipogit compact",
            lambda: _compacted(store, now),
        )
    for sentence in store.config().ignored:
        yield Fault("settings", sentence, "hipogit config")


def _drained(store: Store, now: datetime) -> None:
    correct.drain(store, now)
    if any(spool.items() for spool in store.spools):
        place = access.blocked(store.git.common) or store.local
        raise access.refusal(place)


def _compacted(store: Store, now: datetime) -> None:
    compaction.forget(store)
    edits.settle(store, now)


def _label(path: str) -> str:
    return path.rpartition("/")[2].removesuffix(".md")
