"""The commands of recall, as a program sees them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.conftest import hipogit


@pytest.fixture
def shop(repo: Path) -> Path:
    """A repository with a memory that holds a decision and a rule."""
    hipogit(repo, "init", "--platform", "none")
    hipogit(repo, "checkpoint", "Rate limit", "-m", "- decisions: token bucket per key")
    hipogit(
        repo, "checkpoint", "Commits", "-t", "feedback", "-f", "rule=never amend",
        "-f", "why=others pulled", "-f", "how-to-apply=commit anew",
    )  # fmt: skip
    return repo


def test_search_gives_the_stable_keys(shop: Path) -> None:
    found = json.loads(hipogit(shop, "search", "bucket", "--json"))["results"]
    top = next(hit for hit in found if hit["id"])
    assert top["topic"] == "Rate limit"
    keys = {"id", "day", "path", "depth", "session", "standing", "text", "score"}
    assert keys <= set(top)
    assert "token bucket" in hipogit(shop, "search", "bucket")
    assert hipogit(shop, "search", "bucket", "--files").startswith(
        "memory/2026-11-29.md"
    )
    assert hipogit(shop, "search", "zanzibar") == "nothing found\n"
    assert json.loads(hipogit(shop, "search", "zanzibar", "--json")) == {"results": []}


def test_search_refuses_what_it_cannot_ask(shop: Path) -> None:
    assert "hint: hipogit search" in hipogit(shop, "search", "?!", code=2)
    assert "no day" in hipogit(shop, "search", "a", "--since", "soon", code=2)


def test_recall_gives_the_stable_keys(shop: Path) -> None:
    found = json.loads(hipogit(shop, "recall", "rate limit per key?", "--json"))
    assert found["topics"] == ["Rate limit"]
    assert found["tokens"] > 0
    assert found["results"][0]["text"] == "token bucket per key"
    assert "token bucket" in hipogit(shop, "recall", "rate limit")
    assert hipogit(shop, "recall", "water the tulips") == "nothing known\n"
    assert "hint" in hipogit(shop, "recall", " ", code=2)


def test_batch_answers_line_by_line(shop: Path) -> None:
    asked = [
        {"id": "a", "question": "rate limit per key?", "budget": 100},
        {"id": 2, "question": "water the tulips"},
    ]
    lines = "\n".join(map(json.dumps, asked))
    answers = hipogit(shop, "recall", "--batch", input=lines).splitlines()
    first, second = map(json.loads, answers)
    assert (first["id"], second["id"], second["results"]) == ("a", 2, [])
    assert {"text", "score", "session", "day", "id"} <= set(first["results"][0])
    assert "line 1" in hipogit(shop, "recall", "--batch", input="{}", code=2)


def test_knows_leaves_with_1_when_it_does_not(shop: Path) -> None:
    known = json.loads(hipogit(shop, "knows", "RATE limit", "--json"))
    assert known["known"] is True
    assert known["where"][0]["ids"]
    assert "nothing known" in hipogit(shop, "knows", "tulips", code=1)
    assert "hint" in hipogit(shop, "knows", code=2)


def test_the_manifest_names_what_can_be_read(shop: Path) -> None:
    assert "memory/weekly/2026-W48.md" in hipogit(shop, "recall", "--manifest")


def test_without_memory_there_is_a_hint(repo: Path) -> None:
    for words in (["search", "a"], ["recall", "a"], ["knows", "a"]):
        assert "hint: hipogit init" in hipogit(repo, *words, code=2)


def test_an_engine_that_cannot_be_called_does_not_stop_a_search(
    shop: Path,
) -> None:
    local = shop / ".git" / "hipogit" / "config.toml"
    local.write_text('search.engine = "qmd"\n')
    assert "token bucket" in hipogit(shop, "search", "bucket")
