"""Claude Code's session files: one JSON row per line, written by versions 2.1.x.

Only `user` and `assistant` rows with a uuid are speech. Attachments, request bodies,
queue operations and titles repeat prompts or hold injected context; `toolUseResult`
is a second copy of a tool's output. All of that is passed over unread. Rows form a
tree: going back leaves what was said since (tree.py). (PLATFORMS: section 1.)
"""

from __future__ import annotations

from collections.abc import Mapping

from .fields import blocks, instant, mapping, name, text
from .tree import Tree
from .turns import Pen, State, Turn

# What the harness writes in the user's name.
_NOT_SPEECH = (
    "<command-",
    "<local-command-",
    "<system-reminder>",
    "<task-notification>",
    "<bash-",
    "<ide_",
    "[Request interrupted by user",
)


class Reader:
    """Rows of one session file into turns."""

    def __init__(self, pen: Pen, state: State) -> None:
        self.pen = pen
        # A subagent's own file holds side rows only; in a session's file they are
        # another conversation.
        self.side: bool | None = state.get("side")
        self.tree = Tree(mapping(state.get("tree")))

    def state(self) -> State:
        """What a later reading has to know; no text of the conversation."""
        return {"side": self.side, "tree": self.tree.state()}

    def row(self, row: Mapping[str, object]) -> None:
        """Take one row into account."""
        uuid = name(row.get("uuid"))
        if not uuid:
            return
        # A resume writes rows again.
        if self.tree.knows(uuid):
            self.pen.skip("repeated")
        elif not self._speech(row, uuid):
            self.tree.add(uuid, name(row.get("parentUuid")))

    def _speech(self, row: Mapping[str, object], uuid: str) -> bool:
        """Take what was said in; whether it was a statement of the user's."""
        kind = row.get("type")
        if kind not in ("user", "assistant"):
            return False
        if mapping(row.get("forkedFrom")):
            # A fork's file begins with a copy of the session it came from.
            self.pen.skip("copied from another session")
            return False
        side = row.get("isSidechain") is True
        if self.side is None:
            self.side = side
        if side != self.side:
            return False
        content = blocks(mapping(row.get("message")).get("content"))
        if kind == "assistant":
            self._answer(row, uuid, content)
        elif row.get("isCompactSummary") is True:
            self.pen.summary()
        elif statement := _statement(row, content):
            turn = Turn(
                id=uuid,
                session=name(row.get("sessionId")),
                at=instant(row.get("timestamp")),
                user=statement,
                cwd=text(row.get("cwd")),
                branch=name(row.get("gitBranch")),
                sidechain=side,
            )
            before = self.state()
            self.pen.follow(
                self.tree.statement(uuid, name(row.get("parentUuid"))), turn.session
            )
            self.pen.statement(turn, before)
            return True
        return False

    def _answer(
        self,
        row: Mapping[str, object],
        uuid: str,
        content: list[Mapping[str, object]],
    ) -> None:
        model = mapping(row.get("message")).get("model")
        if row.get("isApiErrorMessage") is True or model == "<synthetic>":
            return
        texts = [text(b.get("text")) for b in content if b.get("type") == "text"]
        tools = [name(b.get("name")) for b in content if b.get("type") == "tool_use"]
        before = self.state() if self.pen.open is None and self.pen.given else {}
        self.pen.answer(uuid, texts, tools, instant(row.get("timestamp")), before)


def _statement(row: Mapping[str, object], content: list[Mapping[str, object]]) -> str:
    if row.get("isMeta") is True or row.get("isVisibleInTranscriptOnly") is True:
        return ""
    # A finished background agent wakes the session with a prompt of its own.
    if row.get("promptSource") == "system" or row.get("turnOrigin") == (
        "task_notification"
    ):
        return ""
    if any(block.get("type") == "tool_result" for block in content):
        return ""
    texts = [text(b.get("text")).strip() for b in content if b.get("type") == "text"]
    return "\n".join(t for t in texts if t and not t.startswith(_NOT_SPEECH))
