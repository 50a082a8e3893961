"""Hook payloads of every platform, and the answers those platforms accept."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft7Validator

from hipogit.platforms import hosts

HOOKS = Path(__file__).parent.parent / "fixtures" / "hooks"
CLAUDE = "5f0c1a52-7d0e-4a77-9a51-0b7d4e3f2a10"
CODEX = "019f3a10-77aa-7bc0-9d10-5b0a5d1c2e3f"
GEMINI = "3c3c3c3c-5555-4666-8777-888888888888"
CURSOR = "b5b5b5b5-0000-4000-8000-000000000001"
OPENCODE = "ses_6f1a2b3c4ffeABCDEFGHIJKLMN"
CLAW = "77777777-aaaa-4bbb-8ccc-dddddddddddd"
SHOP, WORKSPACE = "/home/user/shop-api", "/home/user/.openclaw/workspace"

# file, kind, session, cwd, source, prompt
EXPECTED = [
    ("claude-code/PostCompact", "post-compact", CLAUDE, SHOP, "auto", ""),
    ("claude-code/PostToolUse", "", CLAUDE, SHOP, "", ""),
    ("claude-code/PreCompact.auto", "pre-compact", CLAUDE, SHOP, "auto", ""),
    ("claude-code/PreCompact.manual", "pre-compact", CLAUDE, SHOP, "manual", ""),
    ("claude-code/SessionEnd", "session-end", CLAUDE, SHOP, "prompt_input_exit", ""),
    ("claude-code/SessionStart.compact", "session-start", CLAUDE, SHOP, "compact", ""),
    ("claude-code/SessionStart.resume", "session-start", CLAUDE, SHOP, "resume", ""),
    ("claude-code/SessionStart.startup", "session-start", CLAUDE, SHOP, "startup", ""),
    ("claude-code/Stop", "stop", CLAUDE, SHOP, "", ""),
    ("claude-code/SubagentStop", "subagent-stop", CLAUDE, SHOP, "", ""),
    ("claude-code/TaskCompleted", "stop", CLAUDE, SHOP, "", ""),
    (
        "claude-code/UserPromptSubmit",
        *("prompt", CLAUDE, SHOP, "user", "지난주에 정한 속도 제한이 뭐였지?"),
    ),
    ("codex/Interrupt", "stop", CODEX, SHOP, "", ""),
    ("codex/PostCompact", "post-compact", CODEX, SHOP, "manual", ""),
    ("codex/PostToolUse", "", CODEX, SHOP, "", ""),
    ("codex/PreCompact", "pre-compact", CODEX, SHOP, "auto", ""),
    ("codex/SessionEnd", "session-end", CODEX, SHOP, "other", ""),
    ("codex/SessionStart", "session-start", CODEX, SHOP, "startup", ""),
    ("codex/SessionStart.no-transcript", "session-start", CODEX, SHOP, "clear", ""),
    ("codex/Stop", "stop", CODEX, SHOP, "", ""),
    ("codex/SubagentStart", "", CODEX, SHOP, "", ""),
    ("codex/SubagentStop", "subagent-stop", CODEX, SHOP, "", ""),
    (
        "codex/UserPromptSubmit",
        *("prompt", CODEX, SHOP, "", "지난 배포에서 뭘 고쳤지?"),
    ),
    ("cursor/beforeSubmitPrompt", "prompt", CURSOR, SHOP, "", "어제 정한 규칙 알려줘"),
    ("cursor/preCompact", "pre-compact", CURSOR, SHOP, "auto", ""),
    ("cursor/sessionEnd", "session-end", CURSOR, SHOP, "completed", ""),
    ("cursor/sessionStart", "session-start", CURSOR, SHOP, "", ""),
    ("cursor/stop", "stop", CURSOR, SHOP, "", ""),
    ("gemini/AfterAgent", "stop", GEMINI, SHOP, "", "보관 기간이 며칠이었지?"),
    ("gemini/AfterTool", "", GEMINI, SHOP, "", ""),
    ("gemini/BeforeAgent", "prompt", GEMINI, SHOP, "", "보관 기간이 며칠이었지?"),
    ("gemini/PreCompress", "pre-compact", GEMINI, SHOP, "auto", ""),
    ("gemini/SessionEnd", "session-end", GEMINI, SHOP, "exit", ""),
    ("gemini/SessionStart", "session-start", GEMINI, SHOP, "startup", ""),
    ("openclaw/agent.bootstrap", "session-start", CLAW, WORKSPACE, "bootstrap", ""),
    ("openclaw/command.new", "session-end", CLAW, WORKSPACE, "new", ""),
    ("openclaw/session.auto-reset", "session-end", CLAW, WORKSPACE, "daily", ""),
    ("openclaw/session.compact.after", "post-compact", CLAW, "", "compact:after", ""),
    ("openclaw/session.compact.before", "pre-compact", CLAW, "", "compact:before", ""),
    ("opencode/event.session.compacted", "post-compact", OPENCODE, "", "", ""),
    ("opencode/event.session.created", "session-start", OPENCODE, SHOP, "", ""),
    ("opencode/event.session.idle", "stop", OPENCODE, "", "", ""),
    (
        "opencode/experimental.chat.system.transform",
        *("session-start", OPENCODE, "", "", ""),
    ),
    ("opencode/experimental.session.compacting", "pre-compact", OPENCODE, "", "", ""),
]


def fixture(name: str) -> dict[str, object]:
    return hosts.payload((HOOKS / f"{name}.json").read_bytes())


def raw_name(name: str) -> str:
    """What a hook without a name of its own in the payload is called on the shim."""
    return name.partition("/")[2].removeprefix("event.")


@pytest.mark.parametrize("row", EXPECTED, ids=lambda row: row[0])
def test_every_hook_is_read(row: tuple[str, ...]) -> None:
    name, *expected = row
    found = hosts.event(name.partition("/")[0], raw_name(name), fixture(name))
    said = [found.kind, found.session, found.cwd, found.source, found.prompt]
    assert said == expected


def test_no_fixture_is_left_out() -> None:
    names = {str(p.relative_to(HOOKS).with_suffix("")) for p in HOOKS.rglob("*.json")}
    assert names == {row[0] for row in EXPECTED}


def test_the_command_line_name_decides_before_the_payload() -> None:
    found = hosts.event("claude-code", "pre-compact", fixture("claude-code/Stop"))
    assert found.kind == "pre-compact"


def test_a_transcript_may_be_null_or_a_path() -> None:
    missing = hosts.event("codex", "", fixture("codex/SessionStart.no-transcript"))
    assert missing.transcript == ""
    there = hosts.event("codex", "", fixture("codex/SessionStart"))
    assert there.transcript.endswith(f"{CODEX}.jsonl")


def test_the_last_answer_and_the_turn_are_kept() -> None:
    assert hosts.event("gemini", "", fixture("gemini/AfterAgent")).said == "30일입니다."
    assert hosts.event("codex", "", fixture("codex/Stop")).turn == "turn-1"
    assert hosts.event("cursor", "", fixture("cursor/stop")).turn.startswith("c6c6")


def test_a_summariser_ending_as_a_nameless_subagent_is_nothing() -> None:
    data = fixture("claude-code/SubagentStop") | {"agent_type": ""}
    assert hosts.event("claude-code", "subagent-stop", data).kind == ""


def test_what_a_client_put_in_front_of_the_prompt_is_not_the_users() -> None:
    glued = "<hook_context># Memory &lt;1&gt;</hook_context>\n\n보관 기간은?"
    data = fixture("gemini/BeforeAgent") | {"prompt": glued}
    assert hosts.event("gemini", "prompt", data).prompt == "보관 기간은?"
    woken = "<task-notification>\n<task-id>a1</task-id></task-notification>"
    data = fixture("claude-code/UserPromptSubmit") | {"prompt": woken}
    assert hosts.event("claude-code", "prompt", data).prompt == ""


def test_cursor_running_claudes_hook_is_read_and_answered_as_cursor() -> None:
    found = hosts.event("claude-code", "session-start", fixture("cursor/sessionStart"))
    assert (found.platform, found.kind) == ("cursor", "session-start")
    assert found.cwd == "/home/user/shop-api"


def test_cursor_with_hooks_of_its_own_makes_claudes_a_repetition(tmp_path) -> None:
    data = fixture("cursor/stop") | {"workspace_roots": [str(tmp_path)]}
    hooks = tmp_path / ".cursor" / "hooks.json"
    hooks.parent.mkdir()
    hooks.write_text('{"hooks": {"stop": [{"command": "hipogit hook cursor stop"}]}}')
    assert hosts.event("claude-code", "stop", data).kind == ""
    assert hosts.event("cursor", "stop", data).kind == "stop"


def test_opencode_messages_ride_along() -> None:
    data = fixture("opencode/event.session.idle")
    data |= {"directory": "/src/shop", "export": {"info": {}, "messages": [1]}}
    found = hosts.event("opencode", "stop", data)
    assert (found.cwd, found.messages["messages"]) == ("/src/shop", [1])


TEXT = {"type": "string", "minLength": 1}


def context_of(name: str) -> dict[str, object]:
    """The strict shape of Codex, which Claude Code and Gemini accept as well."""
    inner = {
        "type": "object",
        "additionalProperties": False,
        "required": ["hookEventName", "additionalContext"],
        "properties": {"hookEventName": {"const": name}, "additionalContext": TEXT},
    }
    return exactly("hookSpecificOutput", inner)


def exactly(key: str, inner: dict[str, object]) -> dict[str, object]:
    return {
        "type": "object",
        "additionalProperties": False,
        "required": [key],
        "properties": {key: inner},
    }


SHAPES = {
    ("claude-code", "session-start"): context_of("SessionStart"),
    ("claude-code", "prompt"): context_of("UserPromptSubmit"),
    ("codex", "session-start"): context_of("SessionStart"),
    ("codex", "prompt"): context_of("UserPromptSubmit"),
    ("gemini", "prompt"): context_of("BeforeAgent"),
    ("opencode", "session-start"): exactly("context", TEXT),
    ("opencode", "prompt"): exactly("context", TEXT),
    ("cursor", "session-start"): exactly("additional_context", TEXT),
    ("cursor", "prompt"): exactly("additional_context", TEXT),
}


@pytest.mark.parametrize("platform", hosts.PLATFORMS)
@pytest.mark.parametrize("kind", hosts.KINDS)
def test_an_answer_has_the_hosts_shape_or_is_nothing(platform: str, kind: str) -> None:
    said = hosts.answer(platform, kind, "# 기억 \udcff\n- 속도 제한 🪣\n")
    shape = SHAPES.get((platform, kind))
    if shape is None:
        assert said == ""
        assert hosts.room(platform, kind)[0] == 0
        return
    Draft7Validator(shape).validate(json.loads(said))
    assert "\\udcff" not in said
    assert "속도 제한 🪣" in str(json.loads(said))
    assert hosts.answer(platform, kind, " \n") == ""


@pytest.mark.parametrize(("platform", "kind"), SHAPES)
def test_an_answer_never_outgrows_its_host(platform: str, kind: str) -> None:
    line = "- 결제 속도 제한 [project, 2d]: token bucket, 🪣 → knowledge/rate.md"
    said = json.loads(hosts.answer(platform, kind, "\n".join([line] * 2_000)))
    while isinstance(said, dict):
        said = list(said.values())[-1]
    limit, unit = hosts.room(platform, kind)
    assert limit * 0.9 < hosts.size(said, unit) <= limit
    *lines, last = said.split("\n")
    assert set(lines) == {line}
    assert last == hosts.CUT


def test_claude_code_loads_memory_itself_only_where_the_import_is_current(
    tmp_path: Path,
) -> None:
    project = tmp_path / "shop"
    local = project / ".git" / "hipogit"
    local.mkdir(parents=True)
    (project / "api").mkdir()
    (tmp_path / "CLAUDE.local.md").write_text("@shop/.git/hipogit/import.md")
    inside, tip = str(project / "api"), "a" * 40

    def imported(platform: str = "claude-code") -> bool:
        return hosts.imported(platform, inside, tip)

    assert not imported()
    block = project / "CLAUDE.local.md"
    block.write_text("<!-- hipogit:start -->\n@.git/hipogit/import.md\n")
    assert not imported(), "the file is not there"
    (local / "import.md").write_text("# Memory\n")
    assert not imported(), "nobody knows of which tip it is"
    (local / "import.tip").write_text("b" * 40)
    assert not imported(), "it is behind"
    (local / "import.tip").write_text(tip + "\n")
    assert imported()
    assert not imported("cursor")
    block.write_text("@.git/hipogit/import.md\n")
    assert not imported(), "not our block"


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"{",
        b"[1]",
        b"null",
        b'"text"',
        b"\xff\xfe{}",
        b"[" * 100_000,
        b'{"a": ' * 100_000,
    ],
    ids=["nothing", "cut", "list", "null", "text", "utf-16", "deep", "deep-object"],
)
def test_stdin_that_is_no_object_is_an_empty_one(data: bytes) -> None:
    assert hosts.payload(data) == {}


SCALAR = st.none() | st.integers() | st.sampled_from(["", "x", "\0", "<hook_context>"])
KEYS = [
    *("event", "properties", "info", "input", "context", "session_id", "cwd", "type"),
    *("prompt", "action", "workspace_roots", "cursor_version", "sessionEntry"),
]
SHALLOW = st.dictionaries(
    st.sampled_from(KEYS), SCALAR | st.lists(SCALAR, max_size=2), max_size=4
)
OBJECT = st.dictionaries(st.sampled_from(KEYS), SCALAR | SHALLOW, max_size=5)


@settings(max_examples=200)
@given(
    st.sampled_from(hosts.PLATFORMS),
    st.sampled_from([*hosts.KINDS, "", "no-such-event"]),
    OBJECT,
)
def test_any_object_gives_an_event_of_texts(platform, name, data) -> None:
    found = hosts.event(platform, name, data)
    for slot in set(hosts.HookEvent.__slots__) - {"messages"}:
        assert isinstance(getattr(found, slot), str)
    assert isinstance(found.messages, dict)


def test_the_turns_own_code_imports_next_to_nothing() -> None:
    script = (
        "import sys, os; before = set(sys.modules)\n"
        "import hipogit.platforms.hosts\n"
        "print(*sorted(set(sys.modules) - before))"
    )
    run = [sys.executable, "-c", script]
    out = subprocess.run(run, capture_output=True, text=True, check=True)
    assert set(out.stdout.split()) <= {
        "__future__",
        "hipogit",
        "_json",
        "hipogit.fastjson",
        "hipogit.platforms",
        "hipogit.platforms.hosts",
    }
