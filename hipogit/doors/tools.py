"""What the MCP server offers: memory's verbs as functions of plain values.

Each takes texts and gives a dictionary; the docstrings are what a model reads before it
chooses one. Nothing here confirms anything: that is a person's to do.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Literal

from .. import audit, catchup, clock, correct, inbox, memory, quick
from ..entry import field_key, field_lines
from ..errors import HipogitError, NotSetUp, Usage
from ..record import Record
from ..store import Store

Type = Literal["project", "feedback", "user", "reference"]
Result = dict[str, Any]

VIA = "mcp"
# Some hosts start servers in the home folder and name the project here.
_PROJECTS = ("CLAUDE_PROJECT_DIR", "CURSOR_PROJECT_DIR", "GEMINI_PROJECT_DIR")
RESOURCES = {
    "root": "memory/ROOT.md",
    "working": "WORKING.md",
    "scratchpad": "SCRATCHPAD.md",
    "task-queue": "TASK-QUEUE.md",
}


class Tools:
    """The tools of one server, in the repository it was started for."""

    def __init__(self, cwd: Path, git_dir: Path | None = None) -> None:
        self.cwd = cwd
        self.git_dir = git_dir
        self.client = "mcp"

    @property
    def readers(self) -> list[Callable[..., Result]]:
        """Tools that change nothing."""
        return [
            self.recall,
            self.search,
            self.knows,
            self.show,
            self.why,
            self.status,
        ]

    @property
    def writers(self) -> list[Callable[..., Result]]:
        """Tools that write one commit each to the memory branch, and nothing else."""
        return [self.checkpoint, self.supersede, self.retract, self.dispute]

    def checkpoint(
        self,
        topic: str,
        text: str,
        type: Type = "project",
        fields: dict[str, str] | None = None,
        corrects: str = "",
        session: str = "",
    ) -> Result:
        """Write down what should be known next month: a decision with its reason, an
        outcome, a fact about the user, a rule. Secrets are taken out first.

        `topic` is a short heading. `fields` become `- key: value` lines: decisions,
        outcome, references; a feedback entry needs rule, why and how-to-apply, and with
        `corrects` names the entry it corrects.
        """
        store = self.store()
        now = clock.now()
        draft = self._draft(store, topic, text, type, fields or {}, session)
        catchup.ready(store, now)
        if corrects:
            done = correct.say(
                store, [draft], self._who(store, session), now, corrects=[corrects]
            )
            return _corrected(done)
        record = Record(
            "checkpoint",
            "",
            session=draft.session,
            source=draft.source,
            actor=memory.person(store.git),
            code=memory.code_state(store.git),
        )
        kept = memory.remember(store, [draft], record, now)
        return {
            "commit": kept.commit,
            "spooled": kept.spooled,
            "problem": kept.problem,
            **memory.values(kept.entries, kept.findings),
        }

    def supersede(
        self,
        id: str,
        text: str,
        reason: str,
        topic: str = "",
        type: Type | None = None,
        fields: dict[str, str] | None = None,
        session: str = "",
    ) -> Result:
        """Say something new in the place of an entry that no longer holds. The old text
        leaves everything memory shows; git history keeps it."""
        from .. import resolve

        store = self.store()
        now = clock.now()
        catchup.ready(store, now)
        with store.snapshot() as tip:
            old = resolve.entry(correct.foreseen(store, tip, now), id).entry
        draft = self._draft(
            store, topic or old.topic, text, type or old.type, fields or {}, session
        )
        who = self._who(store, session)
        return _corrected(correct.supersede(store, id, draft, who, now, reason=reason))

    def retract(self, id: str, reason: str, session: str = "") -> Result:
        """Withdraw an entry that was wrong and has no replacement. Who, when and why
        stay in its place."""
        store = self.store()
        now = clock.now()
        catchup.ready(store, now)
        who = self._who(store, session)
        return _corrected(correct.retract(store, id, reason, who, now))

    def dispute(self, id: str, reason: str, session: str = "") -> Result:
        """Mark an entry as doubtful without taking it away, for a person to decide."""
        store = self.store()
        now = clock.now()
        catchup.ready(store, now)
        who = self._who(store, session)
        return _corrected(correct.dispute(store, id, reason, who, now))

    def recall(self, question: str, limit: int = 0, budget: int = 2000) -> Result:
        """Find what memory holds that bears on a question or a task, best first, with
        day, standing and source of each; use it before answering about earlier work.
        Nothing comes back where nothing is known. `budget` is in tokens."""
        from ..recall import answer
        from ..recall.index import using

        _positive(budget=budget)
        found = using(
            self.store(),
            lambda index: answer.recall(index, question, budget=budget, most=limit),
        )
        return {
            "results": [item.as_json() for item in found.items],
            "tokens": found.tokens,
            "topics": list(found.topics),
        }

    def search(
        self,
        words: str,
        limit: int = 10,
        type: Type | None = None,
        since: str = "",
    ) -> Result:
        """Search entries and summaries by words, "phrases", prefix*, -without and
        topic:word, ranked. `since` is a day such as 2026-11-29."""
        from ..recall import search
        from ..recall.index import using

        _positive(limit=limit)
        hits = using(
            self.store(),
            lambda index: search.search(
                index, words, most=limit, type=type or "", since=since
            ),
        )
        return {"results": [hit._asdict() for hit in hits]}

    def knows(self, topic: str) -> Result:
        """Say whether there is anything about a topic, and where to read it."""
        from ..recall import about
        from ..recall.index import using

        store = self.store()
        with store.snapshot() as snapshot:
            places = about.knows(snapshot, topic)
        places = places or using(store, lambda index: about.knows_fresh(index, topic))
        return {"known": bool(places), "where": [one._asdict() for one in places]}

    def show(self, id: str, at: str = "") -> Result:
        """Show one thing whole: an entry by id, a day (2026-11-29), a week (2026-W48),
        a month (2026-11), ROOT, or a file. `at` shows it as it was on a day or at a
        commit."""
        return audit.show(self.store(), id, at)._asdict()

    def why(self, text: str) -> Result:
        """Show where a line of memory comes from: the entry behind it, its session,
        actor, commit and code commit. Takes an id, or a line or sentence as it
        stands."""
        return {"entries": [one.values() for one in audit.why(self.store(), text)]}

    def status(self) -> Result:
        """Show whether memory works here: branch, view, counts, what waits, faults."""
        from .. import status

        found = status.status(self.store(), clock.now())
        return {**found.values, "notes": list(found.notes)}

    def file(self, name: str) -> str:
        """The text of a resource at the tip; empty where there is none yet."""
        with self.store().snapshot() as tip:
            return tip.read(RESOURCES[name]) or ""

    def store(self) -> Store:
        """The memory of the repository. Raises NotSetUp."""
        try:
            store = Store.open(self.cwd, self.git_dir)
        except NotSetUp:
            git_dir = quick.lent(str(self.cwd))[1]
            if self.git_dir or not git_dir:
                raise
            store = Store.open(self.cwd, Path(git_dir))
        if store.local.is_dir():
            return store
        for name in _PROJECTS:
            folder = os.environ.get(name, "")
            if folder and Path(folder).is_dir():
                other = Store.open(Path(folder))
                if other.local.is_dir():
                    return other
        raise NotSetUp(f"{self.cwd} has no memory yet", hint="hipogit init")

    def catch_up(self) -> None:
        """Commit what waits, as far as that is possible."""
        try:
            store = self.store()
        except HipogitError:
            return  # every tool will say so
        try:
            correct.drain(store, clock.now())
        except HipogitError as problem:
            store.ledger.note(clock.now().isoformat(), "spool", problem.sentence)

    def _draft(
        self,
        store: Store,
        topic: str,
        text: str,
        type: str,
        fields: Mapping[str, str],
        session: str,
    ) -> memory.Draft:
        running = self._session(store, session)
        now = clock.now()
        lines = [text] if text.strip() else []
        lines += [field_lines(field_key(key), fields[key]) for key in fields]
        return memory.Draft(
            topic,
            "\n".join(lines),
            memory.start_day(running, now),
            now,
            type=type,
            session=running.id if running else session,
            source=(running and running.platform) or self.client,
            via=VIA,
        )

    def _who(self, store: Store, session: str) -> correct.Who:
        running = self._session(store, session)
        return correct.Who(
            actor=memory.person(store.git),
            session=running.id if running else session,
            source=(running and running.platform) or self.client,
            via=VIA,
            code=memory.code_state(store.git),
        )

    def _session(self, store: Store, named: str) -> inbox.Session | None:
        return inbox.session_of(store.local / "sessions", self.cwd, named)


def _positive(**given: int) -> None:
    for name, value in given.items():
        if value < 1:
            raise Usage(f"{name} is at least 1, not {value}")


def _corrected(done: correct.Corrected) -> Result:
    return {
        "commit": done.commit,
        "spooled": done.commit is None,
        "problem": done.problem,
        "id": done.entry.id,
        "standing": done.entry.standing,
        "rebuilt": list(done.rebuilt),
        "copies": [copy._asdict() for copy in done.copies],
    }
