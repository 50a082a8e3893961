"""Faults of the branch itself: gone, without some object, locked by a dead git."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

from .. import compaction, lineage, recovery, worktree
from ..counted import counted
from ..errors import GitFailed
from ..plumbing import decode
from ..record import Record
from ..store import Store
from ..verify import past
from . import Fault

_STALE = 600.0  # seconds; git holds its lock files for much less


def faults(store: Store) -> Iterator[Fault]:
    """What is wrong with the branch, and where it can be had again."""
    yield from _locks(store)
    if store.tip() is None:
        yield _gone(store)
        return
    missing = list(_missing(store))
    yield from missing
    if not missing and not list(foreign(store)):
        yield from _rewritten(store)
    stages = store.git.refs("refs/hipogit/stage")
    if stages:
        yield Fault(
            "stage",
            f"{counted(len(stages), 'ref')} of writers that are gone",
            "hipogit doctor --fix",
            lambda: _sweep(store),
        )


def _gone(store: Store) -> Fault:
    oid, where = _last_known(store)
    if not oid:
        return Fault(
            "branch-gone",
            f"the branch {store.branch} is gone and nothing here remembers it",
            f"git fetch REMOTE {store.branch}:{store.branch}, or hipogit init",
        )
    return Fault(
        "branch-gone",
        f"the branch {store.branch} is gone; {where} still knows {oid[:12]}",
        f"git branch {store.branch} {oid[:12]}",
        lambda: _bring_back(store, oid),
    )


def foreign(store: Store) -> Iterator[Fault]:
    """A branch that was set to something that is no memory."""
    tip = store.tip()
    if not tip or not lineage.foreign(store.git, tip):
        return
    what = lineage.sentence(store.branch, tip)
    oid, where = _last_known(store)
    if not oid:
        hint = f"git fetch REMOTE +{store.branch}:{store.branch}, from another clone"
        yield Fault("not-memory", f"{what}; nothing here remembers what it was", hint)
        return
    # Entries on top of what is not ours would be out of sight after a move back.
    written = _written_since(store, oid, tip)
    yield Fault(
        "not-memory",
        f"{what}; {where} knows that it was {oid[:12]}"
        + (f", and {counted(written, 'commit')} of ours came after" if written else ""),
        f"git branch rescue {tip[:12]}; git update-ref {store.ref} {oid[:12]}",
        None if written else lambda: _set_back(store, oid, tip),
    )


def _written_since(store: Store, oid: str, tip: str) -> int:
    out = store.git.run(
        "-c", "log.showSignature=false", "log", "-z", "--format=%B", tip, f"^{oid}"
    )
    messages = filter(None, decode(out).split("\0"))
    return sum(Record.parse(message) is not None for message in messages)


def _set_back(store: Store, oid: str, tip: str) -> None:
    git = store.git
    names = decode(git.run("for-each-ref", "--format=%(refname)", "--contains", tip))
    if set(names.split()) <= {store.ref}:
        git.run("update-ref", f"refs/hipogit/rescue/{tip[:12]}", tip)
    git.run("update-ref", "-m", "hipogit: doctor", store.ref, oid, tip)


def _last_known(store: Store) -> tuple[str, str]:
    git = store.git
    view = worktree.find(git)
    reflog = past.reflog(git, store.ref)
    candidates = [(oid, "the reflog") for oid in dict.fromkeys(reflog)]
    if view is not None:
        candidates.append((_last_of(view.admin / "logs" / "HEAD"), "the view's reflog"))
        candidates.append((view.shown or "", "the view"))
    candidates.append((compaction.last(store), "this clone"))
    for ref, oid in git.refs(f"refs/remotes/*/{store.branch}").items():
        candidates.append((oid, ref))
    best = "", ""
    for oid, where in candidates:
        if not oid or git.attempt("cat-file", "-e", f"{oid}^{{commit}}").returncode:
            continue
        # Not all of them follow every write: what holds the others is the newest.
        if best[0] and not _leads_to(store, best[0], oid):
            continue
        if oid != best[0] and not lineage.foreign(git, oid):
            best = oid, where
    return best


def _leads_to(store: Store, old: str, new: str) -> bool:
    done = store.git.attempt("merge-base", "--is-ancestor", old, new)
    return done.returncode == 0


def _last_of(log: Path) -> str:
    # `git reflog` cannot show the log of a HEAD whose branch is gone.
    with suppress(OSError):
        lines = log.read_text("utf-8", "replace").strip().split("\n")
        words = lines[-1].split(" ")
        return words[1] if len(words) > 1 and words[1].strip("0") else ""
    return ""


def _bring_back(store: Store, oid: str) -> None:
    store.git.run("update-ref", "-m", "hipogit: doctor", store.ref, oid, "")


def _rewritten(store: Store) -> Iterator[Fault]:
    tip = store.tip()
    for problem in past.history(store, tip).problems if tip else ():
        yield Fault("rewritten", problem.sentence, problem.hint)


def _missing(store: Store) -> Iterator[Fault]:
    done = store.git.attempt(
        "rev-list", "--objects", "--missing=print", "--quiet", store.ref
    )
    lost = [line[1:] for line in decode(done.stdout).split("\n") if line[:1] == "?"]
    if done.returncode or lost:
        said = decode(done.stderr).strip().split("\n")[0]
        names = ", ".join(oid[:12] for oid in lost[:3]) or said
        remote = store.config().text("remote") or "origin"
        url = store.git.remotes().get(remote, "")
        yield Fault(
            "object-missing",
            f"objects of {store.branch} cannot be read: {names}",
            f"git fetch --refetch {remote} {store.branch}, or a copy of another clone",
            (lambda: _refetch(store, url)) if url else None,
        )


def _refetch(store: Store, url: str) -> None:
    # A plain fetch leaves out what the ref says is here already.
    git = store.git
    scratch = store.local / "refetch.git"
    try:
        # --no-local: a copy of files would bring loose objects along as they are.
        git.run(
            "clone", "-q", "--bare", "--no-local", "--single-branch",
            "--branch", store.branch, url, str(scratch),
            cwd=store.local, timeout=600,
        )  # fmt: skip
        for pack in (scratch / "objects" / "pack").glob("*.pack"):
            git.run("index-pack", "--stdin", input=pack.read_bytes())
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    if git.attempt("rev-list", "--objects", "--quiet", store.ref).returncode:
        raise GitFailed(f"{url} does not hold what is missing")


def _locks(store: Store) -> Iterator[Fault]:
    for path in recovery.locks(store.git, store.ref, store.view):
        if path.exists() and time.time() - path.stat().st_mtime > _STALE:
            yield Fault(
                "lock",
                f"{path} has been there for long: the git that made it is gone",
                f"rm {path}",
                _remover(path),
            )


def _remover(path: Path) -> Callable[[], None]:
    return lambda: path.unlink(missing_ok=True)


def _sweep(store: Store) -> None:
    from ..writer import sweep

    with store.lock():
        sweep(store.git)
