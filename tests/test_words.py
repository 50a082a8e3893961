"""Keywords, sentences and first person in several languages."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hipogit.view import MemoryView, blob_id
from hipogit.words import (
    first_person,
    is_question,
    keywords,
    same,
    sentences,
    statements,
    topic_of,
    turns,
    words,
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("the payment endpoint", ["payment", "endpoint"]),
        ("배포를 금요일에서 월요일로", ["배포", "금요일", "월요일"]),
        ("トークンバケットを使う", ["トークンバケット"]),
        ("令牌桶限流", ["令牌桶限流"]),
        ("my naïve café in Málaga", ["naïve", "café", "Málaga"]),
        ("getUserName in api/limits.py, v1.2.3", ["getUserName", "api/limits.py"]),
        ("Bob's C++ and foo_bar", ["Bob", "C++", "foo_bar"]),
    ],
    ids=["english", "korean", "katakana", "chinese", "accents", "code", "marks"],
)
def test_words_keep_what_carries_meaning(text, expected):
    assert words(text)[: len(expected)] == expected


@pytest.mark.parametrize(
    "text",
    [
        "I live in Paris",
        "내가 결정했다",
        "私は東京に住む",
        "我住在上海",
        "j'habite Lyon",
        "Vivo con mi gato",
    ],
)
def test_a_statement_about_oneself_is_first_person(text):
    assert first_person(text)


@pytest.mark.parametrize("text", ["Paris is large.", "이것은 책이다", "Lima es grande"])
def test_a_general_statement_is_not_first_person(text):
    assert not first_person(text)


def test_statements_are_the_users_side_of_a_conversation():
    text = "User: I moved to Oslo.\nIn May.\nAssistant: Great!\nUser: Thanks"
    assert turns(text)[1] == ("Assistant", "Great!")
    assert statements(text) == ["I moved to Oslo.\nIn May.", "Thanks"]
    assert statements("- user: keep tabs\n  always\n- tools: x") == [
        "keep tabs\n  always"
    ]
    assert statements("plain text") == []


def test_sentences_end_at_blanks_lines_and_ideographic_stops():
    assert sentences("- One v1.2 is out. Two!\n1. Three\n四。五") == [
        "One v1.2 is out.",
        "Two!",
        "Three",
        "四。",
        "五",
    ]
    assert is_question("やる？") and not is_question("Done.")


def test_a_topic_is_made_of_the_users_own_words():
    text = "User: Refactor the payment endpoint\nAssistant: Which kangaroo?"
    assert topic_of(text) == "Refactor payment endpoint"
    assert topic_of("결제 API 배포를 금요일로") == "결제 API 배포 금요일"
    assert topic_of("hi") == "hi"
    assert topic_of("") == "conversation"


def test_plural_and_spelling_do_not_part_a_word():
    assert same("Deployments") == same("deployment")
    assert same("policies") == same("Policy")


@given(st.text(max_size=300))
def test_any_text_has_a_topic_of_at_most_eight_words_in_one_line(text):
    topic = topic_of(text)
    assert topic == topic_of(text)
    assert 1 <= len(topic.split()) <= 8
    assert "\n" not in topic
    assert len(keywords(text, 5)) <= 5


def test_the_blob_id_is_the_one_git_gives():
    assert blob_id("hello\n") == "ce013625030ba8dba906f756967f9e9ca394464a"
    view = MemoryView({"a": "hello\n"})
    assert view.with_changes({"b": "x", "a": None}).paths("") == ["b"]
    assert view.blob("a") == blob_id("hello\n") and view.blob("z") is None


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("타임아웃을 100으로 늘려줘", ["타임아웃", "100", "늘려줘"]),
        ("30분마다 백업", ["30", "백업"]),
        ("k8s에서 node20으로 빌드", ["k8s", "node20", "빌드"]),
        ("HTTP 500을 3번까지 재시험", ["HTTP", "500", "재시험"]),
        ("3단계로 나눠", ["단계", "나눠"]),
        ("결제 한도 으로", ["결제", "한도", "으로"]),
    ],
)
def test_a_particle_after_a_number_is_no_keyword(said: str, kept: list[str]) -> None:
    assert keywords(said) == kept
