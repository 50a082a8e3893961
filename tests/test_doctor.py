"""A planted fault for each problem the doctor knows: named, repaired, gone."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import git, hipogit

OLD = 1_700_000_000


@pytest.fixture
def memory(repo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    program = tmp_path / "bin" / "hipogit"
    program.parent.mkdir()
    program.write_text(f"#!/bin/sh\nexec '{sys.executable}' -P -m hipogit \"$@\"\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}:{os.environ['PATH']}")
    hipogit(repo, "init", "--platform", "none")
    hipogit(repo, "checkpoint", "Rate limit", "-m", "- decisions: token bucket")
    return repo


def names(repo: Path, *words: str) -> list[tuple[str, bool]]:
    done = subprocess.run(
        [sys.executable, "-P", "-m", "hipogit", "doctor", "--json", *words],
        cwd=repo, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode in (0, 1), done.stderr
    found = json.loads(done.stdout)["problems"]
    left = [one for one in found if not one["fixed"]]
    assert all(one["hint"] for one in left)
    assert bool(left) == (done.returncode == 1)
    return [(one["name"], one["fixed"]) for one in found]


Plant = Callable[[Path], object]
TABLE: list[tuple[str, Plant, bool]] = []


def plants(name: str, *, repaired: bool = True) -> Callable[[Plant], Plant]:
    def keep(plant: Plant) -> Plant:
        TABLE.append((name, plant, repaired))
        return plant

    return keep


def local(repo: Path) -> Path:
    return repo / ".git" / "hipogit"


@plants("hook")
def hook_missing(repo: Path) -> None:
    (local(repo) / "hooks" / "pre-commit").unlink()


@plants("hook")
def hook_not_executable(repo: Path) -> None:
    (local(repo) / "hooks" / "post-commit").chmod(0o644)


@plants("hook")
def hook_changed(repo: Path) -> None:
    (local(repo) / "hooks" / "clean-filter").write_text("#!/bin/sh\ncat\n")


@plants("interpreter")
def interpreter_gone(repo: Path) -> None:
    (local(repo) / "interpreter").write_text("/nowhere/python3\n")


@plants("interpreter")
def interpreter_that_lost_the_package(repo: Path) -> None:
    python = repo.parent / "python3"
    python.write_text("#!/bin/sh\nexit 1\n")
    python.chmod(0o755)
    (local(repo) / "interpreter").write_text(f"{python}\n")


@plants("moved")
def pointer_of_the_view_lost(repo: Path) -> None:
    (repo / ".hipogit/.git").unlink()


@plants("include")
def include_lost(repo: Path) -> None:
    git(repo, "config", "--remove-section", "includeIf.gitdir:./worktrees/-hipogit")


@plants("include")
def scoped_config_changed(repo: Path) -> None:
    (local(repo) / "gitconfig").write_text("[core]\n\thooksPath = /dev/null\n")


@plants("hooks-disabled")
def hooks_taken_by_a_manager(repo: Path) -> None:
    config = repo / ".git" / "config"
    config.write_text(config.read_text() + "[core]\n\thooksPath = .husky\n")


@plants("exclude")
def exclude_lost(repo: Path) -> None:
    (repo / ".git/info/exclude").write_text("")


@plants("view-gone")
def view_deleted(repo: Path) -> None:
    shutil.rmtree(repo / ".hipogit")


@plants("view-gone")
def view_deleted_and_pruned(repo: Path) -> None:
    shutil.rmtree(repo / ".hipogit")
    git(repo, "worktree", "prune")


@plants("detached")
def view_detached(repo: Path) -> None:
    git(repo / ".hipogit", "checkout", "-q", "--detach", "HEAD~1")


@plants("behind")
def view_behind_with_an_edit_in_the_way(repo: Path) -> None:
    # A summary: edits of all else a checkpoint takes in.
    (repo / ".hipogit/memory/ROOT.md").write_text("mine\n")
    hipogit(repo, "checkpoint", "Cache", "-m", "- outcome: done")


@plants("branch-gone")
def branch_deleted(repo: Path) -> None:
    git(repo, "update-ref", "-d", "refs/heads/hipogit/memory")


@plants("lock")
def lock_of_a_dead_git(repo: Path) -> None:
    path = repo / ".git/refs/heads/hipogit/memory.lock"
    path.write_text("")
    os.utime(path, (OLD, OLD))


@plants("lock")
def index_lock_of_a_dead_git(repo: Path) -> None:
    path = repo / ".git/worktrees/-hipogit/index.lock"
    path.write_text("")
    os.utime(path, (OLD, OLD))


@plants("rewritten", repaired=False)
def branch_reset_and_written_on(repo: Path) -> None:
    git(repo, "update-ref", "refs/heads/hipogit/memory", "hipogit/memory~2")
    hipogit(repo, "checkpoint", "Elsewhere", "-m", "on what was left")


@plants("stage")
def writer_killed(repo: Path) -> None:
    git(repo, "update-ref", "refs/hipogit/stage/1-dead", "hipogit/memory")


@plants("half-done-init")
def init_interrupted(repo: Path) -> None:
    (local(repo) / "branch").unlink()


@plants("half-done-init")
def folder_half_there(repo: Path) -> None:
    shutil.rmtree(local(repo) / "sessions")


@plants("spool")
def spool_not_empty(repo: Path) -> None:
    spool = local(repo) / "spool"
    spool.mkdir()
    item = {
        "version": 1,
        "entries": "## Waiting [project]\n<!-- hipogit id=20261129-waitwaitwa"
        " at=2026-11-29T10:00:00+09:00 standing=stated -->\nx\n",
        "record": {"action": "checkpoint", "subject": "Waiting"},
    }
    (spool / "a.json").write_text(json.dumps(item))


@plants("clock", repaired=False)
def clock_back(repo: Path) -> None:
    hipogit(repo, "--now", "2027-03-01T10:00:00+09:00", "checkpoint", "Late", "-m", "x")


@plants("stale")
def summary_missing(repo: Path) -> None:
    view = repo / ".hipogit"
    (view / "memory/weekly/2026-W48.md").unlink()
    git(view, "-c", "core.hooksPath=/dev/null", "commit", "-qam", "by hand")


@plants("node-edited", repaired=False)
def summary_edited(repo: Path) -> None:
    view = repo / ".hipogit"
    path = view / "memory/daily/2026-11-29.md"
    path.write_text(path.read_text().replace("token bucket", "leaky bucket"))
    git(view, "-c", "core.hooksPath=/dev/null", "commit", "-qam", "by hand")


@plants("settings", repaired=False)
def local_setting_there_is_not(repo: Path) -> None:
    (local(repo) / "config.toml").write_text("colour = true\n")


@plants("shipped", repaired=False)
def image_would_hold_memory(repo: Path) -> None:
    (repo / "Dockerfile").write_text("FROM scratch\nCOPY . /\n")


@plants("object-missing", repaired=False)
def object_lost(repo: Path) -> None:
    oid = git(repo, "rev-parse", "hipogit/memory:memory/2026-11-29.md").strip()
    lose(repo, oid)


@plants("object-missing")
def object_lost_but_on_the_remote(repo: Path) -> None:
    git(repo.parent, "init", "-q", "--bare", "away.git")
    git(repo, "remote", "add", "origin", str(repo.parent / "away.git"))
    git(repo, "push", "-q", "origin", "hipogit/memory")
    object_lost(repo)


@plants("index")
def search_index_corrupt(repo: Path) -> None:
    hipogit(repo, "search", "bucket")
    (index,) = local(repo).glob("index-*.sqlite")
    index.write_bytes(b"not a database" + index.read_bytes()[14:] + b"x")


@plants("hook")
def uninstall_interrupted(repo: Path) -> None:
    """Killed after the agents were taken out and before the view was."""
    shutil.rmtree(local(repo) / "hooks")
    git(repo, "config", "--remove-section", "includeIf.gitdir:./worktrees/-hipogit")


@plants("platform")
def settings_of_an_agent_edited_away(repo: Path) -> None:
    set_up_claude(repo)
    (repo / ".claude/settings.local.json").write_text("{}\n")


@plants("platform", repaired=False)
def claude_command_in_a_gemini_file(repo: Path) -> None:
    hipogit(repo, "init", "--platform", "gemini")
    path = Path.home() / ".gemini/settings.json"
    path = path if path.exists() else repo / ".gemini/settings.json"
    path.write_text(path.read_text().replace(
        "hipogit hook gemini stop", "hipogit hook claude-code stop"))  # fmt: skip


def set_up_claude(repo: Path) -> None:
    hipogit(repo, "init", "--platform", "claude-code")


def lose(repo: Path, oid: str) -> None:
    packs = repo / ".git/objects/pack"
    aside = repo.parent / "packs"
    shutil.move(packs, aside)
    packs.mkdir()
    for pack in aside.glob("*.pack"):
        with pack.open("rb") as data:
            subprocess.run(["git", "unpack-objects", "-q"], cwd=repo, stdin=data,
                           check=True)  # fmt: skip
    (repo / ".git/objects" / oid[:2] / oid[2:]).unlink()


def test_nothing_is_wrong_with_a_good_one(memory: Path) -> None:
    assert names(memory) == []


@pytest.mark.parametrize(
    ("name", "plant", "repaired"), TABLE, ids=[row[1].__name__ for row in TABLE]
)
def test_a_planted_fault_is_named_and_repaired(
    memory: Path, name: str, plant: Plant, repaired: bool
) -> None:
    before = git(memory, "show", "hipogit/memory:memory/2026-11-29.md")
    plant(memory)
    assert name in [found for found, _ in names(memory)]
    fixed = names(memory, "--fix")
    assert (name, repaired) in fixed
    if repaired:
        assert names(memory) == []
        hipogit(memory, "checkpoint", "After", "-m", "it works")
        after = git(memory, "show", "hipogit/memory:memory/2026-11-29.md")
        assert "## After" in after and "token bucket" in before
        assert "token bucket" in after
        assert git(memory, "status", "--porcelain") == ""


def test_a_moved_repository_is_put_right(memory: Path, tmp_path: Path) -> None:
    moved = tmp_path / "elsewhere"
    shutil.move(memory, moved)
    assert "moved" in [name for name, _ in names(moved)]
    assert ("moved", True) in names(moved, "--fix")
    assert names(moved) == []
    assert git(moved / ".hipogit", "status", "--porcelain") == ""


@pytest.mark.parametrize("source", ["view's reflog", "view", "clone", "remote"])
def test_a_branch_that_is_gone_comes_back_from_whatever_knows_it(
    memory: Path, source: str
) -> None:
    git(memory.parent, "init", "-q", "--bare", "away.git")
    git(memory, "remote", "add", "origin", str(memory.parent / "away.git"))
    git(memory, "push", "-q", "origin", "hipogit/memory")
    tip = git(memory, "rev-parse", "hipogit/memory").strip()
    git(memory, "update-ref", "-d", "refs/heads/hipogit/memory")
    knows = {
        "view's reflog": memory / ".git/worktrees/-hipogit/logs/HEAD",
        "view": local(memory) / "shown",
        "clone": local(memory) / "compacted",
    }
    for name, path in knows.items():
        if name != source:
            path.unlink()
    if source != "remote":
        git(memory, "update-ref", "-d", "refs/remotes/origin/hipogit/memory")
    assert ("branch-gone", True) in names(memory, "--fix")
    back = git(memory, "rev-parse", "hipogit/memory").strip()
    # The view's own log tells only of what was done in the view.
    assert back == tip or source == "view's reflog"
    assert git(memory, "merge-base", back, tip).strip() == back
    assert names(memory) == []


def test_a_branch_that_nothing_knows_is_not_made_up(memory: Path) -> None:
    git(memory, "update-ref", "-d", "refs/heads/hipogit/memory")
    for path in (memory / ".git/worktrees/-hipogit/logs/HEAD",
                 local(memory) / "shown", local(memory) / "compacted"):  # fmt: skip
        path.unlink()
    assert ("branch-gone", False) in names(memory, "--fix")
    assert git(memory, "branch", "--list", "hipogit/memory") == ""


def test_an_index_of_an_older_tip_is_no_fault_and_heals(memory: Path) -> None:
    hipogit(memory, "search", "bucket")
    hipogit(memory, "checkpoint", "Cache", "-m", "- outcome: eviction is lazy")
    assert names(memory) == []
    assert "eviction" in hipogit(memory, "search", "eviction")


def test_an_edit_in_the_way_is_saved_beside(memory: Path) -> None:
    view_behind_with_an_edit_in_the_way(memory)
    names(memory, "--fix")
    view = memory / ".hipogit/memory"
    assert (view / "ROOT.md.local").read_text() == "mine\n"
    assert "Cache" in (view / "ROOT.md").read_text()


def test_where_nothing_is_set_up_it_says_so(repo: Path) -> None:
    assert names(repo) == [("half-done-init", False)]
