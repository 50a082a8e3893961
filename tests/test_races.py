"""Many writers, killed writers, a collector beside them, a disk that cannot be written:
nothing that was accepted is lost and nothing needs unlocking by hand."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from conftest import git, hipogit, sized
from test_repositories import ROOT_USER, picture

from hipogit.entry import parse_all

WRITER = """
import sys
from datetime import timedelta
from pathlib import Path
from hipogit import clock, memory
from hipogit.record import Record
from hipogit.store import Store
name, count = sys.argv[1], int(sys.argv[2])
for number in range(count):
    store = Store.open(Path.cwd())
    now = clock.now() + timedelta(seconds=number)
    draft = memory.Draft(f"Writer {name}", f"statement {number}", now.date(), now,
                         session=name)
    done = memory.remember(store, [draft], Record("checkpoint", ""), now)
    assert done.commit and not done.spooled, done.problem
    print(done.entries[0].id, flush=True)
"""


def start(repo: Path, name: str, count: int) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-P", "-c", WRITER, name, str(count)],
        cwd=repo, stdout=subprocess.PIPE, text=True, start_new_session=True,
    )  # fmt: skip


def ids_on_branch(repo: Path, day: str = "2026-11-29") -> list[str]:
    text = git(repo, "show", f"hipogit/memory:memory/{day}.md")
    return [entry.id for entry in parse_all(text)[1]]


def test_many_writers_lose_nothing(repo: Path) -> None:
    hipogit(repo, "init", "--platform", "none")
    before = picture(repo)
    writers, each = 8, sized(5, 25)
    running = [start(repo, f"w{n}", each) for n in range(writers)]
    said = [process.communicate()[0].split() for process in running]
    assert all(process.returncode == 0 for process in running)
    accepted = [id for ids in said for id in ids]
    found = ids_on_branch(repo)
    assert len(found) == len(set(found)) == writers * each
    assert set(found) == set(accepted)
    git(repo, "fsck", "--strict")
    after = picture(repo)
    for name in ("config", "HEAD", "index", "info/exclude"):
        assert after[name] == before[name]
    assert git(repo, "status", "--porcelain") == ""
    assert git(repo / ".hipogit", "status", "--porcelain") == ""


def test_setting_up_at_the_same_time_is_setting_up_once(repo: Path) -> None:
    words = [sys.executable, "-P", "-m", "hipogit", "init", "--platform", "none"]
    running = [
        subprocess.Popen(words, cwd=repo, stdout=subprocess.DEVNULL) for _ in range(4)
    ]
    assert [process.wait() for process in running] == [0, 0, 0, 0]
    assert git(repo, "log", "--format=%s", "hipogit/memory") == "init: memory begins\n"
    assert git(repo / ".hipogit", "status", "--porcelain") == ""
    assert (repo / ".git/config").read_text().count("includeIf") == 1


def assert_recovered(repo: Path) -> None:
    """The view shows the tip, and no lock of the dead stands anywhere."""
    assert git(repo / ".hipogit", "status", "--porcelain") == ""
    tip = git(repo, "rev-parse", "hipogit/memory").strip()
    assert (repo / ".git/hipogit/shown").read_text().strip() == tip
    ours = {"init.lock", "upkeep.lock"}
    locks = {path.name for path in (repo / ".git").rglob("*.lock")}
    assert locks <= ours
    assert not list((repo / ".git").rglob("pack-*.keep"))
    assert git(repo, "for-each-ref", "refs/hipogit/stage") == ""


def test_killed_at_any_point_nothing_accepted_is_lost(repo: Path) -> None:
    hipogit(repo, "init", "--platform", "none")
    chance = random.Random(7)
    accepted: list[str] = []
    for number in range(sized(10, 50)):
        process = start(repo, f"k{number}", 40)
        time.sleep(chance.uniform(0.15, 0.6))
        # Every other time with the git it waits for, as a harness ends a command.
        (os.killpg if number % 2 else os.kill)(process.pid, signal.SIGKILL)
        accepted += process.communicate()[0].split()
        if number % 4 > 1:
            hipogit(repo, "log", "-n", "1")
            assert_recovered(repo)
    hipogit(repo, "checkpoint", "After", "-m", "it goes on")
    assert_recovered(repo)
    git(repo, "fsck", "--strict")
    found = ids_on_branch(repo)
    assert set(accepted) <= set(found)
    assert len(found) == len(set(found))
    assert git(repo, "status", "--porcelain") == ""
    assert not list((repo / ".git").glob("fast_import_crash_*"))


def test_a_collector_beside_us_eats_nothing(repo: Path) -> None:
    hipogit(repo, "init", "--platform", "none")
    process = start(repo, "gc", sized(15, 60))
    while process.poll() is None:
        # It may find a pack of ours gone meanwhile and say so; that is its business.
        subprocess.run(
            ["git", "gc", "-q", "--prune=now"], cwd=repo, check=False,
            capture_output=True,
        )  # fmt: skip
    accepted = process.communicate()[0].split()
    assert process.returncode == 0
    git(repo, "fsck", "--strict")
    assert ids_on_branch(repo) == accepted


def boxed(repo: Path, *args: str, input: str = "") -> subprocess.CompletedProcess[str]:
    """Run hipogit where `.git` cannot be written, as a sandboxed agent does."""
    words = [sys.executable, "-P", "-m", "hipogit", *args]
    if not ROOT_USER:
        for place in [repo / ".git", *(repo / ".git").rglob("*")]:
            place.chmod(place.stat().st_mode & ~0o222)
    else:
        # File modes do not bind root; a read-only mount does, seen by this one alone.
        mount = "mount --bind .git .git && mount -o remount,ro,bind .git"
        words = ["unshare", "-m", "sh", "-c", f'{mount} && exec "$@"', "sh", *words]
    done = subprocess.run(
        words, cwd=repo, input=input, capture_output=True, text=True, check=False
    )
    if not ROOT_USER:
        for place in [repo / ".git", *(repo / ".git").rglob("*")]:
            place.chmod(place.stat().st_mode | 0o200)
    elif "unshare failed" in done.stderr:
        pytest.skip("this machine gives no mount namespace")
    return done


def test_a_sandboxed_checkpoint_waits_and_is_committed_later(repo: Path) -> None:
    hipogit(repo, "init", "--platform", "none")
    done = boxed(repo, "checkpoint", "Boxed", "-m", "said", "--json")
    assert done.returncode == 3, done.stderr
    answer = json.loads(done.stdout)
    assert answer["commit"] is None and answer["spooled"] is True
    assert "hint: " in done.stderr
    assert len(list((repo / ".hipogit" / ".spool").glob("*.json"))) == 1
    assert git(repo / ".hipogit", "status", "--porcelain") == ""
    hipogit(repo, "checkpoint", "Free", "-m", "said")
    text = (repo / ".hipogit/memory/2026-11-29.md").read_text()
    assert "## Boxed" in text and "## Free" in text
    assert not list((repo / ".hipogit" / ".spool").glob("*.json"))


def test_with_nothing_of_the_repository_writable_the_state_folder_takes_it(
    repo: Path, sealed: Path
) -> None:
    hipogit(repo, "init", "--platform", "none", "--no-worktree")
    done = boxed(repo, "checkpoint", "Boxed", "-m", "said", "--json")
    assert done.returncode == 3, done.stderr
    assert len(list((sealed / ".state").rglob("*.json"))) == 1
    hipogit(repo, "checkpoint", "Free", "-m", "said")
    assert "## Boxed" in git(repo, "show", "hipogit/memory:memory/2026-11-29.md")
