"""Checks that reach beyond one line of commits: where it begins, rewrites, code."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Sequence
from typing import NamedTuple

from .. import lineage
from ..plumbing import Git, decode
from ..record import Record
from ..store import Store
from .problem import Check, Problem

# The rest of a line of the reflog is anybody's text.
_MOVE = re.compile(r"((?:am|commit|merge|pull|rebase|reset)(?: \([a-z]+\))?)(?: |:)")
# What is written on top of a commit by hand, and is amended with it.
_TAKES_UP = frozenset(("adopt", "edit", "compact"))
_ACCEPTS = "Hipogit-Action: purge"
_ENTRY = "^<!-- hipogit id=[0-9]{8}-[a-z0-9]{6}"


def branch(store: Store, tip: str) -> Check:
    """Whether this is a memory branch at all, by the commits it begins with."""
    root = lineage.foreign(store.git, tip)
    problem = Problem(
        f"{tip[:12]} is no commit of memory: its history begins elsewhere",
        "hipogit doctor --fix",
        root,
    )
    about = "the branch is memory from its first commit"
    return Check("branch", about, (problem,) if root else ())


def history(store: Store, tip: str, above: Container[str] = ()) -> Check:
    """Whether the tip still holds what was known of the branch before.

    `above` are commits known to lead to the tip. What was known of the branch is the
    remote's copy and where the reflogs say each of them stood. A rewrite is accepted
    only when the new history records a purge; what a person committed by hand, amended
    and never published is theirs to amend. A branch that is merely behind the remote's
    lost nothing.
    """
    git = store.git
    here = store.tip()
    if here and here != tip and not _lost(git, tip, here):
        tip = here  # an older commit was asked for; it cannot hold what came later
    remotes = {
        **git.refs(f"refs/remotes/*/{store.branch}"),
        **git.refs("refs/hipogit/remotes"),
    }
    accept = _accepting(store)
    places = [
        place
        for place in _places(git, store.ref, store.branch)
        if place.oid not in above
    ]
    mine = _amended(git, places, remotes.values())
    found = _rewritten(git, tip, places, accept, mine)
    for ref, oid in remotes.items():
        behind = oid == tip or (oid not in above and not _lost(git, tip, oid))
        if not found and oid not in above and not behind:
            found = _rewritten(git, tip, [Place(_short(ref), oid)], accept)
        found = found or _rewritten(git, oid, _places(git, ref, _short(ref)), accept)
    about = "nothing that was on the branch is gone without a purge"
    return Check("history", about, tuple(found))


class Place(NamedTuple):
    """Where a branch stood, and by what of git's (`commit (amend)`) it was left."""

    name: str
    oid: str
    left_by: str = ""


def _places(git: Git, ref: str, name: str) -> list[Place]:
    """Where a branch stood in this clone, newest first."""
    moves = _moves(git, ref)
    after = ["", *(how for _, how in moves)]
    return [
        Place(f"{name}@{{{number}}}", oid, how)
        for number, ((oid, _), how) in enumerate(zip(moves, after, strict=False))
    ]


def _amended(git: Git, places: Iterable[Place], remotes: Iterable[str]) -> set[str]:
    """The commits by hand, and ours that took one up, which were amended and of which
    no remote's copy is known to hold any."""
    found = {place.oid for place in places if place.left_by == "commit (amend)"}
    if not found:
        return found
    out = git.run(
        "-c", "log.showSignature=false", "log", "--no-walk=unsorted", "-z",
        "--format=%H%n%B", "--ignore-missing", *found,
    )  # fmt: skip
    for text in filter(None, decode(out).split("\0")):
        oid, _, message = text.partition("\n")
        record = Record.parse(message)
        if record is not None and record.action not in _TAKES_UP:
            found.discard(oid)
    copies = [*remotes]
    return {oid for oid in found if all(_lost(git, oid, copy) for copy in copies)}


def _accepting(store: Store) -> str:
    """The command by which a person accepts that history was rewritten.

    Commits by hand that wait to be taken up are first: a record on top hides them.
    """
    branch = store.branch
    made = f'git commit-tree -p {branch} -m why -m "{_ACCEPTS}" "{branch}^{{tree}}"'
    return f"hipogit compact && git update-ref {store.ref} $({made})"


