"""Whether a memory branch can be trusted: the check for people who did not write it.

Works in a full or shallow clone, a bare repository, and a checkout of CI that has only
the remote's copy of the branch. Commits found good are remembered in this clone, so a
second run costs what is new.
"""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import dataclass

from ..errors import NotSetUp
from ..inbox import write_whole
from ..plumbing import decode
from ..store import Store
from . import past, secrets, tip
from .changes import commits
from .journals import Journals
from .problem import Check, Problem
from .trail import Trail

__all__ = ["Check", "Problem", "Report", "find", "verify"]

_VERSION = 1  # of what a remembered commit was checked for
_REMEMBERED = 20


@dataclass(frozen=True, slots=True)
class Report:
    """All checks of one commit of the branch, and how many commits were looked at."""

    rev: str
    checks: tuple[Check, ...]
    commits: int
    scanned: int

    @property
    def ok(self) -> bool:
        return all(check.ok for check in self.checks)


def find(store: Store, rev: str = "", *, fetch: bool = False) -> str:
    """The commit to check: a revision, the branch, or the remote's copy of it.

    With `fetch` the branch is fetched first where this clone has none. Raises NotSetUp
    naming the command that fetches it.
    """
    git = store.git
    remote = store.config().text("remote") or "origin"
    if fetch and not rev:
        git.run(
            "fetch", "-q", "--no-tags", remote,
            f"+{store.ref}:refs/remotes/{remote}/{store.branch}", timeout=600,
        )  # fmt: skip
    wanted = [rev] if rev else [store.ref, f"refs/remotes/{remote}/{store.branch}"]
    for name in wanted:
        done = git.attempt("rev-parse", "-q", "--verify", f"{name}^{{commit}}")
        if done.returncode == 0:
            return decode(done.stdout).strip()
    if rev:
        raise NotSetUp(f"there is no revision {rev}", hint="git log --oneline --all")
    raise NotSetUp(
        f"this clone has no branch {store.branch}",
        hint=f"git fetch {remote} {store.branch}:{store.branch}, or --fetch",
    )


def verify(store: Store, commit: str) -> Report:
    """Check the branch as that commit has it, and the way there."""
    known = _known(store, commit)
    with store.snapshot(commit) as snapshot, store.git.objects() as objects:
        files = tip.files(store.git, commit)
        checks = tip.checks(snapshot, store.config(snapshot), files)
        fresh = commits(store.git, commit, known)
        trail = Trail(Journals(objects))
        trail.take_all(fresh)
    blobs = {file.oid: file.path for file in files if file.kind == "blob"}
    safe, scanned = secrets.check(store.git, commit, fresh, blobs)
    found = (
        *checks,
        *trail.checks(),
        past.history(store, commit),
        safe,
        past.code_branches(store),
    )
    report = Report(commit, found, len(fresh), scanned)
    if report.ok:
        _remember(store, commit)
    return report


def _known(store: Store, commit: str) -> frozenset[str]:
    """Commits on the way there that were found good by this version."""
    try:
        raw = json.loads((store.local / "verified.json").read_text("utf-8"))
    except (OSError, ValueError):
        return frozenset()
    if not isinstance(raw, dict) or raw.get("version") != _version():
        return frozenset()
    good = [oid for oid in raw.get("commits", []) if isinstance(oid, str)]
    return frozenset(
        oid
        for oid in good
        if store.git.attempt("merge-base", "--is-ancestor", oid, commit).returncode == 0
    )


def _remember(store: Store, commit: str) -> None:
    path = store.local / "verified.json"
    good: list[str] = []
    with suppress(OSError, ValueError, AttributeError):
        raw = json.loads(path.read_text("utf-8"))
        good = raw["commits"] if raw.get("version") == _version() else []
    good = [*(oid for oid in good if oid != commit), commit][-_REMEMBERED:]
    text = json.dumps({"version": _version(), "commits": good})
    with suppress(OSError):
        if store.local.is_dir():
            write_whole(path, text + "\n")


def _version() -> str:
    from ..sweep import gate_version

    return f"{_VERSION}-{gate_version()}"
