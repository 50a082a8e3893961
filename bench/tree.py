"""The tree's cost: `python -m bench.tree`.

Full build of the real days (from the folder in HIPOGIT_DATA), and one checkpoint on top
of 30 days, a year and ten years of ten entries a day. Every time stands beside that of
`git add` and `git commit` of the same journal in the same repository and run, and as a
ratio to it; no machine's seconds mean anything alone.
"""

from __future__ import annotations

import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

from hipogit import memory
from hipogit.entry import Entry, new_id
from hipogit.journal import Journal
from hipogit.periods import Day
from hipogit.record import Record
from hipogit.store import Snapshot, Step, Store
from hipogit.tree import TreeSettings, compact, index_recall
from hipogit.tree.settings import tokens
from hipogit.view import MemoryView

LAST = date(2026, 11, 29)
_WORDS = """
queue limit token bucket deploy cache index shard retry timeout schema cursor
payment invoice export webhook login session cookie budget report chart filter
upload thumbnail search ranking parser lexer socket pool lease snapshot journal
"""
WORDS = _WORDS.split()


def main() -> int:
    """Measure and print; always 0, a bench is no test."""
    if data := os.environ.get("HIPOGIT_DATA"):
        real(Path(data) / "data" / "memaware" / "data" / "sessions")
    for name, days in (("30 days", 30), ("1 year", 365), ("10 years", 3650)):
        history(name, days)
    return 0


def history(name: str, days: int) -> None:
    """A checkpoint on top of so many days."""
    with tempfile.TemporaryDirectory() as folder:
        store = scratch(Path(folder))
        journals = dict(made(days))
        view = MemoryView(journals)
        start = time.perf_counter()
        run = compact(view, LAST)
        whole = time.perf_counter() - start
        fill(store, {**journals, **run.changes})
        floor = commit_floor(store)
        checkpoint(store, 0)  # the first of a new as-of
        times = [timed(lambda n=n: checkpoint(store, n)) for n in range(1, 8)]
        took = statistics.median(times)
        files = changed(store)
        pure = statistics.median(timed(lambda: again(store)) for _ in range(5))
    print(
        f"{name:9} {days * 10:6} entries: build {whole:7.2f} s;"
        f" checkpoint {took * 1000:6.0f} ms = {took / floor:4.1f} x git add+commit"
        f" ({floor * 1000:.0f} ms), of it compaction {pure * 1000:4.0f} ms;"
        f" {files} files rebuilt"
    )


def real(folder: Path) -> None:
    """The whole tree of the real days, from nothing."""
    from tests.tree.test_real_days import journal

    journals = [journal(path) for path in sorted(folder.glob("*.md"))]
    files = {j.day.journal: j.render() for j in journals}
    view = MemoryView(files)
    start = time.perf_counter()
    run = compact(view, date(2023, 6, 30))
    took = time.perf_counter() - start
    built = view.with_changes(run.changes)
    with tempfile.TemporaryDirectory() as name:
        plain = Path(name)
        git(plain, "init", "-q")
        for path, text in files.items():
            (plain / Path(path).name).write_text(text, "utf-8")

        def add() -> None:
            git(plain, "add", ".")
            git(plain, "commit", "-q", "-m", "all")

        floor = timed(add)
    found, total = index_recall(built)
    size = sum(len(text.encode()) for text in files.values())
    print(
        f"{len(files)} real days, {size / 1e6:.1f} MB: build {took:.2f} s ="
        f" {took / floor:.1f} x git add+commit of the journals ({floor:.2f} s);"
        f" ROOT {tokens(built.read('memory/ROOT.md') or '')} tokens,"
        f" index recall {found}/{total}"
    )


def made(days: int) -> list[tuple[str, str]]:
    """Invented journals: ten entries a day about topics that come and go."""
    rng = random.Random(days)
    files = []
    for back in range(days):
        when = LAST - timedelta(days=days - back)
        entries = [entry(rng, when, n) for n in range(10)]
        files.append((Day(when).journal, Journal(Day(when)).add(entries).render()))
    return files


