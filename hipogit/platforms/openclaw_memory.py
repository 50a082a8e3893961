"""OpenClaw's MEMORY.md: our block with the topic index, and its Adaptive section.

The file is the host's and its owner's. Core is never changed; Adaptive is only ever
shortened, oldest lines first, after a copy of the file is on the memory branch.
"""

from __future__ import annotations

from pathlib import Path

from hipogit import hot
from hipogit.errors import Refused
from hipogit.platforms import files
from hipogit.platforms.blockfile import Block, content
from hipogit.platforms.edits import Made, Trace

HEADING = "## Compaction Root"
EMPTY = f"{HEADING}\n\nNothing yet; hipogit fills this in at the next checkpoint."
SECTIONS = ("Active Context", "Recent Patterns", "Topics Index")
# OpenClaw cuts what it loads at 20,000 characters; the block stays a small part of it.
LIMIT = 3_000
ADAPTIVE_LINES = 50


class RootBlock(Block):
    """The block whose text every checkpoint renews: any text is as installed."""

    __slots__ = ()

    def renew(self, data: bytes, trace: Trace | None = None) -> Made:
        """The block appended; there is none yet, or it would be intact."""
        return self.install(data)

    def intact(self, data: bytes) -> bool:
        """Whether there is a block at all."""
        return content(data.decode("utf-8", "replace"), self.path) is not None


def refresh(workspace: Path, root: str) -> bool:
    """Put the index into the block; whether the file changed. No block, no change."""
    path = workspace / "MEMORY.md"
    data = files.read(path)
    if data is None or content(data.decode("utf-8", "replace"), path) is None:
        return False
    made = Block(path, block(root)).renew(data)
    if made.data == data:
        return False
    _keep_core(data.decode(), made.data.decode(), path)
    files.write(path, made.data)
    return True


def own_text(text: str, path: Path) -> str | None:
    """The file without our block; None when there is no block of ours in it."""
    if content(text, path) is None:
        return None
    return Block(path, "").remove(text.encode("utf-8", "surrogateescape")).decode()


def block(root: str) -> str:
    """The block's text: the sections of ROOT that fit, whole lines."""
    # A topic that holds a marker of ours would end the block in its midst.
    root = root.replace("<!-- hipogit:", "<!- hipogit:")
    lines = [HEADING, ""]
    left = LIMIT - len(HEADING) - 2
    for title in SECTIONS:
        for line in section(root, title):
            shown = f"#{line}" if line.startswith("#") else line
            left -= len(shown) + 1
            if left < 0:
                return "\n".join(lines).rstrip()
            lines.append(shown)
    return "\n".join(lines).rstrip() if len(lines) > 2 else EMPTY


def pruned(text: str, limit: int = ADAPTIVE_LINES) -> tuple[str, list[str]]:
    """MEMORY.md with its Adaptive section cut to `limit` lines, and the lines cut."""
    lines = text.split("\n")
    begin, end = _span(lines, "Adaptive")
    full = [at for at in range(begin + 1, end) if lines[at].strip()]
    # New lines are appended, so the first ones are the oldest.
    drop = set(full[: max(0, len(full) - limit)])
    kept = [line for at, line in enumerate(lines) if at not in drop]
    return "\n".join(kept), [lines[at] for at in sorted(drop)]


def section(text: str, title: str) -> list[str]:
    """The lines of a `## ` section, its heading first; empty when there is none."""
    lines = text.split("\n")
    begin, end = _span(lines, title)
    return lines[begin:end]


def _span(lines: list[str], title: str) -> tuple[int, int]:
    begin = end = 0
    for at, line in enumerate(lines):
        starts = line.startswith(("# ", "## ", "<!-- hipogit:"))
        if end and starts:
            return begin, at
        if line.startswith("## ") and line[3:].strip().startswith(title):
            begin, end = at, len(lines)
    return begin, end


def _keep_core(before: str, after: str, path: Path) -> None:
    if hot.core(before) != hot.core(after):
        raise Refused(
            f"the Core section of {path} is frozen and would have changed",
            hint="take the hipogit markers out of the Core section",
        )
