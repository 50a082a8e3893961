"""Where fenced code ends, for all fences of a text at once."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable

_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})(.*)")


def ends(
    lines: list[str], apart: Callable[[int], bool] = lambda number: False
) -> dict[int, int]:
    """The line that closes a fence, by the line that opens it; those alone that close.

    A fence reaches over no line that stands `apart`. Looked for from each opening, a
    text of fences that nothing closes would cost the square of its lines.
    """
    found: dict[int, int] = {}
    # Of what closes a fence further down: (minus its length, line). The nearest comes
    # last, and is the shortest: one behind it that is no longer closes nothing more.
    below: dict[str, list[tuple[int, int]]] = {"`": [], "~": []}
    for number in reversed(range(len(lines))):
        if apart(number):
            below = {"`": [], "~": []}
        match = _FENCE.match(lines[number])
        if match is None:
            continue
        closing, size = below[match[1][0]], len(match[1])
        at = bisect_right(closing, (-size, len(lines)))
        if at:
            found[number] = closing[at - 1][1]
        if not match[2].strip():
            while closing and -closing[-1][0] <= size:
                closing.pop()
            closing.append((-size, number))
    return found
