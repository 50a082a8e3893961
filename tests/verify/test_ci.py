"""Every command of every CI recipe runs, in the checkout such a CI makes."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml
from conftest import git, hipogit

ROOT = Path(__file__).parent.parent.parent
CI = ROOT / "templates" / "ci"
PACKAGE = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["name"]


def github() -> list[str]:
    jobs = yaml.safe_load((CI / "github-actions.yml").read_text())["jobs"]
    steps = jobs["verify"]["steps"]
    return [step["run"] for step in steps if "run" in step]


def gitlab() -> list[str]:
    job = yaml.safe_load((CI / "gitlab-ci.yml").read_text())["memory"]
    return [*job["before_script"], *job["script"]]


def shell() -> list[str]:
    return [f"sh {CI / 'verify.sh'}"]


RECIPES: dict[str, Callable[[], list[str]]] = {
    "github": github,
    "gitlab": gitlab,
    "shell": shell,
}


@pytest.fixture
def memory(repo: Path) -> Path:
    hipogit(repo, "init", "--platform", "none", "--no-worktree")
    hipogit(repo, "checkpoint", "Rate limit", "-m", "- decisions: token bucket")
    return repo


@pytest.fixture
def checkout(memory: Path, tmp_path: Path) -> Path:
    place = tmp_path / "ci"
    place.mkdir()
    git(place, "init", "-q")
    git(place, "remote", "add", "origin", f"file://{memory}")
    git(place, "fetch", "-q", "--no-tags", "--depth", "1", "origin", "main")
    git(place, "checkout", "-q", "--detach", "FETCH_HEAD")
    return place


def run(
    commands: list[str], place: Path, tools: Path
) -> list[subprocess.CompletedProcess[str]]:
    """Run them as a CI does: one after the other, until one fails."""
    tools.mkdir()
    # `pip install` puts the program there; here that is this checkout.
    program = f'#!/bin/sh\nexec "{sys.executable}" -P -m hipogit "$@"\n'
    (tools / "installed").write_text(program)
    (tools / "installed").chmod(0o755)
    (tools / "pip").write_text(
        f'#!/bin/sh\n[ "$*" = "install -q {PACKAGE}" ] || exit 9\n'
        f'ln -s installed "{tools}/hipogit"\n'
    )
    (tools / "pip").chmod(0o755)
    env = {**os.environ, "PATH": f"{tools}:/usr/local/bin:/usr/bin:/bin"}
    done = []
    for command in commands:
        done.append(
            subprocess.run(
                ["bash", "-eo", "pipefail", "-c", command],
                cwd=place,
                env=env,
                capture_output=True,
                text=True,
                check=False,
            )
        )
        if done[-1].returncode:
            break
    return done


@pytest.mark.parametrize("name", RECIPES)
def test_a_good_branch_passes(checkout: Path, tmp_path: Path, name: str) -> None:
    commands = RECIPES[name]()
    done = run(commands, checkout, tmp_path / "tools")
    assert [one.returncode for one in done] == [0] * len(commands), done[-1]
    if name == "gitlab":
        suite = ET.parse(checkout / "memory.xml").getroot()
        assert (suite.get("failures"), len(suite) > 9) == ("0", True)


@pytest.mark.parametrize("name", RECIPES)
def test_a_bad_branch_fails(
    memory: Path, checkout: Path, tmp_path: Path, name: str
) -> None:
    git(memory, "worktree", "add", "-q", "../w", "hipogit/memory")
    path = tmp_path / "w/memory/2026-11-29.md"
    path.write_text(path.read_text().replace("token bucket", "leaky bucket"))
    git(tmp_path / "w", "commit", "-qam", "by hand")
    done = run(RECIPES[name](), checkout, tmp_path / "tools")
    assert done[-1].returncode == 1
    said = done[-1].stdout + done[-1].stderr
    if name == "github":
        assert re.search(r"::error title=.*file=memory/2026-11-29.md,line=3::", said)
    elif name == "gitlab":
        assert "by hand" in (checkout / "memory.xml").read_text()
    else:
        assert "FAIL  append-only" in said


def test_recipes_run_on_pushes_on_schedule_and_by_hand() -> None:
    # YAML 1.1 reads the key `on` as true.
    events = yaml.safe_load((CI / "github-actions.yml").read_text())[True]
    assert set(events) == {"push", "schedule", "workflow_dispatch"}
    rules = yaml.safe_load((CI / "gitlab-ci.yml").read_text())["memory"]["rules"]
    assert [rule["if"].split('"')[1] for rule in rules] == ["push", "schedule", "web"]
    for path in CI.iterdir():
        assert "skip-checks" not in path.read_text()
        assert path.name in (ROOT / "docs" / "ci.md").read_text()
