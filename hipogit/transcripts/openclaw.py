"""OpenClaw's archived sessions: a header, then entries that form a tree.

All branches are read, in the order written; a branch the user left is taken back until
the tree returns to it (tree.py). Heartbeat polls and what answers them are no speech,
`custom_message` is injected context. Live sessions are rows of a database that also
holds credentials; it is never opened. (PLATFORMS: section 4.)
"""

from __future__ import annotations

from collections.abc import Mapping

from .fields import blocks, instant, mapping, name, text
from .tree import Tree
from .turns import Pen, State, Turn

_HEARTBEAT = "[OpenClaw heartbeat poll]"
_NO_REPLY = "NO_REPLY"


class Reader:
    """Entries of one session into turns."""

    def __init__(self, pen: Pen, state: State) -> None:
        self.pen = pen
        self.session = name(state.get("session"))
        self.cwd = text(state.get("cwd"))
        self.tree = Tree(mapping(state.get("tree")))

    def state(self) -> State:
        """What a later reading has to know; no text of the conversation."""
        tree = self.tree.state()
        return {"session": self.session, "cwd": self.cwd, "tree": tree}

    def row(self, row: Mapping[str, object]) -> None:
        """Take one entry into account."""
        kind = row.get("type")
        id = name(row.get("id"))
        if kind == "session":
            self.session = id or self.session
            self.pen.began(instant(row.get("timestamp")))
            self.cwd = text(row.get("cwd")) or self.cwd
            return
        if not id:
            return
        if self.tree.knows(id):
            self.pen.skip("repeated")
            return
        if kind == "message" and self._message(row, id):
            return
        if kind == "compaction":
            self.pen.summary()
        elif kind == "reset":
            self.pen.close()
        self.tree.add(id, name(row.get("parentId")))

    def _message(self, row: Mapping[str, object], id: str) -> bool:
        """Take a message in; whether it was a statement of the user's."""
        message = mapping(row.get("message"))
        at = instant(row.get("timestamp")) or instant(message.get("timestamp"))
        content = blocks(message.get("content"))
        texts = [text(b.get("text")) for b in content if b.get("type") == "text"]
        if message.get("role") == "user":
            said = "\n".join(t.strip() for t in texts if t.strip())
            if said.startswith(_HEARTBEAT):
                self.pen.close()
            elif said:
                turn = Turn(id=id, session=self.session, at=at, user=said, cwd=self.cwd)
                before = self.state()
                self.pen.follow(
                    self.tree.statement(id, name(row.get("parentId"))), self.session
                )
                self.pen.statement(turn, before)
                return True
        elif message.get("role") == "assistant":
            told = [t for t in texts if t.strip() != _NO_REPLY]
            calls = [b for b in content if b.get("type") == "toolCall"]
            tools = [name(call.get("name")) for call in calls]
            before = self.state() if self.pen.open is None and self.pen.given else {}
            self.pen.answer(id, told, tools, at, before)
        return False
