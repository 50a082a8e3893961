"""The prompt of each depth, filled with the text that is to be summarised."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from ..assets import asset
from ..entry import Entry, render
from ..errors import Refused, Usage
from ..journal import Journal
from ..node import Node
from ..periods import Day, Month, Week, parse_period
from ..view import View
from .promote import KEPT_WHOLE, promoted, shrink
from .settings import TreeSettings

DEPTHS = {"leaf": 0, "daily": 0, "weekly": 1, "monthly": 2, "root": 3}
_TEMPLATES = ("leaf.md", "condensed.md", "arc.md", "durable.md")

_LEAF = re.compile(r"(\d{4}-\d\d-\d\d)/(\d+)")


@dataclass(frozen=True, slots=True)
class Prompt:
    """What to ask about a node: `source` is its text before any summary."""

    path: str
    depth: int
    text: str
    source: str
    rules: tuple[Entry, ...]


def path_of(label: str) -> str:
    """The file of the node that a period, a leaf (`2026-11-29/01`) or a path names."""
    name = label.removeprefix("memory/").removesuffix(".md")
    for folder in ("daily/", "weekly/", "monthly/"):
        name = name.removeprefix(folder)
    if name.upper() == "ROOT":
        return "memory/ROOT.md"
    if match := _LEAF.fullmatch(name):
        return f"memory/daily/{match[1]}/{int(match[2]):02}.md"
    if period := parse_period(name):
        return period.path
    raise Usage(
        f"{label!r} names no node", hint="a period such as 2026-11-29, 2026-W48, ROOT"
    )


def node_at(view: View, path: str) -> Node:
    """The node of a path. Raises Refused when there is none."""
    node = Node.parse(view.read(path) or "")
    if node is None:
        name = path.removeprefix("memory/").removesuffix(".md")
        raise Refused(f"there is no node {name}", hint="hipogit tree")
    return node


def children(view: View, path: str) -> list[str]:
    """The files a node is made from, as far as they are nodes or journals."""
    node = node_at(view, path)
    if node.type == "root":
        from .topics import months_of

        return [month.path for month in months_of(view)]
    found = [s.path.partition("#")[0] for s in node.sources]
    if node.type == "daily" and len(found) > 1:
        found = found[1:]  # its leaves stand between it and the journal
    return [p for p in dict.fromkeys(found) if view.read(p) is not None]


def source_of(view: View, path: str, settings: TreeSettings) -> str:
    """The text a node stands for: entries of a day, or the nodes of the level below."""
    node = node_at(view, path)
    if node.type in ("daily", "leaf"):
        entries = _entries(view, path, settings)
        return "\n".join(render(entry) for entry in entries)
    below = children(view, path)
    if node.type == "root":
        below = below[-4:]
    return "\n\n".join(node_at(view, child).body for child in below)


def _entries(view: View, path: str, settings: TreeSettings) -> list[Entry]:
    node = node_at(view, path)
    day = parse_period(node.period[:10])
    if not isinstance(day, Day):
        return []
    journal = Journal.parse(day, view.read(day.journal) or "")
    entries = sorted(
        (e for e in journal.entries if promoted(e)), key=lambda entry: entry.key
    )
    if match := _LEAF.fullmatch(node.period):
        first = (int(match[2]) - 1) * settings.chunk_size
        entries = entries[first : first + settings.chunk_size]
    return [
        e if e.type in KEPT_WHOLE else replace(e, body=shrink(e.body, day.journal))
        for e in entries
    ]


def rules_in(source: str) -> tuple[Entry, ...]:
    """The entries of a source that a summary must carry word for word."""
    from .extract import read

    return tuple(e for e in read(source).entries if e.type in KEPT_WHOLE)


def prompt_for(view: View, label: str, settings: TreeSettings) -> Prompt:
    """The prompt for a node and the text it asks about."""
    path = path_of(label)
    node = node_at(view, path)
    depth = DEPTHS.get(node.type, 3)
    source = source_of(view, path, settings)
    text = _template(_TEMPLATES[depth])
    parts = {
        "period": node.period,
        "rules": _template("rules.md").strip(),
        "source": f"<source>\n{source.strip()}\n</source>",
    }
    # One pass: a source that quotes `{{rules}}` must not be filled in itself.
    text = re.sub(r"\{\{(\w+)\}\}", lambda m: parts[m[1]], text)
    return Prompt(path, depth, text, source, rules_in(source))


def _template(name: str) -> str:
    return asset("templates", f"prompts/{name}").read_text(encoding="utf-8")


def days_of(node: Node) -> tuple[str, str]:
    """The first and last day a node may speak of."""
    period = parse_period(node.period[:10]) if node.type != "root" else None
    if isinstance(period, Day):
        return str(period), str(period)
    if isinstance(period, Week):
        return period.first.isoformat(), period.last.isoformat()
    if isinstance(period, Month):
        weeks = period.weeks
        return weeks[0].first.isoformat(), weeks[-1].last.isoformat()
    return "0000-00-00", "9999-99-99"
