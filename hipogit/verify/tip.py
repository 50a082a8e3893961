"""Checks of the tip: files, entries, nodes, the index."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from datetime import date

from .. import compaction, tree
from ..config import Config
from ..entry import STANDINGS, TYPES, Entry, is_id, parse_all
from ..node import FORMAT, Node
from ..periods import journal_day
from ..plumbing import encode
from ..store import Snapshot
from ..tree.root import last_updated
from .problem import Check, Problem

_CONFLICT = re.compile(r"^(?:<{7}|={7}|>{7}|\|{7})(?: |$)", re.MULTILINE)
_LARGEST = 16 * 1024 * 1024
_HOT = {
    "SCRATCHPAD.md": "hot.scratchpad_lines",
    "WORKING.md": "hot.working_lines",
    "TASK-QUEUE.md": "hot.task_queue_lines",
}
_SLACK = 2  # a hot file twice its size no longer fits a session start


def checks(snapshot: Snapshot, config: Config) -> list[Check]:
    """All checks that need one snapshot and nothing of history."""
    paths = snapshot.paths()
    journals = {
        path: parse_all(snapshot.read(path) or "")[1]
        for path in paths
        if journal_day(path)
    }
    nodes = tuple(_nodes(snapshot, config))
    # Stale nodes index too little by themselves; that is told once, as what it is.
    index = () if nodes else tuple(_index(snapshot))
    return [
        Check("entries", "journals hold entries in form", tuple(_entries(journals))),
        Check("nodes", "nodes equal a rebuild", nodes),
        Check("index", "every topic is in reach of ROOT", index),
        Check("files", "no conflict, no giant, hot files fit",
              tuple(_files(snapshot, paths, config))),
        Check("settings", "hipogit.toml sets what a branch may set",
              tuple(Problem(line, "hipogit config", path="hipogit.toml")
                    for line in config.ignored if line.startswith("hipogit.toml"))),
    ]  # fmt: skip


def _entries(journals: dict[str, list[Entry]]) -> Iterator[Problem]:
    places: defaultdict[str, list[str]] = defaultdict(list)
    for path, entries in journals.items():
        day = journal_day(path)
        assert day
        for entry in entries:
            if not entry.id:
                yield Problem(
                    f"{entry.topic!r} has no id yet", "hipogit compact", path=path
                )
                continue
            places[entry.id].append(path)
            yield from _in_form(entry, path, day.date)
        keys = [entry.key for entry in entries]
        if all(e.id and e.at for e in entries) and keys != sorted(keys):
            yield Problem("its entries are out of order", "hipogit compact", path=path)
    for id, found in places.items():
        if len(found) > 1:
            yield Problem(
                f"{id} stands {len(found)} times", f"hipogit show {id}", path=found[1]
            )


def _in_form(entry: Entry, path: str, day: date) -> Iterator[Problem]:
    hint = f"hipogit history {entry.id}"
    if not is_id(entry.id):
        yield Problem(f"{entry.id!r} is no id", "hipogit compact", path=path)
        return
    if entry.day != day:
        yield Problem(f"{entry.id} belongs to another day", hint, path=path)
    if entry.standing not in STANDINGS:
        yield Problem(f"{entry.id}: {entry.standing!r} is no standing", hint, path=path)
    if entry.type not in TYPES:
        yield Problem(f"{entry.id}: {entry.type!r} is no type", hint, path=path)
    if entry.at is None:
        yield Problem(f"{entry.id} has no time", "hipogit compact", path=path)
    if entry.withdrawn and len(entry.body.split("\n")) > 1:
        yield Problem(
            f"{entry.id} is {entry.standing} but its text still stands", hint, path=path
        )


def _nodes(snapshot: Snapshot, config: Config) -> Iterator[Problem]:
    as_of = last_updated(snapshot)
    found = [path for path in snapshot.paths("memory/") if not journal_day(path)]
    nodes = [path for path in found if not path.startswith("memory/agents/")]
    if as_of is None:
        if any(journal_day(path) for path in snapshot.paths("memory/")):
            yield Problem("there is no ROOT", "hipogit compact", path="memory/ROOT.md")
        return
    bare: dict[str, str | None] = {}
    for path in nodes:
        node = Node.parse(snapshot.read(path) or "")
        if node is not None and node.format > FORMAT:
            # A newer hipogit wrote it; only it can say what a rebuild would give.
            return
        # What somebody wrote is an input of the rebuild; all else must follow from it.
        if node is None or not node.stored or node.edited:
            bare[path] = None
    settings = compaction.settings(config)
    built = tree.compact(snapshot.with_changes(bare), as_of, settings)
    for path in nodes:
        wanted = built.changes.get(path, None if path in bare else snapshot.read(path))
        here = snapshot.read(path)
        if wanted == here:
            continue
        line = _first_difference(here or "", wanted or "")
        what = "follows from no source" if wanted is None else "differs from a rebuild"
        yield Problem(f"it {what}", "hipogit compact", path=path, line=line)
    for path in sorted(set(built.changes) - set(nodes)):
        if built.changes[path] is not None:
            yield Problem("it is missing", "hipogit compact", path=path)


def _first_difference(here: str, wanted: str) -> int:
    pairs = zip(here.split("\n"), wanted.split("\n"), strict=False)
    for number, (ours, theirs) in enumerate(pairs, 1):
        if ours != theirs:
            return number
    return min(here.count("\n"), wanted.count("\n")) + 1


def _index(snapshot: Snapshot) -> Iterator[Problem]:
    found, total = tree.index_recall(snapshot)
    if found < total:
        yield Problem(
            f"{total - found} of {total} topics are out of reach",
            "hipogit compact",
            path="memory/ROOT.md",
        )


def _files(snapshot: Snapshot, paths: list[str], config: Config) -> Iterator[Problem]:
    for path in paths:
        text = snapshot.read(path) or ""
        if len(encode(text)) > _LARGEST:
            yield Problem("it is larger than 16 MB", "hipogit log", path=path)
        markers = list(_CONFLICT.finditer(text))
        kinds = {match[0][:1] for match in markers}
        if {"<", ">"} <= kinds:
            line = text.count("\n", 0, markers[0].start()) + 1
            yield Problem("it holds a conflict", "git status", path=path, line=line)
        limit = config.number(_HOT[path]) if path in _HOT else 0
        if limit and text.count("\n") > limit * _SLACK:
            yield Problem(
                f"it has {text.count(chr(10))} lines, twice the {limit} of a hot file",
                "move what is settled to knowledge/",
                path=path,
            )
