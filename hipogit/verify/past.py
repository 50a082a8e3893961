"""Checks that reach beyond one line of commits: where it begins, rewrites, code."""

from __future__ import annotations

from collections.abc import Container, Sequence

from .. import lineage
from ..plumbing import Git, decode
from ..store import Store
from .problem import Check, Problem

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
    only when the new history records a purge. A branch that is merely behind the
    remote's lost nothing.
    """
    git = store.git
    here = store.tip()
    if here and here != tip and not _lost(git, tip, here):
        tip = here  # an older commit was asked for; it cannot hold what came later
    remotes = {
        **git.refs(f"refs/remotes/*/{store.branch}"),
        **git.refs("refs/hipogit/remotes"),
    }
    before = [
        (f"{store.branch}@{{{number}}}", oid)
        for number, oid in enumerate(reflog(git, store.ref))
    ]
    found = _rewritten(git, tip, [pair for pair in before if pair[1] not in above])
    for ref, oid in remotes.items():
        behind = oid == tip or (oid not in above and not _lost(git, tip, oid))
        if not found and oid not in above and not behind:
            found = _rewritten(git, tip, [(_short(ref), oid)])
        before = [
            (f"{_short(ref)}@{{{number}}}", old)
            for number, old in enumerate(reflog(git, ref))
        ]
        found = found or _rewritten(git, oid, before)
    about = "nothing that was on the branch is gone without a purge"
    return Check("history", about, tuple(found))


def _rewritten(git: Git, tip: str, known: Sequence[tuple[str, str]]) -> list[Problem]:
    """The newest of these places that a tip does not hold, without a reason."""
    oids = [oid for _, oid in known if oid != tip]
    if not oids:
        return []
    # One question for all of them; only a no is worth asking each.
    missing = git.attempt("rev-list", "-n", "1", "--ignore-missing", *oids, f"^{tip}")
    if missing.returncode == 0 and not missing.stdout:
        return []
    for name, oid in known:
        if oid == tip or not _lost(git, oid, tip):
            continue
        if _purged(git, tip, oid) or (lineage.cut(git) and _lost(git, tip, oid)):
            continue  # where a shallow clone ends nobody can say
        if lineage.foreign(git, oid):
            continue  # it was set to something else for a while, and back
        return [
            Problem(
                f"{name} ({oid[:12]}) is no ancestor of {tip[:12]}: history was"
                " rewritten, or the two were never joined",
                f"git branch rescue {oid[:12]}",
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
    done = git.attempt("reflog", "show", "--format=%H", "-n", "50", ref)
    return decode(done.stdout).split() if done.returncode == 0 else []


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
