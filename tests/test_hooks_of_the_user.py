"""A checkpoint run inside the user's own hooks touches nothing of the user's commit."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import git, hipogit

HOOKS = [
    "pre-commit",
    "prepare-commit-msg",
    "commit-msg",
    "post-commit",
    "reference-transaction",
    "post-index-change",
]
PLACES = ["main", "linked", "subdirectory", "submodule"]
KINDS = ["plain", "-a", "-- path", "--amend"]

FEW = {(hook, "main", "plain") for hook in HOOKS}
FEW |= {("pre-commit", place, kind) for place in PLACES for kind in KINDS}


def cases() -> list[object]:
    return [
        pytest.param(
            hook,
            place,
            kind,
            id=f"{hook}-{place}-{kind}",
            marks=() if (hook, place, kind) in FEW else pytest.mark.slow,
        )
        for hook in HOOKS
        for place in PLACES
        for kind in KINDS
    ]


def put_hook(hooks: Path, name: str, marker: Path) -> None:
    """A hook that writes one checkpoint, whatever it is called with."""
    hooks.mkdir(exist_ok=True)
    script = hooks / name
    script.write_text(
        "#!/bin/sh\n"
        "cat >/dev/null 2>&1 </dev/null\n"
        f"[ -e '{marker}' ] && exit 0\n"
        f": > '{marker}'\n"
        f"'{sys.executable}' -P -m hipogit checkpoint 'From {name}' -m 'said inside'"
        f" >'{marker}.out' 2>&1 || exit 1\n"
    )
    script.chmod(0o755)


def place_of(repo: Path, place: str) -> tuple[Path, Path]:
    """The folder to commit from, and the repository's common git directory."""
    if place == "linked":
        git(repo, "worktree", "add", "-q", "../linked", "-b", "topic")
        return repo.parent / "linked", repo / ".git"
    if place == "subdirectory":
        (repo / "src" / "deep").mkdir(parents=True)
        (repo / "src" / "deep" / "x.py").write_text("x\n")
        git(repo, "add", ".")
        git(repo, "commit", "-q", "-m", "deep")
        return repo / "src" / "deep", repo / ".git"
    if place == "submodule":
        outer = repo.parent / "outer"
        git(repo.parent, "init", "-q", "outer")
        git(outer, "-c", "protocol.file.allow=always", "submodule", "add", "-q",
            str(repo), "lib")  # fmt: skip
        return outer / "lib", outer / ".git" / "modules" / "lib"
    return repo, repo / ".git"


@pytest.mark.parametrize(("hook", "place", "kind"), cases())
def test_a_checkpoint_inside_a_commit(
    repo: Path, tmp_path: Path, hook: str, place: str, kind: str
) -> None:
    where, common = place_of(repo, place)
    hipogit(where, "init", "--platform", "none")
    (where / "kept.txt").write_text("1\n")
    (where / "other.txt").write_text("1\n")
    git(where, "add", ".")
    git(where, "commit", "-q", "-m", "before")
    (where / "kept.txt").write_text("2\n")
    (where / "other.txt").write_text("2\n")
    marker = tmp_path / "ran"
    words = {
        "plain": ["add", "kept.txt"],
        "-a": ["status"],
        "-- path": ["add", "other.txt"],
        "--amend": ["add", "kept.txt"],
    }[kind]
    git(where, *words)
    put_hook(common / "hooks", hook, marker)
    git(where, "commit", "-q", "-m", "mine",
        *{"plain": [], "-- path": ["--", "kept.txt"]}.get(kind, [kind]))  # fmt: skip
    assert marker.exists(), "the hook did not run"
    (common / "hooks" / hook).unlink()

    names = git(where, "show", "--format=", "--name-only", "HEAD").split()
    changed = {Path(name).name for name in names}
    both = {"kept.txt", "other.txt"}
    assert changed == ({"kept.txt"} if kind in ("plain", "-- path") else both)
    state = git(where, "status", "--porcelain").split("\n")
    left = {"plain": " M", "-- path": "M ", "--amend": " M"}.get(kind)
    wanted = [f"{left} other.txt"] if left else []
    assert [f"{line[:2]} {Path(line[3:]).name}" for line in state if line] == wanted
    assert_memory_is_clean(where, f"From {hook}")


