"""One thing as it is or was, and everything that was ever said under an id."""

from __future__ import annotations

from contextlib import suppress
from typing import NamedTuple

from .. import resolve, trail
from ..entry import Entry, render
from ..errors import Usage
from ..node import Node
from ..periods import Day, parse_period
from ..record import Record
from ..store import Snapshot, Store
from . import log, points


class Shown(NamedTuple):
    """A thing of memory as one commit has it."""

    commit: str
    path: str
    text: str
    id: str = ""
    topic: str = ""
    type: str = ""
    standing: str = ""
    day: str = ""

    @classmethod
    def of(cls, entry: Entry, path: str, commit: str) -> Shown:
        """An entry."""
        day = str(entry.day) if entry.day else ""
        text = render(entry)
        return cls(
            commit, path, text, entry.id, entry.topic, entry.type, entry.standing, day
        )


class Past(NamedTuple):
    """One form an entry had, and the commit that gave it; None: it was taken away."""

    line: log.Line
    entry: Entry | None

    def values(self) -> dict[str, object]:
        """It as JSON keys."""
        entry = self.entry
        return {
            **self.line.values(),
            "id": entry.id if entry else "",
            "topic": entry.topic if entry else "",
            "type": entry.type if entry else "",
            "standing": entry.standing if entry else "gone",
            "rev": entry.rev if entry else 0,
            "text": entry.body if entry else "",
        }


def show(store: Store, word: str, at: str = "") -> Shown:
    """An entry, a period, a node, a file or a commit; as of a point when given one.

    Raises Usage for a word that names nothing.
    """
    with store.snapshot(points.commit(store, at) if at else "") as view:
        found = _found(store, view, word)
        if found is None and resolve.is_prefix(word):
            resolve.entry(view, word)
    if found is not None:
        return found
    if not at:
        with suppress(Usage):
            return _commit(store, word)
    raise Usage(
        f"nothing is called {word!r}" + (f" at {at}" if at else ""),
        hint="an id, 2026-11-29, 2026-W48, 2026-11, ROOT, daily/2026-11-29, a file",
    )


def _found(store: Store, view: Snapshot, word: str) -> Shown | None:
    tip = view.tip or ""
    period = parse_period(word)
    if isinstance(period, Day):
        return _file(view, period.journal, str(period))
    if period is not None:
        return _file(view, period.path, str(period))
    if word == "ROOT":
        return _file(view, resolve.ROOT, word)
    if resolve.is_prefix(word) and resolve.entries(view, word):
        found = resolve.entry(view, word)
        return Shown.of(found.entry, found.day.journal, tip)
    for path in (word, f"memory/{word}.md", f"{word}.md"):
        if shown := _file(view, path, ""):
            return shown
    return None


def _file(view: Snapshot, path: str, period: str) -> Shown | None:
    text = view.read(path)
    if text is None:
        return None
    node = Node.parse(text) if resolve.is_summary(path) else None
    return Shown(
        view.tip or "",
        path,
        text,
        type=node.type if node else "journal" if period else "file",
        standing=node.status if node else "",
        day=period or (node.period if node else ""),
    )


def _commit(store: Store, word: str) -> Shown:
    """What a commit did, by the ids it names. Raises Usage when there is none."""
    with store.snapshot() as tip:
        line = log.readable(tip)(log.of(store, points.commit(store, word)))
    return Shown(line.commit, "", told(line), topic=line.record.subject, type="commit")


def told(line: log.Line) -> str:
    """A commit of the log in words."""
    record = line.record
    rows = [
        ("commit", line.commit),
        ("at", line.at.isoformat()),
        ("action", record.action),
        ("subject", record.subject),
        *(("entry", id) for id in record.entries),
        ("by", by(record)),
        ("session", record.session),
        ("reason", record.reason),
        ("code", record.code),
        ("redactions", str(record.redactions or "")),
        ("reopened", " ".join(record.reopened)),
    ]
    return "".join(f"{key}: {value}\n" for key, value in rows if value)


def by(record: Record) -> str:
    """Whose word it was: name, program, and whether nobody sat at a terminal."""
    said = record.actor or "unknown"
    if record.source:
        said += f" via {record.source}"
    if record.action in ("confirm", "restore") and record.via not in ("", "tty"):
        said += " (not seen at a terminal)"
    return said


def history(store: Store, ref: str) -> list[Past]:
    """Every form of an entry, newest first, with who gave it and why."""
    with store.snapshot() as view:
        entry = resolve.entry(view, ref).entry
    found = trail.versions(store, entry.id, view.tip or "")
    return [Past(log.of(store, v.commit), v.entry) for v in found]
