"""Bytes of any file as text in which every secret can still be found."""

from __future__ import annotations

_MARKS = (
    (b"\xff\xfe\x00\x00", "utf-32"),
    (b"\x00\x00\xfe\xff", "utf-32"),
    (b"\xff\xfe", "utf-16"),
    (b"\xfe\xff", "utf-16"),
)


def decode(data: bytes) -> str:
    """The text of a file. UTF-16 and UTF-32 are known by their byte order mark or by
    their zero bytes; anything else is UTF-8, bytes that are not kept as surrogates."""
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return data.decode(encoding, "replace")
    if b"\0" in data[:200]:
        # Windows tools write UTF-16 without a mark: every other byte is zero then.
        head = data[:200]
        if head[1::2].count(0) > len(head) // 3:
            return data.decode("utf-16-le", "replace")
        if head[0::2].count(0) > len(head) // 3:
            return data.decode("utf-16-be", "replace")
    return data.decode("utf-8", "surrogateescape")
