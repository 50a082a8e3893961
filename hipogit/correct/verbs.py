"""The verbs: supersede, retract, dispute, confirm, restore, and saying with them.

Each decides on one snapshot and becomes one commit together with every summary it
makes stale, so no tip ever shows what was withdrawn.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from .. import memory, trail
from ..entry import Entry, is_id
from ..errors import Refused, Usage
from ..record import Record
from ..store import Store
from . import copies as places
from .desk import (
    Asks,
    Corrected,
    Desk,
    Plan,
    Who,
    commit,
    gated,
    not_withdrawn,
    withdrawn_text,
)
from .tombstone import chain, chained, repointed, revised, tombstone


def retract(
    store: Store,
    ref: str,
    reason: str,
    who: Who,
    now: datetime,
    *,
    copies: bool = False,
    wait: bool = True,
) -> Corrected:
    """Withdraw an entry that should not have been said.

    Where the branch cannot be written it waits in the spool, unless told not to.
    """
    why = _reason(reason, f"hipogit retract {ref} --reason")

    def decide(desk: Desk) -> Plan:
        entry = _standing(desk.find(ref))
        places.not_repeated(why, entry)
        gone = tombstone(entry, "retracted", now, actor=_name(who), reason=why)
        desk.put(gone)
        found = _copies(desk, entry, [], who, now, remove=copies)
        record = who.record("retract", entry.topic, [entry.id], why)
        return Plan(desk, record, gone, found, copies)

    later = {"verb": "retract", "ids": [ref], "copies": copies}
    return commit(store, decide, now, later if wait else None)


def supersede(
    store: Store,
    ref: str,
    draft: memory.Draft,
    who: Who,
    now: datetime,
    *,
    reason: str = "",
    copies: bool = False,
) -> Corrected:
    """Put a new statement in the place of an entry."""
    return say(
        store,
        [draft],
        who,
        now,
        supersedes=[ref],
        reason=reason,
        copies=copies,
    )


def say(
    store: Store,
    drafts: Sequence[memory.Draft],
    who: Who,
    now: datetime,
    *,
    supersedes: Sequence[str] = (),
    corrects: Sequence[str] = (),
    reason: str = "",
    copies: bool = False,
) -> Corrected:
    """Write entries that correct others, in one commit with what they correct.

    Those superseded become tombstones that name the new entry; those a feedback
    corrects become disputed. Raises Usage, Refused.
    """
    made = memory.admitted(store, drafts)
    return put(
        store,
        made,
        who,
        now,
        supersedes=supersedes,
        corrects=corrects,
        reason=reason,
        copies=copies,
    )


def put(
    store: Store,
    gated_: memory.Gated,
    who: Who,
    now: datetime,
    *,
    supersedes: Sequence[str] = (),
    corrects: Sequence[str] = (),
    reason: str = "",
    copies: bool = False,
    wait: bool = True,
) -> Corrected:
    """`say` for an entry that has been through the gate."""
    made, findings = gated_
    if len(made) != 1:
        raise Usage(
            f"{len(made)} entries cannot stand in for one",
            hint="say them one by one: the correction belongs to one of them",
        )
    (new,) = made
    why = gated(reason)
    if corrects and new.type != "feedback":
        raise Usage(
            f"a {new.type} entry corrects nothing: that is what feedback is for",
            hint="-t feedback -f rule=… -f why=… -f how-to-apply=…",
        )

    def decide(desk: Desk) -> Plan:
        olds = [_standing(desk.find(ref), "supersede") for ref in supersedes]
        wrong = [_standing(desk.find(ref), "dispute") for ref in corrects]
        entry = _linked(desk, new, olds, wrong)
        desk.take(_adding(desk, entry))
        for old in olds:
            places.not_repeated(why, old)
            _supersede(desk, old, entry, now, who, why)
        disputed = [old for old in wrong if old.id not in {o.id for o in olds}]
        for old in disputed:
            desk.put(_disputed(old, corrected_by=entry.id))
        found: tuple[places.Copy, ...] = ()
        for old in olds:
            found += _copies(desk, old, [entry], who, now, remove=copies)
        action = "supersede" if olds else "dispute"
        ids = [entry.id, *(old.id for old in (*olds, *disputed))]
        record = who.record(action, entry.topic, ids, why)
        record = replace(record, redactions=len(findings))
        return Plan(desk, record, entry, found, copies, (entry,))

    later = {
        "verb": "put",
        "supersedes": list(supersedes),
        "corrects": list(corrects),
        "copies": copies,
    }
    return commit(store, decide, now, later if wait else None)


def dispute(
    store: Store,
    ref: str,
    reason: str,
    who: Who,
    now: datetime,
    *,
    wait: bool = True,
) -> Corrected:
    """Mark an entry as doubted; its text stays, with the mark wherever it is read."""
    why = _reason(reason, f"hipogit dispute {ref} --reason")

    def decide(desk: Desk) -> Plan:
        old = _standing(desk.find(ref), "dispute")
        if old.standing == "disputed":
            raise Refused(
                f"{old.id} is disputed already",
                hint=f"hipogit confirm {old.id}, or hipogit retract {old.id}",
            )
        entry = _disputed(old, because=why)
        desk.put(entry)
        return Plan(desk, who.record("dispute", old.topic, [old.id], why), entry)

    later = {"verb": "dispute", "ids": [ref]}
    return commit(store, decide, now, later if wait else None)


def confirm(store: Store, ref: str, who: Who, now: datetime) -> Corrected:
    """Record that a person says an entry is true.

    Who is not at a terminal has to be named; MCP never confirms.
    """
    who.person(f"hipogit confirm {ref}")

    def decide(desk: Desk) -> Plan:
        old = _standing(desk.find(ref), "confirm")
        by = _name(who)
        if old.standing == "confirmed" and old.get("confirmed-by") == by:
            raise Refused(f"{old.id} is confirmed by {by} already")
        entry = revised(
            replace(old, standing="confirmed"),
            because=None,
            corrected_by=None,
            confirmed_by=by or None,
            confirmed_at=now.isoformat(),
            confirmed_via=who.via,
        )
        desk.put(entry)
        return Plan(desk, who.record("confirm", old.topic, [old.id], ""), entry)

    return commit(store, decide, now)


def restore(
    store: Store,
    ref: str,
    who: Who,
    now: datetime,
    *,
    instead: bool = False,
    reason: str = "",
) -> Corrected:
    """Bring back what an entry said before it was withdrawn or disputed.

    Raises Asks when what stands in its place still holds; `instead` withdraws that.
    """
    who.person(f"hipogit restore {ref}")
    why = gated(reason)

    def decide(desk: Desk) -> Plan:
        now_ = desk.find(ref)
        if now_.standing == "purged":
            raise Refused(
                f"{now_.id} was purged: its text is in no commit any more",
                hint="hipogit checkpoint says it anew",
            )
        if not (now_.withdrawn or now_.standing == "disputed"):
            raise Refused(
                f"{now_.id} stands: there is nothing to restore",
                hint=f"hipogit history {now_.id}",
            )
        old = trail.standing_before(store, now_, desk.tip)
        if old is None:
            raise Refused(
                f"no commit holds what {now_.id} said",
                hint="git fetch --unshallow, if this clone is shallow",
            )
        rivals = _rivals(desk, now_) if now_.withdrawn else []
        if rivals and not instead:
            names = ", ".join(rival.id for rival in rivals)
            raise Asks(
                f"{names} stands in its place: both cannot hold",
                hint=f"hipogit restore {now_.id} --instead withdraws {names}",
                rivals=[rival.id for rival in rivals],
            )
        entry = replace(old, meta=old.meta).with_meta(rev=str(now_.rev + 1))
        if rivals:
            line = [*chain(entry), *(r.id for r in rivals)]
            line += [id for rival in rivals for id in chain(rival)]
            line = [id for id in line if id != entry.id]
            entry = entry.with_meta(supersedes=chained(line))
        desk.put(entry)
        for rival in rivals:
            _supersede(desk, rival, entry, now, who, why)
        ids = [entry.id, *(rival.id for rival in rivals)]
        return Plan(desk, who.record("restore", old.topic, ids, why), entry)

    return commit(store, decide, now)


# --- what the verbs have in common


def _standing(entry: Entry, verb: str = "retract") -> Entry:
    """The entry, if it stands. Raises Refused."""
    if not entry.withdrawn:
        return entry
    successor = entry.get("successor")
    hint = f"hipogit history {entry.id}"
    if successor and verb in ("supersede", "retract"):
        hint = f"hipogit {verb} {successor}"
    elif verb in ("confirm", "dispute"):
        hint = f"hipogit restore {entry.id}"
    raise Refused(f"{entry.id} was {withdrawn_text(entry)} already", hint=hint)


def _reason(reason: str, command: str) -> str:
    why = gated(reason)
    if not why:
        raise Usage("a correction needs its reason", hint=f'{command} "why"')
    return why


def _name(who: Who) -> str:
    return " ".join(who.record("", "", (), "").actor.split())


def _disputed(entry: Entry, **changes: str) -> Entry:
    because = {"because": None, "corrected_by": None, **changes}
    return revised(replace(entry, standing="disputed"), **because)


def _linked(
    desk: Desk, new: Entry, olds: Sequence[Entry], wrong: Sequence[Entry]
) -> Entry:
    """The new entry with the ids it corrects. Raises Refused, Usage."""
    here = desk.exact(new.id)
    for old in olds:
        if old.id == new.id:
            raise Refused(
                f"{old.id} says just that already", hint=f"hipogit show {old.id}"
            )
        if old.type == "feedback" and new.type != "feedback":
            raise Usage(
                f"{old.id} is feedback, which only feedback supersedes",
                hint="-t feedback -f rule=… -f why=… -f how-to-apply=…",
            )
    not_withdrawn(here)
    entry = here or new
    line = [*chain(entry), *(old.id for old in olds)]
    line += [id for old in olds for id in chain(old)]
    named = [*entry.get("corrects").split("+"), *(old.id for old in wrong)]
    return entry.with_meta(
        supersedes=chained([id for id in line if id != entry.id]),
        corrects=chained([id for id in named if is_id(id)]),
    )


def _adding(desk: Desk, entry: Entry) -> dict[str, str | None]:
    if desk.exact(entry.id):
        before = desk.exact(entry.id)
        if before != entry:
            desk.put(revised(entry))
        return {}
    nothing = Record("supersede", "")
    (step,) = memory.adding(desk.view, [entry], nothing) or []
    return dict(step.changes)


def _supersede(
    desk: Desk, old: Entry, new: Entry, now: datetime, who: Who, why: str
) -> None:
    """Withdraw one entry for another; tombstones that named it name the newest."""
    gone = tombstone(
        old, "superseded", now, actor=_name(who), reason=why, successor=new.id
    )
    desk.put(gone)
    for id in chain(old):
        earlier = desk.exact(id)
        if earlier and id != new.id and earlier.get("successor") == old.id:
            desk.put(repointed(earlier, new.id))


def _rivals(desk: Desk, entry: Entry) -> list[Entry]:
    """The standing entries that took the place of this one, or whose place it took."""
    ids = dict.fromkeys([entry.get("successor"), *chain(entry)])
    found = [desk.exact(id) for id in ids if id and id != entry.id]
    return [rival for rival in found if rival and not rival.withdrawn]


def _copies(
    desk: Desk,
    old: Entry,
    new: Sequence[Entry],
    who: Who,
    now: datetime,
    *,
    remove: bool,
) -> tuple[places.Copy, ...]:
    """Where else the withdrawn sentences stand; taken out of there when asked."""
    texts = places.withdrawn_claims(old, new)
    skip = [entry.id for entry in new]
    found = places.search(desk.view, texts, skip)
    if not remove or not found:
        return tuple(found)
    changes, entries = places.without(desk.view, texts, skip)
    desk.take(changes)
    for entry in entries:
        if entry.body.strip():
            desk.put(revised(entry))
        else:
            why = f"it repeated {old.id}"
            gone = tombstone(entry, "retracted", now, actor=_name(who), reason=why)
            desk.put(gone)
    return tuple(found)
