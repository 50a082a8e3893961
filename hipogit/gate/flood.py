"""A line with hundreds of secrets is one secret from there on."""

from __future__ import annotations

# As many as no line has by accident; each costs some microseconds to look at.
MOST = 400


class Flood:
    """Counts the secrets that one rule finds in a line.

    Megabytes of `password=…` would cost seconds to take apart. After MOST of them the
    rest of the line goes as a whole: more is taken out than need be, never less.
    """

    __slots__ = ("_count", "_flat", "_last")

    def __init__(self, flat: str) -> None:
        self._flat = flat
        self._count = 0
        self._last = 0

    def after(self, span: tuple[int, int, str]) -> int:
        """Where to go on: behind the span, or at the end of its line if the line is
        full."""
        end = span[1]
        if self._flat.find("\n", self._last, end) >= 0:
            self._count = 0
        self._last = max(self._last, end)
        self._count += 1
        if self._count < MOST:
            return end
        stop = self._flat.find("\n", end)
        return stop if stop >= 0 else len(self._flat)
