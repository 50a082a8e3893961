"""Putting right what a killed writer left.

The objects and the ref need no care: a ref moves whole or not at all. What a writer
killed between the ref and its end can leave is a view that still shows the tip before,
withdrawn text included, and lock files of the git it was waiting for, which make the
user's own git fail. A mark says that a write is going on; whoever has the memory lock
and finds a mark knows that its writer is gone, and so are the gits it started, because
those hold the lock as long as they run.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

from . import access, lineage, worktree, writer
from .plumbing import TIME_LIMIT, Git

_MARK = "writing"
_ADDS = "adds\n"


def begin(local: Path, *, withdraws: bool) -> None:
    """Mark that a write begins; `withdraws` when the view must not stay behind."""
    try:
        (local / _MARK).write_text("withdraws\n" if withdraws else _ADDS, "ascii")
    except OSError as problem:
        raise access.refusal(local, problem) from None


def end(local: Path) -> None:
    """The write is over, whatever became of it."""
    (local / _MARK).unlink(missing_ok=True)


def needed(local: Path) -> bool:
    """Whether somebody is writing, or was killed while writing."""
    return (local / _MARK).exists()


def recover(git: Git, ref: str, clear: Callable[[str], str]) -> None:
    """Undo what a killed writer left. Call it under the memory lock.

    Edits that stand in the way of a withdrawal are cleaned by `clear` and saved beside
    the file, as that writer would have done.
    """
    mark = git.common / "hipogit" / _MARK
    try:
        began, said = mark.stat().st_mtime, mark.read_text("ascii", "replace")
    except FileNotFoundError:
        return
    view = worktree.find(git)
    for lock in locks(git, ref, view):
        with suppress(OSError):
            # One that was there before, or came later, is somebody else's.
            if -1 < lock.stat().st_mtime - began < TIME_LIMIT:
                lock.unlink()
    writer.unkeep(git, began)
    writer.sweep(git)
    tip = git.refs(ref).get(ref)
    if view is not None and tip and not lineage.foreign(git, tip):
        # A mark cut short may have been about to say that text is withdrawn.
        adds = said == _ADDS
        state = view.refresh(tip, None if adds else clear, again=True)
        if not (state.current or adds) and view.present:
            return  # withdrawn text can still be read there: the next one tries again
    end(git.common / "hipogit")


def locks(git: Git, ref: str, view: worktree.Worktree | None) -> Iterator[Path]:
    """Where a git that wrote to memory may have left a lock."""
    yield git.common / f"{ref}.lock"
    yield git.common / "packed-refs.lock"
    yield git.common / "reftable" / "tables.list.lock"
    yield from (git.common / "refs" / "hipogit" / "stage").glob("*.lock")
    # Beneath a hook it is that of the commit which runs us.
    if view is not None and "GIT_INDEX_FILE" not in os.environ:
        yield view.admin / "index.lock"
        yield view.admin / "HEAD.lock"
