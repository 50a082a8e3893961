"""What people said to their agents, read from the agents' own transcripts.

    reading = read("claude-code", path, since=cursor)

Read are user statements verbatim and, of the answers, decisions, outcomes and the
names of tools. Never: thinking, tool output, images, injected context, harness text.
Cursor (the editor) has no transcript here: the format of its files is unknown, its
hooks carry the prompt (`capture.from_hook`).

A turn is complete when the next statement comes, or when the caller says
`final=True` (a Stop hook, the end of a session). Until then nothing of it is given
and the next reading begins at its statement again, so that many small readings give
the turns of one. Turns are known by their message id: who stores them keeps the first
of an id. What an agent adds by itself after a final reading (a background task came
back) is a turn without `user` text that `continues` the earlier one.
"""

from __future__ import annotations

import os
from collections.abc import Container, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import BinaryIO, Protocol

from ..errors import Usage
from .cursor import Cursor
from .turns import Pen, State, Turn

__all__ = ["PLATFORMS", "Cursor", "Reading", "Turn", "read", "read_export"]

PLATFORMS = ("claude-code", "codex", "gemini", "opencode", "openclaw")


@dataclass(frozen=True, slots=True)
class Reading:
    """What a reading gave: complete turns, and how far it got.

    `skipped` counts what was passed over by reason. `rewound` are message ids of
    statements the user took back, given earlier or never; `summaries` counts the
    compaction summaries that came by. `started` is when the session began, as its
    first lines tell, `session` its id when any statement came by.
    """

    turns: tuple[Turn, ...]
    cursor: Cursor
    skipped: Mapping[str, int] = field(default_factory=dict)
    rewound: tuple[str, ...] = ()
    summaries: int = 0
    started: datetime | None = None
    session: str = ""


class _Rows(Protocol):
    def state(self) -> State: ...

    def row(self, row: Mapping[str, object]) -> None: ...


class _Messages(Protocol):
    def header(self, row: Mapping[str, object]) -> None: ...

    def message(self, row: Mapping[str, object]) -> None: ...


def read(
    platform: str,
    path: Path,
    since: Cursor | None = None,
    *,
    final: bool = False,
    injected: Container[str] = frozenset(),
) -> Reading:
    """The turns completed since the cursor.

    `injected` are lines that were put before the agent from memory (or anything that
    knows them without their list marks); an answer that repeats one says nothing new.
    A transcript that is missing or cut raises a HipogitError; bad lines inside one are
    skipped and counted.
    """
    if platform not in PLATFORMS:
        raise Usage(
            f"transcripts of {platform!r} cannot be read",
            hint=f"one of: {', '.join(PLATFORMS)}",
        )
    if not path.exists() and platform == "codex":
        packed = path.with_name(path.name + ".zst")
        path = packed if packed.exists() else path
    try:
        with path.open("rb") as file:
            if platform == "opencode" or path.suffix == ".json":
                return _document(platform, path, file, since, final, injected)
            if path.suffix == ".zst":
                return _packed(platform, path, file, since, final, injected)
            return _growing(platform, file, since, final, injected)
    except OSError as error:
        raise Usage(
            f"{path} cannot be read: {error.strerror or error}",
            hint="name a session's transcript, see `hipogit capture --help`",
        ) from error


def read_export(
    export: Mapping[str, object],
    since: Cursor | None = None,
    *,
    final: bool = False,
    injected: Container[str] = frozenset(),
) -> Reading:
    """`read` for an OpenCode export that a hook handed over instead of a file."""
    import hashlib
    import json

    from . import opencode
    from .fields import items, mapping

    digest = hashlib.sha256(json.dumps(export).encode()).hexdigest()
    if since is not None and _nothing_new(since, digest, final):
        return Reading((), since, started=since.started)
    pen = Pen(injected)
    reader = opencode.Reader(pen, {})
    reader.header(export)
    for pen.start, message in enumerate(items(export.get("messages"))):
        reader.message(mapping(message))
    return _whole(pen, 0, digest, since, final)


def _growing(
    platform: str,
    file: BinaryIO,
    since: Cursor | None,
    final: bool,
    injected: Container[str],
) -> Reading:
    start = since if since is not None and since.still_fits(file) else Cursor()
    pen = Pen(injected, start.given, start.started)
    reader = _rows(platform, pen, start.state)
    file.seek(start.offset)
    line, end, last = _feed(file, reader, pen, start)
    if final:
        pen.give_out()
    open = pen.open
    cursor = Cursor(
        inode=os.fstat(file.fileno()).st_ino,
        offset=open.offset if open else end,
        end=end,
        line=line,
        last=last,
        state=open.before if open else reader.state(),
        given=pen.given,
        started=pen.started,
    )
    return _reading(pen, cursor)


