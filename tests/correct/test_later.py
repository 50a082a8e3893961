"""A correction that cannot be committed waits, and is made once it can be."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager

from conftest import git, hipogit
from story import Memory

from hipogit import trail, verify

RATE = "2026-11-28 rate limit"


@contextmanager
def sealed_branch(memory: Memory) -> Iterator[None]:
    """The branch cannot be written, not even by root: nobody gets the lock."""
    lock = memory.store.local / "lock"
    lock.unlink()
    lock.mkdir()
    try:
        yield
    finally:
        lock.rmdir()


def rated(memory: Memory) -> str:
    memory.story(f"{RATE}  decided: token bucket with bursts")
    return memory.id(RATE)


def run(memory: Memory, *words: str, code: int = 3) -> dict[str, object]:
    said = hipogit(memory.repo, *words, "--json", code=code)
    found: dict[str, object] = json.loads(said.split("\n")[0])
    return found


def clean(memory: Memory) -> None:
    assert verify.verify(memory.store, memory.tip()).ok
    assert not any(spool.items() for spool in memory.store.spools)


def test_a_retraction_waits(memory: Memory) -> None:
    id = rated(memory)
    with sealed_branch(memory):
        done = run(memory, "retract", id, "--reason", "measured wrong")
        assert done["commit"] is None and done["spooled"] is True
        assert memory.entry(RATE).standing == "stated"
    hipogit(memory.repo, "checkpoint", "Later", "-m", "something else")
    entry = memory.entry(RATE)
    assert entry.standing == "retracted" and "measured wrong" in entry.body
    assert "token bucket" not in memory.everything_readable()
    clean(memory)


def test_a_dispute_waits(memory: Memory) -> None:
    id = rated(memory)
    with sealed_branch(memory):
        run(memory, "dispute", id, "--reason", "the new API differs")
    hipogit(memory.repo, "checkpoint", "Later", "-m", "something else")
    assert memory.entry(RATE).standing == "disputed"
    clean(memory)


def test_what_supersedes_waits_with_what_it_replaces(memory: Memory) -> None:
    id = rated(memory)
    new = ["-m", "- decided: sliding window"]
    for number, words in enumerate(
        (["supersede", id], ["checkpoint", "Rate", "--supersedes", id])
    ):
        with sealed_branch(memory):
            done = run(memory, *words, *new)
            assert done["commit"] is None and done["spooled"] is True
        hipogit(memory.repo, "checkpoint", f"Later {number}", "-m", "something else")
        assert memory.entry(RATE).standing == "superseded"
        assert "token bucket" not in memory.everything_readable()
        assert "sliding window" in memory.everything_readable()
        clean(memory)
        hipogit(memory.repo, "restore", id, "--instead", "--as", "Ann")
        new = ["-m", "- decided: a sliding window of a minute"]


def test_feedback_waits_with_what_it_disputes(memory: Memory) -> None:
    id = rated(memory)
    with sealed_branch(memory):
        run(
            memory, "checkpoint", "Limits", "-t", "feedback", "--corrects", id,
            "-f", "rule=no bursts", "-f", "why=outage", "-f", "how-to-apply=always",
        )  # fmt: skip
    hipogit(memory.repo, "checkpoint", "Later", "-m", "something else")
    assert memory.entry(RATE).standing == "disputed"
    clean(memory)


def test_what_makes_no_sense_is_refused_at_once(memory: Memory) -> None:
    id = rated(memory)
    with sealed_branch(memory):
        for words, code in (
            (["retract", "20990101-zz", "--reason", "x"], 2),
            (["retract", id], 2),
            (["confirm", id, "--as", "Ann"], 3),
        ):
            hipogit(memory.repo, *words, code=code)
    assert not any(spool.items() for spool in memory.store.spools)


def test_one_that_came_too_late_is_named_and_its_statement_kept(
    memory: Memory,
) -> None:
    id = rated(memory)
    with sealed_branch(memory):
        run(memory, "supersede", id, "-m", "- decided: sliding window")
    memory.retract(RATE)
    hipogit(memory.repo, "checkpoint", "Later", "-m", "something else")
    assert memory.entry(RATE).standing == "retracted"
    assert "sliding window" in memory.everything_readable()
    said = [line["sentence"] for line in memory.store.ledger.lines()]
    assert any("was not made" in sentence and id in sentence for sentence in said)
    clean(memory)


def said_later(memory: Memory, topic: str, text: str, *more: str) -> str:
    """The id of a checkpoint that waits."""
    done = run(memory, "checkpoint", topic, "-m", text, *more)
    (entry,) = done["entries"]  # type: ignore[misc]
    return str(entry["id"])


def forms(memory: Memory, id: str) -> list[str]:
    found = trail.versions(memory.store, id, memory.tip())
    return [version.entry.standing for version in found if version.entry]


def test_an_entry_that_waits_can_be_corrected(memory: Memory) -> None:
    rated(memory)
    with sealed_branch(memory):
        gone = said_later(memory, "Port", "the port is 7041")
        old = said_later(memory, "Host", "the host is lantern")
        doubt = said_later(memory, "Path", "it lies in /srv/shop")
        ruled = said_later(memory, "Bursts", "bursts are fine")
        assert run(memory, "retract", gone, "--reason", "wrong")["id"] == gone
        new = run(memory, "supersede", old[:14], "-m", "the host is harbour")
        assert new["supersedes"] == old and new["standing"] == "stated"
        run(memory, "dispute", doubt, "--reason", "it moved")
        run(
            memory, "checkpoint", "Limits", "-t", "feedback", "--corrects", ruled,
            "-f", "rule=no bursts", "-f", "why=outage", "-f", "how-to-apply=always",
        )  # fmt: skip
        # What a correction that waits brings can be corrected as well.
        other = run(memory, "checkpoint", "Host", "--supersedes", str(new["id"]),
                    "-m", "the host is quay")  # fmt: skip
        (third,) = other["entries"]  # type: ignore[misc]
        run(memory, "retract", third["id"], "--reason", "there is no host")
        run(memory, "review", "--retract", doubt, "--reason", "it is gone")
    hipogit(memory.repo, "checkpoint", "Later", "-m", "something else")
    assert forms(memory, gone) == ["retracted", "stated"]
    assert forms(memory, old)[0] == "superseded"
    assert forms(memory, str(new["id"]))[0] == "superseded"
    assert forms(memory, third["id"]) == ["retracted", "stated"]
    assert forms(memory, doubt) == ["retracted", "disputed", "stated"]
    assert memory.entry(ruled).standing == "disputed"
    told = memory.everything_readable()
    assert not [word for word in ("7041", "lantern", "harbour", "quay") if word in told]
    said = [line["sentence"] for line in memory.store.ledger.lines()]
    assert not any("not made" in sentence for sentence in said)
    clean(memory)


def test_what_waits_is_judged_before_a_correction_of_it_waits(memory: Memory) -> None:
    rated(memory)
    with sealed_branch(memory):
        rule = ["-f", "rule=r", "-f", "why=w", "-f", "how-to-apply=h"]
        done = run(memory, "checkpoint", "Rule", "-t", "feedback", *rule)
        (entry,) = done["entries"]  # type: ignore[misc]
        waiting = sum(len(spool.items()) for spool in memory.store.spools)
        words = ["supersede", entry["id"], "-t", "project", "-m", "x"]
        said = hipogit(memory.repo, *words, code=2)
        assert "only feedback supersedes" in said
        words = ["retract", entry["id"], "--reason", "Rule"]
        said = hipogit(memory.repo, *words, code=2)
        assert "repeats what" in said
        hipogit(memory.repo, "confirm", entry["id"], "--as", "Ann", code=3)
        assert sum(len(spool.items()) for spool in memory.store.spools) == waiting


def test_a_tool_call_waits(memory: Memory) -> None:
    from hipogit.doors.tools import Tools

    id = rated(memory)
    tools = Tools(memory.repo)
    with sealed_branch(memory):
        done = tools.retract(id, "measured wrong")
        assert done["commit"] is None and done["spooled"] is True
        new = tools.checkpoint("Port", "the port is 7041")["entries"][0]["id"]
        done = tools.supersede(new, "the port is 7042", "measured")
        assert done["spooled"] is True
        assert tools.dispute(done["id"], "hm")["standing"] == "disputed"
    tools.checkpoint("Later", "something else")
    assert memory.entry(RATE).standing == "retracted"
    assert memory.entry(new).standing == "superseded"
    assert memory.entry(done["id"]).standing == "disputed"
    clean(memory)


def test_two_who_drain_at_once_make_it_once(memory: Memory) -> None:
    import subprocess
    import sys

    id = rated(memory)
    with sealed_branch(memory):
        run(memory, "retract", id, "--reason", "measured wrong")
    words = [sys.executable, "-P", "-m", "hipogit", "checkpoint"]
    running = [
        subprocess.Popen(
            [*words, f"Later {n}", "-m", f"statement {n}"],
            cwd=memory.repo, stdout=subprocess.DEVNULL,
        )
        for n in range(3)
    ]  # fmt: skip
    assert [process.wait() for process in running] == [0, 0, 0]
    assert memory.entry(RATE).standing == "retracted"
    told = [line["sentence"] for line in memory.store.ledger.lines()]
    assert not any("not made" in sentence for sentence in told)
    clean(memory)


def test_what_was_said_first_is_made_first(memory: Memory) -> None:
    # The names of the files are hashes: in their order about half would be refused.
    ids = [memory.say(f"port {n}", f"the port is {7000 + n}") for n in range(6)]
    with sealed_branch(memory):
        for id in ids:
            run(memory, "dispute", id, "--reason", "measured otherwise")
            run(memory, "retract", id, "--reason", "measured wrong")
    hipogit(memory.repo, "checkpoint", "Later", "-m", "something else")
    told = [line["sentence"] for line in memory.store.ledger.lines()]
    assert not any("not made" in sentence for sentence in told)
    for id in ids:
        found = trail.versions(memory.store, id, memory.tip())
        forms = [version.entry and version.entry.standing for version in found]
        assert forms == ["retracted", "disputed", "stated"]


def test_uninstall_takes_in_what_waits_or_refuses(memory: Memory) -> None:
    id = rated(memory)
    with sealed_branch(memory):
        run(memory, "retract", id, "--reason", "measured wrong")
        said = hipogit(memory.repo, "uninstall", code=1)
        assert "1 write could not be committed" in said
        assert (memory.repo / ".hipogit").exists()
    hipogit(memory.repo, "uninstall")
    assert "standing=retracted" in git(
        memory.repo, "show", "hipogit/memory:memory/2026-11-28.md"
    )


def test_the_next_memory_finds_nothing_that_waited_in_the_last(memory: Memory) -> None:
    rated(memory)
    outside = memory.store.spools[-1].path
    outside.mkdir(parents=True)
    (outside / "left.broken").write_text("{}")
    hipogit(memory.repo, "uninstall", "--delete-memory")
    assert not outside.parent.exists()
