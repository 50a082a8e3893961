"""The desk a correction is made on: entries changed on top of a view, then one commit.

Nothing here reads the clock or writes: `commit` hands a decision to `memory.write`,
which asks for it again when somebody else was faster.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import NamedTuple

from .. import gate, memory, resolve, waiting
from ..entry import Entry
from ..errors import HipogitError, NotSetUp, Refused, Usage
from ..journal import Journal
from ..periods import Day
from ..plumbing import decode
from ..record import Record
from ..store import Snapshot, Step, Store
from .copies import Copy


@dataclass(frozen=True, slots=True)
class Who:
    """Whose word a correction is; `via` is `tty`, `pipe`, `hook` or `mcp`."""

    actor: str = ""
    session: str = ""
    source: str = "cli"
    via: str = "pipe"
    code: str = ""

    def record(self, action: str, subject: str, ids: Sequence[str], why: str) -> Record:
        """What the commit says, gated."""
        return Record(
            action,
            subject,
            tuple(ids),
            session=gate.clean(self.session).text,
            source=gate.clean(self.source).text,
            actor=gate.clean(self.actor).text,
            code=self.code,
            reason=why,
            via=self.via,
        )

    def person(self, command: str) -> None:
        """Raise where this cannot be a person's word: a tool call never is."""
        if self.via == "mcp":
            raise Refused(
                "a tool call cannot confirm: that is a person's word",
                hint=f"a person runs: {command}",
            )
        if self.via != "tty" and not self.actor:
            raise Usage(
                "nobody is at a terminal here, so whose word it is must be said",
                hint=f"{command} --as NAME",
            )


class Corrected(NamedTuple):
    """A correction that is in: its commit, the entry it is about as it stands now.

    `rebuilt` are the summaries made anew with it, `copies` places that say the same in
    the same words (gone when `removed`), `saved` edits that lay in the view's way,
    `behind` the view where it cannot be written and still shows what stood before.
    `commit` is None while it waits in the spool, and `problem` says why.
    """

    commit: str | None
    entry: Entry
    rebuilt: tuple[str, ...] = ()
    copies: tuple[Copy, ...] = ()
    removed: bool = False
    saved: tuple[str, ...] = ()
    made: tuple[Entry, ...] = ()
    problem: str = ""
    behind: str = ""


class Asks(Refused):
    """Two entries cannot both hold; `rivals` are those that stand now."""

    def __init__(
        self, sentence: str, *, hint: str = "", rivals: Sequence[str] = ()
    ) -> None:
        super().__init__(sentence, hint=hint)
        self.rivals = tuple(rivals)


class Desk:
    """A view with entries changed on top; `changes` is what a commit would hold.

    `touched` are the ids of all entries put down, which the commit has to name.
    """

    def __init__(self, view: Snapshot) -> None:
        if view.tip is None:
            raise NotSetUp.no_branch()
        self.view = view
        self.tip = view.tip
        self.changes: dict[str, str | None] = {}
        self.touched: list[str] = []

    def take(self, changes: dict[str, str | None]) -> None:
        """Lay more changes on top."""
        self.changes.update(changes)
        self.view = self.view.with_changes(changes)

    def find(self, ref: str) -> Entry:
        """The entry an id prefix names. Raises Usage."""
        return resolve.entry(self.view, ref).entry

    def exact(self, id: str) -> Entry | None:
        """The entry of that id, or None."""
        found = resolve.exact(self.view, id)
        return found.entry if found else None

    def put(self, entry: Entry) -> None:
        """Put an entry in place of the one with its id."""
        assert entry.day is not None
        self.touched.append(entry.id)
        day = Day(entry.day)
        journal = Journal.parse(day, self.view.read(day.journal) or "")
        self.take({day.journal: journal.replace(entry).render()})


class Plan(NamedTuple):
    """What a decision came to; `record` None when there is nothing to write."""

    desk: Desk
    record: Record | None
    entry: Entry
    copies: tuple[Copy, ...] = ()
    removed: bool = False
    made: tuple[Entry, ...] = ()


def commit(
    store: Store,
    decide: Callable[[Desk], Plan],
    now: datetime,
    later: Mapping[str, object] | None = None,
) -> Corrected:
    """Make the one commit a decision asks for, summaries and all.

    Where that is impossible, `later` is kept in the spool; without it that raises.
    """
    last: list[Plan] = []

    def steps(snapshot: Snapshot) -> list[Step] | None:
        plan = decide(Desk(snapshot))
        last[:] = [plan]
        if plan.record is None:
            return None
        ids = dict.fromkeys([*plan.record.entries, *plan.desk.touched])
        record = replace(plan.record, entries=tuple(ids))
        return [Step(plan.desk.changes, record)]

    try:
        written = memory.write(store, steps, now, merged=True)
    except (NotSetUp, Refused, Usage):
        raise
    except HipogitError as problem:
        if later is None:
            raise
        return _waits(store, decide, now, later, problem)
    (plan,) = last
    if written is None:
        return Corrected(plan.desk.tip, plan.entry, made=plan.made)
    view = store.view
    stuck = view is not None and view.present and not written.view_current
    return Corrected(
        written.tip,
        plan.entry,
        _summaries(store, written.before or "", written.tip),
        plan.copies,
        plan.removed,
        written.saved,
        plan.made,
        behind=str(view.path) if view and stuck else "",
    )


def foreseen(store: Store, tip: Snapshot, now: datetime) -> Snapshot:
    """The branch with the entries that wait laid over it: they can be corrected, too.

    Corrections that wait are not made here: they are judged when they are.
    """
    if not any(spool.items() for spool in store.spools):
        return tip
    clean = memory.cleaned
    for item in waiting.items(store, now, lambda text: clean(store, text).text):
        for step in memory.adding(tip, item.entries, item.record) or ():
            tip = tip.with_changes(step.changes)
    return tip


def _waits(
    store: Store,
    decide: Callable[[Desk], Plan],
    now: datetime,
    later: Mapping[str, object],
    problem: HipogitError,
) -> Corrected:
    # What would be refused is refused now: nobody is there to see it later.
    with store.snapshot() as tip:
        plan = decide(Desk(foreseen(store, tip, now)))
    if plan.record:
        waiting.put(store, plan.made, plan.record, later)
    store.ledger.note(
        now.isoformat(),
        str(later.get("verb")),
        f"a correction waits in the spool: {problem.sentence}",
        "hipogit status",
    )
    return Corrected(None, plan.entry, made=plan.made, problem=problem.sentence)


def _summaries(store: Store, old: str, new: str) -> tuple[str, ...]:
    """The summaries that differ between two commits."""
    out = store.git.run("diff-tree", "-r", "-z", "--name-only", old, new)
    return tuple(path for path in decode(out).split("\0") if resolve.is_summary(path))


def withdrawn_text(entry: Entry) -> str:
    """How an error speaks of an entry that does not stand."""
    successor = entry.get("successor")
    return f"{entry.standing} by {successor}" if successor else entry.standing


def gated(reason: str) -> str:
    """A reason fit to be stored, on one line."""
    return " ".join(gate.clean(reason).text.split())


def not_withdrawn(entry: Entry | None) -> None:
    """Raises Refused for an entry that would only be said again."""
    if entry is not None and entry.withdrawn:
        raise Refused(
            f"{entry.id} says just that and was {withdrawn_text(entry)}",
            hint=f"hipogit restore {entry.id}",
        )
