"""Complete lines of a growing file, with their places, in bounded memory.

A line ends at byte `\\n` and nowhere else: U+2028, U+2029 and U+0085 stand inside
strings of real transcripts. A last line without `\\n` is still being written.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO

# Rows over 1 MB occur (images, tool output); one of this size is no speech.
LONGEST = 32 * 1024 * 1024
_CHUNK = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Line:
    """One complete line: where it stands, and its bytes unless it is too long."""

    start: int
    end: int
    data: bytes | None
    long_digest: str = ""

    @property
    def blank(self) -> bool:
        """Whether nothing but white space stands in it."""
        return self.data is not None and not self.data.strip()

    @property
    def digest(self) -> str:
        """SHA-256 of its bytes, line end included."""
        if self.data is None:
            return self.long_digest
        return hashlib.sha256(self.data).hexdigest()


def complete_lines(file: BinaryIO, start: int = 0, longest: int = 0) -> Iterator[Line]:
    """The lines from here on that have an end; `start` is the file's position."""
    longest = longest or LONGEST
    while True:
        data = file.readline(longest)
        end = start + len(data)
        if data.endswith(b"\n"):
            yield Line(start, end, data)
        elif len(data) < longest:
            return
        else:
            digest = hashlib.sha256(data)
            while not data.endswith(b"\n"):
                data = file.readline(_CHUNK)
                if not data:
                    return
                digest.update(data)
                end += len(data)
            yield Line(start, end, None, digest.hexdigest())
        start = end


def digest_of(file: BinaryIO, start: int, end: int) -> str:
    """SHA-256 of a stretch of the file."""
    file.seek(start)
    digest = hashlib.sha256()
    left = end - start
    while left > 0 and (chunk := file.read(min(left, _CHUNK))):
        digest.update(chunk)
        left -= len(chunk)
    return digest.hexdigest()
