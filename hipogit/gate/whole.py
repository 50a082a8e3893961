"""Secrets to their real ends.

Each rule has a bound on what it takes, but keystores and tickets have any length, on
one line or wrapped over many. Once the beginning is known for a secret, what goes on in
the same manner is the rest of it.
"""

from __future__ import annotations

from .checks import mixed
from .lazy import Lazy
from .tokens import CHARS
from .values import wordy

TYPE_CHECKING = False
if TYPE_CHECKING:
    Span = tuple[int, int, str]

# Shorter ones are as long as their form or their rule says.
_CUT = 200
_GOES_ON = Lazy(r"[A-Za-z0-9_+/=~%.-]+")
# How a line of a wrapped value ends and the next begins: plain, continued, escaped in a
# string, or as parts of strings; below quote, list or diff marks.
_BREAK = (
    r"[\"'`]?[ \t]{0,8}[+.&,]?[ \t]{0,8}"
    r"(?:\\{1,2}(?:r\\{1,2})?n|\\?\r?\n[ \t]*(?:[>|+*#-][ \t]{0,8}){0,3})[\"'`]?"
)
_LEAST = 40  # characters of a line, the last one aside
_LINE = Lazy(rf"{_BREAK}([A-Za-z0-9+/_-]{{{_LEAST},}}={{0,2}})(?=[\s\"'`\\,;)]|$)")
_LAST = Lazy(rf"{_BREAK}([A-Za-z0-9+/_-]{{1,{_LEAST}}}={{0,2}})(?=[\s\"'`\\,;)]|$)")


def whole(text: str, spans: list[Span]) -> list[Span]:
    """These spans, which are in order and apart, each to where its secret ends."""
    result: list[Span] = []
    starts = {start for start, _, _ in spans}
    done = 0
    for start, end, rule in spans:
        # One that lies in what was taken along is a part of it.
        if end > done:
            done = end if rule == "private-key" else _end(text, start, end, starts)
            result.append((start, done, rule))
    return result


def _end(text: str, start: int, end: int, starts: set[int]) -> int:
    if end - start >= _CUT and (more := _GOES_ON.match(text, end)):
        end += len(more[0].rstrip("."))
    if end - start < _LEAST:
        return end
    first = end
    while (line := _LINE.match(text, end)) and line.start(1) not in starts:
        if not mixed(line[1]) or wordy(line[1]):
            break
        end = line.end()
    # Below whole lines that were wrapped the last one is short, and there is one.
    wrapped = end > first or "\n" in text[start:first]
    full = not text[end - _LEAST : end].strip(CHARS)
    last = _LAST.match(text, end) if wrapped and full else None
    if last and last.start(1) not in starts and _tail(last[1]):
        end = last.end()
    return end


def _tail(line: str) -> bool:
    return line.endswith("=") or mixed(line)
