"""The hooks of the manifest behind the real pre-commit, stage by stage."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from conftest import git, hipogit

from tests.gate.test_precommit import ENTRY, TOKEN

ROOT = Path(__file__).parent.parent.parent
BRANCH = "hipogit/memory"
DAY = "memory/2026-11-29.md"


@pytest.fixture(autouse=True)
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`hipogit` on PATH is this checkout."""
    tools = tmp_path / "tools"
    tools.mkdir()
    (tools / "hipogit").write_text(
        f'#!/bin/sh\nexec "{sys.executable}" -P -m hipogit "$@"\n'
    )
    (tools / "hipogit").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tools}:{os.environ['PATH']}")


@pytest.fixture
def memory(repo: Path) -> Path:
    hipogit(repo, "init", "--platform", "none")
    hipogit(repo, "checkpoint", "Rate limit", "-m", "- decisions: token bucket")
    return repo


@pytest.fixture
def hooked(memory: Path) -> Path:
    """A code repository with every hook of the manifest, installed for each stage."""
    manifest = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
    hooks = [{**hook, "language": "system"} for hook in manifest]
    config = {
        "default_install_hook_types": ["pre-commit", "post-commit", "pre-push"],
        "repos": [{"repo": "local", "hooks": hooks}],
    }
    (memory / ".pre-commit-config.yaml").write_text(yaml.safe_dump(config))
    git(memory, "add", ".")
    git(memory, "commit", "-qm", "config")
    assert pre_commit(memory, "install").returncode == 0
    return memory


def pre_commit(cwd: Path, *args: str) -> subprocess.CompletedProcess[str]:
    return run(cwd, sys.executable, "-m", "pre_commit", *args)


