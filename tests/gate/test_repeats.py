"""What repeats itself is read once, and every copy of a secret in it is still found."""

from __future__ import annotations

import random

import pytest

from hipogit.gate import clean, scan, scanner
from hipogit.gate.redact import NOTHING
from hipogit.gate.repeats import LEAST, shortened

from .values import fill

_RNG = random.Random(11)
SECRET = fill("ghp" + "_{a36}", _RNG)
UNITS = {
    "blanks": " ",
    "a rule": "=-",
    "lines": "12:00:01 retrying, attempt failed\n",
    "a token": f"token {SECRET} ",
    "a password": f'"password": "{fill("{a16}", _RNG)}",\n',
    "three secrets": f"{SECRET}\nDB_PASSWORD={fill('{a16}', _RNG)}\n"
    f"postgres://u:{fill('{a16}', _RNG)}@h/d\n",
}


def spans(text: str) -> list[tuple[int, int, str]]:
    found = scan(text, engines=(), allow=NOTHING)
    return [(f.start, f.end, f.rule) for f in found]


@pytest.mark.parametrize("unit", UNITS.values(), ids=UNITS)
@pytest.mark.parametrize("around", ["", f"first {SECRET} word ", "password: "])
def test_the_same_is_found_as_without_shortening(unit, around, monkeypatch):
    middle = unit * (3 * LEAST // len(unit))
    text = f"{around}{middle}{around[::-1]} x {SECRET}\n{middle} and {SECRET}"
    short = shortened(text)
    assert short is not None
    assert len(short.text) < len(text) // 2
    monkeypatch.setattr("hipogit.gate.flood.MOST", 1 << 30)
    with_it = spans(text)
    monkeypatch.setattr(scanner, "shortened", lambda text: None)
    assert with_it == spans(text)


def test_every_copy_goes():
    text = UNITS["three secrets"] * 2000
    cleaned = clean(text, engines=())
    assert SECRET not in cleaned.text
    assert len(cleaned.findings) == 6000
    assert cleaned.text.count("\n") == 6000


def test_what_does_not_repeat_itself_is_left_whole():
    text = "".join(_RNG.choices("abcdefghij \n", k=5 * LEAST))
    assert shortened(text) is None
    assert shortened(" " * 100) is None


def test_a_span_over_the_whole_stretch_reaches_its_end():
    text = "x" * 10 + "ab" * LEAST + "y" * 10
    short = shortened(text)
    assert short is not None
    whole = (5, len(short.text) - 5, "rule")
    assert short.spans([whole]) == [(5, len(text) - 5, "rule")]
