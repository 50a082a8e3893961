"""Memory works in repositories of every kind, and leaves each as it was."""

from __future__ import annotations

import json
import os
import shutil
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import git, hipogit

ROOT_USER = hasattr(os, "geteuid") and os.geteuid() == 0


def remembers(where: Path, topic: str = "Kept") -> str:
    """Write a checkpoint there and see that it is on the branch; the commit."""
    raw = hipogit(where, "checkpoint", topic, "-m", "said", "--json")
    done = json.loads(raw)
    assert done["commit"] and not done["spooled"]
    journal = git(where, "show", f"{done['commit']}:memory/2026-11-29.md")
    assert f"## {topic} [project]" in journal
    git(where, "fsck", "--strict")
    return str(done["commit"])


def unborn(tmp: Path, repo: Path) -> Path:
    git(tmp, "init", "-q", "new")
    return tmp / "new"


def detached(tmp: Path, repo: Path) -> Path:
    git(repo, "checkout", "-q", "--detach")
    return repo


def bare(tmp: Path, repo: Path) -> Path:
    git(tmp, "clone", "-q", "--bare", str(repo), "bare.git")
    return tmp / "bare.git"


def bare_with_linked(tmp: Path, repo: Path) -> Path:
    bare(tmp, repo)
    git(tmp / "bare.git", "worktree", "add", "-q", "../linked", "main")
    return tmp / "linked"


def shallow(tmp: Path, repo: Path) -> Path:
    git(repo, "commit", "-q", "--allow-empty", "-m", "second")
    git(tmp, "clone", "-q", "--depth", "1", f"file://{repo}", "shallow")
    return tmp / "shallow"


def partial(tmp: Path, repo: Path) -> Path:
    git(repo, "config", "uploadpack.allowFilter", "true")
    git(tmp, "clone", "-q", "--filter=blob:none", f"file://{repo}", "partial")
    return tmp / "partial"


def sha256(tmp: Path, repo: Path) -> Path:
    git(tmp, "init", "-q", "--object-format=sha256", "new-hash")
    return tmp / "new-hash"


def worktree_config(tmp: Path, repo: Path) -> Path:
    git(repo, "config", "extensions.worktreeConfig", "true")
    git(repo, "config", "--worktree", "core.sparseCheckout", "false")
    return repo


def sparse(tmp: Path, repo: Path) -> Path:
    for name in ("in", "out"):
        (repo / name).mkdir()
        (repo / name / "f").write_text(name)
    git(repo, "add", ".")
    git(repo, "commit", "-q", "-m", "folders")
    git(repo, "sparse-checkout", "set", "in")
    return repo


def odd_path(tmp: Path, repo: Path) -> Path:
    place = tmp / "a b\nc" / "저장소"
    place.parent.mkdir()
    shutil.move(repo, place)
    return place


def gpgsign(tmp: Path, repo: Path) -> Path:
    git(repo, "config", "commit.gpgSign", "true")
    git(repo, "config", "gpg.program", "false")
    return repo


def no_identity(tmp: Path, repo: Path) -> Path:
    Path(os.environ["GIT_CONFIG_GLOBAL"]).write_text("[user]\n\tuseConfigOnly = true\n")
    return repo


def autocrlf(tmp: Path, repo: Path) -> Path:
    git(repo, "config", "core.autocrlf", "true")
    git(repo, "config", "core.safecrlf", "true")
    return repo


def husky(tmp: Path, repo: Path) -> Path:
    hooks = repo / ".husky"
    hooks.mkdir()
    for name in ("pre-commit", "post-checkout", "reference-transaction"):
        (hooks / name).write_text(
            "#!/bin/sh\necho ran >> '" + str(tmp / "fired") + "'\n"
        )
        (hooks / name).chmod(0o755)
    git(repo, "config", "core.hooksPath", ".husky")
    return repo


def own_hooks(tmp: Path, repo: Path) -> Path:
    for name in ("pre-commit", "post-commit", "post-checkout", "post-index-change",
                 "reference-transaction"):  # fmt: skip
        hook = repo / ".git" / "hooks" / name
        hook.write_text(f"#!/bin/sh\necho {name} >> '{tmp / 'fired'}'\nexit 1\n")
        hook.chmod(0o755)
    return repo


def pre_commit_installed(tmp: Path, repo: Path) -> Path:
    subprocess.run(
        [sys.executable, "-m", "pre_commit", "install"], cwd=repo, check=True,
        capture_output=True,
    )  # fmt: skip
    return repo


def pre_commit_without_config(tmp: Path, repo: Path) -> Path:
    subprocess.run(
        [sys.executable, "-m", "pre_commit", "install", "--allow-missing-config"],
        cwd=repo, check=True, capture_output=True,
    )  # fmt: skip
    return repo


def branch_named_hipogit(tmp: Path, repo: Path) -> Path:
    git(repo, "branch", "hipogit")
    return repo


def reftable(tmp: Path, repo: Path) -> Path:
    try:
        git(tmp, "init", "-q", "--ref-format=reftable", "reftable")
    except Exception:
        # git before 2.45 has no such format.
        pytest.skip("this git has no reftable")
    return tmp / "reftable"


