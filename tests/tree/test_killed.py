"""Killed between any two levels, the next run comes to the same bytes."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import git, hipogit

BRANCH = "hipogit/memory"

# Runs the command line, but dies at the door of one step.
DYING = """
import os, signal, sys
import hipogit.compaction
from hipogit.store import Store
from hipogit.cli import main
door, name = sys.argv.pop(1).split(":")
chain = sys.modules["hipogit.tree.compact"]  # the name itself is the function
owner = {"chain": chain._Run, "store": Store, "done": hipogit.compaction}[door]
setattr(owner, name, lambda *a, **k: os.kill(os.getpid(), signal.SIGKILL))
sys.exit(main(sys.argv[1:]))
"""
DOORS = [
    "chain:daily",
    "chain:weekly",
    "chain:monthly",
    "chain:top",
    "chain:result",
    "store:_write",
    "done:write_whole",
]


def said(number: int) -> list[str]:
    return ["checkpoint", f"topic {number}", "-m", f"value {number}", "--json"]


@pytest.mark.slow
@pytest.mark.parametrize("door", DOORS)
def test_a_run_after_a_kill_comes_to_the_same_bytes(repo: Path, door: str) -> None:
    hipogit(repo, "init", "--platform", "none")
    hipogit(repo, *said(0))
    before = git(repo, "rev-parse", BRANCH)
    done = subprocess.run(
        [sys.executable, "-c", DYING, door, *said(1)],
        cwd=repo,
        capture_output=True,
        check=False,
    )
    assert done.returncode == -signal.SIGKILL, done.stderr
    after = git(repo, "rev-parse", BRANCH)
    # All of a write is visible, or nothing of it.
    assert (after == before) is (door != "done:write_whole")
    hipogit(repo, *said(1))
    hipogit(repo, *said(2))
    hipogit(repo, "compact", "--check")
    assert "topic 2" in git(repo, "show", f"{BRANCH}:memory/ROOT.md")