def run(cwd: Path, *args: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(args, cwd=cwd, text=True, capture_output=True, check=False)


def by_hand(repo: Path, old: str, new: str) -> None:
    """Change an entry on the memory branch, past every hook."""
    view = repo / ".hipogit"
    path = view / DAY
    path.write_text(path.read_text().replace(old, new))
    git(view, "-c", "core.hooksPath=/dev/null", "commit", "-qam", "by hand")


def test_a_commit_passes_the_gate_the_guard_and_verify(hooked: Path) -> None:
    (hooked / "app.py").write_text("print('bye')\n")
    good = run(hooked, "git", "commit", "-am", "fine")
    said = good.stdout + good.stderr
    assert good.returncode == 0, said
    assert said.count("Passed") == 4, said  # post-commit among them

    (hooked / "a.md").write_text(f"{TOKEN}\n{ENTRY}")
    git(hooked, "add", ".")
    bad = run(hooked, "git", "commit", "-m", "not fine")
    said = bad.stdout + bad.stderr
    assert bad.returncode == 1 and TOKEN not in said
    assert "a.md:1: github" in said and "a.md:3: an entry of memory" in said


def test_a_clone_of_the_code_alone_is_not_kept_from_committing(
    hooked: Path, tmp_path: Path
) -> None:
    git(tmp_path, "init", "-q", "--bare", "code.git")
    git(hooked, "push", "-q", "--no-verify", str(tmp_path / "code.git"), "main")
    git(tmp_path, "clone", "-q", "--branch", "main", "code.git", "clone")
    clone = tmp_path / "clone"
    assert pre_commit(clone, "install").returncode == 0
    (clone / "app.py").write_text("print('bye')\n")
    done = run(clone, "git", "commit", "-am", "fine")
    said = done.stdout + done.stderr
    assert done.returncode == 0 and said.count("Passed") == 4, said
    done = pre_commit(clone, "run", "--hook-stage", "manual", "--verbose",
                      "hipogit-verify")  # fmt: skip
    assert done.returncode == 0
    assert f"no branch {BRANCH}, so there is nothing to check" in done.stdout
    assert f"git fetch origin {BRANCH}:{BRANCH}" in done.stdout


def test_with_fetch_a_branch_that_is_not_there_is_an_error(
    hooked: Path, tmp_path: Path
) -> None:
    config = hooked / ".pre-commit-config.yaml"
    config.write_text(config.read_text().replace(
        "entry: hipogit verify --if-any", "entry: hipogit verify --if-any --fetch"
    ))  # fmt: skip
    git(hooked, "commit", "-qnam", "rely on it")
    git(tmp_path, "clone", "-q", "--branch", "main", "--single-branch",
        f"file://{hooked}", "clone")  # fmt: skip
    clone = tmp_path / "clone"
    words = ("run", "--hook-stage", "manual", "hipogit-verify")
    assert pre_commit(clone, *words).returncode == 0
    git(hooked, "branch", "-m", BRANCH, "elsewhere")
    git(clone, "update-ref", "-d", f"refs/remotes/origin/{BRANCH}")
    bad = pre_commit(clone, *words)
    assert bad.returncode == 1 and f"origin has no branch {BRANCH}" in bad.stdout


def test_where_memory_was_set_up_a_branch_that_is_gone_is_no_peace(
    hooked: Path,
) -> None:
    git(hooked, "update-ref", "-d", f"refs/heads/{BRANCH}")
    for hook in ("hipogit-verify", "hipogit-compact"):
        done = pre_commit(hooked, "run", "--hook-stage", "manual", hook)
        assert done.returncode == 1, done.stdout
        assert "no branch" in done.stdout or "no memory branch" in done.stdout


def test_after_a_commit_the_summaries_follow(hooked: Path) -> None:
    view = hooked / ".hipogit"
    (view / "memory/daily/2026-11-29.md").unlink()
    git(view, "-c", "core.hooksPath=/dev/null", "commit", "-qam", "lost")
    (hooked / "app.py").write_text("print('bye')\n")
    done = run(hooked, "git", "commit", "-nam", "fine")

    assert done.returncode == 0, done.stdout + done.stderr
    assert "token bucket" in git(hooked, "show", f"{BRANCH}:memory/daily/2026-11-29.md")
    assert git(hooked, "log", "-1", "--format=%s", BRANCH).startswith("compact:")


def test_a_push_waits_for_a_memory_that_holds_together(
    hooked: Path, tmp_path: Path
) -> None:
    git(tmp_path, "init", "-q", "--bare", "away.git")
    git(hooked, "remote", "add", "origin", str(tmp_path / "away.git"))
    good = run(hooked, "git", "push", "origin", "main")
    assert good.returncode == 0, good.stdout + good.stderr

    by_hand(hooked, "token bucket", "leaky bucket")
    git(hooked, "-c", "core.hooksPath=/dev/null", "commit", "-q", "--allow-empty",
        "-m", "more")  # fmt: skip
    bad = run(hooked, "git", "push", "origin", "main")
    said = bad.stdout + bad.stderr
    assert bad.returncode == 1 and "FAIL  append-only" in said
    assert f"{DAY}:3" in said


def test_by_hand_all_of_them_run(hooked: Path) -> None:
    done = pre_commit(hooked, "run", "--hook-stage", "manual", "--all-files")
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("Passed") == 4
    by_hand(hooked, "token bucket", "leaky bucket")
    done = pre_commit(hooked, "run", "--hook-stage", "manual", "hipogit-verify")
    assert done.returncode == 1 and "append-only" in done.stdout


def test_the_memory_worktree_has_a_config_of_its_own(memory: Path) -> None:
    view = memory / ".hipogit"
    for words in (["run"], ["run", "--hook-stage", "manual", "--all-files"]):
        done = pre_commit(view, *words)
        assert done.returncode == 0, done.stdout + done.stderr
        assert "Passed" in done.stdout
    by_hand(memory, "token bucket", "leaky bucket")
    done = pre_commit(view, "run", "--hook-stage", "manual")
    assert done.returncode == 1 and "append-only" in done.stdout


def test_so_has_a_clone_of_the_branch(memory: Path, tmp_path: Path) -> None:
    git(tmp_path, "clone", "-q", "--branch", BRANCH, str(memory), "clone")
    clone = tmp_path / "clone"
    for words in (["run", "--all-files"], ["run", "--hook-stage", "manual"]):
        done = pre_commit(clone, *words)
        assert done.returncode == 0, done.stdout + done.stderr
        assert "Passed" in done.stdout
    (clone / "SCRATCHPAD.md").write_text(f"{TOKEN}\n")
    git(clone, "add", ".")
    done = pre_commit(clone, "run")
    assert done.returncode == 1 and "SCRATCHPAD.md:1" in done.stdout
    assert TOKEN not in done.stdout
    shutil.rmtree(clone)


@pytest.mark.slow
@pytest.mark.parametrize("hook", ["hipogit-verify", "hipogit-compact"])
def test_a_clone_of_hipogit_gives_the_hooks(
    memory: Path, hook: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`pre-commit try-repo` installs a clone, which needs a package index."""
    monkeypatch.delenv("PYTHONPATH")
    tried = ("try-repo", str(ROOT), hook, "--hook-stage", "manual", "--verbose")
    good = pre_commit(memory, *tried)
    if "No matching distribution" in good.stdout + good.stderr:
        pytest.skip("no package index")
    assert good.returncode == 0, good.stdout + good.stderr
    assert "Passed" in good.stdout
    if hook == "hipogit-verify":
        by_hand(memory, "token bucket", "leaky bucket")
        bad = pre_commit(memory, *tried)
        assert bad.returncode == 1 and "append-only" in bad.stdout
