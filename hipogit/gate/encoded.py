"""Secrets one base64 layer down: an encoded file or header that holds one."""

from __future__ import annotations

from binascii import Error, a2b_base64

from .lazy import Lazy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Span = tuple[int, int, str]

_BASE64 = Lazy(r"[A-Za-z0-9+/_-]{1,4000000}={0,2}")
_NEXT = Lazy(
    r"\\?\r?\n[ \t]*(?:[>|+*][ \t]*){0,3}([A-Za-z0-9+/_-]{4,200}={0,2})(?=\s|[\"'`]|$)"
)
_URLSAFE = str.maketrans("-_", "+/")
_TEXT = frozenset(range(32, 127)) | {9, 10, 13}
_SHORTEST = 32
# Every fourth character of base64 holds the upper six bits of a byte: for text in
# ASCII, one of these. Paths and hashes leave here.
_FOURTHS = frozenset("CDIJKLMNOPQRSTUVWXYZabcdef")


def encoded(
    flat: str,
    base64_runs: list[tuple[int, int]],
    look: Callable[[str], list[Span]],
) -> Iterator[Span]:
    """Base64 blocks whose decoded text holds a secret in the eyes of `look`."""
    done = 0
    for start, _ in base64_runs:
        if start < done:
            continue
        if not _FOURTHS.issuperset(flat[start : start + 32 : 4]):
            done = start + 1
            continue
        block, done = _block(flat, start)
        if len(block) < _SHORTEST:
            continue
        found = _inside(block, look)
        if found:
            yield (start, done, found)


def _block(flat: str, start: int) -> tuple[str, int]:
    match = _BASE64.match(flat, start)
    if not match:
        return "", start + 1
    block, end = match[0], match.end()
    if len(block) >= 48:
        parts = [block]
        while more := _NEXT.match(flat, end):
            parts.append(more[1])
            end = more.end()
            if len(more[1]) < len(block):
                break
        block = "".join(parts)
    return block, end


def _inside(block: str, look: Callable[[str], list[Span]]) -> str:
    """The rule of the secret in the decoded block, or nothing."""
    block = block.rstrip("=").translate(_URLSAFE)
    if not _textual(block):
        return ""
    raw = _decode(block)
    text = raw.decode("utf-8", "replace")
    spans = look(text)
    if spans:
        return spans[0][2]
    if "PRIVATE KEY-----" in text[:80] and len(raw) > 80:
        return "private-key"
    return ""


def readable(text: str, start: int) -> bool:
    """Whether the base64 that begins there is text inside, by its beginning."""
    return _FOURTHS.issuperset(text[start : start + 32 : 4]) and _textual(
        text[start : start + 40].translate(_URLSAFE)
    )


def _textual(block: str) -> bool:
    # A picture or a hash costs no more than this.
    head = _decode(block[:40])
    return bool(head) and _TEXT.issuperset(head)


def _decode(block: str) -> bytes:
    size = len(block) - (len(block) % 4 == 1)
    try:
        return a2b_base64(block[:size] + "=" * (-size % 4))
    except (Error, ValueError):
        return b""
