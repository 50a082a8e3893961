"""Exact copies of withdrawn sentences elsewhere: found, and taken out when asked.

Only the same words are found. A paraphrase is out of reach of any search for text.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

from ..entry import Entry
from ..errors import Usage
from ..journal import Journal
from ..periods import Day, journal_day
from ..resolve import is_summary
from ..view import View
from ..words import sentences

_LABEL = re.compile(r"(?:[-*+>] +|\d{1,3}[.)] +)*(?:[^\W\d_][\w -]{0,30}?[:：] ?)?")
_MARKUP = re.compile(r"(?:[-*+>#\s]|\d{1,3}[.)])*(?:[^\W\d_][\w -]{0,30}?[:：])?\s*")
# Shorter ones are no claim of their own: "yes", "done", "in api/limits.py".
_LEAST = 12
_LEAST_WIDE = 6  # characters of scripts that need fewer
_PIECE = _LEAST_WIDE  # no claim is shorter


class Copy(NamedTuple):
    """A place that says a withdrawn sentence: file, line, entry (if one), sentence."""

    path: str
    line: int
    id: str
    text: str


def claims(entry: Entry) -> list[str]:
    """The sentences an entry states: whole lines, then their parts."""
    found: dict[str, None] = {}
    for line in entry.body.split("\n"):
        line = line.strip()
        label = _LABEL.match(line)
        value = line[label.end() :] if label else line
        for text in (value, *sentences(value)):
            text = text.strip()
            if _is_claim(text):
                found[text] = None
    return list(found)


def _is_claim(text: str) -> bool:
    wide = sum(ord(char) > 0x2E7F for char in text)
    return len(text) >= _LEAST or wide >= _LEAST_WIDE


def withdrawn_claims(old: Entry, new: Sequence[Entry] = ()) -> list[str]:
    """What an entry said that those in its place do not say."""
    kept = "\n".join(entry.body for entry in new)
    return [text for text in claims(old) if text not in kept]


def search(view: View, texts: Sequence[str], skip: Iterable[str]) -> list[Copy]:
    """Where hot files, notes and standing entries say one of these sentences.

    `skip` are ids of entries that are not looked at.
    """
    found: list[Copy] = []
    skipped, known = set(skip), _Known(texts)
    for path, text, day in _files(view, texts):
        if day is None:
            found += _in_lines(path, text.split("\n"), known)
            continue
        for entry in Journal.parse(day, text).entries:
            if entry.id in skipped or entry.withdrawn:
                continue
            for copy in _in_lines(path, entry.body.split("\n"), known):
                line = _line_of(text, copy.text, entry.id)
                found.append(copy._replace(id=entry.id, line=line))
    return found


def without(
    view: View, texts: Sequence[str], skip: Iterable[str]
) -> tuple[dict[str, str | None], list[Entry]]:
    """The notes changed so that none says these sentences, and the entries cut."""
    changes: dict[str, str | None] = {}
    entries: list[Entry] = []
    skipped, known = set(skip), _Known(texts)
    for path, text, day in _files(view, texts):
        if day is None:
            cut = _cut(text, known)
            if cut != text:
                changes[path] = cut
            continue
        for entry in Journal.parse(day, text).entries:
            if entry.id in skipped or entry.withdrawn:
                continue
            cut = _cut(entry.body, known)
            if cut != entry.body:
                entries.append(replace(entry, body=cut))
    return changes, entries


def _files(view: View, texts: Sequence[str]) -> Iterable[tuple[str, str, Day | None]]:
    """The files that may hold a copy, with the day of those that are journals."""
    if not texts:
        return
    for path in view.paths():
        if is_summary(path) or path.startswith(".") or path == "hipogit.toml":
            continue
        text = view.read(path)
        if text is None or not any(one in text for one in texts):
            continue
        yield path, text, journal_day(path)


class _Known:
    """Sentences by their rarest piece: of many, a line is held against a few."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._texts = texts
        self._by_piece: dict[str, list[int]] = {}
        counts = Counter(piece for text in texts for piece in _pieces(text))
        for number, text in enumerate(texts):
            rarest = min(_pieces(text), key=lambda piece: (counts[piece], piece))
            self._by_piece.setdefault(rarest, []).append(number)

    def in_(self, line: str) -> list[str]:
        """Those that the line has in it, in their order."""
        known = self._by_piece
        numbers = {
            number
            for piece in _pieces(line) & known.keys()
            for number in known[piece]
            if self._texts[number] in line
        }
        return [self._texts[number] for number in sorted(numbers)]


def _pieces(text: str) -> set[str]:
    return {text[at : at + _PIECE] for at in range(max(len(text) - _PIECE, 0) + 1)}


def _in_lines(path: str, lines: list[str], known: _Known) -> list[Copy]:
    found = []
    for number, line in enumerate(lines, 1):
        said = next((text for text in known.in_(line) if _stands(text, line)), None)
        if said is not None:
            found.append(Copy(path, number, "", said))
    return found


def _stands(text: str, line: str) -> bool:
    """Whether a line says the text, and not as a part of longer words."""
    return any(True for _ in _places(text, line))


def _places(text: str, line: str) -> Iterable[int]:
    at = line.find(text)
    while at >= 0:
        before, after = line[at - 1 : at], line[at + len(text) : at + len(text) + 1]
        whole = not (before.isalnum() and text[0].isalnum() and text[0].isascii())
        if whole and not (after.isalnum() and text[-1].isalnum() and after.isascii()):
            yield at
        at = line.find(text, at + 1)


def _cut(text: str, known: _Known) -> str:
    """The text without these sentences; a line left with a label alone goes too."""
    kept = []
    for line in text.split("\n"):
        short = line
        for claim in known.in_(line):
            while (at := next(iter(_places(claim, short)), -1)) >= 0:
                short = f"{short[:at].rstrip()} {short[at + len(claim) :].lstrip()}"
        if short == line:
            kept.append(line)
        elif any(char.isalnum() for char in short[_end_of_markup(short) :]):
            kept.append(short.rstrip())
    return "\n".join(kept)


def _end_of_markup(line: str) -> int:
    match = _MARKUP.match(line)
    return match.end() if match else 0


def _line_of(text: str, claim: str, id: str) -> int:
    start = max(text.find(f"id={id}"), 0)
    return text.count("\n", 0, max(text.find(claim, start), 0)) + 1


def not_repeated(reason: str, entry: Entry) -> None:
    """Raise Usage for a reason that says again what it withdraws: it stays readable."""
    lower = _bare(reason)
    lines = entry.body.split("\n")
    if lower in map(_bare, (entry.topic, *lines)) or any(
        _bare(text) in lower for text in claims(entry)
    ):
        raise Usage(
            f"the reason repeats what {entry.id} says, and would keep it readable",
            hint="say why it is wrong, not what it said",
        )


def _bare(text: str) -> str:
    """Words alone: who says it again may leave the bullet or the dot out."""
    label = _MARKUP.match(text)
    words = text[label.end() :] if label else text
    return " ".join(words.casefold().split()).strip(" .…!?;,:。！？、\"'`*_")
