"""Git's hooks in the memory worktree: the second door, for people who commit by hand.

The clean filter redacts what `git add` stores. The hooks before a commit refuse what it
let through; the hooks after one adopt hand-typed entries and rebuild summaries, and a
failure of theirs is one line and exit 0.
"""

from __future__ import annotations

import os
import sys

from .. import marks, quick
from . import byhand

# Git runs the clean filter once a file, so each handler imports what it needs.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from ..plumbing import Git


def run(event: str, args: Sequence[str]) -> int:
    """Handle one hook; its exit code."""
    handle = _HANDLERS.get(event)
    if handle is None:
        sys.stderr.write(f"error: no git hook is called {event}\n")
        return 2
    place = quick.find(os.curdir)
    probe = bool(os.environ.get("HIPOGIT_PROBE"))
    if place:
        marks.reached(place.local, "git", event, probe=probe)
    return 0 if probe else handle(args)


# As `entry.render` writes it: at the start of a line, with an id of ours.
_ENTRY = rb"(?m)^<!-- hipogit id=\d{8}-[a-z0-9]{6}"


def _no_memory(args: Sequence[str]) -> int:
    """Refuse entries on a code branch. What tells them is their comment, not a path:
    any project may have a folder called memory."""
    import re
    from pathlib import Path

    from .. import sources
    from ..gate.report import plain
    from ..plumbing import decode
    from ..store import Store

    here = Path.cwd()
    store = Store.open(here)
    head = decode(store.git.attempt("symbolic-ref", "-q", "HEAD").stdout).strip()
    if head == store.ref:
        return 0
    index = os.environ.get("GIT_INDEX_FILE")
    paths = [arg for arg in args if arg != "--"]
    bad = 0
    for piece in sources.staged(store.git, paths, here, index):
        found = re.search(_ENTRY, piece.data)
        if found:
            line = piece.data.count(b"\n", 0, found.start()) + 1
            sys.stderr.write(f"{plain(piece.path)}:{line}: an entry of memory\n")
            bad += 1
    if bad:
        sys.stderr.write(
            f"error: memory lives on {store.branch}, not on a code branch\n"
            "hint: git restore --staged FILE; hipogit import markdown FILE keeps it\n"
        )
    return 1 if bad else 0


def _push(args: Sequence[str]) -> int:
    """Let memory go to the one remote that was named for it, and nowhere else."""
    from pathlib import Path

    from ..store import Store

    store = Store.open(Path.cwd())
    refs = [line.split(" ")[0] for line in sys.stdin.read().split("\n")]
    remote = store.config().text("remote")
    name, url = [*args, "", ""][:2]
    if store.ref not in refs and "HEAD" not in refs:
        return 0
    if remote and remote in (name, url):
        return 0
    sys.stderr.write(
        f"error: memory is not published to {name}: "
        + (f"its remote is {remote}\n" if remote else "no remote was named for it\n")
        + f"hint: hipogit init --remote {name}\n"
    )
    return 1


def _after(args: Sequence[str]) -> int:
    """Take up what was committed by hand."""
    from pathlib import Path

    from .. import clock, edits
    from ..errors import HipogitError
    from ..store import Store

    store = None
    now = clock.now()
    try:
        store = Store.open(Path.cwd())
        view, tip = store.view, store.tip()
        if view and tip and _is_view(store.git, view.admin):
            view.mark_shown(tip)
        edits.settle(store, now)
    except HipogitError as problem:
        if store:
            store.ledger.note(now.isoformat(), "post-commit", problem.sentence)
        sys.stderr.write(f"hipogit: summaries wait: {problem.sentence}\n")
    return 0


def _is_view(git: Git, admin: Path) -> bool:
    return git.dir.resolve() == admin.resolve()


_HANDLERS: dict[str, Callable[[Sequence[str]], int]] = {
    "clean-filter": byhand.clean_filter,
    "no-memory": _no_memory,
    "pre-commit": byhand.before,
    "pre-merge-commit": byhand.before,
    "commit-msg": byhand.message,
    "pre-push": _push,
    "post-commit": _after,
    "post-merge": _after,
    "post-rewrite": _after,
}
