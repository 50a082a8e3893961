"""A text as a person sees it, with a way back to the exact place in the original.

A view is made only where the text shows its trigger, and only of the lines around it.
"""

from __future__ import annotations

import re
from bisect import bisect_right

from .checks import entropy, has_digit, has_letter
from .lazy import Lazy
from .values import wordy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    Span = tuple[int, int, str]


class View:
    """Text put together from pieces `(text, start, end)` of another text."""

    __slots__ = ("_ends", "_origins", "_places", "_plain", "text")

    def __init__(self, pieces: Iterable[tuple[str, int, int]]) -> None:
        parts: list[str] = []
        self._places: list[int] = []
        self._origins: list[int] = []
        self._ends: list[int] = []
        self._plain: list[bool] = []
        at = 0
        for text, start, end in pieces:
            if text:
                parts.append(text)
                self._places.append(at)
                self._origins.append(start)
                self._ends.append(end)
                self._plain.append(len(text) == end - start)
                at += len(text)
        self.text = "".join(parts)

    def back(self, start: int, end: int) -> tuple[int, int]:
        """The place in the original that shows as this place in the view."""
        first = bisect_right(self._places, start) - 1
        last = bisect_right(self._places, max(end - 1, start)) - 1
        begin, stop = self._origins[first], self._ends[last]
        if self._plain[first]:
            begin += start - self._places[first]
        if self._plain[last]:
            stop = self._origins[last] + end - self._places[last]
        return begin, stop

    def spans(self, spans: Iterable[Span]) -> list[Span]:
        """Spans of the view as spans of the original."""
        return [(*self.back(start, end), rule) for start, end, rule in spans]


# Colours and cursor movements, as bytes or written out in a log or a string.
_ANSI = Lazy(
    r"(?:\x1b|\\x1b|\\x1B|\\033|\\e|\\u001b|\\u001B|\^\[)"
    r"(?:\[[0-9;?]{0,30}[@-~]|\][^\x07\x1b\n]{0,200}(?:\x07|\x1b\\|\\a))"
    r"|\x1b[()][A-Z0-9]|\x9b[0-9;?]{0,30}[@-~]|.?\x08"
)
# Characters without a shape of their own: more than we strip from what is stored,
# since a soft hyphen inside a token hides it as well as a zero-width space does.
UNSEEN = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e"
    "\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb"
    "\U000e0000-\U000e0fff"
)
_UNSEEN = Lazy(f"[{UNSEEN}]+")


def unseen_in(text: str, flat: str) -> bool:
    """Whether the text has any character that nobody sees."""
    if text.isascii():
        return False
    if flat.count("?") * 20 > len(flat):
        return _UNSEEN.search(text) is not None
    at = flat.find("?")
    while at >= 0:
        char = text[at]
        if char != "?" and _UNSEEN.match(char):
            return True
        at = flat.find("?", at + 1)
    return False


def visible(text: str, flat: str) -> View | None:
    """The text without colours and unseen characters; None when it has neither."""
    cuts: list[tuple[int, int]] = []
    if _coloured(text, flat):
        cuts.extend(match.span() for match in _ANSI.finditer(text))
    if unseen_in(text, flat):
        cuts.extend(match.span() for match in _UNSEEN.finditer(text))
    if not cuts:
        return None
    return View(without(text, cuts))


def _coloured(text: str, flat: str) -> bool:
    if "\x1b" in flat or "\x08" in flat or ("^" in flat and "^[[" in flat):
        return True
    if "\\" in flat and any(sign in flat for sign in _WRITTEN):
        return True
    return not text.isascii() and "\x9b" in text


_WRITTEN = ("\\x1b[", "\\x1B[", "\\033[", "\\e[", "\\u001b[", "\\u001B[")


def without(text: str, cuts: list[tuple[int, int]]) -> Iterator[tuple[str, int, int]]:
    """The pieces of the text that are left when these places are cut out."""
    return edited(text, [(start, end, "") for start, end in cuts])


