"""The summaries a change makes stale, as the step of a commit.

Which they are is told by what changed since the commit that was last compacted here;
without that note all of them are looked at.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING

from . import tree
from .config import Config
from .inbox import write_whole
from .plumbing import decode
from .record import Record
from .store import Snapshot, Step, Store
from .tree import Compaction, TreeSettings

if TYPE_CHECKING:
    from .gate.allow import Allowed

_DONE = "compacted"


def needed(
    store: Store,
    snapshot: Snapshot,
    changes: Mapping[str, str | None],
    now: datetime,
    *,
    whole: bool = False,
    depth: int = 3,
) -> Compaction:
    """What the summaries need once these changes are in; `whole` looks at all of them.

    Otherwise only at what changed since the tip that was last compacted here.
    """
    touched = None if whole else _since(store, snapshot)
    if touched is not None:
        touched = touched | set(changes)
    sizes = settings(store.config(snapshot))
    view = snapshot.with_changes(changes)
    return tree.compact(view, now.date(), sizes, touched=touched, depth=depth)


def settings(config: Config) -> TreeSettings:
    """The sizes the tree works with."""
    number = config.number
    return TreeSettings(
        daily_lines=number("compaction.daily_lines"),
        weekly_lines=number("compaction.weekly_lines"),
        monthly_lines=number("compaction.monthly_lines"),
        root_tokens=number("compaction.root_max_tokens"),
        chunk_size=number("compaction.chunk_size"),
        fanout=number("compaction.fanout"),
        max_depth=number("compaction.max_depth"),
        allow=_allowed(config),
    )


def _allowed(config: Config) -> Allowed | None:
    if not config.words("gate.allow"):
        return None
    from .gate.allow import Allowed

    return Allowed.of(config, inline=False)


def joined(steps: Sequence[Step], found: Compaction, *, merged: bool) -> list[Step]:
    """The steps and the summaries they need: a step more, or part of the last."""
    if not found.changes:
        return list(steps)
    if merged and steps:
        last = steps[-1]
        record = replace(last.record, reopened=found.reopened)
        return [*steps[:-1], Step({**last.changes, **found.changes}, record)]
    record = Record("compact", _rebuilt(found.rebuilt), reopened=found.reopened)
    return [*steps, Step(found.changes, record)]


def done(store: Store, tip: str) -> None:
    """Note that every summary is current at this commit."""
    with suppress(OSError):
        write_whole(store.local / _DONE, tip + "\n")


def last(store: Store) -> str:
    """The commit noted last; empty when none is known."""
    try:
        return (store.local / _DONE).read_text("ascii").strip()
    except (OSError, UnicodeDecodeError):
        return ""


def forget(store: Store) -> None:
    """Let the next change look at every summary."""
    (store.local / _DONE).unlink(missing_ok=True)


def _since(store: Store, snapshot: Snapshot) -> set[str] | None:
    known = last(store)
    if not known:
        return None
    if known == snapshot.tip:
        return set()
    changed = store.git.attempt(
        "diff-tree",
        "-r",
        "-z",
        "--name-only",
        "--no-renames",
        known,
        snapshot.tip or "",
    )
    if changed.returncode:  # a commit that is gone, after a rewrite of the branch
        return None
    return set(decode(changed.stdout).split("\0")) - {""}


def _rebuilt(paths: Sequence[str]) -> str:
    names = []
    for level in ("daily", "weekly", "monthly"):
        folder = f"memory/{level}/"
        names += [
            path.removeprefix(folder).removesuffix(".md")
            for path in paths
            if path.startswith(folder)
        ]
    more = f" (+{len(names) - 3})" if len(names) > 3 else ""
    return ", ".join(names[:3]) + more or "ROOT"
