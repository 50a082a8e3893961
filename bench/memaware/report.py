"""The tables the benchmark prints."""

from __future__ import annotations

import os
import random
import shutil
import sqlite3
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from hipogit.entry import render
from hipogit.journal import Journal
from hipogit.periods import day
from hipogit.recall import index, tables, text, units
from hipogit.recall import open as opening
from hipogit.recall.answer import recall
from hipogit.record import Record
from hipogit.store import Snapshot, Step, Store

from .arms import Bench, Rows, meaning_installed, root_of
from .unrelated import PROMPTS

_TIERS = ("easy", "medium", "hard")
_DRAWS = 2000


def table(rows: dict[str, Rows], *, markdown: bool) -> None:
    """Share of questions whose evidence was shown, with 95 % intervals."""
    head = ["arm", "all", "95 %", *_TIERS, "session"]
    body = []
    for name, found in rows.items():
        key = next(key for key in found[0] if key[0] == "E")
        scored = [row for row in found if row[key] is not None]
        low, high = interval(scored, key)
        body.append(
            [
                name,
                f"{share(scored, key):.1f}",
                f"{low:.1f}-{high:.1f}",
                *(
                    f"{share([r for r in scored if r['tier'] == tier], key):.1f}"
                    for tier in _TIERS
                ),
                f"{share(found, 'S' + key[1:]):.1f}",
            ]
        )
    if markdown:
        for row in [head, ["---"] * len(head), *body]:
            print("| " + " | ".join(row) + " |")
        return
    for row in [head, *body]:
        print(f"{row[0]:28}" + "".join(f"{cell:>12}" for cell in row[1:]))


def share(rows: Rows, key: str) -> float:
    """Per cent of rows that have it."""
    return 100 * sum(bool(row[key]) for row in rows) / max(1, len(rows))


def interval(rows: Rows, key: str) -> tuple[float, float]:
    """95 % interval by drawing clusters: questions that share sessions go together."""
    clusters: dict[Any, list[bool]] = {}
    for row in rows:
        clusters.setdefault(row["cluster"], []).append(bool(row[key]))
    every = [(sum(hits), len(hits)) for hits in clusters.values()]
    chance = random.Random(1)
    means = []
    for _ in range(_DRAWS):
        drawn = chance.choices(every, k=len(every))
        means.append(100 * sum(hit for hit, _ in drawn) / sum(n for _, n in drawn))
    means.sort()
    return means[int(0.025 * _DRAWS)], means[int(0.975 * _DRAWS)]


