"""An OpenClaw workspace's own memory files and the branch: a copy out, an index in.

The workspace wins: its files are copied to the branch, gated, and never overwritten
from there. Only our block, and an Adaptive section that outgrew its size, are changed.
"""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from . import gate, memory
from .context import ROOT
from .platforms import files
from .platforms.openclaw_memory import own_text, pruned, refresh
from .plumbing import decode, encode
from .record import Record
from .store import Snapshot, Step, Store

FILES = ("MEMORY.md", "USER.md")
# OpenClaw itself reads 20,000 characters of a file; far more is no memory file.
_CAP = 1_000_000


def keep(store: Store, workspace: Path, now: datetime) -> list[str]:
    """Copy the files to the branch and renew the block; sentences on what was done.

    Nothing happens in a folder whose MEMORY.md has no block of ours.
    """
    texts = _own_texts(workspace)
    if "MEMORY.md" not in texts:
        return []
    notes = []
    cleaned = {path: gate.clean(text) for path, text in texts.items()}

    def decide(snapshot: Snapshot) -> list[Step] | None:
        changes: dict[str, str | None] = {
            path: done.text
            for path, done in cleaned.items()
            if done.text != (snapshot.read(path) or "")
        }
        if not changes or snapshot.tip is None:
            return None
        found = sum(len(cleaned[path].findings) for path in changes)
        names = ", ".join(changes)
        return [
            Step(changes, Record("edit", names, source="openclaw", redactions=found))
        ]

    written = memory.write(store, decide, now)
    if written:
        notes.append("the workspace's memory files are copied to the branch")
    # Only what is safe in a commit may leave the file.
    path = workspace / "MEMORY.md"
    left, dropped = pruned(decode(path.read_bytes()))
    if dropped:
        files.write(path, encode(left))
        notes.append(f"{len(dropped)} oldest lines left Adaptive; the branch has them")
    with store.snapshot() as snapshot:
        if refresh(workspace, snapshot.read(ROOT) or ""):
            notes.append("the index in MEMORY.md is renewed")
    return notes


def _own_texts(workspace: Path) -> dict[str, str]:
    found = {}
    for name in FILES:
        data = files.read(workspace / name)
        if data is None or len(data) > _CAP:
            continue
        text = own_text(decode(data), workspace / name)
        if text is not None or name != "MEMORY.md":
            found[name] = decode(data) if text is None else text
    return found
