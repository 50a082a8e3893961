from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hipogit.errors import Usage
from hipogit.periods import Day, Month, Week, day, parse_period


@given(st.dates(date(1971, 1, 1), date(2199, 12, 31)))
def test_every_day_lies_in_one_week_and_one_month(when: date) -> None:
    week = Day(when).week
    assert Day(when) in week.days
    assert week in week.month.weeks
    assert [m for m in _around(week.month) if week in m.weeks] == [week.month]


def _around(month: Month) -> list[Month]:
    before = month.first - timedelta(days=1)
    after = month.last + timedelta(days=1)
    return [Month(before.year, before.month), month, Month(after.year, after.month)]


@pytest.mark.parametrize(
    ("when", "week", "month"),
    [
        ("2024-12-30", "2025-W01", "2025-01"),
        ("2026-12-31", "2026-W53", "2026-12"),
        ("2027-01-03", "2026-W53", "2026-12"),
        ("2024-02-29", "2024-W09", "2024-02"),
        ("2026-11-29", "2026-W48", "2026-11"),
        ("2021-01-01", "2020-W53", "2020-12"),
    ],
)
def test_year_ends_and_leap_days(when: str, week: str, month: str) -> None:
    assert str(day(when).week) == week
    assert str(day(when).week.month) == month


def test_a_period_is_over_a_week_after_its_last_day() -> None:
    week = Week(2026, 48)
    assert not week.over(date(2026, 12, 6))
    assert week.over(date(2026, 12, 7))
    assert not Month(2026, 11).over(date(2026, 12, 7))
    assert Month(2026, 11).over(date(2026, 12, 8))
    assert Day(date(2026, 11, 29)).over(date(2026, 11, 30))
    assert not Day(date(2026, 11, 29)).over(date(2026, 11, 29))


@pytest.mark.parametrize("label", ["2026-11-29", "2026-W53", "2026-11"])
def test_labels_read_back(label: str) -> None:
    assert str(parse_period(label)) == label


@pytest.mark.parametrize("label", ["2026-13", "2025-W53", "2026-02-30", "x", "ROOT"])
def test_what_is_no_period_is_none(label: str) -> None:
    assert parse_period(label) is None


def test_a_wrong_date_is_named() -> None:
    with pytest.raises(Usage, match="2026-99-01"):
        day("2026-99-01")
