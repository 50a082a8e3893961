"""The commands of recall, as a program sees them."""

from __future__ import annotations

import json
import shutil
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


def test_a_program_that_is_not_installed_is_named(shop: Path, tmp_path: Path) -> None:
    local = shop / ".git" / "hipogit" / "config.toml"
    local.write_text('search.engine = "qmd"\n')
    tools = tmp_path / "tools"
    tools.mkdir()
    (tools / "git").symlink_to(shutil.which("git") or "")
    said = hipogit(shop, "search", "bucket", code=2, PATH=str(tools))
    assert "no program qmd" in said
    assert "--engine keyword" in said
    found = hipogit(shop, "search", "bucket", "--engine", "keyword", PATH=str(tools))
    assert "token bucket" in found
    # `recall` ranks statements itself, whatever ranks a search.
    assert "token bucket" in hipogit(shop, "recall", "rate limit", PATH=str(tools))


def test_an_entry_stands_before_summaries_and_those_that_quote_it_are_folded(
    shop: Path,
) -> None:
    found = json.loads(hipogit(shop, "search", "bucket", "--json"))["results"]
    assert [hit["topic"] for hit in found] == ["Rate limit"]
    every = json.loads(hipogit(shop, "search", "bucket", "--all", "--json"))["results"]
    assert every[0] == found[0]
    depths = [hit["depth"] for hit in every]
    assert {0, 1, 2, 3} <= set(depths)
    assert depths[0] is None
    assert "<!--" not in hipogit(shop, "search", "bucket", "--all")
    week = json.loads(hipogit(shop, "search", "bucket", "--depth", "1", "--json"))
    assert [hit["depth"] for hit in week["results"]] == [1]
    assert hipogit(shop, "search", "bucket", "--type", "feedback") == "nothing found\n"


def test_a_topic_is_known_by_its_other_names(shop: Path) -> None:
    hipogit(shop, "checkpoint", "Deployment", "-m", "- decisions: never on fridays")
    assert hipogit(shop, "knows", "배포", code=1) == "nothing known\n"
    names = "---\naliases:\n- Deployment = 배포 = rollout\n---\n"
    (shop / ".hipogit" / "knowledge").mkdir(exist_ok=True)
    (shop / ".hipogit" / "knowledge" / "aliases.md").write_text(names, "utf-8")
    hipogit(shop, "compact")
    for name in ("배포", "Rollout", "deployment"):
        known = json.loads(hipogit(shop, "knows", name, "--json"))
        assert [place["topic"] for place in known["where"]] == ["Deployment"]
    for asked in ("배포를 언제 하지?", "plan the rollout please"):
        found = json.loads(hipogit(shop, "recall", asked, "--json"))
        assert found["topics"] == ["Deployment"]
        assert found["results"][0]["text"] == "never on fridays"
    assert "Deployment = 배포 = rollout [project" in hipogit(shop, "show", "ROOT")
    hipogit(shop, "compact", "--check")
