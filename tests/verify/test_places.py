"""`verify` where a reviewer or a CI meets the branch, and what a second run costs."""

from __future__ import annotations

import json
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest
from conftest import git, hipogit

BRANCH = "hipogit/memory"


@pytest.fixture
def memory(repo: Path) -> Path:
    hipogit(repo, "init", "--platform", "none", "--no-worktree")
    for at, topic in (("28T10", "Rate limit"), ("28T11", "Cache"), ("29T10", "Parser")):
        say(repo, topic, f"2026-11-{at}:00:00+09:00")
    return repo


def say(repo: Path, topic: str, at: str = "2026-11-29T12:00:00+09:00") -> None:
    hipogit(repo, "--now", at, "checkpoint", topic, "-m", f"- decisions: {topic} it is")


def told(repo: Path, *words: str, code: int = 0) -> dict:
    out = hipogit(repo, "verify", "--json", *words, code=code)
    values = json.loads(out.split("\n")[0])
    bad = [p for check in values["checks"] for p in check["problems"]]
    assert values["ok"] == (code == 0), bad
    return values


def count(repo: Path, rev: str = BRANCH) -> int:
    return int(git(repo, "rev-list", "--count", rev))


def test_a_full_clone_has_only_the_remotes_copy(memory: Path, tmp_path: Path) -> None:
    git(tmp_path, "clone", "-q", str(memory), "clone")
    values = told(tmp_path / "clone")
    assert values["rev"] == git(memory, "rev-parse", BRANCH).strip()
    assert values["commits"] == count(memory)


def test_a_bare_repository(memory: Path, tmp_path: Path) -> None:
    git(tmp_path, "clone", "-q", "--bare", str(memory), "bare.git")
    assert told(tmp_path / "bare.git")["commits"] == count(memory)
    assert told(tmp_path / "bare.git")["commits"] == 0


@pytest.mark.parametrize("depth", ["1", "2", "3", "4"])
def test_a_shallow_clone(memory: Path, tmp_path: Path, depth: str) -> None:
    """Where it ends, a commit seems to add all there is; nobody can judge that."""
    git(tmp_path, "clone", "-q", "--depth", depth, "--branch", BRANCH,
        f"file://{memory}", "clone")  # fmt: skip
    clone = tmp_path / "clone"
    assert told(clone)["commits"] == int(depth)
    assert "shallow" not in hipogit(clone, "verify")  # nothing new was looked at
    say(memory, "Deploys")
    git(clone, "fetch", "-q", "--depth", "1", "origin", f"+{BRANCH}:{BRANCH}", "-u")
    assert told(clone)["ok"]


def test_a_shallow_clone_says_so(memory: Path, tmp_path: Path) -> None:
    git(tmp_path, "clone", "-q", "--depth", "2", "--branch", BRANCH,
        f"file://{memory}", "clone")  # fmt: skip
    assert "shallow clone: git fetch --unshallow" in hipogit(
        tmp_path / "clone", "verify"
    )


def test_a_shallow_clone_sees_what_was_changed_within_it(
    memory: Path, tmp_path: Path
) -> None:
    path = "memory/2026-11-29.md"
    git(memory, "worktree", "add", "-q", "../w", BRANCH)
    file = tmp_path / "w" / path
    file.write_text(file.read_text().replace("Parser it is", "Parser it is not"))
    git(tmp_path / "w", "commit", "-qam", "by hand")
    git(tmp_path, "clone", "-q", "--depth", "2", "--branch", BRANCH,
        f"file://{memory}", "clone")  # fmt: skip
    values = told(tmp_path / "clone", code=1)
    bad = {check["name"] for check in values["checks"] if not check["ok"]}
    assert "append-only" in bad


@pytest.fixture
def checkout(memory: Path, tmp_path: Path) -> Path:
    """What a CI makes: one commit of the code, detached, nothing else."""
    place = tmp_path / "ci"
    place.mkdir()
    git(place, "init", "-q")
    git(place, "remote", "add", "origin", f"file://{memory}")
    git(place, "fetch", "-q", "--no-tags", "--depth", "1", "origin", "main")
    git(place, "checkout", "-q", "--detach", "FETCH_HEAD")
    return place


