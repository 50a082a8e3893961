"""The table of platforms: what each module offers the installer."""

from __future__ import annotations

from typing import Protocol

from hipogit.errors import Usage
from hipogit.platforms import claude_code, codex, cursor, gemini, openclaw, opencode
from hipogit.platforms.edits import Edit, Site


class Platform(Protocol):
    """One agent platform."""

    def detect(self, site: Site) -> list[str]:
        """What shows that this agent is in use here; empty when nothing does."""

    def plan(self, site: Site) -> list[Edit]:
        """The changes an installation consists of."""

    def needs(self, site: Site) -> list[str]:
        """What the user has to do besides."""

    def check(self, site: Site) -> list[str]:
        """What in this agent's own settings keeps our hooks from running."""


TABLE: dict[str, Platform] = {
    "claude-code": claude_code,
    "codex": codex,
    "opencode": opencode,
    "openclaw": openclaw,
    "gemini": gemini,
    "cursor": cursor,
}


def platform(name: str) -> Platform:
    """The platform of that name."""
    if name not in TABLE:
        known = ", ".join(TABLE)
        raise Usage(f"there is no platform {name!r}", hint=f"one of: {known}, auto")
    return TABLE[name]
