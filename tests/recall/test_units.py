"""What the index takes from a text: sentences, extra words, what a line is worth."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hipogit.entry import Entry, render
from hipogit.recall import prior, text, units

PARTS = (
    "One", "two.", "Is it?", "No!", "a.b", "...", " ", "  ", "\n", "\t", "\r\n", "\x1c",
    "- x", "12. y", "# z", "é.", "…", "好。", "\xa0", "1.5",
)  # fmt: skip


@given(st.lists(st.sampled_from(PARTS), max_size=12).map("".join))
def test_sentences_of_plain_text_end_where_those_of_any_text_do(said: str) -> None:
    edges = pairwise([0, *text.ends(said), len(said)])
    lines = [text.unmarked(said[a:b]) for a, b in edges]
    assert text.split(said) == [line for line in lines if line]


def told(said: str) -> float:
    return prior.of_user(said, opening=False, lead=False)


@pytest.mark.parametrize(
    ("more", "less"),
    [
        ("I moved to the coast", "I depart for a coast"),
        ("We just saw the coast", "We now see the coasts"),
        ("So i've seen the coast", "So i'm all for a coast"),
        ("I  visited the coast", "I  visit their coast"),
        ("It is my coast out there", "It is no coast out there"),
        ("It was seen two times there", "It was seen few times there"),
        ("It was seen 2 times there", "It was seen x times there"),
        ("It is, by the way, a coast", "It is, on the way, a coast"),
        ("I like the coast of it.", "I like the coast of it?"),
        ("it’s what I’ve known here", "it’s what I’ll known here"),
        ("at the coast of Wales here", "at the coast of wales here"),
    ],
)
def test_what_somebody_says_of_themselves_is_worth_more(more: str, less: str) -> None:
    assert len(more.encode()) == len(less.encode())
    assert told(more) > told(less)


def test_who_says_nothing_more_did_nothing() -> None:
    assert told("and so it is i've") == told("and so it is i'll")


def test_names_side_by_side_count_each() -> None:
    apart = told("we met Al at it and Bo at it")
    assert told("we met Al Bo at it and at it") == pytest.approx(apart)


@pytest.mark.parametrize(
    ("said", "found"),
    [
        ("a fooBarBaz", "foo Bar Baz"),
        ("see parseHTTPResponse2x now", "parse HTTP Response 2 x"),
        ("of v1.2.3 and rev10.4", "1.2.3 10.4"),
        ("costs 1.50 or 2.5", ""),
        ("Plain Words, A B c", ""),
        ("배포를", "배포 포를 배 포 를"),
        ("“curly” – é", ""),
        ("ｖ２ Ｂｅé", "Beé"),
    ],
)
def test_words_that_sqlite_would_not_find(said: str, found: str) -> None:
    assert text.extra(said) == found


@pytest.mark.parametrize("sign", ["User:", "**User:**"])
def test_a_conversation_falls_into_its_exchanges(sign: str) -> None:
    answer = sign.replace("User", "Assistant")
    body = (
        f"Before.\n{sign} One. Two?\nand three\n{answer} Yes.\n{answer} More.\n"
        f"{sign} Last\n- note: kept"
    )
    said = Entry(topic="Talk", body=body, standing="captured")
    pieces = list(units.of_journal(render(said)))
    assert [(piece.user, piece.text) for piece in pieces] == [
        ("", "Before."),
        ("One. Two?\nand three", "Yes.\n More."),
        ("Last\n- note: kept", ""),
    ]
    assert [line.text for line in pieces[1].lines] == ["One.", "Two?", "and three"]


def test_a_label_in_an_answer_hides_nothing_unless_it_is_one() -> None:
    for line, hidden in (
        ("- status: temporary", True),
        ("  - tags: test run.", True),
        ("- temporary: yes", True),
        ("a - status: temporary", False),
        ("- temporary tables are used", False),
    ):
        said = Entry(topic="Talk", body=f"User: x\n{line}\nmore", standing="captured")
        (piece,) = units.of_journal(render(said))
        assert piece.hidden is hidden, line
