"""Transcripts that are read whole each time: JSON documents and compressed rollouts.

The cursor then holds the digest of the content and the ids of the turns given.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Container, Mapping
from pathlib import Path
from typing import BinaryIO

from ..errors import Usage
from . import packed
from .cursor import Cursor
from .documents import read_messages
from .fields import items, mapping, text
from .growing import feed, rows
from .lines import digest_of
from .reading import Reading
from .turns import Pen


def read(
    platform: str,
    path: Path,
    file: BinaryIO,
    since: Cursor | None,
    final: bool,
    injected: Container[str],
) -> Reading:
    """The turns of a file that were not given before."""
    stat = os.fstat(file.fileno())
    digest = digest_of(file, 0, stat.st_size)
    file.seek(0)
    if path.suffix != ".zst":
        fill = _document(platform, path, file)
    elif packed.can_open():
        fill = _rollout(platform, path, file)
    else:
        # Nothing is lost: the next reading finds the file again.
        return Reading((), since or Cursor(), {"compressed (needs hipogit[zstd])": 1})
    return _new(fill, stat.st_ino, digest, since, final, injected)


def read_export(
    export: Mapping[str, object],
    since: Cursor | None = None,
    *,
    final: bool = False,
    injected: Container[str] = frozenset(),
) -> Reading:
    """`read` for an OpenCode export that a hook handed over instead of a file."""
    from . import opencode

    def fill(pen: Pen) -> None:
        reader = opencode.Reader(pen, {})
        reader.header(export)
        for pen.start, message in enumerate(items(export.get("messages"))):
            reader.message(mapping(message))

    digest = hashlib.sha256(json.dumps(export).encode()).hexdigest()
    return _new(fill, 0, digest, since, final, injected)


def _document(platform: str, path: Path, file: BinaryIO) -> Callable[[Pen], None]:
    from . import gemini, opencode

    kinds: dict[str, type[opencode.Reader] | type[gemini.Reader]] = {
        "opencode": opencode.Reader,
        "gemini": gemini.Reader,
    }
    if platform not in kinds:
        raise Usage(
            f"{path} is no transcript of {platform}",
            hint="its transcripts are .jsonl files",
        )

    def fill(pen: Pen) -> None:
        reader = kinds[platform](pen, {})

        def message(row: Mapping[str, object]) -> None:
            reader.message(row)
            pen.start += 1

        read_messages(file, str(path), reader.header, message)

    return fill


def _rollout(platform: str, path: Path, file: BinaryIO) -> Callable[[Pen], None]:
    def fill(pen: Pen) -> None:
        with packed.opened(file, path) as plain:
            feed(plain, rows(platform, pen, {}), pen, Cursor())

    return fill


def _new(
    fill: Callable[[Pen], None],
    inode: int,
    digest: str,
    since: Cursor | None,
    final: bool,
    injected: Container[str],
) -> Reading:
    given: set[str] = set()
    if since is not None:
        waiting = final and since.state.get("open") is True
        if since.last == digest and not waiting:
            return Reading((), since, started=since.started)
        given.update(map(text, items(since.state.get("given"))))
    pen = Pen(injected)
    fill(pen)
    if final:
        pen.give_out()
    pen.turns = [turn for turn in pen.turns if turn.id not in given]
    given.update(turn.id for turn in pen.turns)
    state = {"given": sorted(given), "open": pen.open is not None}
    cursor = Cursor(inode=inode, last=digest, state=state, started=pen.started)
    return Reading.written(pen, cursor)
