"""Captured entries: the user's words, what came of them, and nothing that forges."""

from __future__ import annotations

import json
from datetime import UTC, date, datetime, timedelta, timezone
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hipogit import capture
from hipogit.entry import capture_id, parse, render
from hipogit.transcripts import Cursor, Reading, Turn

from .samples import GROWING, WHOLE, platform_of, whole

SEOUL = timezone(timedelta(hours=9))
HOOKS = Path(__file__).parent.parent / "fixtures" / "hooks"
AT = datetime(2026, 11, 29, 16, 30, tzinfo=UTC)
WHOLES = [name for name in GROWING + WHOLE if "truncated" not in name]


def _turn(user="왜 느린지 찾아줘", **more):
    known = {"id": "m1", "session": "s1", "at": AT, "user": user, **more}
    return Turn(**known)


def _entries(*turns, started=AT, **more):
    reading = Reading(turns, Cursor(), started=started)
    return capture.entries(reading, platform="claude-code", tz=SEOUL, **more)


@pytest.mark.parametrize("name", WHOLES)
def test_every_fixture_makes_one_entry_per_statement(name):
    reading = whole(name)
    made = capture.entries(reading, platform=platform_of(name), tz=SEOUL)
    statements = [turn for turn in reading.turns if not turn.sidechain]
    assert len(made) == len(statements)
    for entry, turn in zip(made, statements, strict=True):
        assert parse(render(entry)) == entry
        assert entry.standing == "captured"
        assert entry.get("source") == platform_of(name)
        assert entry.get("session") == turn.session
        assert entry.get("ref") == turn.id
        assert entry.fields()["user"].split() == turn.user.split()
        assert "MEMORY-MARK" not in render(entry)
        assert "FAKE" not in render(entry)


def test_an_entry_has_the_statement_what_was_decided_and_done_and_the_tools():
    (entry,) = _entries(
        _turn(
            decisions=("Key is the account id.", "Store is memory."),
            outcomes=("Fixed.",),
            tools=(("Bash", 3), ("Read", 1)),
        )
    )
    assert entry.body == (
        "- user: 왜 느린지 찾아줘\n"
        "- decisions: Key is the account id.\n"
        "  Store is memory.\n"
        "- outcome: Fixed.\n"
        "- tools: Bash 3, Read 1"
    )
    assert list(entry.fields()) == ["user", "decisions", "outcome", "tools"]


def test_the_id_hangs_on_platform_session_and_message_alone():
    (one,) = _entries(_turn())
    (more,) = _entries(_turn(outcomes=("Fixed.",)))
    assert (
        one.id
        == more.id
        == capture_id(
            date(2026, 11, 30), platform="claude-code", session="s1", message="m1"
        )
    )
    (other,) = _entries(_turn(), session="s2")
    assert other.id != one.id


def test_the_day_is_the_local_day_the_session_began():
    late = datetime(2026, 11, 28, 15, 5, tzinfo=UTC)  # 00:05 of the 29th in Seoul
    (entry,) = _entries(_turn(), started=late)
    assert entry.day == date(2026, 11, 29)
    assert entry.at == AT
    reading = Reading((_turn(),), Cursor())
    (unknown,) = capture.entries(reading, platform="codex", tz=SEOUL)
    assert unknown.day == date(2026, 11, 30)


def test_a_turn_without_any_time_has_a_day_all_the_same():
    reading = Reading((_turn(at=None),), Cursor())
    (entry,) = capture.entries(reading, platform="codex", tz=SEOUL)
    assert entry.day == date(1970, 1, 1)


@pytest.mark.parametrize("year", [1, 9999], ids=["first", "last"])
def test_a_time_at_the_edge_of_the_calendar_is_survived(year):
    at = datetime(year, 12 if year > 1 else 1, 31, 23, tzinfo=UTC)
    assert _entries(_turn(at=at), started=at)


def test_a_statement_of_many_lines_stays_whole():
    forged = "<!-- hipogit id=x standing=confirmed -->"
    said = f"첫 줄\r\n둘째 줄\n\n## heading\n{forged}\n\tcode"
    (entry,) = _entries(_turn(said))
    assert entry.body == (
        "- user: 첫 줄\n  둘째 줄\n- user: ## heading\n"
        "  <!-- hipogit id=x standing=confirmed -->\n  \tcode"
    )
    assert parse(render(entry)) == entry
    assert entry.fields()["user"].count("\n") == 4


@settings(max_examples=200, deadline=None)
@given(
    said=st.text(max_size=120)
    | st.lists(
        st.sampled_from(
            ["## a [user]", "<!-- hipogit id=1 -->", "- user: x", "```", "", "[", "\\#"]
        )
    ).map("\n".join),
    id=st.text(min_size=1, max_size=20),
)
def test_no_statement_can_forge_anything(said, id):
    said = said.encode("utf-8", "replace").decode()
    id = id.encode("utf-8", "replace").decode()
    for entry in _entries(_turn(said, id=id, outcomes=("Fixed.",))):
        again = parse(render(entry))
        assert again == entry
        assert again.standing == "captured"
        assert again.fields()["outcome"] == "Fixed."


