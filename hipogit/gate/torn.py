"""Tokens that were broken, put together again: wrapped at the margin, continued by a
backslash, or written as quoted parts."""

from __future__ import annotations

import re

from .checks import entropy, has_digit, has_letter
from .lazy import Lazy
from .values import wordy
from .views import View, kept, overlapping, widen

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from .literals import Places

    Span = tuple[int, int, str]

_CHARS = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-+/=.%~"
_TOKEN_CHARS = _CHARS.decode("ascii")
_TOKEN = frozenset(_TOKEN_CHARS)
_MAP = bytes(
    97
    if byte in _CHARS
    else 113
    if byte in b"\"'`"
    else byte
    if byte in b"\r\n"
    else 32
    for byte in range(256)
)
_MARK = r"[ \t]*(?:(?:>|\+|-(?=[ \t])|\*(?=[ \t])|\||#(?=[ \t])|//)[ \t]{0,8}){0,3}"
_BREAK = Lazy(rf"\r?\n{_MARK}")
_CONTINUED = Lazy(rf"[\\^`]\r?\n{_MARK}")
_CONCAT = Lazy(
    r"([\"'`])[ \t]{0,8}(?P<op>\+|\.{1,2}(?=[\s\"'])|&|<>|\|\||\\|\))?[ \t]{0,8}"
    rf"(?:_|\\)?(?P<line>\r?\n{_MARK})?(?P<op2>\+|\.{{1,2}}|&|<>|\|\|)?"
    r"[ \t]{0,8}[fFrRbBuU]?\1(?!\1)"
)


def joined(flat: str, spans: list[Span], places: Places) -> View | None:
    """The neighbourhoods of broken tokens with the breaks taken out: wrapped at the
    margin, continued by a backslash, or put together from quoted parts."""
    cuts: list[tuple[int, int]] = []
    cuts.extend(_continued(flat, places))
    cuts.extend(_concatenated(flat, places))
    if "\n" in flat:
        mapped = flat.encode("ascii").translate(_MAP)
        cuts.extend(_wrapped(flat, mapped, spans))
    if not cuts:
        return None
    around: list[tuple[int, int]] = []
    for start, end in cuts:
        widen(flat, around, start, end, lines=2)
    return View(kept(flat, overlapping(around), overlapping(cuts)))


_CONTINUATIONS = tuple(mark + line for mark in "\\`^" for line in ("\n", "\r\n"))


def _continued(flat: str, places: Places) -> Iterator[tuple[int, int]]:
    for sign in _CONTINUATIONS:
        for at in places.of(sign):
            if at and flat[at - 1] in _TOKEN:
                match = _CONTINUED.match(flat, at)
                if match:
                    yield match.span()


# How a quoted part ends that goes on in another one; `_CONCAT` looks closer.
_JOINTS = tuple(
    quote + gap + sign
    for quote in "\"'`"
    for gap in ("", " ")
    for sign in ("+", ".", "&", "<>", "||", "\\", "_", ")\n", ")\r", "\n", "\r")
)
_LONG_PART = 8
_BULLET = Lazy(r"[-*]")


def _concatenated(flat: str, places: Places) -> Iterator[tuple[int, int]]:
    for sign in _JOINTS:
        for quote in places.of(sign):
            # One of the two parts is long.
            if not quote or flat[quote - 1] not in _TOKEN:
                continue
            match = _CONCAT.match(flat, quote)
            if not match or not (match["op"] or match["op2"] or match["line"]):
                continue
            if not (match["op"] or match["op2"]) and _BULLET.search(match["line"]):
                continue  # two quoted items of a list
            end = match.end()
            if flat[end : end + 1] in _TOKEN and (
                _TOKEN.issuperset(flat[max(quote - _LONG_PART, 0) : quote])
                or _TOKEN.issuperset(flat[end : end + _LONG_PART])
            ):
                yield match.span()


WORDS = (*_CONTINUATIONS, *_JOINTS)

# At least four characters of a token before the break, and ten before it or behind it
# and its marks. Most lines end a sentence or a plain word: they leave here.
_TEAR = re.compile(
    rb"\n(?:(?<=aaaa\n)|(?<=aaaa\r\n))(?:(?:(?<=a{10}\n)|(?<=a{10}\r\n))(?![\r\n])"
    rb"|(?= {0,8}(?:a{1,2} {1,8}){0,3}a{10}))"
)


def _wrapped(flat: str, mapped: bytes, spans: list[Span]) -> Iterator[tuple[int, int]]:
    starts = {start for start, _, _ in spans}
    ends = {end for _, end, _ in spans}
    for tear in _TEAR.finditer(mapped):
        left = tear.start()
        if mapped[left - 1] == 13:
            left -= 1
        piece = flat[left - 10 : left] if left > 9 else ""
        short = (
            piece[-1:] in (".", "")
            or (piece.isalpha() and piece.islower())
            or not mapped.endswith(_TEN, 0, left)
        )
        match = _BREAK.match(flat, left)
        if not match or (short and not mapped.startswith(_TEN, match.end())):
            continue
        right = match.end()
        if right not in starts and _torn(flat, left, right, whole=left in ends):
            yield left, right


_TEN = b"a" * 10


_EDGES = " \t>|+*#-"


# `DB_PASSWORD=…` below a token is the next line of an env file.
_ASSIGNED = Lazy(r"[A-Za-z_]\w*=(?!=|$)")


def _torn(flat: str, left: int, right: int, *, whole: bool) -> bool:
    """Whether the token that ends at `left` goes on at `right`."""
    if flat[right : right + 1] not in _TOKEN or not flat[right : right + 1]:
        return False
    before = flat[max(left - 80, 0) : left]
    before = before[len(before.rstrip(_TOKEN_CHARS)) :]
    after = flat[right : right + 80]
    after = after[: len(after) - len(after.lstrip(_TOKEN_CHARS))]
    first, last = left - len(before), right + len(after)
    if len(before) + len(after) < 20 or (before.endswith(".") and wordy(before)):
        return False
    if not _jumbled(before + after):
        return False
    line_end = flat.find("\n", last)
    rest = flat[last : line_end if line_end >= 0 else len(flat)].strip(" \t\r\"'`,;|)}")
    line = left - flat.rfind("\n", 0, left) - 1
    if after.isalpha() and (after.islower() or after.istitle()):
        return False
    if whole and _ASSIGNED.match(after):
        return False
    if not rest and len(before) >= 8 and not flat[left - line : first].strip(_EDGES):
        return True  # both have their line to themselves
    if whole and not _odd(after):
        # What stands on the first line may well be a whole token already.
        return False
    if len(after) >= 8:
        if len(before) < 8:
            return _jumbled(after)
        return _odd(after) and (
            _odd(before)
            or before[-1] in "_-"
            or (len(after) >= 20 and ("-" in before or "_" in before))
        )
    return _odd(before) and (not rest or line >= 60)


def _jumbled(text: str) -> bool:
    return (
        has_digit(text)
        and has_letter(text)
        and not wordy(text)
        and entropy(text) >= 3.0
    )


def _odd(text: str) -> bool:
    """Whether it cannot be an ordinary word."""
    return (has_digit(text) and has_letter(text)) or (
        text[1:].lower() != text[1:] and text.upper() != text and not wordy(text)
    )
