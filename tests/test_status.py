"""`status` tells what works, from what it sees and not from what was written down."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from conftest import git, hipogit

KEYS = {
    "ok", "branch", "tip", "view", "entries", "nodes", "index_recall", "pending",
    "last_compact", "budget", "spool", "ledger", "probes",
}  # fmt: skip


@pytest.fixture
def memory(repo: Path) -> Path:
    hipogit(repo, "init", "--platform", "none")
    hipogit(repo, "checkpoint", "Rate limit", "-m", "- decisions: token bucket")
    return repo


def told(repo: Path, code: int = 0) -> dict:
    out = hipogit(repo, "status", "--json", code=code)
    return json.loads(out.split("\n")[0])


def test_a_good_one_is_well(memory: Path) -> None:
    values = told(memory)
    assert set(values) == KEYS
    assert values["ok"] is True
    assert values["view"] == {"path": str(memory / ".hipogit"), "state": "clean"}
    assert values["entries"]["standing"] == {"stated": 1}
    assert values["index_recall"] == {"found": 1, "topics": 1, "share": 1.0}
    assert values["nodes"]["daily"] == values["nodes"]["monthly"] == 1
    assert "all is well" in hipogit(memory, "status")


def test_the_state_of_the_view_is_seen(memory: Path) -> None:
    view = memory / ".hipogit"
    (view / "WORKING.md").write_text("# Working\n- mine\n")
    assert told(memory)["view"]["state"] == "edited"
    git(view, "checkout", "-q", "WORKING.md")
    (view / "memory/ROOT.md").write_text("mine\n")  # nodes are never taken in
    hipogit(memory, "checkpoint", "Cache", "-m", "x")
    assert told(memory, code=1)["view"]["state"] == "behind"
    shutil.rmtree(view)
    values = told(memory, code=1)
    assert (values["view"]["state"], values["ok"]) == ("missing", False)


def test_without_a_view_nothing_is_missing(repo: Path) -> None:
    hipogit(repo, "init", "--platform", "none", "--no-worktree")
    hipogit(repo, "checkpoint", "A", "-m", "b")
    assert told(repo)["view"] == {"path": None, "state": "none"}


def test_what_waits_is_named(memory: Path) -> None:
    spool = memory / ".git/hipogit/spool"
    spool.mkdir()
    (spool / "x.json").write_text("{}")
    assert told(memory, code=1)["spool"] == 1


def test_a_branch_that_is_gone_is_told_and_not_a_crash(memory: Path) -> None:
    git(memory, "update-ref", "-d", "refs/heads/hipogit/memory")
    values = told(memory, code=1)
    assert values["tip"] is None and values["ok"] is False


def test_a_hot_file_that_outgrew_its_size_gets_advice(memory: Path) -> None:
    view = memory / ".hipogit"
    (view / "SCRATCHPAD.md").write_text("- a line\n" * 151)
    git(view, "commit", "-qam", "long")
    assert "SCRATCHPAD.md" in hipogit(memory, "status")