def _rewritten(
    git: Git,
    tip: str,
    known: Sequence[Place],
    accept: str,
    amended: Container[str] = (),
) -> list[Problem]:
    """The newest of these places that a tip does not hold, without a reason."""
    oids = [place.oid for place in known if place.oid != tip]
    if not oids:
        return []
    # One question for all of them; only a no is worth asking each.
    missing = git.attempt("rev-list", "-n", "1", "--ignore-missing", *oids, f"^{tip}")
    if missing.returncode == 0 and not missing.stdout:
        return []
    for name, oid, left_by in known:
        if oid == tip or not _lost(git, oid, tip):
            continue
        if oid in amended:
            left = decode(git.run("rev-list", oid, f"^{tip}")).split()
            if all(one in amended for one in left):
                continue
        if _purged(git, tip, oid) or (lineage.cut(git) and _lost(git, tip, oid)):
            continue  # where a shallow clone ends nobody can say
        if lineage.foreign(git, oid):
            continue  # it was set to something else for a while, and back
        return [
            Problem(
                f"{name} ({oid[:12]}) is no ancestor of {tip[:12]}: history was"
                f" rewritten{f' by git {left_by}' if left_by else ''}, or the two were"
                " never joined",
                f"git branch rescue {oid[:12]} keeps it; to accept what is gone:"
                f" {accept}",
                tip,
            )
        ]
    return []


def _short(ref: str) -> str:
    return ref.removeprefix("refs/").removeprefix("remotes/")


def code_branches(store: Store, tip: str) -> Check:
    """Whether an entry of memory stands in a file of a code branch, or in the commit
    a CI checked out without one."""
    git = store.git
    found = []
    heads = git.refs("refs/heads")
    heads.pop(store.ref, None)
    done = git.attempt("rev-parse", "-q", "--verify", "HEAD^{commit}")
    head = decode(done.stdout).strip()
    if head and head not in heads.values():
        heads["HEAD"] = head
    for ref, oid in heads.items():
        if oid == tip or _related(git, oid, tip):
            continue
        done = git.attempt("grep", "-I", "-l", "-z", "-E", _ENTRY, oid)
        for name in filter(None, decode(done.stdout).split("\0")):
            path = name.partition(":")[2]
            branch = ref.removeprefix("refs/heads/")
            found.append(
                Problem(
                    f"memory stands on the code branch {branch}",
                    f"git rm --cached {path}, and the hook hipogit-no-memory",
                    oid,
                    path,
                )
            )
    return Check("code-branches", "memory stands on its own branch", tuple(found))


def reflog(git: Git, ref: str) -> list[str]:
    """Where the branch stood in this clone, newest first."""
    return [oid for oid, _ in _moves(git, ref)]


def _moves(git: Git, ref: str) -> list[tuple[str, str]]:
    """Where the branch stood, newest first, each with what git says it did to get
    there, if that is a command of git's."""
    done = git.attempt("reflog", "show", "-z", "--format=%H %gs", "-n", "50", ref)
    if done.returncode:
        return []
    rows = filter(None, decode(done.stdout).split("\0"))
    pairs = (row.partition(" ") for row in rows)
    return [
        (oid, said[1] if (said := _MOVE.match(message)) else "")
        for oid, _, message in pairs
    ]


def _lost(git: Git, oid: str, tip: str) -> bool:
    # Exit 1 is a plain no; an object that a shallow clone lacks is not held against it.
    return git.attempt("merge-base", "--is-ancestor", oid, tip).returncode == 1


def _purged(git: Git, tip: str, since: str) -> bool:
    done = git.attempt(
        "log", "-z", "--format=%(trailers:key=Hipogit-Action,valueonly)", tip,
        f"^{since}",
    )  # fmt: skip
    return any(part.strip() == "purge" for part in decode(done.stdout).split("\0"))


def _related(git: Git, oid: str, tip: str) -> bool:
    # A rescue or topic branch of the memory itself may hold entries.
    return git.attempt("merge-base", oid, tip).returncode == 0
