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
from . import root, topics
from .extract import content_of, items_of
from .mention import mention_of, merged, pack, unpack
from .promote import KEPT_WHOLE, promoted, shrink
from .settings import TreeSettings
from .summary import summarise

_JOURNAL = re.compile(r"memory/(\d{4}-\d\d-\d\d)\.md")
_BELOW = re.compile(r"memory/(?:daily|weekly|monthly)/([\dW-]+)(?:\.md|/\d+\.md)")

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
        run.top(months, everything=touched is None, aged=before != run.as_of)
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
        size = max(self.settings.chunk_size, 1)
        chunks = (
            [entries[n : n + size] for n in range(0, len(entries), size)]
            if len(entries) > size
            else []
        )
        made = []
        for number, chunk in enumerate(chunks):
            path = f"memory/daily/{day}/{number + 1:02}.md"
            first = number * size + 1
            raw = "\n".join(render(entry) for entry in chunk)
            name = f"{day.journal}#{first}-{first + len(chunk) - 1}"
            leaf = self._of_entries("leaf", f"{day}/{number + 1:02}", chunk, day, short)
            leaf = replace(
                leaf, status=status, sources=(Source(name, self.blob_of(raw)),)
            )
            made.append((path, self._put(path, leaf, leaf.sources[0].blob)))
        self._sweep(day, old, len(chunks))
        if made:
            node = self._joined("daily", str(day), [n for _, n in made], day.journal)
            if len(made) > self.settings.fanout and node.summary == "verbatim":
                node = self._shortened("daily", str(day), [n for _, n in made])
        else:
            node = self._of_entries("daily", str(day), entries, day, short)
        sources = [(day.journal, blob), *((path, self.blob(path)) for path, _ in made)]
        node = replace(node, status=status, sources=sources_of(sources))
        self._put(day.path, node, blob or "")

    def _of_entries(
        self,
        level: str,
        title: str,
        entries: list[Entry],
        day: Day,
        short: dict[str, str],
    ) -> Node:
        """A node made straight from entries: in full when they fit, else in extract."""
        shown = [
            entry
            if entry.type in KEPT_WHOLE
            else replace(entry, body=shrink(entry.body, day.journal))
            for entry in entries
        ]
        cited = [short.get(entry.id, str(day)) for entry in shown]
        mentions = merged(
            mention_of(entry, str(day), id)
            for entry, id in zip(shown, cited, strict=True)
        )
        names, rows = pack(mentions)
        body = f"# {title}\n\n" + "\n".join(render(entry) for entry in shown)
        summary = "verbatim"
        if not self.settings.fits(level, body):
            items = [
                item
                for entry, id in zip(shown, cited, strict=True)
                if entry.type not in KEPT_WHOLE
                for item in items_of(entry, id)
            ]
            rules = [entry for entry in shown if entry.type in KEPT_WHOLE]
            body = summarise(
                title, level, self.settings.room(level), items, mentions, rules
            )
            summary = "extractive"
        return Node(
            type=level,
            status="",
            period=title,
            body=body,
            topics=names,
            mentions=rows,
            entries=len(shown),
            summary=summary,
            needs_summarization=summary != "verbatim",
        )

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
        node = self._joined(level, str(period), nodes)
        covers = tuple(f"{n.period} {n.sum}" for n in nodes)
        node = replace(
            node,
            status=status,
            sources=sources_of((path, self.blob(path)) for path, _ in children),
            covers=covers,
        )
        self._put(period.path, node, "")

    def _joined(
        self, level: str, title: str, nodes: list[Node], journal: str = ""
    ) -> Node:
        """The children one after the other when that fits, else an extract of them."""
        body = f"# {title}\n\n" + "\n\n".join(node.body for node in nodes)
        if not self.settings.fits(level, body):
            return self._shortened(level, title, nodes)
        mentions = merged(m for n in nodes for m in unpack(n.topics, n.mentions))
        names, rows = pack(mentions)
        return Node(
            type=level,
            status="",
            period=title,
            body=body,
            topics=names,
            mentions=rows,
            entries=sum(node.entries for node in nodes),
            needs_summarization=any(node.needs_summarization for node in nodes)
            and level == "daily",
        )

    def _shortened(self, level: str, title: str, nodes: list[Node]) -> Node:
        mentions = merged(m for n in nodes for m in unpack(n.topics, n.mentions))
        names, rows = pack(mentions)
        contents = [content_of(node) for node in nodes]
        body = summarise(
            title,
            level,
            self.settings.room(level),
            [item for content in contents for item in content.items],
            mentions,
            [rule for content in contents for rule in content.rules],
        )
        return Node(
            type=level,
            status="",
            period=title,
            body=body,
            topics=names,
            mentions=rows,
            entries=sum(node.entries for node in nodes),
            summary="extractive",
            needs_summarization=True,
        )

    def top(self, months: set[Month], *, everything: bool, aged: bool) -> None:
        """The topic shards, the rules, the list of months and ROOT."""
        changed = {m for m in months if m.path in self.changes}
        if not (everything or aged or changed):
            return
        now = self.view.with_changes(self.changes)
        update = topics.update(self.view, now, None if everything else changed)
        self._keep(update)
        now = self.view.with_changes(self.changes)
        self._put(root.PATH, root.build(now, self.as_of, self.settings), "")

    def _keep(self, update: dict[str, str | None]) -> None:
        for path, text in update.items():
            if self.read(path) != text:
                self.changes[path] = text

    # --- one node

    def _put(self, path: str, node: Node, blob: str) -> Node:
        """Writes a node unless what stands there must stay; gives what then stands."""
        old_text = self.read(path)
        old = Node.parse(old_text) if old_text is not None else None
        node = node.sealed()
        if old is not None:
            node = self._settle(path, old, node, blob)
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

    def _settle(self, path: str, old: Node, new: Node, blob: str) -> Node:
        """The computed node, or the given text where that is still about the same."""
        same = _basis(old, blob) == _basis(new, blob)
        if old.format != FORMAT and same:
            return old  # another version's spelling; re-formatting is a step of its own
        if same and (old.stored or old.edited):
            kept = replace(
                new,
                body=old.body,
                summary=old.summary,
                needs_summarization=False,
                dissolved=old.dissolved,
            )
            # An edit stays recognisable: its checksum is still that of our own text.
            return replace(kept, checksum=old.checksum) if old.edited else kept.sealed()
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


def _basis(node: Node, blob: str) -> tuple[str, ...]:
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
