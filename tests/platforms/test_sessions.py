"""Whole sessions: the agents' own programs, hipogit itself, a model on loopback."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from .mock_model import SAID, model
from .test_clients import ASKS, SEARCHED, TOP, Bench, needs, strings

pytestmark = pytest.mark.clients

TEXT = "- decisions: token bucket 결제, bursts are legitimate"


class Session(Bench):
    """A bench on which hipogit itself answers."""

    def __init__(self, top: Path, name: str) -> None:
        for folder in ("home", "shop", "bin"):
            (top / folder).mkdir()
        self.home, self.project, self.log = top / "home", top / "shop", top / "calls"
        script = top / "bin" / "hipogit"
        code = f"import sys; sys.path.insert(0, {str(TOP)!r}); from hipogit.__main__"
        script.write_text(f"#!{sys.executable}\n{code} import main; sys.exit(main())\n")
        script.chmod(0o755)
        (self.home / ".gitconfig").write_text(
            "[user]\n\tname = Test\n\temail = test@example.invalid\n"
        )
        self.run("git", "init", "-q")
        self.hipogit("init", "--platform", name)
        self.hipogit("checkpoint", "Rate limit", "-m", TEXT)

    def hipogit(self, *args: str) -> str:
        """What a command prints."""
        program = self.project.parent / "bin" / "hipogit"
        env = {"PATH": os.pathsep.join([str(program.parent), SEARCHED])}
        done = subprocess.run(
            [program, *args],
            cwd=self.project,
            env=env | {"HOME": str(self.home)},
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    def journal(self) -> str:
        """Every journal at the tip, as soon as it holds a captured entry."""
        until = time.monotonic() + 20
        while True:
            args = ("git", "grep", "-h", "", "hipogit/memory", "--", "memory/*.md")
            found = self.run(*args)
            if "standing=captured" in found or time.monotonic() > until:
                return found
            time.sleep(0.3)


@pytest.mark.parametrize("platform", ASKS)
def test_memory_is_before_the_model_and_the_turn_is_captured(
    tmp_path: Path, platform: str
) -> None:
    needs("claude" if platform == "claude-code" else platform)
    session = Session(tmp_path, platform)
    with model() as (url, bodies):
        assert SAID in ASKS[platform](session, url)
    sent = [s for body in bodies for s in strings(json.loads(body))]
    assert sum(s.count("token bucket 결제") for s in sent) >= 1
    journal = session.journal()
    assert "standing=captured" in journal
    assert "limit?" in journal
    assert "# Memory (hipogit)" not in journal, "what we said does not come back"
