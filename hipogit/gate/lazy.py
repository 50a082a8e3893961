"""Patterns that are compiled when they are first asked."""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


class Lazy:
    """Looks like a compiled pattern. Most texts ask few of the gate's questions, and
    compiling all of them costs several times what scanning a short text does."""

    search: Callable[..., re.Match[str] | None]
    match: Callable[..., re.Match[str] | None]
    fullmatch: Callable[..., re.Match[str] | None]
    finditer: Callable[..., Iterator[re.Match[str]]]
    findall: Callable[..., list[str]]
    sub: Callable[..., str]

    def __init__(self, source: str, flags: int = 0) -> None:
        self.source = source
        self.flags = flags

    def __getattr__(self, name: str) -> object:
        if name not in ("search", "match", "fullmatch", "finditer", "findall", "sub"):
            raise AttributeError(name)
        found = getattr(re.compile(self.source, self.flags), name)
        setattr(self, name, found)
        return found
