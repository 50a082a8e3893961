"""What came before is in memory before anything is said on top of it."""

from __future__ import annotations

from contextlib import suppress
from datetime import datetime

from . import compaction, correct, edits
from .errors import HipogitError
from .store import Store


def ready(store: Store, now: datetime) -> None:
    """Have what waits in the spool and what was done by hand in memory, before what is
    said now: a correction has to find it, and a commit on top would hide it.

    Where it cannot be written it goes on waiting, and what is said now waits with it.
    """
    correct.drain(store, now)
    with suppress(HipogitError):
        edits.look(store)
        if compaction.last(store) != store.tip():
            edits.settle(store, now)
        edits.absorb(store, now)