KINDS: list[Callable[[Path, Path], Path]] = [
    unborn,
    detached,
    bare,
    bare_with_linked,
    shallow,
    partial,
    sha256,
    reftable,
    worktree_config,
    sparse,
    odd_path,
    gpgsign,
    no_identity,
    autocrlf,
    husky,
    own_hooks,
    pre_commit_installed,
    pre_commit_without_config,
    branch_named_hipogit,
]


def picture(where: Path) -> dict[str, object]:
    """All that must stay as it is: config, hooks, refs, index, files, worktrees."""
    common = Path(git(where, "rev-parse", "--path-format=absolute", "--git-common-dir")
                  .removesuffix("\n"))  # fmt: skip
    files: dict[str, object] = {}
    for part in ("config", "config.worktree", "info", "hooks", "HEAD", "index"):
        for path in [common / part, *sorted((common / part).rglob("*"))]:
            if path.is_file():
                files[str(path.relative_to(common))] = (
                    path.read_bytes(),
                    stat.S_IMODE(path.stat().st_mode),
                )
    files["refs"] = git(where, "for-each-ref")
    files["worktrees"] = git(where, "worktree", "list", "--porcelain")
    if common.name == ".git":
        top = common.parent
        for path in sorted(top.rglob("*")):
            if ".git" not in path.relative_to(top).parts and path.is_file():
                files[f"work/{path.relative_to(top)}"] = path.read_bytes()
    return files


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_memory_comes_works_and_goes(
    tmp_path: Path, repo: Path, kind: Callable[[Path, Path], Path]
) -> None:
    where = kind(tmp_path, repo)
    before = picture(where)
    hipogit(where, "init", "--platform", "none")
    made = picture(where)
    hipogit(where, "init", "--platform", "none")
    assert picture(where) == made
    branch = "hipogit-memory" if kind is branch_named_hipogit else "hipogit/memory"
    commit = remembers(where)
    git(where, "merge-base", "--is-ancestor", commit, branch)
    remembers(where, "Again")
    for name in ("config", "info/exclude", "HEAD", "index"):
        assert picture(where).get(name) == made.get(name), name
    assert not (tmp_path / "fired").exists()
    hipogit(where, "uninstall", "--delete-memory")
    assert picture(where) == before


def test_without_an_identity_it_says_who_it_is(tmp_path: Path, repo: Path) -> None:
    no_identity(tmp_path, repo)
    hipogit(repo, "init", "--platform", "none")
    remembers(repo)
    assert git(repo, "log", "-1", "--format=%an", "hipogit/memory").strip() == "hipogit"


def test_a_moved_repository_goes_on(tmp_path: Path, repo: Path) -> None:
    hipogit(repo, "init", "--platform", "none")
    remembers(repo, "Before")
    moved = tmp_path / "elsewhere"
    shutil.move(repo, moved)
    remembers(moved, "After")
    text = (moved / ".hipogit" / "memory" / "2026-11-29.md").read_text()
    assert "## Before" in text and "## After" in text


@pytest.mark.skipif(not ROOT_USER, reason="only root can give a file away")
def test_git_refusing_a_repository_is_said(repo: Path) -> None:
    for path in [repo, *repo.rglob("*")]:
        os.chown(path, 54321, 54321)
    said = hipogit(repo, "init", code=2)
    assert "belongs to another user" in said and "safe.directory" in said


def test_no_repository_is_said(tmp_path: Path) -> None:
    said = hipogit(tmp_path, "checkpoint", "A", "-m", "b", code=2)
    assert "hint: git init" in said


def test_the_branch_of_a_clone_is_joined(tmp_path: Path, repo: Path) -> None:
    hipogit(repo, "init", "--platform", "none")
    remembers(repo)
    commit = git(repo, "rev-parse", "hipogit/memory").strip()
    git(tmp_path, "clone", "-q", str(repo), "mate")
    hipogit(tmp_path / "mate", "init", "--platform", "none")
    tip = git(tmp_path / "mate", "rev-parse", "hipogit/memory").strip()
    assert tip == commit
    assert (tmp_path / "mate" / ".hipogit" / "memory" / "2026-11-29.md").exists()


def test_a_fresh_worktree_of_the_user_finds_the_memory(repo: Path) -> None:
    hipogit(repo, "init", "--platform", "none")
    git(repo, "worktree", "add", "-q", "../second", "-b", "second")
    remembers(repo.parent / "second")
    assert "said" in (repo / ".hipogit/memory/2026-11-29.md").read_text()
    assert not (repo.parent / "second" / ".hipogit").exists()


@pytest.mark.parametrize("words", [[], ["--allow-missing-config"]])
def test_pre_commit_of_the_user_does_not_run_on_commits_in_the_view(
    repo: Path, words: list[str]
) -> None:
    subprocess.run(
        [sys.executable, "-m", "pre_commit", "install", *words], cwd=repo, check=True,
        capture_output=True,
    )  # fmt: skip
    hipogit(repo, "init", "--platform", "none")
    (repo / ".hipogit" / "WORKING.md").write_text("# Working\n- mine\n")
    git(repo / ".hipogit", "commit", "-q", "-a", "-m", "by hand")
    remembers(repo)
