"""OpenCode's export: one JSON document with a session and its messages.

The database itself also holds tokens and is never opened; `opencode export ID` prints
the session. Synthetic parts were written by the harness; the answer to a message with
a compaction part is a summary. (PLATFORMS: section 3.)
"""

from __future__ import annotations

from collections.abc import Mapping

from .fields import blocks, instant, items, mapping, name, text
from .turns import Pen, State, Turn


class Reader:
    """Messages of one export into turns."""

    def __init__(self, pen: Pen, state: State) -> None:
        self.pen = pen
        self.session = ""
        self.cwd = ""
        self.side = False

    def state(self) -> State:
        """Nothing: an export is read whole."""
        return {}

    def header(self, row: Mapping[str, object]) -> None:
        """The session the export is of."""
        if "info" in row:
            info = mapping(row["info"])
            self.session = name(info.get("id"))
            self.pen.began(instant(mapping(info.get("time")).get("created")))
            self.cwd = text(info.get("directory"))
            self.side = bool(info.get("parentID"))

    def message(self, row: Mapping[str, object]) -> None:
        """A message with its parts."""
        info = mapping(row.get("info"))
        id = name(info.get("id")) or f"@{self.pen.start}"
        at = instant(mapping(info.get("time")).get("created"))
        parts = blocks(items(row.get("parts")))
        texts = [
            text(part.get("text"))
            for part in parts
            if part.get("type") == "text"
            and not part.get("synthetic")
            and not part.get("ignored")
        ]
        if info.get("role") == "user":
            said = "\n".join(t.strip() for t in texts if t.strip())
            if said:
                turn = Turn(
                    id=id,
                    session=name(info.get("sessionID")) or self.session,
                    at=at,
                    user=said,
                    cwd=self.cwd,
                    sidechain=self.side,
                )
                self.pen.statement(turn, {})
        elif info.get("summary") is True:
            self.pen.summary()
        elif info.get("role") == "assistant":
            tools = [name(p.get("tool")) for p in parts if p.get("type") == "tool"]
            self.pen.answer(id, texts, tools, at, {})
