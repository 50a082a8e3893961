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

from collections.abc import Container
from pathlib import Path

from ..errors import Usage
from . import growing, whole
from .cursor import Cursor
from .reading import Reading, unreadable
from .turns import Turn
from .whole import read_export

__all__ = ["PLATFORMS", "Cursor", "Reading", "Turn", "read", "read_export"]

PLATFORMS = ("claude-code", "codex", "gemini", "opencode", "openclaw")


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
            if platform == "opencode" or path.suffix in (".json", ".zst"):
                return whole.read(platform, path, file, since, final, injected)
            return growing.read(platform, file, since, final, injected)
    except OSError as error:
        raise unreadable(path, error) from error
