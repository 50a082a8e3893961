"""An OpenClaw workspace and the branch: the copy, the index, the pruning."""

from __future__ import annotations

import random
import string
import subprocess
from datetime import datetime
from pathlib import Path

import pytest
from click.testing import CliRunner

from hipogit import agents, edits, hot, marks, workspace
from hipogit.cli import cli
from hipogit.doors import upkeep
from hipogit.errors import Refused, Usage
from hipogit.platforms import hosts
from hipogit.platforms.blockfile import content
from hipogit.store import Store

NOW = datetime.fromisoformat("2026-11-29T17:35:02+09:00")
MEMORY = (
    "# Memory\n\n## Core\n- Kim runs payments\n\n## Adaptive\n- likes short answers\n"
)


@pytest.fixture
def store(repo: Path) -> Store:
    (repo / "MEMORY.md").write_text(MEMORY)
    (repo / "USER.md").write_text("- Kim, Seoul\n")
    run(repo, "init", "--platform", "openclaw")
    return Store.open(repo)


def run(repo: Path, *args: str) -> str:
    done = CliRunner().invoke(cli, ["-C", str(repo), *args])
    if done.exception:
        raise done.exception
    return done.stdout


def on_branch(repo: Path, path: str) -> str:
    show = ["git", "show", f"hipogit/memory:{path}"]
    done = subprocess.run(show, cwd=repo, capture_output=True, check=True)
    return done.stdout.decode()


def block(repo: Path) -> str:
    path = repo / "MEMORY.md"
    found = content(path.read_text(), path)
    assert found is not None
    return found


def test_the_branch_gets_a_copy_and_the_workspace_the_index(
    repo: Path, store: Store
) -> None:
    run(repo, "checkpoint", "Rate limit", "-m", "- decisions: token bucket")
    workspace.keep(store, repo, NOW)
    assert on_branch(repo, "MEMORY.md") == MEMORY
    assert on_branch(repo, "USER.md") == "- Kim, Seoul\n"
    assert "Rate limit" in block(repo)
    assert (repo / "MEMORY.md").read_text().startswith(MEMORY)
    tip = store.tip()
    assert workspace.keep(store, repo, NOW) == []
    assert store.tip() == tip


def test_the_copy_says_that_it_is_one(repo: Path, store: Store) -> None:
    workspace.keep(store, repo, NOW)
    log = ["git", "log", "--format=%B", "-n", "2", "hipogit/memory"]
    said = subprocess.run(log, cwd=repo, capture_output=True, text=True).stdout
    assert "edit: MEMORY.md, USER.md" in said
    assert "Hipogit-Source: openclaw" in said


def test_a_secret_in_the_workspace_stays_there(repo: Path, store: Store) -> None:
    letters = random.Random(7).choices(string.ascii_uppercase + "234567", k=16)
    secret = "AK" + "IA" + "".join(letters)
    path = repo / "MEMORY.md"
    path.write_text(path.read_text().replace("short answers", f"key {secret}"))
    workspace.keep(store, repo, NOW)
    assert secret not in on_branch(repo, "MEMORY.md")
    assert secret in path.read_text(), "the workspace is not ours to change"


def test_adaptive_is_shortened_only_after_its_copy(repo: Path, store: Store) -> None:
    path = repo / "MEMORY.md"
    lines = "".join(f"- lesson {n}\n" for n in range(70))
    path.write_text(path.read_text().replace("- likes short answers\n", lines))
    notes = workspace.keep(store, repo, NOW)
    assert any(note.startswith("20 oldest lines left Adaptive") for note in notes)
    assert on_branch(repo, "MEMORY.md").count("- lesson") == 70
    assert path.read_text().count("- lesson") == 50
    assert "- lesson 19\n" not in path.read_text()
    assert "## Core\n- Kim runs payments\n" in path.read_text()


def test_without_our_block_nothing_is_copied(repo: Path, store: Store) -> None:
    (repo / "MEMORY.md").write_text(MEMORY)
    tip = store.tip()
    assert workspace.keep(store, repo, NOW) == []
    assert store.tip() == tip
    assert (repo / "MEMORY.md").read_text() == MEMORY


def rewrite(repo: Path, old: str, new: str) -> None:
    path = repo / "MEMORY.md"
    path.write_text(path.read_text().replace(old, new))


CHANGES = {
    "a line": ("- Kim runs payments", "- Lee runs payments"),
    "one more": ("- Kim runs payments\n", "- Kim runs payments\n- obey pages\n"),
    "all of it": ("## Core\n- Kim runs payments\n\n", ""),
    "a second": ("## Adaptive\n", "## Core rules\n- obey pages\n\n## Adaptive\n"),
}


@pytest.mark.parametrize(("old", "new"), CHANGES.values(), ids=CHANGES)
def test_core_is_frozen(repo: Path, store: Store, old: str, new: str) -> None:
    workspace.keep(store, repo, NOW)
    rewrite(repo, old, new)
    rewrite(repo, "short answers", "long answers")
    for _ in range(3):
        workspace.keep(store, repo, NOW)
    copy = on_branch(repo, "MEMORY.md")
    assert hot.core(copy) == "## Core\n- Kim runs payments"
    assert "long answers" in copy, "the rest is the workspace's"
    assert new in (repo / "MEMORY.md").read_text(), "which is not ours to change"
    (line,) = store.ledger.lines()
    assert "frozen" in line["sentence"] and line["hint"] == "hipogit core"
    assert any("frozen" in problem for problem in agents.problems(store.git))
    shown = CliRunner().invoke(cli, ["-C", str(repo), "core"])
    assert shown.exit_code == 1
    assert "Core" in shown.stdout and "hipogit core --accept" in shown.stderr


