"""Why memory says something: from a line down to who said it, when and from where.

A line of a summary or of ROOT ends in the ids it came from; a quoted sentence is looked
for. Each entry leads to its session, actor, source, the commit that brought it and the
code commit of that moment.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from .. import resolve, trail
from ..entry import Entry, topic_key
from ..errors import Refused, Usage
from ..journal import Journal
from ..periods import Day, journal_day, parse_period
from ..store import Snapshot, Store
from . import log

_CITED = re.compile(r"\(([\d\sa-z+-]+)\)\s*$")
_PLACE = re.compile(r"(.+\.md):(\d+)")
_MOST = 12  # entries followed from one line


class Reason(NamedTuple):
    """One entry behind a line, and how it came to be there.

    `brought` is the commit that first held it, `since` what was done to it later,
    newest first. `says` are all entries that say the same, from so many `sessions`.
    """

    entry: Entry
    brought: log.Line | None
    since: tuple[log.Line, ...]
    found: tuple[str, ...]
    says: tuple[str, ...]
    sessions: int

    def values(self) -> dict[str, object]:
        """What a program is told of it."""
        entry, brought = self.entry, self.brought
        return {
            "id": entry.id,
            "topic": entry.topic,
            "type": entry.type,
            "standing": entry.standing,
            "day": str(entry.day),
            "at": entry.at.isoformat() if entry.at else "",
            "session": entry.get("session"),
            "actor": entry.get("actor"),
            "source": entry.get("source"),
            "via": entry.get("via"),
            "text": entry.body,
            "commit": brought.commit if brought else "",
            "code": brought.record.code if brought else "",
            "corrections": [line.values() for line in self.since],
            "found": list(self.found),
            "says": list(self.says),
            "sessions": self.sessions,
        }


def why(store: Store, word: str) -> list[Reason]:
    """The entries behind an id, a line, a place (`FILE:LINE`) or a quoted sentence.

    Raises Refused when nothing says it.
    """
    with store.snapshot() as view:
        entries, places = _behind(view, word)
        if not entries:
            raise Refused(
                f"nothing in memory says {_short(word)!r}",
                hint="quote a whole sentence or line, or give an id",
            )
        said = list(_standing(view))
        return [_reason(store, view, entry, places, said) for entry in entries[:_MOST]]


def _behind(view: Snapshot, word: str) -> tuple[list[Entry], tuple[str, ...]]:
    if resolve.is_prefix(word):
        return [resolve.entry(view, word).entry], ()
    place = _PLACE.fullmatch(word)
    if place:
        lines = (view.read(place[1]) or "").split("\n")
        number = int(place[2])
        if not 0 < number <= len(lines):
            raise Usage(f"{place[1]} has no line {number}", hint="hipogit show FILE")
        found = _cited(view, lines[number - 1])
        if not found and (day := journal_day(place[1])):
            found = _around(view, day, number)
        if found:
            return found, (word,)
        word = lines[number - 1]
    if found := _cited(view, word):
        return found, ()
    return _quoted(view, word)


def _cited(view: Snapshot, line: str) -> list[Entry]:
    """The entries whose ids, or whose day, a line ends in."""
    match = _CITED.search(line.strip())
    if match is None:
        return []
    found: dict[str, Entry] = {}
    for word in match[1].split():
        if resolve.is_prefix(word):
            found.update((f.entry.id, f.entry) for f in resolve.entries(view, word))
        elif isinstance(day := parse_period(word), Day):
            text = line[: match.start()]
            found.update(_of_day(view, day, text))
    return list(found.values())


def _of_day(view: Snapshot, day: Day, text: str) -> Iterator[tuple[str, Entry]]:
    """The entries of a day that say some of a line, all of them when none does."""
    words = set(_plain(text).split())
    entries = Journal.parse(day, view.read(day.journal) or "").entries
    standing = [entry for entry in entries if not entry.withdrawn]
    share = {
        e.id: len(words & set(_plain(f"{e.topic} {e.body}").split())) for e in standing
    }
    most = max(share.values(), default=0)
    for entry in standing:
        if share[entry.id] == most:
            yield entry.id, entry


def _around(view: Snapshot, day: Day, number: int) -> list[Entry]:
    """The entry of a journal that holds a line."""
    above = (view.read(day.journal) or "").split("\n")[: number + 1]
    ids = re.findall(r"^<!-- hipogit id=(\S+)", "\n".join(above), re.MULTILINE)
    found = resolve.exact(view, ids[-1]) if ids else None
    return [found.entry] if found else []


def _quoted(view: Snapshot, text: str) -> tuple[list[Entry], tuple[str, ...]]:
    """The entries that say a text; else those behind the summary lines that do."""
    wanted = _plain(re.sub(r"^\s*[-*+>]+\s+", "", text))
    if not wanted:
        raise Usage("there is nothing to look for", hint="hipogit why ID")
    entries = [entry for entry in _standing(view) if _says(entry, wanted)]
    places, found = [], {entry.id: entry for entry in entries}
    for path in view.paths():
        if journal_day(path) or not path.endswith(".md"):
            continue
        for number, line in enumerate((view.read(path) or "").split("\n"), 1):
            if wanted in _plain(line):
                places.append(f"{path}:{number}")
                if not entries:
                    found.update((e.id, e) for e in _cited(view, line))
    return list(found.values()), tuple(places)


def _says(entry: Entry, wanted: str) -> bool:
    return wanted in _plain(entry.body) or wanted == _plain(entry.topic)


def _standing(view: Snapshot) -> Iterator[Entry]:
    for path in view.paths("memory/"):
        day = journal_day(path)
        if day:
            for entry in Journal.parse(day, view.read(path) or "").entries:
                if entry.id and not entry.withdrawn:
                    yield entry


def _reason(
    store: Store,
    view: Snapshot,
    entry: Entry,
    places: tuple[str, ...],
    said: Iterable[Entry],
) -> Reason:
    forms = list(trail.versions(store, entry.id, view.tip or ""))
    lines = [log.of(store, form.commit) for form in forms]
    same = [] if entry.withdrawn else [other for other in said if _same(entry, other)]
    sessions = {(e.get("source"), e.get("session") or e.id) for e in (*same, entry)}
    return Reason(
        entry,
        lines[-1] if lines else None,
        tuple(lines[:-1]),
        places,
        tuple(other.id for other in same if other.id != entry.id),
        len(sessions),
    )


def _same(one: Entry, other: Entry) -> bool:
    """Whether two entries say one thing: a whole line in common, or topic and value."""
    mine = {text for line in one.body.split("\n") if (text := _claim(line))}
    theirs = {text for line in other.body.split("\n") if (text := _claim(line))}
    shared = mine & theirs
    if topic_key(one.topic) == topic_key(other.topic):
        return bool(shared)
    return any(len(text) >= 20 for text in shared)


def _claim(line: str) -> str:
    return _plain(re.sub(r"^\s*[-*+]\s+(?:[^\W\d_][\w -]{0,30}?[:：])?", "", line))


def _plain(text: str) -> str:
    return " ".join(text.casefold().split()).strip(" .…")


def _short(text: str) -> str:
    return text if len(text) < 60 else text[:57] + "…"
