"""Checks of the tip: files, entries, nodes, the index."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from itertools import pairwise
from typing import NamedTuple

from .. import compaction, conflict, tree
from ..config import Config
from ..counted import counted
from ..entry import STANDINGS, TYPES, Entry, is_id
from ..node import FORMAT, Node
from ..periods import journal_day
from ..plumbing import Git, decode, encode
from ..tree.root import last_updated
from .brought import present
from .journals import numbered
from .problem import Check, Problem

_LARGEST = 16 * 1024 * 1024
_HOT = {
    "SCRATCHPAD.md": "hot.scratchpad_lines",
    "WORKING.md": "hot.working_lines",
    "TASK-QUEUE.md": "hot.task_queue_lines",
}
_SLACK = 2  # a hot file twice its size no longer fits a session start


class Listed(NamedTuple):
    """A file of the tip as its tree lists it."""

    mode: str
    kind: str
    oid: str
    path: str


class Tip:
    """The files of a commit, read once: what the tree is built from anew."""

    def __init__(
        self,
        git: Git,
        tip: str,
        texts: dict[str, str],
        oids: Mapping[str, str],
        changes: Mapping[str, str | None] | None = None,
    ) -> None:
        self.tip = tip
        self.texts = texts
        self._git = git
        self._oids = oids
        self._changes = changes or {}

    @classmethod
    def read_whole(cls, git: Git, tip: str, listed: Sequence[Listed]) -> Tip:
        """Everything in the tree that is a file."""
        oids = {file.path: file.oid for file in listed if file.kind == "blob"}
        with git.objects() as objects:
            found = zip(oids.items(), objects.stream(oids.values()), strict=True)
            texts = {
                path: decode(present(one, oid, path).data) for (path, oid), one in found
            }
        return cls(git, tip, texts, oids)

    def read(self, path: str) -> str | None:
        """The text of a file, or None when there is none."""
        if path in self._changes:
            return self._changes[path]
        return self.texts.get(path)

    def blob(self, path: str) -> str | None:
        """The object id of a file's content, computed for text not yet written."""
        if path not in self._changes:
            return self._oids.get(path)
        text = self._changes[path]
        return None if text is None else self._git.blob_id(encode(text))

    def paths(self, prefix: str = "") -> list[str]:
        """The files whose path begins with the prefix, sorted."""
        found = set(self.texts) | set(self._changes)
        return sorted(
            path
            for path in found
            if path.startswith(prefix) and self.read(path) is not None
        )

    def with_changes(self, changes: Mapping[str, str | None]) -> Tip:
        """The same files with some put in place or, by None, taken away."""
        both = {**self._changes, **changes}
        return Tip(self._git, self.tip, self.texts, self._oids, both)


def files(git: Git, commit: str) -> list[Listed]:
    """Everything that stands in the tree of a commit."""
    out = git.run("ls-tree", "-r", "-z", "--full-tree", commit)
    found = []
    for line in filter(None, decode(out).split("\0")):
        about, path = line.split("\t", 1)
        mode, kind, oid = about.split(" ")
        found.append(Listed(mode, kind, oid, path))
    return found


_ABOUT = {
    "entries": "journals hold entries in form",
    "nodes": "nodes equal a rebuild",
    "index": "every topic is in reach of ROOT",
    "files": "plain files, no conflict, no giant, hot files fit",
    "settings": "hipogit.toml sets what a branch may set",
}
# What a tip that was found good before is not asked again.
PASSED = tuple(Check(name, about) for name, about in _ABOUT.items())


def checks(
    git: Git, commit: str, config: Config, listed: Sequence[Listed]
) -> tuple[tuple[Check, ...], frozenset[str]]:
    """All checks that need the files of one commit and nothing of history.

    And the summaries that a rebuild gave byte for byte: they hold what their sources
    hold and nothing else.
    """
    view = Tip.read_whole(git, commit, listed)
    texts = view.texts
    journals = {
        path: numbered(text) for path, text in texts.items() if journal_day(path)
    }
    derived: set[str] = set()
    nodes = list(_nodes(view, config, derived))
    found: dict[str, Iterable[Problem]] = {
        "entries": _entries(journals),
        "nodes": nodes,
        # Stale nodes index too little by themselves; that is told once, as it is.
        "index": () if nodes else _index(view, journals),
        "files": (*_kinds(listed), *_files(texts, config)),
        "settings": (
            Problem(
                line.removeprefix("hipogit.toml").removeprefix(": "),
                "hipogit config",
                path="hipogit.toml",
            )
            for line in config.ignored
            if line.startswith("hipogit.toml")
        ),
    }
    made = tuple(
        Check(name, about, tuple(found[name])) for name, about in _ABOUT.items()
    )
    return made, frozenset(derived)