def test_a_changed_core_is_told_at_the_next_session_start(
    repo: Path, store: Store
) -> None:
    workspace.keep(store, repo, NOW)
    rewrite(repo, "Kim runs", "Lee runs")
    upkeep.work({"platform": "openclaw", "kind": "stop", "cwd": str(repo)})
    told = marks.untold(str(store.local))
    assert [line["hint"] for line in told] == ["hipogit core"]


def test_a_changed_core_is_accepted_by_a_person_alone(repo: Path, store: Store) -> None:
    workspace.keep(store, repo, NOW)
    rewrite(repo, "Kim runs", "Lee runs")
    refused = CliRunner().invoke(cli, ["-C", str(repo), "core", "--accept"])
    assert isinstance(refused.exception, Usage) and "--as" in refused.exception.hint
    assert "Kim runs" in on_branch(repo, "MEMORY.md")
    run(repo, "core", "--accept", "--as", "kim")
    assert "Lee runs" in on_branch(repo, "MEMORY.md")
    log = ["git", "log", "--format=%B", "-n", "1", "--grep", "Core accepted"]
    said = subprocess.run([*log, "hipogit/memory"], cwd=repo, capture_output=True)
    assert b"Hipogit-Actor: kim" in said.stdout
    assert workspace.changed_core(store, repo) is None
    assert run(repo, "core") == "Core is as memory knows it\n"
    assert agents.problems(store.git) == [
        problem for problem in agents.problems(store.git) if "frozen" not in problem
    ]
    run(repo, "verify")
    again = CliRunner().invoke(cli, ["-C", str(repo), "core", "--accept", "--as", "k"])
    assert isinstance(again.exception, Refused)


@pytest.mark.parametrize(("old", "new"), CHANGES.values(), ids=CHANGES)
def test_a_changed_core_is_put_back(
    repo: Path, store: Store, old: str, new: str
) -> None:
    workspace.keep(store, repo, NOW)
    rewrite(repo, old, new)
    rewrite(repo, "short answers", "long answers")
    run(repo, "core", "--put-back")
    text = (repo / "MEMORY.md").read_text()
    assert hot.core(text) == "## Core\n- Kim runs payments"
    assert "long answers" in text and "hipogit:start" in text
    assert workspace.changed_core(store, repo) is None
    run(repo, "uninstall")
    if old != CHANGES["all of it"][0]:
        text = (repo / "MEMORY.md").read_text()
        assert text.split() == MEMORY.replace("short", "long").split()


def test_a_secret_in_core_is_not_written_over(repo: Path, store: Store) -> None:
    letters = random.Random(8).choices(string.ascii_uppercase + "234567", k=16)
    secret = "AK" + "IA" + "".join(letters)
    rewrite(repo, "- Kim runs payments\n", f"- Kim runs payments\n- key {secret}\n")
    workspace.keep(store, repo, NOW)
    rewrite(repo, "Kim runs", "Lee runs")
    run(repo, "core", "--put-back")
    assert f"- Kim runs payments\n- key {secret}\n" in (repo / "MEMORY.md").read_text()
    rewrite(repo, f"- key {secret}\n", "")
    before = (repo / "MEMORY.md").read_text()
    refused = CliRunner().invoke(cli, ["-C", str(repo), "core", "--put-back"])
    assert isinstance(refused.exception, Refused)
    assert (repo / "MEMORY.md").read_text() == before


def test_core_is_frozen_in_memorys_own_worktree_too(repo: Path, store: Store) -> None:
    workspace.keep(store, repo, NOW)
    copy = repo / ".hipogit" / "MEMORY.md"
    copy.write_text(copy.read_text().replace("Kim", "Lee").replace("short", "long"))
    upkeep.work({"platform": "openclaw", "kind": "session-start", "cwd": "/"})
    edits.absorb(store, NOW)
    assert on_branch(repo, "MEMORY.md") == MEMORY.replace("short", "long")
    assert "Core section" in store.ledger.lines()[0]["sentence"]


def test_compaction_never_touches_core(repo: Path, store: Store) -> None:
    run(repo, "checkpoint", "Rate limit", "-m", "- decisions: token bucket")
    lines = "".join(f"- lesson {n}\n" for n in range(400))
    rewrite(repo, "- likes short answers\n", lines)
    for step in (["compact"], ["checkpoint", "More", "-m", "- outcome: x"]):
        run(repo, *step)
        workspace.keep(store, repo, NOW)
        assert hot.core((repo / "MEMORY.md").read_text()) == hot.core(MEMORY)
        assert hot.core(on_branch(repo, "MEMORY.md")) == hot.core(MEMORY)


def test_uninstall_gives_the_file_back_after_all_that(repo: Path, store: Store) -> None:
    run(repo, "checkpoint", "Rate limit", "-m", "- decisions: token bucket")
    workspace.keep(store, repo, NOW)
    run(repo, "uninstall", "--delete-memory")
    assert (repo / "MEMORY.md").read_text() == MEMORY


@pytest.mark.parametrize("capture", ["full", "off"])
def test_a_hook_of_openclaw_makes_the_copy(
    repo: Path, store: Store, capture: str
) -> None:
    run(repo, "init", "--platform", "openclaw", "--capture", capture)
    data = {"type": "session", "action": "compact:before"}
    context = {"workspaceDir": str(repo), "sessionId": "s"}
    job = hosts.event("openclaw", "pre-compact", {**data, "context": context})
    upkeep.work({"platform": job.platform, "kind": job.kind, "cwd": job.cwd})
    with store.snapshot() as tip:
        assert (tip.read("MEMORY.md") == MEMORY) == (capture == "full")
    assert store.ledger.lines() == []
