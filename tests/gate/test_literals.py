"""One pass for many words finds what plain searches find."""

from __future__ import annotations

import random

from hipogit.gate import literals
from hipogit.gate.literals import Literals

WORDS = ("pass", "psk", "key", "secret", "token", "_pat", "://", "aa", "`\n")


def test_both_ways_give_the_same_places(monkeypatch):
    rng = random.Random(5)
    parts = [*WORDS, "ssecretokenpskeypass", "aaa", " ", "x", "\n"]
    text = "".join(rng.choices(parts, k=4000))
    plain = Literals(WORDS).places(text)
    monkeypatch.setattr(literals, "LARGE", 1)
    once = Literals(WORDS).places(text)
    for word in WORDS:
        assert list(once.of(word)) == list(plain.of(word))
        assert list(plain.of(word))


def test_without_the_automaton_nothing_is_missed(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "ahocorasick_rs", None)
    monkeypatch.setattr(literals, "LARGE", 1)
    text = "a token here, a key there. " * 400
    assert len(list(Literals(WORDS).places(text).of("token"))) == 400


def test_a_short_text_does_not_load_it():
    found = Literals(WORDS)
    assert list(found.places("my token " * 50).of("token"))
    assert found._automaton is None
