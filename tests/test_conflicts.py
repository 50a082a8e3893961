"""What a merge left in a file comes into memory by no door, and quotations do."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import git, hipogit
from story import Memory

from hipogit import conflict, edits, verify

RATE = "2026-11-28 rate limit"
DAY = "memory/2026-11-28.md"
SIDES = "<<<<<<< HEAD\nours\n=======\ntheirs\n>>>>>>> other\n"
FENCED = f"```\n{SIDES}```\n"


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("", 0),
        (SIDES, 1),
        (f"a\n{SIDES}", 2),
        (SIDES.replace("\n", "\r\n"), 1),
        ("a\n<<<<<<< HEAD\n", 2),
        ("=======\ntheirs\n>>>>>>> other\n", 3),
        # A fence on one side alone, or torn by the conflict, protects nothing.
        (SIDES.replace("ours", "```py\nours").replace("theirs", "```\n"), 1),
        (f"```\na\n{SIDES.replace('ours', '```')}b\n```\n", 3),
        (f"```\nnever closed\n{SIDES}", 3),
        ("```\na\n```\n<<<<<<< HEAD\n```\nb\n```\n>>>>>>> x\n", 4),
        (f"{FENCED}\n{SIDES}", 9),
        # No fence reaches into the next entry.
        (f"```\n## A [project]\n<!-- hipogit id=x -->\n{SIDES}```\n", 4),
        (FENCED, 0),
        (f"~~~~ diff\n```\n{SIDES}~~~~\n", 0),
        (f"    {SIDES}".replace("\n", "\n    "), 0),
        ("Heading\n=======\ntext\n", 0),
        (">>>>>>> seven deep in a mail\n", 0),
        ("<<<<<<<< eight\n========\n>>>>>>>>\n", 0),
        ("a <<<<<<< HEAD\n", 0),
        ("\\<<<<<<< HEAD\n", 0),
    ],
)
def test_a_conflict_is_told_from_a_quotation(text: str, line: int) -> None:
    assert conflict.line(text) == line


def test_without_fences_and_written_out() -> None:
    assert conflict.line(FENCED, fences=False) == 2
    assert conflict.line("\\<<<<<<< HEAD\n", escaped=True) == 1


@pytest.fixture
def told(memory: Memory) -> Memory:
    memory.story(f"{RATE}  decided: token bucket")
    return memory


def add(memory: Memory, path: str, text: str) -> Path:
    """Text at the end of a file of the view, staged."""
    view = memory.repo / ".hipogit"
    file = view / path
    file.parent.mkdir(exist_ok=True)
    old = file.read_text() if file.exists() else ""
    file.write_text(old + text)
    git(view, "add", "-A")
    return view


def commit(view: Path, *words: str, code: int = 0) -> str:
    import subprocess

    done = subprocess.run(
        ["git", "commit", "-q", "-m", "by hand", *words],
        cwd=view, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == code, done.stderr
    return done.stderr


def problems(memory: Memory) -> list[tuple[str, str]]:
    report = verify.verify(memory.store, memory.tip())
    return [(c.name, p.path) for c in report.checks for p in c.problems]


@pytest.mark.parametrize("path", [DAY, "WORKING.md", "knowledge/x.md", "hipogit.toml"])
def test_a_commit_with_a_conflict_is_refused(told: Memory, path: str) -> None:
    tip = told.tip()
    view = add(told, path, f"\n{SIDES}")
    said = commit(view, code=1)
    assert f"error: {path}:" in said and "holds a conflict" in said
    assert "hint: take one side" in said
    commit(view, "-a", code=1)
    assert told.tip() == tip


def test_a_merge_by_hand_that_is_not_resolved_is_refused(told: Memory) -> None:
    view = told.repo / ".hipogit"
    git(view, "branch", "other")
    note = view / "knowledge/x.md"
    add(told, "knowledge/x.md", "```\nours\n```\n")
    commit(view)
    git(view, "worktree", "add", "-q", "../side", "other")
    side = told.repo / "side"
    (side / "knowledge").mkdir()
    (side / "knowledge/x.md").write_text("```\ntheirs\n```\n")
    git(side, "add", "-A")
    git(side, "-c", "core.hooksPath=/dev/null", "commit", "-q", "-m", "theirs")
    with pytest.raises(Exception, match="returned non-zero"):
        git(view, "merge", "-q", "other")
    assert note.read_text().startswith("```\n<<<<<<<")
    git(view, "add", "-A")
    # Both markers lie in a fence, which was there before; but this is a merge.
    assert "knowledge/x.md:2 holds a conflict" in commit(view, code=1)
    note.write_text("```\nboth\n```\n")
    git(view, "add", "-A")
    commit(view)
    hipogit(told.repo, "verify")


def test_a_quotation_that_was_there_before_does_not_stop_a_merge(
    told: Memory,
) -> None:
    view = add(told, "knowledge/x.md", FENCED)
    commit(view)
    git(view, "branch", "other", "HEAD~1")
    git(view, "worktree", "add", "-q", "../side", "other")
    side = told.repo / "side"
    (side / "knowledge").mkdir(exist_ok=True)
    (side / "knowledge/y.md").write_text("y\n")
    git(side, "add", "-A")
    git(side, "-c", "core.hooksPath=/dev/null", "commit", "-q", "-m", "theirs")
    git(view, "merge", "-q", "--no-edit", "other")
    hipogit(told.repo, "verify")


def test_an_entry_that_quotes_a_conflict_in_a_fence_is_committed(
    told: Memory,
) -> None:
    view = add(told, DAY, f"\n## Merging [project]\n\nit said\n{FENCED}")
    commit(view)
    assert problems(told) == []
    assert "theirs" in hipogit(told.repo, "show", "2026-11-28")


def test_verify_tells_of_one_that_came_past_the_hook_until_it_is_resolved(
    told: Memory,
) -> None:
    view = add(told, DAY, SIDES)
    commit(view, "--no-verify")
    # Taken up it is text of an entry, and no marker stands at the tip.
    assert conflict.line((view / DAY).read_text()) == 0
    assert ("merges", DAY) in problems(told)
    told.say("other", "later", day="2026-11-28")
    assert ("merges", DAY) in problems(told)
    kept = [
        line
        for line in (view / DAY).read_text().split("\n")
        if not line.startswith(("\\<<<", "\\===", "\\>>>", "theirs"))
    ]
    (view / DAY).write_text("\n".join(kept))
    git(view, "add", "-A")
    commit(view)
    assert problems(told) == []


def test_one_is_resolved_by_a_correction_as_well(told: Memory) -> None:
    commit(add(told, DAY, SIDES), "--no-verify")
    told.retract(RATE)
    assert problems(told) == []


def test_a_note_that_came_past_the_hook_is_told_of(told: Memory) -> None:
    view = add(told, "knowledge/x.md", SIDES)
    commit(view, "--no-verify")
    assert problems(told) == [("files", "knowledge/x.md")]
    (view / "knowledge/x.md").write_text(FENCED)
    git(view, "add", "-A")
    commit(view)
    assert problems(told) == []


@pytest.mark.parametrize("path", [DAY, "WORKING.md", "knowledge/x.md"])
def test_an_edit_with_a_conflict_waits_until_it_is_resolved(
    told: Memory, path: str
) -> None:
    tip = told.tip()
    view = add(told, path, f"\n{SIDES}")
    for _ in range(2):
        hipogit(told.repo, "compact")
    assert told.tip() == tip
    said = [line["sentence"] for line in told.store.ledger.lines()]
    assert said == [f"{path} was not taken in: it holds a conflict"]
    file = view / path
    file.write_text(file.read_text().replace(SIDES, "resolved by hand\n"))
    assert edits.absorb(told.store, told.now)
    assert problems(told) == []
