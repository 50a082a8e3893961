"""What a check says: whether it held, and where and why not."""

from __future__ import annotations

from dataclasses import dataclass, field

_LONGEST = 300  # characters of a sentence or a hint


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong: a sentence, where it is, and a command to run."""

    sentence: str
    hint: str = ""
    commit: str = ""
    path: str = ""
    line: int = 0

    def __post_init__(self) -> None:
        # It may quote a name or a trailer of any length.
        if len(self.sentence) > _LONGEST:
            object.__setattr__(self, "sentence", self.sentence[:_LONGEST] + "…")
        if len(self.hint) > _LONGEST:
            object.__setattr__(self, "hint", "hipogit log")

    @property
    def where(self) -> str:
        """`commit:path:line`, as far as each is known."""
        place = f"{self.path}:{self.line}" if self.path and self.line else self.path
        return ":".join(part for part in (self.commit[:12], place) if part)


@dataclass(frozen=True, slots=True)
class Check:
    """A check by name, what it looks for, and what it found."""

    name: str
    about: str
    problems: tuple[Problem, ...] = field(default=())

    @property
    def ok(self) -> bool:
        return not self.problems
