"""Files of the user's that init adds a few lines to, and how they are taken out again.

What was added is written down beside the branch, so that taking it out leaves every
other byte as it is, whoever changed the file in between.
"""

from __future__ import annotations

import json
import shutil
from contextlib import suppress
from pathlib import Path

from .errors import HipogitError
from .inbox import write_whole
from .plumbing import Git, encode


def append(path: Path, text: str, local: Path) -> None:
    """Put a text at the end of a file once, and write down how to take it out."""
    old = path.read_bytes() if path.exists() else None
    if old is not None and encode(text) in old:
        return
    added = text if not old or old.endswith(b"\n") else f"\n{text}"
    record = _known(local)
    entry = {"added": added, "existed": old is not None}
    if not path.parent.is_dir():
        entry["folder"] = True
        path.parent.mkdir()
    record[path.name] = entry
    text = json.dumps(record, indent=1) + "\n"
    # Lost, nothing would know how to take it out of the user's file again.
    write_whole(local / "touched.json", text, durable=True)
    rewrite(path, (old or b"") + encode(added))


def restore(git: Git, local: Path) -> list[str]:
    """Take out what was added to each file; the files that changed."""
    removed = []
    places = {"config": git.common / "config", "exclude": git.common / "info/exclude"}
    for name, entry in _known(local).items():
        path, added = places[name], encode(str(entry["added"]))
        data = path.read_bytes() if path.exists() else b""
        at = data.rfind(added)
        if at >= 0:
            data = data[:at] + data[at + len(added) :]
            if data or entry["existed"]:
                rewrite(path, data)
            else:
                path.unlink()
            removed.append(str(path))
        if entry.get("folder"):
            drop_empty(path.parent)
    return removed


def _known(local: Path) -> dict[str, dict[str, object]]:
    try:
        found = json.loads((local / "touched.json").read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def rewrite(path: Path, data: bytes) -> None:
    """Replace a file of the user's in one step, keeping its mode."""
    target = path.resolve()
    # git's own name for the lock of a file it is about to replace.
    temporary = target.with_name(f"{target.name}.lock")
    try:
        with temporary.open("xb") as file:
            file.write(data)
    except FileExistsError:
        raise HipogitError(
            f"{target} is locked: another git is changing it",
            hint=f"when none is running: rm {temporary}",
        ) from None
    if target.exists():
        shutil.copymode(target, temporary)
    temporary.replace(target)


def put(path: Path, text: str) -> None:
    """Write a file of ours, unless it says just that already."""
    with suppress(OSError):
        if path.read_bytes() == encode(text):
            return
    write_whole(path, text)


def drop_empty(path: Path) -> None:
    """Remove a folder if nothing is in it."""
    with suppress(OSError):
        path.rmdir()
