"""Whatever stands on standard input, the agent goes on."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from conftest import hipogit, sized
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hipogit.platforms import hosts

from .calls import call, ledger

KEYS = (
    "session_id cwd transcript_path hook_event_name prompt source trigger reason"
    " agent_id agent_type turn_id last_assistant_message cursor_version"
    " workspace_roots event context type action input info export directory"
    " conversation_id generation_id compact_summary"
)
VALUE = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.text(max_size=20)
    | st.sampled_from(["/", "..", "\0", "startup", "resume", "compact", "\ud83d"]),
    lambda below: (
        st.lists(below, max_size=3)
        | st.dictionaries(st.sampled_from(KEYS.split()), below, max_size=3)
    ),
    max_leaves=6,
)
OBJECT = st.dictionaries(st.sampled_from(KEYS.split()), VALUE, min_size=1, max_size=9)
ANY = st.one_of(
    st.binary(max_size=200),
    VALUE.map(lambda value: json.dumps(value).encode()),
    OBJECT.map(lambda value: json.dumps(value).encode()),
    OBJECT.map(lambda value: json.dumps(value).encode()[:-3]),
)
NASTY = {
    "nothing": b"",
    "blank": b" \n",
    "garbage": b"\xff\xfe\0garbage",
    "text": b"please stop",
    "array": b"[]",
    "null": b"null",
    "number": b"1e999",
    "deep": b"[" * 200_000,
    "deep object": b'{"a":' * 100_000,
    "open text": b'{"session_id": "s',
    "two values": b'{"session_id": "s"} {}',
    "huge number": b'{"a": ' + b"9" * 10_000 + b"}",
}


@pytest.fixture(scope="module")
def memory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("fuzz") / "shop"


def set_up(memory: Path) -> None:
    """Made inside a test, where HOME and the dates are sealed."""
    if not memory.exists():
        import subprocess

        subprocess.run(["git", "init", "-q", str(memory)], check=True)
        hipogit(memory, "init", "--platform", "none")


def answers(memory: Path, platform: str, kind: str, told: bytes) -> None:
    done = call(memory, platform, kind, told)
    assert done.returncode == 0, done.stderr
    if done.stdout:
        assert isinstance(json.loads(done.stdout), dict)
    assert done.stderr == b""


@pytest.mark.parametrize("told", NASTY.values(), ids=NASTY)
def test_what_is_no_object_gives_no_output_and_a_line_in_the_ledger(
    memory: Path, told: bytes
) -> None:
    set_up(memory)
    before = len(ledger(memory))
    done = call(memory, "claude-code", "session-start", told)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    after = ledger(memory)
    assert len(after) == before + 1
    assert "no JSON object" in after[-1]["sentence"]


@settings(
    max_examples=sized(40, 600),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(st.sampled_from(hosts.PLATFORMS), st.sampled_from(hosts.KINDS), ANY)
def test_nothing_on_standard_input_stops_an_agent(
    memory: Path, platform: str, kind: str, told: bytes
) -> None:
    set_up(memory)
    answers(memory, platform, kind, told)
    unforeseen = [line for line in ledger(memory) if " in " in line["sentence"]]
    assert unforeseen == []


def test_more_than_is_ours_to_parse_is_read_and_left(memory: Path) -> None:
    set_up(memory)
    told = b'{"session_id": "' + b"x" * (hosts.STDIN_CAP + 1) + b'"}'
    answers(memory, "claude-code", "stop", told)
    assert "no JSON object" in ledger(memory)[-1]["sentence"]


def test_an_input_that_stays_open_does_not_hold_the_agent(memory: Path) -> None:
    import os
    import subprocess
    import sys

    set_up(memory)
    into, out = os.pipe()
    os.write(out, json.dumps({"session_id": "s", "cwd": str(memory)}).encode())
    words = [sys.executable, "-P", "-m", "hipogit", "hook", "codex", "session-start"]
    done = subprocess.run(
        words, stdin=into, cwd=memory, capture_output=True, timeout=30
    )
    os.close(out)
    os.close(into)
    assert done.returncode == 0
    assert done.stdout


def test_a_closed_input_or_output_is_no_matter(memory: Path) -> None:
    import os
    import subprocess
    import sys

    set_up(memory)
    words = f"'{sys.executable}' -P -m hipogit hook codex session-start"
    for closed in ("<&-", ">&-", "<&- >&- 2>&-"):
        done = subprocess.run(
            ["/bin/sh", "-c", f"{words} {closed}"], cwd=memory, env=os.environ,
            input=b'{"session_id": "s"}', capture_output=True, timeout=60,
        )  # fmt: skip
        assert done.returncode == 0
