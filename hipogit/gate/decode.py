"""Bytes of any file as text in which every secret can still be found."""

from __future__ import annotations

_MARKS = (
    (b"\xff\xfe\x00\x00", "utf-32-le"),
    (b"\x00\x00\xfe\xff", "utf-32-be"),
    (b"\xff\xfe", "utf-16-le"),
    (b"\xfe\xff", "utf-16-be"),
)


def encoding(data: bytes) -> tuple[str, bytes]:
    """The encoding of a file and the byte order mark it begins with, if any. UTF-16 and
    UTF-32 are known by the mark or by their zero bytes; anything else is UTF-8."""
    for mark, name in _MARKS:
        if data.startswith(mark):
            # UTF-8 behind two stray bytes must not be read as UTF-16: that would hide
            # all there is in it.
            return ("utf-8", b"") if _plain(data[len(mark) :]) else (name, mark)
    if b"\0" in data[:200]:
        # Windows tools write UTF-16 without a mark: every other byte is zero then.
        head = data[:200]
        if head[1::2].count(0) > len(head) // 3:
            return "utf-16-le", b""
        if head[0::2].count(0) > len(head) // 3:
            return "utf-16-be", b""
    return "utf-8", b""


def decode(data: bytes) -> str:
    """The text of a file; in UTF-8, bytes that are not kept as surrogates."""
    name, mark = encoding(data)
    errors = "surrogateescape" if name == "utf-8" else "replace"
    return data[len(mark) :].decode(name, errors)


def encode(text: str, like: bytes) -> bytes | None:
    """A changed text as bytes in the encoding of the file it was read from, or None
    when reading that file has lost some of it."""
    name, mark = encoding(like)
    errors = "surrogateescape" if name == "utf-8" else "strict"
    try:
        if mark + decode(like).encode(name, errors) != like:
            return None
        return mark + text.encode(name, errors)
    except UnicodeEncodeError:
        return None


def _plain(data: bytes) -> bool:
    if data.count(0) * 8 >= len(data):
        return False
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True
