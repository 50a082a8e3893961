"""Rollouts compressed with zstd (`.jsonl.zst`), as a stream of their lines.

The package `zstandard` (extra `zstd`) does it: Python 3.11 has no zstd of its own.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from ..errors import Refused

# A frame may ask for a window of gigabytes.
_WINDOW = 128 * 1024 * 1024


def can_open() -> bool:
    """Whether zstd can be read here."""
    try:
        import zstandard  # noqa: F401
    except ImportError:
        return False
    return True


@contextmanager
def opened(file: BinaryIO, path: Path) -> Iterator[BinaryIO]:
    """The plain content. Raises Refused, inside the block too, when it is broken."""
    import zstandard

    unpacker = zstandard.ZstdDecompressor(max_window_size=_WINDOW)
    try:
        stream = unpacker.stream_reader(file, read_across_frames=True, closefd=False)
        with io.BufferedReader(stream) as plain:
            yield plain
    except zstandard.ZstdError as error:
        raise Refused(
            f"{path} is not a whole zstd file", hint="zstd --test FILE shows where"
        ) from error
