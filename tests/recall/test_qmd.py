"""qmd ranks where it is installed; withdrawn text stays out of its reach."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests.conftest import hipogit

pytestmark = pytest.mark.skipif(
    shutil.which("qmd") is None, reason="npm install -g @tobilu/qmd"
)


@pytest.fixture
def shop(repo: Path) -> Path:
    hipogit(repo, "init", "--platform", "none")
    for topic, text in (
        ("Rate limit", "token bucket per key"),
        ("Queue", "redis streams with a bucket for the dead"),
        ("Scratch [temporary]", "a bucket of paint"),
    ):
        hipogit(repo, "checkpoint", topic, "-m", f"- decisions: {text}")
    local = repo / ".git" / "hipogit" / "config.toml"
    local.write_text('search.engine = "qmd"\n')
    return repo


def _topics(shop: Path, *words: str) -> list[str]:
    found = json.loads(hipogit(shop, "search", *words, "--json"))["results"]
    return sorted(hit["topic"] for hit in found)


def test_what_qmd_finds_is_shown_as_it_stands(shop: Path) -> None:
    assert _topics(shop, "bucket") == ["Queue", "Rate limit"]
    assert _topics(shop, "redis") == ["Queue"]
    assert _topics(shop, "zanzibar") == []
    found = json.loads(hipogit(shop, "search", "token", "--json"))["results"]
    keys = {"id", "day", "path", "depth", "session", "standing", "text", "score"}
    assert keys <= set(found[0])
    assert found[0]["text"] == "- decisions: token bucket per key"
    hipogit(shop, "checkpoint", "Cache", "-m", "- decisions: redis as a cache")
    assert _topics(shop, "redis") == ["Cache", "Queue"]
    assert not list(Path.home().rglob("*qmd*"))


def test_what_was_withdrawn_leaves_qmd_as_well(shop: Path) -> None:
    found = json.loads(hipogit(shop, "search", "redis", "--json"))["results"]
    hipogit(shop, "retract", found[0]["id"], "--reason", "wrong")
    assert _topics(shop, "redis") == []
    for path in (shop / ".git" / "hipogit").rglob("*"):
        if path.is_file():
            assert b"redis" not in path.read_bytes(), path


@pytest.mark.parametrize(
    "words",
    ["-bucket", "?!", '"', "a\tb", "👩‍👩‍👧", "שלום", "배포", "x" * 9000, "' --"],
)
def test_every_query_gets_an_answer(shop: Path, words: str) -> None:
    hipogit(shop, "search", "--json", "--", words)
