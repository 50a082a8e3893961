"""Search finds short words in every script and survives every query."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hipogit.errors import Usage
from hipogit.recall import index
from hipogit.recall.answer import recall
from hipogit.recall.search import Hit, search, snippet

from .conftest import Memory, entry

SAID = {
    "korean": "- decisions: 금요일에는 배포를 하지 않는다",
    "japanese": "- decisions: 東京タワーの近くに事務所を借りた",
    "chinese": "- decisions: 我们决定使用令牌桶限流",
    "thai": "- decisions: เราเลือกใช้ฐานข้อมูลแบบกระจาย",
    "accents": "- decisions: le café Zoë à Besançon",
    "camel": "- decisions: parseHttpResponse handles ERR_CONN_RESET in v2.14.3",
    "snake": "- decisions: rate_limit_per_key lives in api/limits/window.py",
    "mixed": "- decisions: staging서버에 nginx를 올린다",
    "plain": "- decisions: deploying tokens weekly, never on Mondays",
}


@pytest.fixture
def filled(memory: Memory) -> Memory:
    memory.write(
        *(entry("2026-11-01", name, body) for name, body in SAID.items()),
        files={
            "knowledge/limits.md": "# Limits\n\nHow the gateway throttles.\n",
            "memory/weekly/2026-W44.md": "---\ntype: weekly\n---\n\nA quiet week.\n",
            "WORKING.md": "# Working\n\n## Migration\nmoving to postgres\n",
            "notes.bin": "gateway",
        },
    )
    return memory


def _find(memory: Memory, words: str, **more: object) -> list[Hit]:
    return index.using(memory.store, lambda ix: search(ix, words, **more))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("words", "topic"),
    [
        ("배포", "korean"),
        ("금요일", "korean"),
        ("東京", "japanese"),
        ("事務所", "japanese"),
        ("令牌", "chinese"),
        ("ฐานข้อมูล", "thai"),
        ("cafe", "accents"),
        ("besancon", "accents"),
        ("ZOË", "accents"),
        ("http", "camel"),
        ("parseHttpResponse", "camel"),
        ("ERR_CONN_RESET", "camel"),
        ("2.14.3", "camel"),
        ("limits/window.py", "snake"),
        ("rate limit", "snake"),
        ("서버", "mixed"),
        ("staging", "mixed"),
        ("nginx", "mixed"),
        ("token", "plain"),
        ('"never on mondays"', "plain"),
        ("deplo*", "plain"),
        ("deploying*", "plain"),
        ("deploys", "plain"),
        ("topic:camel", "camel"),
        ("decisions:weekly", "plain"),
        ("type:project weekly", "plain"),
        ("decisions tokens -cafe", "plain"),
    ],
)
def test_found(filled: Memory, words: str, topic: str) -> None:
    assert topic in [hit.topic for hit in _find(filled, words)]


@pytest.mark.parametrize(
    "words",
    ["배표", "東北", "topic:weekly", "decisions:plain", '"on never mondays"', "eploy*"],
)
def test_not_found(filled: Memory, words: str) -> None:
    assert not [hit for hit in _find(filled, words) if hit.id]


def test_negation_takes_away(filled: Memory) -> None:
    with_it = {hit.topic for hit in _find(filled, "decisions", most=50)}
    without = {hit.topic for hit in _find(filled, "decisions -cafe", most=50)}
    assert with_it - without == {"accents"}


def test_files_and_summaries_are_found_with_their_depth(filled: Memory) -> None:
    assert _find(filled, "throttles")[0].path == "knowledge/limits.md"
    assert _find(filled, "postgres")[0].path == "WORKING.md"
    week = _find(filled, "quiet", depth=1)
    assert [(hit.path, hit.depth) for hit in week] == [("memory/weekly/2026-W44.md", 1)]
    assert not _find(filled, "quiet", depth=2)


def test_marked_entries_only_with_all(filled: Memory) -> None:
    filled.write(entry("2026-11-02", "Scratch [temporary]", "- note: zebra probe"))
    assert not _find(filled, "zebra")
    assert _find(filled, "zebra", everything=True)


def test_newest_first_where_two_match_alike(memory: Memory) -> None:
    for day in ("2026-11-01", "2026-11-03", "2026-11-02"):
        memory.write(entry(day, "Same words", "- decisions: exactly alike"))
    assert [hit.day for hit in _find(memory, "alike")] == [
        "2026-11-03",
        "2026-11-02",
        "2026-11-01",
    ]


ODD = [
    "",
    "   ",
    "?!*()[]{}",
    '"',
    '"""',
    "'; drop table piece; --",
    "NEAR(a b)",
    "a AND",
    "^a",
    "{text} : x",
    "a\0b",
    "-",
    "-a",
    "*",
    ":",
    "topic:",
    "type:",
    "topic:*",
    "👩‍👩‍👧 🎉",
    "שלום עולם",
    "\u202eabc",
    "x" * 10_240,
    "word " * 2048,
    "a" * 3 + '"' * 99,
]


@pytest.mark.parametrize("words", ODD, ids=range(len(ODD)))
def test_every_query_gets_an_answer_or_a_clear_error(
    filled: Memory, words: str
) -> None:
    try:
        _find(filled, words)
    except Usage as problem:
        assert problem.hint
    index.using(filled.store, lambda ix: recall(ix, words))


@settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(st.text(max_size=60))
def test_any_text_is_a_safe_query(filled: Memory, words: str) -> None:
    with index.opened(filled.store) as opened:
        try:
            search(opened, words)
        except Usage as problem:
            assert problem.hint
        recall(opened, words)


def test_a_snippet_shows_the_place_that_was_meant() -> None:
    said = "filler " * 200 + "the needle is here " + "more " * 200
    assert "needle" in snippet(said, "needle")
    assert len(snippet(said, "needle")) < 310
