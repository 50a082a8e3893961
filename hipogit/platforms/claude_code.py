"""Claude Code: hooks in its settings, memory by an import where one can be had."""

from __future__ import annotations

import os.path
from pathlib import Path

from hipogit.errors import HipogitError
from hipogit.platforms import skills
from hipogit.platforms.blockfile import Block
from hipogit.platforms.edits import Edit, Site
from hipogit.platforms.hooks import Row, first_existing, grouped, settings
from hipogit.platforms.jsonfile import HookFile
from hipogit.platforms.server import COMMAND, ServerFile

# SessionEnd gets what its longest timeout says, and the user waits for it.
ROWS: tuple[Row, ...] = (
    ("SessionStart", "session-start", 10),
    ("UserPromptSubmit", "prompt", 5),
    ("PreCompact", "pre-compact", 30),
    ("PostCompact", "post-compact", 10),
    ("Stop", "stop", 30),
    ("TaskCompleted", "task-completed", 30),
    ("SessionEnd", "session-end", 3),
)


def detect(site: Site) -> list[str]:
    """Its folders and files, or a session of it around us."""
    found = first_existing(site, ".claude", "CLAUDE.md", "~/.claude")
    # Gemini and Cursor set CLAUDE_PROJECT_DIR as well, so it proves nothing.
    return found + [
        name for name in ("CLAUDE_CONFIG_DIR", "CLAUDECODE") if site.env.get(name)
    ]


def plan(site: Site) -> list[Edit]:
    """Settings with our hooks, the import block, the server, the skills."""
    name = "settings.json" if site.shared else "settings.local.json"
    edits: list[Edit] = [
        HookFile(
            site.project / ".claude" / name,
            grouped("claude-code", ROWS, site.shared),
        )
    ]
    # A team's file would import what is not there in a teammate's checkout, and a path
    # outside the project makes Claude Code ask; there the hook hands memory over.
    index = site.index
    if not site.shared and index is not None and index.is_relative_to(site.project):
        edits.append(Block(site.project / "CLAUDE.local.md", block(site, index)))
    if site.mcp:
        server: dict[str, object] = {"type": "stdio", **COMMAND, "env": {}}
        edits.append(ServerFile(site.project / ".mcp.json", ("mcpServers",), server))
    return edits + skills.plan(site, ".claude/skills")


def block(site: Site, index: Path) -> str:
    """The lines that make Claude Code load memory by itself."""
    head = "Memory of this project (hipogit keeps this block; skill: hipogit-core)."
    return f"{head}\n@{index.relative_to(site.project).as_posix()}"


def needs(site: Site) -> list[str]:
    """Trust, once, for the folder and for the server."""
    asked = ["Claude Code: say yes when it asks whether this folder is trusted"]
    if site.mcp:
        asked.append("Claude Code: approve the server of .mcp.json when it asks")
    return asked


def check(site: Site) -> list[str]:
    """A switch that turns all hooks off, in any of the files it reads."""
    home = Path(site.env.get("CLAUDE_CONFIG_DIR") or site.home / ".claude")
    paths = [
        home / "settings.json",
        site.project / ".claude" / "settings.json",
        site.project / ".claude" / "settings.local.json",
    ]
    problems = []
    for path in paths:
        try:
            if settings(path).get("disableAllHooks") is True:
                problems.append(f"{_short(path, site)} sets disableAllHooks")
        except HipogitError as error:
            problems.append(error.sentence)
    return problems


def _short(path: Path, site: Site) -> str:
    return (
        os.path.relpath(path, site.project)
        if site.project in path.parents
        else str(path)
    )
