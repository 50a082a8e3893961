"""`hipogit mcp`: memory for any agent that speaks the Model Context Protocol.

Hosts put the server's name before each tool's (`mcp__hipogit__checkpoint`). Standard
output is the wire, so nothing in this process may print there.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from .. import __version__, gate
from ..errors import HipogitError, Usage
from .tools import RESOURCES, Tools

_INSTRUCTIONS = (
    "Memory of this project, kept in git. Before answering about earlier work, read"
    " memory://root. Write decisions, corrections by the user and outcomes with"
    " checkpoint as they happen; when something turned out wrong, supersede or retract"
    " it rather than adding a second statement. Never write secrets."
)


def run(cwd: Path, git_dir: Path | None = None) -> None:
    """Serve on standard input and output until the client leaves.

    Raises Usage where the extra is not installed.
    """
    tools = Tools(cwd, git_dir)
    server = build(tools)
    tools.catch_up()
    server.run()


def build(tools: Tools) -> Any:
    """The server with its tools and resources."""
    try:
        from mcp.server.mcpserver import MCPServer
        from mcp_types import ToolAnnotations
    except ImportError:
        raise Usage(
            "the MCP server needs packages that are not installed",
            hint="pip install 'hipogit[mcp]'",
        ) from None
    server = MCPServer("hipogit", instructions=_INSTRUCTIONS, version=__version__)
    for tool in tools.readers:
        notes = ToolAnnotations(read_only_hint=True, open_world_hint=False)
        server.add_tool(_spoken(tool), annotations=notes)
    for tool in tools.writers:
        notes = ToolAnnotations(
            read_only_hint=False, destructive_hint=False, open_world_hint=False
        )
        server.add_tool(_spoken(tool), annotations=notes)
    for name, path in RESOURCES.items():
        _offer(server, tools, name, path)
    return server


def _offer(server: Any, tools: Tools, name: str, path: str) -> None:
    @server.resource(f"memory://{name}", name=path, mime_type="text/markdown")  # type: ignore[untyped-decorator]
    def read() -> str:
        """A file of memory as the branch has it."""
        try:
            return str(_text(tools.file(name)))
        except HipogitError as problem:
            from mcp.server.mcpserver.exceptions import ResourceError

            raise ResourceError(_sentence(problem)) from None


def _spoken(tool: Callable[..., dict[str, Any]]) -> Callable[..., dict[str, Any]]:
    """The tool with failures a model can read and act on."""
    from mcp.server.mcpserver.exceptions import ToolError

    @functools.wraps(tool)
    def call(*args: Any, **named: Any) -> dict[str, Any]:
        try:
            found = _text(tool(*args, **named))
        except HipogitError as problem:
            raise ToolError(_sentence(problem)) from None
        except Exception as problem:
            # Its message may quote what was to be stored; the kind of failure does not.
            sys.stderr.write(f"hipogit mcp: {type(problem).__name__}\n")
            raise ToolError(f"hipogit failed: {type(problem).__name__}") from None
        assert isinstance(found, dict)
        return found

    return call


def _sentence(problem: HipogitError) -> str:
    hint = f" (try: {problem.hint})" if problem.hint else ""
    return gate.clean(f"{problem.sentence}{hint}").text


def _text(value: Any) -> Any:
    """The value with texts that JSON can carry: bytes that were none are replaced."""
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode("utf-8")
    if isinstance(value, dict):
        return {str(key): _text(below) for key, below in value.items()}
    if isinstance(value, list | tuple):
        return [_text(below) for below in value]
    if value is None or isinstance(value, bool | int | float):
        return value
    return str(value)
