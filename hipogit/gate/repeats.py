"""Long stretches that say nothing new, read at their edges.

Padding, zeroed images, rules of `=`, one log line ten thousand times: such text can be
megabytes of the worst a rule may meet. Every rule looks at a neighbourhood, and in the
middle of a stretch all neighbourhoods are alike: its edges are read, the middle is left
out, and what was found at the end of the first edge is found again in each repetition.
A run of base64 that is no text inside (a picture, an archive) has a token at its edges
or nowhere, so its middle is left out as well.
"""

from __future__ import annotations

from .encoded import readable
from .tokens import BLOB, CHARS, run_end

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    Span = tuple[int, int, str]

# Characters of a stretch that are read at each of its edges: more than rules look at
# around a value.
EDGE = 6 << 10
_PERIOD = 1 << 10  # the longest unit looked for
_PROBE = 64
_STEP = 2 * EDGE
# Shorter texts are read as they are.
LEAST = 4 * EDGE


class Shortened:
    """A text with the middles of its repeating stretches left out."""

    __slots__ = ("_cuts", "text")

    def __init__(self, text: str, cuts: list[tuple[int, int, int]]) -> None:
        self._cuts: list[tuple[int, int, int]] = []  # place in `text`, size, unit
        parts, at, gone = [], 0, 0
        for start, size, unit in cuts:
            parts.append(text[at:start])
            self._cuts.append((start - gone, size, unit))
            at, gone = start + size, gone + size
        parts.append(text[at:])
        self.text = "".join(parts)

    def spans(self, spans: list[Span]) -> list[Span]:
        """Spans of the short text as spans of the whole one, each repetition's too."""
        return list(self._whole(spans))

    def _whole(self, spans: list[Span]) -> Iterator[Span]:
        for start, end, rule in spans:
            before = after = 0
            for place, size, unit in self._cuts:
                if start >= place:
                    before += size
                    after += size
                elif end > place and end - start >= EDGE:
                    after += size  # it reaches over all of the stretch
                elif place - unit <= start:
                    for shift in range(unit, size + 1, unit):
                        yield start + before + shift, end + before + shift, rule
            yield start + before, end + after, rule


def shortened(text: str) -> Shortened | None:
    """The text without its repetitions, or None when it has no long ones."""
    if len(text) < LEAST:
        return None
    cuts = []
    at = least = 0
    while at + LEAST <= len(text):
        unit = _unit(text, at)
        end = _end(text, at, unit) if unit else at
        if unit == 0 and (run := _blob(text, at, least)):
            end = run[1]
            size = (end - run[0] - 2 * BLOB) // 4 * 4
            if size > 0:
                cuts.append((run[0] + BLOB, size, 0))
        elif end - at >= 3 * EDGE:
            # Whole units, and whole groups of four characters: base64 stays in step.
            size = (end - at - 2 * EDGE) // (4 * unit) * (4 * unit)
            if size:
                cuts.append((at + EDGE, size, unit))
        least = end
        at = max(at + _STEP, end)
    return Shortened(text, cuts) if cuts else None


def _unit(text: str, at: int) -> int:
    """After how many characters the text at this place begins again, or 0."""
    probe = text[at : at + _PROBE]
    again = text.find(probe, at + 1, at + _PROBE + _PERIOD)
    return again - at if again > at else 0


def _blob(text: str, at: int, least: int) -> tuple[int, int] | None:
    """The run of base64 around this place, unless it is text inside."""
    if text[at : at + _PROBE].strip(CHARS):
        return None
    before = text[least:at]
    start = least + len(before.rstrip(CHARS))
    if readable(text, start):
        return None
    end, size = at, _STEP
    while end < len(text):
        stop = run_end(text[end : end + size])
        if stop >= 0:
            return start, end + stop
        end, size = end + size, 2 * size
    return start, len(text)


def _end(text: str, at: int, unit: int) -> int:
    """Up to where it repeats itself with this unit."""
    end, step = at + unit, _PROBE
    while step:
        if end + step <= len(text) and (
            text[end : end + step] == text[end - unit : end - unit + step]
        ):
            end += step
            step *= 2
        else:
            step //= 2
    return end
