"""Turns: one user statement with what followed, and the pen that writes them down."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from . import reduce

# A turn can hold ten thousand replies; only the newest can still be replaced.
_REPLACEABLE = 64

State = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Turn:
    """One user statement, verbatim, and what followed it, reduced.

    `id` is the host's id of the user's message. `tools` are names with counts.
    `continues` is set on what an agent said by itself after its turn had been given
    out (a background task came back): such a turn has no `user` text, and names the
    turn it belongs to.
    """

    id: str
    session: str
    at: datetime | None
    user: str
    decisions: tuple[str, ...] = ()
    outcomes: tuple[str, ...] = ()
    tools: tuple[tuple[str, int], ...] = ()
    replies: int = 0
    cwd: str = ""
    branch: str = ""
    sidechain: bool = False
    continues: str = ""


@dataclass(slots=True)
class _Part:
    said: list[reduce.Said]
    tools: Counter[str]
    replies: int


@dataclass(slots=True)
class Open:
    """The turn whose answer is still being written."""

    turn: Turn
    offset: int
    before: State
    parts: dict[str, _Part] = field(default_factory=dict)
    earlier: _Part = field(default_factory=lambda: _Part([], Counter(), 0))

    @property
    def answered(self) -> bool:
        """Whether anything followed the statement yet."""
        parts = (self.earlier, *self.parts.values())
        return any(part.replies or part.tools for part in parts)

    def add(self, id: str, part: _Part) -> None:
        self.parts[id] = part
        if len(self.parts) > _REPLACEABLE:
            oldest = self.parts.pop(next(iter(self.parts)))
            self.earlier.said.extend(oldest.said)
            self.earlier.tools.update(oldest.tools)
            self.earlier.replies += oldest.replies
            if len(self.earlier.said) > 4 * _REPLACEABLE:
                self.earlier.said = reduce.thinned(self.earlier.said)

    def finished(self) -> Turn:
        """The turn with its answer reduced to what was decided, done and used."""
        said = list(self.earlier.said)
        tools = Counter(self.earlier.tools)
        replies = self.earlier.replies
        last: list[reduce.Said] = []
        for part in self.parts.values():
            tools.update(part.tools)
            replies += part.replies
            if part.replies:
                said.extend(last)
                last = part.said
        decisions, outcomes = reduce.chosen(said, last)
        turn = self.turn
        return Turn(
            id=turn.id,
            session=turn.session,
            at=turn.at,
            user=turn.user,
            decisions=decisions,
            outcomes=outcomes,
            tools=tuple(tools.items()),
            replies=replies,
            cwd=turn.cwd,
            branch=turn.branch,
            sidechain=turn.sidechain,
            continues=turn.continues,
        )


class Pen:
    """What a platform's reader writes with: statements, answers, rewinds.

    It knows where the line being read stands (`start`), whether an earlier reading
    has seen it (`fresh`), and what to come back to while a turn is open.
    """

    def __init__(
        self,
        injected: Container[str],
        given: State | None = None,
        started: datetime | None = None,
    ) -> None:
        if isinstance(injected, frozenset):
            injected = frozenset(map(reduce.plain, injected))
        self.injected = injected
        self.turns: list[Turn] = []
        self.rewound: list[str] = []
        self.left: list[str] = []
        self.returned: list[str] = []
        self.skipped: Counter[str] = Counter()
        self.summaries = 0
        self.open: Open | None = None
        # The turn that a final reading gave out and that may still be talked about.
        self.given = dict(given or {})
        self.start = 0
        self.fresh = True
        self.started = started
        self.session = ""

    def began(self, at: datetime | None) -> None:
        """The session began then, as far as its first lines tell."""
        self.started = self.started or at

    def statement(self, turn: Turn, before: State) -> None:
        """A user statement: ends the open turn and opens this one.

        `before` is the reader's state as it was before this line; a later reading
        starts there again as long as the turn is open.
        """
        self.close()
        self.began(turn.at)
        self.session = turn.session
        self.open = Open(turn, self.start, before)

    def answer(
        self,
        id: str,
        texts: Iterable[str],
        tools: Iterable[str],
        at: datetime | None,
        before: State,
    ) -> None:
        """Replies and tool calls of the open turn; the same id again replaces them."""
        told = [text for text in texts if text.strip()]
        used = Counter(tool for tool in tools if tool)
        if self.open is None and self.given and (told or used):
            given = self.given
            turn = Turn(
                id=id,
                session=given["session"],
                at=at,
                user="",
                cwd=given["cwd"],
                branch=given["branch"],
                sidechain=given["sidechain"],
                continues=given["id"],
            )
            self.open = Open(turn, self.start, before)
        if self.open is not None:
            said = [s for text in told for s in reduce.said(text, self.injected)]
            self.open.add(id, _Part(said, used, len(told)))

    def close(self) -> None:
        """The open turn is complete; what follows until a statement is nobody's."""
        if self.open is not None:
            self.turns.append(self.open.finished())
        self.open = None
        self.given = {}

    def give_out(self) -> None:
        """The open turn is complete as far as anyone knows (a Stop hook says so)."""
        if self.open is None:
            return
        turn = self.open.turn
        self.turns.append(self.open.finished())
        self.open = None
        self.given = {
            "id": turn.continues or turn.id,
            "session": turn.session,
            "cwd": turn.cwd,
            "branch": turn.branch,
            "sidechain": turn.sidechain,
        }

    def discard(self) -> None:
        """The open turn was a twin of what comes now: forget it."""
        self.open = None

    def rewind(self, ids: Iterable[str], session: str) -> None:
        """The user took these statements of the session back."""
        gone = set(ids)
        self.session = session
        if self.open is not None and (
            self.open.turn.id in gone or self.open.turn.continues in gone
        ):
            self.open = None
        if self.given and self.given["id"] in gone:
            self.given = {}
        self.turns = [
            t for t in self.turns if t.id not in gone and t.continues not in gone
        ]
        if self.fresh:
            self.rewound.extend(sorted(gone))

    def follow(self, line: tuple[list[str], list[str]], session: str) -> None:
        """The next statement leaves some of the session's, or returns to some.

        What was left is given all the same: the session may return to it, and nobody
        could say then what it was.
        """
        gone, back = line
        if not self.fresh:
            return
        self.session = session or self.session
        self.left.extend(gone)
        for id in back:
            if id in self.left:
                self.left.remove(id)
            else:
                self.returned.append(id)

    def summary(self) -> None:
        """A compaction summary stands here: it repeats, and is nobody's speech."""
        if self.fresh:
            self.summaries += 1

    def skip(self, reason: str) -> None:
        """A line or row was passed over; counted once, not again when re-read."""
        if self.fresh:
            self.skipped[reason] += 1
