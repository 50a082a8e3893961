"""Taking over a flat MEMORY.md: one entry for each of its bullets or paragraphs.

The file is only read. A date in a heading or at the start of a bullet is the day of
what stands there; without one it is the day of the import.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, datetime, timedelta
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from . import memory
from .entry import TYPES
from .errors import Usage
from .importer import Imported, midnight, one_day, read_text
from .store import Store
from .words import topic_of

_HEADING = re.compile(r"(#{1,6})\s")
_BULLET = re.compile(r"(?:[-*+]|\d{1,9}[.)])\s+(?:\[[ xX]\]\s+)?")
_DATE = re.compile(r"\b(\d{4}-\d\d-\d\d)\b")
_TYPE = re.compile(rf"\[({'|'.join(TYPES)})\]")
_FENCE = re.compile(r"\s*(```|~~~)")
# What a heading says about the kind of what stands beneath it.
_KINDS = (
    (re.compile(r"\b(user|profile|about me|preferences?)\b|사용자|선호", re.I), "user"),
    (re.compile(r"\b(references?|links?|resources)\b|참고|링크", re.I), "reference"),
)


class Piece(NamedTuple):
    """One statement of a flat file: the headings above it and its text."""

    headings: tuple[str, ...]
    text: str


def memory_md(store: Store, path: Path, now: datetime) -> Imported:
    """Import a flat file, one commit for each day it speaks of.

    Running it again adds nothing twice. Raises Usage when it holds nothing, or a date
    that lies in the future.
    """
    # Before it is cut up: no part of a key or of a wrapped token shows what it is.
    cleaned = memory.cleaned(store, read_text(path))
    drafts = sorted(_drafts(cleaned.text, now), key=lambda draft: draft.day)
    if not drafts:
        raise Usage(f"{path} holds no statement", hint="a bullet or a paragraph each")
    late = drafts[-1].day
    if late > now.date():
        raise Usage(
            f"{path} speaks of {late}, which lies in the future",
            hint="hipogit --now ISO import …",
        )
    done = Imported(0, 0, len(cleaned.findings))
    for _, found in groupby(drafts, key=lambda draft: draft.day):
        done = done.plus(one_day(store, list(found), path, now))
    return done


def pieces(text: str) -> Iterator[Piece]:
    """The statements of a flat file, in order; a fenced block stays in one."""
    headings: list[tuple[int, str]] = []
    lines: list[str] = []
    fenced = False
    for line in [*text.replace("\r\n", "\n").split("\n"), "# "]:
        if fenced or _FENCE.match(line):
            fenced ^= bool(_FENCE.match(line))
            lines.append(line)
            continue
        heading = _HEADING.match(line)
        starts = heading or _BULLET.match(line)
        over = not line.strip() and lines and not _BULLET.match(lines[0])
        if (starts or over) and any(part.strip() for part in lines):
            yield Piece(tuple(name for _, name in headings), "\n".join(lines).strip())
            lines = []
        if heading:
            depth = len(heading[1])
            headings = [above for above in headings if above[0] < depth]
            name = line[depth:].lstrip().rstrip("#").rstrip()
            headings.append((depth, name))
        elif line.strip() or lines:
            lines.append(line)


def _drafts(text: str, now: datetime) -> Iterator[memory.Draft]:
    if text.startswith("---\n"):
        text = text.partition("\n---\n")[2] or text
    for number, piece in enumerate(pieces(text)):
        said = _unmarked(piece.text)
        if said.startswith("<!--") or not any(c.isalnum() for c in said):
            continue
        where = [name for name in piece.headings if not _DATE.fullmatch(name)]
        day = _day(piece) or now.date()
        typed = _TYPE.search(" ".join([*piece.headings, said]))
        topic = topic_of(said) or " ".join(said.split())[:60]
        yield memory.Draft(
            _TYPE.sub("", topic).strip() or topic,
            said + (f"\n- section: {' / '.join(where)}" if where else ""),
            day,
            midnight(day, now) + timedelta(seconds=number % 86_400),
            type=typed[1] if typed else _kind(piece.headings),
            source="import",
            standing="captured",
        )


def _unmarked(text: str) -> str:
    bullet = _BULLET.match(text)
    return text[bullet.end() :] if bullet else text


def _day(piece: Piece) -> date | None:
    for text in (piece.text[:40], *reversed(piece.headings)):
        if match := _DATE.search(text):
            try:
                return date.fromisoformat(match[1])
            except ValueError:
                continue
    return None


def _kind(headings: tuple[str, ...]) -> str:
    for heading in reversed(headings):
        for pattern, kind in _KINDS:
            if pattern.search(heading):
                return kind
    return "project"
