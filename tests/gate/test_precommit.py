"""The gate and the guard behind the real pre-commit, also from a clone."""

from __future__ import annotations

import random
import string
import subprocess
import sys
from pathlib import Path

import pytest

from hipogit.cli import main
from tests.conftest import git

ROOT = Path(__file__).parent.parent.parent
PRE_COMMIT = [sys.executable, "-m", "pre_commit"]
chosen = random.Random(11)
TOKEN = f"gh{'p'}_" + "".join(
    chosen.choice(string.ascii_letters + string.digits) for _ in range(36)
)
ENTRY = (
    "## Rate limit [project]\n"
    "<!-- hipogit id=20261129-k3f9q2ab7c at=2026-11-29T17:35:02+09:00"
    " standing=stated -->\n- decisions: token bucket\n"
)


def run(*args: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(args, cwd=cwd, text=True, capture_output=True)


@pytest.fixture
def guarded(repo: Path) -> Path:
    """A code repository whose pre-commit runs this checkout's gate and guard."""
    (repo / ".pre-commit-config.yaml").write_text(
        "repos:\n- repo: local\n  hooks:\n"
        f"  - {{id: gate, name: gate, language: system, entry: '{sys.executable} -m"
        " hipogit scan --staged --', types_or: [file, symlink]}\n"
        f"  - {{id: guard, name: guard, language: system, entry: '{sys.executable} -m"
        " hipogit hook git no-memory --'}\n"
    )
    git(repo, "add", ".")
    git(repo, "commit", "-q", "-m", "config")
    done = run(*PRE_COMMIT, "install", cwd=repo)
    assert done.returncode == 0, done.stdout + done.stderr
    return repo


def test_a_secret_is_refused_and_not_printed(guarded: Path) -> None:
    (guarded / "a.md").write_text(f"one\ntoken {TOKEN}\n")
    git(guarded, "add", ".")
    done = run("git", "commit", "-m", "x", cwd=guarded)

    assert done.returncode == 1
    assert "a.md:2" in done.stdout + done.stderr
    assert TOKEN not in done.stdout + done.stderr


def test_partial_commits_pass_and_fail_for_what_they_hold(guarded: Path) -> None:
    (guarded / "clean.md").write_text("nothing\n")
    (guarded / "dirty.md").write_text(f"{TOKEN}\n")
    git(guarded, "add", ".")

    bad = run("git", "commit", "-m", "x", "--", "dirty.md", cwd=guarded)
    good = run("git", "commit", "-m", "x", "--", "clean.md", cwd=guarded)

    assert bad.returncode == 1 and "dirty.md:1" in bad.stdout + bad.stderr
    assert good.returncode == 0, good.stdout + good.stderr
    assert TOKEN not in git(guarded, "log", "-p")


def test_all_files_are_judged_by_the_index(guarded: Path) -> None:
    (guarded / "old.md").write_text(f"{TOKEN}\n")
    git(guarded, "add", ".")
    git(guarded, "commit", "-q", "-n", "-m", "past every hook")

    done = run(*PRE_COMMIT, "run", "--all-files", "gate", cwd=guarded)

    assert done.returncode == 1 and "old.md:1" in done.stdout


def test_entries_are_kept_off_code_branches_whatever_their_path(guarded: Path) -> None:
    (guarded / "notes").mkdir()
    (guarded / "notes" / "day.md").write_text(f"# 2026-11-29\n\n{ENTRY}")
    git(guarded, "add", ".")
    done = run("git", "commit", "-m", "x", cwd=guarded)

    said = done.stdout + done.stderr
    assert done.returncode == 1
    assert "notes/day.md:4: an entry of memory" in said
    assert "hipogit/memory" in said


def test_a_memory_folder_and_talk_about_the_comment_pass(guarded: Path) -> None:
    (guarded / "memory").mkdir()
    (guarded / "memory" / "2026-11-29.md").write_text("# a cache, no entry\n")
    (guarded / "doc.md").write_text(
        "Entries begin with `<!-- hipogit id=20261129-k3f9q2ab7c -->`:\n\n"
        "<!-- hipogit id=… at=… standing=stated -->\n"
    )
    git(guarded, "add", ".")
    done = run("git", "commit", "-m", "x", cwd=guarded)

    assert done.returncode == 0, done.stdout + done.stderr


def test_the_guard_leaves_the_memory_branch_alone(repo: Path) -> None:
    assert main(["-C", str(repo), "init", "--platform", "none"]) == 0
    view = repo / ".hipogit"
    (view / "memory").mkdir(exist_ok=True)
    (view / "memory" / "2026-11-29.md").write_text(f"# 2026-11-29\n\n{ENTRY}")
    git(view, "add", ".")
    hook = (sys.executable, "-m", "hipogit", "hook", "git", "no-memory")

    assert run(*hook, cwd=view).returncode == 0
    (repo / "day.md").write_text(ENTRY)
    git(repo, "add", "day.md")
    assert run(*hook, cwd=repo).returncode == 1


def test_commits_by_hand_on_the_memory_branch_meet_the_gate(repo: Path) -> None:
    assert main(["-C", str(repo), "init", "--platform", "none"]) == 0
    view = repo / ".hipogit"
    # Past the clean filter: a blob that was written elsewhere.
    written = subprocess.run(
        ["git", "hash-object", "-w", "--stdin", "--no-filters"],
        cwd=view, input=f"{TOKEN}\n".encode(), capture_output=True, check=True,
    ).stdout.decode().strip()  # fmt: skip
    git(view, "update-index", "--add", "--cacheinfo", f"100644,{written},x.md")

    done = run("git", "commit", "-m", "x", cwd=view)

    assert done.returncode != 0
    assert "x.md:1" in done.stderr and TOKEN not in done.stderr


def test_the_manifest_is_valid() -> None:
    done = run(*PRE_COMMIT, "validate-manifest", ".pre-commit-hooks.yaml", cwd=ROOT)

    assert done.returncode == 0, done.stdout


@pytest.mark.slow
@pytest.mark.parametrize("hook", ["hipogit-gate", "hipogit-no-memory"])
def test_a_clone_gives_the_hooks(
    repo: Path, hook: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`pre-commit try-repo` installs a clone, which needs a package index."""
    monkeypatch.delenv("PYTHONPATH")
    (repo / "clean.md").write_text("nothing\n")
    git(repo, "add", ".")
    tried = (*PRE_COMMIT, "try-repo", str(ROOT), hook, "--verbose")
    good = run(*tried, cwd=repo)
    if "No matching distribution" in good.stdout + good.stderr:
        pytest.skip("no package index")
    (repo / "dirty.md").write_text(f"{TOKEN}\n{ENTRY}")
    git(repo, "add", ".")
    bad = run(*tried, cwd=repo)

    assert good.returncode == 0, good.stdout + good.stderr
    assert bad.returncode == 1 and "dirty.md:" in bad.stdout
    assert TOKEN not in bad.stdout + bad.stderr
