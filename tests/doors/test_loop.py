"""From the agent to memory and back: what was injected is not taken for new."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from conftest import git, hipogit
from test_races import boxed

from hipogit.doors import upkeep

from .calls import TRANSCRIPTS, context, fire, fixture, journals, ledger, wait

FACT = "The retry queue drains at 40 jobs per minute since the move to Valkey."
NEW = "We decided to cap retries at five because the vendor blocks the sixth."
# Invented, put together here so that no scanner of a remote takes it for a key.
TOKEN = "ghp_" + "wJ4kQ9zR2mX7vB5nT8yL1cF6hD3sG0aP" + "kQ2f"


@pytest.fixture
def memory(repo: Path) -> Path:
    hipogit(repo, "init", "--platform", "none")
    hipogit(repo, "checkpoint", "Retry queue", "-m", FACT)
    return repo


def transcript(where: Path, *said: tuple[str, str]) -> Path:
    """A session of Claude Code: who said what."""
    rows = [
        {
            "type": who,
            "uuid": f"{number:08d}-0000-4000-8000-000000000000",
            "parentUuid": None,
            "sessionId": "s1",
            "timestamp": f"2026-11-29T08:{number:02d}:00.000Z",
            "cwd": str(where.parent),
            "message": {
                "role": who,
                "content": text if who == "user" else [{"type": "text", "text": text}],
            },
        }
        for number, (who, text) in enumerate(said)
    ]
    where.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return where


def told(memory: Path, path: Path, **more: Any) -> dict[str, Any]:
    return {
        "session_id": "s1",
        "cwd": str(memory),
        "transcript_path": str(path),
        **more,
    }


def quiet(memory: Path) -> None:
    """Wait until nothing is left to be done."""
    queue = memory / ".git" / "hipogit" / "queue"
    wait(lambda: not queue.is_dir() or not list(queue.iterdir()))


def test_what_was_injected_is_not_stored_again(memory: Path) -> None:
    start = told(memory, memory.parent / "none.jsonl", source="startup")
    injected = context(fire(memory, "claude-code", "session-start", start))
    assert FACT in injected
    path = transcript(
        memory.parent / "s1.jsonl",
        ("user", "What do we know of the retry queue?"),
        ("assistant", f"Memory says:\n\n{injected}\n\n**{FACT}**\n\n{NEW}"),
    )
    id = json.loads(hipogit(memory, "why", FACT, "--json"))["entries"][0]["id"]
    # What was withdrawn meanwhile does not come back through the one it was told to.
    hipogit(memory, "retract", id, "--reason", "measured on the wrong queue")
    fire(memory, "claude-code", "stop", told(memory, path))
    wait(lambda: "standing=captured" in journals(memory))
    text = journals(memory)
    assert NEW in text and "What do we know" in text
    assert FACT not in text and FACT.rstrip(".") not in text
    for line in injected.split("\n"):
        if len(line.strip()) > 20:
            assert line.strip("-# ") not in text, line


def test_secrets_in_a_session_are_nowhere(memory: Path) -> None:
    path = transcript(
        memory.parent / "s1.jsonl",
        ("user", f"use {TOKEN} for the deploy"),
        ("assistant", f"Done: the deploy uses {TOKEN}. {NEW}"),
    )
    fire(memory, "claude-code", "stop", told(memory, path))
    wait(lambda: "standing=captured" in journals(memory))
    quiet(memory)
    local = memory / ".git" / "hipogit"
    kept = [one for one in local.rglob("*") if one.is_file()]
    assert all(TOKEN.encode() not in one.read_bytes() for one in kept)
    assert TOKEN not in git(memory, "log", "-p", "hipogit/memory")


def test_a_task_or_a_compaction_in_the_midst_leaves_the_open_turn_for_later(
    memory: Path,
) -> None:
    said = [
        ("user", "First, raise the cap."),
        ("assistant", "Decided: the cap is raised to five."),
        ("user", "Now fix the vendor call."),
        ("assistant", "Looking at it."),
    ]
    path = transcript(memory.parent / "s1.jsonl", *said)
    fire(memory, "claude-code", "task-completed", told(memory, path))
    fire(memory, "claude-code", "pre-compact", told(memory, path, trigger="auto"))
    wait(lambda: "First, raise the cap." in journals(memory))
    quiet(memory)
    assert "Now fix the vendor call." not in journals(memory)
    transcript(path, *said, ("assistant", NEW))
    fire(memory, "claude-code", "stop", told(memory, path))
    wait(lambda: NEW in journals(memory))
    text = journals(memory)
    assert text.count("Now fix the vendor call.") == 1
    assert text.count("standing=captured") == 2


def test_a_turn_that_began_before_we_came_to_it_stays_open(memory: Path) -> None:
    said = [("user", "First, raise the cap."), ("assistant", "Decided: raised to 5.")]
    path = transcript(memory.parent / "s1.jsonl", *said)
    size = path.stat().st_size
    transcript(path, *said, ("user", "Now fix the vendor call."))
    job = {
        "platform": "claude-code", "session": "s1", "kind": "stop", "ended": True,
        "transcript": str(path), "cwd": str(memory), "size": size,
    }  # fmt: skip
    upkeep.work(job)
    assert journals(memory).count("standing=captured") == 1
    transcript(path, *said, ("user", "Now fix the vendor call."), ("assistant", NEW))
    upkeep.work({**job, "size": path.stat().st_size})
    assert journals(memory).count("standing=captured") == 2
    assert NEW in journals(memory)


@pytest.mark.parametrize("mode", ["off", "decisions"])
def test_capture_keeps_to_its_setting(memory: Path, mode: str) -> None:
    local = memory / ".git" / "hipogit"
    with (local / "config.toml").open("a") as file:
        file.write(f'capture = "{mode}"\n')
    asked = "What do we know of the retry queue?"
    path = transcript(memory.parent / "s1.jsonl", ("user", asked), ("assistant", NEW))
    fire(memory, "claude-code", "stop", told(memory, path))
    quiet(memory)
    if mode == "decisions":
        wait(lambda: NEW in journals(memory))
    assert asked not in journals(memory)
    assert (NEW in journals(memory)) is (mode == "decisions")


def test_cursor_shows_only_prompts_and_those_are_kept_once(memory: Path) -> None:
    payload = fixture("cursor", "beforeSubmitPrompt", memory)
    prompt = payload["prompt"]
    fire(memory, "cursor", "prompt", payload)
    # Cursor runs Claude Code's hooks as well.
    fire(memory, "claude-code", "prompt", payload)
    wait(lambda: prompt in journals(memory))
    fire(memory, "cursor", "prompt", {**payload, "generation_id": "next"})
    wait(lambda: journals(memory).count("standing=captured") == 2)
    assert payload["user_email"] not in git(memory, "log", "-p", "hipogit/memory")


def test_opencode_hands_its_messages_over(memory: Path) -> None:
    export = json.loads((TRANSCRIPTS / "opencode" / "export.json").read_text("utf-8"))
    export["info"]["directory"] = str(memory)
    payload = {
        "event": {
            "type": "session.idle",
            "properties": {"sessionID": export["info"]["id"]},
        },
        "directory": str(memory),
        "export": export,
    }
    fire(memory, "opencode", "stop", payload)
    wait(lambda: journals(memory).count("standing=captured") == 2)
    queue = memory / ".git" / "hipogit" / "queue"
    assert not queue.exists(), "words that were not gated are in no file"


def test_openclaw_finds_the_index_in_its_own_memory_file(memory: Path) -> None:
    (memory / "SOUL.md").write_text("# Soul\n")
    (memory / "USER.md").write_text("# User\n\n- works on billing\n")
    (memory / "MEMORY.md").write_text("# Memory\n\n## Core\n- speaks Korean\n")
    hipogit(memory, "init", "--platform", "openclaw")
    payload = fixture("openclaw", "agent.bootstrap", memory)
    payload["context"]["workspaceDir"] = str(memory)
    assert fire(memory, "openclaw", "session-start", payload) == {}
    text = (memory / "MEMORY.md").read_text()
    assert "## Compaction Root" in text and FACT.split(" since")[0] in text
    assert "- speaks Korean" in text
    wait(lambda: "works on billing" in git(memory, "grep", "-h", "-e", "",
                                           "hipogit/memory", "--", "*.md"))  # fmt: skip
    assert "Compaction Root" not in git(memory, "show", "hipogit/memory:MEMORY.md")


def test_what_a_compaction_summed_up_is_kept_once(memory: Path) -> None:
    told = fixture("claude-code", "PostCompact", memory)
    known = "We decided to use a token bucket per account."
    hipogit(memory, "checkpoint", "Known", "-m", known)
    index = context(
        fire(memory, "claude-code", "session-start", {**told, "source": "startup"})
    )
    assert known in index
    told["compact_summary"] = (
        "This session is being continued from a previous conversation.\n"
        f"{known}\n1. We decided to keep limits in api/limits.py, one file.\n"
        "2. Fixed the burst test: it passes now.\n<thinking>why?</thinking>\n"
    )
    for _ in range(2):
        fire(memory, "claude-code", "post-compact", told)
        wait(lambda: "source=claude-code" in journals(memory))
    text = journals(memory)
    assert text.count("api/limits.py") == 2, "in its topic and as a decision"
    assert text.count(known) == 1, "what it was told is no news"
    assert "continued from" not in text and "thinking" not in text
    assert text.count("standing=captured") == 1
    wait(lambda: not list((memory / ".git/hipogit").glob("queue/*")))
    fire(memory, "claude-code", "post-compact", {**told, "compact_summary": 3})
    assert ledger(memory) == []


def test_where_git_cannot_be_written_the_turn_waits_in_the_spool(memory: Path) -> None:
    where = memory.parent / "real.jsonl"
    shutil.copy(TRANSCRIPTS / "claude-code" / "real-2.1.332-tool.jsonl", where)
    payload = told(memory, where, source="startup")
    done = boxed(
        memory, "hook", "claude-code", "session-start", input=json.dumps(payload)
    )
    assert done.returncode == 0 and FACT in done.stdout
    done = boxed(memory, "hook", "claude-code", "stop", input=json.dumps(payload))
    assert (done.returncode, done.stdout) == (0, "")
    spool = memory / ".hipogit" / ".spool"
    wait(lambda: bool(list(spool.glob("*.json"))))
    assert "standing=captured" not in journals(memory)
    fire(memory, "claude-code", "session-start", payload)
    wait(lambda: not list(spool.glob("*.json")))
    assert journals(memory).count("standing=captured") == 1
    assert ledger(memory) == []
