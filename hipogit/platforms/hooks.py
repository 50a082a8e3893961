"""Tables of hook entries in the shape a host reads them."""

from __future__ import annotations

from pathlib import Path

from hipogit.platforms import files
from hipogit.platforms.edits import Site
from hipogit.platforms.files import decode
from hipogit.platforms.jsonfile import commands
from hipogit.platforms.jsonspan import parse

# The host's event, ours, and the seconds we ask for.
Row = tuple[str, str, int]


def command(platform: str, event: str, shared: bool) -> str:
    """What the host runs. It begins with the mark by which the entry is known as ours.

    A team's file also reaches people without hipogit: there the shell's complaint goes
    nowhere and the exit code is 0.
    """
    quiet = " 2>/dev/null || true" if shared else ""
    return f"hipogit hook {platform} {event}{quiet}"


def entry(platform: str, event: str, shared: bool, timeout: int) -> dict[str, object]:
    """One command entry."""
    return {
        "type": "command",
        "command": command(platform, event, shared),
        "timeout": timeout,
    }


def grouped(
    platform: str, rows: tuple[Row, ...], shared: bool
) -> tuple[tuple[str, dict[str, object]], ...]:
    """A group of our own per event, behind the others: their places do not shift."""
    return tuple(
        (event, {"hooks": [entry(platform, ours, shared, seconds)]})
        for event, ours, seconds in rows
    )


def settings(path: Path) -> dict[str, object]:
    """A settings file as the host reads it; empty when there is none."""
    data = files.read(path)
    if data is None or not data.strip():
        return {}
    found = parse(decode(data, str(path)), str(path)).data
    return found if isinstance(found, dict) else {}


def foreign_commands(path: Path, platform: str) -> list[str]:
    """Commands of ours in this file that were written for another platform."""
    data = files.read(path)
    if data is None or not data.strip():
        return []
    mine = f"hipogit hook {platform} "
    return [c for c in commands(data, str(path)) if not c.startswith(mine)]


def first_existing(site: Site, *names: str) -> list[str]:
    """Which of these exist; names start at the project, or at home with `~/`."""
    found = []
    for name in names:
        base = site.home if name.startswith("~/") else site.project
        if (base / name.removeprefix("~/")).exists():
            found.append(name)
    return found
