"""The topic index: shards by hash of the topic key, the rules, the list of months.

A shard holds, for each topic, its newest mention and one line more for every earlier
month it came up in, so that taking a month's mentions away brings the one before back.
`index.md` has a line for each month and the number of topics in each shard: what ROOT
needs of old months without reading them.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..entry import Entry, render, topic_key
from ..journal import Journal
from ..node import Node, sources_of
from ..periods import Month, day, journal_day, parse_period
from ..view import View
from . import aliases, extract
from .mention import Mention, name_of, read_tiers, unpack
from .promote import KEPT_WHOLE, promoted
from .themes import ranked

if TYPE_CHECKING:
    from ..gate.seam import Allow

FOLDER = "memory/topics/"
INDEX = "memory/topics/index.md"
RULES = "memory/topics/rules.md"
_SHARDS = 64
_MONTH_LINE = 400

_LINE = re.compile(
    r"(?P<name>.*) \[(?P<type>project|feedback|user|reference), "
    r"(?P<day>\d{4}-\d\d-\d\d)(?:, x(?P<count>\d+))?"
    r"(?P<done>, done)?(?P<heard>, heard)?\]"
    r"(?:: (?P<words>[^()\[\]]*?))?(?: \((?P<ids>[\da-z -]+)\))?"
)


def shard_of(topic: str) -> str:
    """The file that knows a topic."""
    digest = hashlib.sha256(topic_key(topic).encode("utf-8", "surrogateescape"))
    return f"{FOLDER}{digest.digest()[0] % _SHARDS:02x}.md"


def months_of(view: View) -> dict[Month, Node]:
    """The months the tree knows, oldest first."""
    found = {}
    for path in view.paths("memory/monthly/"):
        period = parse_period(path[len("memory/monthly/") : -len(".md")])
        node = Node.parse(view.read(path) or "")
        if isinstance(period, Month) and node is not None:
            found[period] = node
    return dict(sorted(found.items()))


def mentions_of(node: Node | None) -> tuple[Mention, ...]:
    """The mentions a node's front matter holds."""
    return unpack(node.topics, node.mentions) if node else ()


def lookup(view: View, topic: str) -> Mention | None:
    """The newest mention of a topic, whichever way it is spelt or called."""
    found = named(view, topic)
    return max(found, key=lambda m: m.day) if found else None


def named(view: View, topic: str) -> list[Mention]:
    """The newest mention under each name of a topic; reads one file for each name."""
    found = []
    for key in aliases.read(view).keys(topic):
        rows = _Shard.parse(view.read(shard_of(key)) or "").rows.get(key)
        if rows:
            found.append(max(rows.values(), key=lambda m: m.day))
    return found


def all_topics(view: View) -> list[Mention]:
    """The newest mention of every topic in the shards, by key."""
    found = []
    for path in view.paths(FOLDER):
        if path not in (INDEX, RULES):
            shard = _Shard.parse(view.read(path) or "")
            found += [shard.newest(key) for key in shard.rows]
    return sorted(found, key=lambda mention: mention.key)


def rules_of(view: View) -> list[Entry]:
    """Every rule and fact about the user, newest first."""
    node = Node.parse(view.read(RULES) or "")
    return list(extract.read(node.body).entries) if node else []


def index_recall(view: View, said: Iterable[Entry] | None = None) -> tuple[int, int]:
    """How many topics of the journals ROOT and the shards know, of how many.

    `said` are the entries of the journals, where somebody parsed them before.
    """
    if said is None:
        said = (
            entry
            for path in view.paths("memory/")
            if (named := journal_day(path))
            for entry in Journal.parse(named, view.read(path) or "").entries
        )
    known = {mention.key for mention in all_topics(view)}
    wanted = {topic_key(name_of(entry)) for entry in said if promoted(entry)}
    return len(wanted & known), len(wanted)


# --- updating


