"""What a check says: whether it held, and where and why not."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong: a sentence, where it is, and a command to run."""

    sentence: str
    hint: str = ""
    commit: str = ""
    path: str = ""
    line: int = 0

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