_Journals = Mapping[str, list[tuple[int, Entry]]]


def _entries(journals: _Journals) -> Iterator[Problem]:
    places: defaultdict[str, list[tuple[str, int]]] = defaultdict(list)
    for path, found in journals.items():
        day = journal_day(path)
        assert day
        for line, entry in found:
            if not entry.id:
                yield Problem(
                    f"{entry.topic!r} has no id yet", "hipogit compact", "", path, line
                )
                continue
            places[entry.id].append((path, line))
            for sentence, hint in _in_form(entry, day.date):
                yield Problem(sentence, hint, "", path, line)
        if all(e.id and e.at for _, e in found):
            for (_, one), (line, other) in pairwise(found):
                if other.key < one.key:
                    yield Problem(
                        f"{other.id} is out of order", "hipogit compact", "", path, line
                    )
    for id, twice in places.items():
        if len(twice) > 1:
            yield Problem(
                f"{id} stands {len(twice)} times", f"hipogit show {id}", "", *twice[1]
            )


def _in_form(entry: Entry, day: date) -> Iterator[tuple[str, str]]:
    hint = f"hipogit history {entry.id}"
    if not is_id(entry.id):
        yield f"{entry.id!r} is no id", "hipogit compact"
        return
    if entry.day != day:
        yield f"{entry.id} belongs to another day", hint
    if entry.standing not in STANDINGS:
        yield f"{entry.id}: {entry.standing!r} is no standing", hint
    if entry.type not in TYPES:
        yield f"{entry.id}: {entry.type!r} is no type", hint
    if entry.at is None:
        yield f"{entry.id} has no time", "hipogit compact"
    if entry.withdrawn and len(entry.body.split("\n")) > 1:
        yield f"{entry.id} is {entry.standing} but its text still stands", hint


def _nodes(view: Tip, config: Config, derived: set[str]) -> Iterator[Problem]:
    """Summaries that differ from a rebuild; the others are added to `derived`."""
    texts = view.texts
    as_of = last_updated(view)
    below = [path for path in texts if path.startswith("memory/")]
    found = [path for path in below if not journal_day(path)]
    nodes = [path for path in found if not path.startswith("memory/agents/")]
    if as_of is None:
        if any(journal_day(path) for path in below):
            yield Problem("there is no ROOT", "hipogit compact", path="memory/ROOT.md")
        return
    bare: dict[str, str | None] = {}
    for path in nodes:
        node = Node.parse(texts[path])
        if node is not None and node.format > FORMAT:
            # A newer hipogit wrote it; only it can say what a rebuild would give.
            return
        # What somebody wrote is an input of the rebuild; all else must follow from it.
        if node is None or not node.stored or node.edited:
            bare[path] = None
    settings = compaction.settings(config)
    built = tree.compact(view.with_changes(bare), as_of, settings)
    for path in nodes:
        here = texts[path]
        wanted = built.changes.get(path, None if path in bare else here)
        if wanted == here:
            if path in bare:
                derived.add(path)
            continue
        line = _first_difference(here, wanted or "")
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


def _index(view: Tip, journals: _Journals) -> Iterator[Problem]:
    said = (entry for entries in journals.values() for _, entry in entries)
    found, total = tree.index_recall(view, said)
    if found < total:
        yield Problem(
            f"{total - found} of {counted(total, 'topic')} out of reach",
            "hipogit compact",
            path="memory/ROOT.md",
        )


def _kinds(listed: Sequence[Listed]) -> Iterator[Problem]:
    """What is no plain file: it could lead out of the branch, or be run."""
    for file in listed:
        if file.mode == "120000":
            what = "it is a symbolic link, which may lead anywhere"
        elif file.mode == "160000":
            what = "it is a submodule, not a file"
        elif file.mode == "100755":
            what = "it can be executed"
        else:
            continue
        hint = (
            f"git update-index --chmod=-x {file.path}"
            if file.mode == "100755"
            else f"git rm --cached {file.path}"
        )
        yield Problem(what, hint, path=file.path)


def _files(texts: dict[str, str], config: Config) -> Iterator[Problem]:
    for path, text in texts.items():
        if len(text) > _LARGEST // 4 and len(encode(text)) > _LARGEST:
            yield Problem("it is larger than 16 MB", "hipogit log", path=path)
        if line := conflict.line(text):
            yield Problem("it holds a conflict", conflict.HINT, path=path, line=line)
        limit = config.number(_HOT[path]) if path in _HOT else 0
        if limit and text.count("\n") > limit * _SLACK:
            yield Problem(
                f"it has {text.count(chr(10))} lines, twice the {limit} of a hot file",
                "move what is settled to knowledge/",
                path=path,
            )
