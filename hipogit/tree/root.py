"""ROOT: the one page an agent reads first, so that it knows what it knows.

Five sections within a budget: Rules, Active Context, Recent Patterns, Historical
Summary, Topics Index. Made from the newest months, the lines kept of earlier ones and,
while they are few, the topic shards; never from the rest of history.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from datetime import date, timedelta
from typing import NamedTuple

from ..entry import Entry, topic_key
from ..node import Node, sources_of
from ..periods import Month, parse_period
from ..view import View
from . import aliases, history, topics
from .extract import Item, cite, clip, content_of
from .mention import Mention
from .promote import KEPT_WHOLE
from .settings import TreeSettings, size
from .themes import Spread

PATH = "memory/ROOT.md"

# How many months, newest first, ROOT reads in full.
_MONTHS = 4
# While there are no more topics than this, ROOT considers every one of them.
_FEW_TOPICS = 200

_RULES_SHARE = 0.30
_ACTIVE_SHARE = 0.08
_PATTERN_SHARE = 0.03
# Historical Summary shrinks first, but not below this share of what is left: the
# first where topics have names, the second where all are keywords of captured talk
# and the lines of days already say what the index would.
_HISTORY_FLOOR = (0.5, 0.93)
_RULE_BYTES = 400
_TOPIC_BYTES = 160


def last_updated(view: View) -> date | None:
    """The date the tree was last built as of, None before the first time."""
    node = Node.parse(view.read(PATH) or "")
    try:
        return date.fromisoformat(node.last_updated) if node else None
    except ValueError:
        return None


def build(view: View, as_of: date, settings: TreeSettings) -> Node:
    """ROOT as of a date."""
    index = topics.Index.parse(view.read(topics.INDEX) or "")
    labels = sorted(index.months, reverse=True)[:_MONTHS]
    nodes = {label: _month(view, label) for label in reversed(labels)}
    mentions = [m for node in nodes.values() for m in topics.mentions_of(node)]
    blob = view.blob(topics.INDEX)
    node = Node(
        type="root",
        status="tentative",
        period="ROOT",
        last_updated=as_of.isoformat(),
        sources=sources_of([(topics.INDEX, blob)]),
        entries=sum(month.entries for month in index.months.values()),
        body="",
        summary="extractive",
    )
    budget = settings.root_tokens * 4
    # Two bytes for each heading's blank line and the checksum's own line.
    left = budget - size(node.sealed(settings.allow).render()) - 2
    parts = ["# ROOT\n"]
    left -= size(parts[0]) + sum(len(title) + 6 for title in _TITLES)

    rules = _rules(topics.rules_of(view), int(budget * _RULES_SHARE))
    left -= _size(rules)
    active_days = _active_days(mentions, settings.active_days)
    items = _items(nodes.values())
    now = _active(mentions, items, active_days, int(budget * _ACTIVE_SHARE))
    active = list(now.values())
    left -= _size(active)
    patterns = _patterns(mentions, items, int(budget * _PATTERN_SHARE))
    left -= _size(patterns)

    known = topics.all_topics(view) if index.total <= _FEW_TOPICS else mentions
    names = aliases.read(view)
    lines = _topic_lines(known, names, as_of, settings)
    # Names of one topic share a line.
    total = index.total - len({m.key for m in known}) + len(lines)
    wanted = _size(lines)
    source = history.History(
        mentions,
        _told(mentions, items, set(now)),
        _closed(index, labels),
        Spread(mentions),
    )
    low, high = _HISTORY_FLOOR
    floor = low + (high - low) * sum(m.heard for m in known) / max(len(known), 1)
    full = source.lines(max(left - wanted, 0))
    if full is None or wanted + _size(full) > left:
        past = source.lines(max(left - wanted, int(left * floor))) or []
    else:
        past = full
    left -= _size(past)
    shown = _fitting(lines, left, total)

    for title, section in zip(
        _TITLES, (rules, active, patterns, past, shown), strict=True
    ):
        if section:
            parts.append(f"## {title}\n" + "".join(f"{line}\n" for line in section))
    if len(parts) == 1:
        parts.append("Nothing is remembered yet.\n")
    body = "\n".join(parts)
    return Node(
        type="root",
        status="tentative",
        period="ROOT",
        last_updated=as_of.isoformat(),
        sources=node.sources,
        entries=node.entries,
        body=body,
        summary="extractive",
    )


_TITLES = (
    "Rules",
    "Active Context",
    "Recent Patterns",
    "Historical Summary",
    "Topics Index",
)


def _month(view: View, label: str) -> Node | None:
    period = parse_period(label)
    if not isinstance(period, Month):
        return None
    text = view.read(period.path)
    return None if text is None else Node.parse(text)


def _closed(index: topics.Index, recent: list[str]) -> dict[str, list[str]]:
    return {
        label: month.words
        for label, month in sorted(index.months.items())
        if label not in recent
    }


def _size(lines: list[str]) -> int:
    return sum(size(line) + 1 for line in lines)


# --- Rules


def _rules(rules: list[Entry], room: int) -> list[str]:
    """The newest and the most repeated rules in turn, and where the others are."""
    if not rules:
        return []
    said = Counter(topic_key(rule.topic) for rule in rules)
    seen: set[str] = set()
    newest = []
    for rule in rules:
        key = topic_key(rule.topic)
        # Of one rule said twice the newest saying stands here; both are in the file.
        if key not in seen:
            seen.add(key)
            newest.append(rule)
    often = sorted(
        (rule for rule in newest if said[topic_key(rule.topic)] > 1),
        key=lambda rule: -said[topic_key(rule.topic)],
    )
    order: dict[str, Entry] = {}
    for number, rule in enumerate(newest):
        order.setdefault(rule.id or rule.topic, rule)
        if number < len(often):
            order.setdefault(often[number].id or often[number].topic, often[number])
    more = f"- {len(rules)} more in {topics.RULES}"
    left = room - size(more) - 1
    lines = []
    for rule in order.values():
        line = _rule_line(rule)
        if size(line) + 1 > left:
            break
        lines.append(line)
        left -= size(line) + 1
    hidden = len(rules) - len(lines)
    if hidden:
        lines.append(f"- {hidden} more in {topics.RULES}")
    return lines


def _rule_line(rule: Entry) -> str:
    said = "; ".join(
        line.strip().removeprefix("- ")
        for line in rule.body.split("\n")
        if line.strip()
    )
    mark = " (disputed)" if rule.standing == "disputed" else ""
    text = f"{rule.topic} [{rule.type}]{mark}: {said}"
    return f"- {cite(text, [rule.id] if rule.id else [], _RULE_BYTES)}"


# --- Active Context and Recent Patterns


def _active_days(mentions: list[Mention], days: int) -> set[str]:
    """The days up to the newest entry that count as now."""
    newest = max((m.day for m in mentions), default="")
    if not newest:
        return set()
    last = date.fromisoformat(newest)
    return {(last - timedelta(days=n)).isoformat() for n in range(days)}


def _items(nodes: Iterable[Node | None]) -> dict[str, list[Item]]:
    """What the newest months say, by day."""
    found: dict[str, list[Item]] = {}
    for node in nodes:
        for item in content_of(node).items if node else ():
            found.setdefault(item.day, []).append(item)
    return found


class _Line(NamedTuple):
    """A sentence about a topic, its worth, and the entry that says it."""

    text: str
    worth: float
    ids: tuple[str, ...]


def _said(mention: Mention, items: dict[str, list[Item]]) -> _Line:
    """The most telling line of the newest entry about a topic on a day, else words."""
    here = items.get(mention.day, [])
    for id in mention.ids:
        about = [item for item in here if id in item.ids]
        if about:
            best = max(about, key=lambda item: item.worth)
            return _Line(f"{mention.name}: {best.text}", best.worth, (id,))
    words = " ".join(mention.words[:12])
    return _Line(f"{mention.name}: {words}", 0.0, mention.ids[:1])


def _told(
    mentions: list[Mention], items: dict[str, list[Item]], shown: set[Mention]
) -> dict[str, list[str]]:
    """By day, a sentence for each topic that has a name and is not in sight already."""
    found: dict[str, list[tuple[float, str]]] = {}
    for mention in mentions:
        named = not mention.heard and mention.type == "project"
        if named and mention not in shown:
            said = _said(mention, items)
            found.setdefault(mention.day, []).append((said.worth, said.text))
    return {
        day: [said for _, said in sorted(lines, key=lambda line: -line[0])]
        for day, lines in found.items()
    }


def _active(
    mentions: list[Mention], items: dict[str, list[Item]], days: set[str], room: int
) -> dict[Mention, str]:
    """What is going on: the last days' topics that are not done, newest first."""
    done = {m.key: m.day for m in mentions if m.done}
    lines: dict[Mention, str] = {}
    recent = [m for m in mentions if m.day in days]
    for mention in sorted(recent, key=lambda m: m.day, reverse=True):
        if mention.type in KEPT_WHOLE or done.get(mention.key, "") >= mention.day:
            continue
        said = _said(mention, items)
        line = f"- {cite(f'{mention.day} {said.text}', said.ids, 240)}"
        room -= size(line) + 1
        if room < 0:
            break
        lines[mention] = line
    return lines


