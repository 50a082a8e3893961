"""One pass for many words finds what plain searches find."""

from __future__ import annotations

import random
import re
import signal

import pytest

from hipogit.gate import assign, shapes
from hipogit.gate.literals import Literals
from hipogit.gate.names import SHAPES, STEMS

WORDS = ("pass", "psk", "key", "secret", "token", "_pat", "://", "aa", "`\n")


@pytest.fixture
def at_once(monkeypatch):
    monkeypatch.setattr(shapes, "LARGE", 1)


@pytest.mark.parametrize("fold", [False, True])
def test_both_ways_give_the_same_places(fold, monkeypatch):
    rng = random.Random(5)
    parts = [*WORDS, "ssecretokenpskeypass", "aaa", " ", "x", "\n", "PASS", "\x00"]
    text = "".join(rng.choices(parts, k=4000))
    low = text.lower() if fold else None
    plain = Literals(WORDS, fold=fold).places(text, low)
    monkeypatch.setattr(shapes, "LARGE", 1)
    pytest.importorskip("hyperscan", reason="there is no wheel of it here")
    once = Literals(WORDS, fold=fold).places(text, low)
    assert once._table is not None
    for word in WORDS:
        assert list(once.of(word)) == list(plain.of(word))
        assert list(plain.of(word))


def test_a_shape_leaves_out_only_names_that_are_none(at_once):
    pytest.importorskip("hyperscan", reason="there is no wheel of it here")
    rng = random.Random(6)
    parts = [
        *STEMS,
        "contrase?a",
        "PASS",
        "Word",
        "word",
        "s",
        "S",
        "Token",
        "=",
        " ",
        '"',
        "_",
        "x",
    ]
    text = "".join(rng.choices(parts, k=20_000))
    low = text.lower()
    words = Literals(STEMS, fold=True, shapes=SHAPES).places(text, low)
    assert words._table is not None
    for stem in STEMS:
        found = set(words.of(stem))
        assert found
        for match in re.finditer(re.escape(stem), low):
            if match.start() not in found:
                assert assign._named(text, low, match.start()) is None


def test_without_hyperscan_nothing_is_missed(at_once, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "hyperscan", None)
    text = "a token here, a key there. " * 400
    assert len(list(Literals(WORDS).places(text).of("token"))) == 400


def test_a_short_text_does_not_load_it():
    found = Literals(WORDS)
    assert list(found.places("my token " * 50).of("token"))
    assert found._sweep._automata is None


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_an_interruption_within_a_sweep_is_not_lost(at_once):
    # Half of the hits would be half of the secrets.
    pytest.importorskip("hyperscan", reason="there is no wheel of it here")
    found = Literals(WORDS)
    found.places("a token " * 1000)

    def now(*_):
        raise InterruptedError

    before = signal.signal(signal.SIGPROF, now)
    try:
        # Again and again: one that comes while garbage is collected is ignored.
        signal.setitimer(signal.ITIMER_PROF, 0.02, 0.02)
        with pytest.raises(InterruptedError):
            for _ in range(100):
                assert len(list(found.places("a" * 300_000).of("aa"))) == 299_999
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
    assert len(list(found.places("a token " * 1000).of("token"))) == 1000
