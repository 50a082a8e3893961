"""A text as a person sees it, with a way back to the exact place in the original.

A view is made only where the text shows its trigger, and only of the lines around it.
"""

from __future__ import annotations

import re
from bisect import bisect_right

from .lazy import Lazy
from .shapes import Shape, Sweep, literal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    Span = tuple[int, int, str]


def flatten(text: str) -> str:
    """The text with every character outside ASCII replaced by `?`: same offsets, and
    searches that run at the speed of memory."""
    return text if text.isascii() else text.encode("ascii", "replace").decode("ascii")


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
    return next(_unseen(text, flat), None) is not None


def _unseen(text: str, flat: str) -> Iterator[tuple[int, int]]:
    return (match.span() for match in outside(_UNSEEN, text, flat))


def outside(pattern: Lazy, text: str, flat: str) -> Iterator[re.Match[str]]:
    """The matches of a pattern that begins with a character outside ASCII."""
    if text.isascii():
        return
    if flat.count("?") * 20 > len(flat):
        yield from pattern.finditer(text)
        return
    # Where hardly anything is outside ASCII, a plain search is ten times as fast.
    after = 0
    for at in every(flat, "?"):
        if at >= after and text[at] != "?" and (match := pattern.match(text, at)):
            after = match.end()
            yield match


def visible(text: str, flat: str) -> View | None:
    """The neighbourhoods of colours and unseen characters without them; None when it
    has neither."""
    cuts = [*_coloured(text, flat), *_unseen(text, flat)]
    if not cuts:
        return None
    cuts = overlapping(cuts)
    return View(kept(text, around(flat, cuts), cuts))


def around(text: str, places: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """All of the text that a rule could look at together with one of these places."""
    room = [(max(start - _ROOM, 0), end + _ROOM) for start, end in places]
    return [_lines(text, start, end) for start, end in overlapping(room)]


def _lines(text: str, start: int, end: int) -> tuple[int, int]:
    """A place without the parts of lines at its edges, if it has edges of lines."""
    if start and (newline := text.find("\n", start, start + _ROOM)) >= 0:
        start = newline + 1
    if end < len(text) and (newline := text.rfind("\n", end - _ROOM, end)) >= 0:
        end = newline
    return start, min(end, len(text))


_ROOM = 20_000  # as much as the longest secret takes
_SIGNS = ("\x1b", "\x08", "^[", "\\x1b", "\\x1B", "\\033", "\\e", "\\u001b", "\\u001B")
_SWEEP = Sweep([Shape(literal(sign)) for sign in _SIGNS])


def _coloured(text: str, flat: str) -> Iterator[tuple[int, int]]:
    hits = _SWEEP.hits(flat)
    for number, sign in enumerate(_SIGNS):
        if hits is not None:
            places: Iterable[int] = (start for start, _ in hits[number])
        elif sign[0] == "\\" and "\\" not in flat:
            continue
        else:
            places = every(flat, sign)
        for at in places:
            # A backspace takes the character before it along.
            if match := _ANSI.match(text, at - (sign == "\x08" and at > 0)):
                yield match.span()
    if not text.isascii():
        for at in every(text, "\x9b"):
            if match := _ANSI.match(text, at):
                yield match.span()


def every(text: str, sign: str, step: int = 1) -> Iterator[int]:
    """Where it stands, at least this far apart."""
    at = text.find(sign)
    while at >= 0:
        yield at
        at = text.find(sign, at + step)


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

# Between two neighbourhoods: no value reaches over it, nor does a key, which would take
# everything that stands between the two along.
APART = "\n\n## \n"
_ESCAPE = Lazy(
    r"%(?P<p>[0-9A-Fa-f]{2})|\\u00(?P<u>[0-9A-Fa-f]{2})|\\x(?P<x>[0-9A-Fa-f]{2})"
    r"|&#x(?P<h>[0-9A-Fa-f]{1,4});|&#(?P<d>\d{1,5});|&(?P<n>amp|quot|apos|lt|gt);"
    r"|\\(?P<c>/)|=(?P<q>3D|20|2B|2F)"
)
# What is searched for, and what must stand there.
_ESCAPE_SIGNS = {
    "%": "%[0-9A-Fa-f]{2}",
    "\\u00": r"\\u00[0-9A-Fa-f]{2}",
    "\\x": r"\\x[0-9A-Fa-f]{2}",
    "\\/": r"\\/",
    "&": "&(?:#x?[0-9A-Fa-f]{1,5}|amp|quot|apos|lt|gt);",
    "=3D": "=3D",
}
_ESCAPES = Sweep([Shape(source, once=True) for source in _ESCAPE_SIGNS.values()])
_NAMED = {"amp": "&", "quot": '"', "apos": "'", "lt": "<", "gt": ">"}
_AROUND = 600


def unescaped(flat: str) -> View | None:
    """The neighbourhoods of escapes (URL, JSON, HTML, mail) with the escapes undone."""
    places: list[tuple[int, int]] = []
    hits = _ESCAPES.hits(flat)
    for number, sign in enumerate(_ESCAPE_SIGNS):
        if hits is not None and not hits[number]:
            continue
        at = flat.find(sign)
        while at >= 0:
            if _ESCAPE.match(flat, at):
                widen(flat, places, at, at + 1, lines=0)
                at = flat.find(sign, max(at + 1, places[-1][1]))
            else:
                at = flat.find(sign, at + 1)
    if not places:
        return None
    return View(_unescape(flat, overlapping(places)))


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
        yield APART, end, end


def _char(match: re.Match[str]) -> str:
    for name in "puxhq":
        if match[name]:
            code = int(match[name], 16)
            return chr(code) if 31 < code < 127 or code in (9, 10, 13) else "?"
    if match["d"]:
        code = int(match["d"])
        return chr(code) if 31 < code < 127 else "?"
    return _NAMED[match["n"]] if match["n"] else match["c"]


def kept(
    text: str, places: list[tuple[int, int]], cuts: list[tuple[int, int]]
) -> Iterator[tuple[str, int, int]]:
    """The pieces of these places that are left when the cuts are taken out."""
    number = 0
    for start, end in places:
        at = start
        while number < len(cuts) and cuts[number][0] < end:
            cut_start, cut_end = cuts[number]
            if cut_start > at:
                yield text[at:cut_start], at, cut_start
            at = max(at, cut_end)
            number += 1
        if end > at:
            yield text[at:end], at, end
        yield APART, end, end


def widen(
    flat: str, places: list[tuple[int, int]], start: int, end: int, *, lines: int
) -> None:
    """Add the lines around a place, or what of them is near."""
    low, high = start, end
    for _ in range(lines + 1):
        least = max(start - _AROUND * (lines + 1), 0)
        low = max(flat.rfind("\n", least, low), least)
        next_line = flat.find("\n", high + 1, end + _AROUND * (lines + 1))
        high = (
            next_line if next_line >= 0 else min(end + _AROUND * (lines + 1), len(flat))
        )
    places.append((low, max(high, end)))


def overlapping(places: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The places with those that overlap put into one."""
    merged: list[tuple[int, int]] = []
    for start, end in sorted(places):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(merged[-1][1], end))
        else:
            merged.append((start, end))
    return merged
