"""What was withdrawn is never read: no command, tool, file or view tells it any more.

The commands come from the command table and the tools from the MCP server's list, so
one that is added later is tried as well.
"""

from __future__ import annotations

import inspect
import json
from pathlib import Path

import click
import pytest
from click.testing import CliRunner
from conftest import git
from story import Memory

from hipogit.cli import COMMANDS, cli
from hipogit.doors.tools import RESOURCES, Tools
from hipogit.errors import HipogitError

# Commands that take memory in, take it away, or wait for a partner at the other end.
WRITERS = frozenset(
    {
        *("init", "uninstall", "try", "checkpoint", "capture", "import", "sync"),
        *("supersede", "retract", "dispute", "confirm", "restore", "purge", "doctor"),
        *("compact", "summarize", "dissolve", "condense", "hook", "mcp"),
    }
)
# The trail: what these are for is to tell what was said before.
TRAIL = frozenset({"history"})

CLAIM = "the zebra crossing takes bursts of 7q41 riders"
SECRET = "7q41"  # no question below says it
SUCCESSOR = "the zebra crossing takes nobody"
STORY = f"""
    2026-03-02 zebra crossing [project]  decided: {CLAIM}
    2026-03-02 port 7q41 is ours [project]  decided: nobody else may have it
    2026-03-02 lamp posts [project]  decided: paint them green
    2026-11-28 zebra crossing [project]  outcome: counted twice
    2026-11-29 zebra crossing [feedback]  rule: {CLAIM}; why: told; how-to-apply: always
"""
OLD, RULE = "2026-03-02 zebra crossing", "2026-11-29 zebra crossing"
TITLED = "2026-03-02 port 7q41 is ours"


def read_paths() -> list[str]:
    return [name for name in COMMANDS if name not in WRITERS | TRAIL]


def questions(memory: Memory, id: str) -> list[str]:
    """Whatever a reading command may be given."""
    return [
        id,
        id[:13],
        "zebra",
        "zebra crossing",
        "what does the zebra crossing take?",
        SUCCESSOR,
        f"- {SUCCESSOR} ({id[:13]})",
        "2026-03-02",
        "daily/2026-03-02",
        "2026-W10",
        "2026-03",
        "ROOT",
        "memory/2026-03-02.md",
        "WORKING.md",
        "HEAD",
        memory.tip(),
    ]


def told_by(memory: Memory, name: str, out: Path) -> str:
    """Everything a command says, asked in every way its parameters allow."""
    command = cli.get_command(click.Context(cli), name)
    assert command is not None
    options = {word for p in command.params for word in p.opts}
    takes = any(isinstance(p, click.Argument) for p in command.params)
    flags = [[], *([["--json"]] if "--json" in options else [])]
    flags += [[word] for word in ("--all", "--files", "--derived") if word in options]
    if "--out" in options:
        flags.append(["--out", str(out / "page.html")])
    asked = [[], *([word] for word in questions(memory, memory.id(OLD)))]
    said = []
    for words in asked if takes else [[]]:
        for flag in flags:
            line = ["-C", str(memory.repo), name, *flag, *words]
            done = CliRunner().invoke(cli, line, input="")
            said.append(done.output)
    said += [path.read_text("utf-8") for path in out.rglob("*") if path.is_file()]
    return "\n".join(said)


TOOLS = [tool.__name__ for tool in Tools(Path()).readers]


def told_by_tool(memory: Memory, name: str) -> str:
    """Everything a tool of the MCP server answers, errors included."""
    tool = getattr(Tools(memory.repo), name)
    given = inspect.signature(tool).parameters.values()
    needed = [one.name for one in given if one.default is one.empty]
    said = []
    for text in questions(memory, memory.id(OLD)) if needed else [""]:
        try:
            done = tool(**dict.fromkeys(needed, text))
            said.append(json.dumps(done, ensure_ascii=False, default=str))
        except HipogitError as problem:
            said.append(f"{problem.sentence} {problem.hint}")
    return "\n".join(said)


def offered(memory: Memory, name: str) -> str:
    """What a resource of the MCP server holds."""
    return Tools(memory.repo).file(name)


@pytest.fixture(scope="module", params=["retract", "supersede"])
def withdrawn(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Memory:
    repo = tmp_path_factory.mktemp("withdrawn")
    git(repo, "init", "-q")
    memory = Memory(repo)
    memory.story(STORY)
    # Read paths that keep something of their own have seen the claim before.
    out = tmp_path_factory.mktemp("out")
    before = [told_by(memory, name, out) for name in read_paths()]
    assert any(SECRET in text for text in before)
    for name in ("recall", "search", "show", "why"):
        assert SECRET in told_by_tool(memory, name), name
    assert SECRET in offered(memory, "root")
    for name in (OLD, RULE):
        if request.param == "retract":
            memory.retract(name)
        else:
            fields = f"- rule: {SUCCESSOR}\n- why: w\n- how-to-apply: h"
            memory.supersede(name, fields)
    if request.param == "retract":
        memory.retract(TITLED)
    else:
        memory.supersede(TITLED, "- decided: any port will do", topic="port")
    return memory


@pytest.mark.parametrize("name", read_paths())
def test_no_command_tells_it(withdrawn: Memory, name: str, tmp_path: Path) -> None:
    assert SECRET not in told_by(withdrawn, name, tmp_path)


@pytest.mark.parametrize("name", TOOLS)
def test_no_tool_tells_it(withdrawn: Memory, name: str) -> None:
    said = told_by_tool(withdrawn, name)
    assert said and SECRET not in said


@pytest.mark.parametrize("name", RESOURCES)
def test_no_resource_tells_it(withdrawn: Memory, name: str) -> None:
    assert SECRET not in offered(withdrawn, name)


def test_no_file_tells_it(withdrawn: Memory) -> None:
    assert SECRET not in withdrawn.everything_readable()
    found = git(withdrawn.repo, "grep", "-c", "zebra", "hipogit/memory")
    assert found  # what stands is there


def test_history_tells_it(withdrawn: Memory) -> None:
    assert CLAIM in withdrawn.history(OLD)
    assert "nobody else" in withdrawn.history(TITLED)
    if "history" in COMMANDS:
        line = ["-C", str(withdrawn.repo), "history", withdrawn.id(OLD)]
        assert CLAIM in CliRunner().invoke(cli, line).output
