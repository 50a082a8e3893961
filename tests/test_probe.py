"""`status --probe` fires every hook path; what does not arrive is named, exit 1."""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import git, hipogit

HOOKS = {
    "pre-commit", "pre-merge-commit", "commit-msg", "post-commit", "post-merge",
    "post-rewrite", "pre-push",
}  # fmt: skip


@pytest.fixture
def tools(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder on PATH with this checkout's program, and nowhere else one."""
    place = tmp_path / "tools"
    place.mkdir()
    (place / "hipogit").write_text(
        f'#!/bin/sh\nexec "{sys.executable}" -P -m hipogit "$@"\n'
    )
    (place / "hipogit").chmod(0o755)
    monkeypatch.setenv("PATH", f"{place}:/usr/local/bin:/usr/bin:/bin")
    return place


@pytest.fixture
def memory(repo: Path, tools: Path) -> Path:
    hipogit(repo, "init", "--platform", "claude-code")
    return repo


def probes(repo: Path, code: int = 0) -> list[dict]:
    out = hipogit(repo, "status", "--probe", "--json", code=code)
    values = json.loads(out.split("\n")[0])
    assert values["ok"] == (code == 0)
    return values["probes"]


def silent(repo: Path) -> set[str]:
    return {f"{p['host']} {p['event']}" for p in probes(repo, 1) if p["ok"] is False}


def test_every_path_arrives_and_nothing_is_written(memory: Path) -> None:
    tip = git(memory, "rev-parse", "hipogit/memory")
    found = probes(memory)
    assert {p["event"] for p in found if p["host"] == "git"} == HOOKS
    events = {p["event"] for p in found if p["host"] == "claude-code"}
    assert {"session-start", "stop"} <= events
    assert all(p["ok"] and not p["problem"] for p in found)
    assert git(memory, "rev-parse", "hipogit/memory") == tip
    assert git(memory, "status", "--porcelain") == ""


def test_without_firing_nothing_is_claimed(memory: Path) -> None:
    out = hipogit(memory, "status", "--json")
    assert {p["ok"] for p in json.loads(out.split("\n")[0])["probes"]} == {None}


@pytest.mark.parametrize(
    "platform", ["claude-code", "codex", "opencode", "openclaw", "gemini", "cursor"]
)
def test_each_platform_is_fired_by_its_own_command(
    repo: Path, tools: Path, platform: str
) -> None:
    """What its configuration says is run, arrives, and is missed when it is gone."""
    hipogit(repo, "init", "--platform", platform)
    tip = git(repo, "rev-parse", "hipogit/memory")
    # These run no hook before a person trusts the folder: capture does not work yet.
    code = int(platform in ("codex", "openclaw", "gemini"))
    found = [p for p in probes(repo, code) if p["host"] == platform]
    assert found and all(one["ok"] and not one["problem"] for one in found)
    assert {one["last"] for one in found} == {""}
    assert git(repo, "rev-parse", "hipogit/memory") == tip

    event = found[0]["event"]
    words = ("hook", platform, event)
    hipogit(repo, *words, input=json.dumps({"cwd": str(repo), "session_id": "s1"}))
    found = [p for p in probes(repo, code) if p["host"] == platform]
    assert [one["event"] for one in found if one["last"]] == [event]

    (tools / "hipogit").unlink()
    assert f"{platform} {event}" in silent(repo)


Plant = Callable[[Path, Path], object]
TABLE: list[tuple[Plant, set[str]]] = []


def plants(*names: str) -> Callable[[Plant], Plant]:
    def keep(plant: Plant) -> Plant:
        TABLE.append((plant, set(names)))
        return plant

    return keep


@plants("git post-commit")
def hook_not_executable(repo: Path, tools: Path) -> None:
    (repo / ".git/hipogit/hooks/post-commit").chmod(0o644)


@plants("git pre-push")
def hook_gone(repo: Path, tools: Path) -> None:
    (repo / ".git/hipogit/hooks/pre-push").unlink()


@plants("git post-merge")
def hook_that_does_nothing(repo: Path, tools: Path) -> None:
    (repo / ".git/hipogit/hooks/post-merge").write_text("#!/bin/sh\nexit 0\n")


@plants(*(f"git {name}" for name in HOOKS))
def hooks_disabled_by_a_manager(repo: Path, tools: Path) -> None:
    config = repo / ".git" / "config"
    config.write_text(config.read_text() + "[core]\n\thooksPath = .husky\n")


@plants("claude-code session-start", "claude-code stop")
def command_not_on_path(repo: Path, tools: Path) -> None:
    (tools / "hipogit").unlink()


@pytest.mark.parametrize(("plant", "names"), TABLE, ids=[p.__name__ for p, _ in TABLE])
def test_what_does_not_arrive_is_named(
    memory: Path, tools: Path, plant: Plant, names: set[str]
) -> None:
    plant(memory, tools)
    found = silent(memory)
    assert names <= found
    if "not_on_path" not in plant.__name__:
        assert names == found


def test_a_config_that_was_edited_away_is_told(memory: Path) -> None:
    settings = memory / ".claude" / "settings.local.json"
    assert "hipogit" in settings.read_text()
    settings.write_text("{}\n")
    said = hipogit(memory, "status", "--probe", code=1)
    assert "settings.local.json" in said or "claude-code" in said


def test_a_hook_that_was_reached_shows_when(memory: Path) -> None:
    view = memory / ".hipogit"
    (view / "WORKING.md").write_text("# Working\n- mine\n")
    git(view, "commit", "-qam", "by hand")
    last = {p["event"]: p["last"] for p in probes(memory) if p["host"] == "git"}
    assert last["pre-commit"] and last["post-commit"] and not last["pre-push"]
    assert shutil.which("hipogit") and os.environ["PATH"].startswith(str(memory.parent))
