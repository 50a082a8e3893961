"""The MCP server, called over standard input and output by the official client."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import git, hipogit
from test_repositories import picture

pytest.importorskip("mcp")
from mcp import Client, StdioServerParameters

FACT = "token bucket, 100 req/s, 지불 한도"
# Invented, put together here so that no scanner of a remote takes it for a key.
TOKEN = "ghp_" + "wJ4kQ9zR2mX7vB5nT8yL1cF6hD3sG0aP" + "kQ2f"
READERS = {"recall", "search", "knows", "show", "why", "status"}
WRITERS = {"checkpoint", "supersede", "retract", "dispute"}


@pytest.fixture
def memory(repo: Path) -> Path:
    hipogit(repo, "init", "--platform", "none")
    hipogit(repo, "checkpoint", "Rate limit", "-m", FACT)
    return repo


def served(cwd: Path, talk: Callable[[Client], Awaitable[Any]]) -> Any:
    """What a talk with the server gives."""
    server = StdioServerParameters(
        command=sys.executable,
        args=["-P", "-m", "hipogit", "mcp"],
        cwd=str(cwd),
        env=dict(os.environ),
    )

    async def run() -> Any:
        async with Client(server, read_timeout_seconds=60) as client:
            return await talk(client)

    return asyncio.run(run())


def ask(cwd: Path, name: str, **given: Any) -> dict[str, Any]:
    """The structured answer of one tool; fails the test on a tool error."""
    done = served(cwd, lambda client: client.call_tool(name, given))
    assert not done.is_error, done.content
    assert json.loads(done.content[0].text) == done.structured_content
    assert isinstance(done.structured_content, dict)
    return done.structured_content


def refused(cwd: Path, name: str, **given: Any) -> str:
    """What a tool error says."""
    done = served(cwd, lambda client: client.call_tool(name, given))
    assert done.is_error
    return str(done.content[0].text)


def test_it_offers_the_verbs_and_no_confirmation(memory: Path) -> None:
    async def talk(client: Client) -> Any:
        tools = (await client.list_tools()).tools
        resources = (await client.list_resources()).resources
        root = await client.read_resource("memory://root")
        return tools, {str(one.uri) for one in resources}, root.contents[0].text

    tools, uris, root = served(memory, talk)
    by_name = {tool.name: tool for tool in tools}
    assert set(by_name) >= READERS | WRITERS
    assert not {"confirm", "restore", "purge"} & set(by_name)
    for name, tool in by_name.items():
        assert tool.annotations.read_only_hint is (name not in WRITERS)
        assert tool.description and tool.output_schema
    assert uris == {
        f"memory://{name}" for name in ("root", "working", "scratchpad", "task-queue")
    }
    assert FACT in root


def test_a_checkpoint_is_a_commit_that_says_it_came_this_way(memory: Path) -> None:
    before = picture(memory)
    done = ask(
        memory, "checkpoint", topic="Bursts", text=f"legitimate, key {TOKEN}",
        fields={"why": "peaks at noon"},
    )  # fmt: skip
    assert done["redactions"] and not done["spooled"]
    entry = done["entries"][0]
    shown = ask(memory, "show", id=entry["id"])
    assert "via=mcp" in shown["text"] and "peaks at noon" in shown["text"]
    assert TOKEN not in json.dumps(ask(memory, "why", text=entry["id"]))
    assert git(memory, "rev-parse", "hipogit/memory~1^{commit}")
    assert done["commit"] in git(memory, "rev-list", "hipogit/memory")
    assert git(memory, "status", "--porcelain") == ""
    after = picture(memory)
    for name in ("config", "HEAD", "index", "info/exclude"):
        assert after[name] == before[name]


def test_what_is_known_is_found(memory: Path) -> None:
    found = ask(memory, "recall", question="what was the rate limit, token bucket?")
    assert any(FACT in item["text"] for item in found["results"])
    assert ask(memory, "recall", question="zygote quux?")["results"] == []
    (hit, *_) = ask(memory, "search", words="지불")["results"]
    assert FACT in hit["text"] and hit["standing"] == "stated"
    assert ask(memory, "knows", topic="rate limit")["known"] is True
    assert ask(memory, "knows", topic="zygote")["known"] is False
    assert "at least 1" in refused(memory, "search", words="x", limit=0)


def test_corrections_go_through_and_name_their_commit(memory: Path) -> None:
    old = ask(memory, "why", text=FACT)["entries"][0]["id"]
    new = ask(
        memory, "supersede", id=old, text="sliding window", reason="measured wrong"
    )
    assert new["standing"] == "stated"
    assert ask(memory, "show", id=old)["standing"] == "superseded"
    assert FACT not in served(
        memory, lambda client: client.read_resource("memory://root")
    ).contents[0].text  # fmt: skip
    assert ask(memory, "dispute", id=new["id"], reason="hm")["standing"] == "disputed"
    gone = ask(memory, "retract", id=new["id"], reason="never measured")
    assert gone["standing"] == "retracted"


def test_what_cannot_be_done_is_a_tool_error_with_a_hint(memory: Path) -> None:
    assert "hint" not in refused(memory, "retract", id="20200101-nosuch", reason="x")
    said = refused(memory, "checkpoint", topic="Rule", text="x", type="feedback")
    assert "rule" in said
    assert "unexpected" not in said.lower()
    assert refused(memory, "show", id="no-such-thing")


def test_without_memory_every_tool_says_what_to_do(repo: Path) -> None:
    assert "hipogit init" in refused(repo, "checkpoint", topic="T", text="x")
    assert "hipogit init" in refused(repo, "status")


def test_what_a_sandboxed_agent_left_is_committed_by_the_server(memory: Path) -> None:
    from test_races import boxed

    assert boxed(memory, "checkpoint", "Boxed", "-m", "said").returncode == 3
    assert list((memory / ".hipogit" / ".spool").glob("*.json"))
    ask(memory, "status")
    assert not list((memory / ".hipogit" / ".spool").glob("*.json"))
    assert "## Boxed" in git(memory, "show", "hipogit/memory:memory/2026-11-29.md")


def test_no_tool_and_no_resource_tells_what_was_withdrawn(memory: Path) -> None:
    said = ask(memory, "search", words="bucket")
    id = said["results"][0]["id"]
    other = ask(memory, "checkpoint", topic="Cache", text="in redis")
    hipogit(memory, "retract", id, "--reason", "measured wrong")
    given: dict[str, list[dict[str, Any]]] = {
        "recall": [{"question": "rate limit token bucket 100 req/s 지불 한도"}],
        "search": [{"words": "bucket"}, {"words": "한도"}, {"words": "rate limit"}],
        "knows": [{"topic": "Rate limit"}],
        "show": [{"what": id}, {"what": "2026-11-29"}, {"what": "ROOT"}],
        "why": [{"what": id}, {"what": "in redis"}],
        "status": [{}],
    }

    async def talk(client: Client) -> list[tuple[str, str]]:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        readers = {n for n, t in tools.items() if t.annotations.read_only_hint}
        # A new reading tool has to be asked here as well.
        assert readers == set(given)
        told = []
        for name, calls in given.items():
            words = list(tools[name].input_schema["properties"])
            for call in calls:
                # The first parameter, whatever it is called.
                arguments = dict(zip(words, call.values(), strict=False))
                done = await client.call_tool(name, arguments)
                told.append((name, str(done.content[0].text)))
        for resource in (await client.list_resources()).resources:
            read = await client.read_resource(str(resource.uri))
            told.append((str(resource.uri), str(read.contents[0].text)))
        return told

    told = served(memory, talk)
    assert other and len(told) > len(given)
    for name, text in told:
        assert "token bucket" not in text, name
        assert "지불 한도" not in text, name
