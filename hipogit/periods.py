"""Calendar periods of the tree: a day, an ISO week, a month.

Weeks are ISO 8601 weeks. A week belongs to the month that holds its Thursday, so
each week has exactly one month and the last days of December may stand in January.
"""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import dataclass
from datetime import date, timedelta
from typing import ClassVar

from .clock import YEARS
from .errors import Usage

_DAY = re.compile(r"\d{4}-\d\d-\d\d")
_WEEK = re.compile(r"(\d{4})-W(\d\d)")
_MONTH = re.compile(r"(\d{4})-(\d\d)")

# How long after its end a period may still be amended without being reopened.
_GRACE = timedelta(days=7)


@dataclass(frozen=True, slots=True, order=True)
class Day:
    """One local calendar day."""

    date: date
    level: ClassVar[str] = "daily"

    def __str__(self) -> str:
        return self.date.isoformat()

    @property
    def path(self) -> str:
        """Path of the day's node on the memory branch."""
        return f"memory/daily/{self}.md"

    @property
    def journal(self) -> str:
        """Path of the day's journal on the memory branch."""
        return f"memory/{self}.md"

    @property
    def week(self) -> Week:
        return Week(*self.date.isocalendar()[:2])

    def over(self, as_of: dt.date) -> bool:
        """Whether the day has ended as of that date."""
        return as_of > self.date


@dataclass(frozen=True, slots=True, order=True)
class Week:
    """One ISO week."""

    year: int
    number: int
    level: ClassVar[str] = "weekly"

    def __str__(self) -> str:
        return f"{self.year:04d}-W{self.number:02d}"

    @property
    def path(self) -> str:
        return f"memory/weekly/{self}.md"

    @property
    def first(self) -> date:
        """Its Monday."""
        return date.fromisocalendar(self.year, self.number, 1)

    @property
    def last(self) -> date:
        """Its Sunday."""
        return date.fromisocalendar(self.year, self.number, 7)

    @property
    def days(self) -> tuple[Day, ...]:
        return tuple(Day(self.first + timedelta(days=n)) for n in range(7))

    @property
    def month(self) -> Month:
        """The month of its Thursday."""
        thursday = date.fromisocalendar(self.year, self.number, 4)
        return Month(thursday.year, thursday.month)

    def over(self, as_of: date) -> bool:
        """Whether its Sunday lies more than seven days back."""
        return as_of > self.last + _GRACE


@dataclass(frozen=True, slots=True, order=True)
class Month:
    """One month, made of the weeks whose Thursday it holds."""

    year: int
    number: int
    level: ClassVar[str] = "monthly"

    def __str__(self) -> str:
        return f"{self.year:04d}-{self.number:02d}"

    @property
    def path(self) -> str:
        return f"memory/monthly/{self}.md"

    @property
    def first(self) -> date:
        return date(self.year, self.number, 1)

    @property
    def last(self) -> date:
        """Its last calendar day."""
        year, number = divmod(self.year * 12 + self.number, 12)
        return date(year, number + 1, 1) - timedelta(days=1)

    @property
    def weeks(self) -> tuple[Week, ...]:
        thursday = self.first + timedelta(days=(3 - self.first.weekday()) % 7)
        found = []
        while thursday <= self.last:
            found.append(Day(thursday).week)
            thursday += timedelta(days=7)
        return tuple(found)

    def over(self, as_of: date) -> bool:
        """Whether its last day lies more than seven days back."""
        return as_of > self.last + _GRACE


Period = Day | Week | Month


def parse_period(text: str) -> Period | None:
    """The period a label names (`2026-11-29`, `2026-W48`, `2026-11`), or None."""
    if text[:4].isdigit() and int(text[:4]) not in YEARS:
        return None
    try:
        if _DAY.fullmatch(text):
            return Day(date.fromisoformat(text))
        if match := _WEEK.fullmatch(text):
            week = Week(int(match[1]), int(match[2]))
            week.first  # noqa: B018 - raises for week 53 of a year with 52
            return week
        if match := _MONTH.fullmatch(text):
            month = Month(int(match[1]), int(match[2]))
            month.first  # noqa: B018 - raises for month 13
            return month
    except ValueError:
        return None
    return None


def journal_day(path: str) -> Day | None:
    """The day whose journal a path of the branch is, or None for every other file."""
    found = parse_period(path.removeprefix("memory/").removesuffix(".md"))
    return found if isinstance(found, Day) and found.journal == path else None


def day(text: str) -> Day:
    """The day a label names. Raises Usage when it names none."""
    found = parse_period(text)
    if not isinstance(found, Day):
        raise Usage(f"{text!r} is not a date", hint="write it as 2026-11-29")
    return found
