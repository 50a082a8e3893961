"""Gemini CLI's chats: JSON lines of records told apart by their keys.

The same id again replaces a message in place, `$rewindTo` takes back a message and
all after it, `$set.messages` replaces the whole view (at a start, a resume or a
compression). What stood before a compression was still said: the records are read,
not the final view. Print mode glues injected context in front of the prompt.
(PLATFORMS: section 5.) Older chats are one JSON document; whole.py opens those.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from .fields import blocks, instant, items, mapping, name, text
from .turns import Pen, State, Turn

# So many of the newest messages can be replaced or rewound.
_REMEMBERED = 1000

_GLUED = re.compile(r"\s*<hook_context>.*?</hook_context>", re.DOTALL)
_NOT_SPEECH = ("/", "?", "<session_context>", "<hook_context>", "<state_snapshot>")


class Reader:
    """Records of one chat into turns."""

    def __init__(self, pen: Pen, state: State) -> None:
        self.pen = pen
        self.session = name(state.get("session"))
        self.cwd = text(state.get("cwd"))
        self.side = state.get("side") is True
        # The messages in view, in order: id, and whether a user's statement.
        self.order: dict[str, bool] = {
            name(pair[0]): pair[1] is True
            for pair in items(state.get("order"))
            if isinstance(pair, list) and len(pair) == 2
        }

    def state(self) -> State:
        """What a later reading has to know; no text of the conversation."""
        return {
            "session": self.session,
            "cwd": self.cwd,
            "side": self.side,
            "order": [[id, statement] for id, statement in self.order.items()],
        }

    def row(self, row: Mapping[str, object]) -> None:
        """Take one record into account."""
        if "$rewindTo" in row:
            self._rewind(name(row.get("$rewindTo")))
        elif "$set" in row:
            self._set(mapping(row.get("$set")))
        elif "id" in row and "type" in row:
            self.message(row)
        elif "sessionId" in row:
            self.header(row)

    def header(self, row: Mapping[str, object]) -> None:
        """The first line: whose chat this is."""
        self.session = name(row.get("sessionId")) or self.session
        self.pen.began(instant(row.get("startTime")))
        self.cwd = next(map(text, items(row.get("directories"))), "") or self.cwd
        if "kind" in row:
            self.side = row["kind"] != "main"

    def message(self, row: Mapping[str, object]) -> None:
        """A message, or a newer form of one."""
        id = name(row.get("id")) or f"@{self.pen.start}"
        at = instant(row.get("timestamp"))
        kind = row.get("type")
        statement = ""
        if kind == "user":
            statement = _statement(row)
            if statement and id not in self.order:
                turn = Turn(
                    id=id,
                    session=self.session,
                    at=at,
                    user=statement,
                    cwd=self.cwd,
                    sidechain=self.side,
                )
                self.pen.statement(turn, self.state())
        elif kind == "gemini":
            open = self.pen.open
            if id not in self.order or (open is not None and id in open.parts):
                texts = [text(b.get("text")) for b in blocks(row.get("content"))]
                calls = items(row.get("toolCalls"))
                tools = [name(mapping(call).get("name")) for call in calls]
                before = self.state() if open is None and self.pen.given else {}
                self.pen.answer(id, texts, tools, at, before)
        self.order.setdefault(id, bool(statement))
        if len(self.order) > _REMEMBERED:
            del self.order[next(iter(self.order))]

    def _rewind(self, target: str) -> None:
        ids = list(self.order)
        gone = ids[ids.index(target) :] if target in self.order else ids
        statements = [id for id in gone if self.order.pop(id)]
        self.pen.rewind(statements, self.session)

    def _set(self, change: Mapping[str, object]) -> None:
        if "messages" not in change:
            return
        view: dict[str, bool] = {}
        for item in items(change["messages"])[-_REMEMBERED:]:
            message = mapping(item)
            id = name(message.get("id"))
            view[id] = self.order.get(id, False)
            texts = [text(b.get("text")) for b in blocks(message.get("content"))]
            if any(t.lstrip().startswith("<state_snapshot>") for t in texts):
                self.pen.summary()
        self.order = view


def _statement(row: Mapping[str, object]) -> str:
    """What the user typed; files the client put beside it stand only in `content`."""
    typed = "\n".join(_typed(row.get("displayContent")))
    return typed or "\n".join(_typed(row.get("content")))


def _typed(content: object) -> Iterator[str]:
    for block in blocks(content):
        typed, start = text(block.get("text")), 0
        while match := _GLUED.match(typed, start):
            start = match.end()
        typed = typed[start:].strip()
        if typed and not typed.startswith(_NOT_SPEECH):
            yield typed
