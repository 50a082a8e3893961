"""The context as a file that a host may import by itself, kept at the tip.

A host that imports the memory files themselves also loads every file that memory
mentions with an `@` (seen with Claude Code), and reads edits that were never gated. So
it is given one file of ours, below the git directory, with no such mention in it.
"""

from __future__ import annotations

import re
from pathlib import Path

from . import context
from .inbox import write_whole
from .plumbing import encode
from .store import Store

NAME = "import.md"
# Claude Code takes an `@` behind a blank for an import, and a backslash as its end.
_MENTION = re.compile(r"(?<![^\s])@")


def place(local: Path) -> Path:
    """The file; `local` is `<common git dir>/hipogit`."""
    return local / NAME


def begin(store: Store) -> bool:
    """Make the file; whether it was not there before."""
    if place(store.local).exists():
        return False
    _write(store)
    return True


def renew(store: Store) -> None:
    """Bring the file to the tip, where somebody imports it."""
    path = place(store.local)
    if path.exists() and shown(path) != store.tip():
        _write(store)


def shown(path: Path) -> str:
    """The commit whose context the file holds."""
    try:
        return path.with_suffix(".tip").read_text("ascii").strip()
    except (OSError, UnicodeDecodeError):
        return ""


def _write(store: Store) -> None:
    with store.snapshot() as snapshot:
        if snapshot.tip is None:
            return
        files = [(path, snapshot.read(path)) for path in context.FILES]
        limit = store.config(snapshot).number("compaction.token_budget") * 4
        tip = snapshot.tip
    text = context.assemble(files, lambda text: context.size(text) <= limit).text
    text = _MENTION.sub(r"\\@", text)
    path = place(store.local)
    if not path.exists() or path.read_bytes() != encode(text):
        write_whole(path, text)
    # Last: whoever finds this tip may trust that the text is of it.
    write_whole(path.with_suffix(".tip"), tip + "\n")
