"""What a killed writer leaves is put right by whatever command comes next."""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import git, hipogit
from story import Memory

from hipogit import recovery
from hipogit.store import Store


def killed(repo: Path, *, withdraws: bool = False) -> None:
    """As after a writer that was killed: its mark stands and nobody holds the lock."""
    recovery.begin(repo / ".git/hipogit", withdraws=withdraws)


def lock(path: Path, age: float = 0.0) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"")
    then = time.time() - age
    os.utime(path, (then, then))
    return path


LOCKS = (
    ".git/refs/heads/hipogit/memory.lock",
    ".git/packed-refs.lock",
    ".git/worktrees/-hipogit/index.lock",
    ".git/worktrees/-hipogit/HEAD.lock",
    ".git/refs/hipogit/stage/12-ab.lock",
)
COMMANDS = (
    ["status"],
    ["log"],
    ["context"],
    ["search", "lamps"],
    ["checkpoint", "After", "-m", "it goes on"],
)


def set_up(repo: Path) -> None:
    hipogit(repo, "init", "--platform", "none")
    hipogit(repo, "checkpoint", "Lamps", "-m", "decided: paint them green")


@pytest.mark.parametrize("command", COMMANDS, ids=lambda words: words[0])
def test_locks_of_the_dead_are_taken_away(repo: Path, command: list[str]) -> None:
    set_up(repo)
    killed(repo)
    left = [lock(repo / name) for name in LOCKS]
    hipogit(repo, *command)
    assert [path for path in left if path.exists()] == []
    assert not recovery.needed(repo / ".git/hipogit")
    hipogit(repo, "checkpoint", "Later", "-m", "it goes on all the same")


def test_locks_of_others_stay(repo: Path) -> None:
    set_up(repo)
    older = lock(repo / LOCKS[1], age=60)
    killed(repo)
    hipogit(repo, "status")
    assert older.exists()
    # Without a mark nobody of ours died: any lock is somebody else's.
    young = lock(repo / LOCKS[2])
    hipogit(repo, "status")
    assert young.exists()


