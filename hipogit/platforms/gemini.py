"""Gemini CLI: hooks in its settings, timeouts in milliseconds."""

from __future__ import annotations

import json
from pathlib import Path

from hipogit.errors import HipogitError
from hipogit.platforms import files, skills
from hipogit.platforms.edits import Edit, Site
from hipogit.platforms.hooks import (
    Row,
    entry,
    first_existing,
    foreign_commands,
    settings,
)
from hipogit.platforms.jsonfile import HookFile
from hipogit.platforms.server import COMMAND, ServerFile, Together

# PreCompress is left out: it fires at every turn, compressing or not.
ROWS: tuple[Row, ...] = (
    ("SessionStart", "session-start", 10),
    ("BeforeAgent", "prompt", 10),
    ("AfterAgent", "stop", 30),
    ("SessionEnd", "session-end", 3),
)


def detect(site: Site) -> list[str]:
    """Its folders and files, or a hook of it around us."""
    found = first_existing(site, ".gemini", "GEMINI.md", "~/.gemini")
    names = ("GEMINI_PROJECT_DIR", "GEMINI_SESSION_ID", "GEMINI_CWD", "GEMINI_CLI")
    return found + [name for name in names if site.env.get(name)]


def plan(site: Site) -> list[Edit]:
    """Its settings with our hooks and the server, and the skills."""
    path = _settings(site)
    entries = tuple((event, _group(ours, site, s)) for event, ours, s in ROWS)
    hooks = HookFile(path, entries)
    if not site.mcp:
        return [hooks, *skills.plan(site)]
    server = ServerFile(path, ("mcpServers",), COMMAND)
    return [Together(path, (hooks, server)), *skills.plan(site)]


def _group(event: str, site: Site, seconds: int) -> dict[str, object]:
    # A plain number of seconds would be a timeout of some milliseconds here.
    made = entry("gemini", event, site.shared, seconds * 1000)
    return {"hooks": [{"name": f"hipogit-{event}", **made}]}


def needs(site: Site) -> list[str]:
    """Trust: without it the project's hooks and skills are off."""
    return [
        "Gemini CLI: trust this folder when it asks (or /permissions); else no hooks"
    ]


def check(site: Site) -> list[str]:
    """Trust, switches, and Claude Code's commands copied over by a migration."""
    problems = []
    own, user = _settings(site), site.home / ".gemini" / "settings.json"
    asks = True
    for path in (user, own):
        try:
            found = settings(path)
            problems += _switches(found, path)
            asks = asks and _folder_trust(found)
            problems += [
                f"{path} runs `{other}`, copied from another agent with its timeout in"
                " seconds: take that entry out"
                for other in foreign_commands(path, "gemini")
            ]
        except HipogitError as error:
            problems.append(error.sentence)
    if asks and not _trusted(site):
        problems.append(f"{site.project} is not a trusted folder, so hooks are off")
    return problems


def _settings(site: Site) -> Path:
    return site.project / ".gemini" / "settings.json"


def _switches(found: dict[str, object], path: Path) -> list[str]:
    config = found.get("hooksConfig")
    if not isinstance(config, dict):
        return []
    problems = []
    if config.get("enabled") is False:
        problems.append(f"{path} sets hooksConfig.enabled to false")
    off = config.get("disabled")
    ours = (
        [n for n in off if str(n).startswith("hipogit")]
        if isinstance(off, list)
        else []
    )
    return problems + [f"{path} disables the hook {name}" for name in ours]


def _folder_trust(found: dict[str, object]) -> bool:
    """Whether this file leaves the question of trust switched on."""
    security = found.get("security")
    trust = security.get("folderTrust") if isinstance(security, dict) else None
    return not (isinstance(trust, dict) and trust.get("enabled") is False)


def _trusted(site: Site) -> bool:
    data = files.read(site.home / ".gemini" / "trustedFolders.json")
    try:
        rules = json.loads(data or b"{}")
    except ValueError:
        return False
    for key, word in rules.items() if isinstance(rules, dict) else []:
        folder = Path(key).parent if word == "TRUST_PARENT" else Path(key)
        trusts = word in ("TRUST_FOLDER", "TRUST_PARENT")
        if trusts and site.project.resolve().is_relative_to(folder.resolve()):
            return True
    return False
