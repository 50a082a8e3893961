"""Files read whole and replaced in one step."""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Iterable
from pathlib import Path

from hipogit.errors import Usage


def read(path: Path) -> bytes | None:
    """The bytes of a file; None when there is none."""
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise Usage(
            f"{path} cannot be read: {error.strerror}",
            hint="mend its place or its rights and run the command again",
        ) from None


def decode(data: bytes, name: str) -> str:
    """The file's text, byte order mark and all; refused when it is not UTF-8."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        raise Usage(
            f"{name} cannot be changed safely: it is not UTF-8",
            hint="save it as UTF-8 and run the command again; nothing was changed",
        ) from None


def write(path: Path, data: bytes) -> list[Path]:
    """Replace the file at once and keep its mode; the folders that had to be made."""
    # Renaming over a link would cut it off from the dotfiles it leads to.
    path = path.resolve()
    made = []
    folder = path.parent
    while not folder.exists():
        made.append(folder)
        folder = folder.parent
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            Path(name).chmod(_mode(path))
            Path(name).replace(path)
        finally:
            Path(name).unlink(missing_ok=True)
    except OSError as error:
        raise Usage(
            f"{path} cannot be written: {error.strerror}",
            hint="mend its place or its rights and run the command again",
        ) from None
    return made


def delete(path: Path) -> None:
    """Delete a file that we made; what a link led to then, and the link stays."""
    try:
        path.resolve().unlink()
    except OSError as error:
        raise Usage(
            f"{path} cannot be deleted: {error.strerror}",
            hint="mend its place or its rights and run the command again",
        ) from None


def prune(folders: Iterable[Path]) -> None:
    """Delete those of the folders that are empty, innermost first."""
    for folder in sorted(set(folders), key=lambda f: len(f.parts), reverse=True):
        with contextlib.suppress(OSError):
            folder.rmdir()


def _mode(path: Path) -> int:
    if path.exists():
        return path.stat().st_mode & 0o7777
    # mkstemp makes files for one person alone; a settings file is for whoever may read.
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