def edited(
    text: str, edits: list[tuple[int, int, str]]
) -> Iterator[tuple[str, int, int]]:
    """The pieces of the text with something else put in these places."""
    at = 0
    for start, end, instead in sorted(edits):
        if start > at:
            yield text[at:start], at, start
        yield instead, start, end
        at = max(at, end)
    yield text[at:], at, len(text)


# --- escapes -----------------------------------------------------------------------

_ESCAPE = Lazy(
    r"%(?P<p>[0-9A-Fa-f]{2})|\\u00(?P<u>[0-9A-Fa-f]{2})|\\x(?P<x>[0-9A-Fa-f]{2})"
    r"|&#x(?P<h>[0-9A-Fa-f]{1,4});|&#(?P<d>\d{1,5});|&(?P<n>amp|quot|apos|lt|gt);"
    r"|\\(?P<c>/)|=(?P<q>3D|20|2B|2F)"
)
_ESCAPE_SIGNS = ("%", "\\", "&", "=3D")
_BACKSLASHED = ("\\u00", "\\x", "\\/")
_NAMED = {"amp": "&", "quot": '"', "apos": "'", "lt": "<", "gt": ">"}
_AROUND = 600


def unescaped(flat: str) -> View | None:
    """The neighbourhoods of escapes (URL, JSON, HTML, mail) with the escapes undone."""
    places: list[tuple[int, int]] = []
    signs: tuple[str, ...] = _ESCAPE_SIGNS
    if flat.count("\\") * 200 > len(flat):
        signs = (*(sign for sign in signs if sign != "\\"), *_BACKSLASHED)
    for sign in signs:
        at = flat.find(sign)
        while at >= 0:
            if _ESCAPE.match(flat, at):
                _widen(flat, places, at, at + 1, lines=0)
                at = flat.find(sign, max(at + 1, places[-1][1]))
            else:
                at = flat.find(sign, at + 1)
    if not places:
        return None
    return View(_unescape(flat, _merged(places)))


def _unescape(
    flat: str, places: list[tuple[int, int]]
) -> Iterator[tuple[str, int, int]]:
    for start, end in places:
        at = start
        for match in _ESCAPE.finditer(flat, start, end):
            if match.start() > at:
                yield flat[at : match.start()], at, match.start()
            yield _char(match), match.start(), match.end()
            at = match.end()
        yield flat[at:end], at, end
        yield "\n\n", end, end


def _char(match: re.Match[str]) -> str:
    for name in "puxhq":
        if match[name]:
            code = int(match[name], 16)
            return chr(code) if 31 < code < 127 or code in (9, 10, 13) else "?"
    if match["d"]:
        code = int(match["d"])
        return chr(code) if 31 < code < 127 else "?"
    return _NAMED[match["n"]] if match["n"] else match["c"]


def _widen(
    flat: str, places: list[tuple[int, int]], start: int, end: int, *, lines: int
) -> None:
    """Add the lines around a place, or what of them is near."""
    low, high = start, end
    for _ in range(lines + 1):
        low = max(flat.rfind("\n", 0, low), start - _AROUND * (lines + 1), 0)
        next_line = flat.find("\n", high + 1, end + _AROUND * (lines + 1))
        high = (
            next_line if next_line >= 0 else min(end + _AROUND * (lines + 1), len(flat))
        )
    places.append((low, max(high, end)))


def _merged(places: list[tuple[int, int]]) -> list[tuple[int, int]]:
    merged: list[tuple[int, int]] = []
    for start, end in sorted(places):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(merged[-1][1], end))
        else:
            merged.append((start, end))
    return merged


# --- lines that belong together ----------------------------------------------------

_CHARS = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-+/=.%~"
_TOKEN = frozenset(_CHARS.decode("ascii"))
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


