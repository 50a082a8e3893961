"""Codex's rollouts: `{timestamp, type, payload}` per line; old ones without envelope.

Every text stands there twice. Of three sources the first that occurs counts and its
twins are passed over: `item_completed`, then `user_message`/`agent_message`, then
`response_item`. Developer rows hold injected context, `compacted` a second copy of
old text. (PLATFORMS: section 2.)
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from .fields import blocks, instant, items, mapping, name, text
from .turns import Pen, State, Turn

_COMPLETED, _EVENTS, _ITEMS = 1, 2, 3

# So many of the newest statements can still be rolled back.
_REMEMBERED = 256

_NOT_SPEECH = (
    "# AGENTS.md instructions for",
    "<INSTRUCTIONS>",
    "<user_instructions>",
    "<environment_context>",
    "<permissions instructions>",
    "<skill>",
    "<turn_aborted>",
    "<user_shell_command>",
)


class Reader:
    """Lines of one rollout into turns."""

    def __init__(self, pen: Pen, state: State) -> None:
        self.pen = pen
        source = state.get("source")
        self.source = source if source in (_COMPLETED, _EVENTS, _ITEMS) else _ITEMS
        self.session = name(state.get("session"))
        self.cwd = text(state.get("cwd"))
        self.branch = name(state.get("branch"))
        self.side = state.get("side") is True
        self.statements = [name(id) for id in items(state.get("statements"))]

    def state(self) -> State:
        """What a later reading has to know; no text of the conversation."""
        return {
            "source": self.source,
            "session": self.session,
            "cwd": self.cwd,
            "branch": self.branch,
            "side": self.side,
            "statements": list(self.statements),
        }

    def row(self, row: Mapping[str, object]) -> None:
        """Take one line into account."""
        kind = row.get("type")
        payload = mapping(row.get("payload"))
        if "payload" not in row:
            if kind is None and "id" in row and not self.session:
                self.session = name(row.get("id"))
                self.pen.began(instant(row.get("timestamp")))
            kind, payload = "response_item", row
        at = instant(row.get("timestamp"))
        if kind == "session_meta":
            self._meta(payload)
        elif kind == "turn_context":
            self.cwd = text(payload.get("cwd")) or self.cwd
        elif kind == "compacted":
            self.pen.summary()
        elif kind == "event_msg":
            self._event(row, payload, at)
        elif kind == "response_item":
            self._item(row, payload, at)

    def _meta(self, payload: Mapping[str, object]) -> None:
        # It comes again after a resume, and a fork carries its parent's behind its own.
        if not self.session:
            self.session = name(payload.get("session_id")) or name(payload.get("id"))
            source = payload.get("source")
            self.side = isinstance(source, dict) and "subagent" in source
        self.pen.began(instant(payload.get("timestamp")))
        self.cwd = text(payload.get("cwd")) or self.cwd
        git = mapping(payload.get("git"))
        self.branch = name(git.get("branch")) or self.branch

    def _event(
        self,
        row: Mapping[str, object],
        payload: Mapping[str, object],
        at: datetime | None,
    ) -> None:
        kind = payload.get("type")
        if kind == "user_message":
            said = text(payload.get("message"))
            self._statement(_EVENTS, self._id(row), said, at)
        elif kind == "agent_message":
            said = text(payload.get("message"))
            self._answer(_EVENTS, self._id(row), [said], at)
        elif kind == "item_completed":
            item = mapping(payload.get("item"))
            texts = [text(b.get("text")) for b in blocks(item.get("content"))]
            id = name(item.get("id")) or self._id(row)
            if item.get("type") == "UserMessage":
                said = "\n".join(t for t in texts if t)
                self._statement(_COMPLETED, id, said, at)
            elif item.get("type") == "AgentMessage":
                self._answer(_COMPLETED, id, texts, at)
        elif kind == "thread_rolled_back":
            number = payload.get("num_turns")
            if isinstance(number, int) and number > 0:
                gone = self.statements[-number:]
                del self.statements[-number:]
                self.pen.rewind(gone, self.session)

    def _item(
        self,
        row: Mapping[str, object],
        payload: Mapping[str, object],
        at: datetime | None,
    ) -> None:
        kind = text(payload.get("type"))
        if kind == "message" and payload.get("role") == "user":
            said = "\n".join(_typed(payload))
            self._statement(_ITEMS, self._id(row), said, at)
        elif kind == "message" and payload.get("role") == "assistant":
            content = blocks(payload.get("content"))
            texts = [text(block.get("text")) for block in content]
            self._answer(_ITEMS, self._id(row), texts, at)
        elif kind.endswith("_call"):
            tool = name(payload.get("name")) or kind.removesuffix("_call")
            id = f"{self._id(row)}@{self.pen.start}"
            self.pen.answer(id, [], [tool], at, self._before())

    def _id(self, row: Mapping[str, object]) -> str:
        # Lines have no id of their own; the rollout is append-only, so their time or
        # else their place names them.
        return name(row.get("timestamp")) or f"@{self.pen.start}"

    def _before(self) -> State:
        return self.state() if self.pen.open is None and self.pen.given else {}

    def _answer(
        self, source: int, id: str, texts: list[str], at: datetime | None
    ) -> None:
        if source == self.source:
            # Replies and calls may share their time; none replaces another.
            id = f"{id}@{self.pen.start}"
            self.pen.answer(id, texts, [], at, self._before())

    def _statement(self, source: int, id: str, said: str, at: datetime | None) -> None:
        said = said.strip()
        if source > self.source or not said or said.startswith(_NOT_SPEECH):
            return
        if id in self.statements:
            self.pen.skip("repeated")
            return
        before = self.state()
        if source < self.source:
            self.source = source
            twin = self.pen.open
            if twin and not twin.answered and _same(twin.turn.user, said):
                self.pen.discard()
                self.statements = self.statements[:-1]
        turn = Turn(
            id=id,
            session=self.session,
            at=at,
            user=said,
            cwd=self.cwd,
            branch=self.branch,
            sidechain=self.side,
        )
        self.pen.statement(turn, before)
        self.statements = [*self.statements, id][-_REMEMBERED:]


def _typed(payload: Mapping[str, object]) -> list[str]:
    """The texts of a user item that a person typed, as far as the file tells."""
    content = blocks(payload.get("content"))
    passed = mapping(payload.get("internal_chat_message_metadata_passthrough"))
    kinds = passed.get("content_item_kinds")
    if isinstance(kinds, list):
        if len(kinds) == len(content):
            content = [
                b for b, k in zip(content, kinds, strict=True) if k == "user.text"
            ]
        elif "user.text" not in kinds:
            content = []
    texts = [text(b.get("text")).strip() for b in content]
    return [t for t in texts if t and not t.startswith(_NOT_SPEECH)]


def _same(one: str, other: str) -> bool:
    one, other = "".join(one.split()), "".join(other.split())
    return one in other or other in one
