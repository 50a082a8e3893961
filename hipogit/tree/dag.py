"""The tree as a graph: a picture of it, one node up close, dissolve and condense."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from datetime import date

from ..counted import counted
from ..errors import Refused
from ..node import Node
from ..periods import Day, Month, Week, parse_period
from ..view import View
from . import root, topics
from .compact import compact
from .prompts import DEPTHS, children, node_at, path_of
from .settings import TreeSettings, tokens

_ENDLESS = 1 << 40


@dataclass(frozen=True, slots=True)
class Branch:
    """A node of the picture and the nodes below it."""

    path: str
    status: str
    summary: str
    depth: int
    entries: int
    tokens: int
    pending: bool
    children: tuple[Branch, ...] = ()

    def as_dict(self) -> dict[str, object]:
        """Plain values for JSON."""
        return asdict(self)


def branch(view: View, label: str = "ROOT", levels: int = 4) -> Branch:
    """The node of a label with so many levels in all."""
    path = path_of(label)
    node = node_at(view, path)
    below = [p for p in children(view, path) if Node.parse(view.read(p) or "")]
    return Branch(
        path=path,
        status=node.status,
        summary="dissolved" if node.dissolved else node.summary,
        depth=DEPTHS.get(node.type, 3),
        entries=node.entries,
        tokens=tokens(node.body),
        pending=node.needs_summarization,
        children=tuple(branch(view, p, levels - 1) for p in below)
        if levels > 1
        else (),
    )


def picture(top: Branch) -> str:
    """The tree drawn with one line for each node."""
    lines = [_line(top)]
    _draw(top, "", lines)
    return "\n".join(lines) + "\n"


def _draw(node: Branch, indent: str, lines: list[str]) -> None:
    for number, child in enumerate(node.children):
        last = number + 1 == len(node.children)
        lines.append(indent + ("└─ " if last else "├─ ") + _line(child))
        _draw(child, indent + ("   " if last else "│  "), lines)


def _line(node: Branch) -> str:
    name = node.path.removeprefix("memory/").removesuffix(".md")
    text = f"{name}  d{node.depth} {node.status} {node.summary}"
    text += f"  {counted(node.entries, 'entry')}, {node.tokens} tokens"
    return text + ("  wants a summary" if node.pending else "")


def parents(view: View, path: str) -> list[str]:
    """The nodes made from a node, nearest first."""
    node = node_at(view, path)
    found: list[str] = []
    period = parse_period(node.period[:10])
    if node.type == "leaf" and isinstance(period, Day):
        found.append(period.path)
    if isinstance(period, Day):
        found.append(period.week.path)
        period = period.week
    if isinstance(period, Week):
        found.append(period.month.path)
        period = period.month
    if isinstance(period, Month):
        found.append(root.PATH)
    own = found.index(path) + 1 if path in found else 0
    return [p for p in found[own:] if view.read(p) is not None]


def inspect(view: View, label: str) -> dict[str, object]:
    """A node with its parents, children, sources, topics and text."""
    path = path_of(label)
    node = node_at(view, path)
    return {
        "path": path,
        "status": node.status,
        "summary": node.summary,
        "depth": DEPTHS.get(node.type, 3),
        "children": children(view, path),
        "parents": parents(view, path),
        "period": node.period,
        "format": node.format,
        "entries": node.entries,
        "pending": node.needs_summarization,
        "dissolved": node.dissolved,
        "edited": node.edited,
        "sources": [{"path": s.path, "blob": s.blob} for s in node.sources],
        "topics": list(node.topics),
        "text": node.body,
    }


def dissolve(view: View, label: str, settings: TreeSettings) -> tuple[str, str]:
    """The path and file of a node with its children put back in its place."""
    path = path_of(label)
    node = node_at(view, path)
    if node.type == "root":
        raise Refused("ROOT cannot be dissolved", hint="hipogit tree")
    if node.dissolved:
        raise Refused(f"{label} is dissolved already", hint=f"hipogit condense {label}")
    whole = _computed(
        view,
        path,
        replace(
            settings,
            daily_lines=_ENDLESS,
            weekly_lines=_ENDLESS,
            monthly_lines=_ENDLESS,
            fanout=_ENDLESS,
        ),
    )
    fresh = replace(whole, dissolved=True, needs_summarization=False)
    return path, fresh.sealed(settings.allow).render()


def condense(view: View, label: str, settings: TreeSettings) -> tuple[str, str]:
    """The path and file of a dissolved node with its own summary again."""
    path = path_of(label)
    node = node_at(view, path)
    if not node.dissolved:
        raise Refused(f"{label} is not dissolved", hint=f"hipogit dissolve {label}")
    return path, _computed(view, path, settings).sealed(settings.allow).render()


def _computed(view: View, path: str, settings: TreeSettings) -> Node:
    """What compaction makes of a node when nothing is stored for it."""
    as_of = root.last_updated(view) or date.min
    bare = view.with_changes({path: None})
    run = compact(bare, as_of, settings, touched=[path])
    return node_at(bare.with_changes(run.changes), path)


def assemble(view: View, budget: int) -> list[str]:
    """The paths of the nodes that together tell most within a number of tokens.

    Begins at the months and replaces a node by its children, newest first, as long as
    that fits; what has been dissolved stands as its children already.
    """
    chosen = [m.path for m in topics.months_of(view)]
    cost = {p: tokens(node_at(view, p).body) for p in chosen}
    while sum(cost[p] for p in chosen) > budget and len(chosen) > 1:
        chosen.pop(0)
    for _ in range(2):  # to weeks, to days
        for place in range(len(chosen) - 1, -1, -1):
            below = [
                p
                for p in children(view, chosen[place])
                if Node.parse(view.read(p) or "") is not None
            ]
            cost.update({p: tokens(node_at(view, p).body) for p in below})
            wider = [*chosen[:place], *below, *chosen[place + 1 :]]
            if below and sum(cost[p] for p in wider) <= budget:
                chosen = wider
    return chosen
