"""What reads text that others wrote takes four times as long for four times the text.

Patterns are tried in `test_patterns.py`; these are the loops around them. A square
would be sixteen times as long.
"""

from __future__ import annotations

import time

import pytest

from hipogit import conflict, flat, similar
from hipogit.correct import copies
from hipogit.entry import Entry, parse_all, render
from hipogit.recall import search, text, units
from hipogit.recall.replies import Reply
from hipogit.transcripts import reduce
from hipogit.tree import extract, mention, promote, summary
from hipogit.view import MemoryView


def entry(body: str) -> Entry:
    return Entry("rate limit", body, id="20261129-abcdef")


def numbered(line: str, size: int) -> str:
    """Lines that differ in their number."""
    return "".join(line.replace("N", f"{n:06}") for n in range(size // len(line) + 1))[
        :size
    ]


def copied(body: str) -> tuple[object, ...]:
    claims = copies.claims(entry(body))
    view = MemoryView({"WORKING.md": body, "memory/2026-11-29.md": render(entry(body))})
    return copies.search(view, claims, ()), copies.without(view, claims, ())


def replied(said: str) -> tuple[object, ...]:
    reply = Reply(said, {"bucket": 2.0, "limit": 1.0})
    return list(reply.sentences()), reply.part(4000)


READERS = {
    "fences nothing closes, by hand": (parse_all, "```a\n"),
    "fences of two lengths": (parse_all, "````a\n```b\n"),
    "a heading of blanks": (parse_all, "## a          "),
    "a field of many lines": (lambda t: entry(f"- why: x\n{t}").fields(), "  b\n"),
    "a field said again": (lambda t: entry(t).fields(), "- why: x\n"),
    "fences nothing closes": (lambda t: promote.shrink(t, "x"), "```a\n"),
    "errors without a colon": (lambda t: promote._is_error(t), "Error."),
    "marks of a conflict": (conflict.line, ">>>>>>> a\n"),
    "marks in a fence": (lambda t: conflict.line(f"```\n{t}```\n"), "<<<<<<< a\n"),
    "copies": (copied, "We decided N to use it.\n"),
    "claims": (
        lambda t: similar.opposed(entry(t), entry(t + "no")),
        "We use N a lot.\n",
    ),
    "sentences of an answer": (replied, "a bucket 1. b\n"),
    "list marks": (reduce.plain, "- 1. > "),
    "a reply": (reduce.said, "**We** decided: - "),
    "comments nothing closes": (
        lambda t: list(units.of_file("WORKING.md", t)),
        "<!-- hipogit id=a",
    ),
    "letters beside Hangul": (lambda t: text.extra(f"{t} 한"), "a"),
    "list marks of a line": (text.unmarked, "1) "),
    "dashes of a path": (
        lambda t: summary.entities([extract.Item("notes", t)]),
        "-",
    ),
    "dots of a path": (
        lambda t: summary.entities([extract.Item("notes", t)]),
        "a.bcdefgh.",
    ),
    "feet of summaries": (extract.without_foot, "[Expand for details about: "),
    "blank lines in a summary": (extract.without_foot, "\n\n\n\nx"),
    "a title of dashes": (
        lambda t: mention.name_of(Entry(f"session {t}!", "we use buckets")),
        "-",
    ),
    "a flat file of marks": (lambda t: list(flat.pieces(t)), "# #\n1. - a\n\n"),
    "a flat file of one number": (lambda t: list(flat.pieces(f"{t}. a\n\n\n")), "1"),
}


@pytest.mark.parametrize(("read", "unit"), READERS.values(), ids=READERS)
def test_four_times_the_text_takes_four_times_as_long(read, unit):
    def cost(size):
        said = numbered(unit, size)
        begin = time.process_time()
        read(said)
        return time.process_time() - begin

    size = 20_000
    cost(size)  # patterns compile here
    one = min(cost(size) for _ in range(3))
    assert min(cost(4 * size) for _ in range(2)) < 8 * one + 0.05


def test_a_query_asks_the_database_for_a_hundred_words_at_most():
    asked = search.read(numbered("wordN ", 9_000))
    assert len(asked.wanted) == 100
    assert len(search.read("bucket " * 1_000).wanted) == 1
    assert len(search.read("한국어" * 3_000).wanted[0]) < 5_000
