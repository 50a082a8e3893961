"""What the gate says about a text: findings, and the cleaned text itself.

Plain classes instead of dataclasses: importing `dataclasses` costs more than cleaning
an entry, and a hook pays for it every time.
"""

from __future__ import annotations


class _Value:
    """A frozen value with slots, compared and printed by them."""

    __slots__: tuple[str, ...] = ()

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{type(self).__name__} cannot be changed")

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def __repr__(self) -> str:
        shown = ", ".join(f"{name}={getattr(self, name)!r}" for name in self.__slots__)
        return f"{type(self).__name__}({shown})"

    def _key(self) -> tuple[object, ...]:
        return tuple(getattr(self, name) for name in self.__slots__)


class Finding(_Value):
    """A place that holds a secret. It has no room for the secret itself.

    Lines count from 1; `start` and `end` are offsets in the scanned text; the
    fingerprint is empty for values so short that it would give them away.
    """

    __slots__ = ("end", "end_line", "fingerprint", "line", "path", "rule", "start")

    path: str
    line: int
    end_line: int
    rule: str
    fingerprint: str
    start: int
    end: int

    def __init__(
        self,
        path: str,
        line: int,
        end_line: int,
        rule: str,
        fingerprint: str,
        start: int,
        end: int,
    ) -> None:
        put = object.__setattr__
        put(self, "path", path)
        put(self, "line", line)
        put(self, "end_line", end_line)
        put(self, "rule", rule)
        put(self, "fingerprint", fingerprint)
        put(self, "start", start)
        put(self, "end", end)


class Cleaned(_Value):
    """A text fit to be stored, what was taken out of it, and how many characters that
    nobody could see."""

    __slots__ = ("findings", "invisible", "text")

    text: str
    findings: tuple[Finding, ...]
    invisible: int

    def __init__(
        self, text: str, findings: tuple[Finding, ...], invisible: int
    ) -> None:
        put = object.__setattr__
        put(self, "text", text)
        put(self, "findings", findings)
        put(self, "invisible", invisible)