def update(
    before: View,
    now: View,
    months: Collection[Month] | None,
    allow: Allow | None = None,
) -> dict[str, str | None]:
    """The index files after some months changed, or, by None, made from all of them."""
    if months is None:
        return _afresh(now, allow)
    changes: dict[str, str | None] = {}
    index = Index.parse(now.read(INDEX) or "")
    gone: dict[str, list[tuple[str, str]]] = {}
    fresh: dict[str, list[tuple[str, Mention]]] = {}
    rules_gone: set[str] = set()
    rules_new: list[Entry] = []
    for month in sorted(months):
        label = str(month)
        old, new = _node(before, month), _node(now, month)
        was, is_ = _by_key(mentions_of(old)), _by_key(mentions_of(new))
        for key in was.keys() | is_.keys():
            if was.get(key) == is_.get(key):
                continue
            path = shard_of(key)
            gone.setdefault(path, []).append((key, label))
            if key in is_:
                fresh.setdefault(path, []).append((label, is_[key]))
        had, has = _rules(old), _rules(new)
        if had != has:
            rules_gone |= {rule.id for rule in had}
            rules_new += has
        index.set_month(month, new, now.blob(month.path))
    for path in sorted(gone):
        shard = _Shard.parse(now.read(path) or "")
        for key, label in gone[path]:
            shard.remove(key, label)
        for label, mention in fresh.get(path, []):
            shard.add(label, mention)
        changes[path] = shard.render(path, allow)
        index.counts[path] = len(shard.rows)
    if rules_gone or rules_new:
        kept = [rule for rule in rules_of(now) if rule.id not in rules_gone]
        changes[RULES] = _render_rules([*kept, *rules_new], allow)
        index.rules = len(kept) + len(rules_new)
    changes[INDEX] = index.render(allow)
    return changes


def _afresh(view: View, allow: Allow | None) -> dict[str, str | None]:
    changes: dict[str, str | None] = dict.fromkeys(view.paths(FOLDER))
    index = Index()
    shards: dict[str, _Shard] = {}
    rules: list[Entry] = []
    for month, node in months_of(view).items():
        for mention in _by_key(mentions_of(node)).values():
            shards.setdefault(shard_of(mention.name), _Shard()).add(str(month), mention)
        rules += _rules(node)
        index.set_month(month, node, view.blob(month.path))
    for path, shard in shards.items():
        changes[path] = shard.render(path, allow)
        index.counts[path] = len(shard.rows)
    index.rules = len(rules)
    changes[RULES] = _render_rules(rules, allow)
    changes[INDEX] = index.render(allow)
    return changes


def _node(view: View, month: Month) -> Node | None:
    text = view.read(month.path)
    return None if text is None else Node.parse(text)


def _by_key(mentions: Iterable[Mention]) -> dict[str, Mention]:
    """A month's mentions, one for each topic: the newest, counting all."""
    found: dict[str, Mention] = {}
    for mention in mentions:
        earlier = found.get(mention.key)
        found[mention.key] = earlier.joined(mention) if earlier else mention
    return found


def _rules(node: Node | None) -> list[Entry]:
    if node is None:
        return []
    return [e for e in extract.read(node.body).entries if e.type in KEPT_WHOLE]


def _render_rules(rules: list[Entry], allow: Allow | None) -> str | None:
    if not rules:
        return None
    newest_first = sorted(rules, key=lambda rule: rule.key, reverse=True)
    body = "# Rules\n\n" + "\n".join(render(rule) for rule in newest_first)
    return (
        Node(type="rules", status="", period="", body=body, entries=len(rules))
        .sealed(allow)
        .render()
    )


class _Shard:
    """The topics of one shard: key -> month -> mention."""

    def __init__(self) -> None:
        self.rows: dict[str, dict[str, Mention]] = {}

    @classmethod
    def parse(cls, text: str) -> _Shard:
        shard = cls()
        for line in text.partition("\n---\n")[2].split("\n"):
            line = line.lstrip()
            if line.startswith("- ") and (mention := read_line(line[2:])):
                shard.add(month_label(mention.day), mention)
        return shard

    def add(self, month: str, mention: Mention) -> None:
        self.rows.setdefault(mention.key, {})[month] = mention

    def remove(self, key: str, month: str) -> None:
        row = self.rows.get(key, {})
        row.pop(month, None)
        if not row:
            self.rows.pop(key, None)

    def newest(self, key: str) -> Mention:
        return max(self.rows[key].items())[1]

    def render(self, path: str, allow: Allow | None) -> str | None:
        if not self.rows:
            return None
        lines = [f"# Topics {path[len(FOLDER) : -len('.md')]}\n"]
        for key in sorted(self.rows):
            newest, *earlier = sorted(self.rows[key].items(), reverse=True)
            lines.append(f"- {write_line(newest[1])}")
            lines += (f"  - {write_line(mention)}" for _, mention in earlier)
        node = Node(
            type="topics",
            status="",
            period="",
            body="\n".join(lines),
            entries=len(self.rows),
        )
        return node.sealed(allow).render()