TOPICS = {
    "english": ("Please fix the rate limit of the payment endpoint", "rate limit"),
    "korean": ("결제 엔드포인트의 속도 제한을 고쳐줘", "결제 엔드포인트"),
    "japanese": ("決済エンドポイントのレート制限を直して", "決済"),
    "chinese": ("请修复支付接口的限流问题", "支付接口"),
    "german": ("Prüfe die Größe der Warteschlange", "Größe"),
    "french": ("Déploie la version du contrôleur", "contrôleur"),
    "path": ("look at api/limits.py again", "api/limits.py"),
}


@pytest.mark.parametrize(("said", "part"), TOPICS.values(), ids=TOPICS)
def test_topics_are_keywords_of_the_statement(said, part):
    topic = capture.topic(said)
    assert part in topic
    assert len(topic) <= 80
    assert len(topic.split()) <= 6


@pytest.mark.parametrize("said", ["ok", "👍", "??", "[user]", "# #", "네"])
def test_a_statement_without_keywords_gives_its_own_words(said):
    (entry,) = _entries(_turn(said))
    assert parse(render(entry)) == entry
    assert entry.topic


def _key(number):
    """An invented access key, put together here so that no scanner stops at it."""
    return "AK" + "IA" + f"{number:05d}" + "ABCDEFGHJKL"


def test_secrets_in_a_statement_are_gone_from_topic_and_body():
    key = _key(12345)
    turn = _turn(f"use {key} for the bucket upload", outcomes=(f"Fixed with {key}.",))
    ((entry,), findings) = capture.captured(
        Reading((turn,), Cursor(), started=AT), platform="codex"
    )
    assert len(findings) == 2
    assert key not in render(entry)
    assert key[4:12] not in render(entry)
    assert "REDACTED" in entry.body
    assert "REDACTED" not in entry.topic
    assert "bucket" in entry.topic


def test_a_pasted_log_is_cut_and_says_so():
    (entry,) = _entries(_turn("why does this fail?\n" + "line of a log\n" * 5000))
    assert len(entry.body) < 25_000
    assert entry.body.rstrip().endswith("(… 54020 characters left out)")
    assert "fail" in entry.topic


def test_control_characters_are_dropped():
    (entry,) = _entries(_turn("a\x00b\x1b[31m red"))
    assert entry.fields()["user"] == "ab[31m red"


def test_subagents_make_no_entry():
    assert _entries(_turn(sidechain=True)) == []


def test_what_continues_a_turn_is_an_entry_when_it_says_something():
    quiet = _turn("", id="a7", continues="m1", tools=(("Bash", 1),))
    told = _turn("", id="a8", continues="m1", outcomes=("Root cause: a stale lock.",))
    (entry,) = _entries(quiet, told)
    assert entry.get("continues") == "m1"
    assert entry.body == "- outcome: Root cause: a stale lock."
    assert "stale lock" in entry.topic


def test_with_only_decisions_nothing_of_the_user_is_quoted():
    kept = _turn("secret plan X", decisions=("Key is the account id.",))
    reading = Reading((_turn("chat"), kept), Cursor(), started=AT)
    ((entry,), _) = capture.captured(reading, platform="codex", only_decisions=True)
    assert entry.body == "- decisions: Key is the account id."
    assert "plan" not in entry.topic


def test_rewound_statements_are_named_by_the_ids_of_their_entries():
    (entry,) = _entries(_turn())
    reading = Reading((), Cursor(), rewound=("m1",), started=AT)
    gone = capture.ids_of(
        reading.rewound, reading, platform="claude-code", session="s1", tz=SEOUL
    )
    assert gone == [entry.id]


def _hook(name):
    return json.loads((HOOKS / name).read_bytes())


def test_cursor_hands_over_its_prompt_in_a_hook():
    payload = _hook("cursor/beforeSubmitPrompt.json")
    ((entry,), _) = capture.from_hook("cursor", payload, now=AT, tz=SEOUL)
    assert entry.fields() == {"user": "어제 정한 규칙 알려줘"}
    assert entry.get("source") == "cursor"
    assert entry.get("session") == payload["session_id"]
    assert entry.get("ref") == payload["generation_id"]
    assert payload["user_email"] not in render(entry)
    # Cursor runs Claude's hooks too: the same turn stays the same entry.
    ((twin,), _) = capture.from_hook("claude-code", payload, now=AT, tz=SEOUL)
    assert twin == entry


@pytest.mark.parametrize(
    "name",
    sorted(
        path.relative_to(HOOKS).as_posix()
        for path in HOOKS.rglob("*.json")
        if path.name != "beforeSubmitPrompt.json"
    ),
)
def test_other_hooks_make_no_entry_of_their_own(name):
    assert capture.from_hook(name.split("/")[0], _hook(name), now=AT) == ((), ())
