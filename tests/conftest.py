"""Every test runs sealed: own HOME, no system git config, fixed dates, no GIT_*."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from story import Memory

FOREIGN = ("GIT_", "HIPOGIT_", "CLAUDE", "CODEX", "GEMINI", "CURSOR", "OPENCODE")
FULL = bool(os.environ.get("HIPOGIT_FULL"))
NOW = "2026-11-29T17:35:02+09:00"


# A loaded machine is slow; that says nothing about the code under test.
settings.register_profile(
    "hipogit", deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("hipogit")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Long runs wait for HIPOGIT_FULL=1, which `.ci/run` sets."""
    for item in items:
        if item.get_closest_marker("slow") and not FULL:
            item.add_marker(pytest.mark.skip(reason="slow: set HIPOGIT_FULL=1"))


def sized(small: int, full: int) -> int:
    """The size of a run: small by default, full with HIPOGIT_FULL=1."""
    return full if FULL else small


@pytest.fixture(autouse=True)
def sealed(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch):
    """A HOME of its own and nothing of the developer's git or editor settings."""
    for name in list(os.environ):
        if name.startswith(FOREIGN) and name != "HIPOGIT_DATA":
            monkeypatch.delenv(name)
    home = tmp_path_factory.mktemp("home")
    for name, value in {
        "HOME": str(home),
        "XDG_CONFIG_HOME": str(home / ".config"),
        "XDG_STATE_HOME": str(home / ".state"),
        "XDG_DATA_HOME": str(home / ".data"),
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": str(home / ".gitconfig"),
        "GIT_AUTHOR_DATE": "2026-11-29T12:00:00+0900",
        "GIT_COMMITTER_DATE": "2026-11-29T12:00:00+0900",
        "GIT_EDITOR": "true",
        "GIT_TERMINAL_PROMPT": "0",
        "EDITOR": "true",
        # Processes started elsewhere must import this checkout.
        "PYTHONPATH": str(Path(__file__).parent.parent),
        "TZ": "Asia/Seoul",
        "LC_ALL": "C.UTF-8",
        "HIPOGIT_NOW": NOW,
    }.items():
        monkeypatch.setenv(name, value)
    (home / ".gitconfig").write_text(
        "[user]\n\tname = Test User\n\temail = test@example.invalid\n"
        "[init]\n\tdefaultBranch = main\n"
    )
    return home


def git(path: Path, *args: str) -> str:
    """What git prints, run in that folder; fails the test when git fails."""
    done = subprocess.run(["git", *args], cwd=path, check=True, capture_output=True)
    # Not text=True: that would turn CRLF into LF.
    return done.stdout.decode("utf-8", "surrogateescape")


def hipogit(path: Path, *args: str, input: str = "", code: int = 0, **env: str) -> str:
    """What hipogit prints as a process of its own; fails on another exit code."""
    done = subprocess.run(
        [sys.executable, "-P", "-m", "hipogit", *args],
        cwd=path,
        input=input.encode("utf-8", "surrogateescape"),
        env={**os.environ, **env},
        capture_output=True,
        check=False,
    )
    said = done.stderr.decode("utf-8", "replace")
    assert done.returncode == code, f"exit {done.returncode}: {said}"
    return done.stdout.decode("utf-8", "surrogateescape") + (said if code else "")


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    """A user's repository with one commit."""
    path = tmp_path / "shop"
    path.mkdir()
    git(path, "init", "-q")
    (path / "app.py").write_text("print('hello')\n")
    git(path, "add", ".")
    git(path, "commit", "-q", "-m", "first")
    return path


@pytest.fixture
def memory(repo: Path) -> Memory:
    """The repository's memory, to be told as a story."""
    return Memory(repo)
