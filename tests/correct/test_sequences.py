"""Random sequences of corrections keep: the tip says what stands, and nothing else."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from conftest import git, sized
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from story import Memory

from hipogit import compaction
from hipogit.correct import Asks
from hipogit.errors import HipogitError

VERBS = ("say", "supersede", "retract", "dispute", "confirm", "restore")


def claim(number: int) -> str:
    return f"claim number {number * 7919 + 10007}"


class Model:
    """What every entry should say, as a stack of (standing, claim) per entry."""

    def __init__(self) -> None:
        self.stack: dict[str, list[tuple[str, str]]] = {}
        self.successor: dict[str, str] = {}
        self.said = 0

    def standing(self, id: str) -> str:
        return self.stack[id][-1][0]

    def check(self, memory: Memory) -> None:
        files = memory.files()
        text = "\n".join(files.values())
        readable = memory.everything_readable()
        for id, versions in self.stack.items():
            standing, said = versions[-1]
            entry = memory.entry(id)
            assert entry.standing == standing
            if standing in ("retracted", "superseded"):
                assert said not in readable
                assert entry.get("successor") == self.newest(id)
            else:
                assert said in entry.body and said in text
        with memory.store.snapshot() as tip:
            done = compaction.needed(memory.store, tip, {}, memory.now, whole=True)
        assert not done.changes, "the summaries are those of a rebuild"
        order = git(memory.repo, "log", "--format=%H", "hipogit/memory").split()
        assert len(order) == len(set(order)) == memory.commits()

    def newest(self, id: str) -> str:
        """The end of the chain of successors, as it was when the last link was made."""
        return self.successor.get(id, "")


@settings(
    max_examples=sized(4, 60),
    deadline=None,
    # Each step is a commit: shrinking would take minutes.
    phases=[Phase.explicit, Phase.reuse, Phase.generate],
    suppress_health_check=list(HealthCheck),
)
@given(
    steps=st.lists(
        st.tuples(
            st.sampled_from(VERBS), st.integers(0, 40), st.sampled_from([0, 0, 1, 9])
        ),
        min_size=3,
        max_size=sized(12, 30),
    )
)
def test_the_tip_says_what_stands(steps: list[tuple[str, int, int]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        repo = Path(folder)
        git(repo, "init", "-q")
        memory, model = Memory(repo), Model()
        for verb, number, days in [("say", 0, 0), ("say", 1, 1), *steps]:
            today = memory.now
            memory.later(days=days)
            before, count = memory.tip(), memory.commits()
            wrote = run(memory, model, verb, number)
            if not wrote:
                assert memory.tip() == before
                memory.now = today  # nothing was built as of the later day
            elif verb != "say":
                assert memory.commits() == count + 1
        model.check(memory)


def run(memory: Memory, model: Model, verb: str, number: int) -> bool:
    """One step in both worlds; whether it should have written."""
    ids = list(model.stack)
    id = ids[number % len(ids)] if ids else ""
    gone = bool(id) and model.standing(id) in ("retracted", "superseded")
    if verb == "say":
        model.said += 1
        topic = f"topic {model.said % 3}"
        new = memory.say(topic, f"- decided: {claim(model.said)}")
        model.stack[new] = [("stated", claim(model.said))]
        return True
    try:
        if verb == "supersede":
            model.said += 1
            done = memory.supersede(
                id, f"- decided: {claim(model.said)}", topic="topic 1"
            )
            new = done.made[0].id
            model.stack[new] = [("stated", claim(model.said))]
            withdraw(model, id, "superseded", new)
        elif verb == "restore":
            memory.restore(id)
            model.stack[id].pop()
            if gone:
                while model.standing(id) in ("retracted", "superseded"):
                    model.stack[id].pop()
            model.successor.pop(id, None)
        else:
            getattr(memory, verb)(id)
            word = {"retract": "retracted", "dispute": "disputed"}.get(verb)
            if word == "retracted":
                withdraw(model, id, word, "")
            elif word == "disputed":
                model.stack[id].append((word, model.stack[id][-1][1]))
            else:
                model.stack[id].append(("confirmed", model.stack[id][-1][1]))
    except Asks:
        rival = memory.entry(id).get("successor") or "one it had replaced"
        assert gone and rival
        return False
    except HipogitError as refused:
        standing = model.standing(id)
        assert (
            (gone and verb != "restore")
            or (verb == "dispute" and standing == "disputed")
            or (verb == "confirm" and standing == "confirmed")
            or (verb == "restore" and standing not in ("disputed",) and not gone)
        ), refused
        return False
    return True


def withdraw(model: Model, id: str, standing: str, successor: str) -> None:
    model.stack[id].append((standing, model.stack[id][-1][1]))
    model.successor.pop(id, None)
    if successor:
        for earlier, newest in list(model.successor.items()):
            if newest == id:
                model.successor[earlier] = successor
        model.successor[id] = successor


KILLED = """
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[3])
from story import Memory, ANN
from hipogit import correct
from hipogit.store import Store
from datetime import datetime
store = Store.open(Path(sys.argv[1]))
now = datetime.fromisoformat("2026-11-29T17:35:02+09:00")
print("ready", flush=True)
correct.retract(store, sys.argv[2], "wrong", ANN, now)
print("done", flush=True)
"""


def test_killed_at_any_point_no_tip_shows_withdrawn_text(memory: Memory) -> None:
    chance = random.Random(11)
    memory.story("2026-03-02 lamps  decided: paint them green")
    for number in range(sized(5, 80)):
        said = claim(number)
        id = memory.say("zebra", f"- decided: {said}")
        with subprocess.Popen(
            [sys.executable, "-c", KILLED, str(memory.repo), id,
             str(Path(__file__).parent.parent)],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, env={**os.environ},
            start_new_session=True,
        ) as process:  # fmt: skip
            assert process.stdout and process.stdout.readline() == b"ready\n"
            time.sleep(chance.random() * 0.25)
            # The git it waits for as well, as a harness that ends a command does.
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        time.sleep(0.1)  # until the git that was killed as well lets go of the lock
        memory.store.recover()  # as every command does first
        text = "\n".join(memory.files().values())
        if memory.entry(id).withdrawn:
            assert said not in memory.everything_readable()
        else:
            assert text.count(said) > 3  # in the journal and all summaries above it
            memory.retract(id)
        assert said not in memory.everything_readable()
        assert git(memory.repo, "fsck", "--connectivity-only") == ""


WRITER = """
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[3])
from hipogit import memory
from hipogit.record import Record
from hipogit.store import Store
from datetime import datetime
store = Store.open(Path(sys.argv[1]))
now = datetime.fromisoformat("2026-11-29T17:35:02+09:00")
for number in range(int(sys.argv[2])):
    draft = memory.Draft("topic %d" % (number % 3), "- decided: kept %d" % number,
                         now.date(), now, session="other")
    memory.remember(store, [draft], Record("checkpoint", ""), now)
"""


def test_a_retraction_beside_a_writer_loses_nothing(memory: Memory) -> None:
    count = sized(6, 40)
    ids = [memory.say("mine", f"- decided: {claim(n)}") for n in range(count)]
    with subprocess.Popen(
        [sys.executable, "-c", WRITER, str(memory.repo), str(count),
         str(Path(__file__).parent.parent)],
    ) as other:  # fmt: skip
        for id in ids:
            memory.retract(id)
        assert other.wait(120) == 0
    journal = memory.files()["memory/2026-11-29.md"]
    assert all(f"kept {number}" in journal for number in range(count))
    assert all(memory.entry(id).standing == "retracted" for id in ids)
    text = memory.everything_readable()
    assert not any(claim(number) in text for number in range(count))
