"""A memory told as a story: readable lines become history in a real repository."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from pathlib import Path

from hipogit import correct, memory
from hipogit.correct import Corrected, Who
from hipogit.entry import Entry
from hipogit.install import init
from hipogit.plumbing import Git
from hipogit.record import Record
from hipogit.resolve import entry as resolve_entry
from hipogit.store import Store

NOW = datetime.fromisoformat("2026-11-29T17:35:02+09:00")
ANN = Who(actor="Ann", via="tty")

_LINE = re.compile(r"(\d{4}-\d\d-\d\d) (.+?)(?: \[(\w+)\])? {2,}(.+)")


class Memory:
    """One repository's memory; entries are named by their day and topic, or by id."""

    def __init__(self, repo: Path, now: datetime = NOW) -> None:
        init(Git.discover(repo), now)
        self.repo = repo
        self.store = Store.open(repo)
        self.now = now
        self.ids: dict[str, str] = {}

    def story(self, text: str) -> list[str]:
        """Say each line on its day: `2026-03-02 topic [type]  key: value; key: …`."""
        said = []
        for line in filter(None, map(str.strip, text.split("\n"))):
            match = _LINE.fullmatch(line)
            assert match, line
            day, topic, kind, body = match.groups()
            fields = "\n".join(f"- {part.strip()}" for part in body.split(";"))
            id = self.say(topic, fields, day=day, type=kind or "project")
            self.ids[f"{day} {topic}"] = id
            said.append(id)
        return said

    def draft(
        self,
        topic: str,
        body: str,
        *,
        day: str = "",
        type: str = "project",
        session: str = "s1",
        **more: str,
    ) -> memory.Draft:
        at = datetime.fromisoformat(f"{day}T12:00:00+09:00") if day else self.now
        return memory.Draft(
            topic, body, at.date(), at, type=type, session=session, **more
        )

    def say(self, topic: str, body: str, **more: str) -> str:
        """One checkpoint; the id of what was said."""
        draft = self.draft(topic, body, **more)
        done = memory.remember(
            self.store, [draft], Record("checkpoint", ""), self.now, spool=False
        )
        return done.entries[0].id

    def id(self, name: str) -> str:
        return self.ids.get(name, name)

    def retract(self, name: str, reason: str = "wrong", **more: bool) -> Corrected:
        return correct.retract(self.store, self.id(name), reason, ANN, self.now, **more)

    def supersede(
        self, name: str, body: str, topic: str = "", **more: str
    ) -> Corrected:
        old = self.entry(name)
        draft = self.draft(topic or old.topic, body, type=old.type, **more)
        return correct.supersede(self.store, self.id(name), draft, ANN, self.now)

    def dispute(self, name: str, reason: str = "doubtful") -> Corrected:
        return correct.dispute(self.store, self.id(name), reason, ANN, self.now)

    def confirm(self, name: str, who: Who = ANN) -> Corrected:
        return correct.confirm(self.store, self.id(name), who, self.now)

    def restore(self, name: str, *, instead: bool = False) -> Corrected:
        return correct.restore(
            self.store, self.id(name), ANN, self.now, instead=instead
        )

    def compact(self) -> None:
        """Let every summary be made anew where it is stale."""
        memory.write(self.store, lambda _: [], self.now)

    def later(self, **delta: int) -> None:
        """Let time pass."""
        self.now += timedelta(**delta)

    # --- looking

    def entry(self, name: str) -> Entry:
        with self.store.snapshot() as tip:
            return resolve_entry(tip, self.id(name)).entry

    def tip(self) -> str:
        return self.store.tip() or ""

    def commits(self) -> int:
        return int(self.store.git.text("rev-list", "--count", self.store.ref))

    def files(self) -> dict[str, str]:
        """Every file at the tip."""
        with self.store.snapshot() as tip:
            return {path: tip.read(path) or "" for path in tip.paths()}

    def everything_readable(self) -> str:
        """Every file at the tip and every file in the view, edits included."""
        view = self.store.view
        shown = [] if view is None else sorted(view.path.rglob("*"))
        checked_out = [
            path.read_text("utf-8", errors="surrogateescape")
            for path in shown
            if path.is_file() and path.name != ".git"
        ]
        return "\n".join([*self.files().values(), *checked_out])

    def history(self, name: str) -> str:
        """All that was ever said under an id."""
        from hipogit import trail

        found = trail.versions(self.store, self.id(name), self.tip())
        return "\n".join(v.entry.body for v in found if v.entry)
