"""History that was rewritten: a person's own unpublished work may be, the rest not."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from conftest import git, hipogit
from story import Memory

from hipogit import verify

RATE = "2026-11-28 rate limit"
BRANCH = "hipogit/memory"
UNHOOKED = ("-c", "core.hooksPath=/dev/null")
TYPED = "\n## Typed [project]\n\nby hand\n"


@pytest.fixture
def told(memory: Memory) -> Memory:
    memory.story(f"""
        2026-11-27 cache  decided: in redis
        {RATE}  decided: token bucket
    """)
    return memory


def by_hand(memory: Memory, path: str, text: str, *words: str) -> Path:
    """A commit by hand that adds a text to a file of the view."""
    view = memory.repo / ".hipogit"
    (view / path).parent.mkdir(exist_ok=True)
    with (view / path).open("a") as file:
        file.write(text)
    git(view, "add", "-A")
    git(view, "commit", "-q", "-m", "by hand", *words)
    return view


def history(memory: Memory) -> list[verify.Problem]:
    report = verify.verify(memory.store, memory.tip())
    bad = {check.name: check.problems for check in report.checks if not check.ok}
    assert set(bad) <= {"history"}, bad
    return list(bad.get("history", ()))


@pytest.mark.parametrize("path", ["WORKING.md", "memory/2026-11-28.md", "plans/a.md"])
def test_own_work_may_be_amended(told: Memory, path: str) -> None:
    by_hand(told, path, TYPED)
    for number in range(3):
        by_hand(told, path, f"amended {number}\n", "--amend")
        assert history(told) == []
    told.say("later", "something else")
    assert history(told) == []
    assert hipogit(told.repo, "doctor") == "nothing is wrong\n"


def test_an_amended_message_alone_is_nothing(told: Memory) -> None:
    view = by_hand(told, "WORKING.md", "more\n")
    git(view, "commit", "-q", "--amend", "-m", "said better")
    assert history(told) == []


def test_what_was_published_is_told(told: Memory) -> None:
    by_hand(told, "WORKING.md", "more\n")
    git(told.repo, "update-ref", f"refs/remotes/origin/{BRANCH}", BRANCH)
    by_hand(told, "WORKING.md", "and more\n", "--amend")
    (problem,) = history(told)
    assert "history was rewritten by git commit (amend)" in problem.sentence
    # A forced push hides it from nobody who knew the branch before.
    git(told.repo, "update-ref", "--create-reflog", f"refs/remotes/origin/{BRANCH}",
        BRANCH)  # fmt: skip
    assert history(told)


def test_an_amended_checkpoint_is_told(told: Memory) -> None:
    view = told.repo / ".hipogit"
    git(view, "reset", "-q", "--hard", "HEAD~1")  # beneath the summaries
    git(view, *UNHOOKED, "commit", "-q", "--amend", "-m", "mine now")
    hipogit(told.repo, "compact")
    (problem,) = history(told)
    assert "history was rewritten by git " in problem.sentence


def test_what_came_on_top_does_not_go_with_it(told: Memory) -> None:
    view = by_hand(told, "WORKING.md", "more\n")
    by_hand(told, "WORKING.md", "and more\n", "--amend")
    told.say("port", "the port is 7041")
    git(view, "reset", "-q", "--hard", "HEAD~2")
    hipogit(told.repo, "compact")
    (problem,) = history(told)
    assert "by git reset" in problem.sentence


@pytest.mark.parametrize("view", [True, False])
def test_a_person_accepts_what_is_gone(
    told: Memory, view: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = told.tip()
    if view:
        git(told.repo / ".hipogit", "reset", "-q", "--hard", "HEAD~2")
        # What was typed meanwhile must not be lost from sight by accepting.
        with (told.repo / ".hipogit/memory/2026-11-27.md").open("a") as file:
            file.write(TYPED)
        git(told.repo / ".hipogit", *UNHOOKED, "commit", "-q", "-a", "-m", "typed")
    else:
        git(told.repo, "update-ref", f"refs/heads/{BRANCH}", f"{BRANCH}~2")
    report = verify.verify(told.store, told.tip())
    (problem,) = next(c.problems for c in report.checks if c.name == "history")
    assert ("by git reset" in problem.sentence) is view
    keep, accept = problem.hint.split(" keeps it; to accept what is gone: ")
    program = tmp_path / "hipogit"
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -P -m hipogit "$@"\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    for command in (keep, accept):
        subprocess.run(["sh", "-c", command], cwd=told.repo, check=True)
    assert history(told) == []
    assert git(told.repo, "rev-parse", "rescue").strip() == before
    assert ("by hand" in told.everything_readable()) is view
    told.say("later", "something else")
    assert history(told) == []
    state = hipogit(told.repo, "status", "--json")
    assert '"state": "clean"' in state


def test_no_text_of_a_reflog_is_told(told: Memory) -> None:
    for said in ("reset\x1b[31m: x", "a secret word: y", "Reset"):
        git(told.repo, "update-ref", "-m", said, f"refs/heads/{BRANCH}", f"{BRANCH}~1")
        report = verify.verify(told.store, told.tip())
        (problem,) = next(c.problems for c in report.checks if c.name == "history")
        assert "rewritten, or the two" in problem.sentence
