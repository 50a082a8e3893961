from __future__ import annotations

import subprocess
from datetime import UTC, datetime
from pathlib import Path

import pytest
from conftest import git
from hypothesis import given, settings
from hypothesis import strategies as st

from hipogit import worktree
from hipogit.errors import Moved, NotSetUp
from hipogit.record import Record
from hipogit.store import Snapshot, Step, Store

NOW = datetime(2026, 11, 29, 9, tzinfo=UTC)


def put(store: Store, **files: str | None) -> str:
    changes = {path.replace("__", "/"): text for path, text in files.items()}
    written = store.transact(lambda _: [Step(changes, Record("edit", "x"))], NOW)
    assert written
    return written.tip


@pytest.fixture
def store(repo: Path) -> Store:
    return Store.open(repo)


def test_a_step_is_a_commit_on_the_branch_and_nothing_else_moves(
    store: Store, repo: Path
) -> None:
    before = git(repo, "status", "--porcelain"), git(repo, "rev-parse", "HEAD")
    tip = put(store, memory__a="1\n")
    assert git(repo, "show", "hipogit/memory:memory/a") == "1\n"
    assert git(repo, "rev-parse", "hipogit/memory").strip() == tip
    assert (git(repo, "status", "--porcelain"), git(repo, "rev-parse", "HEAD")) == (
        before
    )
    assert "refs/hipogit" not in git(repo, "for-each-ref")
    git(repo, "fsck", "--strict")


def test_two_steps_become_visible_together(store: Store, repo: Path) -> None:
    put(store, a="1")
    steps = [
        Step(
            {"a": "2", "b": None}, Record("checkpoint", "x", ("20261129-aaaaaaaaaa",))
        ),
        Step({"c": "3"}, Record("compact", "y")),
    ]
    written = store.transact(lambda _: steps, NOW)
    assert written and len(written.commits) == 2
    log = git(repo, "log", "--format=%s", "hipogit/memory").split("\n")
    assert log[:2] == ["compact: y", "checkpoint: x"]
    reflog = git(repo, "reflog", "show", "hipogit/memory").strip().split("\n")
    assert len(reflog) == 2


def test_a_snapshot_reads_pending_changes_over_the_tip(store: Store) -> None:
    put(store, memory__a="1", memory__b="2", c="3")
    with store.snapshot() as tip:
        view = tip.with_changes({"memory/a": None, "memory/d/e": "5"})
        assert view.paths("memory/") == ["memory/b", "memory/d/e"]
        assert view.paths() == ["c", "memory/b", "memory/d/e"]
        assert (view.read("memory/a"), view.read("memory/d/e")) == (None, "5")
        assert view.blob("c") == tip.blob("c") == store.git.blob_id(b"3")
        assert view.blob("memory/d/e") == store.git.blob_id(b"5")


def test_a_ref_moved_meanwhile_is_read_again(store: Store, repo: Path) -> None:
    put(store, a="1")
    seen: list[str | None] = []

    def decide(snapshot: Snapshot) -> list[Step]:
        if not seen:
            other = git(repo, "commit-tree", "-p", "hipogit/memory", "-m", "by hand",
                        "hipogit/memory^{tree}").strip()  # fmt: skip
            git(repo, "update-ref", "refs/heads/hipogit/memory", other)
        seen.append(snapshot.tip)
        return [Step({"b": "2"}, Record("edit", "mine"))]

    store.transact(decide, NOW)
    assert len(seen) == 2
    subjects = git(repo, "log", "--format=%s", "hipogit/memory").split("\n")
    assert subjects[:3] == ["edit: mine", "by hand", "edit: x"]


def test_no_branch_is_said(store: Store) -> None:
    with pytest.raises(NotSetUp, match="no memory branch"), store.snapshot():
        pass


def test_odd_paths_and_bytes_come_back_the_same(store: Store) -> None:
    files = {'"q".md': "1", "a b\n c.md": "2", "é/배포.md": "\udcff\r\n\0", "t\tt": "3"}
    store.transact(lambda _: [Step(files, Record("edit", "x"))], NOW)
    with store.snapshot() as tip:
        assert {path: tip.read(path) for path in tip.paths()} == files


def checked_out(store: Store, repo: Path) -> worktree.Worktree:
    tip = store.tip()
    assert tip
    return worktree.create(store.git, repo / ".hipogit", store.ref, tip)


def test_the_view_follows_the_tip_and_keeps_edits(store: Store, repo: Path) -> None:
    put(store, a="1", b="1")
    view = checked_out(store, repo)
    (view.path / "a").write_text("mine")
    put(store, b="2")
    assert (view.path / "b").read_text() == "2"
    assert (view.path / "a").read_text() == "mine"
    assert [edit.path for edit in view.edits()] == ["a"]
    put(store, a="2", b="3")
    assert (view.path / "a").read_text() == "mine"
    assert view.shown != store.tip()


