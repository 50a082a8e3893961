"""The log: one line for each commit, read from git's own log while git walks.

What a filter can say in a message's own words git looks for; the rest is asked of the
parsed trailers.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import date, datetime
from typing import NamedTuple

from .. import resolve
from ..entry import WITHDRAWN, Entry, is_id, parse_all
from ..errors import Usage
from ..periods import Day, Month, Week, parse_period
from ..plumbing import decode
from ..record import Record
from ..store import Snapshot, Store

# Commits that follow from others; the log is about what somebody said.
DERIVED = frozenset({"compact", "summarize"})
BY_HAND = "hand"  # the action of a commit that says none


class Line(NamedTuple):
    """One commit of the log."""

    commit: str
    at: datetime
    record: Record

    def values(self) -> dict[str, object]:
        """It as the stable JSON keys."""
        record = self.record
        return {
            "commit": self.commit,
            "at": self.at.isoformat(),
            "action": record.action,
            "actor": record.actor,
            "source": record.source,
            "session": record.session,
            "entries": list(record.entries),
            "reason": record.reason,
            "redactions": record.redactions,
            "code": record.code,
            "subject": record.subject,
            "via": record.via,
        }


class Filter(NamedTuple):
    """Which commits to show; what is empty asks nothing."""

    id: str = ""
    action: str = ""
    type: str = ""
    session: str = ""
    actor: str = ""
    since: str = ""
    until: str = ""
    derived: bool = False


def lines(store: Store, wanted: Filter, tip: str = "") -> Iterator[Line]:
    """The commits that fit, newest first. Raises Usage for a date that is none."""
    first = _edge(wanted.since, last=False)
    last = _edge(wanted.until, last=True)
    if wanted.id and not resolve.is_prefix(wanted.id):
        raise Usage(f"{wanted.id!r} is no id", hint="write it as 20261129-k3f9")
    with store.snapshot(tip) as view:
        kind_of, read = _types(view), readable(view)
        for line in _walk(store, view.tip or "", wanted):
            record = line.record
            if record.action in DERIVED and not (
                wanted.derived or wanted.action == record.action
            ):
                continue
            if wanted.action not in ("", record.action):
                continue
            if wanted.session not in ("", record.session):
                continue
            if wanted.actor not in ("", record.actor):
                continue
            if not first <= line.at.replace(tzinfo=None) <= last:
                continue
            if wanted.id and not any(id.startswith(wanted.id) for id in record.entries):
                continue
            if wanted.type and wanted.type not in map(kind_of, record.entries):
                continue
            yield read(line)


def readable(view: Snapshot) -> Callable[[Line], Line]:
    """A line as it may be read: a topic that was withdrawn since is not said again."""
    tombs: dict[str, dict[str, Entry]] = {}

    def read(line: Line) -> Line:
        id = next(iter(line.record.entries), "")
        if not is_id(id):
            return line
        if id[:8] not in tombs:
            day = datetime.strptime(id[:8], "%Y%m%d").date()
            text = view.read(Day(day).journal) or ""
            # Reading entries costs far more than finding that none was withdrawn.
            some = any(f" standing={word}" in text for word in WITHDRAWN)
            entries = parse_all(text)[1] if some else []
            tombs[id[:8]] = {e.id: e for e in entries if e.withdrawn}
        gone = tombs[id[:8]].get(id)
        if gone is None:
            return line
        after = resolve.exact(view, gone.get("successor"))
        if after and after.entry.topic == line.record.subject.partition(" (+")[0]:
            return line
        said = f"{id} ({gone.standing} since)"
        return line._replace(record=replace(line.record, subject=said))

    return read


def of(store: Store, commit: str) -> Line:
    """The line of one commit."""
    return next(_read(store, ["-n1", commit]))


def _walk(store: Store, tip: str, wanted: Filter) -> Iterator[Line]:
    words = []
    for key, value in (
        ("Action", "" if wanted.action == BY_HAND else wanted.action),
        ("Session", wanted.session),
    ):
        if value:
            words.append(f"--grep=^Hipogit-{key}: {_literal(value)}$")
    if wanted.id:
        words.append(f"--grep=^Hipogit-Entry: {_literal(wanted.id)}")
    return _read(store, ["--all-match", *words, tip, "--"])


def _read(store: Store, words: list[str]) -> Iterator[Line]:
    # No message holds a NUL, so a line that begins with one is ours.
    head: list[str] = []
    body: list[str] = []
    for raw in store.git.lines("log", "--format=%x00%H%x00%aI%x00%an%n%B", *words):
        text = decode(raw)
        if text[:1] != "\0":
            body.append(text)
            continue
        if head:
            yield _line(head, body)
        head, body = text[1:].split("\0"), []
    if head:
        yield _line(head, body)


def _line(head: list[str], body: list[str]) -> Line:
    commit, at, author = head
    message = "\n".join(body)
    record = Record.parse(message)
    if record is None:
        subject = next((text for text in body if text.strip()), "")
        record = Record(BY_HAND, subject, actor=author)
    return Line(commit, datetime.fromisoformat(at), record)


def _types(view: Snapshot) -> Callable[[str], str]:
    """What type the entry of an id is; a tombstone still tells."""
    known: dict[str, str] = {}

    def kind_of(id: str) -> str:
        if id not in known:
            for found in resolve.entries(view, id[:9]):
                known[found.entry.id] = found.entry.type
        return known.setdefault(id, "")

    return kind_of


def _edge(text: str, *, last: bool) -> datetime:
    """The first or last moment a date, a period or a time names."""
    if not text:
        return datetime.max if last else datetime.min
    found = parse_period(text)
    if found is None:
        try:
            return datetime.fromisoformat(text).replace(tzinfo=None)
        except ValueError:
            raise Usage(
                f"{text!r} is no date", hint="write it as 2026-11-29 or 2026-W48"
            ) from None
    day = _last(found) if last else _first(found)
    return datetime.combine(day, datetime.max.time() if last else datetime.min.time())


def _first(period: Day | Week | Month) -> date:
    return period.date if isinstance(period, Day) else period.first


def _last(period: Day | Week | Month) -> date:
    return period.date if isinstance(period, Day) else period.last


def _literal(text: str) -> str:
    return re.sub(r"([\\.\[\]*^$])", r"\\\1", text)
