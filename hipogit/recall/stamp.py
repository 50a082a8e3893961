"""Where the index lies, and the stamp that says whether it can be trusted.

Only light modules are imported: the prompt hook opens the index through this one.
"""

from __future__ import annotations

import os
import time

TYPE_CHECKING = False  # `typing` costs as much as an empty Python
if TYPE_CHECKING:
    import sqlite3
    from pathlib import Path
    from types import TracebackType
    from typing import Any

# Another number for each change of what the index holds, the weights included.
FORMAT = 3


class Stamp:
    """The commit an index is of, and the size and time its file must have."""

    __slots__ = ("changed", "size", "tip")

    def __init__(self, tip: str, size: int, changed: int) -> None:
        self.tip = tip
        self.size = size
        self.changed = changed


def path(local: Path) -> Path:
    """The index of a clone."""
    return local / f"index-{FORMAT}.sqlite"


def files(local: Path) -> list[Path]:
    """Everything that belongs to an index of any format, its lock aside."""
    found = [*local.glob("index-*.sqlite*"), *local.glob("index-*.new*")]
    return [*found, *local.glob("index-*.stamp")]


def read(local: Path | str) -> Stamp | None:
    """The stamp, when the index is the file it was made for."""
    # The prompt hook gives a text: making it a Path would import pathlib.
    try:
        with open(f"{local}/index-{FORMAT}.stamp", "rb") as file:  # noqa: PTH123
            tip, size, changed = file.read().decode("ascii").split()
        found = Stamp(tip, int(size), int(changed))
        state = os.stat(f"{local}/index-{FORMAT}.sqlite")  # noqa: PTH116
    except (OSError, ValueError):
        return None
    same = (state.st_size, state.st_mtime_ns) == (found.size, found.changed)
    return found if same else None


def write(local: Path, tip: str) -> None:
    """Vouch for the index as it lies there."""
    state = path(local).stat()
    # A change within one tick of the file system's clock would leave the time as it
    # is. Set back by a second, the time is one that no later change can have.
    earlier = state.st_mtime_ns - 1_000_000_000
    os.utime(path(local), ns=(state.st_atime_ns, earlier))
    state = path(local).stat()
    fresh = _file(local).with_suffix(f".stamp.{os.getpid()}")
    fresh.write_text(f"{tip} {state.st_size} {state.st_mtime_ns}\n", "ascii")
    fresh.replace(_file(local))


def withdraw(local: Path) -> None:
    """Trust the index no more: it is about to change."""
    _file(local).unlink(missing_ok=True)


def connect(local: Path | str) -> sqlite3.Connection:
    """The index, open for reading only."""
    name = f"{local}/index-{FORMAT}.sqlite"
    for char, code in (("%", "%25"), ("?", "%3f"), ("#", "%23")):
        name = name.replace(char, code)
    db: sqlite3.Connection = driver().connect(
        f"file:{name}?mode=ro", uri=True, timeout=10
    )
    db.execute("pragma query_only=on")
    return db


def driver() -> Any:
    """SQLite's module, without what it offers for dates: that imports datetime."""
    try:
        import _sqlite3
    except ImportError:  # another Python than the usual one
        import sqlite3

        return sqlite3
    return _sqlite3


class lock:
    """Be the only one to write the index. A dead holder never blocks.

    Raises OSError when the folder cannot be written or the wait was too long.
    """

    def __init__(self, local: Path, patience: float) -> None:
        self._local = local
        self._patience = patience
        self._handle = -1

    def __enter__(self) -> None:
        import fcntl

        self._local.mkdir(exist_ok=True)
        name = self._local / "index.lock"
        self._handle = os.open(name, os.O_RDWR | os.O_CREAT, 0o666)
        end = time.monotonic() + self._patience
        while True:
            try:
                fcntl.flock(self._handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                return
            except BlockingIOError:
                if time.monotonic() > end:
                    os.close(self._handle)
                    raise
                time.sleep(0.02)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        os.close(self._handle)


def _file(local: Path) -> Path:
    return local / f"index-{FORMAT}.stamp"
