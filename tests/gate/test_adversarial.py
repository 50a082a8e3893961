"""Shapes made to be slow. No time is measured closely: a pattern that backtracks or a
loop that is quadratic misses these bounds by orders of magnitude."""

from __future__ import annotations

import base64
import random
import time

import pytest

from hipogit.gate import scan
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


@pytest.mark.parametrize("unit", UNITS.values(), ids=UNITS)
def test_no_shape_costs_more_than_its_length(unit):
    def cost(size):
        text = unit * (size // len(unit))
        begin = time.process_time()
        scan(text, engines=(), allow=NOTHING)
        scan("password=" + text + "=x", engines=(), allow=NOTHING)
        return time.process_time() - begin

    cost(SIZE // 20)  # patterns compile here
    one = min(cost(SIZE // 4) for _ in range(3))
    # Quadratic growth would be 16 times; the constant is for the clock's grain.
    assert cost(SIZE) < 10 * one + 0.1


def test_a_line_of_five_megabytes_is_read():
    line = base64.b64encode(_RNG.randbytes(3_700_000)).decode()
    secret = "ghp" + "_" + "".join(_RNG.choices(_LETTERS, k=36))
    for text in (line, "x" * 5_000_000, "lorem ipsum dolor " * 280_000):
        found = scan(f"{text} token {secret} {text}", engines=(), allow=NOTHING)
        assert [finding.rule for finding in found] == ["github-token"]
