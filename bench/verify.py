"""The cost of `verify`: `python -m bench.verify [COMMITS]`.

Builds a branch of so many commits (5,000): checkpoints, ten a day, each followed by the
commit of its summaries. Verifies it from nothing, again, and after one more checkpoint,
each beside `git log -p` over the same range in the same run. Times are those of the
processor, children included; of three rounds the best counts. Exit 1 when verifying
from nothing costs more than three times `git log -p`.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from datetime import date, timedelta
from pathlib import Path

from bench.tree import LAST, checkpoint, entry, now, scratch
from hipogit.entry import Entry
from hipogit.journal import Journal
from hipogit.periods import Day
from hipogit.record import Record
from hipogit.store import Snapshot, Step, Store
from hipogit.tree import compact
from hipogit.verify import Report, verify
from hipogit.view import MemoryView

COMMITS = 5000
CEILING = 3.0
_A_DAY = 10
_ROUNDS = 3
_AT_ONCE = 200  # checkpoints a transaction


def main() -> int:
    """Build, measure, print."""
    wanted = int(sys.argv[1]) if len(sys.argv) > 1 else COMMITS
    with tempfile.TemporaryDirectory() as folder:
        store = scratch(Path(folder))
        grow(store, wanted)
        rounds = [(plain(store), from_nothing(store)) for _ in range(_ROUNDS)]
        floor = min(took for took, _ in rounds)
        whole, git = min(took for _, took in rounds)
        commits = len(store.git.run("rev-list", store.ref).split())
        ratio = whole / floor
        print(
            f"{commits} commits: verify {whole:.2f} s of processor time (git {git:.2f})"
            f" = {ratio:.2f} x git log -p ({floor:.2f} s)"
        )
        again, _, report = clock(store)
        print(f"again: {again:.2f} s, {report.commits} commits looked at")
        checkpoint(store, 1)
        more, _, report = clock(store)
        print(f"one checkpoint later: {more:.2f} s, {report.commits} looked at")
    return 0 if ratio <= CEILING else 1


def grow(store: Store, commits: int) -> None:
    """Put that many commits on the branch: a checkpoint and its summaries, in turn."""
    import random

    rng = random.Random(commits)
    with store.snapshot() as snapshot:
        files = {path: snapshot.read(path) or "" for path in snapshot.paths()}
    view = MemoryView(files)
    made = len(store.git.run("rev-list", store.ref).split())
    total = (commits - made) // 2
    first = LAST - timedelta(days=total // _A_DAY)
    steps: list[Step] = []
    for number in range(total):
        day = first + timedelta(days=number // _A_DAY)
        said = entry(rng, day, number % _A_DAY)
        journal = add(view, day, said)
        steps.append(
            Step(journal, Record("checkpoint", said.topic, entries=(said.id,)))
        )
        view = view.with_changes(journal)
        run = compact(view, day, touched=list(journal))
        steps.append(Step(run.changes, Record("compact", str(day))))
        view = view.with_changes(run.changes)
        if len(steps) >= 2 * _AT_ONCE or number == total - 1:
            write(store, steps, number)
            steps = []


def add(view: MemoryView, day: date, said: Entry) -> dict[str, str | None]:
    path = Day(day).journal
    before = Journal.parse(Day(day), view.read(path) or "")
    return {path: before.add([said]).render()}


def write(store: Store, steps: list[Step], number: int) -> None:
    def decide(snapshot: Snapshot) -> list[Step]:
        return steps

    written = store.transact(decide, now(number))
    assert written
    (store.local / "compacted").write_text(written.tip + "\n")


def plain(store: Store) -> float:
    """What `git log -p` over the branch costs."""
    start = spent()
    words = ["git", "log", "-p", store.ref]
    subprocess.run(words, cwd=store.git.common, check=True, stdout=subprocess.DEVNULL)
    return sum(spent()) - sum(start)


def from_nothing(store: Store) -> tuple[float, float]:
    """What verifying the tip costs a clone that remembers nothing; git's share."""
    for path in (store.local / "verified.json", *store.local.glob("clean-blobs-*")):
        path.unlink(missing_ok=True)
    took, git, report = clock(store)
    assert report.ok, [problem for c in report.checks for problem in c.problems]
    return took, git


def clock(store: Store) -> tuple[float, float, Report]:
    """What verifying the tip costs with what this clone remembers; git's share."""
    own, children = spent()
    report = verify(store, store.tip() or "")
    after, theirs = spent()
    return after - own + theirs - children, theirs - children, report


def spent() -> tuple[float, float]:
    """Processor time of this process and of its finished children."""
    now = os.times()
    return now.user + now.system, now.children_user + now.children_system


if __name__ == "__main__":
    raise SystemExit(main())
