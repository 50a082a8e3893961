"""What a merge left in a text: both sides, with git's markers around them.

`git diff --check` knows the same markers. It cannot tell a text that quotes them; here
those within one closed code fence are no conflict.
"""

from __future__ import annotations

import re
from bisect import bisect_left

HINT = "take one side; a code fence (```) tells lines that only quote a conflict"

_MARKER = re.compile(r"(?:<{7}|={7}|>{7})(?: |\r?$)")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})(.*)")
_ENTRY = "<!-- hipogit "


def line(text: str, *, fences: bool = True, escaped: bool = False) -> int:
    """The line of the first marker of a conflict, counted from 1; 0 when there is none.

    Without `fences` one inside a code fence counts, too; with `escaped` also one that a
    journal has written out as text.
    """
    if "<<<<<<<" not in text and ">>>>>>>" not in text:
        return 0
    lines = text.split("\n")
    marks = []
    for number, said in enumerate(lines):
        bare = said.removeprefix("\\") if escaped else said
        if bare[:1] in ("<", "=", ">") and _MARKER.match(bare):
            marks.append((number, bare[0]))
    fenced = _fenced(lines) if fences else {}
    ends = [number for number, sign in marks if sign == ">"]
    begun = False
    for number, sign in marks:
        at = bisect_left(ends, number)
        end = ends[at] if at < len(ends) else number
        inside = fenced.get(number)
        quoted = inside is not None and fenced.get(end) == inside
        # Alone `=` underlines a heading, and mail that quotes seven deep begins as the
        # end of a conflict does.
        if not quoted and (sign == "<" or (sign == ">" and begun)):
            return number + 1
        begun = begun or sign != ">"
    return 0


def _fenced(lines: list[str]) -> dict[int, int]:
    """The lines within closed code fences, each with the line of its fence."""
    found: dict[int, int] = {}
    start, fence = -1, ""
    for number, said in enumerate(lines):
        if said.startswith(_ENTRY):
            start = -1  # no fence goes on into the next entry
        match = _FENCE.match(said)
        if match is None:
            continue
        if start < 0:
            start, fence = number, match[1]
        elif match[1].startswith(fence) and not match[2].strip():
            found.update(dict.fromkeys(range(start, number), start))
            start = -1
    return found
