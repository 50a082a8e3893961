"""Cursor: flat entries in `.cursor/hooks.json`."""

from __future__ import annotations

from hipogit.platforms import skills
from hipogit.platforms.edits import Edit, Site
from hipogit.platforms.hooks import Row, command, first_existing
from hipogit.platforms.jsonfile import HookFile
from hipogit.platforms.server import COMMAND, ServerFile

ROWS: tuple[Row, ...] = (
    ("sessionStart", "session-start", 10),
    ("beforeSubmitPrompt", "prompt", 5),
    ("preCompact", "pre-compact", 30),
    ("stop", "stop", 30),
    ("sessionEnd", "session-end", 3),
)


def detect(site: Site) -> list[str]:
    """Its folder, or a hook of it around us."""
    found = first_existing(site, ".cursor", "~/.cursor")
    names = ("CURSOR_PROJECT_DIR", "CURSOR_VERSION", "CURSOR_TRANSCRIPT_PATH")
    return found + [name for name in names if site.env.get(name)]


def plan(site: Site) -> list[Edit]:
    """Its hooks file, the server, the skills."""
    entries = tuple(
        (event, {"command": command("cursor", ours, site.shared), "timeout": seconds})
        for event, ours, seconds in ROWS
    )
    folder = site.project / ".cursor"
    edits: list[Edit] = [HookFile(folder / "hooks.json", entries, base={"version": 1})]
    if site.mcp:
        edits.append(ServerFile(folder / "mcp.json", ("mcpServers",), COMMAND))
    return [*edits, *skills.plan(site)]


def needs(site: Site) -> list[str]:
    """Nothing that we know of beyond a trusted workspace."""
    return ["Cursor: trust this workspace; new hooks show under Settings, Hooks"]


def check(site: Site) -> list[str]:
    """Nothing: Cursor's own switches are not kept in files we may read."""
    return []
