"""No text is too hard for a pattern. Everything hipogit reads was written by others, so
what a pattern costs may grow with its text and no faster.

Times are of the processor and compared with themselves, or so long that only what
would never end reaches them.
"""

from __future__ import annotations

import re
import signal
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing

import pytest
from patterns import Pattern, Shape, every_pattern, hostile

SHORT, LONG = 200, 40_000
# Seconds of the processor for one text; most take a thousandth.
PATIENCE = 1

needs_timer = pytest.mark.skipif(
    not hasattr(signal, "setitimer"), reason="a pattern is only interrupted by a timer"
)


class TooLong(Exception):
    """A pattern would have gone on."""


def watched(shapes: Iterable[Shape]) -> Iterator[Shape]:
    """The shapes; TooLong where two ticks of a timer find the same one under way."""
    now = seen = None

    def tick(number: int, frame: object) -> None:
        nonlocal seen
        if now is not None and now is seen:
            raise TooLong
        seen = now

    before = signal.signal(signal.SIGPROF, tick)
    signal.setitimer(signal.ITIMER_PROF, PATIENCE, PATIENCE)
    try:
        for now in shapes:
            yield now
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def ask(pattern: Pattern, method: str) -> Callable[[str], None]:
    """The pattern applied to the whole of a text, in the way of one method."""
    compiled = re.compile(pattern.source, pattern.flags)
    way = getattr(compiled, method)
    binary = isinstance(pattern.source, bytes)

    def asked(text: str) -> None:
        said = text.encode("latin-1") if binary else text
        if method in ("sub", "subn"):
            way(b"" if binary else "", said)
        elif method == "finditer":
            for _ in way(said):
                pass
        else:
            way(said)

    return asked


def endless(given: Iterable[Pattern]) -> list[str]:
    """Patterns that try all ways to share out a short text, with the text."""

    def tried(asked: Callable[[str], None], shape: Shape) -> bool:
        asked(shape.text(SHORT))
        return False

    return [
        told
        for pattern in given
        for method in ("search", "match", "fullmatch")
        if (told := _first(pattern, method, tried))
    ]


def growing(given: Iterable[Pattern]) -> list[str]:
    """Patterns that cost more and more for each letter of a text, with the text."""

    def grows(asked: Callable[[str], None], shape: Shape) -> bool:
        def cost(size: int) -> float:
            text = shape.text(size)
            begin = time.process_time()
            asked(text)
            return time.process_time() - begin

        # Less hides no square. The constant below is for the grain of the clock.
        one = cost(LONG)
        if one < 0.02 or cost(4 * LONG) < 8 * one + 0.05:
            return False
        one = min(cost(LONG) for _ in range(3))
        return min(cost(4 * LONG) for _ in range(2)) > 8 * one + 0.05

    return [
        told
        for pattern in given
        for method in sorted(pattern.methods)
        if (told := _first(pattern, method, grows))
    ]


def _first(
    pattern: Pattern,
    method: str,
    slow: Callable[[Callable[[str], None], Shape], bool],
) -> str:
    asked = ask(pattern, method)
    shape = None
    try:
        with closing(watched(hostile(pattern))) as shapes:
            for shape in shapes:
                if slow(asked, shape):
                    raise TooLong
    except TooLong:
        return f"{pattern.name}: {method}, {shape}"
    return ""


@needs_timer
def test_no_pattern_tries_all_ways_to_share_out_a_text():
    assert endless(every_pattern()) == []


@needs_timer
def test_four_times_the_text_is_no_sixteen_times_the_work():
    assert growing(every_pattern()) == []


def test_the_patterns_of_all_modules_are_met():
    met = {pattern.name.split(".py")[0] for pattern in every_pattern()}
    for module in ("words", "entry", "tree/summary", "gate/allow", "recall/text"):
        assert f"hipogit/{module}" in met
    assert sum(name.startswith("rule ") for name in met) > 100


@needs_timer
@pytest.mark.parametrize(
    ("how", "method", "source"),
    [
        (endless, "fullmatch", r"(?:[A-Z]?[a-z]{2,}|[A-Z]{2,}){1,20}\d{0,3}"),
        (endless, "fullmatch", r"a:(?:[^\n]*(?:\n  +[^\n]*)*)"),
        (growing, "finditer", r"<!--.*?-->"),
        (growing, "search", r"(?:[\w.-]+/)*[\w-]+\."),
        (growing, "sub", r"\[hidden by (?:a|b)[^\]]*\]"),
        (growing, "search", r"^\s*- "),
    ],
)
def test_a_slow_pattern_is_found_out(how, method, source):
    assert how([Pattern("slow", source, re.M | re.S, frozenset({method}))])
