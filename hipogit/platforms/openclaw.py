"""OpenClaw: a hook folder in the workspace and a marked block in its MEMORY.md."""

from __future__ import annotations

from pathlib import Path

from hipogit.assets import asset
from hipogit.errors import HipogitError
from hipogit.platforms import openclaw_memory, skills
from hipogit.platforms.edits import Edit, OwnFile, Site
from hipogit.platforms.hooks import settings
from hipogit.platforms.server import ServerFile

SIGNS = ("SOUL.md", "IDENTITY.md", "BOOTSTRAP.md", "USER.md")


def detect(site: Site) -> list[str]:
    """Signs that this project is a workspace: its place, or two of its own files."""
    found = [name for name in SIGNS if (site.project / name).exists()]
    found = found if len(found) > 1 else []
    named = site.env.get("OPENCLAW_WORKSPACE_DIR")
    here = site.project.resolve()
    if named and Path(named).resolve() == here:
        found.append("OPENCLAW_WORKSPACE_DIR")
    if here.parent == _state(site).resolve() and here.name.startswith("workspace"):
        found.append(str(site.project))
    return found


def plan(site: Site) -> list[Edit]:
    """The hook folder, the block for ROOT, the server, the skills."""
    files: list[Edit] = [
        OwnFile(
            site.project / "hooks" / "hipogit" / name,
            asset("templates", f"openclaw/{name}").read_bytes(),
            overwrite=site.shared,
        )
        for name in ("HOOK.md", "handler.js")
    ]
    settings_file = _state(site) / "openclaw.json"
    if site.mcp and settings_file.exists():
        # The gateway starts servers in a folder of its own.
        args = ["-C", str(site.project), "mcp"]
        server: dict[str, object] = {"command": "hipogit", "args": args}
        files.append(ServerFile(settings_file, ("mcp", "servers"), server))
    return [
        *files,
        openclaw_memory.RootBlock(site.project / "MEMORY.md", openclaw_memory.EMPTY),
        *skills.plan(site),
    ]


def needs(site: Site) -> list[str]:
    """Enabling, which is the user's to do: it can switch other hooks off."""
    asked = [
        "OpenClaw: run `openclaw hooks enable hipogit` and restart the gateway; the"
        " first hook enabled by name makes the list exclusive: enable your others too"
    ]
    if site.mcp and not (_state(site) / "openclaw.json").exists():
        asked.append(
            "OpenClaw: it has no openclaw.json yet; once it has, run"
            " `hipogit init --platform openclaw --mcp` again for the server"
        )
    return asked


def check(site: Site) -> list[str]:
    """Whether the hook is enabled in openclaw.json."""
    path = _state(site) / "openclaw.json"
    try:
        found: object = settings(path)
    except HipogitError as error:
        return [error.sentence]
    for key in ("hooks", "internal", "entries", "hipogit", "enabled"):
        found = found.get(key) if isinstance(found, dict) else None
    return [] if found is True else ["the hook is not enabled in OpenClaw"]


def _state(site: Site) -> Path:
    return Path(site.env.get("OPENCLAW_STATE_DIR") or site.home / ".openclaw")