def halves(rows: Rows) -> tuple[Rows, Rows]:
    """Two halves of the clusters, drawn once: what holds should hold in both."""
    clusters = sorted({row["cluster"] for row in rows}, key=str)
    random.Random(5).shuffle(clusters)
    first = set(clusters[: len(clusters) // 2])
    return (
        [row for row in rows if row["cluster"] in first],
        [row for row in rows if row["cluster"] not in first],
    )


def awareness(bench: Bench) -> None:
    """ROOT's own measure: lines that name the day and key terms, less chance."""
    for tokens in (3000, 10_000):
        rows, _ = bench.proxy.p2(
            bench.data, bench.data.questions, root_of(bench, tokens), tokens
        )
        mean = {
            key: bench.proxy.mean([row[key] for row in rows])[0]
            for key in ("K1", "K2", "c1", "c2")
        }
        print(
            f"ROOT of {tokens} tokens: names the day and one key term "
            f"{mean['K1'] - mean['c1']:+.1f}, two {mean['K2'] - mean['c2']:+.1f} points"
        )


def cloze(bench: Bench) -> None:
    """Direct questions: the session is found, the very evidence is shown."""
    budget = bench.budget
    for meaning in (False, True) if meaning_installed() else (False,):
        rows = bench.rows(bench.asked(meaning, bench.cloze), bench.cloze)
        scored = [row for row in rows if row[f"E{budget}"] is not None]
        low, high = interval(scored, f"E{budget}")
        name = "hipogit[semantic]" if meaning else "hipogit"
        parts = [f"{share(h, f'E{budget}'):.1f}" for h in halves(scored)]
        print(
            f"direct questions, {name}: session {share(rows, f'S{budget}'):.1f} %, "
            f"evidence {share(scored, f'E{budget}'):.1f} % ({low:.1f}-{high:.1f}; "
            f"halves {parts[0]} and {parts[1]})"
        )


def silence(bench: Bench) -> None:
    """What must not come back: anything for unrelated prompts, withdrawn sentences."""

    def ask(opened: opening.Index) -> tuple[int, int]:
        quiet = sum(not recall(opened, prompt).items for prompt in PROMPTS)
        asked = [q["query"] for q in bench.data.questions]
        return quiet, sum(not recall(opened, prompt).items for prompt in asked)

    quiet, lost = index.using(bench.store, ask)
    print(f"unrelated prompts left alone: {quiet} of {len(PROMPTS)}")
    print(f"questions left alone: {lost} of {len(bench.data.questions)}")
    print(f"withdrawn entries that come back: {withdrawn(bench)} of 40")


def withdrawn(bench: Bench) -> int:
    """How many of 40 withdrawn entries still come back, in a copy of the repository.

    Each is replaced by a tombstone, summaries included, and then asked for with its own
    sentences; what another entry says word for word is no return.
    """
    from hipogit import memory

    chance = random.Random(2)
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "repository"
        shutil.copytree(bench.store.git.toplevel or bench.store.git.dir, copy)
        store = Store.open(copy)
        gone: dict[str, list[str]] = {}

        def decide(snapshot: Snapshot) -> list[Step]:
            paths = [p for p in snapshot.paths("memory/") if units.day_of(p)]
            changes: dict[str, str | None] = {}
            for path in chance.sample(paths, 40):
                named = day(units.day_of(path))
                journal = Journal.parse(named, snapshot.read(path) or "")
                entry = chance.choice(journal.entries)
                pieces = units.of_journal(render(entry))
                gone[entry.id] = [line.text for p in pieces for line in p.lines]
                tombstone = replace(
                    entry, topic="(retracted)", body="Withdrawn.", standing="retracted"
                )
                changes[path] = journal.replace(tombstone).render()
            return [Step(changes, Record("retract", "bench"))]

        memory.write(store, decide, datetime(2023, 7, 5, 12, tzinfo=UTC), merged=True)

        def ask(opened: opening.Index) -> int:
            kept = {text for (text,) in opened.rows("select text from line_text")}
            back = 0
            for id, lines in gone.items():
                own = {line for line in lines if line not in kept}
                asked = [" ".join(lines)[:2000], *lines[:5]]
                items = [item for a in asked for item in recall(opened, a).items]
                shown = [item.id == id or item.text in own for item in items]
                back += any(shown)
            return back

        return index.using(store, ask)


def speed(bench: Bench) -> None:
    """Building and asking, against plain FTS5 with the same text.

    The strict peer is given the rows the index has, in memory, and puts them with the
    same tokenizer into tables of FTS5's defaults; no statement is found or weighed. The
    next one reads its text from the branch, as the index does; the last has the
    tokenizer that finds parts of words, which short words of scripts without blanks
    need. None waits for the disk. They take turns, and of each the best run counts.
    """
    store = bench.store
    with index.opened(store) as opened:
        rows = {
            name: opened.rows(f"select * from {name}")
            for name in ("piece_text", "line_text", "page_text")
        }
    own = tables.TOKENIZE
    _against(
        "index",
        lambda: _built(store),
        {
            "plain FTS5 that is given its rows": lambda: _plain(rows, own),
            "plain FTS5 that reads the branch": lambda: (
                _read(store),
                _plain(rows, own),
            ),
            "trigram FTS5 that is given its rows": lambda: _plain(rows, "trigram"),
        },
    )
    asked = [q["query"] for q in bench.data.questions[:150]]
    with index.opened(store) as opened:
        _against(
            f"{len(asked)} questions",
            lambda: [recall(opened, a, budget=4000) for a in asked],
            {"plain FTS5": lambda: [_fts(opened, a) for a in asked]},
        )


def _against(
    what: str,
    ours: Callable[[], object],
    peers: dict[str, Callable[[], object]],
    rounds: int = 7,
) -> None:
    """Print the best of some rounds for each, of processor time and by the clock."""
    taken: dict[str, list[tuple[float, float]]] = {}
    for _ in range(rounds):
        for name, work in {"": ours, **peers}.items():
            taken.setdefault(name, []).append(_timed(work))
    best = {
        name: [min(kind) for kind in zip(*t, strict=True)] for name, t in taken.items()
    }
    spent, passed = best.pop("")
    print(f"{what}: {spent:.2f} s of processor time, {passed:.2f} s by the clock")
    for name, (work, clock) in best.items():
        print(
            f"  {name}: {work:.2f} s, {spent / work:.2f} times; by the clock "
            f"{clock:.2f} s, {passed / clock:.2f} times"
        )


def _built(store: Any) -> None:
    index.discard(store.local)
    index.refresh(store)


def _read(store: Any) -> int:
    """Every file of the branch, read; their size."""
    with store.git.objects() as objects:
        files = index._all(store, store.tip())
        return sum(len(objects.read(oid).data.decode()) for _, oid in files)


def _plain(tables: dict[str, list[Any]], tokenizer: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        db = sqlite3.connect(Path(folder) / "plain.sqlite")
        db.execute("pragma synchronous=off")
        for name, rows in tables.items():
            columns = ",".join(f"c{n}" for n in range(len(rows[0]) if rows else 1))
            db.execute(
                f"create virtual table {name} using fts5({columns},"
                f' tokenize="{tokenizer}")'
            )
            marks = ",".join("?" * len(columns.split(",")))
            db.executemany(f"insert into {name} values({marks})", rows)
        db.commit()
        db.close()


def _fts(opened: opening.Index, asked: str) -> list[Any]:
    """The best exchanges for the same words, with their text."""
    words = text.terms(asked)
    return opened.rows(
        "select rowid, user, text from piece_text where piece_text match ?"
        " order by rank limit 600",
        [text.any_of(words)],
    )


def _timed(work: Callable[[], object]) -> tuple[float, float]:
    """Seconds of processor time, those of processes it starts included, and passed."""
    begun, clock = sum(os.times()[:4]), time.perf_counter()
    work()
    return sum(os.times()[:4]) - begun, time.perf_counter() - clock