def _feed(
    file: BinaryIO, reader: _Rows, pen: Pen, start: Cursor
) -> tuple[int, int, str]:
    """Read on; gives place, end and digest of the last complete line."""
    from .fields import loads
    from .lines import complete_lines

    newest = None
    for line in complete_lines(file, start.offset):
        pen.start, pen.fresh = line.start, line.start >= start.end
        newest = line
        if line.data is None:
            pen.skip("too long")
            continue
        if line.blank:
            continue
        try:
            row = loads(line.data.decode("utf-8", "replace"))
        except ValueError:
            pen.skip("unparsable")
            continue
        if isinstance(row, dict):
            reader.row(row)
        else:
            pen.skip("not an object")
    if newest is None or newest.end <= start.end:
        return start.line, start.end, start.last
    return newest.start, newest.end, newest.digest


def _document(
    platform: str,
    path: Path,
    file: BinaryIO,
    since: Cursor | None,
    final: bool,
    injected: Container[str],
) -> Reading:
    from .documents import read_messages

    digest = _digest(file)
    if since is not None and _nothing_new(since, digest, final):
        return Reading((), since, started=since.started)
    pen = Pen(injected)
    reader: _Messages
    if platform == "opencode":
        from . import opencode

        reader = opencode.Reader(pen, {})
    elif platform == "gemini":
        from . import gemini

        reader = gemini.Reader(pen, {})
    else:
        raise Usage(
            f"{path} is no transcript of {platform}",
            hint="its transcripts are .jsonl files",
        )

    def message(row: Mapping[str, object]) -> None:
        reader.message(row)
        pen.start += 1

    read_messages(file, str(path), reader.header, message)
    return _whole(pen, os.fstat(file.fileno()).st_ino, digest, since, final)


def _packed(
    platform: str,
    path: Path,
    file: BinaryIO,
    since: Cursor | None,
    final: bool,
    injected: Container[str],
) -> Reading:
    digest = _digest(file)
    if since is not None and _nothing_new(since, digest, final):
        return Reading((), since, started=since.started)
    from . import packed

    if not packed.can_open():
        # Nothing is lost: the next reading finds the file again.
        return Reading((), since or Cursor(), {"compressed (needs hipogit[zstd])": 1})
    pen = Pen(injected)
    with packed.opened(file, path) as plain:
        _feed(plain, _rows(platform, pen, {}), pen, Cursor())
    return _whole(pen, os.fstat(file.fileno()).st_ino, digest, since, final)


def _whole(
    pen: Pen, inode: int, digest: str, since: Cursor | None, final: bool
) -> Reading:
    """The turns of a file that is read whole, less those given before."""
    from .fields import items, text

    if final:
        pen.give_out()
    given = set(map(text, items(since.state.get("given")))) if since else set()
    pen.turns = [turn for turn in pen.turns if turn.id not in given]
    given.update(turn.id for turn in pen.turns)
    state = {"given": sorted(given), "open": pen.open is not None}
    cursor = Cursor(inode=inode, last=digest, state=state, started=pen.started)
    return _reading(pen, cursor)


def _nothing_new(since: Cursor, digest: str, final: bool) -> bool:
    if since.last != digest:
        return False
    return not (final and since.state.get("open") is True)


def _digest(file: BinaryIO) -> str:
    from .lines import digest_of

    digest = digest_of(file, 0, os.fstat(file.fileno()).st_size)
    file.seek(0)
    return digest


def _rows(platform: str, pen: Pen, state: State) -> _Rows:
    if platform == "claude-code":
        from . import claude_code

        return claude_code.Reader(pen, state)
    if platform == "codex":
        from . import codex

        return codex.Reader(pen, state)
    if platform == "gemini":
        from . import gemini

        return gemini.Reader(pen, state)
    from . import openclaw

    return openclaw.Reader(pen, state)


def _reading(pen: Pen, cursor: Cursor) -> Reading:
    return Reading(
        turns=tuple(pen.turns),
        cursor=cursor,
        skipped=dict(pen.skipped),
        rewound=tuple(pen.rewound),
        summaries=pen.summaries,
        started=pen.started,
        session=pen.session,
    )
