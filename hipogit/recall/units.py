"""What the index holds of a file: pieces to find, and lines to show.

A *piece* is one exchange of a conversation, one captured turn, or one entry. Its
*lines* are the single statements in it: the user's sentences, or the sentences of each
field. A *page* is a section of anything else that is read: summaries, topics,
knowledge, plans, hot files. Withdrawn entries make nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from ..entry import Entry, parse_all
from ..tree.promote import marked
from . import prior
from .text import split

_JOURNAL = re.compile(r"memory/(\d{4}-\d\d-\d\d)\.md")
_BOLD = re.compile(r"^\*\*(User|Assistant):\*\*", re.M)
_SPEAKER = re.compile(r"\n(?=User:|Assistant:)")
_COMMENT = re.compile(r"<!--(?: hipogit id=([\w-]*\w))?.*?(-->|\Z)", re.S)
_HEADING = re.compile(r"^#{1,3} +(.+)$", re.M)

# Longer than this nobody said it: a paste.
_LONGEST = 1200
_PAGE = 4000


class Line(NamedTuple):
    """One statement: who made it or the field it stands in, and how telling it is."""

    text: str
    field: str
    prior: float


class Piece(NamedTuple):
    """An exchange or an entry, with the lines that may be shown of it."""

    entry: Entry
    group: int
    user: str
    text: str
    hidden: bool
    lines: list[Line]


class Page(NamedTuple):
    """A section of a file that is no journal."""

    kind: str
    day: str
    title: str
    text: str


def day_of(path: str) -> str:
    """The day a path is the journal of, or nothing."""
    match = _JOURNAL.fullmatch(path)
    return match[1] if match else ""


def of_journal(text: str) -> Iterator[Piece]:
    """The pieces of a journal, in the order written; groups count from 0.

    Turns captured one by one in the same session belong to one group, as the
    exchanges of an imported conversation do.
    """
    _, entries = parse_all(text)
    groups: dict[str, int] = {}
    opened: set[int] = set()
    for number, entry in enumerate(entries):
        if entry.withdrawn:
            continue
        session = entry.get("session")
        key = session if entry.standing == "captured" and session else f"#{number}"
        group = groups.setdefault(key, len(groups))
        hidden = bool(marked(entry))
        for user, rest, fields in _exchanges(entry):
            lines = [] if hidden else _lines(user, fields, group not in opened)
            opened.add(group)
            yield Piece(entry, group, user, rest, hidden, lines)


def of_file(path: str, text: str) -> Iterator[Page]:
    """The pages of a file that is no journal."""
    kind, day = _kind(path)
    if not kind:
        return
    body = text
    if text.startswith("---\n"):
        body = text[4:].partition("\n---\n")[2]
    # Of an entry's own comment the id stays, as the lines of summaries have it.
    body = _COMMENT.sub(_id_alone, body)
    starts = [match.start() for match in _HEADING.finditer(body)]
    edges = [0, *(at for at in starts if at), len(body)]
    for a, b in pairwise(edges):
        section = body[a:b].strip()
        if not section:
            continue
        match = _HEADING.match(section)
        title = match[1] if match else path
        for at in range(0, len(section), _PAGE):
            yield Page(kind, day, title, section[at : at + _PAGE])


def _id_alone(comment: re.Match[str]) -> str:
    # One that nothing closes is text: the pattern takes it so that it is read once.
    if not comment[2]:
        return comment[0]
    return f"({comment[1]})" if comment[1] else ""


def _kind(path: str) -> tuple[str, str]:
    folder, _, name = path.rpartition("/")
    stem = name.removesuffix(".md")
    if not name.endswith(".md"):
        return "", ""
    if path == "memory/ROOT.md":
        return "root", ""
    if folder == "memory/topics":
        return "topics", ""
    for kind in ("daily", "weekly", "monthly"):
        if path.startswith(f"memory/{kind}/"):
            period = path.removeprefix(f"memory/{kind}/").split("/")[0]
            return kind, period.removesuffix(".md")
    if path.startswith("knowledge/"):
        return "knowledge", ""
    if path.startswith("plans/"):
        return "plans", ""
    if not folder and stem.isupper():
        return "hot", ""
    return "", ""


def _exchanges(entry: Entry) -> Iterator[tuple[str, str, dict[str, str]]]:
    """(what the user said, the rest, fields): one for each turn, or for the entry."""
    body = "\n" + entry.body
    if "\n**User:**" in body:
        body = _BOLD.sub(r"\1:", body)
    # One pass for both, and from line to line, not at every letter.
    before, *parts = _SPEAKER.split(body)
    turns = [[before]]
    for part in parts:
        if part.startswith("User:"):
            turns.append([part[5:]])
        else:
            turns[-1].append(part[10:])
    if turns[1:]:
        lead = "\n".join(turns[0]).strip()
        if lead:
            yield "", lead, {}
        for turn in turns[1:]:
            yield turn[0].strip(), "\n".join(turn[1:]).strip(), {}
        return
    fields = entry.fields()
    user = fields.pop("user", "")
    rest = "\n".join(f"{key}: {value}" for key, value in fields.items())
    if user:
        yield user, rest, fields
    else:
        yield "", entry.body, {"": entry.prose(), **fields}


def _lines(user: str, fields: dict[str, str], opening: bool) -> list[Line]:
    found = []
    lead = True
    for sentence in split(user):
        if 3 < len(sentence) <= _LONGEST:
            weight = prior.of_user(sentence, opening=opening, lead=lead)
            found.append(Line(sentence, "user", weight))
        lead = False
    for key, value in fields.items():
        if key == "tools":
            continue
        for sentence in split(value):
            if 3 < len(sentence) <= _LONGEST:
                found.append(Line(sentence, key, prior.of_field(sentence)))
    return found
