"""Every fixture gives the statements, counts and texts its platform's format means."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from hipogit.errors import HipogitError, Refused
from hipogit.transcripts import Cursor, guess, read

from .samples import GROWING, ROOT, WHOLE, platform_of, whole

ROLLOUT = "codex/rollout-2031-04-02T07-00-00-019f3a10-77aa-7bc0-9d10-5b0a5d1c2e3f.jsonl"
PACKED = ROLLOUT.replace("codex/", "codex/compressed/") + ".zst"
WHERE = "Where do the 축약 rules live?"
AGAIN = f"{WHERE} Again."

STATEMENTS = {
    "claude-code/session.jsonl": [
        "결제 엔드포인트에 토큰 버킷 속도 제한을 넣어줘. 분당 60회, burst 10.",
        "이 그래프처럼 429가 튀면 안 돼",
        "아니, Redis 말고 프로세스 메모리로 하자. 인스턴스가 하나뿐이야. (CRLF row)",
        "separator>\u2028<nel>\u0085<end ?",
    ],
    "claude-code/session/subagents/agent-a1b2c3d4.jsonl": [],
    "claude-code/real-2.1.332-compact.jsonl": [WHERE, AGAIN, AGAIN],
    "claude-code/real-2.1.197-compact.jsonl": [WHERE, AGAIN, AGAIN],
    "claude-code/real-2.1.332-tool.jsonl": [WHERE],
    "claude-code/real-2.1.332-subagent.jsonl": [WHERE],
    "claude-code/real-2.1.332-subagent/subagents/agent-real.jsonl": [],
    ROLLOUT: ["배포 스크립트가 왜 실패하는지 찾아줘"],
    PACKED: ["배포 스크립트가 왜 실패하는지 찾아줘"],
    "codex/legacy-bare-items.jsonl": ["old rollout, no envelope"],
    "codex/real-0.171-compact.jsonl": [WHERE, AGAIN],
    "codex/real-0.171-tool.jsonl": [WHERE],
    "opencode/export.json": ["웹훅 서명 검증을 추가해줘", "정정: 허용 오차는 2분으로"],
    "openclaw/session.jsonl": [
        "내일 9시에 치과 예약 알려줘",
        "이 사진이야",
        "9시 말고 10시야",  # on a branch the user left
        "정정: 10시 30분",
    ],
    "gemini/session-2031-04-02T10-00-3c3c3c3c.jsonl": [
        "로그 로테이션을 설정해줘",
        "보관 기간은 14일 (CRLF row)",
        "문자열 content: 정정 - 30일",
    ],
    "gemini/session-2030-01-01T00-00-3c3c3c3c.json": ["옛 형식"],
    "gemini/real-0.61-resume.jsonl": [WHERE, AGAIN],
    "gemini/real-0.61-tool.jsonl": [WHERE],
}

# Statements taken back, compaction summaries, replies of the assistant.
COUNTS = {
    "claude-code/session.jsonl": (0, 1, 3),
    "claude-code/session/subagents/agent-a1b2c3d4.jsonl": (0, 0, 0),
    "claude-code/real-2.1.332-compact.jsonl": (0, 1, 3),
    "claude-code/real-2.1.197-compact.jsonl": (0, 1, 3),
    "claude-code/real-2.1.332-tool.jsonl": (0, 0, 2),
    "claude-code/real-2.1.332-subagent.jsonl": (0, 0, 3),
    "claude-code/real-2.1.332-subagent/subagents/agent-real.jsonl": (0, 0, 0),
    ROLLOUT: (1, 1, 1),
    PACKED: (1, 1, 1),
    "codex/legacy-bare-items.jsonl": (0, 0, 1),
    "codex/real-0.171-compact.jsonl": (0, 1, 2),
    "codex/real-0.171-tool.jsonl": (0, 0, 2),
    "opencode/export.json": (0, 1, 2),
    "openclaw/session.jsonl": (0, 1, 1),
    "gemini/session-2031-04-02T10-00-3c3c3c3c.jsonl": (1, 1, 3),
    "gemini/session-2030-01-01T00-00-3c3c3c3c.json": (0, 0, 1),
    "gemini/real-0.61-resume.jsonl": (0, 0, 2),
    "gemini/real-0.61-tool.jsonl": (0, 0, 2),
}


def test_every_fixture_has_its_row():
    cut = "opencode/export-truncated.json"
    assert set(STATEMENTS) == set(COUNTS) == set(GROWING + WHOLE) - {cut}


@pytest.mark.parametrize("name", STATEMENTS)
def test_statements_are_read_verbatim(name):
    said = [turn.user for turn in whole(name).turns if not turn.sidechain]
    assert said == STATEMENTS[name]


@pytest.mark.parametrize("name", COUNTS)
def test_rewinds_summaries_and_replies_are_counted(name):
    reading = whole(name)
    replies = sum(turn.replies for turn in reading.turns if not turn.sidechain)
    assert (len(reading.rewound), reading.summaries, replies) == COUNTS[name]


@pytest.mark.parametrize("name", STATEMENTS)
def test_nothing_injected_thought_or_put_out_by_a_tool_is_read(name):
    raw = (ROOT / name).read_bytes()
    told = repr(whole(name).turns)
    for trace in (
        "MEMORY-MARK",
        "AKIAFAKE",
        "fakeFAKE",
        "hook_context",
        "system-reminder",
        "GET /api/orders",
        "iVBORw0KGgo",
        "injected memory block",
        "AGENTS.md",
        "Reminder; store",
        "constant-time compare",
        "Key by account id",
        "state_snapshot",
    ):
        assert trace not in told
    assert "subagent) found" not in told
    if platform_of(name) != "codex":
        assert all(turn.id.encode() in raw for turn in whole(name).turns)


def test_a_claude_session_has_its_bad_lines_and_repeats_counted():
    path = ROOT / "claude-code/session.jsonl"
    reading = whole("claude-code/session.jsonl")
    assert reading.skipped == {"unparsable": 2, "not an object": 2, "repeated": 2}
    # The third line that cannot be parsed is the last: still being written.
    assert reading.cursor.end < path.stat().st_size
    assert b"\n" not in path.read_bytes()[reading.cursor.end :]


def test_a_turn_knows_where_when_and_with_what_tools():
    first = whole("claude-code/session.jsonl").turns[0]
    assert first.session == "5f0c1a52-7d0e-4a77-9a51-0b7d4e3f2a10"
    assert first.at is not None
    assert first.at.isoformat() == "2031-04-02T05:00:13+00:00"
    assert (first.cwd, first.branch) == ("/home/user/shop-api", "feature/rate-limit")
    assert first.tools == (("Bash", 1), ("Read", 1))


def test_subagents_of_claude_stay_apart():
    turns = whole("claude-code/session/subagents/agent-a1b2c3d4.jsonl").turns
    assert [turn.sidechain for turn in turns] == [True]


def test_a_copy_made_by_a_fork_is_left_to_the_session_it_came_from(tmp_path):
    row = {
        "type": "user",
        "uuid": "u1",
        "sessionId": "new",
        "message": {"content": "said in the old session"},
        "forkedFrom": {"sessionId": "old", "messageUuid": "u1"},
    }
    path = tmp_path / "new.jsonl"
    path.write_text(json.dumps(row) + "\n")
    reading = read("claude-code", path, final=True)
    assert reading.turns == ()
    assert reading.skipped == {"copied from another session": 1}


@pytest.mark.parametrize(
    ("name", "decisions", "outcomes"),
    [
        (
            "claude-code/session.jsonl",
            [
                "결정: 버킷 키는 account_id, 저장소는 Redis.",
                "이유: 같은 NAT 뒤의 고객을 막지 않기 위해서.",
            ],
            ["메모리 버킷으로 바꾸고 테스트 4개를 추가했습니다."],
        ),
        (
            ROLLOUT,
            [],
            ["원인: `set -u`가 없어 빈 REGION이 통과했습니다.", "수정했습니다."],
        ),
        (
            "opencode/export.json",
            ["결정: 서명 헤더는 X-Sig, 5분 허용 오차."],
            ["2분으로 변경했습니다.", "테스트 통과."],
        ),
        (
            "codex/real-0.171-compact.jsonl",
            [
                "Mock answer 4: we decided to keep 축약 rules in plain Python.",
                "Mock answer 9: we decided to keep 축약 rules in plain Python.",
            ],
            [],
        ),
    ],
    ids=["claude-code", "codex", "opencode", "codex-paginated"],
)
def test_answers_are_reduced_to_decisions_and_outcomes(name, decisions, outcomes):
    turns = whole(name).turns
    assert [line for turn in turns for line in turn.decisions] == decisions
    told = [line for turn in turns for line in turn.outcomes]
    assert [line for line in told if line in outcomes] == outcomes


def test_a_gemini_message_that_is_replaced_counts_once():
    (turn,) = whole("gemini/real-0.61-tool.jsonl").turns
    assert turn.tools == (("run_shell_command", 1),)
    assert turn.replies == 2


def test_a_cut_export_fails_cleanly():
    with pytest.raises(Refused, match="ends in the middle"):
        read("opencode", ROOT / "opencode/export-truncated.json", final=True)


def test_a_packed_rollout_gives_the_turns_of_its_plain_twin(tmp_path):
    pytest.importorskip("zstandard")
    assert whole(PACKED).turns == whole(ROLLOUT).turns
    packed = tmp_path / "rollout.jsonl.zst"
    packed.write_bytes((ROOT / PACKED).read_bytes())
    missing = tmp_path / "rollout.jsonl"
    assert read("codex", missing, final=True).turns == whole(ROLLOUT).turns


def test_without_zstandard_a_packed_rollout_is_reported_and_found_again(monkeypatch):
    monkeypatch.setitem(sys.modules, "zstandard", None)
    reading = read("codex", ROOT / PACKED, final=True)
    assert reading.turns == ()
    assert list(reading.skipped) == ["compressed (needs hipogit[zstd])"]
    monkeypatch.undo()
    pytest.importorskip("zstandard")
    assert read("codex", ROOT / PACKED, reading.cursor, final=True).turns


@pytest.mark.parametrize(
    "platform", ["cursor", "nothing", ""], ids=["cursor", "unknown", "empty"]
)
def test_a_platform_without_transcripts_is_named(platform):
    with pytest.raises(HipogitError, match="cannot be read"):
        read(platform, ROOT / ROLLOUT)


def test_a_missing_transcript_is_an_error_a_person_can_act_on(tmp_path):
    with pytest.raises(HipogitError, match="No such file") as caught:
        read("claude-code", tmp_path / "none.jsonl")
    assert caught.value.hint


def test_lines_that_came_from_memory_are_dropped_from_answers(tmp_path):
    rows = [
        {"type": "user", "uuid": "u1", "message": {"content": "why Redis?"}},
        {
            "type": "assistant",
            "uuid": "a1",
            "message": {
                "content": [
                    {
                        "type": "text",
                        "text": "- rate limit: decided on a token bucket [20260302-aa]"
                        "\nFixed the flaky limiter test.",
                    }
                ]
            },
        },
    ]
    path = tmp_path / "s.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    index = frozenset({"- rate limit: decided on a token bucket [20260302-aa]"})
    (plain,) = read("claude-code", path, final=True).turns
    (turn,) = read("claude-code", path, final=True, injected=index).turns
    assert plain.decisions == ("rate limit: decided on a token bucket [20260302-aa]",)
    assert turn.decisions == ()
    assert turn.outcomes == ("Fixed the flaky limiter test.",)


def test_the_cursor_holds_no_word_of_the_conversation():
    for name in GROWING:
        reading = read(platform_of(name), ROOT / name)
        kept = json.dumps(reading.cursor.to_json(), ensure_ascii=False)
        for turn in whole(name).turns:
            for said in (turn.user, *turn.decisions, *turn.outcomes):
                assert said not in kept


def test_the_fixtures_are_byte_exact():
    assert (ROOT / ".gitattributes").read_text() == "* -text\n"
    raw = (ROOT / "claude-code/session.jsonl").read_bytes()
    text = raw.decode("utf-8", "replace")
    assert len(raw.split(b"\n")) == 36
    assert len(text.splitlines()) == 38
    assert b"\r\n" in raw


def test_a_final_reading_gives_nothing_twice(tmp_path):
    for name in GROWING:
        path = tmp_path / "t.jsonl"
        path.write_bytes((ROOT / name).read_bytes())
        platform = platform_of(name)
        first = read(platform, path, final=True)
        kept = Cursor.from_json(json.loads(json.dumps(first.cursor.to_json())))
        second = read(platform, path, kept, final=True)
        assert second.turns == ()
        assert second.skipped == {}
        assert second.cursor == first.cursor


def test_a_whole_file_gives_what_is_new_in_it(tmp_path):
    path = tmp_path / "export.json"
    export = json.loads((ROOT / "opencode/export.json").read_bytes())
    turns, cursor = [], None
    for number in range(len(export["messages"]) + 1):
        cut = {**export, "messages": export["messages"][:number]}
        path.write_text(json.dumps(cut))
        reading = read("opencode", path, cursor)
        cursor = Cursor.from_json(reading.cursor.to_json())
        turns += reading.turns
    reading = read("opencode", path, cursor, final=True)
    assert tuple(turns) + reading.turns == whole("opencode/export.json").turns
    assert read("opencode", path, reading.cursor, final=True).turns == ()


def test_a_path_that_is_a_folder_is_an_error(tmp_path: Path):
    with pytest.raises(HipogitError):
        read("codex", tmp_path)


@pytest.mark.parametrize("name", GROWING + WHOLE)
def test_the_platform_is_told_from_the_file(name):
    assert guess.platform_of(ROOT / name) == platform_of(name)


@pytest.mark.parametrize(
    "data", [b"", b"\n\n", b"hello\n", b"[1, 2]\n", b'{"a": 1}\n', b"\xff\xfe\x00"]
)
def test_a_file_of_no_platform_is_named(tmp_path, data):
    path = tmp_path / "notes.jsonl"
    path.write_bytes(data)
    with pytest.raises(HipogitError, match="no transcript"):
        guess.platform_of(path)
