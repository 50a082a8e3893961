"""Checks that reach beyond one line of commits: rewrites, code branches."""

from __future__ import annotations

from ..plumbing import Git, decode
from ..store import Store
from .problem import Check, Problem

_ENTRY = "^<!-- hipogit id=[0-9]{8}-[a-z0-9]{6}"


def history(store: Store, tip: str) -> Check:
    """Whether the tip still holds what was known of the branch before.

    Known are the remote's copy and where the reflog says the branch stood. A rewrite is
    accepted only when the new history records a purge.
    """
    git = store.git
    known = {
        **git.refs(f"refs/remotes/*/{store.branch}"),
        **git.refs("refs/hipogit/remotes"),
    }
    for number, oid in enumerate(_reflog(git, store.ref)):
        known[f"{store.branch}@{{{number}}}"] = oid
    found = []
    for name, oid in known.items():
        if oid == tip or not _lost(git, oid, tip):
            continue
        if _purged(git, tip, oid):
            continue
        found.append(
            Problem(
                f"{name} ({oid[:12]}) is no ancestor of the tip: history was rewritten",
                f"git branch rescue {oid[:12]}",
                tip,
            )
        )
        break  # older places of the reflog say the same once more
    about = "nothing that was on the branch is gone without a purge"
    return Check("history", about, tuple(found))


def code_branches(store: Store) -> Check:
    """Whether an entry of memory stands in a file of a code branch."""
    git = store.git
    found = []
    heads = git.refs("refs/heads")
    heads.pop(store.ref, None)
    for ref, oid in heads.items():
        if _related(git, oid, store.ref):
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


def _reflog(git: Git, ref: str) -> list[str]:
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


def _related(git: Git, oid: str, ref: str) -> bool:
    # A rescue or topic branch of the memory itself may hold entries.
    return git.attempt("merge-base", oid, ref).returncode == 0
