"""The commits of a memory branch, each with the files it changed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

from ..plumbing import Git, decode
from ..record import Record

_SUBMODULE = "160000"


class File(NamedTuple):
    """One file a commit changed against one parent; an id of zeros: there was none, or
    it was no file (a submodule)."""

    path: str
    old: str
    new: str
    parent: int


@dataclass(frozen=True, slots=True)
class Commit:
    """A commit: its parents, who made it, its message and what that records (None: a
    person made it), and the files it changed against each parent."""

    oid: str
    parents: tuple[str, ...]
    people: str
    message: str
    record: Record | None
    files: tuple[File, ...]


def commits(git: Git, tip: str, known: frozenset[str] = frozenset()) -> list[Commit]:
    """The commits that reach a tip, oldest first, without those already known."""
    out = git.run(
        # A log that shows signatures, or in the user's encoding, could not be read.
        "-c", "log.showRoot=true", "-c", "log.showSignature=false",
        "log", "--reverse", "--topo-order", "--encoding=UTF-8",
        "-z", "--raw", "--diff-merges=off", "--no-renames", "--no-abbrev",
        "--ignore-submodules=none",
        "--format=%H%x00%P%x00%an <%ae> %cn <%ce>%x00%B%x00", "--stdin",
        input="\n".join([tip, *(f"^{oid}" for oid in known)]).encode(),
        timeout=3600,
    )  # fmt: skip
    found = list(_read(decode(out).split("\0")))
    merges = [commit for commit in found if len(commit.parents) > 1]
    files = _merged(git, merges) if merges else {}
    return [
        replace(one, files=files[one.oid]) if one.oid in files else one for one in found
    ]


def _read(tokens: list[str]) -> Iterator[Commit]:
    at, end = 0, len(tokens)
    while at + 3 < end:
        oid, parents, people, message = tokens[at : at + 4]
        at += 4
        files = []
        while at < end and (not tokens[at].strip() or tokens[at].lstrip()[0] == ":"):
            about = tokens[at].strip()
            at += 1
            if about:
                files.append(_file(about, tokens[at], 0))
                at += 1
        record = Record.parse(message)
        above = tuple(parents.split())
        yield Commit(oid, above, people, message, record, tuple(files))


def _file(about: str, path: str, parent: int) -> File:
    before, after, old, new, _ = about.split(" ")
    nothing = "0" * len(new)
    return File(
        path,
        nothing if before == _SUBMODULE else old,
        nothing if after == _SUBMODULE else new,
        parent,
    )


def _merged(git: Git, merges: list[Commit]) -> dict[str, tuple[File, ...]]:
    """What each merge changed against each of its parents, by the merge's id."""
    pairs = [
        (commit.oid, parent, number)
        for commit in merges
        for number, parent in enumerate(commit.parents)
    ]
    out = git.run(
        "diff-tree", "--stdin", "-r", "-z", "--raw", "--always", "--no-renames",
        "--no-abbrev", "--ignore-submodules=none",
        input="".join(f"{oid} {parent}\n" for oid, parent, _ in pairs).encode(),
        timeout=3600,
    )  # fmt: skip
    tokens = decode(out).split("\0")
    files: dict[str, tuple[File, ...]] = {}
    at = 0
    for oid, _, number in pairs:
        at += 1  # the line that names the merge
        found = []
        while tokens[at].startswith(":"):
            found.append(_file(tokens[at], tokens[at + 1], number))
            at += 2
        files[oid] = (*files.get(oid, ()), *found)
    return files
