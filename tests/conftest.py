"""Every test runs sealed: own HOME, no system git config, fixed dates, no GIT_*."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

FOREIGN = ("GIT_", "HIPOGIT_", "CLAUDE", "CODEX", "GEMINI", "CURSOR", "OPENCODE")
NOW = "2026-11-29T17:35:02+09:00"


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


def git(path: Path, *args: str, **kwargs: object) -> str:
    """What git prints, run in that folder; fails the test when git fails."""
    return subprocess.run(
        ["git", *args], cwd=path, check=True, capture_output=True, text=True
    ).stdout


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
