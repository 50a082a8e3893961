"""Whether a memory branch can be trusted: the check for people who did not write it.

Works in a full or shallow clone, a bare repository, and a checkout of CI that has only
the remote's copy of the branch. Commits found good are remembered in this clone, so a
second run costs what is new.
"""

from __future__ import annotations

import gc
from dataclasses import dataclass

from .. import lineage, sweep
from ..periods import journal_day
from ..store import Store
from . import past, secrets, tip
from .brought import each
from .changes import commits
from .journals import Journals
from .locate import absent, find
from .memo import Memo
from .problem import Check, Problem
from .trail import Trail

__all__ = ["Check", "Problem", "Report", "absent", "find", "verify"]


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
    with store.snapshot(commit) as snapshot:
        config = store.config(snapshot)
    memo = Memo.of(store, config)
    known = memo.known(commit)
    seen = commit in known
    files = tip.files(git, commit)
    checks, derived = tip.PASSED, frozenset[str]()
    if not seen:
        checks, derived = tip.checks(git, commit, config, files)
    fresh = commits(git, commit, known)
    cut = lineage.cut(git)
    scan = secrets.Secrets(
        git,
        commit,
        {
            file.oid: file.path
            for file in files
            if file.kind == "blob" and not seen and file.path not in derived
        },
    )
    progress = sweep.counter()
    with git.objects() as objects:
        journals = Journals(objects)
        trail = Trail(journals)

        def wanted(oid: str, path: str) -> bool:
            return scan.wants(oid) or journal_day(path) is not None

        for number, (one, brought) in enumerate(each(git, fresh, wanted), 1):
            scan.message(one)
            for blob in brought:
                if journal_day(blob.path):
                    journals.give(blob.oid, blob.data)
                if scan.wants(blob.oid):
                    scan.blob(blob.oid, blob.path, blob.data, one.oid)
            if one.oid not in cut:
                trail.take(one)
            if progress:
                progress(number)
        if not seen:
            scan.rest(objects)
    found = (
        branch,
        *checks,
        *trail.checks(),
        past.history(store, commit, {one.oid for one in fresh}),
        scan.check(),
        past.code_branches(store, commit),
    )
    ends = sum(one.oid in cut for one in fresh)
    report = Report(commit, found, len(fresh), scan.read, ends)
    if report.ok:
        memo.add(commit)
    return report
