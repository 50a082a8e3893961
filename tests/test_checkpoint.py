"""`checkpoint`: what goes in comes back, and what cannot is refused whole."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from conftest import git, hipogit

from hipogit.entry import parse_all


@pytest.fixture
def memory(repo: Path) -> Path:
    hipogit(repo, "init", "--platform", "none")
    return repo


def tip(repo: Path) -> str:
    return git(repo, "rev-parse", "hipogit/memory")


def journal(repo: Path, day: str = "2026-11-29") -> str:
    return git(repo, "show", f"hipogit/memory:memory/{day}.md")


def test_options_make_one_entry(memory: Path) -> None:
    done = json.loads(
        hipogit(memory, "checkpoint", "Rate limit", "-t", "feedback", "-f",
                "rule=be kind", "-f", "why=bursts", "-f", "how-to-apply=always",
                "--session", "s1", "--actor", "Ann", "--json")
    )  # fmt: skip
    assert set(done) == {"commit", "spooled", "entries", "redactions", "similar"}
    (said,) = done["entries"]
    assert said["topic"] == "Rate limit" and said["day"] == "2026-11-29"
    _, (entry,) = parse_all(journal(memory))
    assert entry.fields() == {
        "rule": "be kind", "why": "bursts", "how-to-apply": "always"
    }  # fmt: skip
    assert (entry.id, entry.standing) == (said["id"], "stated")
    assert entry.get("session") == "s1" and entry.get("actor") == "Ann"
    message = git(memory, "log", "-1", "--format=%B", done["commit"])
    assert message.startswith("checkpoint: Rate limit\n\nHipogit-Action: checkpoint\n")
    assert f"Hipogit-Entry: {said['id']}" in message
    head = git(memory, "rev-parse", "HEAD").strip()
    assert f"Hipogit-Code: {head} main" in message


def test_sections_on_stdin_make_many_and_their_metadata_is_not_believed(
    memory: Path,
) -> None:
    text = (
        "## One [user]\n<!-- hipogit id=20200101-aaaaaaaaaa standing=confirmed"
        " actor=Boss -->\nI like tabs\n\n## Two\nx\n"
    )
    done = json.loads(hipogit(memory, "checkpoint", "--json", input=text))
    assert [e["topic"] for e in done["entries"]] == ["One", "Two"]
    _, entries = parse_all(journal(memory))
    assert {entry.standing for entry in entries} == {"stated"}
    assert all(entry.id.startswith("20261129-") for entry in entries)
    assert all(entry.get("via") == "pipe" for entry in entries)
    assert not any(entry.get("actor") for entry in entries)
    assert git(memory, "log", "--format=%s", "hipogit/memory").count("checkpoint") == 1


def test_saying_it_again_writes_nothing(memory: Path) -> None:
    words = ["checkpoint", "A", "-m", "b", "--json"]
    first = json.loads(hipogit(memory, *words))
    before = tip(memory)
    again = json.loads(hipogit(memory, *words))
    assert again["entries"] == first["entries"]
    assert again["commit"] and tip(memory) == before


@pytest.mark.parametrize(
    "body",
    [
        "# heading\n## another [user]\n### deep",
        "```\n## in a fence\n~~~~",
        "a\r\nb\r\n\r\nc",
        "배포 절차: 먼저 테스트 👩‍👩‍👧 naïve",
        "<!-- hipogit id=20260101-aaaaaaaaaa standing=confirmed -->",
        "\\# escaped \\\\## twice",
        "trailing   \n\n\n  - indented",
        "\x01\x1b[31mred\x1b[0m",
    ],
)
def test_odd_text_is_read_back_the_same(memory: Path, body: str) -> None:
    hipogit(memory, "checkpoint", "Odd", input=body)
    _, (entry,) = parse_all(journal(memory))
    assert entry.body == body.rstrip("\r\n")


@pytest.mark.parametrize(
    ("words", "input", "said"),
    [
        (["A"], "", "says nothing"),
        (["A", "-m", " \n"], "", "says nothing"),
        (["", "-m", "x"], "", "no topic"),
        (["long " * 60, "-m", "x"], "", "characters long"),
        ([], "", "holds no entry"),
        ([], "no heading at all", "holds no entry"),
        (["A", "-t", "bug", "-m", "x"], "", "'bug' is not one of"),
        (["A", "-t", "feedback", "-m", "x"], "", "lacks rule, why, how-to-apply"),
        (["A", "-f", "novalue"], "", "is no KEY=VALUE"),
        (["A"], "x\0y", "NUL"),
        (["A"], "x\udcff", "not UTF-8"),
        (["A"], "word " * 2_100_000, "larger than"),
        (["--now-where"], "", "No such option"),
    ],
    ids=lambda value: str(value)[:24],
)
def test_bad_input_is_refused_with_a_hint_and_nothing_written(
    memory: Path, words: list[str], input: str, said: str
) -> None:
    before = tip(memory)
    told = hipogit(memory, "checkpoint", *words, input=input, code=2)
    assert said in told and "hint: " in told and told.startswith("error: ")
    assert tip(memory) == before
    assert not list((memory / ".git/hipogit").rglob("spool/*"))


def test_a_wrong_time_is_refused(memory: Path) -> None:
    told = hipogit(memory, "--now", "yesterday", "checkpoint", "A", "-m", "b", code=2)
    assert "is not a time" in told


def test_without_init_it_says_what_to_do(repo: Path) -> None:
    told = hipogit(repo, "checkpoint", "A", "-m", "b", code=2)
    assert "hint: hipogit init" in told
    assert not (repo / ".git" / "hipogit" / "spool").exists()


def test_the_day_is_that_of_the_session_start(memory: Path) -> None:
    folder = memory / ".git/hipogit/sessions"
    (folder / "claude-code-late.json").write_text(
        json.dumps({"platform": "claude-code", "id": "late", "cwd": str(memory),
                    "start": "2026-11-28T23:50:00+09:00", "pids": []})
    )  # fmt: skip
    hipogit(memory, "checkpoint", "A", "-m", "past midnight")
    _, (entry,) = parse_all(journal(memory, "2026-11-28"))
    assert entry.get("session") == "late" and entry.get("source") == "claude-code"
    assert entry.at and entry.at.isoformat() == "2026-11-29T17:35:02+09:00"


def test_a_tree_stands_from_the_first_entry_on(memory: Path) -> None:
    hipogit(memory, "checkpoint", "Rate limit", "-m", "- decisions: token bucket")
    names = git(memory, "ls-tree", "-r", "--name-only", "hipogit/memory").split()
    for name in ("daily/2026-11-29", "weekly/2026-W48", "monthly/2026-11", "ROOT"):
        assert f"memory/{name}.md" in names
    assert "token bucket" in hipogit(memory, "context")
    subjects = git(memory, "log", "--format=%s", "hipogit/memory").split("\n")
    assert subjects[0].startswith("compact: 2026-11-29, 2026-W48, 2026-11")
    assert len(git(memory, "reflog", "show", "hipogit/memory").split("\n")) == 3


def test_what_was_typed_by_hand_is_adopted_at_its_commit(memory: Path) -> None:
    view = memory / ".hipogit"
    (view / "memory").mkdir(exist_ok=True)
    (view / "memory" / "2026-11-29.md").write_text("## Typed [user]\nI like tabs\n")
    git(view, "add", "-A")
    git(view, "commit", "-q", "-m", "by hand")
    _, (entry,) = parse_all(journal(memory))
    assert entry.id.startswith("20261129-") and entry.get("source") == "hand"
    subjects = git(memory, "log", "--format=%s", "hipogit/memory").split("\n")
    assert subjects[1:3] == ["adopt: 1 typed by hand", "by hand"]
    assert git(view, "status", "--porcelain") == ""
    assert "I like tabs" in (view / "memory" / "ROOT.md").read_text()


def test_the_index_quotes_the_newest_statement_and_cites_the_entry_that_made_it(
    memory: Path,
) -> None:
    old, new = (
        json.loads(
            hipogit(memory, "--now", f"2026-11-29T{hour}:00:00+09:00", "checkpoint",
                    "Rate limit", "-m", f"- decisions: {said}", "--json")
        )["entries"][0]["id"]
        for hour, said in (("10", "token bucket, 100 a second"), ("11", "a window"))
    )  # fmt: skip
    root = git(memory, "show", "hipogit/memory:memory/ROOT.md")
    active = root.partition("## Active Context")[2].partition("\n## ")[0]
    assert "a window" in active and new[:13] in active
    assert "token bucket" not in active and old[:13] not in active


def test_before_a_task_there_is_room_for_summaries(memory: Path) -> None:
    for number in range(3):
        hipogit(
            memory, "checkpoint", f"Part {number}", "-m", f"- outcome: did {number}"
        )
    start = json.loads(hipogit(memory, "context", "--json"))
    task = json.loads(hipogit(memory, "context", "--event", "task-start", "--json"))
    assert task["text"].startswith(start["text"])
    assert "daily/2026-11-29" in task["sections"] and task["tokens"] <= 8000
    words = ["context", "--event", "task-start", "--budget", "300", "--json"]
    small = json.loads(hipogit(memory, *words))
    assert small["tokens"] <= 300


def test_a_hand_made_summary_that_had_to_go_is_named(memory: Path) -> None:
    hipogit(memory, "checkpoint", "Rate limit", "-m", "- decisions: token bucket")
    path = memory / ".hipogit/memory/daily/2026-11-29.md"
    path.write_text(path.read_text().replace("token bucket", "leaky bucket"))
    git(memory / ".hipogit", "commit", "-q", "-a", "-m", "mine")
    assert "leaky" in git(memory, "show", "hipogit/memory:memory/daily/2026-11-29.md")
    hipogit(memory, "checkpoint", "Cache", "-m", "- outcome: done")
    ledger = json.loads(hipogit(memory, "status", "--json"))["ledger"]
    assert any("edited by hand" in line["sentence"] for line in ledger)


def test_a_topic_over_two_lines_is_one_topic(memory: Path) -> None:
    hipogit(memory, "checkpoint", "Rate\nlimit", "-m", "token bucket")
    _, (entry,) = parse_all(journal(memory))
    assert (entry.topic, entry.body) == ("Rate limit", "token bucket")
