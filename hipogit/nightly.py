"""The nightly job that keeps summaries fresh, as text for cron and for systemd."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path

# An odd minute, so that not every machine's jobs start at the full hour.
MINUTE, HOUR = 17, 3


def command(python: str, project: Path) -> list[str]:
    """The command to run, whole: a job is started without anybody's PATH."""
    return [python, "-m", "hipogit", "-C", str(project), "compact"]


def crontab(words: Sequence[str]) -> str:
    """A line for `crontab -e`. What it says goes nowhere, what goes wrong is mailed."""
    # cron turns an unescaped % into a newline.
    line = shlex.join(words).replace("%", r"\%")
    return f"{MINUTE} {HOUR} * * * {line} >/dev/null"


def systemd(words: Sequence[str], name: str) -> dict[str, str]:
    """A service and a timer for `~/.config/systemd/user/`, by file name."""
    title = f"Nightly compaction of the memory of {name}".replace("%", "%%")
    start = " ".join(_unit_word(word) for word in words)
    return {
        f"hipogit-{name}.service": (
            f"[Unit]\nDescription={title}\n\n[Service]\nType=oneshot\nExecStart={start}\n"
        ),
        f"hipogit-{name}.timer": (
            f"[Unit]\nDescription={title}\n\n"
            f"[Timer]\nOnCalendar=*-*-* {HOUR:02}:{MINUTE:02}:00\nPersistent=true\n\n"
            "[Install]\nWantedBy=timers.target\n"
        ),
    }


def instructions(python: str, project: Path) -> str:
    """Everything to copy, for cron or for systemd."""
    words = command(python, project)
    # A unit's name may hold few characters, a project's folder any.
    name = "".join(c if c.isascii() and c.isalnum() else "-" for c in project.name)
    parts = [f"# crontab -e\n{crontab(words)}\n"]
    for file, text in systemd(words, name or "memory").items():
        parts.append(f"# ~/.config/systemd/user/{file}\n{text}")
    parts.append(f"# systemctl --user enable --now hipogit-{name or 'memory'}.timer")
    return "\n".join(parts)


def _unit_word(word: str) -> str:
    for char, escaped in (("\\", "\\\\"), ('"', '\\"'), ("%", "%%"), ("$", "$$")):
        word = word.replace(char, escaped)
    return f'"{word}"'