def test_a_committed_edit_is_no_edit_any_more(store: Store, repo: Path) -> None:
    put(store, a="1")
    view = checked_out(store, repo)
    (view.path / "a").write_text("mine")
    (view.path / "new").write_text("mine too")
    put(store, a="mine", new="mine too")
    assert view.edits() == []
    assert view.shown == store.tip()


def test_an_edit_in_the_way_is_cleaned_and_saved(store: Store, repo: Path) -> None:
    put(store, a="1", b="1")
    view = checked_out(store, repo)
    (view.path / "a").write_text("secret")
    (view.path / "c").write_text("secret too")
    steps = [Step({"a": "2", "b": "2", "c": "2"}, Record("retract", "x"))]
    written = store.transact(
        lambda _: steps, NOW, clear=lambda text: text.replace("secret", "[REDACTED]")
    )
    assert written and written.saved == ("a.local", "c.local")
    assert (view.path / "a").read_text() == (view.path / "c").read_text() == "2"
    assert (view.path / "a.local").read_text() == "[REDACTED]"
    assert view.shown == store.tip()


def test_many_checkpoints_leave_few_packs(store: Store, repo: Path) -> None:
    for number in range(30):
        put(store, a=str(number))
    packs = list((repo / ".git/objects/pack").glob("*.pack"))
    assert len(packs) < 26
    git(repo, "fsck", "--strict")
    assert git(repo, "show", "hipogit/memory~29:a") == "0"


def test_a_killed_writer_leaves_no_ref_for_ever(store: Store, repo: Path) -> None:
    tip = put(store, a="1")
    git(repo, "update-ref", "refs/hipogit/stage/1-dead", tip)
    for number in range(30):
        put(store, a=str(number))
    assert "refs/hipogit" not in git(repo, "for-each-ref")


def test_a_dead_lock_holder_never_blocks(store: Store, repo: Path) -> None:
    put(store, a="1")
    code = (
        "import os, sys; from pathlib import Path; from hipogit.store import Store\n"
        "with Store.open(Path('.')).lock(): os.kill(os.getpid(), 9)"
    )
    import sys

    done = subprocess.run([sys.executable, "-c", code], cwd=repo, check=False)
    assert done.returncode == -9
    put(store, a="2")


def test_what_cannot_be_read_is_not_taken_for_absent(store: Store, repo: Path) -> None:
    put(store, memory__a="1", memory__b="2")
    oid = git(repo, "rev-parse", "hipogit/memory:memory/a").strip()
    packs = repo / ".git" / "objects" / "pack"
    for pack in packs.glob("*.pack"):
        moved = repo / pack.name
        pack.rename(moved)
        for rest in packs.glob(f"{pack.stem}.*"):
            rest.unlink()
        with moved.open("rb") as data:
            subprocess.run(["git", "unpack-objects", "-q"], cwd=repo, stdin=data)
    (repo / ".git" / "objects" / oid[:2] / oid[2:]).unlink()
    with store.snapshot() as tip:
        assert tip.read("memory/c") is None
        assert tip.read("memory/b") == "2"
        with pytest.raises(Moved):
            tip.read("memory/a")


@settings(max_examples=15, deadline=None)
@given(st.lists(st.integers(0, 3), min_size=1, max_size=5))
def test_whatever_moves_the_ref_meanwhile_every_write_is_there(
    tmp_path_factory: pytest.TempPathFactory, moves: list[int]
) -> None:
    """Before each of our writes others commit so many times between read and write."""
    repo = tmp_path_factory.mktemp("cas")
    git(repo, "init", "-q")
    store = Store.open(repo)
    put(store, start="0")
    wanted = {"start"}
    for number, times in enumerate(moves):
        left = [times]

        def decide(
            snapshot: Snapshot, left: list[int] = left, number: int = number
        ) -> list[Step]:
            assert snapshot.tip
            if left[0]:
                left[0] -= 1
                name = f"theirs-{number}-{left[0]}"
                wanted.add(name)
                put_by_hand(repo, name)
            return [Step({f"ours-{number}": "x"}, Record("edit", "ours"))]

        store.transact(decide, NOW)
        wanted.add(f"ours-{number}")
    with store.snapshot() as tip:
        assert set(tip.paths()) == wanted
    git(repo, "fsck", "--strict")


def put_by_hand(repo: Path, name: str) -> None:
    """A commit of somebody who knows nothing of our lock."""
    blob = git(repo, "hash-object", "-w", "/dev/null").strip()
    old = git(repo, "ls-tree", "hipogit/memory")
    new = subprocess.run(
        ["git", "mktree"], cwd=repo, capture_output=True, check=True,
        input=f"{old}100644 blob {blob}\t{name}\n".encode(),
    ).stdout.decode().strip()  # fmt: skip
    made = git(repo, "commit-tree", new, "-p", "hipogit/memory", "-m", name).strip()
    git(repo, "update-ref", "refs/heads/hipogit/memory", made)
