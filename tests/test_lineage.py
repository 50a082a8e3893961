"""A memory branch that was set to something else: refused, found, put right."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from conftest import git, hipogit

BRANCH = "hipogit/memory"
REF = f"refs/heads/{BRANCH}"


@pytest.fixture
def memory(repo: Path) -> Path:
    hipogit(repo, "init", "--platform", "none")
    hipogit(repo, "checkpoint", "Rate limit", "-m", "- decisions: token bucket")
    return repo


def tip(repo: Path) -> str:
    return git(repo, "rev-parse", BRANCH).strip()


def found(repo: Path, *words: str, code: int) -> list[dict]:
    out = hipogit(repo, "doctor", "--json", *words, code=code)
    return json.loads(out.split("\n")[0])["problems"]


def test_nothing_is_written_on_the_history_of_code(memory: Path) -> None:
    good = tip(memory)
    git(memory, "update-ref", REF, "main")
    said = hipogit(memory, "checkpoint", "Cache", "-m", "- outcome: kept", code=3)
    assert "no commit of memory" in said
    assert tip(memory) == git(memory, "rev-parse", "main").strip()

    said = hipogit(memory, "verify", code=1)
    assert "FAIL  branch" in said and "hint: hipogit doctor --fix" in said
    assert "no commit of memory" in hipogit(memory, "status", code=1)
    assert next(one["name"] for one in found(memory, code=1)) == "not-memory"

    # What was said meanwhile waited, and stands where it belongs.
    assert {one["fixed"] for one in found(memory, "--fix", code=0)} == {True}
    assert git(memory, "merge-base", BRANCH, good).strip() == good
    journal = git(memory, "show", f"{BRANCH}:memory/2026-11-29.md")
    assert "## Cache" in journal and "## Rate limit" in journal
    assert hipogit(memory, "verify").endswith("looked at\n")
    assert git(memory, "for-each-ref", "refs/hipogit") == ""


def test_what_only_the_branch_held_is_kept(memory: Path) -> None:
    tree = git(memory, "rev-parse", "main^{tree}").strip()
    lost = git(memory, "commit-tree", tree, "-p", "main", "-m", "work").strip()
    git(memory, "update-ref", REF, lost)
    found(memory, "--fix", code=0)
    (kept,) = git(memory, "for-each-ref", "--format=%(objectname)",
                  "refs/hipogit/rescue").split()  # fmt: skip
    assert kept == lost


def test_entries_on_top_of_code_are_not_put_out_of_sight(memory: Path) -> None:
    tree = git(memory, "rev-parse", "main^{tree}").strip()
    message = "checkpoint: X\n\nHipogit-Action: checkpoint\n"
    made = git(memory, "commit-tree", tree, "-p", "main", "-m", message).strip()
    git(memory, "update-ref", REF, made)
    (fault,) = [f for f in found(memory, "--fix", code=1) if f["name"] == "not-memory"]
    assert not fault["fixed"] and "1 commit of ours" in fault["sentence"]
    assert "git branch rescue" in fault["hint"] and tip(memory) == made


def test_without_a_reflog_the_remote_knows(memory: Path, tmp_path: Path) -> None:
    git(tmp_path, "init", "-q", "--bare", "away.git")
    git(memory, "remote", "add", "origin", str(tmp_path / "away.git"))
    git(memory, "push", "-q", "origin", BRANCH)
    good = tip(memory)
    git(memory, "update-ref", REF, "main")
    for log in (memory / ".git").rglob("logs"):
        for path in log.rglob("*"):
            if path.is_file():
                path.write_text("")
    for name in ("shown", "compacted"):
        (memory / ".git/hipogit" / name).unlink()
    found(memory, "--fix", code=0)
    assert tip(memory) == good


def test_a_merge_of_code_into_memory_is_found(memory: Path) -> None:
    tree = git(memory, "rev-parse", f"{BRANCH}^{{tree}}").strip()
    made = git(memory, "commit-tree", tree, "-p", BRANCH, "-p", "main", "-m",
               "merge").strip()  # fmt: skip
    git(memory, "update-ref", REF, made)
    said = hipogit(memory, "verify", code=1)
    root = git(memory, "rev-parse", "main").strip()
    assert "FAIL  branch" in said and root[:12] in said


@pytest.mark.parametrize("file", ["", ".gitattributes", "hipogit.toml"])
def test_a_commit_by_hand_is_memory_all_the_same(memory: Path, file: str) -> None:
    view = memory / ".hipogit"
    (view / "WORKING.md").write_text("# Working\n")
    if file:
        (view / file).unlink()
    git(view, "-c", "core.hooksPath=/dev/null", "commit", "-qam", "by hand")
    hipogit(memory, "checkpoint", "Cache", "-m", "- outcome: kept")
    assert "## Cache" in git(memory, "show", f"{BRANCH}:memory/2026-11-29.md")


def test_init_takes_no_branch_of_code_for_memory(repo: Path) -> None:
    git(repo, "branch", "develop")
    before = sorted(p for p in (repo / ".git").rglob("*") if "objects" not in p.parts)
    said = hipogit(repo, "init", "--platform", "none", "--branch", "develop", code=1)
    assert "develop" in said and "no commit of memory" in said
    after = sorted(p for p in (repo / ".git").rglob("*") if "objects" not in p.parts)
    assert before == after


def test_a_shallow_clone_of_memory_can_be_written(memory: Path, tmp_path: Path) -> None:
    view = memory / ".hipogit"
    (view / ".gitattributes").unlink()
    git(view, "-c", "core.hooksPath=/dev/null", "commit", "-qam", "by hand")
    git(tmp_path, "clone", "-q", "--depth", "1", "--branch", BRANCH,
        f"file://{memory}", "clone")  # fmt: skip
    clone = tmp_path / "clone"
    git(clone, "checkout", "-q", "--orphan", "main")
    hipogit(clone, "init", "--platform", "none", "--no-worktree")
    hipogit(clone, "checkpoint", "Cache", "-m", "- outcome: kept")
    assert "## Cache" in git(clone, "show", f"{BRANCH}:memory/2026-11-29.md")
