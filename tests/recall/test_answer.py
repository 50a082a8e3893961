"""recall shows what bears on a prompt, says where it is from, and else says nothing."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from hipogit.recall import index
from hipogit.recall.about import knows, knows_fresh, manifest
from hipogit.recall.answer import Recalled, recall, rendered

from .conftest import Memory, entry

TALK = """User: I want to sort my books. By the way, I just got a Trek bicycle for $900.
Assistant: Congratulations! Sort the books by author, then by year of printing.
User: Which shelf is best for heavy books?
Assistant: A shelf of oak carries forty kilos per metre."""


def _recall(memory: Memory, asked: str, **more: int) -> Recalled:
    return index.using(memory.store, lambda ix: recall(ix, asked, **more))  # type: ignore[arg-type]


def _busy(memory: Memory) -> None:
    memory.write(
        *(
            entry(
                f"2026-11-{day:02}",
                f"Chore {day}",
                f"- decisions: chore number {day} went to the {day}th drawer",
            )
            for day in range(1, 20)
        )
    )


def test_a_fact_comes_back_with_where_it_is_from(memory: Memory) -> None:
    _busy(memory)
    said = entry("2026-11-21", "books sort", TALK, standing="captured")
    memory.write(said)
    found = _recall(memory, "Which lock fits my bicycle?").items
    assert found[0].text.startswith("By the way, I just got a Trek bicycle")
    assert (found[0].id, found[0].day) == (said.id, "2026-11-21")
    assert (found[0].standing, found[0].session) == ("captured", "s1")
    assert (found[0].source, found[0].warning) == ("test", "")


def test_an_answer_can_be_evidence(memory: Memory) -> None:
    _busy(memory)
    memory.write(entry("2026-11-21", "books sort", TALK, standing="captured"))
    texts = [i.text for i in _recall(memory, "How much does an oak shelf carry?").items]
    assert any("forty kilos" in text for text in texts)


def test_nothing_known_instead_of_noise(memory: Memory) -> None:
    _busy(memory)
    memory.write(entry("2026-11-21", "books sort", TALK, standing="captured"))
    for asked in (
        "Rebase the branch and squash the fixups",
        "Why does the kernel module fail to load on boot?",
        "",
        "and the of",
    ):
        found = _recall(memory, asked)
        assert (found.items, found.tokens) == ([], 0)
        assert rendered(found) == "nothing known\n"


def test_a_named_topic_is_always_known(memory: Memory) -> None:
    _busy(memory)
    memory.write(entry("2026-11-21", "Rate limit", "- decisions: token bucket"))
    found = _recall(memory, "please go on with the RATE  limit now, as we said")
    assert found.topics == ["Rate limit"]
    assert "token bucket" in found.items[0].text


def test_the_newest_of_a_topic_comes_first(memory: Memory) -> None:
    for day, what in (("2026-11-03", "leaky"), ("2026-11-09", "token")):
        memory.write(entry(day, "Rate limit", f"- decisions: {what} bucket per key"))
    memory.write(entry("2026-11-05", "Rate limit", "- decisions: fixed window per key"))
    found = _recall(memory, "rate limit bucket per key").items
    assert [item.day for item in found] == ["2026-11-09", "2026-11-05", "2026-11-03"]
    assert [i.score for i in found] == sorted((i.score for i in found), reverse=True)


def test_the_same_sentence_comes_once_as_the_newest_said_it(memory: Memory) -> None:
    for day in ("2026-11-03", "2026-11-09"):
        memory.write(entry(day, "Rate limit", "- decisions: token bucket per key"))
    found = _recall(memory, "rate limit").items
    assert [(item.day, item.text) for item in found] == [
        ("2026-11-09", "token bucket per key")
    ]


def test_rules_that_apply_are_always_included(memory: Memory) -> None:
    _busy(memory)
    rule = (
        "- rule: never amend pushed commits\n- why: others pulled them\n"
        "- how-to-apply: make a new commit"
    )
    memory.write(entry("2026-11-01", "Commits", rule, type="feedback"))
    found = _recall(memory, "amend the last commits of chore number 7", budget=60)
    assert "never amend pushed commits" in [item.text for item in found.items]
    assert found.items[0].type == "feedback"
    assert not _recall(memory, "water the tulips").items


def test_the_budget_holds(memory: Memory) -> None:
    _busy(memory)
    for budget in (5, 20, 50, 200):
        found = _recall(memory, "chore number drawer", budget=budget)
        size = sum(len(item.text.encode()) + 1 for item in found.items)
        assert size <= budget * 4
        assert found.tokens <= budget


def test_ages_are_those_of_the_branch_not_of_the_clock(memory: Memory) -> None:
    root = "---\ntype: root\nlast-updated: 2026-11-30\n---\n\n## Rules\n"
    memory.write(
        entry("2026-10-01", "Cache", "- decisions: redis for sessions"),
        entry("2026-10-01", "Wiki", "- pointer: wiki.example.invalid", "reference"),
        entry("2026-10-01", "Me", "- who: I write Go and redis", type="user"),
        entry("2026-11-20", "Queue", "- decisions: redis streams", standing="disputed"),
        files={"memory/ROOT.md": root},
    )
    found = _recall(memory, "redis cache wiki queue sessions streams").items
    warnings = {item.topic: item.warning for item in found}
    assert warnings["Cache"] == "60 days old"
    assert warnings["Wiki"] == "60 days unverified"
    assert warnings["Me"] == ""
    assert warnings["Queue"] == "disputed"


@pytest.mark.parametrize("standing", ["retracted", "superseded", "purged"])
def test_withdrawn_text_never_comes_back(memory: Memory, standing: str) -> None:
    _busy(memory)
    memory.write(
        entry(
            "2026-11-21", "Secret plan", "- decisions: buy zanzibar", standing=standing
        )
    )
    assert not _recall(memory, "do we buy zanzibar? the secret plan").items


def test_marked_entries_are_not_recalled(memory: Memory) -> None:
    _busy(memory)
    memory.write(entry("2026-11-21", "Probe [test run]", "- note: zanzibar probe"))
    assert not _recall(memory, "the zanzibar probe test run").items


def test_knows_reads_one_file_or_the_index(memory: Memory) -> None:
    memory.write(entry("2026-11-21", "Rate limit", "- decisions: token bucket"))
    with memory.store.snapshot() as snapshot:
        assert knows(snapshot, "rate limit") == []  # not compacted yet
    found = index.using(memory.store, lambda ix: knows_fresh(ix, "RATE limit:"))
    assert [place.path for place in found] == ["memory/2026-11-21.md"]
    assert not index.using(memory.store, lambda ix: knows_fresh(ix, "rate"))


def test_the_manifest_fits_500_tokens(memory: Memory) -> None:
    topics = "".join(f'- "topic number {n} of many"\n' for n in range(30))
    node = f'---\ntype: "weekly"\nstatus: "fixed"\ntopics:\n{topics}---\n\nText.\n'
    memory.write(
        files={f"memory/weekly/2026-W{n:02}.md": node for n in range(1, 40)}
        | {"knowledge/limits.md": "# All about limits\n"}
    )
    with memory.store.snapshot() as snapshot:
        text = manifest(snapshot)
    assert len(text.encode()) <= 2000
    assert text.startswith("memory/weekly/2026-W39.md [fixed]: topic number 0")
    assert "knowledge/limits.md: All about limits" not in text or len(text) > 500


@pytest.mark.skipif("HIPOGIT_DATA" not in os.environ, reason="needs HIPOGIT_DATA")
def test_real_logs_fill_an_index(memory: Memory) -> None:
    folder = Path(os.environ["HIPOGIT_DATA"]) / "data/memaware/data/sessions"
    text = (folder / "2023-05-21.md").read_text("utf-8")
    body = text.split("## Session ")[1].split("\n", 1)[1]
    memory.write(entry("2023-05-21", "talk", body, standing="captured"))
    with index.opened(memory.store) as opened:
        pieces = opened.rows("select count(*) from piece")[0][0]
    assert pieces == body.count("\nUser:") + body.startswith("User:")
