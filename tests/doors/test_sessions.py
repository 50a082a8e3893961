"""Whole sessions of the agents' own programs, offline, with the real hipogit.

Skipped where they are not installed; see tests/platforms/test_clients.py.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import git, hipogit
from platforms.mock_model import model
from platforms.test_clients import TOP, Bench, claude, needs, trust_codex, trust_gemini

from .calls import journals, wait

pytestmark = pytest.mark.clients

FACT = "token bucket, 100 req/s, 지불 한도"
ASKED = "what was the limit?"
SCRIPT = f"""#!{sys.executable}
import sys
sys.path.insert(0, {str(TOP)!r})
from hipogit.__main__ import main
sys.exit(main())
"""


class Shop(Bench):
    """A project whose memory knows one thing, with the real hipogit on PATH."""

    def __init__(self, top: Path, name: str, *more: str) -> None:
        self.home, self.project = top / "home", top / "shop"
        self.log = top / "calls"
        for folder in (self.home, self.project, top / "bin"):
            folder.mkdir()
        script = top / "bin" / "hipogit"
        script.write_text(SCRIPT)
        script.chmod(0o755)
        git(self.project, "init", "-q")
        hipogit(self.project, "init", "--platform", name, *more, HOME=str(self.home))
        hipogit(self.project, "checkpoint", "Rate limit", "-m", FACT)


def by_claude(shop: Shop, url: str) -> None:
    claude(shop, url)


def by_codex(shop: Shop, url: str) -> None:
    trust_codex(
        shop,
        f'[model_providers.mock]\nname = "mock"\nbase_url = "{url}/v1"\n'
        'env_key = "MOCK_KEY"\nwire_api = "responses"\n',
    )
    shop.run(
        *("codex", "exec", "--dangerously-bypass-hook-trust"),
        *("-c", "model_provider=mock", "-m", "mock", ASKED),
        MOCK_KEY="invented",
    )


def by_gemini(shop: Shop, url: str) -> None:
    trust_gemini(shop)
    shop.run(
        *("gemini", "-m", "gemini-2.5-flash", "-p", ASKED),
        GOOGLE_GEMINI_BASE_URL=url,
        GEMINI_API_KEY="invented",
    )


def by_opencode(shop: Shop, url: str) -> None:
    provider = {
        "npm": "@ai-sdk/openai-compatible",
        "options": {"baseURL": f"{url}/v1", "apiKey": "invented"},
        "models": {"m": {}},
    }
    config = {"provider": {"mock": provider}, "model": "mock/m"}
    place = shop.home / ".config" / "opencode" / "opencode.json"
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(json.dumps(config))
    shop.run("opencode", "run", ASKED)


SESSIONS: dict[str, tuple[str, Callable[[Shop, str], None]]] = {
    "claude-code": ("claude", by_claude),
    "codex": ("codex", by_codex),
    "gemini": ("gemini", by_gemini),
    "opencode": ("opencode", by_opencode),
}


@pytest.mark.parametrize("platform", SESSIONS)
def test_a_session_knows_what_was_said_and_is_remembered(
    tmp_path: Path, platform: str
) -> None:
    program, session = SESSIONS[platform]
    needs(program)
    shop = Shop(tmp_path, platform)
    with model() as (url, bodies):
        session(shop, url)
    sent = "".join(json.dumps(json.loads(b), ensure_ascii=False) for b in bodies)
    assert FACT in sent, "the model was told"
    wait(lambda: "standing=captured" in journals(shop.project))
    text = journals(shop.project)
    assert text.count("standing=captured") == 1, "one turn, once"
    assert ASKED in text and f"source={platform}" in text and "via=hook" in text
    assert text.count(FACT) == 1, "what was injected is not stored again"
    assert "# Memory (hipogit)" not in text
    ledger = shop.project / ".git" / "hipogit" / "ledger.jsonl"
    assert not ledger.exists(), ledger.read_text()


# What each lists its servers with, and what it says of one that answered it. Claude
# Code asks the user about a project's server first, Codex starts none for a list.
LISTS = {
    "claude-code": (["claude", "mcp", "get", "hipogit"], "Args: mcp"),
    "codex": (["codex", "mcp", "list"], "enabled"),
    "gemini": (["gemini", "mcp", "list"], "Connected"),
    "opencode": (["opencode", "mcp", "list"], "connected"),
}


@pytest.mark.parametrize("platform", LISTS)
def test_the_server_we_write_is_one_the_agent_can_talk_to(
    tmp_path: Path, platform: str
) -> None:
    words, good = LISTS[platform]
    needs(words[0])
    shop = Shop(tmp_path, platform, "--mcp")
    if platform == "codex":
        trust_codex(shop)
    if platform == "gemini":
        trust_gemini(shop)
    assert "hipogit" in shop.run(*words)
    # On a busy machine a client gives a server up before Python has started.
    wait(lambda: good in shop.run(*words), 300)
