"""What a hook costs an agent, as multiples of `python -c pass`, on ten years of memory.

    python bench/hooks.py [--years 10 | --import FOLDER] [--runs 40]

With FOLDER it is measured on the dated Markdown files there: conversations, where far
more text stands on each topic than in the entries that are made up otherwise.

Each row is the median over runs of the whole process, alternating with the bare
interpreter, so that a busy machine slows both alike. By the clock a busy machine still
counts double what is done in two processes; processor time does not depend on it.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from datetime import datetime, timedelta
from pathlib import Path
from statistics import median

TOP = Path(__file__).parent.parent
sys.path.insert(0, str(TOP))
NOW = datetime.fromisoformat("2026-11-29T17:35:02+09:00")
SCRIPT = "import sys; from hipogit.__main__ import main; sys.exit(main())"
THINGS = "rate limit;login page;invoice export;search index;retry queue;price list"
LONG = (
    "I'm planning a small dinner for six friends next weekend and would like help with"
    " choosing recipes, a shopping list, some music, and a schedule for cooking that"
    " leaves time to clean the kitchen"
)
VERBS = "decided;measured;fixed;dropped;moved;documented"


def build(repo: Path, years: int) -> int:
    """A repository with entries on every working day; the number of entries."""
    from hipogit import memory
    from hipogit.record import Record
    from hipogit.store import Store

    repo.mkdir()
    quiet = {"cwd": repo, "check": True, "stdout": subprocess.DEVNULL}
    subprocess.run(["git", "init", "-q"], **quiet)
    init = ["-P", "-m", "hipogit", "init", "--platform", "none"]
    subprocess.run([sys.executable, *init], **quiet)
    store = Store.open(repo)
    chance = random.Random(7)
    things, verbs = THINGS.split(";"), VERBS.split(";")
    drafts = []
    for back in range(years * 365, -1, -1):
        at = NOW - timedelta(days=back)
        for number in range(2 if at.weekday() < 5 else 0):
            topic = f"{chance.choice(things)} {chance.randrange(years * 20)}"
            body = f"- decisions: {chance.choice(verbs)} it, {chance.random():.6f}"
            drafts.append(
                memory.Draft(topic, body, at.date(), at + timedelta(minutes=number))
            )
    memory.remember(store, drafts, Record("import", "ten years"), NOW)
    return len(drafts)


def imported(repo: Path, folder: Path) -> int:
    """A repository with the dated files of a folder; the number of its days."""
    repo.mkdir()
    quiet = {"cwd": repo, "check": True, "stdout": subprocess.DEVNULL}
    subprocess.run(["git", "init", "-q"], **quiet)
    for words in (
        ["init", "--platform", "none"],
        ["import", "markdown", str(folder)],
        ["recall", "anything"],
    ):
        subprocess.run([sys.executable, "-P", "-m", "hipogit", *words], **quiet)
    return len(list(folder.glob("*.md")))


def once(words: list[str], told: bytes) -> tuple[float, float]:
    """Seconds of one process by the clock, and of processor time with its children.

    What it leaves running is not waited for and not counted.
    """
    into, out = os.pipe()
    begin = time.perf_counter()
    actions = [
        (os.POSIX_SPAWN_DUP2, into, 0),
        (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0),
    ]
    pid = os.posix_spawn(words[0], words, os.environ, file_actions=actions)
    os.close(into)
    os.write(out, told)
    os.close(out)
    _, code, used = os.wait4(pid, 0)
    assert code == 0
    return time.perf_counter() - begin, used.ru_utime + used.ru_stime


def main() -> None:
    """Build, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--years", type=int, default=10)
    parser.add_argument("--runs", type=int, default=40)
    parser.add_argument("--import", dest="folder", type=Path)
    options = parser.parse_args()
    folder = tempfile.mkdtemp()
    os.environ["PYTHONPATH"] = str(TOP)
    os.environ["HIPOGIT_NOW"] = NOW.isoformat()
    # Installed programs are compiled once; a checkout may not be.
    os.environ["PYTHONPYCACHEPREFIX"] = f"{folder}/compiled"
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    try:
        repo = Path(folder) / "shop"
        if options.folder:
            print(f"{imported(repo, options.folder.resolve())} days of conversations")
        else:
            count = build(repo, options.years)
            print(f"{count} entries over {options.years} years")
        measure(repo, options.runs)
    finally:
        time.sleep(2)  # what the last hooks left running
        shutil.rmtree(folder, ignore_errors=True)


def measure(repo: Path, runs: int) -> None:
    """Print one row per hook."""
    told = {"session_id": "s1", "cwd": str(repo), "source": "startup"}
    known = {**told, "prompt": "what did we decide about the rate limit 7?"}
    spoken = {**told, "prompt": LONG}
    unknown = {**told, "prompt": "zygote quux?"}
    rows = {
        "session-start": ("session-start", told),
        "prompt": ("prompt", known),
        "prompt of 30 words": ("prompt", spoken),
        "prompt, nothing known": ("prompt", unknown),
        "stop": ("stop", told),
        "session-end": ("session-end", told),
    }
    python = [sys.executable, "-P", "-c"]
    bare: list[tuple[float, float]] = []
    taken: dict[str, list[tuple[float, float]]] = {name: [] for name in rows}
    for _ in range(runs):
        for name, (event, payload) in rows.items():
            bare.append(once([*python, "pass"], b""))
            words = [*python, SCRIPT, "hook", "claude-code", event]
            taken[name].append(once(words, json.dumps(payload).encode()))
            # What it left for later would run beside the next one.
            time.sleep(0.5)
    print(f"{'':22}  {'clock':>16}  {'processor':>16}")
    base = [median(column) for column in zip(*bare, strict=True)]
    for name, found in {"python -c pass": bare, **taken}.items():
        cells = [
            f"{median(column) * 1000:7.1f} ms {median(column) / one:4.1f} x"
            for column, one in zip(zip(*found, strict=True), base, strict=True)
        ]
        print(f"{name:22}  {cells[0]:>16}  {cells[1]:>16}")


if __name__ == "__main__":
    main()
