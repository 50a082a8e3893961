"""Memory from elsewhere: dated files, a flat file, a whole hipocampus project."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from conftest import git, hipogit

from hipogit.entry import parse_all
from hipogit.importer import sections
from hipogit.node import Node

DATA = os.environ.get("HIPOGIT_DATA")
DAYS = Path(DATA or "") / "data" / "memaware" / "data" / "sessions"


@pytest.fixture
def memory(repo: Path) -> Path:
    hipogit(repo, "init", "--platform", "none")
    return repo


def show(repo: Path, path: str) -> str:
    return git(repo, "show", f"hipogit/memory:{path}")


def logs(tmp_path: Path) -> Path:
    """Three days of conversation, one with a heading inside a conversation."""
    folder = tmp_path / "logs"
    folder.mkdir()
    for day in ("2026-11-01", "2026-11-02", "2026-11-03"):
        (folder / f"{day}.md").write_text(
            f"# {day}\n\n## Session sa{day[-1]}\n\nUser: I moved to Busan.\n"
            "Assistant: Noted.\n## Plan for Busan\n1. Find a flat\n\n"
            f"## Session sb{day[-1]}\n\nUser: 배포는 금요일에 하지 않기로 했다.\n"
        )
    return folder


def test_dated_files_become_one_commit_a_day(memory: Path, tmp_path: Path) -> None:
    done = json.loads(hipogit(memory, "import", "markdown", str(logs(tmp_path)),
                              "--json"))  # fmt: skip
    assert done == {"commits": 3, "entries": 6, "redactions": 0}
    _, (first, second) = parse_all(show(memory, "memory/2026-11-02.md"))
    assert first.body == (
        "User: I moved to Busan.\nAssistant: Noted.\n## Plan for Busan\n1. Find a flat"
    )
    assert (first.get("session"), first.standing) == ("sa2", "captured")
    assert "Busan" in first.topic and "배포" in second.topic
    dates = git(memory, "log", "--format=%ad %s", "--date=short", "hipogit/memory")
    assert "2026-11-02 import: 2026-11-02 from 2026-11-02.md" in dates


def test_importing_again_adds_nothing(memory: Path, tmp_path: Path) -> None:
    folder = logs(tmp_path)
    hipogit(memory, "import", "markdown", str(folder))
    before = git(memory, "rev-parse", "hipogit/memory")
    again = json.loads(hipogit(memory, "import", "markdown", str(folder), "--json"))
    assert again["commits"] == 0
    assert git(memory, "rev-parse", "hipogit/memory") == before


def test_an_interrupted_import_goes_on(memory: Path, tmp_path: Path) -> None:
    folder = logs(tmp_path)
    words = [sys.executable, "-P", "-m", "hipogit", "import", "markdown", str(folder)]
    process = subprocess.Popen(words, cwd=memory, stdout=subprocess.DEVNULL)
    time.sleep(0.7)
    process.send_signal(signal.SIGKILL)
    process.wait()
    time.sleep(0.2)
    hipogit(memory, "import", "markdown", str(folder))
    found = [
        entry.id
        for day in ("01", "02", "03")
        for entry in parse_all(show(memory, f"memory/2026-11-{day}.md"))[1]
    ]
    assert len(found) == len(set(found)) == 6
    git(memory, "fsck", "--strict")


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("notes.md", "x", "holds no file named YYYY-MM-DD.md"),
        ("2031-01-01.md", "## A\nx\n", "lies in the future"),
        ("2026-11-01.md", b"## A\n\xff\n", "not UTF-8"),
    ],
)
def test_what_cannot_be_imported_is_said(
    memory: Path, tmp_path: Path, name: str, text: str | bytes, said: str
) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / name).write_bytes(text if isinstance(text, bytes) else text.encode())
    told = hipogit(memory, "import", "markdown", str(folder), code=2)
    assert said in told and "hint: " in told
    assert "does not exist" in hipogit(memory, "import", "markdown", "gone", code=2)


def test_a_file_with_typed_headings_keeps_topics_and_types() -> None:
    text = "# 2026-11-01\nintro\n\n## Rate limit [feedback]\nx\n\n## Plain\ny\n"
    assert [s.heading for s in sections(text, "")] == [
        "", "Rate limit [feedback]", "Plain"
    ]  # fmt: skip


FLAT = """---
name: me
---
# Memory

## About me
- I prefer tabs
- 2026-11-02: we chose Postgres [project]

## Links
Grafana lives at dash.example.invalid

and a second paragraph

## 2026-11-03
- deployed
  with a second line