def assert_memory_is_clean(where: Path, topic: str) -> None:
    subjects = git(where, "log", "--format=%s", "hipogit/memory")
    assert f"checkpoint: {topic}" in subjects
    files = git(where, "ls-tree", "-r", "--name-only", "hipogit/memory").split()
    assert not {"kept.txt", "other.txt", "app.py"} & set(files)
    assert "said inside" in git(where, "show", "hipogit/memory:memory/2026-11-29.md")
    git(where, "fsck", "--strict")
    view = where / ".hipogit"
    if view.exists():
        assert git(view, "status", "--porcelain") == ""


@pytest.mark.parametrize("place", ["main", "linked"])
@pytest.mark.parametrize("hook", ["post-checkout", "post-merge", "pre-push"])
def test_a_checkpoint_inside_other_commands(
    repo: Path, tmp_path: Path, hook: str, place: str
) -> None:
    where, common = place_of(repo, place)
    hipogit(where, "init", "--platform", "none")
    git(where, "checkout", "-q", "-b", "side")
    (where / "kept.txt").write_text("1\n")
    git(where, "add", ".")
    git(where, "commit", "-q", "-m", "side")
    git(where, "checkout", "-q", "-")
    git(tmp_path, "init", "-q", "--bare", "away.git")
    put_hook(common / "hooks", hook, tmp_path / "ran")
    {
        "post-checkout": lambda: git(where, "checkout", "-q", "side"),
        "post-merge": lambda: git(where, "merge", "-q", "side"),
        "pre-push": lambda: git(
            where, "push", "-q", str(tmp_path / "away.git"), "HEAD"
        ),
    }[hook]()
    assert (tmp_path / "ran").exists()
    assert git(where, "status", "--porcelain") == ""
    subjects = git(where, "log", "--format=%s", "hipogit/memory")
    assert f"checkpoint: From {hook}" in subjects
    assert "hipogit" not in git(tmp_path / "away.git", "for-each-ref")


def test_foreign_git_variables_are_ignored(repo: Path, tmp_path: Path) -> None:
    hipogit(repo, "init", "--platform", "none")
    git(tmp_path, "init", "-q", "foreign")
    foreign = tmp_path / "foreign" / ".git"
    before = sorted(str(path) for path in foreign.rglob("*"))
    hipogit(
        repo, "checkpoint", "Mine", "-m", "said inside",
        GIT_DIR=str(foreign), GIT_INDEX_FILE=str(foreign / "odd-index"),
        GIT_WORK_TREE=str(tmp_path), GIT_OBJECT_DIRECTORY=str(tmp_path / "objects"),
        GIT_AUTHOR_NAME="Somebody Else", GIT_CONFIG_COUNT="1",
        GIT_CONFIG_KEY_0="core.bare", GIT_CONFIG_VALUE_0="true",
    )  # fmt: skip
    assert sorted(str(path) for path in foreign.rglob("*")) == before
    assert not (tmp_path / "objects").exists()
    assert "Test User" in git(repo, "log", "-1", "--format=%an", "hipogit/memory")
    assert_memory_is_clean(repo, "Mine")


def test_our_list_of_variables_covers_what_git_names() -> None:
    from hipogit.plumbing import environment

    named = subprocess.run(
        ["git", "rev-parse", "--local-env-vars"], capture_output=True, text=True,
        check=True,
    ).stdout.split()  # fmt: skip
    for name in [*named, "GIT_AUTHOR_DATE", "GIT_COMMITTER_NAME", "GIT_EDITOR"]:
        os.environ[name] = "x"
    try:
        kept = environment()
    finally:
        for name in named:
            del os.environ[name]
    # What we set ourselves is named as well; what was inherited is not kept.
    assert not [name for name in named if kept.get(name) == "x"]
    assert "GIT_AUTHOR_DATE" not in kept and "GIT_COMMITTER_NAME" not in kept
