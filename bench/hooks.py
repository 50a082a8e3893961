"""What a hook costs an agent, as multiples of `python -c pass`, on ten years of memory.

    python bench/hooks.py [--years 10] [--runs 40]

Each row is the median over runs of the whole process, alternating with the bare
interpreter, so that a busy machine slows both alike.
"""

from __future__ import annotations

import argparse
import json
import os
import random
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
VERBS = "decided;measured;fixed;dropped;moved;documented"


def build(repo: Path, years: int) -> int:
    """A repository with entries on every working day; the number of entries."""
    from hipogit import memory
    from hipogit.record import Record
    from hipogit.store import Store

    repo.mkdir()
    subprocess.run(["git", "init", "-q"], cwd=repo, check=True)
    subprocess.run([sys.executable, "-P", "-m", "hipogit", "init", "--platform",
                    "none"], cwd=repo, check=True, stdout=subprocess.DEVNULL)  # fmt: skip
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


def once(words: list[str], repo: Path, told: bytes) -> float:
    """Seconds of one process from start to end."""
    begin = time.perf_counter()
    subprocess.run(
        words, cwd=repo, input=told, stdout=subprocess.DEVNULL, check=True
    )  # fmt: skip
    return time.perf_counter() - begin


def main() -> None:
    """Build, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--years", type=int, default=10)
    parser.add_argument("--runs", type=int, default=40)
    options = parser.parse_args()
    os.environ["PYTHONPATH"] = str(TOP)
    os.environ["HIPOGIT_NOW"] = NOW.isoformat()
    os.environ.setdefault("GIT_CONFIG_NOSYSTEM", "1")
    with tempfile.TemporaryDirectory() as folder:
        repo = Path(folder) / "shop"
        count = build(repo, options.years)
        print(f"{count} entries over {options.years} years")
        told = {"session_id": "s1", "cwd": str(repo), "source": "startup"}
        asked = {**told, "prompt": "what did we decide about the rate limit 7?"}
        rows = {
            "session-start": ("claude-code", "session-start", told),
            "prompt": ("claude-code", "prompt", asked),
            "prompt, nothing known": ("claude-code", "prompt",
                                      {**told, "prompt": "zygote quux?"}),
            "stop": ("claude-code", "stop", told),
            "session-end": ("claude-code", "session-end", told),
        }  # fmt: skip
        bare: list[float] = []
        taken: dict[str, list[float]] = {name: [] for name in rows}
        for _ in range(options.runs):
            for name, (platform, event, payload) in rows.items():
                words = [sys.executable, "-P", "-c"]
                bare.append(once([*words, "pass"], repo, b""))
                hook = [*words, SCRIPT, "hook", platform, event]
                taken[name].append(once(hook, repo, json.dumps(payload).encode()))
                # What it left for later would run beside the next one.
                time.sleep(0.6 if event in ("session-start", "stop") else 0.3)
        base = median(bare)
        print(f"python -c pass  {base * 1000:6.1f} ms")
        for name, seconds in taken.items():
            found = median(seconds)
            print(f"{name:22}  {found * 1000:6.1f} ms  {found / base:4.1f} x")


if __name__ == "__main__":
    main()