```
- no bullet in here
```
"""


def test_a_flat_file_becomes_entries_and_stays_as_it_is(
    memory: Path, tmp_path: Path
) -> None:
    path = tmp_path / "MEMORY.md"
    path.write_text(FLAT)
    done = json.loads(hipogit(memory, "import", "memory-md", str(path), "--json"))
    assert done == {"commits": 3, "entries": 5, "redactions": 0}
    assert path.read_text() == FLAT
    _, entries = parse_all(show(memory, "memory/2026-11-29.md"))
    assert [(e.type, e.body.split("\n")[0]) for e in entries] == [
        ("user", "I prefer tabs"),
        ("reference", "Grafana lives at dash.example.invalid"),
        ("reference", "and a second paragraph"),
    ]
    _, (chosen,) = parse_all(show(memory, "memory/2026-11-02.md"))
    assert chosen.type == "project" and "section: Memory / About me" in chosen.body
    _, (deployed,) = parse_all(show(memory, "memory/2026-11-03.md"))
    assert "second line" in deployed.body and "no bullet" in deployed.body
    again = json.loads(hipogit(memory, "import", "memory-md", str(path), "--json"))
    assert again["commits"] == 0


def project(tmp_path: Path) -> Path:
    """A project as the npm package leaves it, with a busy day that it summed up."""
    root = tmp_path / "theirs"
    for folder in ("memory/daily", "memory/weekly", "knowledge", "plans"):
        (root / folder).mkdir(parents=True)
    busy = "".join(
        f"## Task {n} [project]\n- request: change part {n} of the parser\n"
        f"- outcome: done in parser/{n}.py after three tries\n\n"
        for n in range(120)
    )
    (root / "memory/2026-11-02.md").write_text(f"# 2026-11-02\n\n{busy}")
    (root / "memory/2026-11-03.md").write_text("## Quiet [project]\n- outcome: x\n")
    (root / "memory/ROOT.md").write_text("## Topics Index\n- old\n")
    node = "---\ntype: daily\nstatus: fixed\nperiod: {}\n{}---\n\n{}"
    (root / "memory/daily/2026-11-02.md").write_text(
        node.format("2026-11-02", "", "## Topics\nparser rewrite in 120 parts, all done"
                    " and covered by tests, needs-summarization: true\n")
    )  # fmt: skip
    (root / "memory/daily/2026-11-03.md").write_text(
        node.format("2026-11-03", "needs-summarization: true\n", "placeholder\n")
    )
    (root / "SCRATCHPAD.md").write_text("# Scratchpad\n\nfocus: parser\n")
    (root / "knowledge/parser.md").write_text("The parser is recursive descent.\n")
    (root / "plans/next.md").write_text("password = hunter2horse99staple\n")
    (root / "hipocampus.config.json").write_text(
        '{"platform": "claude-code", "search": {"vector": true},'
        ' "compaction": {"rootMaxTokens": 5000, "cooldownHours": 0}}'
    )
    return root


def test_a_whole_project_comes_over(memory: Path, tmp_path: Path) -> None:
    root = project(tmp_path)
    before = {path: path.read_bytes() for path in root.rglob("*") if path.is_file()}
    done = json.loads(hipogit(memory, "import", "harness", str(root), "--json"))
    assert done["entries"] == 121 and done["redactions"] == 1
    assert "focus: parser" in show(memory, "SCRATCHPAD.md")
    assert "recursive descent" in show(memory, "knowledge/parser.md")
    assert "hunter2horse" not in show(memory, "plans/next.md")
    toml = show(memory, "hipogit.toml")
    assert "root_max_tokens = 5000" in toml and "cooldown_hours = 0" in toml
    node = Node.parse(show(memory, "memory/daily/2026-11-02.md"))
    assert node and node.summary == "import" and "120 parts" in node.body
    assert not node.needs_summarization
    quiet = Node.parse(show(memory, "memory/daily/2026-11-03.md"))
    assert quiet and quiet.summary == "verbatim"
    assert {path: path.read_bytes() for path in before} == before
    again = json.loads(hipogit(memory, "import", "harness", str(root), "--json"))
    assert again["commits"] == 0


def test_an_imported_summary_goes_when_its_day_changes(
    memory: Path, tmp_path: Path
) -> None:
    hipogit(memory, "import", "harness", str(project(tmp_path)))
    hipogit(
        memory, "--now", "2026-11-02T20:00:00+09:00", "checkpoint", "Late", "-m", "x"
    )
    node = Node.parse(show(memory, "memory/daily/2026-11-02.md"))
    assert node and node.summary == "extractive"


@pytest.mark.skipif(not DATA, reason="needs HIPOGIT_DATA")
def test_91_real_days(memory: Path) -> None:
    done = json.loads(hipogit(memory, "import", "markdown", str(DAYS), "--json"))
    assert (done["commits"], done["entries"]) == (91, 1307)
    written = turns = 0
    for path in sorted(DAYS.glob("*.md")):
        text = path.read_text("utf-8")
        _, entries = parse_all(show(memory, f"memory/{path.name}"))
        written += len(entries)
        for entry in entries:
            wanted = re.search(
                rf"^## Session {entry.get('session')}\n(.*?)(?=^## Session s|\Z)",
                text, re.MULTILINE | re.DOTALL,
            )  # fmt: skip
            assert wanted
            theirs = re.findall(r"^(?:User|Assistant): ", wanted[1], re.MULTILINE)
            ours = re.findall(r"^(?:User|Assistant): ", entry.body, re.MULTILINE)
            assert len(ours) == len(theirs) > 0
            turns += len(ours)
    assert written == 1307 and turns > 10_000
    git(memory, "fsck", "--strict")
