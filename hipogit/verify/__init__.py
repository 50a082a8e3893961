"""Whether a memory branch can be trusted: the check for people who did not write it.

Works in a full or shallow clone, a bare repository, and a checkout of CI that has only
the remote's copy of the branch. Commits found good are remembered in this clone, so a
second run costs what is new.
"""

from __future__ import annotations

import gc
from dataclasses import dataclass

from .. import lineage
from ..errors import NotSetUp
from ..plumbing import decode
from ..store import Store
from . import past, secrets, tip
from .changes import commits
from .journals import Journals
from .memo import Memo
from .problem import Check, Problem
from .trail import Trail

__all__ = ["Check", "Problem", "Report", "find", "verify"]


@dataclass(frozen=True, slots=True)
class Report:
    """All checks of one commit of the branch, and how many commits were looked at.

    `cut` counts the commits where a shallow clone ends: what they did is not known.
    """

    rev: str
    checks: tuple[Check, ...]
    commits: int
    scanned: int
    cut: int = 0

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
    # The collector would go through all commits held again and again.
    collecting = gc.isenabled()
    gc.disable()
    try:
        return _verify(store, commit)
    finally:
        if collecting:
            gc.enable()


def _verify(store: Store, commit: str) -> Report:
    git = store.git
    branch = past.branch(store, commit)
    if not branch.ok:
        # What is no memory is not judged as memory, nor is all of its history read.
        return Report(commit, (branch,), 0, 0)
    with store.snapshot(commit) as snapshot, git.objects() as objects:
        config = store.config(snapshot)
        memo = Memo.of(store, config)
        known = memo.known(commit)
        files = tip.files(git, commit)
        checks = tip.PASSED if commit in known else tip.checks(snapshot, config, files)
        fresh = commits(git, commit, known)
        cut = lineage.cut(git)
        trail = Trail(Journals(objects))
        trail.take_all([one for one in fresh if one.oid not in cut])
    blobs = {file.oid: file.path for file in files if file.kind == "blob"}
    safe, scanned = secrets.check(git, commit, fresh, {} if commit in known else blobs)
    found = (
        branch,
        *checks,
        *trail.checks(),
        past.history(store, commit),
        safe,
        past.code_branches(store, commit),
    )
    ends = sum(one.oid in cut for one in fresh)
    report = Report(commit, found, len(fresh), scanned, ends)
    if report.ok:
        memo.add(commit)
    return report
