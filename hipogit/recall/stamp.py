"""Where the index lies, and the stamp that says whether it can be trusted.

Only light modules are imported: the prompt hook opens the index through this one.
"""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

# Another number for each change of what the index holds, the weights included.
FORMAT = 1


class Stamp(NamedTuple):
    """The commit an index is of, and the size and time its file must have."""

    tip: str
    size: int
    changed: int


def path(local: Path) -> Path:
    """The index of a clone."""
    return local / f"index-{FORMAT}.sqlite"


def files(local: Path) -> list[Path]:
    """Everything that belongs to an index of any format, its lock aside."""
    found = [*local.glob("index-*.sqlite*"), *local.glob("index-*.new*")]
    return [*found, *local.glob("index-*.stamp")]


def read(local: Path) -> Stamp | None:
    """The stamp, when the index is the file it was made for."""
    try:
        tip, size, changed = _file(local).read_text("ascii").split()
        found = Stamp(tip, int(size), int(changed))
        state = path(local).stat()
    except (OSError, ValueError):
        return None
    same = (state.st_size, state.st_mtime_ns) == (found.size, found.changed)
    return found if same else None


def write(local: Path, tip: str) -> None:
    """Vouch for the index as it lies there."""
    state = path(local).stat()
    fresh = _file(local).with_suffix(f".stamp.{os.getpid()}")
    fresh.write_text(f"{tip} {state.st_size} {state.st_mtime_ns}\n", "ascii")
    fresh.replace(_file(local))


def withdraw(local: Path) -> None:
    """Trust the index no more: it is about to change."""
    with suppress(FileNotFoundError):
        _file(local).unlink()


def connect(local: Path) -> sqlite3.Connection:
    """The index, open for reading only."""
    name = str(path(local))
    for char, code in (("%", "%25"), ("?", "%3f"), ("#", "%23")):
        name = name.replace(char, code)
    db = sqlite3.connect(f"file:{name}?mode=ro", uri=True, timeout=10)
    db.execute("pragma query_only=on")
    return db


@contextmanager
def lock(local: Path, patience: float) -> Iterator[None]:
    """Be the only one to write the index. A dead holder never blocks.

    Raises OSError when the folder cannot be written or the wait was too long.
    """
    local.mkdir(exist_ok=True)
    name = local / "index.lock"
    handle = os.open(name, os.O_RDWR | os.O_CREAT, 0o666)
    try:
        try:
            import fcntl
        except ImportError:  # no flock on this system
            import filelock

            with filelock.FileLock(f"{name}.held", timeout=patience):
                yield
            return
        end = time.monotonic() + patience
        while True:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                if time.monotonic() > end:
                    raise
                time.sleep(0.02)
        yield
    finally:
        os.close(handle)


def _file(local: Path) -> Path:
    return local / f"index-{FORMAT}.stamp"