def entry(rng: random.Random, when: date, number: int) -> Entry:
    topic = " ".join(rng.sample(WORDS, 3)) if rng.random() < 0.7 else rng.choice(WORDS)
    body = (
        f"- request: look at {rng.choice(WORDS)} {rng.randrange(10**6)}\n"
        f"- decisions: {' '.join(rng.sample(WORDS, 6))} at {rng.randrange(500)} ms\n"
        f"- outcome: {rng.choice(['done', 'open', 'measured'])} in api/{topic[:4]}.py"
    )
    kind = "feedback" if rng.random() < 0.01 else "project"
    at = datetime(when.year, when.month, when.day, 9, tzinfo=UTC)
    id = new_id(when, session="s", source="bench", topic=topic, type=kind, body=body)
    return Entry(topic, body, kind, id, at + timedelta(seconds=number))


def scratch(folder: Path) -> Store:
    """A repository with an empty memory branch and no view."""
    git(folder, "init", "-q")
    git(folder, "config", "user.name", "Bench")
    git(folder, "config", "user.email", "bench@example.invalid")
    git(folder, "commit", "-q", "--allow-empty", "-m", "first")
    subprocess.run(
        [sys.executable, "-m", "hipogit", "init", "--platform", "none",
         "--no-worktree"],
        cwd=folder, check=True, capture_output=True,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parent.parent)},
    )  # fmt: skip
    return Store.open(folder)


def fill(store: Store, files: dict[str, str | None]) -> None:
    """Put a history in as one commit."""

    def decide(snapshot: Snapshot) -> list[Step]:
        return [Step(files, Record("import", "history"))]

    written = store.transact(decide, now(0))
    assert written
    (store.local / "compacted").write_text(written.tip + "\n")


def checkpoint(store: Store, number: int) -> None:
    """One entry, with all that follows from it."""
    draft = memory.Draft(
        f"bench {number}", f"- decisions: value {number}", LAST, now(number)
    )
    done = memory.remember(store, [draft], Record("checkpoint", ""), now(number))
    assert done.commit


def again(store: Store) -> None:
    """The compaction of one checkpoint, nothing written."""
    with store.snapshot() as snapshot:
        path = Day(LAST).journal
        text = (snapshot.read(path) or "") + "\n## more\nvalue\n"
        view = snapshot.with_changes({path: text})
        assert compact(view, LAST, TreeSettings(), touched=[path]).changes


def changed(store: Store) -> int:
    out = git(store.git.common, "show", "--format=", "--name-only", store.ref)
    return len(out.split())


def commit_floor(store: Store) -> float:
    """Plain git doing the journal's part: add and commit in a full checkout."""
    with tempfile.TemporaryDirectory() as name:
        plain = Path(name) / "plain"
        where = str(plain)
        git(store.git.common, "worktree", "add", "-q", "--detach", where, store.ref)
        journal = plain / Day(LAST).journal
        times = []
        for number in range(7):
            with journal.open("a") as file:
                file.write(f"\n## bench {number} [project]\n- decisions: x\n")
            times.append(timed(lambda: add_commit(plain)))
        git(store.git.common, "worktree", "remove", "--force", where)
    return statistics.median(times)


def add_commit(plain: Path) -> None:
    git(plain, "add", Day(LAST).journal)
    git(plain, "-c", "core.hooksPath=/dev/null", "commit", "-q", "-m", "bench")


def now(number: int) -> datetime:
    return datetime(2026, 11, 29, 12, tzinfo=UTC) + timedelta(seconds=number)


def timed(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def git(path: Path, *args: str) -> str:
    done = subprocess.run(["git", *args], cwd=path, check=True, capture_output=True)
    return done.stdout.decode()


if __name__ == "__main__":
    raise SystemExit(main())
