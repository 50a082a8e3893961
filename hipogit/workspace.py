"""An OpenClaw workspace's own memory files and the branch: a copy out, an index in.

The workspace wins: its files are copied to the branch, gated, and never overwritten
from there. Only our block, and an Adaptive section that outgrew its size, are changed.

Core is frozen. The first one that was copied stays the one memory knows; another is not
taken, but reported until a person accepts it (`accept`) or it is put back (`put_back`).
"""

from __future__ import annotations

import hashlib
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from . import correct, hot, memory
from .context import ROOT
from .errors import Refused
from .inbox import write_whole
from .platforms import files
from .platforms.openclaw_memory import own_text, pruned, refresh
from .plumbing import decode, encode
from .record import Record
from .store import Snapshot, Step, Store

FILES = ("MEMORY.md", "USER.md")
# OpenClaw itself reads 20,000 characters of a file; far more is no memory file.
_CAP = 1_000_000


class Core(NamedTuple):
    """The Core section memory knows, and another that stands in the workspace."""

    path: Path
    known: str
    here: str

    def __str__(self) -> str:
        return (
            f"the Core section of {self.path} is frozen and was changed: memory keeps"
            " the one it knows"
        )


def keep(store: Store, workspace: Path, now: datetime) -> list[str]:
    """Copy the files to the branch and renew the block; sentences on what was done.

    Nothing happens in a folder whose MEMORY.md has no block of ours.
    """
    texts = _own_texts(workspace)
    if "MEMORY.md" not in texts:
        return []
    notes = []
    if _copy(store, texts, now):
        notes.append("the workspace's memory files are copied to the branch")
    changed = changed_core(store, workspace)
    if changed:
        notes.append(str(changed))
    _report(store, changed, now)
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


def changed_core(store: Store, workspace: Path) -> Core | None:
    """What memory and the workspace say where they differ on what is frozen."""
    text = _own_texts(workspace).get("MEMORY.md")
    if text is None:
        return None
    with store.snapshot() as snapshot:
        known = hot.core(snapshot.read("MEMORY.md") or "")
    here = hot.core(memory.cleaned(store, text).text)
    return (
        Core(workspace / "MEMORY.md", known, here) if known not in ("", here) else None
    )


def accept(store: Store, workspace: Path, who: correct.Who, now: datetime) -> str:
    """Take the workspace's Core as the one memory knows; the commit.

    Raises Refused where there is nothing to accept.
    """
    found = _changed(store, workspace)
    who.person("hipogit core --accept")
    record = who.record("edit", "MEMORY.md: Core accepted", (), "")
    written = _copy(store, _own_texts(workspace), now, record)
    _report(store, None, now)
    if not written:
        raise Refused(f"{found.path} was changed meanwhile", hint="hipogit core")
    return written


def put_back(store: Store, workspace: Path) -> Path:
    """Give the workspace the Core that memory knows; the file.

    Raises Refused where there is nothing to put back, or not all of it is known.
    """
    found = _changed(store, workspace)
    text = decode(found.path.read_bytes())
    # Memory knows it without its secrets; those lines are still there, as a rule.
    said = {
        memory.cleaned(store, line).text: line for line in hot.core(text).split("\n")
    }
    lines = [said.get(line, line) for line in found.known.split("\n")]
    lost = [line for line in lines if "[REDACTED:" in line]
    if lost:
        raise Refused(
            f"memory knows {len(lost)} of the lines of Core only without a secret",
            hint=f"edit {found.path}: hipogit core shows what to change",
        )
    files.write(found.path, encode(hot.with_core(text, "\n".join(lines))))
    return found.path


def _changed(store: Store, workspace: Path) -> Core:
    found = changed_core(store, workspace)
    if found is None:
        raise Refused(
            f"the Core section in {workspace} is as memory knows it, or there is none",
            hint="hipogit status",
        )
    return found


def _copy(
    store: Store, texts: dict[str, str], now: datetime, accepted: Record | None = None
) -> str | None:
    """The commit that brings the files in, Core only as `accepted`; None for none."""
    cleaned = {path: memory.cleaned(store, text) for path, text in texts.items()}

    def decide(snapshot: Snapshot) -> list[Step] | None:
        changes: dict[str, str | None] = {}
        for path, done in cleaned.items():
            old, new = snapshot.read(path) or "", done.text
            known = hot.core(old)
            if path == "MEMORY.md" and known and not accepted:
                new = hot.with_core(new, known) if hot.core(new) != known else new
            if new != old:
                changes[path] = new
        if not changes or snapshot.tip is None:
            return None
        found = sum(len(cleaned[path].findings) for path in changes)
        names = ", ".join(changes)
        record = accepted or Record("edit", names, source="openclaw", redactions=found)
        return [Step(changes, record)]

    written = memory.write(store, decide, now)
    return written.commits[0] if written else None


def _report(store: Store, changed: Core | None, now: datetime) -> None:
    """One line in the ledger for each Core that was not taken."""
    mark = store.local / "core.reported"
    if changed is None:
        mark.unlink(missing_ok=True)
        return
    digest = hashlib.sha256(encode(changed.here)).hexdigest()
    known = mark.read_text() if mark.exists() else ""
    if known != digest:
        store.ledger.note(now.isoformat(), "workspace", str(changed), "hipogit core")
        with suppress(OSError):
            write_whole(mark, digest)


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
