"""One node: of the entries of a day, or of the nodes of the level below."""

from __future__ import annotations

from dataclasses import replace

from ..entry import Entry, render
from ..node import Node
from ..periods import Day
from .extract import content_of, items_of
from .mention import Mention, mention_of, merged, pack, unpack
from .promote import KEPT_WHOLE, shrink
from .settings import TreeSettings
from .summary import summarise


def of_entries(
    level: str,
    title: str,
    entries: list[Entry],
    day: Day,
    short: dict[str, str],
    settings: TreeSettings,
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
        mention_of(entry, str(day), id) for entry, id in zip(shown, cited, strict=True)
    )
    body = f"# {title}\n\n" + "\n".join(render(entry) for entry in shown)
    summary = "verbatim"
    if not settings.fits(level, body):
        items = [
            item
            for entry, id in zip(shown, cited, strict=True)
            if entry.type not in KEPT_WHOLE
            for item in items_of(entry, id)
        ]
        rules = [entry for entry in shown if entry.type in KEPT_WHOLE]
        body = summarise(title, level, settings.room(level), items, mentions, rules)
        summary = "extractive"
    wanted = summary != "verbatim"
    return _node(level, title, body, mentions, len(shown), summary, wanted)


def joined(level: str, title: str, nodes: list[Node], settings: TreeSettings) -> Node:
    """The children one after the other when that fits, else an extract of them."""
    body = f"# {title}\n\n" + "\n\n".join(node.body for node in nodes)
    if not settings.fits(level, body):
        return shortened(level, title, nodes, settings)
    wanted = level == "daily" and any(node.needs_summarization for node in nodes)
    entries = sum(node.entries for node in nodes)
    return _node(level, title, body, _mentions(nodes), entries, "verbatim", wanted)


def shortened(
    level: str, title: str, nodes: list[Node], settings: TreeSettings
) -> Node:
    """An extract of the children."""
    mentions = _mentions(nodes)
    contents = [content_of(node) for node in nodes]
    body = summarise(
        title,
        level,
        settings.room(level),
        [item for content in contents for item in content.items],
        mentions,
        [rule for content in contents for rule in content.rules],
    )
    entries = sum(node.entries for node in nodes)
    return _node(level, title, body, mentions, entries, "extractive", True)


def _mentions(nodes: list[Node]) -> list[Mention]:
    return merged(m for n in nodes for m in unpack(n.topics, n.mentions))


def _node(
    level: str,
    title: str,
    body: str,
    mentions: list[Mention],
    entries: int,
    summary: str,
    wanted: bool,
) -> Node:
    names, rows = pack(mentions)
    return Node(
        type=level,
        status="",
        period=title,
        body=body,
        topics=names,
        mentions=rows,
        entries=entries,
        summary=summary,
        needs_summarization=wanted,
    )
