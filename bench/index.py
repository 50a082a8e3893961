"""What a checkpoint costs the search index, however long the history is.

    python bench/index.py [--days 30,365,3650]

For each length a memory is filled (ten entries a day), indexed once, and then ten times
given one entry more. Processor time, that of git included; the median of the ten.
"""

from __future__ import annotations

import argparse
import random
import resource
import subprocess
import sys
import tempfile
from datetime import UTC, datetime, timedelta
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).parent.parent))

from hipogit.entry import Entry, new_id
from hipogit.journal import Journal
from hipogit.periods import day as day_of
from hipogit.recall import index, stamp
from hipogit.record import Record
from hipogit.store import Snapshot, Step, Store

LAST = datetime(2026, 11, 29, 9, tzinfo=UTC)
THINGS = "rate limit;login page;invoice export;search index;retry queue;price list"
VERBS = "decided;measured;fixed;dropped;moved;documented"


def said(chance: random.Random, at: datetime) -> Entry:
    """An entry of that moment."""
    topic = f"{chance.choice(THINGS.split(';'))} {chance.randrange(400)}"
    body = (
        f"- decisions: {chance.choice(VERBS.split(';'))} it, {chance.random():.6f}\n"
        f"- outcome: {chance.choice(THINGS.split(';'))} is done, see part {at:%j}"
    )
    sort = {"session": "s", "source": "bench", "type": "project"}
    id = new_id(at.date(), topic=topic, body=body, **sort)
    return Entry(topic=topic, body=body, id=id, at=at)


def write(store: Store, entries: list[Entry]) -> None:
    """Put entries into their journals, as one commit and without summaries."""

    def decide(snapshot: Snapshot) -> list[Step]:
        days: dict[str, list[Entry]] = {}
        for entry in entries:
            days.setdefault(str(entry.day), []).append(entry)
        changes: dict[str, str | None] = {}
        for day, found in days.items():
            path = f"memory/{day}.md"
            journal = Journal.parse(day_of(day), snapshot.read(path) or "")
            changes[path] = journal.add(found).render()
        return [Step(changes, Record("checkpoint", "bench"))]

    store.transact(decide, LAST)


def seconds() -> float:
    """Processor time so far, that of processes which have ended included."""
    used = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(part.ru_utime + part.ru_stime for part in used)


def main() -> None:
    """Fill, index, add, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--days", default="30,365,3650")
    for days in map(int, parser.parse_args().days.split(",")):
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run(["git", "init", "-q", folder], check=True)
            store = Store.open(Path(folder))
            chance = random.Random(days)
            write(
                store,
                [
                    said(chance, LAST - timedelta(days=back, minutes=number))
                    for back in range(days)
                    for number in range(10)
                ],
            )
            begun = seconds()
            index.refresh(store)
            whole = seconds() - begun
            taken = []
            for number in range(10):
                write(store, [said(chance, LAST + timedelta(minutes=number))])
                begun = seconds()
                index.refresh(store)
                taken.append(seconds() - begun)
            size = stamp.path(store.local).stat().st_size / 1e6
            print(
                f"{days:5} days: index {whole:.2f} s, {size:.1f} MB; "
                f"one checkpoint {1000 * median(taken):.1f} ms"
            )


if __name__ == "__main__":
    main()
