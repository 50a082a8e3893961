"""The chain raw -> daily -> weekly -> monthly -> ROOT, each level from the one below.

`compact` is pure: the same entries, stored texts, settings and date give the same
bytes, whether it starts from nothing or from the last tip. Given what was touched it
reads and rebuilds only what stands above that.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field, replace
from datetime import date, timedelta

from ..entry import Entry, render
from ..journal import Journal
from ..node import FORMAT, Node, Source, sources_of
from ..periods import Day, Month, Period, Week, parse_period
from ..view import View
from . import aliases, build, root, topics
from .extract import content_of
from .promote import promoted
from .settings import TreeSettings
from .summary import with_rules

_JOURNAL = re.compile(r"memory/(\d{4}-\d\d-\d\d)\.md")
_BELOW = re.compile(r"memory/(?:daily|weekly|monthly)/([\dW-]+)(?:\.md|/\d+\.md)")

_INDEXED = (topics.FOLDER, "memory/monthly/")
_GRACE = timedelta(days=7)
_TAIL = timedelta(days=3)
# After a longer pause listing what there is costs less than asking for each day.
_LOOK_AT_ALL = timedelta(days=400)


@dataclass(frozen=True, slots=True)
class Compaction:
    """What one run changes and what became of the nodes, by path."""

    as_of: date
    changes: dict[str, str | None] = field(default_factory=dict)
    rebuilt: tuple[str, ...] = ()
    # Periods that were fixed and changed all the same; the commit names them.
    reopened: tuple[str, ...] = ()
    fixed: tuple[str, ...] = ()
    # Nodes that want a better summary than the extractive one.
    pending: tuple[str, ...] = ()
    # Nodes that held somebody's edit, which their changed sources made obsolete.
    overwritten: tuple[str, ...] = ()


def compact(
    view: View,
    as_of: date,
    settings: TreeSettings | None = None,
    *,
    touched: Collection[str] | None = None,
    depth: int = 3,
) -> Compaction:
    """What must change so that the tree says what the journals say, as of a date.

    `touched` are the paths changed since the last compaction; None looks at all.
    """
    run = _Run(view, settings or TreeSettings(), as_of)
    before = root.last_updated(view)
    if before is not None:
        run.as_of = max(before, as_of)
    days, weeks, months = run.stale(before, touched)
    for day in sorted(days):
        run.daily(day)
    depth = min(depth, run.settings.max_depth - 1)
    if depth >= 1:
        for week in sorted(weeks | {d.week for d in days}):
            run.weekly(week)
        weeks |= {d.week for d in days}
    if depth >= 2:
        for month in sorted(months | {w.month for w in weeks}):
            run.monthly(month)
        months |= {w.month for w in weeks}
    if depth >= 3 and (days or before is not None):
        # Where somebody else changed an index file, or a month that it was made from,
        # what stands in it is nothing to build upon.
        torn = touched is None or any(p.startswith(_INDEXED) for p in touched)
        renamed = touched is not None and aliases.PATH in touched
        run.top(months, everything=torn, aged=before != run.as_of or renamed)
    return run.result()


class _Run:
    """One run: the view with what was rebuilt so far on top of it."""

    def __init__(self, view: View, settings: TreeSettings, as_of: date) -> None:
        self.view = view
        self.settings = settings
        self.as_of = as_of
        self.changes: dict[str, str | None] = {}
        self.reopened: list[str] = []
        self.fixed: list[str] = []
        self.pending: list[str] = []
        self.overwritten: list[str] = []

    def read(self, path: str) -> str | None:
        return self.changes[path] if path in self.changes else self.view.read(path)

    def blob(self, path: str) -> str | None:
        if path in self.changes:
            text = self.changes[path]
            return None if text is None else self.blob_of(text)
        return self.view.blob(path)

    def blob_of(self, text: str) -> str:
        """The id the repository's own hash gives a text."""
        found = self.view.with_changes({"-": text}).blob("-")
        return found or ""

    def node(self, path: str) -> Node | None:
        text = self.read(path)
        return None if text is None else Node.parse(text)

    # --- what to look at

    def stale(
        self, before: date | None, touched: Collection[str] | None
    ) -> tuple[set[Day], set[Week], set[Month]]:
        """The periods that may have changed; those above them follow by themselves."""
        days: set[Day] = set()
        weeks: set[Week] = set()
        months: set[Month] = set()
        far = before is not None and self.as_of - before > _LOOK_AT_ALL
        if touched is None or before is None or far:
            paths: Iterable[str] = self.view.paths("memory/")
        else:
            paths = touched
            self._aging(before, days, weeks, months)
        for path in paths:
            match = _JOURNAL.fullmatch(path) or _BELOW.fullmatch(path)
            period = parse_period(match[1]) if match else None
            if isinstance(period, Day):
                days.add(period)
            elif isinstance(period, Week):
                weeks.add(period)
            elif isinstance(period, Month):
                months.add(period)
        return days, weeks, months

    def _aging(
        self, before: date, days: set[Day], weeks: set[Week], months: set[Month]
    ) -> None:
        """The periods whose status turns between two dates."""
        day = before
        while day < self.as_of:
            days.add(Day(day))
            end = day - _GRACE
            if end.weekday() == 6:
                weeks.add(Day(end).week)
            # The last week of a month may end up to three days after it.
            for month in {_calendar_month(end), _calendar_month(end - _TAIL)}:
                if max(month.last, month.weeks[-1].last) == end:
                    months.add(month)
            day += timedelta(days=1)

    # --- the levels

    def daily(self, day: Day) -> None:
        text = self.read(day.journal)
        old = self.node(day.path)
        if text is None:
            self._drop(day, old)
            return
        journal = Journal.parse(day, text)
        short = short_ids(journal.entries)
        entries = [e for e in journal.entries if promoted(e)]
        entries.sort(key=lambda entry: entry.key)
        blob = self.blob(day.journal)
        if not entries:
            self._drop(day, old)
            return
        status = "fixed" if day.over(self.as_of) else "tentative"
        leaves = self._leaves(day, entries, short, status)
        self._sweep(day, old, len(leaves))
        if leaves:
            nodes = [node for _, node in leaves]
            # Few leaves stand one after the other, many are condensed.
            make = build.shortened
            if len(leaves) <= self.settings.fanout:
                make = build.joined
            node = make("daily", str(day), nodes, self.settings)
        else:
            node = build.of_entries(
                "daily", str(day), entries, day, short, self.settings
            )
        sources = [(day.journal, blob)]
        sources += ((path, self.blob(path)) for path, _ in leaves)
        self._put(day.path, replace(node, status=status, sources=sources_of(sources)))

    def _leaves(
        self, day: Day, entries: list[Entry], short: dict[str, str], status: str
    ) -> list[tuple[str, Node]]:
        """The leaves of a busy day by path; none when its entries fit into one."""
        size = max(self.settings.chunk_size, 1)
        if len(entries) <= size:
            return []
        made = []
        for number, start in enumerate(range(0, len(entries), size), 1):
            chunk = entries[start : start + size]
            label = f"{day}/{number:02}"
            # The chunk's own id, so that a leaf changes with its entries alone.
            blob = self.blob_of("\n".join(render(entry) for entry in chunk))
            name = f"{day.journal}#{start + 1}-{start + len(chunk)}"
            leaf = build.of_entries("leaf", label, chunk, day, short, self.settings)
            leaf = replace(leaf, status=status, sources=(Source(name, blob),))
            path = f"memory/daily/{label}.md"
            made.append((path, self._put(path, leaf)))
        return made

    def _sweep(self, day: Day, old: Node | None, leaves: int) -> None:
        """Takes away leaves that the day no longer has."""
        known = [s.path for s in old.sources] if old else []
        for path in known:
            match = re.fullmatch(rf"memory/daily/{day}/(\d+)\.md", path)
            if match and int(match[1]) > leaves and self.read(path) is not None:
                self.changes[path] = None

    def weekly(self, week: Week) -> None:
        status = "fixed" if week.over(self.as_of) else "tentative"
        self._above(week, [day.path for day in week.days], status)

    def monthly(self, month: Month) -> None:
        over = month.over(self.as_of) and all(w.over(self.as_of) for w in month.weeks)
        status = "fixed" if over else "tentative"
        self._above(month, [week.path for week in month.weeks], status)

    def _above(self, period: Week | Month, paths: list[str], status: str) -> None:
        """A week from its days or a month from its weeks."""
        children = [(path, node) for path in paths if (node := self.node(path))]
        if not children:
            self._drop(period, self.node(period.path))
            return
        nodes = [node for _, node in children]
        level = period.level
        node = build.joined(level, str(period), nodes, self.settings)
        covers = tuple(f"{n.period} {n.sum}" for n in nodes)
        node = replace(
            node,
            status=status,
            sources=sources_of((path, self.blob(path)) for path, _ in children),
            covers=covers,
        )
        self._put(period.path, node)

    def top(self, months: set[Month], *, everything: bool, aged: bool) -> None:
        """The topic shards, the rules, the list of months and ROOT."""
        changed = {m for m in months if m.path in self.changes}
        if not (everything or aged or changed):
            return
        now = self.view.with_changes(self.changes)
        update = topics.update(
            self.view, now, None if everything else changed, self.settings.allow
        )
        self._keep(update)
        now = self.view.with_changes(self.changes)
        self._put(root.PATH, root.build(now, self.as_of, self.settings))

    def _keep(self, update: dict[str, str | None]) -> None:
        for path, text in update.items():
            if self.read(path) != text:
                self.changes[path] = text

    # --- one node

    def _put(self, path: str, node: Node) -> Node:
        """Writes a node unless what stands there must stay; gives what then stands."""
        old_text = self.read(path)
        old = Node.parse(old_text) if old_text is not None else None
        node = node.sealed(self.settings.allow)
        if old is not None:
            node = self._settle(path, old, node)
        text = node.render()
        if node.needs_summarization:
            self.pending.append(path)
        if text == old_text or (old is not None and node is old):
            return node
        self.changes[path] = text
        if old is not None and old.status == "fixed":
            if old.sum != node.sum or node.status != "fixed":
                self.reopened.append(node.period)
        elif node.status == "fixed":
            self.fixed.append(path)
        return node

    def _settle(self, path: str, old: Node, new: Node) -> Node:
        """The computed node, or the given text where that is still about the same."""
        same = _basis(old) == _basis(new)
        if old.format != FORMAT and same:
            return old  # another version's spelling; re-formatting is a step of its own
        if same and (old.stored or old.edited):
            kept = replace(
                new,
                body=with_rules(old.body, content_of(new).rules),
                summary=old.summary,
                needs_summarization=False,
                dissolved=old.dissolved,
            )
            # An edit stays recognisable: its checksum is still that of our own text.
            return (
                replace(kept, checksum=old.checksum)
                if old.edited
                else kept.sealed(self.settings.allow)
            )
        if old.edited:
            self.overwritten.append(path)
        return new

    def _drop(self, period: Period, old: Node | None) -> None:
        """A period without anything to tell has no node."""
        if isinstance(period, Day):
            self._sweep(period, old, 0)
        if self.read(period.path) is None:
            return
        self.changes[period.path] = None
        if old is not None and old.status == "fixed":
            self.reopened.append(str(period))

    def result(self) -> Compaction:
        changes = {
            path: text
            for path, text in self.changes.items()
            if self.view.read(path) != text
        }
        return Compaction(
            as_of=self.as_of,
            changes=changes,
            rebuilt=tuple(sorted(changes)),
            reopened=tuple(self.reopened),
            fixed=tuple(self.fixed),
            pending=tuple(self.pending),
            overwritten=tuple(self.overwritten),
        )


def _calendar_month(day: date) -> Month:
    return Month(day.year, day.month)


def _basis(node: Node) -> tuple[str, ...]:
    """What a text was made from, apart from whether its sources are fixed by now."""
    if node.covers:
        return node.covers
    return tuple(s.blob for s in node.sources[:1])


def short_ids(entries: Iterable[Entry]) -> dict[str, str]:
    """The shortest prefix of each id that no other entry of the day shares."""
    ids = sorted({entry.id for entry in entries if entry.id})
    found = {}
    for number, id in enumerate(ids):
        end = 13  # the day, a dash and four characters
        for other in ids[max(number - 1, 0) : number] + ids[number + 1 : number + 2]:
            common = 0
            while common < min(len(id), len(other)) and id[common] == other[common]:
                common += 1
            end = max(end, common + 1)
        found[id] = id[:end]
    return found


def edited(view: View) -> list[str]:
    """The nodes whose text was changed by hand after it was written."""
    found = []
    for path in view.paths("memory/"):
        if _JOURNAL.fullmatch(path):
            continue
        node = Node.parse(view.read(path) or "")
        if node is not None and node.edited:
            found.append(path)
    return found
