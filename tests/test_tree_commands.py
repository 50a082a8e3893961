"""`compact`, `summarize`, `tree`, `inspect`, `dissolve`, `condense` from outside."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from conftest import git, hipogit

BRANCH = "hipogit/memory"
DAY = "2026-11-29"


@pytest.fixture
def memory(repo: Path) -> Path:
    hipogit(repo, "init", "--platform", "none")
    return repo


def say(memory: Path, topic: str, body: str, *more: str) -> str:
    done = json.loads(hipogit(memory, "checkpoint", topic, "-m", body, "--json", *more))
    return str(done["entries"][0]["id"])


def show(memory: Path, path: str) -> str:
    return git(memory, "show", f"{BRANCH}:{path}")


def big(word: str) -> str:
    return "\n".join(f"- decisions: {word} {n} is {n * 7}" for n in range(220))


def test_a_checkpoint_carries_its_summaries_in_one_move(memory: Path) -> None:
    say(memory, "rate limit", "token bucket")
    subjects = git(memory, "log", "--format=%s", "-2", BRANCH).split("\n")
    assert subjects[0].startswith("compact: ")
    assert subjects[1] == "checkpoint: rate limit"
    assert "token bucket" in show(memory, "memory/ROOT.md")
    hipogit(memory, "compact", "--check")


def test_compact_repairs_what_was_torn_out_by_hand(memory: Path) -> None:
    say(memory, "rate limit", "token bucket")
    whole = git(memory, "ls-tree", "-r", BRANCH, "memory/")
    view = memory / ".hipogit"
    git(view, "-c", "core.hooksPath=/dev/null", "rm", "-q", "memory/ROOT.md",
        "memory/weekly/2026-W48.md")  # fmt: skip
    git(view, "-c", "core.hooksPath=/dev/null", "commit", "-q", "-m", "oops")
    assert "memory/ROOT.md" in hipogit(memory, "compact", "--check", code=1)
    seen = json.loads(hipogit(memory, "compact", "--dry-run", "--json"))
    assert "memory/weekly/2026-W48.md" in seen["rebuilt"] and seen["commit"] is None
    done = json.loads(hipogit(memory, "compact", "--json"))
    assert done["commit"] == git(memory, "rev-parse", BRANCH).strip()
    assert git(memory, "ls-tree", "-r", BRANCH, "memory/") == whole
    again = json.loads(hipogit(memory, "compact", "--json"))
    assert again["rebuilt"] == [] and again["commit"] is None


def test_check_takes_its_date_from_the_tip(memory: Path) -> None:
    say(memory, "rate limit", "token bucket")
    hipogit(memory, "--now", "2027-05-01T10:00:00+09:00", "compact", "--check")
    done = json.loads(
        hipogit(memory, "--now", "2027-05-01T10:00:00+09:00", "compact", "--json")
    )
    assert "memory/daily/2026-11-29.md" in done["fixed"]
    assert 'last-updated: "2027-05-01"' in show(memory, "memory/ROOT.md")


def test_a_summary_goes_in_by_prompt_and_file(memory: Path, tmp_path: Path) -> None:
    id = say(memory, "queue", big("slot"))
    prompt = hipogit(memory, "summarize", DAY, "--prompt")
    assert "slot 219 is 1533" in prompt and "operational layer" in prompt
    text = tmp_path / "summary.md"
    text.write_text(f"- the queue has slots in multiples of seven, settled ({id})\n")
    done = json.loads(hipogit(memory, "summarize", DAY, "--from", str(text), "--json"))
    assert done["node"] == f"memory/daily/{DAY}.md" and done["accepted"]
    assert "multiples of seven" in show(memory, f"memory/daily/{DAY}.md")
    assert "multiples of seven" in show(memory, "memory/weekly/2026-W48.md")
    actions = git(
        memory, "log", "-2", "--format=%(trailers:key=Hipogit-Action,valueonly)", BRANCH
    )
    assert actions.split() == ["compact", "summarize"]
    hipogit(memory, "compact", "--check")


def test_a_bad_summary_is_refused_and_changes_nothing(memory: Path) -> None:
    say(memory, "queue", big("slot"))
    before = git(memory, "rev-parse", BRANCH)
    text = "- an id that nobody ever saw in any of the entries (20261129-zzzzzzzzzz)\n"
    said = hipogit(memory, "summarize", DAY, "--from", "-", input=text, code=1)
    assert "20261129-zzzzzzzzzz does not stand in its source" in said
    seen = json.loads(
        hipogit(
            memory, "summarize", DAY, "--from", "-", "--json", input="x", code=1
        ).split("\n")[0]
    )
    assert seen["accepted"] is False and seen["problems"]
    # Invented, and put together here so that no scanner takes it for a real one.
    token = "ghp_" + "Ab3dE6gH" * 4 + "iJ9k"
    secret = f"- the deploy token for the pipeline of the shop is {token} for good\n"
    said = hipogit(memory, "summarize", DAY, "--from", "-", input=secret, code=1)
    assert "looks like a secret" in said and token not in said
    assert git(memory, "rev-parse", BRANCH) == before


def configure(memory: Path, program: Path) -> None:
    (memory / ".git" / "hipogit" / "config.toml").open("a").write(
        f"\n[summarizer]\ncommand = '{sys.executable} {program}'\n"
    )


def test_a_program_writes_one_summary_per_level_and_then_rests(
    memory: Path, tmp_path: Path
) -> None:
    for day in ("2026-11-26", "2026-11-27", "2026-11-29"):
        hipogit(memory, "--now", f"{day}T10:00:00+09:00", "checkpoint", "queue",
                "-m", big(day))  # fmt: skip
    program = tmp_path / "program.py"
    program.write_text(
        "import re, sys\n"
        "text = sys.stdin.read()\n"
        "period = re.search(r'Summarise one \\w+: (\\S+)', text)[1]\n"
        "ids = re.findall(r'\\b\\d{8}-[a-z2-7]{4,}\\b', text.split('<source>')[1])\n"
        "print(f'- the long and short of {period}: all slots are set ({ids[0]})')\n"
    )
    configure(memory, program)
    done = json.loads(hipogit(memory, "summarize", "--run", "--json"))
    names = [row["node"] for row in done["nodes"]]
    assert names[:2] == [f"memory/daily/{DAY}.md", "memory/weekly/2026-W48.md"]
    assert all(row["accepted"] for row in done["nodes"])
    assert "the long and short of 2026-W48" in show(memory, "memory/weekly/2026-W48.md")
    assert 'summary: "command"' in show(memory, f"memory/daily/{DAY}.md")
    # The cooldown holds, and a node named outright does not wait for it.
    assert json.loads(hipogit(memory, "summarize", "--run", "--json"))["node"] is None
    hipogit(memory, "summarize", "2026-11-27", "--run")
    later = ("--now", "2026-11-29T23:00:00+09:00")
    done = json.loads(hipogit(memory, *later, "summarize", "--run", "--json"))
    assert done["node"] == "memory/daily/2026-11-26.md"


@pytest.mark.parametrize(
    "code",
    ["import sys; sys.exit(1)", "print()", "print('- x (20261129-zzzzzzzzzz)' * 9)"],
    ids=["fails", "empty", "invents"],
)
def test_when_the_program_fails_the_extractive_text_stays(
    memory: Path, tmp_path: Path, code: str
) -> None:
    say(memory, "queue", big("slot"))
    before = git(memory, "rev-parse", BRANCH)
    program = tmp_path / "program.py"
    program.write_text(code)
    configure(memory, program)
    hipogit(memory, "summarize", DAY, "--run", code=1)
    assert git(memory, "rev-parse", BRANCH) == before


def test_the_branch_cannot_name_the_program(memory: Path, tmp_path: Path) -> None:
    say(memory, "queue", big("slot"))
    mark = tmp_path / "ran"
    view = memory / ".hipogit"
    (view / "hipogit.toml").write_text(f"[summarizer]\ncommand = 'touch {mark}'\n")
    git(view, "add", "hipogit.toml")
    git(view, "commit", "-q", "-m", "settings")
    hipogit(memory, "summarize", DAY, "--run", code=2)
    assert not mark.exists()


def test_the_tree_is_drawn_and_a_node_shown(memory: Path) -> None:
    say(memory, "rate limit", "token bucket")
    drawn = hipogit(memory, "tree")
    assert drawn.startswith("ROOT  d3 ") and f"└─ daily/{DAY}  d0 tentative" in drawn
    assert "daily/" not in hipogit(memory, "tree", "--depth", "1")
    top = json.loads(hipogit(memory, "tree", "--json"))
    assert {"path", "status", "summary", "depth", "children"} <= set(top)
    assert top["children"][0]["children"][0]["path"] == "memory/weekly/2026-W48.md"
    seen = json.loads(hipogit(memory, "inspect", DAY, "--json"))
    assert seen["children"] == [f"memory/{DAY}.md"] and "token bucket" in seen["text"]
    assert "operational" in seen["prompt"]
    assert "memory/monthly/2026-11.md" in hipogit(memory, "inspect", "2026-W48")
    hipogit(memory, "inspect", "2020-01-01", code=1)
    hipogit(memory, "inspect", "soon", code=2)


def test_dissolve_and_condense_come_back_to_the_same_bytes(memory: Path) -> None:
    say(memory, "queue", big("slot"))
    before = git(memory, "ls-tree", "-r", BRANCH, "memory/")
    done = json.loads(hipogit(memory, "dissolve", DAY, "--json"))
    assert done["children"] == [f"memory/{DAY}.md"]
    assert "slot 219 is 1533" in show(memory, f"memory/daily/{DAY}.md")
    hipogit(memory, "compact", "--check")
    hipogit(memory, "dissolve", DAY, code=1)
    hipogit(memory, "condense", DAY)
    assert git(memory, "ls-tree", "-r", BRANCH, "memory/") == before
