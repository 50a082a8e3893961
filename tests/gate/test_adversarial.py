"""Shapes made to be slow. No time is measured closely: a pattern that backtracks or a
loop that is quadratic misses these bounds by orders of magnitude."""

from __future__ import annotations

import base64
import random
import time

import pytest

from hipogit.gate import clean, scan, scanner, shapes
from hipogit.gate.redact import NOTHING

_RNG = random.Random(7)
_LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
UNITS = {
    "blanks": " ",
    "tabs": "\t",
    "blanks behind names": "password        ",
    "quotes": "\"'`",
    "escaped quotes": '\\"',
    "nested quotes": "key='\\'",
    "open values": 'password="',
    "names": "token:",
    "assignments": "password = ",
    "cells": "secret|",
    "dotted": "key.",
    "headers of keys": "-----BEGIN RSA " + "PRIVATE KEY-----",
    "ends of keys": "-----END RSA " + "PRIVATE KEY-----",
    "first bytes of keys": "MII" + "A" * 61 + "\n",
    "armoured lines": "".join(_RNG.choices(_LETTERS, k=64)) + "\n",
    "percent": "%41",
    "entities": "&amp;",
    "unicode escapes": "\\u0041",
    "colours": "\x1b[31m",
    "unseen": "a\u200b",
    "addresses": "postgres://a:b@",
    "signs": "://",
    "half tokens": "eyJhbGciOiJI.",
    "prefixes": "glpat-",
    "cookies": "cookie: a=b; ",
    "options": "curl -u a:b -p c ",
    "torn lines": "aB3dE6gH9jK2\n",
    "concatenated": '"abcdefgh" + ',
    "continued": "abcd\\\n",
    "other scripts": "비밀번호",
    "marks": "> - ",
    "letters": "a",
}
SIZE = 60_000


def drawn(alphabet: str, words: str, size: int) -> str:
    """A line that never repeats itself: words and characters in no order."""
    rng = random.Random(size)
    parts = words.split("|")
    found: list[str] = []
    length = 0
    while length < size:
        found.append(rng.choice(parts) + "".join(rng.choices(alphabet, k=9)))
        length += len(found[-1])
    return "".join(found)[:size]


DRAWN = {
    "passwords": (_LETTERS, "password=| password: | api_key='"),
    "names": ("abcdef._-", "key|token|_pat|secret|auth|pass|pw"),
    "punctuation": ("\"'`=:;,.()[]{}<>|&%$#@!+-*/\\ ", "key|token| "),
    "base64": (_LETTERS + "+/", "|="),
    "url": ("0123456789abcdef", "%|%3D|&token=|://u:|@"),
    "escapes": ("u0041nx5c", '\\|\\u00|\\\\\\"|&#x'),
    "unseen": ("abc\u200b\u00ad\u200d", "token|\u2060"),
    "keys": (_LETTERS, "-----BEGIN RSA |" + "PRIVATE KEY-----|-----END "),
    "cookies": (_LETTERS + "=; ", "cookie: |sid="),
    "other scripts": ("비밀번호пароль密码", "=|: |token"),
}


@pytest.fixture(autouse=True)
def built_at_once(monkeypatch):
    """Sweeps are built by the first text, not in the middle of what is measured."""
    monkeypatch.setattr(shapes, "LARGE", 1)


def _line(unit: str, size: int) -> str:
    return unit * (size // len(unit))


@pytest.mark.parametrize(
    "shape",
    [
        *(pytest.param((_line, unit), id=name) for name, unit in UNITS.items()),
        *(pytest.param((drawn, *how), id=f"drawn {n}") for n, how in DRAWN.items()),
    ],
)
def test_no_shape_costs_more_than_its_length(shape, monkeypatch):
    # Whatever repeats itself is read once; here it is read to the end.
    monkeypatch.setattr(scanner, "shortened", lambda text: None)

    def cost(size):
        make, *how = shape
        text = make(*how, size)
        begin = time.process_time()
        scan(text, allow=NOTHING)
        scan("password=" + text + "=x", allow=NOTHING)
        clean(text.replace(" ", "\n"))
        return time.process_time() - begin

    cost(SIZE)  # patterns compile here, and sweeps
    one = min(cost(SIZE // 4) for _ in range(3))
    # Quadratic growth would be 16 times; the constant is for the clock's grain.
    assert min(cost(SIZE) for _ in range(2)) < 10 * one + 0.1


@pytest.mark.parametrize("unit", UNITS.values(), ids=UNITS)
def test_ten_times_as_much_of_the_same_is_no_ten_times_the_work(unit):
    def cost(size):
        text = "token: " + _line(unit, size) + " end"
        begin = time.process_time()
        scan(text, allow=NOTHING)
        return time.process_time() - begin

    cost(SIZE)
    one = min(cost(4 * SIZE) for _ in range(3))
    assert min(cost(40 * SIZE) for _ in range(2)) < 5 * one + 0.1


def test_a_line_full_of_secrets_goes_as_a_whole():
    line = "".join(f" password={word[:10]}" for word in _words(3000))
    text = f"before\n{line}\nafter\n"
    found = scan(text, allow=NOTHING)
    assert len(found) < 1000
    cleaned = clean(text, engines=()).text
    assert all(word[:10] not in cleaned for word in _words(3000))
    assert cleaned.startswith("before\n")
    assert cleaned.endswith("\nafter\n")


def _words(count: int) -> list[str]:
    rng = random.Random(3)
    return ["aB3" + "".join(rng.choices(_LETTERS, k=12)) for _ in range(count)]


def test_a_line_of_five_megabytes_is_read():
    line = base64.b64encode(_RNG.randbytes(3_700_000)).decode()
    secret = "ghp" + "_" + "".join(_RNG.choices(_LETTERS, k=36))
    for text in (line, "x" * 5_000_000, "lorem ipsum dolor " * 280_000):
        found = scan(f"{text} token {secret} {text}", allow=NOTHING)
        assert [finding.rule for finding in found] == ["github-token"]


@pytest.mark.parametrize("part", ["a", "A", "aB", "Ab", "a1", "ab-", "ABc", "a.b/"])
@pytest.mark.parametrize("end", ["1!", "!1", "é1", "_1A"])
def test_a_quoted_value_is_judged_in_no_time_whatever_it_is_made_of(part, end):
    value = (part * 200)[: 198 - len(end)] + end
    begin = time.process_time()
    clean(f"password = \"{value}\"\ntoken: '{value}'\n")
    # Parts that can be shared out in many ways once took longer than anybody waits.
    assert time.process_time() - begin < 2
