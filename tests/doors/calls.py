"""Hooks run as the agents run them, and waiting for what they left for later."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

HOOKS = Path(__file__).parent.parent / "fixtures" / "hooks"
TRANSCRIPTS = Path(__file__).parent.parent / "fixtures" / "transcripts"
# The folder the fixtures speak of.
THERE = "/home/user/shop-api"


def fixture(platform: str, name: str, repo: Path) -> dict[str, Any]:
    """A payload as that host sends it, from this repository."""
    text = (HOOKS / platform / f"{name}.json").read_text("utf-8")
    found = json.loads(text.replace(THERE, str(repo)))
    assert isinstance(found, dict)
    return found


def call(
    cwd: Path, platform: str, event: str, told: bytes, **env: str
) -> subprocess.CompletedProcess[bytes]:
    """The finished process of one hook."""
    return subprocess.run(
        [sys.executable, "-P", "-m", "hipogit", "hook", platform, event],
        cwd=cwd,
        input=told,
        env={**os.environ, **env},
        capture_output=True,
        timeout=60,
    )


def fire(
    cwd: Path, platform: str, event: str, payload: dict[str, Any], **env: str
) -> dict[str, Any]:
    """What a hook answers; {} for nothing. Fails on anything a host would not take."""
    done = call(cwd, platform, event, json.dumps(payload).encode(), **env)
    assert done.returncode == 0, done.stderr
    if not done.stdout:
        return {}
    answer = json.loads(done.stdout)
    assert isinstance(answer, dict) and answer
    return answer


def context(answer: dict[str, Any]) -> str:
    """The text an answer puts before the model, whichever way the host takes it."""
    inner = answer.get("hookSpecificOutput", answer)
    keys = ("additionalContext", "additional_context", "context")
    return next((str(inner[key]) for key in keys if key in inner), "")


def wait(until: Callable[[], bool], seconds: float = 120) -> None:
    """Wait for what a hook left for later; fails the test when it never comes."""
    end = time.monotonic() + seconds
    while not until():
        assert time.monotonic() < end, "it never came"
        time.sleep(0.05)


def journals(repo: Path) -> str:
    """All journals at the tip."""
    done = subprocess.run(
        ["git", "grep", "-h", "-e", "", "hipogit/memory", "--", "memory/2*.md"],
        cwd=repo,
        capture_output=True,
    )
    return done.stdout.decode("utf-8", "surrogateescape")


def ledger(repo: Path) -> list[dict[str, str]]:
    """The lines of the ledger."""
    path = repo / ".git" / "hipogit" / "ledger.jsonl"
    if not path.exists():
        return []
    return [json.loads(line) for line in path.read_text().splitlines()]