def _patterns(
    mentions: list[Mention], items: dict[str, list[Item]], room: int
) -> list[str]:
    """The newest lessons, then topics that came up on three days or more."""
    lines: list[str] = []
    lessons = [i for d in sorted(items, reverse=True) for i in items[d]]
    for item in lessons:
        if item.kind == "lessons":
            lines.append(f"- {cite(clip(item.text, 200), item.ids[:2], 240)}")
    days: dict[str, list[Mention]] = {}
    for mention in mentions:
        days.setdefault(mention.key, []).append(mention)
    often = sorted(
        (found for found in days.values() if len(found) > 2),
        key=lambda found: (-len(found), found[-1].key),
    )
    for found in often[:8]:
        last = found[-1]
        text = f"{last.name}: on {len(found)} days"
        lines.append(f"- {cite(text, last.ids[:1], 200)}")
    kept = []
    for line in lines:
        room -= size(line) + 1
        if room < 0:
            break
        kept.append(line)
    return kept


# --- Topics Index


def _topic_lines(
    mentions: list[Mention], names: aliases.Aliases, as_of: date, settings: TreeSettings
) -> list[str]:
    """A line for each topic: user and feedback, then live ones, then the others."""
    newest: dict[str, Mention] = {}
    for mention in sorted(mentions, key=lambda m: m.day):
        newest[names.key(mention.key)] = mention
    old = (as_of - timedelta(days=settings.project_days)).isoformat()
    ranked = sorted(newest.values(), key=lambda m: m.key)
    ranked.sort(key=lambda m: m.day, reverse=True)
    ranked.sort(key=lambda m: _rank(m, old))
    lines = []
    for mention in ranked:
        age = max((as_of - date.fromisoformat(mention.day)).days, 0)
        doubt = (
            "?" if mention.type == "reference" and age > settings.reference_days else ""
        )
        done = ", done" if mention.done else ""
        name = " = ".join(_called(mention, names))
        text = f"{name} [{mention.type}, {age}d{doubt}{done}]"
        if words := mention.words[:6]:
            text += ": " + " ".join(words)
        tail = f" → memory/{mention.day}.md"
        ids = f" ({mention.ids[0]})" if mention.ids else ""
        text = clip(text, _TOPIC_BYTES - size(tail) - len(ids))
        lines.append(f"- {text}{tail}{ids}")
    return lines


def _called(mention: Mention, names: aliases.Aliases) -> list[str]:
    """All names of a topic, the one it is listed under first."""
    key = names.key(mention.key)
    return list(names.names.get(key, (mention.name,)))


def _rank(mention: Mention, old: str) -> int:
    """Which topics come first: 0 what binds, 1 live, 2 done or old, 3 captured talk."""
    if mention.type in KEPT_WHOLE:
        return 0
    if mention.heard:
        return 3
    past = mention.done or mention.day < old
    return 2 if mention.type == "project" and past else 1


def _fitting(lines: list[str], room: int, total: int) -> list[str]:
    """As many topics as fit, and in words how many more there are and where."""
    if _size(lines) <= room and len(lines) >= total:
        return lines
    more = f"- {total} more topics in {topics.FOLDER}"
    left = room - size(more) - 1
    shown = []
    for line in lines:
        if size(line) + 1 > left:
            break
        shown.append(line)
        left -= size(line) + 1
    return [*shown, f"- {total - len(shown)} more topics in {topics.FOLDER}"]
