"""The skills hipogit brings to an agent, as files for its skill folder."""

from __future__ import annotations

from pathlib import Path

from hipogit.assets import asset
from hipogit.platforms.edits import Edit, OwnFile, Site

NAMES = ("core", "compaction", "recall", "search", "flush", "correct", "review")
SHARED_FOLDER = ".agents/skills"


def plan(site: Site, folder: str = SHARED_FOLDER) -> list[Edit]:
    """One folder per skill below that folder of the project."""
    return [
        OwnFile(
            site.project / folder / f"hipogit-{name}" / "SKILL.md",
            source(name).read_bytes(),
            overwrite=site.shared,
        )
        for name in NAMES
    ]


def source(name: str) -> Path:
    """The skill's template."""
    return asset("templates", f"skills/hipogit-{name}/SKILL.md")


def for_plugin(name: str) -> bytes:
    """The skill as a plugin carries it: there the plugin's name stands before its own.

    `templates/plugin/skills` holds these; a test compares them with what this gives.
    """
    whole = source(name).read_bytes()
    return whole.replace(f"name: hipogit-{name}\n".encode(), f"name: {name}\n".encode())
