"""The tables the benchmark prints."""

from __future__ import annotations

import os
import random
import sqlite3
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from hipogit.recall import index, text
from hipogit.recall import open as opening
from hipogit.recall.answer import recall

from .arms import Bench, Rows, root_of
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
    rows = bench.rows(bench.asked(False, bench.cloze), bench.cloze)
    budget = bench.budget
    scored = [row for row in rows if row[f"E{budget}"] is not None]
    print(
        f"direct questions: session {share(rows, f'S{budget}'):.1f} %, "
        f"evidence {share(scored, f'E{budget}'):.1f} %"
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
    print(f"withdrawn sentences shown: {withdrawn(bench)} of 40")


def withdrawn(bench: Bench) -> int:
    """How many of 40 statements still come back once their entries are retracted."""
    from hipogit.entry import render
    from hipogit.journal import Journal
    from hipogit.periods import day
    from hipogit.recall import units

    chance = random.Random(2)
    with bench.store.snapshot() as snapshot:
        paths = [p for p in snapshot.paths("memory/") if units.day_of(p)]
        back = 0
        for path in chance.sample(paths, 40):
            journal = Journal.parse(day(units.day_of(path)), snapshot.read(path) or "")
            entry = chance.choice(journal.entries)
            gone = type(entry)(
                topic="(retracted)", body="Withdrawn.", id=entry.id, at=entry.at,
                standing="retracted",
            )  # fmt: skip
            left = list(units.of_journal(journal.replace(gone).render()))
            said = [
                line.text for p in units.of_journal(render(entry)) for line in p.lines
            ]
            shown = {
                line.text for p in left if p.entry.id == entry.id for line in p.lines
            }
            back += any(line in shown for line in said)
    return back


def speed(bench: Bench) -> None:
    """Building and asking, against plain FTS5 with the same text, in processor time.

    The first peer reads the branch as the index does and puts the same rows with the
    same tokenizer into tables of FTS5's defaults: no statement is found or weighed. The
    second is given its rows, the third too, with the tokenizer that finds parts of
    words, which short words of scripts without blanks need. None waits for the disk.
    """
    store = bench.store
    ours = min(_timed(lambda: _built(store)) for _ in range(3))
    with index.opened(store) as opened:
        rows = {
            name: opened.rows(f"select * from {name}")
            for name in ("piece_text", "line_text", "page_text")
        }
        own = index._TOKENIZE
        for name, peer in (
            ("plain FTS5", lambda: (_read(store), _plain(rows, own))),
            ("plain FTS5 that is given its rows", lambda: _plain(rows, own)),
            ("trigram FTS5 that is given its rows", lambda: _plain(rows, "trigram")),
        ):
            best = min(_timed(peer) for _ in range(3))
            print(f"index {ours:.2f} s, {name} {best:.2f} s: {ours / best:.2f} times")
        asked = [q["query"] for q in bench.data.questions[:150]]
        ours = min(
            _timed(lambda: [recall(opened, a, budget=4000) for a in asked])
            for _ in range(3)
        )
        plain = min(_timed(lambda: [_fts(opened, a) for a in asked]) for _ in range(3))
        count = len(asked)
        print(
            f"recall {1000 * ours / count:.1f} ms, plain FTS5 "
            f"{1000 * plain / count:.1f} ms: {ours / plain:.2f} times"
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


def _timed(work: Callable[[], object]) -> float:
    """Seconds of processor time, that of processes it starts included."""
    begun = sum(os.times()[:4])
    work()
    return sum(os.times()[:4]) - begun
