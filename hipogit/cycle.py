"""Summaries in cycles: rebuild all, and let a model improve a few when it is time.

At most one summary per level in a cycle, the most recent first. No lock is held while
the program writes; what it wrote is stored only if its source is still the same.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from datetime import date, datetime, timedelta
from typing import NamedTuple

from . import compaction, memory, summarise, tree
from .config import Config
from .counted import counted
from .errors import HipogitError, NotSetUp, Refused
from .inbox import write_whole
from .plumbing import decode
from .record import Record
from .store import Snapshot, Step, Store, Written
from .tree import Compaction, replacing
from .tree.prompts import path_of, prompt_for
from .tree.root import last_updated

Taken = Callable[[Snapshot], list[Step]]


class Rebuilt(NamedTuple):
    """What a rebuild changed, or would change, and the commit that holds it."""

    found: Compaction
    commit: str | None


class Outcome(NamedTuple):
    """What became of one summary."""

    node: str
    accepted: bool
    problems: tuple[str, ...]
    commit: str | None = None


def rebuild(
    store: Store, now: datetime, depth: int = 3, *, taken: Taken = lambda snapshot: []
) -> Rebuilt:
    """Rebuild every node that is stale, on top of what `taken` wants written first."""
    kept: list[Compaction] = []

    def decide(snapshot: Snapshot) -> list[Step]:
        if snapshot.tip is None:
            raise NotSetUp.no_branch()
        steps = taken(snapshot)
        changes = {path: text for step in steps for path, text in step.changes.items()}
        found = compaction.needed(
            store, snapshot, changes, now, whole=True, depth=depth
        )
        kept[:] = [found]
        merged = any(step.record.action == "edit" for step in steps)
        return compaction.joined(steps, found, merged=merged)

    written = store.transact(decide, now)
    tip = written.tip if written else store.tip()
    if depth >= 3 and tip:
        compaction.done(store, tip)
    return Rebuilt(kept[0], written.tip if written else None)


def stale(
    snapshot: Snapshot, config: Config, now: datetime, depth: int = 3
) -> Compaction:
    """What a rebuild would change, as of the tree's own date: the clock has no say."""
    as_of: date = last_updated(snapshot) or now.date()
    settings = compaction.settings(config)
    return tree.compact(snapshot, as_of, settings, depth=depth)


def store_summary(
    store: Store,
    label: str,
    text: str,
    now: datetime,
    *,
    by: str = "agent",
    source: str | None = None,
) -> Written | None:
    """Put a text in place of a node's summary. Raises Refused with the reasons.

    `source` is the text it was written from, when it may have changed meanwhile.
    """
    cleaned = memory.cleaned(store, text)
    if found := cleaned.findings:
        rules = ", ".join(sorted({finding.rule for finding in found}))
        raise Refused(
            f"the summary of {label} was not taken: it holds what looks like a secret"
            f" ({rules})",
            hint="hipogit scan --stdin",
        )
    text = cleaned.text

    def decide(snapshot: Snapshot) -> list[Step] | None:
        settings = compaction.settings(store.config(snapshot))
        if (
            source is not None
            and prompt_for(snapshot, label, settings).source != source
        ):
            raise Refused(
                f"the summary of {label} was not taken: its source changed meanwhile",
                hint=f"hipogit summarize {label} --run",
            )
        path, file = replacing.stored(snapshot, label, text, settings, by=by)
        if snapshot.read(path) == file:
            return None
        return [Step({path: file}, Record("summarize", label, source=by))]

    return memory.write(store, decide, now)


def ask(store: Store, label: str, now: datetime) -> Outcome:
    """Let `summarizer.command` write the summary of a node."""
    with store.snapshot() as snapshot:
        config = store.config(snapshot)
        settings = compaction.settings(config)
        prompt = prompt_for(snapshot, label, settings)
    try:
        text = summarise.run(
            config.text("summarizer.command"),
            prompt.text,
            timeout=config.number("summarizer.timeout"),
        )
        written = store_summary(
            store, label, text, now, by="command", source=prompt.source
        )
    except Refused as problem:
        return Outcome(prompt.path, False, (problem.sentence,))
    return Outcome(prompt.path, True, (), written.tip if written else store.tip())


def cycle(store: Store, now: datetime) -> list[Outcome]:
    """Improve what is most worth it, one node per level; nothing before it is time."""
    with store.snapshot() as snapshot:
        if not due(store, snapshot, now):
            return []
        chosen = replacing.wanted(snapshot)
        if not chosen:
            return []
        # From the start, not the end: a program that fails must not be asked again
        # and again.
        state = {"at": now.isoformat(), "tip": snapshot.tip}
    write_whole(store.local / "cycle.json", json.dumps(state) + "\n")
    return [ask(store, path, now) for path in chosen]


def due(store: Store, snapshot: Snapshot, now: datetime) -> str:
    """Why it is time for a cycle; empty while the cooldown lasts."""
    config = store.config(snapshot)
    hours = config.number("compaction.cooldown_hours")
    if hours <= 0:
        return "there is no cooldown"
    try:
        state = json.loads((store.local / "cycle.json").read_text("utf-8"))
        at, tip = datetime.fromisoformat(state["at"]), str(state["tip"])
    except (OSError, ValueError, KeyError, TypeError):
        return "there was none yet"
    if now - at >= timedelta(hours=hours):
        return f"the last began {hours} hours ago or more"
    with suppress(HipogitError, ValueError):
        new = f"{tip}..{snapshot.tip}"
        action = "^Hipogit-Action: (checkpoint|capture|import)$"
        count = int(store.git.run("rev-list", "--count", "-E", f"--grep={action}", new))
        if count > config.number("compaction.cooldown_checkpoints"):
            return f"{counted(count, 'checkpoint')} since the last"
        if (lines := _raw_lines(store, new)) > config.number(
            "compaction.cooldown_lines"
        ):
            return f"{lines} new lines since the last"
    return ""


def _raw_lines(store: Store, new: str) -> int:
    out = store.git.run("diff", "--numstat", "-z", "--no-renames", new, "--", "memory")
    total = 0
    for row in decode(out).split("\0"):
        added, _, rest = row.partition("\t")
        path = rest.partition("\t")[2]
        if path.count("/") == 1 and path != "memory/ROOT.md" and added.isdigit():
            total += int(added)
    return total


def replace_node(
    store: Store, verb: str, label: str, now: datetime
) -> tuple[str, Written | None]:
    """Dissolve or condense a node; its path and what was written."""
    from .tree import dag

    make = dag.dissolve if verb == "dissolve" else dag.condense

    def decide(snapshot: Snapshot) -> list[Step]:
        settings = compaction.settings(store.config(snapshot))
        path, file = make(snapshot, label, settings)
        return [Step({path: file}, Record("summarize", f"{verb} {label}"))]

    return path_of(label), memory.write(store, decide, now)