def test_beneath_a_commit_its_index_is_left_alone(
    repo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    set_up(repo)
    killed(repo)
    held = lock(repo / LOCKS[2])
    monkeypatch.setenv("GIT_INDEX_FILE", str(held))
    Store.open(repo)
    assert held.exists()


def test_a_writer_at_work_is_not_disturbed(repo: Path) -> None:
    set_up(repo)
    store = Store.open(repo)
    with store.lock():
        killed(repo)
        held = lock(repo / LOCKS[2])
        Store.open(repo)
        assert held.exists() and recovery.needed(store.local)
    Store.open(repo)
    assert not held.exists()


def retracted_behind(memory: Memory) -> str:
    """A retraction whose writer died before the view followed; the text withdrawn."""
    id = memory.say("zebra", "- decided: stripes go sideways")
    view = memory.store.view
    assert view and view.shown
    before = view.shown
    memory.retract(id)
    view.reset(before)
    recovery.begin(memory.store.local, withdraws=True)
    assert "sideways" in memory.everything_readable()
    return "sideways"


def test_the_view_follows(memory: Memory) -> None:
    said = retracted_behind(memory)
    hipogit(memory.repo, "log")
    assert said not in memory.everything_readable()
    assert git(memory.repo / ".hipogit", "status", "--porcelain") == ""


def test_files_written_half_are_no_edits(memory: Memory) -> None:
    said = retracted_behind(memory)
    tip = memory.files()
    view = memory.repo / ".hipogit"
    for number, (path, text) in enumerate(sorted(tip.items())):
        if path.startswith("memory/"):
            file = view / path
            file.parent.mkdir(parents=True, exist_ok=True)
            whole, cut = text.encode(), (0, len(text.encode()) // 2, -1)[number % 3]
            if cut >= 0:
                file.write_bytes(whole[:cut])
            else:
                file.unlink(missing_ok=True)
    hipogit(memory.repo, "log")
    assert said not in memory.everything_readable()
    assert not list(view.rglob("*.local"))
    assert git(view, "status", "--porcelain") == ""


def test_an_edit_in_the_way_of_a_withdrawal_is_saved(memory: Memory) -> None:
    said = retracted_behind(memory)
    view = memory.repo / ".hipogit"
    (journal,) = (p for p in view.glob("memory/2*.md") if said in p.read_text())
    journal.write_text(journal.read_text() + "\nmine\n", "utf-8")
    hipogit(memory.repo, "log")
    assert said not in journal.read_text()
    assert "mine" in journal.with_name(f"{journal.name}.local").read_text()


def test_the_copy_for_imports_follows(memory: Memory) -> None:
    from hipogit import publish

    id = memory.say("zebra", "- decided: stripes go sideways")
    publish.begin(memory.store)
    copy = publish.place(memory.store.local)
    old, tip = copy.read_bytes(), copy.with_suffix(".tip").read_bytes()
    memory.retract(id)
    copy.write_bytes(old)
    copy.with_suffix(".tip").write_bytes(tip)
    assert b"sideways" in old
    recovery.begin(memory.store.local, withdraws=True)
    hipogit(memory.repo, "log")
    assert b"sideways" not in copy.read_bytes()


def test_a_branch_set_to_the_code_is_not_checked_out(repo: Path) -> None:
    set_up(repo)
    (repo / "code.c").write_text("int main;\n")
    git(repo, "add", "code.c")
    git(repo, "commit", "-q", "-m", "code")
    git(repo, "update-ref", "refs/heads/hipogit/memory", "HEAD")
    killed(repo, withdraws=True)
    Store.open(repo)
    assert not (repo / ".hipogit/code.c").exists()
    assert (repo / ".hipogit/WORKING.md").exists()


# --- an init that was killed

ADMIN = ".git/worktrees/-hipogit"


def _while_adding(repo: Path) -> None:
    for name in ("HEAD", "commondir", "index", "logs", "ORIG_HEAD"):
        path = repo / ADMIN / name
        shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)
    (repo / ADMIN / "locked").write_text("initializing\n")
    _forgotten(repo)


def _before_its_head(repo: Path) -> None:
    (repo / ADMIN / "locked").write_text("initializing\n")
    (repo / ADMIN / "HEAD").write_text("0" * 40 + "\n")
    _forgotten(repo)


def _before_it_was_remembered(repo: Path) -> None:
    (repo / ADMIN / "index").unlink()
    _forgotten(repo)


def _while_checking_out(repo: Path) -> None:
    (repo / ADMIN / "index").unlink()
    lock(repo / ADMIN / "index.lock")
    (repo / ".git/hipogit/shown").unlink()
    for path in (repo / ".hipogit").glob("*.md"):
        path.unlink()


def _forgotten(repo: Path) -> None:
    for name in ("view", "shown"):
        (repo / ".git/hipogit" / name).unlink()
    for path in (repo / ".hipogit").iterdir():
        if path.name != ".git":
            shutil.rmtree(path) if path.is_dir() else path.unlink()


@pytest.mark.parametrize(
    "leave",
    [_while_adding, _before_its_head, _before_it_was_remembered, _while_checking_out],
    ids=lambda function: function.__name__,
)
def test_a_killed_init_is_done_again(repo: Path, leave: Callable[[Path], None]) -> None:
    hipogit(repo, "init", "--platform", "none")
    leave(repo)
    hipogit(repo, "init", "--platform", "none")
    hipogit(repo, "checkpoint", "Lamps", "-m", "decided: paint them green")
    assert git(repo / ".hipogit", "status", "--porcelain") == ""
    assert (repo / ".hipogit/WORKING.md").exists()
    assert "prunable" not in git(repo, "worktree", "list", "--porcelain")


def test_a_worktree_made_by_hand_is_taken_over_with_its_edits(repo: Path) -> None:
    hipogit(repo, "init", "--platform", "none")
    hipogit(repo, "checkpoint", "Lamps", "-m", "decided: paint them green")
    hipogit(repo, "uninstall")
    git(repo, "worktree", "add", "-q", ".hipogit", "hipogit/memory")
    working = repo / ".hipogit/WORKING.md"
    working.write_text("# Working\n\nmine\n", "utf-8")
    hipogit(repo, "init", "--platform", "none")
    assert working.read_text() == "# Working\n\nmine\n"
    hipogit(repo, "checkpoint", "Later", "-m", "it goes on")
    assert "it goes on" in "".join(
        path.read_text() for path in (repo / ".hipogit/memory").glob("*.md")
    )


def test_a_refused_init_leaves_nothing(repo: Path) -> None:
    (repo / ".hipogit").mkdir()
    (repo / ".hipogit/mine").write_text("kept")
    hipogit(repo, "init", "--platform", "none", code=1)
    assert not (repo / ".git/hipogit").exists()


def test_a_commit_by_hand_on_a_view_behind_is_refused(memory: Memory) -> None:
    said = retracted_behind(memory)
    recovery.end(memory.store.local)
    view = memory.repo / ".hipogit"
    (view / "WORKING.md").write_text("# Working\n\nmine\n", "utf-8")
    git(view, "add", "WORKING.md")
    with pytest.raises(subprocess.CalledProcessError) as refused:
        git(view, "commit", "-q", "-m", "by hand")
    assert b"undo" in refused.value.stderr and b"hint" in refused.value.stderr
    hipogit(memory.repo, "compact")
    assert said not in "\n".join(memory.files().values())
    assert "mine" in memory.files()["WORKING.md"]
    assert git(view, "status", "--porcelain") == ""
