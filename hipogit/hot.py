"""Hot files: what outgrew its size, what is done, and the section that is frozen."""

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
_DONE = re.compile(r"^[^\S\n]*[-*+] \[[xX]\] ", re.M)
_ENTRY = re.compile(r"^(?:[-*+]|\d+[.)]) ", re.M)
_CORE = re.compile(r"## +Core\b")
# What ends a section: the next one, or a block of ours.
_ENDS = ("# ", "## ", "<!-- hipogit:")


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


def core(text: str) -> str:
    """The Core section of a MEMORY.md, its heading first; empty when there is none.

    Several of that name count as one: a second would be read just as the first is.
    """
    return "\n".join("\n".join(lines).rstrip() for lines, ours in _parts(text) if ours)


def with_core(text: str, known: str) -> str:
    """A MEMORY.md whose Core section says this, whatever it says now."""
    made: list[str] = []
    placed = False
    for lines, ours in _parts(text):
        blank = len(lines) - len("\n".join(lines).rstrip().split("\n"))
        if ours:
            made += [*known.split("\n"), *[""] * blank] if not placed else []
            placed = True
            continue
        made += lines
    if not placed:
        made = [*known.split("\n"), "", *made]
    return "\n".join(made)


def _parts(text: str) -> list[tuple[list[str], bool]]:
    """The lines of each section, and whether it is one called Core."""
    found: list[tuple[list[str], bool]] = [([], False)]
    for line in text.split("\n"):
        if line.startswith(_ENDS):
            found.append(([], bool(_CORE.match(line))))
        found[-1][0].append(line)
    return found


def _too_long(path: str, text: str | None, limit: int, how: str) -> list[str]:
    lines = len((text or "").split("\n")) - 1
    if lines <= limit:
        return []
    return [f"{path} has {lines} lines, {lines - limit} over its {limit}: {how}"]
