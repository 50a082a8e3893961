"""`review` asks about what memory is not sure of; what was answered stays answered."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest
from conftest import hipogit
from story import Memory

from hipogit import correct, review

STORY = """
    2026-09-01 docs server [reference]  where: docs.example.invalid
    2026-11-02 rate limit  decided: token bucket, 100 per second
    2026-11-20 rate limit  decided: sliding window, 50 per second
    2026-11-21 lamp posts  decided: paint them green
    2026-11-29 deploys [feedback]  rule: never deploy on friday; why: w; how-to-apply: h
    2026-11-29 Deploys  decided: always deploy on friday
"""
DOCS = "2026-09-01 docs server"
LAMPS, LATER = "2026-11-21 lamp posts", "2026-11-20 rate limit"
RULE, AGAINST = "2026-11-29 deploys", "2026-11-29 Deploys"


@pytest.fixture
def told(memory: Memory) -> Memory:
    memory.story(STORY)
    memory.dispute(LAMPS, "they were blue")
    return memory


def queue(memory: Memory, **more: bool) -> dict[str, str]:
    with memory.store.snapshot() as tip:
        return {c.entry.id: c.why for c in review.queue(memory.store, tip, **more)}


def test_contradictions_of_rules_and_of_entries_are_found(told: Memory) -> None:
    with told.store.snapshot() as tip:
        found = correct.contradictions(tip)
    pairs = {(one.newer.id, one.older.id, one.rule) for one in found}
    assert pairs == {
        (told.id(AGAINST), told.id(RULE), True),
        (told.id(LATER), told.id("2026-11-02 rate limit"), False),
    }
    assert "seems to contradict the rule" in str(found[0])
    told.retract(AGAINST)
    told.retract(LATER)
    with told.store.snapshot() as tip:
        assert correct.contradictions(tip) == []


def test_the_queue_names_what_and_why(told: Memory) -> None:
    draft = told.draft("talk", "- user: maybe blue", standing="captured")
    heard = told.store
    from hipogit import memory
    from hipogit.record import Record

    memory.remember(heard, [draft], Record("capture", ""), told.now)
    found = queue(told)
    assert "contradicts" in found[told.id(AGAINST)]
    assert found[told.id(LAMPS)] == "disputed: they were blue"
    assert found[told.id(DOCS)] == "a reference of 89 days ago"
    assert any(why.startswith("captured") for why in found.values())
    assert told.id(RULE) not in found


def test_the_scriptable_form(told: Memory) -> None:
    listed = json.loads(hipogit(told.repo, "review", "--json"))["queue"]
    assert {row["id"] for row in listed} == set(queue(told))
    said = hipogit(told.repo, "review", "--accept", told.id(LAMPS), code=2)
    assert "nobody is at a terminal" in said
    done = json.loads(
        hipogit(
            told.repo, "review", "--accept", told.id(LAMPS), "--accept", told.id(DOCS),
            "--as", "Ann", "--retract", told.id(AGAINST), "--reason", "it is the rule",
            "--skip", told.id(LATER), "--json",
        )
    )  # fmt: skip
    assert done["queue"] == []
    assert told.entry(LAMPS).standing == told.entry(DOCS).standing == "confirmed"
    assert told.entry(LAMPS).get("confirmed-via") == "pipe"
    assert told.entry(AGAINST).standing == "retracted"
    assert set(queue(told, again=True)) == {told.id(LATER)}


def test_at_a_terminal_it_asks_and_can_be_left_and_resumed(told: Memory) -> None:
    first, *others = queue(told)
    walk(told, "k\nq\n")
    assert list(queue(told)) == others
    walk(told, "a\nr\nit was wrong\nq\n")
    assert told.entry(others[0]).standing == "confirmed"
    assert told.entry(others[0]).get("confirmed-via") == "tty"
    assert told.entry(others[1]).standing == "retracted"
    assert first in queue(told, again=True)


def walk(memory: Memory, answers: str) -> None:
    """Run `review` at a terminal of its own and type the answers."""
    ours, theirs = os.openpty()
    with subprocess.Popen(
        [sys.executable, "-m", "hipogit", "review"],
        cwd=memory.repo, stdin=theirs, stdout=theirs, stderr=theirs, close_fds=True,
    ) as process:  # fmt: skip
        os.close(theirs)
        os.write(ours, answers.encode())
        said = b""
        while True:
            try:
                part = os.read(ours, 4096)
            except OSError:  # the other end is closed
                break
            if not part:
                break
            said += part
        assert process.wait(30) == 0, said.decode("utf-8", "replace")
    os.close(ours)


def test_an_id_that_names_nothing_stops_all_of_a_script(told: Memory) -> None:
    before = told.tip()
    lamps, rate = told.id(LAMPS), told.id(LATER)
    for words in (["--accept", "20991231-zz"], ["--retract", rate]):
        hipogit(told.repo, "review", "--as", "Ann", "--accept", lamps, *words, code=2)
    assert told.tip() == before
