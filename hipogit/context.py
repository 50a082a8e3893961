"""What a session start puts in front of the agent.

A function of the tip alone, byte for byte: hosts cache identical text and pile up
copies of text that differs. Hot paths import this module, so it imports nothing heavy.
"""

from __future__ import annotations

# What `typing` has of it; importing that would be felt at every turn.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from .store import Store

ROOT = "memory/ROOT.md"
FILES = (ROOT, "WORKING.md", "SCRATCHPAD.md", "TASK-QUEUE.md", "USER.md", "MEMORY.md")

# Sections in the order in which they are kept when space is short.
_ORDER = (
    "Rules",
    "WORKING.md",
    "SCRATCHPAD.md",
    "Active Context",
    "Topics Index",
    "TASK-QUEUE.md",
    "Recent Patterns",
    "Historical Summary",
    "USER.md",
    "MEMORY.md",
)
_HEAD = "# Memory (hipogit)\n"


class Context:
    """The text, its size in tokens of four bytes, and the sections in it."""

    __slots__ = ("sections", "text", "tokens")

    def __init__(self, text: str, tokens: int, sections: list[str]) -> None:
        self.text = text
        self.tokens = tokens
        self.sections = sections


def of(store: Store, budget: int = 0) -> Context:
    """The context at the tip, within a number of tokens (0: whole)."""
    with store.snapshot() as snapshot:
        files = [(path, snapshot.read(path)) for path in FILES]
    limit = budget * 4 if budget else None
    return assemble(files, lambda text: limit is None or size(text) <= limit)


def size(text: str) -> int:
    """Bytes of a text."""
    return len(text.encode("utf-8", "surrogateescape"))


def assemble(
    files: Iterable[tuple[str, str | None]], fits: Callable[[str], bool]
) -> Context:
    """The files as one text that fits, cut at whole lines.

    Where something had to be left out, the last line says what and how to get it.
    """
    sections = _sections(files)
    text = _HEAD
    whole: list[str] = []
    cut: list[tuple[str, str]] = []
    for name, body in sections:
        block = f"\n## {name}\n{body}\n"
        if not cut and fits(text + block):
            text += block
            whole.append(name)
        else:
            cut.append((name, body))
    if cut:
        text, partly = _fill(text, cut, fits)
        whole += partly
    return Context(text, -(-size(text) // 4), whole)


def _sections(files: Iterable[tuple[str, str | None]]) -> list[tuple[str, str]]:
    found: dict[str, str] = {}
    for path, text in files:
        if path == ROOT:
            found.update(_of_root(text or ""))
        elif text and _says_something(text):
            found[path] = text.strip("\n")
    known = [(name, found.pop(name)) for name in _ORDER if name in found]
    return known + list(found.items())


def _of_root(text: str) -> dict[str, str]:
    body = text
    if text.startswith("---\n"):
        _, _, body = text[4:].partition("\n---\n")
    found: dict[str, str] = {}
    for part in ("\n" + body).split("\n## ")[1:]:
        name, _, lines = part.partition("\n")
        if lines.strip():
            found[name.strip()] = lines.strip("\n")
    return found


def _says_something(text: str) -> bool:
    # A hot file that holds only its headings and comments tells an agent nothing.
    inside = False
    for line in text.split("\n"):
        words = line.strip()
        if words.startswith("<!--"):
            inside = True
        if words and not inside and not words.startswith("#"):
            return True
        if words.endswith("-->"):
            inside = False
    return False


def _fill(
    text: str, cut: list[tuple[str, str]], fits: Callable[[str], bool]
) -> tuple[str, list[str]]:
    left = [name for name, _ in cut]
    name, body = cut[0]
    lines = body.split("\n")
    # The longest run of whole lines that still leaves room for the notice.
    low, high = 0, len(lines)
    while low < high:
        middle = (low + high + 1) // 2
        block = f"\n## {name}\n" + "\n".join(lines[:middle]) + "\n"
        if fits(text + block + _notice(left)):
            low = middle
        else:
            high = middle - 1
    if low:
        text += f"\n## {name}\n" + "\n".join(lines[:low]) + "\n"
    while left and not fits(text + _notice(left)) and "\n" in text.rstrip("\n"):
        text = text.rstrip("\n").rpartition("\n")[0] + "\n"
    notice = _notice(left)
    return (text + notice if fits(text + notice) else text), [name] if low else []


def _notice(names: list[str]) -> str:
    return f"\n[left out: {', '.join(names)}; all of it: hipogit context]\n"


def ledger_block(notes: list[dict[str, str]]) -> str:
    """Failures to be told, as a block of its own below the stable text."""
    lines = [f"- {note.get('where', '')}: {note.get('sentence', '')}" for note in notes]
    return "\n".join(["## Memory problems (hipogit status)", *lines[-5:], ""])