def month_label(day_label: str) -> str:
    """The month of the tree that a day belongs to: that of its week's Thursday."""
    return str(day(day_label).week.month)


def write_line(mention: Mention) -> str:
    """A mention as a line with its absolute date."""
    text = f"{mention.name} [{mention.type}, {mention.day}"
    if mention.count != 1:
        text += f", x{mention.count}"
    text += ", done" if mention.done else ""
    text += ", heard]" if mention.heard else "]"
    if words := "; ".join(" ".join(tier) for tier in mention.tiers).rstrip("; "):
        text += f": {words}"
    if mention.ids:
        text += f" ({' '.join(mention.ids)})"
    return text


def read_line(line: str) -> Mention | None:
    """The mention a line of a shard tells."""
    match = _LINE.fullmatch(line)
    if match is None:
        return None
    return Mention(
        name=match["name"],
        type=match["type"],
        day=match["day"],
        ids=tuple((match["ids"] or "").split()),
        count=int(match["count"] or 1),
        done=match["done"] is not None,
        heard=match["heard"] is not None,
        tiers=read_tiers(match["words"] or ""),
    )


_MONTH_ROW = re.compile(r"- (\d{4}-\d\d) x(\d+): (.*) \(([\d-]+)\)")
_COUNT_ROW = re.compile(r"- (memory/topics/\S+): (\d+) topics")
_RULES_ROW = re.compile(r"- memory/topics/rules\.md: (\d+) rules")


@dataclass(slots=True)
class _MonthLine:
    entries: int
    words: list[str]
    blob: str


class Index:
    """A line for each month and how many topics each shard holds."""

    def __init__(self) -> None:
        self.months: dict[str, _MonthLine] = {}
        self.counts: Counter[str] = Counter()
        self.rules = 0

    @property
    def total(self) -> int:
        """How many topics there are."""
        return sum(self.counts.values())

    def set_month(self, month: Month, node: Node | None, blob: str | None) -> None:
        if node is None:
            self.months.pop(str(month), None)
            return
        words, used = [], 40
        for word in ranked(mentions_of(node)):
            used += len(word.encode("utf-8", "surrogateescape")) + 1
            if used > _MONTH_LINE:
                break
            words.append(word)
        self.months[str(month)] = _MonthLine(node.entries, words, blob or "")

    @classmethod
    def parse(cls, text: str) -> Index:
        index = cls()
        node = Node.parse(text)
        if node is None:
            return index
        blobs = {s.path: s.blob for s in node.sources}
        for line in node.body.split("\n"):
            if match := _MONTH_ROW.fullmatch(line):
                index.months[match[1]] = _MonthLine(
                    int(match[2]),
                    match[3].split(),
                    blobs.get(f"memory/monthly/{match[1]}.md", ""),
                )
            elif match := _COUNT_ROW.fullmatch(line):
                index.counts[match[1]] = int(match[2])
            elif match := _RULES_ROW.fullmatch(line):
                index.rules = int(match[1])
        return index

    def render(self, allow: Allow | None) -> str | None:
        if not self.months:
            return None
        lines = ["# Months and topics\n", "## Months\n"]
        for label, month in sorted(self.months.items()):
            words = " ".join(month.words) or "-"
            lines.append(f"- {label} x{month.entries}: {words} ({label})")
        lines.append("\n## Files\n")
        if self.rules:
            lines.append(f"- {RULES}: {self.rules} rules")
        lines += (
            f"- {path}: {count} topics"
            for path, count in sorted(self.counts.items())
            if count
        )
        node = Node(
            type="index",
            status="",
            period="",
            body="\n".join(lines),
            sources=sources_of(
                (f"memory/monthly/{label}.md", month.blob)
                for label, month in sorted(self.months.items())
            ),
            entries=self.total,
        )
        return node.sealed(allow).render()
