"""Advice on hot files and the skills' notes: what outgrew its size, what is done."""

from __future__ import annotations

import re

from .config import Config
from .view import View

# File, the setting with its size, and what to do when it is larger.
SIZES = (
    ("WORKING.md", "hot.working_lines", "close finished tasks, move detail to plans/"),
    ("SCRATCHPAD.md", "hot.scratchpad_lines", "take out what is settled"),
    ("TASK-QUEUE.md", "hot.task_queue_lines", "split it: what is far goes to plans/"),
)
NOTES = "memory/agents/"
NOTES_LINES = 30
FLAT_ENTRIES = 200
_DONE = re.compile(r"^\s*[-*+] \[[xX]\] ", re.M)
_ENTRY = re.compile(r"^(?:[-*+]|\d+[.)]) ", re.M)


def advice(view: View, config: Config) -> list[str]:
    """One sentence for each file that should be shorter, with what would do it."""
    found = []
    for path, setting, how in SIZES:
        found += _too_long(path, view.read(path), config.number(setting), how)
    done = len(_DONE.findall(view.read("TASK-QUEUE.md") or ""))
    if done:
        found.append(f"TASK-QUEUE.md holds {done} finished: the journal keeps those")
    for path in view.paths(NOTES):
        how = "keep what still helps in this project"
        found += _too_long(path, view.read(path), NOTES_LINES, how)
    return found


def is_flat(text: str) -> bool:
    """Whether a MEMORY.md has outgrown one flat file and is worth importing."""
    return len(_ENTRY.findall(text)) > FLAT_ENTRIES


def _too_long(path: str, text: str | None, limit: int, how: str) -> list[str]:
    lines = len((text or "").split("\n")) - 1
    if lines <= limit:
        return []
    return [f"{path} has {lines} lines, {lines - limit} over its {limit}: {how}"]
