"""The two places where others plug into the gate: what is allowed, and more engines."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol


class Allow(Protocol):
    """Which findings a person has looked at and accepted."""

    def allows(self, rule: str, secret: str, line_text: str) -> bool:
        """Whether this secret may stay. `line_text` is the line before it (empty at the
        top of a text) and then the lines it stands on."""

    def fingerprint(self, secret: str) -> str:
        """A keyed mark of the secret that is safe to print, or nothing."""


class Engine(Protocol):
    """A second opinion on a text."""

    def spans(self, text: str) -> Iterable[tuple[int, int, str]]:
        """Start, end and rule id of each secret it sees."""