def test_a_checkout_without_the_branch_names_the_command(checkout: Path) -> None:
    said = hipogit(checkout, "verify", code=2)
    assert f"this clone has no branch {BRANCH}" in said
    command = said.split("hint: ")[1].split(", or --fetch")[0]
    assert command == f"git fetch origin {BRANCH}:{BRANCH}"
    subprocess.run(shlex.split(command), cwd=checkout, check=True)
    assert told(checkout)["ok"]


def test_a_checkout_fetches_the_branch_itself(checkout: Path, memory: Path) -> None:
    assert told(checkout, "--fetch")["commits"] == count(memory)
    say(memory, "Deploys")
    assert told(checkout, "--fetch")["commits"] == 2
    assert git(checkout, "branch", "--list", BRANCH) == ""


def test_a_checkout_with_memory_in_the_code_is_told(
    checkout: Path, memory: Path
) -> None:
    (checkout / "notes.md").write_text(
        git(memory, "show", f"{BRANCH}:memory/2026-11-29.md")
    )
    git(checkout, "add", ".")
    git(checkout, "commit", "-qm", "oops")
    values = told(checkout, "--fetch", code=1)
    bad = [check["name"] for check in values["checks"] if not check["ok"]]
    assert bad == ["code-branches"]


def test_any_revision(memory: Path) -> None:
    for back in range(count(memory)):
        rev = f"{BRANCH}~{back}"
        if "compact:" in git(memory, "log", "-1", "--format=%s", rev) or back > 5:
            # A checkpoint without the summaries that follow it is not whole.
            assert told(memory, rev)["rev"] == git(memory, "rev-parse", rev).strip()
    assert "no revision nowhere" in hipogit(memory, "verify", "nowhere", code=2)


def test_a_second_run_looks_at_what_is_new(memory: Path) -> None:
    assert told(memory)["commits"] == count(memory)
    assert told(memory)["commits"] == 0
    say(memory, "Deploys")
    assert told(memory)["commits"] == 2  # a checkpoint and its summaries
    assert told(memory, f"{BRANCH}~2")["commits"] == 0


def test_what_was_bad_is_looked_at_again(memory: Path) -> None:
    told(memory)
    git(memory, "worktree", "add", "-q", "../w", BRANCH)
    view = memory.parent / "w"
    (view / "WORKING.md").write_text("<<<<<<< a\nx\n=======\ny\n>>>>>>> b\n")
    git(view, "commit", "-qam", "by hand")
    assert told(memory, code=1)["commits"] == told(memory, code=1)["commits"] == 1
    git(view, "revert", "--no-edit", "HEAD")
    assert told(memory)["commits"] == 2


def test_other_settings_look_at_everything_again(memory: Path) -> None:
    told(memory)
    (memory / ".git/hipogit/config.toml").write_text("[compaction]\n")
    assert told(memory)["commits"] == count(memory)


def test_a_repository_of_sha256(tmp_path: Path) -> None:
    place = tmp_path / "long"
    place.mkdir()
    git(place, "init", "-q", "--object-format=sha256")
    git(place, "commit", "-q", "--allow-empty", "-m", "first")
    hipogit(place, "init", "--platform", "none", "--no-worktree")
    say(place, "Rate limit")
    assert told(place)["commits"] == count(place)
    say(place, "Cache")
    assert told(place)["commits"] == 2
    shutil.copytree(place, tmp_path / "bad")
    git(tmp_path / "bad", "worktree", "add", "-q", "../w", BRANCH)
    (tmp_path / "w/memory/2026-11-29.md").write_text("# 2026-11-29\n")
    git(tmp_path / "w", "commit", "-qam", "by hand")
    values = told(tmp_path / "bad", code=1)
    (lost, *_) = next(c for c in values["checks"] if c["name"] == "append-only")[
        "problems"
    ]
    assert len(lost["commit"]) == 64 and lost["line"]
