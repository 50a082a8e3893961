"""Git's hooks in the memory worktree: the second door, for people who commit by hand.

The clean filter redacts what `git add` stores. The hooks before a commit refuse what it
let through; the hooks after one adopt hand-typed entries and rebuild summaries, and a
failure of theirs is one line and exit 0.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from .. import clock, gate, memory
from ..errors import HipogitError
from ..plumbing import Git, decode, encode
from ..store import Store


def run(event: str, args: Sequence[str]) -> int:
    """Handle one hook; its exit code."""
    handle = _HANDLERS.get(event)
    if handle is None:
        sys.stderr.write(f"error: no git hook is called {event}\n")
        return 2
    return handle(args)


def _clean_filter(args: Sequence[str]) -> int:
    """Standard input, gated, on standard output: what `git add` will store."""
    text = decode(sys.stdin.buffer.read())
    sys.stdout.buffer.write(encode(gate.clean(text).text))
    return 0


def _after(args: Sequence[str]) -> int:
    """Take up what was committed by hand."""
    store = None
    now = clock.now()
    try:
        store = Store.open(Path.cwd())
        view, tip = store.view, store.tip()
        if view and tip and _is_view(store.git, view.admin):
            view.mark_shown(tip)
        memory.settle(store, now)
    except HipogitError as problem:
        if store:
            store.ledger.note(now.isoformat(), "post-commit", problem.sentence)
        sys.stderr.write(f"hipogit: summaries wait: {problem.sentence}\n")
    return 0


def _is_view(git: Git, admin: Path) -> bool:
    return git.dir.resolve() == admin.resolve()


_HANDLERS: dict[str, Callable[[Sequence[str]], int]] = {
    "clean-filter": _clean_filter,
    "post-commit": _after,
    "post-merge": _after,
    "post-rewrite": _after,
}
