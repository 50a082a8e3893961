"""A repository with a memory to ask."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from hipogit.entry import Entry, new_id
from hipogit.journal import Journal
from hipogit.periods import day as day_of
from hipogit.record import Record
from hipogit.store import Step, Store
from tests.conftest import git

NOW = datetime(2026, 11, 29, 8, 35, tzinfo=UTC)


def entry(day: str, topic: str, body: str, type: str = "project", **more: str) -> Entry:
    """An entry said on a day; `standing`, `session`, `rev` and others as keywords."""
    date = day_of(day).date
    standing = more.pop("standing", "stated")
    return Entry(
        topic=topic,
        body=body,
        type=type,
        id=new_id(date, session="s1", source="test", topic=topic, type=type, body=body),
        at=datetime(date.year, date.month, date.day, 9, tzinfo=UTC),
        standing=standing,
        meta=(("session", "s1"), ("source", "test"), *more.items()),
    )


class Memory:
    """A store and a quick way to write to it, as one commit."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.store = Store.open(path)

    def write(self, *entries: Entry, files: dict[str, str | None] | None = None) -> str:
        """Put entries (an id that stands is replaced) and files on the branch."""

        def decide(snapshot: object) -> list[Step]:
            changes: dict[str, str | None] = dict(files or {})
            for said in entries:
                path = f"memory/{said.day}.md"
                text = changes.get(path) or snapshot.read(path) or ""  # type: ignore[attr-defined]
                journal = Journal.parse(day_of(str(said.day)), text)
                found = journal.find(said.id)
                journal = journal.replace(said) if found else journal.add([said])
                changes[path] = journal.render()
            return [Step(changes, Record("checkpoint", "test"))]

        done = self.store.transact(decide, NOW)
        assert done is not None
        return done.tip


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    """An empty memory in a repository of its own."""
    path = tmp_path / "shop"
    path.mkdir()
    git(path, "init", "-q")
    return Memory(path)
