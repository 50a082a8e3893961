"""What a person has accepted stays, whichever door the text comes in by."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from hipogit.gate.fingerprint import fingerprint
from tests.conftest import git, hipogit

from .values import fill

_RNG = random.Random(31)
ACCEPTED = fill("ghp" + "_{a36}", _RNG)
OTHER = fill("ghp" + "_{a36}", _RNG)


@pytest.fixture
def memory(repo: Path) -> Path:
    hipogit(repo, "init", "--platform", "none")
    view = repo / ".hipogit"
    settings = view / "hipogit.toml"
    text = settings.read_text()
    mark = fingerprint(ACCEPTED, _salt(text))
    settings.write_text(_allowing(text, mark))
    git(view, "commit", "-q", "-am", "accept it")
    return repo


def _salt(text: str) -> str:
    import tomllib

    return str(tomllib.loads(text).get("gate", {}).get("salt", ""))


def _allowing(text: str, mark: str) -> str:
    if "[gate]\n" in text:
        return text.replace("[gate]\n", f'[gate]\nallow = ["{mark}"]\n', 1)
    return f'{text}\n[gate]\nallow = ["{mark}"]\n'


def stored(memory: Path) -> str:
    """Every file of the tip."""
    names = git(memory, "ls-tree", "-r", "--name-only", "hipogit/memory").split()
    return "".join(git(memory, "show", f"hipogit/memory:{name}") for name in names)


TEXT = f"- decisions: the sample in the docs is {ACCEPTED}\n- outcome: not {OTHER}\n"


def checkpoint(memory: Path, tmp_path: Path) -> None:
    hipogit(memory, "checkpoint", "Docs", input=f"## Docs [project]\n{TEXT}")


def flat(memory: Path, tmp_path: Path) -> None:
    (tmp_path / "MEMORY.md").write_text(f"# Docs\n\n{TEXT}")
    hipogit(memory, "import", "memory-md", str(tmp_path / "MEMORY.md"))


def dated(memory: Path, tmp_path: Path) -> None:
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "2026-11-27.md").write_text(f"# A day\n\n## Docs\n{TEXT}")
    hipogit(memory, "import", "markdown", str(tmp_path / "notes"))


def harness(memory: Path, tmp_path: Path) -> None:
    project = tmp_path / "old"
    (project / "memory").mkdir(parents=True)
    (project / "knowledge").mkdir()
    (project / "memory" / "2026-11-27.md").write_text(f"# A day\n\n## Docs\n{TEXT}")
    (project / "knowledge" / "docs.md").write_text(f"# Docs\n{TEXT}")
    (project / "knowledge" / f"{OTHER}.md").write_text("# Nothing in it\n")
    hipogit(memory, "import", "harness", str(project))


def capture(memory: Path, tmp_path: Path) -> None:
    def row(number: int, kind: str, content: object) -> str:
        return json.dumps(
            {
                "parentUuid": None, "isSidechain": False, "userType": "external",
                "cwd": str(memory), "sessionId": "5f0c1a52-7d0e-4a77-9a51-0b7d4e3f2a10",
                "version": "2.1.332", "gitBranch": "main", "type": kind,
                "message": {"role": kind, "content": content},
                "uuid": f"c0ffee00-0000-4000-8000-00000000000{number}",
                "timestamp": f"2026-11-29T05:00:1{number}.000Z",
            }
        )  # fmt: skip

    answer = [{"type": "text", "text": f"Decision: keep {ACCEPTED}, drop {OTHER}."}]
    rows = [row(1, "user", f"please look:\n{TEXT}"), row(2, "assistant", answer)]
    path = tmp_path / "session.jsonl"
    path.write_text("\n".join(rows) + "\n")
    hipogit(memory, "capture", str(path), "--platform", "claude-code")


def by_hand(memory: Path, tmp_path: Path) -> None:
    view = memory / ".hipogit"
    (view / "knowledge").mkdir(exist_ok=True)
    (view / "knowledge" / "docs.md").write_text(TEXT)
    git(view, "add", "-A")
    git(view, "commit", "-q", "-m", f"about {ACCEPTED}")
    assert ACCEPTED in git(view, "log", "--format=%B")


def edited(memory: Path, tmp_path: Path) -> None:
    (memory / ".hipogit" / "SCRATCHPAD.md").write_text(f"# Scratchpad\n\n{TEXT}")
    hipogit(memory, "compact")


DOORS = [checkpoint, flat, dated, harness, capture, by_hand, edited]


@pytest.mark.parametrize("door", DOORS, ids=lambda door: door.__name__)
def test_every_door_follows_the_same_list(memory: Path, tmp_path: Path, door) -> None:
    door(memory, tmp_path)

    text = stored(memory)
    assert ACCEPTED in text
    assert OTHER not in text
    assert "[REDACTED:github-token]" in text
    names = git(memory, "ls-tree", "-r", "--name-only", "hipogit/memory")
    assert OTHER not in names
    hipogit(memory, "verify")
