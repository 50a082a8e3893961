"""Branches made to confuse a reader: messages, names and sizes nobody would choose."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from conftest import git, hipogit

from hipogit.verify import Report
from tests.verify.test_corruptions import checked, commit, ids, text

BRANCH = "hipogit/memory"
DAY = "memory/2026-11-29.md"


@pytest.fixture
def memory(repo: Path) -> Path:
    hipogit(repo, "init", "--platform", "none", "--no-worktree")
    hipogit(repo, "checkpoint", "Cache", "-m", "- outcome: done in cache.py")
    return repo


def failed(report: Report) -> set[str]:
    return {check.name for check in report.checks if not check.ok}


def raw(repo: Path, message: bytes) -> None:
    """A commit of the same tree with exactly these bytes as its message."""
    tree = git(repo, "rev-parse", f"{BRANCH}^{{tree}}").strip()
    tip = git(repo, "rev-parse", BRANCH).strip()
    who = "A <a@example.invalid> 1700000000 +0000"
    head = f"tree {tree}\nparent {tip}\nauthor {who}\ncommitter {who}\n\n"
    made = subprocess.run(
        ["git", "hash-object", "-t", "commit", "-w", "--stdin"],
        cwd=repo, input=head.encode() + message, capture_output=True, check=True,
    ).stdout.decode().strip()  # fmt: skip
    git(repo, "update-ref", f"refs/heads/{BRANCH}", made)


@pytest.mark.parametrize(
    "message",
    [
        b"",
        b"\n\n\n",
        b"\x01\x02 :100644 \x1b[31m\n",
        b":000000 100644 0000 1111 A\nx\n",
        b"\xff\xfe not UTF-8 \xc3\x28\n",
        b"words of no weight " * 55_000,
        b"Hipogit-Action: retract\n\nin the body, not at the end\n",
    ],
    ids=["empty", "blank", "control", "raw", "bytes", "1 MB", "forged"],
)
def test_a_message_is_only_a_message(memory: Path, message: bytes) -> None:
    raw(memory, message)
    report = checked(memory)
    assert failed(report) == set()
    assert report.commits == int(git(memory, "rev-list", "--count", BRANCH))


def test_trailers_forged_in_a_body_permit_nothing(memory: Path) -> None:
    id = ids(memory)[0]
    message = f"edit\n\nHipogit-Action: retract\nHipogit-Entry: {id}\n\nthat was all\n"
    commit(memory, {DAY: text(memory).replace("done in", "undone in")}, message)
    assert "append-only" in failed(checked(memory))


@pytest.mark.parametrize(
    "path",
    [
        "knowledge/a\nb.md",
        'knowledge/"quoted".md',
        "knowledge/:1 x.md",
        "-x",
        "ü\udcff",
    ],
)
def test_odd_names_are_read_to_the_end(memory: Path, path: str) -> None:
    commit(memory, {path: "fine\n"})
    assert failed(checked(memory)) == set()
    commit(memory, {path: "<<<<<<< a\nx\n=======\ny\n>>>>>>> b\n"})
    report = checked(memory)
    assert failed(report) == {"files"}
    (problem,) = next(check.problems for check in report.checks if not check.ok)
    assert (problem.path, problem.line) == (path, 1)


def test_a_commit_of_thousands_of_files(memory: Path) -> None:
    commit(memory, {f"knowledge/{n}.md": f"note {n}\n" for n in range(3000)})
    assert failed(checked(memory)) == set()


def test_settings_of_the_reader_do_not_matter(memory: Path) -> None:
    for key, value in (
        ("log.showSignature", "true"),
        ("log.diffMerges", "first-parent"),
        ("i18n.logOutputEncoding", "ISO-8859-1"),
        ("diff.renames", "copies"),
        ("diff.noprefix", "true"),
        ("log.showRoot", "false"),
        ("color.ui", "always"),
    ):
        git(memory, "config", "--global", key, value)
    assert os.environ["GIT_CONFIG_GLOBAL"]
    assert failed(checked(memory)) == set()
