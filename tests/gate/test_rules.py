"""Each rule twice: what it must catch, and the ordinary line it must leave alone."""

from __future__ import annotations

import random
import re
import zlib
from pathlib import Path

import pytest

from hipogit.gate import clean, scan
from hipogit.gate.rules import RULES

from .values import fill

# family | rule | must catch | must leave alone
TABLE = (Path(__file__).parent / "rules.txt").read_text(encoding="utf-8")


def rows():
    for number, line in enumerate(TABLE.strip().splitlines()):
        family, rule, rest = line.split(" | ", 2)
        if rest.startswith("| "):
            catch, leave = (
                rest[: rest.index(" | | ") + 2],
                rest[rest.index(" | | ") + 3 :],
            )
        else:
            catch, _, leave = rest.rpartition(" | ")
        yield pytest.param(rule, catch, leave, id=f"{family}-{rule}-{number}")


FORMS = {
    "alone": "{}",
    "in a log": "## Deploy\n- asked: rotate it\n- done: {}\n- next: nothing\n",
    "crlf": "first line\r\n{}\r\nlast line\r\n",
    "beside another": "{}\n\nAKIA" + "QZ4TWN7PLX3MBV6K\n",
    "twice": "{0}\n\n{0}\n",
    "fence": "```sh\n{}\n```\n",
}


def secret_parts(template, filled):
    """The random runs of a filled template: none may be left."""
    pattern = "".join(
        "(.*)" if part.startswith("{") else re.escape(part)
        for part in re.split(r"(\{[a-zA-Z]\d*\})", template)
    )
    return [part for part in re.fullmatch(pattern, filled).groups() if len(part) > 7]


@pytest.mark.parametrize("rule,catch,leave", list(rows()))
def test_it_is_caught_in_every_form(rule, catch, leave):
    rng = random.Random(zlib.crc32(catch.encode()))
    for name, form in FORMS.items():
        filled = fill(catch, rng)
        text = form.format(filled)
        cleaned = clean(text, engines=())
        rules = {finding.rule for finding in cleaned.findings}
        assert rules, (name, text)
        assert rule in rules or rule in ("vendor-api-key", "password"), (name, rules)
        for part in secret_parts(catch, filled)[-1:]:
            assert part not in cleaned.text, (name, cleaned.text)
        assert clean(cleaned.text, engines=()).text == cleaned.text


@pytest.mark.parametrize("rule,catch,leave", list(rows()))
def test_the_ordinary_line_beside_it_is_left_alone(rule, catch, leave):
    for form in FORMS.values():
        if "AKIA" not in form:
            assert scan(form.format(leave), engines=()) == []


def test_every_rule_has_a_row():
    named = {line.split(" | ")[1] for line in TABLE.strip().splitlines()}
    missing = {rule.id for rule in RULES} - named
    assert missing == set()
