"""A checkpoint names what stands already on its topic, contradicted entries first."""

from __future__ import annotations

import json
import time
from datetime import date
from pathlib import Path

import pytest
from conftest import hipogit
from story import Memory

from hipogit.similar import similar
from hipogit.tree import compact
from hipogit.view import MemoryView
from tests.tree.helpers import entry, journals

HERE = Path(__file__).parent
NOW = date(2026, 11, 29)
# Set of pairs: least precision, least recall. On the first the rules were worked out.
SETS = {"pairs.tsv": (0.9, 0.95), "unseen.tsv": (0.75, 0.7)}


@pytest.mark.parametrize(("name", "floors"), SETS.items(), ids=SETS)
def test_measured_on_pairs_of_both_sides(
    name: str, floors: tuple[float, float]
) -> None:
    rows = [line.split("\t") for line in (HERE / name).read_text("utf-8").splitlines()]
    # One memory with the old half of every pair, spread over a month.
    olds = [
        entry(f"2026-10-{number % 28 + 1:02}", topic, text, second=number)
        for number, (_, _, _, topic, text) in enumerate(rows)
    ]
    files = journals(*olds)
    memory = MemoryView({**files, **compact(MemoryView(files), NOW).changes})
    counts = {"similar": [0, 0, 0], "contradicts": [0, 0, 0]}
    missed = []
    for (kind, topic, text, *_), old in zip(rows, olds, strict=True):
        found = similar(memory, entry("2026-11-29", topic, text))
        wanted = {"similar": kind != "other", "contradicts": kind == "contradicts"}
        for what, right in wanted.items():
            named = [o for o in found if what == "similar" or o.contradicts]
            ids = {one.entry.id for one in named}
            right_ids = {old.id} if right else set()
            for place, ids_there in enumerate(
                (ids & right_ids, ids - right_ids, right_ids - ids)
            ):
                counts[what][place] += len(ids_there)
            if ids != right_ids:
                others = [one.entry.topic for one in named]
                missed.append(f"{what}: {kind}: {topic} -> {others}")
    print()
    for what, (hits, wrong, lost) in counts.items():
        precision, recall = hits / max(hits + wrong, 1), hits / max(hits + lost, 1)
        print(f"{name}: {what}: precision {precision:.2f}, recall {recall:.2f}")
        assert precision >= floors[0] and recall >= floors[1], "\n".join(missed)
    print("\n".join(missed))


def test_it_reads_a_few_journals_however_many_there_are() -> None:
    olds = [
        entry(
            f"2025-{n % 12 + 1:02}-{n % 28 + 1:02}", f"matter {n}", f"- note: thing {n}"
        )
        for n in range(600)
    ]
    files = journals(*olds)
    done = compact(MemoryView(files), NOW)

    class Counting(MemoryView):
        read_paths: list[str] = []  # noqa: RUF012

        def read(self, path: str) -> str | None:
            self.read_paths.append(path)
            return super().read(path)

    memory = Counting({**files, **done.changes})
    began = time.perf_counter()
    found = similar(memory, entry("2026-11-29", "Matter 77", "- note: it 78"))
    took = time.perf_counter() - began
    assert found[0].entry.topic == "matter 77"
    read = [path for path in memory.read_paths if path.count("/") == 1]
    assert len(read) <= 12
    print(f"\nsimilar among 600 topics: {took * 1000:.1f} ms")
    assert took < 1


def test_the_answer_of_a_checkpoint_names_them(memory: Memory) -> None:
    memory.story("2026-11-02 rate limit  decisions: token bucket, 100 per second")
    old = memory.id("2026-11-02 rate limit")
    words = ["checkpoint", "Rate limit", "-m", "- decisions: sliding window", "--json"]
    done = json.loads(hipogit(memory.repo, *words))
    (named,) = done["similar"]
    assert named["id"] == old and named["topic"] == "rate limit"
    assert named["contradicts"] and "token bucket" in named["line"]


def test_a_checkpoint_supersedes(memory: Memory) -> None:
    memory.story("2026-11-02 rate limit  decisions: token bucket, 100 per second")
    old = memory.id("2026-11-02 rate limit")
    before = memory.commits()
    words = ["checkpoint", "Rate limit", "-m", "window", "--supersedes", old[:13]]
    done = json.loads(hipogit(memory.repo, *words, "--json"))
    assert memory.commits() == before + 1 and not done["spooled"]
    assert memory.entry(old).get("successor") == done["entries"][0]["id"]
    assert done["similar"] == []
    told = hipogit(memory.repo, *words, code=1)
    assert "superseded" in told


def test_a_feedback_corrects(memory: Memory) -> None:
    memory.story("2026-11-02 deploys  decisions: on friday")
    old = memory.id("2026-11-02 deploys")
    rule = ["-f", "rule=not on friday", "-f", "why=w", "-f", "how-to-apply=h"]
    words = ["checkpoint", "Deploys", "--corrects", old]
    told = hipogit(memory.repo, *words, "-m", "x", code=2)
    assert "feedback is for" in told
    hipogit(memory.repo, *words, "-t", "feedback", *rule)
    assert memory.entry(old).standing == "disputed"


def test_saying_again_what_was_withdrawn_is_no_silent_success(memory: Memory) -> None:
    words = ["checkpoint", "Deploys", "-m", "on friday", "--session", "s"]
    id = json.loads(hipogit(memory.repo, *words, "--json"))["entries"][0]["id"]
    memory.retract(id)
    told = hipogit(memory.repo, *words, code=1)
    assert "was retracted" in told and f"hint: hipogit restore {id}" in told
