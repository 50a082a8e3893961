"""OpenCode: one plugin file, found by its place; settings only for the server."""

from __future__ import annotations

from pathlib import Path

from hipogit.assets import asset
from hipogit.platforms import skills
from hipogit.platforms.edits import Edit, OwnFile, Site
from hipogit.platforms.hooks import first_existing
from hipogit.platforms.server import ServerFile

_SERVER = {"type": "local", "command": ["hipogit", "mcp"], "enabled": True}


def detect(site: Site) -> list[str]:
    """Its settings or folder here, or its settings at home."""
    names = ("opencode.json", "opencode.jsonc", ".opencode")
    found = first_existing(site, *names)
    config = Path(site.env.get("XDG_CONFIG_HOME") or site.home / ".config")
    if (config / "opencode").exists():
        found.append(str(config / "opencode"))
    env = ("OPENCODE_CONFIG", "OPENCODE_CONFIG_CONTENT", "OPENCODE")
    return found + [name for name in env if site.env.get(name)]


def plan(site: Site) -> list[Edit]:
    """The plugin, the server, the skills."""
    shim = asset("templates", "opencode/hipogit.js").read_bytes()
    path = site.project / ".opencode" / "plugins" / "hipogit.js"
    edits: list[Edit] = [OwnFile(path, shim, overwrite=site.shared)]
    if site.mcp:
        edits.append(ServerFile(_settings(site), ("mcp",), dict(_SERVER)))
    return [*edits, *skills.plan(site)]


def _settings(site: Site) -> Path:
    """The file it reads settings from here; with both, the one with comments."""
    jsonc = site.project / "opencode.jsonc"
    return jsonc if jsonc.exists() else site.project / "opencode.json"


def needs(site: Site) -> list[str]:
    """A restart: plugins are read at start only."""
    return ["OpenCode: restart it; plugins are read at start only"]


def check(site: Site) -> list[str]:
    """The switch that starts OpenCode without plugins."""
    return ["OPENCODE_PURE is set: plugins are off"] * bool(
        site.env.get("OPENCODE_PURE")
    )
