"""Commits made by hand in the memory worktree go through the gate too."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from conftest import git, hipogit

# Invented, put together here so that no scanner of a remote takes it for a key.
TOKEN = "ghp_" + "wJ4kQ9zR2mX7vB5nT8yL1cF6hD3sG0aP" + "kQ2f"


@pytest.fixture
def view(repo: Path) -> Path:
    hipogit(repo, "init", "--platform", "none")
    return repo / ".hipogit"


def objects(repo: Path) -> bytes:
    """Every object there is, reachable or not."""
    return subprocess.run(
        ["git", "cat-file", "--batch-all-objects", "--batch"],
        cwd=repo, capture_output=True, check=True,
    ).stdout  # fmt: skip


def test_git_add_stores_only_what_the_gate_lets_through(view: Path) -> None:
    note = view / "knowledge"
    note.mkdir()
    (note / "deploy.md").write_text(f"use api_key = {TOKEN} to deploy\n")
    git(view, "add", "-A")
    git(view, "commit", "-q", "-m", "by hand")
    stored = git(view, "show", "HEAD:knowledge/deploy.md")
    assert "[REDACTED:" in stored and "to deploy" in stored
    assert TOKEN.encode() not in objects(view)
    assert git(view, "status", "--porcelain") == ""


def test_with_the_filter_off_the_commit_is_refused(view: Path) -> None:
    (view / "SCRATCHPAD.md").write_text(f"token {TOKEN}\n")
    off = ["-c", "filter.hipogit.clean=", "-c", "filter.hipogit.required=false"]
    git(view, *off, "add", "SCRATCHPAD.md")
    done = subprocess.run(
        ["git", *off, "commit", "-m", "x"], cwd=view, capture_output=True, text=True
    )
    assert done.returncode == 1
    assert "SCRATCHPAD.md:1: " in done.stderr and "fix: " in done.stderr
    assert TOKEN not in done.stderr


def test_a_partial_commit_is_judged_by_what_it_commits(view: Path) -> None:
    off = ["-c", "filter.hipogit.clean=", "-c", "filter.hipogit.required=false"]
    (view / "SCRATCHPAD.md").write_text(f"token {TOKEN}\n")
    (view / "WORKING.md").write_text("fine\n")
    git(view, *off, "add", "-A")
    git(view, *off, "commit", "-q", "-m", "x", "--", "WORKING.md")
    assert git(view, "show", "HEAD:WORKING.md") == "fine\n"


def test_without_hipogit_a_commit_by_hand_is_refused(
    view: Path, repo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (repo / ".git/hipogit/interpreter").write_text("/nowhere/python\n")
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    (view / "WORKING.md").write_text("x\n")
    done = subprocess.run(
        ["git", "add", "WORKING.md"], cwd=view, capture_output=True, text=True
    )
    assert done.returncode and "hipogit is gone" in done.stderr


def test_memory_is_pushed_to_no_remote_that_was_not_named(
    view: Path, tmp_path: Path
) -> None:
    git(tmp_path, "init", "-q", "--bare", "away.git")
    git(view, "remote", "add", "away", str(tmp_path / "away.git"))
    done = subprocess.run(
        ["git", "push", "away", "hipogit/memory"], cwd=view, capture_output=True,
        text=True,
    )  # fmt: skip
    assert done.returncode and "no remote was named" in done.stderr
    hipogit(view.parent, "init", "--platform", "none", "--remote", "away")
    git(view, "push", "-q", "away", "hipogit/memory")


def test_a_file_can_be_taken_back_by_hand(view: Path) -> None:
    before = (view / "WORKING.md").read_text()
    (view / "WORKING.md").write_text("mine\n")
    git(view, "checkout", "-q", "--", "WORKING.md")
    assert (view / "WORKING.md").read_text() == before
    git(view, "checkout", "-q", "--detach")
    git(view, "checkout", "-q", "hipogit/memory")


def test_a_code_file_named_hipogit_on_the_branch_is_never_run(view: Path) -> None:
    (view / "hipogit").mkdir()
    (view / "hipogit" / "__init__.py").write_text("raise SystemExit('imported')\n")
    git(view, "add", "-A")
    git(view, "commit", "-q", "-m", "x")
    assert git(view, "log", "-1", "--format=%s").strip()
