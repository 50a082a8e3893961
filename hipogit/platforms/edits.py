"""One change to one file, as a pure function and its inverse.

An edit only ever inserts text. What it inserted, and where, is kept in a trace; as long
as nobody touched the file since, taking those pieces out again gives the old bytes.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

Span = tuple[int, str]


@dataclass(frozen=True, slots=True)
class Site:
    """Where to install: one project on one machine, for one person or for the team."""

    project: Path
    home: Path
    env: Mapping[str, str] = field(default_factory=dict)
    shared: bool = False
    mcp: bool = False  # whether the agent is to have our MCP server as well
    index: Path | None = None  # the context as a file that a host may import
    tracked: Callable[[Path], bool] = lambda path: False
    exclude: Path | None = None  # git's info/exclude, where personal files are hidden

    def key(self, path: Path) -> str:
        """A name for a file that stays right when the project is moved."""
        if path.is_relative_to(self.project):
            return path.relative_to(self.project).as_posix()
        return str(path)

    def at(self, key: str) -> Path:
        """The file of that name."""
        return self.project / key


@dataclass(frozen=True, slots=True)
class Made:
    """What an edit makes of a file: the bytes, the insertions, boxes it filled.

    `filled` are boxes that were empty before, and places that were put in by name.

    Without insertions the old bytes cannot be had back exactly, only what is ours out.
    """

    data: bytes
    spans: tuple[Span, ...]
    filled: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Trace:
    """What an install did to one file, so that it can be undone to the byte."""

    key: str
    digest: str
    created: bool
    spans: tuple[Span, ...]
    filled: tuple[str, ...] = ()


class Edit(Protocol):
    """One file's change and its inverse."""

    @property
    def path(self) -> Path: ...

    def install(self, old: bytes | None) -> Made:
        """The new bytes; refuses what cannot be changed safely."""

    def renew(self, data: bytes, trace: Trace | None = None) -> Made | None:
        """The bytes with ours put right in a changed file; None to leave it alone."""

    def intact(self, data: bytes) -> bool:
        """Whether the file holds exactly what `install` would put there."""

    def remove(self, data: bytes, trace: Trace | None = None) -> bytes:
        """The bytes without what is ours, for a file that was changed meanwhile."""

    def nothing(self, data: bytes) -> bool:
        """Whether a file of ours holds nothing any more once ours is out."""


@dataclass(frozen=True, slots=True)
class OwnFile:
    """A file that is ours as a whole."""

    path: Path
    content: bytes
    overwrite: bool = False

    def install(self, old: bytes | None) -> Made:
        return Made(self.content, ((0, self.content.decode()),))

    def renew(self, data: bytes, trace: Trace | None = None) -> Made | None:
        return self.install(None) if self.overwrite else None

    def intact(self, data: bytes) -> bool:
        return data == self.content

    def remove(self, data: bytes, trace: Trace | None = None) -> bytes:
        # What somebody changed in it is theirs now.
        return b"" if data == self.content else data

    def nothing(self, data: bytes) -> bool:
        return not data


def digest(data: bytes) -> str:
    """A name for exactly these bytes."""
    return hashlib.sha256(data).hexdigest()


def undone(data: bytes, trace: Trace) -> bytes | None:
    """The bytes from before the install; None when the file was changed since."""
    if digest(data) != trace.digest:
        return None
    text = data.decode()
    for at, piece in sorted(trace.spans, reverse=True):
        text = text[:at] + text[at + len(piece) :]
    return text.encode()
