"""Sizes and ages of the tree, with the defaults of the design."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..gate.seam import Allow


@dataclass(frozen=True, slots=True)
class TreeSettings:
    """How much a node may hold before it is shortened, and how long things count."""

    daily_lines: int = 200
    weekly_lines: int = 300
    monthly_lines: int = 500
    # Real lines reach 7,000 characters, so lines alone would bound nothing.
    line_bytes: int = 80
    root_tokens: int = 3000
    chunk_size: int = 20
    fanout: int = 5
    max_depth: int = 4
    active_days: int = 7
    project_days: int = 90
    reference_days: int = 30
    # What the memory's settings say is no secret.
    allow: Allow | None = None

    def lines(self, level: str) -> int:
        """The threshold of a level in lines."""
        return {
            "daily": self.daily_lines,
            "leaf": self.daily_lines,
            "weekly": self.weekly_lines,
            "monthly": self.monthly_lines,
        }[level]

    def fits(self, level: str, text: str) -> bool:
        """Whether a text may stand unshortened in a node of that level."""
        lines = self.lines(level)
        return text.count("\n") <= lines and size(text) <= lines * self.line_bytes

    def room(self, level: str) -> int:
        """The bytes an extractive summary of that level may fill."""
        return self.lines(level) * self.line_bytes * 3 // 5


def size(text: str) -> int:
    """Bytes of a text in UTF-8."""
    return len(text.encode("utf-8", "surrogateescape"))


def tokens(text: str) -> int:
    """Tokens of a text: four bytes each, rounded up."""
    return -(-size(text) // 4)
