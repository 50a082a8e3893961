"""Codex: `.codex/hooks.json`, which runs only once the user has approved each entry."""

from __future__ import annotations

import tomllib
from pathlib import Path

from hipogit.errors import HipogitError
from hipogit.platforms import files, skills
from hipogit.platforms.edits import Edit, Site
from hipogit.platforms.hooks import Row, entry, first_existing, settings
from hipogit.platforms.hosts import CODEX_ASKS
from hipogit.platforms.jsonfile import HookFile
from hipogit.platforms.server import TomlServer

# Codex cuts SessionEnd to 3 seconds and warns at every start about more. A changed
# entry has to be approved again, so these rows are not changed lightly.
ROWS: tuple[Row, ...] = (
    ("SessionStart", "session-start", 10),
    ("UserPromptSubmit", "prompt", 5),
    ("PreCompact", "pre-compact", 30),
    ("PostCompact", "post-compact", 10),
    ("Stop", "stop", 30),
    ("SessionEnd", "session-end", 3),
)
_SNAKE = {
    "SessionStart": "session_start",
    "UserPromptSubmit": "user_prompt_submit",
    "PreCompact": "pre_compact",
    "PostCompact": "post_compact",
    "Stop": "stop",
    "SessionEnd": "session_end",
}


def detect(site: Site) -> list[str]:
    """Its folder or its settings; AGENTS.md is read by half of all agents."""
    found = first_existing(site, ".codex", "~/.codex/config.toml")
    return found + [name for name in ("CODEX_HOME",) if site.env.get(name)]


def plan(site: Site) -> list[Edit]:
    """Its hooks file, the server in the project's config.toml, the skills."""
    entries = tuple((event, _group(event, ours, site, s)) for event, ours, s in ROWS)
    edits: list[Edit] = [HookFile(_hooks(site), entries)]
    if site.mcp:
        edits.append(TomlServer.at(site.project / ".codex" / "config.toml"))
    return [*edits, *skills.plan(site)]


def _group(event: str, ours: str, site: Site, seconds: int) -> dict[str, object]:
    made = entry("codex", ours, site.shared, seconds)
    if event == "SessionStart":
        # Without it the middle of a full index would be cut out.
        made["additionalContextLimit"] = CODEX_ASKS
    return {"hooks": [made]}


def needs(site: Site) -> list[str]:
    """Trust and approval, which Codex does not ask for by itself."""
    asked = [
        "Codex: trust this project when it asks, then approve hipogit's hooks once with"
        " /hooks; until then it runs none and says nothing"
    ]
    if not site.mcp:
        asked.append(
            "Codex: its sandbox cannot write .git; for the agent's own checkpoints run"
            " `hipogit init --platform codex --mcp`"
        )
    return asked


def check(site: Site) -> list[str]:
    """Trust and approval as its config.toml has them."""
    problems = _unknown_keys(site)
    path = Path(site.env.get("CODEX_HOME") or site.home / ".codex") / "config.toml"
    try:
        config = tomllib.loads((files.read(path) or b"").decode())
    except ValueError:
        return [*problems, f"{path} is not valid TOML"]
    if _table(config, "features").get("hooks") is False:
        problems.append(f"{path} switches hooks off (features.hooks)")
    names = {str(site.project), str(site.project.resolve())}
    projects = _table(config, "projects")
    if not any(_table(projects, n).get("trust_level") == "trusted" for n in names):
        problems.append(f"{site.project} is not a trusted project, so no hook runs")
    waiting = [event for event, _, _ in ROWS if not _approved(config, site, event)]
    if waiting:
        problems.append(
            f"hooks not approved yet ({', '.join(waiting)}): /hooks in Codex"
        )
    return problems


def _hooks(site: Site) -> Path:
    return site.project / ".codex" / "hooks.json"


def _approved(config: dict[str, object], site: Site, event: str) -> bool:
    """Whether any hook of that event in our file has been approved."""
    state = _table(_table(config, "hooks"), "state")
    for path in {_hooks(site), _hooks(site).resolve()}:
        for key, value in state.items():
            if key.startswith(f"{path}:{_SNAKE[event]}:") and isinstance(value, dict):
                return bool(value.get("trusted_hash")) and value.get("enabled") is not (
                    False
                )
    return False


def _unknown_keys(site: Site) -> list[str]:
    """Codex rejects the whole file for one top-level key it does not know."""
    try:
        found = settings(_hooks(site))
    except HipogitError as error:
        return [error.sentence]
    unknown = sorted(found.keys() - {"description", "hooks"})
    return [
        f"{_hooks(site)} has the unknown key {key!r}: Codex reads none of its hooks"
        for key in unknown
    ]


def _table(config: dict[str, object], name: str) -> dict[str, object]:
    found = config.get(name)
    return found if isinstance(found, dict) else {}
