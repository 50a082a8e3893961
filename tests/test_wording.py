"""What commands say: one thing is one thing, nothing is not said as a number of it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from conftest import git, hipogit

from hipogit.counted import counted

PACKAGE = Path(__file__).parent.parent / "hipogit"


@pytest.mark.parametrize(
    ("number", "noun", "text"),
    [
        (0, "commit", "0 commits"),
        (1, "commit", "1 commit"),
        (2, "entry", "2 entries"),
        (1, "entry", "1 entry"),
        (3, "summary", "3 summaries"),
    ],
)
def test_numbers_and_their_nouns(number: int, noun: str, text: str) -> None:
    assert counted(number, noun) == text


def test_no_message_counts_by_hand() -> None:
    """`{n} commits` says `1 commits`; what the tree writes keeps its format's words."""
    nouns = "commits|entries|refs|summaries|files|checkpoints|problems|secrets|topics"
    wrong = re.compile(rf"\{{(?:len\()?[a-z_.]+\)?\}} (?:{nouns})\b")
    found = [
        f"{path.relative_to(PACKAGE)}: {line.strip()}"
        for path in sorted(PACKAGE.rglob("*.py"))
        for line in path.read_text("utf-8").split("\n")
        if wrong.search(line) and path.parent.name != "tree"
    ]
    # A number that is at least two where it is said.
    assert [line for line in found if "begins the ids" not in line] == [
        'correct/verbs.py: f"{len(made)} entries cannot stand in for one",'
    ]


def test_where_nothing_is_set_up(repo: Path) -> None:
    said = hipogit(repo, "status", code=1)
    assert "branch   hipogit/memory is not there" in said and "nothing" not in said
    assert "view     none" in said and "spool" not in said
    said = hipogit(repo, "verify", code=2)
    assert "there is no branch hipogit/memory" in said and "hint: hipogit init" in said


def test_where_nothing_was_said_yet(repo: Path) -> None:
    hipogit(repo, "init", "--platform", "none")
    said = hipogit(repo, "status")
    assert "pending" not in said and "never" not in said and "waiting" not in said
    assert hipogit(repo, "tree") == ""
    assert "good, 1 commit looked at" in hipogit(repo, "verify")


def test_a_retraction_is_said_once(repo: Path) -> None:
    hipogit(repo, "init", "--platform", "none")
    out = hipogit(repo, "checkpoint", "Rate limit", "-m", "- decisions: bucket")
    id = out.split()[0]
    said = hipogit(repo, "retract", id, "--reason", "wrong")
    assert said == f"{id}  retracted\n"


def test_an_import_counts_and_names_what_it_passes_over(
    repo: Path, tmp_path: Path
) -> None:
    import subprocess
    import sys

    hipogit(repo, "init", "--platform", "none")
    days = tmp_path / "days"
    days.mkdir()
    (days / "2026-11-01.md").write_text("## A\nkept\n")
    (days / "notes.md").write_text("# undated\n")
    words = [sys.executable, "-P", "-m", "hipogit", "import", "markdown", str(days)]
    done = subprocess.run(words, cwd=repo, text=True, capture_output=True, check=True)
    assert done.stdout == "1 entry in 1 commit, 0 secrets taken out\n"
    assert done.stderr == "skipped: notes.md: no day in its name (YYYY-MM-DD.md)\n"


def test_a_setting_of_the_branch_is_named_once(repo: Path) -> None:
    hipogit(repo, "init", "--platform", "none")
    view = repo / ".hipogit"
    (view / "hipogit.toml").write_text("[compaction\n")
    git(view, "-c", "core.hooksPath=/dev/null", "commit", "-qam", "by hand")
    said = hipogit(repo, "verify", code=1)
    (line,) = [line for line in said.split("\n") if "hipogit.toml: " in line and
               "sets what" not in line]  # fmt: skip
    assert line.count("hipogit.toml") == 1


def test_uninstall_names_what_is_gone_and_what_stays(repo: Path) -> None:
    hipogit(repo, "init", "--platform", "none")
    git(repo, "worktree", "lock", ".hipogit")
    said = hipogit(repo, "uninstall", "--delete-memory")
    view = repo / ".hipogit"
    assert (f"removed {view}\n" in said) is not view.exists()
