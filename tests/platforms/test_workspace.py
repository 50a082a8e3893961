"""An OpenClaw workspace and the branch: the copy, the index, the pruning."""

from __future__ import annotations

import random
import string
import subprocess
from datetime import datetime
from pathlib import Path

import pytest
from click.testing import CliRunner

from hipogit import workspace
from hipogit.cli import cli
from hipogit.doors import upkeep
from hipogit.platforms import hosts
from hipogit.platforms.blockfile import content
from hipogit.store import Store

NOW = datetime.fromisoformat("2026-11-29T17:35:02+09:00")
MEMORY = (
    "# Memory\n\n## Core\n- Kim runs payments\n\n## Adaptive\n- likes short answers\n"
)


@pytest.fixture
def store(repo: Path) -> Store:
    (repo / "MEMORY.md").write_text(MEMORY)
    (repo / "USER.md").write_text("- Kim, Seoul\n")
    run(repo, "init", "--platform", "openclaw")
    return Store.open(repo)


def run(repo: Path, *args: str) -> str:
    done = CliRunner().invoke(cli, ["-C", str(repo), *args])
    if done.exception:
        raise done.exception
    return done.stdout


def on_branch(repo: Path, path: str) -> str:
    show = ["git", "show", f"hipogit/memory:{path}"]
    done = subprocess.run(show, cwd=repo, capture_output=True, check=True)
    return done.stdout.decode()


def block(repo: Path) -> str:
    path = repo / "MEMORY.md"
    found = content(path.read_text(), path)
    assert found is not None
    return found


def test_the_branch_gets_a_copy_and_the_workspace_the_index(
    repo: Path, store: Store
) -> None:
    run(repo, "checkpoint", "Rate limit", "-m", "- decisions: token bucket")
    workspace.keep(store, repo, NOW)
    assert on_branch(repo, "MEMORY.md") == MEMORY
    assert on_branch(repo, "USER.md") == "- Kim, Seoul\n"
    assert "Rate limit" in block(repo)
    assert (repo / "MEMORY.md").read_text().startswith(MEMORY)
    tip = store.tip()
    assert workspace.keep(store, repo, NOW) == []
    assert store.tip() == tip


def test_the_copy_says_that_it_is_one(repo: Path, store: Store) -> None:
    workspace.keep(store, repo, NOW)
    log = ["git", "log", "--format=%B", "-n", "2", "hipogit/memory"]
    said = subprocess.run(log, cwd=repo, capture_output=True, text=True).stdout
    assert "edit: MEMORY.md, USER.md" in said
    assert "Hipogit-Source: openclaw" in said


def test_a_secret_in_the_workspace_stays_there(repo: Path, store: Store) -> None:
    letters = random.Random(7).choices(string.ascii_uppercase + "234567", k=16)
    secret = "AK" + "IA" + "".join(letters)
    path = repo / "MEMORY.md"
    path.write_text(path.read_text().replace("short answers", f"key {secret}"))
    workspace.keep(store, repo, NOW)
    assert secret not in on_branch(repo, "MEMORY.md")
    assert secret in path.read_text(), "the workspace is not ours to change"


def test_adaptive_is_shortened_only_after_its_copy(repo: Path, store: Store) -> None:
    path = repo / "MEMORY.md"
    lines = "".join(f"- lesson {n}\n" for n in range(70))
    path.write_text(path.read_text().replace("- likes short answers\n", lines))
    notes = workspace.keep(store, repo, NOW)
    assert any(note.startswith("20 oldest lines left Adaptive") for note in notes)
    assert on_branch(repo, "MEMORY.md").count("- lesson") == 70
    assert path.read_text().count("- lesson") == 50
    assert "- lesson 19\n" not in path.read_text()
    assert "## Core\n- Kim runs payments\n" in path.read_text()


def test_without_our_block_nothing_is_copied(repo: Path, store: Store) -> None:
    (repo / "MEMORY.md").write_text(MEMORY)
    tip = store.tip()
    assert workspace.keep(store, repo, NOW) == []
    assert store.tip() == tip
    assert (repo / "MEMORY.md").read_text() == MEMORY


def test_uninstall_gives_the_file_back_after_all_that(repo: Path, store: Store) -> None:
    run(repo, "checkpoint", "Rate limit", "-m", "- decisions: token bucket")
    workspace.keep(store, repo, NOW)
    run(repo, "uninstall", "--delete-memory")
    assert (repo / "MEMORY.md").read_text() == MEMORY


@pytest.mark.parametrize("capture", ["full", "off"])
def test_a_hook_of_openclaw_makes_the_copy(
    repo: Path, store: Store, capture: str
) -> None:
    run(repo, "init", "--platform", "openclaw", "--capture", capture)
    data = {"type": "session", "action": "compact:before"}
    context = {"workspaceDir": str(repo), "sessionId": "s"}
    job = hosts.event("openclaw", "pre-compact", {**data, "context": context})
    upkeep.work({"platform": job.platform, "kind": job.kind, "cwd": job.cwd})
    with store.snapshot() as tip:
        assert (tip.read("MEMORY.md") == MEMORY) == (capture == "full")
    assert store.ledger.lines() == []