def joined(flat: str, spans: list[Span]) -> View | None:
    """The neighbourhoods of broken tokens with the breaks taken out: wrapped at the
    margin, continued by a backslash, or put together from quoted parts."""
    cuts: list[tuple[int, int]] = []
    mapped = flat.encode("ascii").translate(_MAP)
    cuts.extend(_continued(flat))
    cuts.extend(_concatenated(flat, mapped))
    cuts.extend(_wrapped(flat, mapped, spans))
    if not cuts:
        return None
    places: list[tuple[int, int]] = []
    for start, end in cuts:
        _widen(flat, places, start, end, lines=2)
    return View(_with_cuts(flat, _merged(places), _merged(cuts)))


def _with_cuts(
    flat: str, places: list[tuple[int, int]], cuts: list[tuple[int, int]]
) -> Iterator[tuple[str, int, int]]:
    number = 0
    for start, end in places:
        at = start
        while number < len(cuts) and cuts[number][0] < end:
            cut_start, cut_end = cuts[number]
            if cut_start > at:
                yield flat[at:cut_start], at, cut_start
            at = max(at, cut_end)
            number += 1
        if end > at:
            yield flat[at:end], at, end
        yield "\n\n", end, end


def _continued(flat: str) -> Iterator[tuple[int, int]]:
    for mark in "\\`^":
        # One character is found fastest, unless the text is full of it.
        often = flat.count(mark) * 200 > len(flat)
        sign = mark + "\n" if often and "\r" not in flat else mark
        at = flat.find(sign)
        while at >= 0:
            if flat[at + 1 : at + 2] in ("\n", "\r") and flat[at - 1 : at] in _TOKEN:
                match = _CONTINUED.match(flat, at)
                if match and at:
                    yield match.span()
            at = flat.find(sign, at + 1)


def _concatenated(flat: str, mapped: bytes) -> Iterator[tuple[int, int]]:
    # One of two quoted parts is long; its quote is where they may be joined.
    for sign, step in ((b"aaaaaaaaq", 8), (b"qaaaaaaaa", 0)):
        at = mapped.find(sign)
        while at >= 0:
            quote = at + step
            if step == 0:
                quote = flat.rfind(flat[at], max(0, at - 80), at)
            match = _CONCAT.match(flat, quote) if quote > 0 else None
            if match and flat[quote - 1] in _TOKEN and (step or match.end() == at + 1):
                right = flat[match.end() : match.end() + 1]
                if right in _TOKEN and (match["op"] or match["op2"] or match["line"]):
                    yield match.span()
            at = mapped.find(sign, at + 1)


_TEN = b"a" * 10


def _wrapped(flat: str, mapped: bytes, spans: list[Span]) -> Iterator[tuple[int, int]]:
    starts = {start for start, _, _ in spans}
    ends = {end for _, end, _ in spans}
    for sign in (b"aaaa\n", b"aaaa\r\n") if "\r" in flat else (b"aaaa\n",):
        at = mapped.find(sign)
        while at >= 0:
            left, after = at + 4, at + len(sign)
            at = mapped.find(sign, after)
            # Most lines end a paragraph, a sentence or a plain word; those leave here,
            # unless a long piece begins the next line.
            if mapped[after : after + 1] in _BLANK:
                continue
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


_BLANK = (b"\n", b"\r", b"")


_EDGES = " \t>|+*#-"


def _torn(flat: str, left: int, right: int, *, whole: bool) -> bool:
    """Whether the token that ends at `left` goes on at `right`."""
    if flat[right : right + 1] not in _TOKEN or not flat[right : right + 1]:
        return False
    first = left
    while first > 0 and left - first < 80 and flat[first - 1] in _TOKEN:
        first -= 1
    last = right
    while last < len(flat) and last - right < 80 and flat[last] in _TOKEN:
        last += 1
    before, after = flat[first:left], flat[right:last]
    if len(before) + len(after) < 20 or (before.endswith(".") and wordy(before)):
        return False
    if not _jumbled(before + after):
        return False
    line_end = flat.find("\n", last)
    rest = flat[last : line_end if line_end >= 0 else len(flat)].strip(" \t\r\"'`,;|)}")
    line = left - flat.rfind("\n", 0, left) - 1
    if after.isalpha() and (after.islower() or after.istitle()):
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
