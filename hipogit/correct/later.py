"""What waits in the spool, committed once the branch can be written.

Statements come first, in one write; then the corrections, one by one, as they would
have been made. One that no longer makes sense is named in the ledger, and what it had
to say is kept as a statement of its own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import datetime

from .. import memory, waiting
from ..errors import HipogitError, NotSetUp, Refused, Usage
from ..store import Snapshot, Step, Store
from .desk import Who
from .verbs import dispute, put, retract


def drain(store: Store, now: datetime) -> int:
    """Commit what waits in the spools; the number of entries and corrections made.

    Where the branch still cannot be written they go on waiting: what the caller has to
    say must reach the spool too.
    """
    if not any(spool.items() for spool in store.spools):
        return 0
    try:
        # Of two who make one correction, the second would report it as refused.
        with store.lock(name="drain.lock"):
            return _drain(store, now)
    except NotSetUp:
        raise
    except HipogitError:
        return 0


def _drain(store: Store, now: datetime) -> int:
    items = waiting.items(store, now, lambda text: memory.cleaned(store, text).text)
    said = [item for item in items if not item.correction]
    count = _add(store, said, now) if said else 0
    for item in items:
        if item.correction:
            count += _correct(store, item, item.correction, now)
    return count


def _add(store: Store, items: Sequence[waiting.Item], now: datetime) -> int:
    def decide(snapshot: Snapshot) -> list[Step]:
        steps: list[Step] = []
        for item in items:
            done = memory.adding(snapshot, item.entries, item.record)
            if done:
                steps += done
                snapshot = snapshot.with_changes(done[0].changes)
        return steps

    try:
        memory.write(store, decide, now)
    except NotSetUp:
        raise
    except HipogitError:
        return 0
    for item in items:
        _forget(item)
    return sum(len(item.entries) for item in items)


def _correct(
    store: Store, item: waiting.Item, said: Mapping[str, object], now: datetime
) -> int:
    try:
        _make(store, item, said, now)
    except NotSetUp:
        raise
    except (Refused, Usage) as problem:
        made = memory.Gated(tuple(item.entries), ())
        try:
            if item.entries:
                memory.keep(store, made, item.record, now, spool=False)
        except HipogitError:
            return 0
        store.ledger.note(
            now.isoformat(),
            "spool",
            f"a correction that waited was not made: {problem.sentence}",
            problem.hint,
        )
    except HipogitError:
        return 0
    _forget(item)
    return 1


def _make(
    store: Store, item: waiting.Item, said: Mapping[str, object], now: datetime
) -> None:
    record = item.record
    who = Who(record.actor, record.session, record.source, record.via, record.code)
    verb, copies = said.get("verb"), said.get("copies") is True
    if verb == "put":
        put(
            store,
            memory.Gated(tuple(item.entries), ()),
            who,
            now,
            supersedes=_ids(said, "supersedes"),
            corrects=_ids(said, "corrects"),
            reason=record.reason,
            copies=copies,
            wait=False,
        )
        return
    (ref,) = _ids(said, "ids") or ("",)
    if verb == "retract":
        retract(store, ref, record.reason, who, now, copies=copies, wait=False)
    elif verb == "dispute":
        dispute(store, ref, record.reason, who, now, wait=False)
    else:
        raise Refused("a correction in the spool has no verb that waits")


def _ids(said: Mapping[str, object], key: str) -> tuple[str, ...]:
    found = said.get(key)
    return tuple(map(str, found)) if isinstance(found, list) else ()


def _forget(item: waiting.Item) -> None:
    with suppress(OSError):
        item.path.unlink(missing_ok=True)
