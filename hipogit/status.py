"""Whether memory works here: branch, view, what waits, what is known, what arrives."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from . import cycle, doctor, hot, probe, tree
from .entry import parse_all
from .node import Node
from .periods import journal_day
from .store import Snapshot, Store
from .tree import replacing
from .tree.settings import tokens
from .worktree import Worktree

# Faults that keep memory from being written or read; the others are advice.
_BROKEN = frozenset(
    (
        "half-done-init",
        "hook",
        "hooks-disabled",
        "interpreter",
        "include",
        "view-gone",
        "moved",
        "detached",
        "behind",
        "branch-gone",
        "object-missing",
        "not-memory",
        "rewritten",
        "lock",
        "spool",
        "platform",
    )
)


@dataclass(frozen=True, slots=True)
class Status:
    """The state of memory in one repository; `notes` are sentences for a person."""

    ok: bool
    values: dict[str, Any]
    notes: tuple[str, ...]


def status(store: Store, now: datetime, *, fire: bool = False) -> Status:
    """Look at everything; with `fire` the hooks are fired as their hosts fire them."""
    faults = doctor.examine(store.git, now)
    probes = probe.fire(store) if fire else probe.recorded(store)
    broken = [fault for fault in faults if fault.name in _BROKEN]
    silent = [one for one in probes if one.ok is False]
    view = store.view
    values: dict[str, Any] = {
        "ok": not broken and not silent,
        "branch": store.branch,
        "tip": store.tip(),
        "view": {"path": str(view.path) if view else None, "state": _state(view)},
    }
    notes = [f"{fault.sentence} ({fault.hint})" for fault in faults]
    notes += [f"{one.host} {one.event}: {one.problem}" for one in silent]
    unread = {"branch-gone", "object-missing", "not-memory"}
    readable = unread.isdisjoint(fault.name for fault in broken)
    if values["tip"] and readable:
        with store.snapshot() as snapshot:
            values.update(_contents(store, snapshot, now))
            notes += hot.advice(snapshot, store.config(snapshot))
            notes += _contradictions(snapshot)
    values["spool"] = sum(len(spool.items()) for spool in store.spools)
    values["ledger"] = store.ledger.lines()[-20:]
    values["probes"] = [one._asdict() for one in probes]
    return Status(bool(values["ok"]), values, tuple(notes))


def _state(view: Worktree | None) -> str:
    """`clean`, `edited`, `behind`, `missing` or `none`."""
    if view is None:
        return "none"
    if not view.present:
        return "missing"
    if view.shown != view.head():
        return "behind"
    return "edited" if view.edits() else "clean"


def _contents(store: Store, snapshot: Snapshot, now: datetime) -> dict[str, Any]:
    standings: Counter[str] = Counter()
    types: Counter[str] = Counter()
    nodes: Counter[str] = Counter()
    for path in snapshot.paths("memory/"):
        if journal_day(path):
            for entry in parse_all(snapshot.read(path) or "")[1]:
                standings[entry.standing] += 1
                types[entry.type] += 1
        elif path.count("/") > 1 and not path.startswith("memory/agents/"):
            nodes[path.split("/")[1]] += 1
    root = snapshot.read("memory/ROOT.md") or ""
    node = Node.parse(root)
    found, total = tree.index_recall(snapshot)
    config = store.config(snapshot)
    return {
        "entries": {
            "total": sum(standings.values()),
            "standing": dict(sorted(standings.items())),
            "type": dict(sorted(types.items())),
        },
        "nodes": dict(sorted(nodes.items())),
        "index_recall": {
            "found": found,
            "topics": total,
            "share": round(found / total, 4) if total else 1.0,
        },
        "pending": replacing.wanted(snapshot, per_level=1000),
        "last_compact": {
            "as_of": node.last_updated if node else None,
            "due": cycle.due(store, snapshot, now),
        },
        "budget": {
            "root_tokens": tokens(root),
            "root_max_tokens": config.number("compaction.root_max_tokens"),
        },
    }


def _contradictions(snapshot: Snapshot) -> list[str]:
    from . import correct

    found = getattr(correct, "contradictions", None)
    return [str(one) for one in found(snapshot)] if found else []
