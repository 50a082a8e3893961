"""Bringing memory in from elsewhere: dated Markdown, one commit a day.

An import can be interrupted and run again: an entry's id comes from its day and text,
so what stands there already is not written twice. One day's file is held at a time.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from datetime import date, datetime, time, timedelta
from pathlib import Path
from typing import NamedTuple

from . import memory
from .entry import TYPES, parse_all
from .errors import Usage
from .periods import Day, parse_period
from .record import Record
from .store import Store
from .words import topic_of

_NAME = re.compile(r"(\d{4}-\d\d-\d\d)(?:[-_].*)?\.(?:md|markdown)")
_SHAPE = re.compile(r"## (\w+) [\w.:-]+")

Progress = Callable[[int, int], None]


class Imported(NamedTuple):
    """How much came in: commits made, entries in them, secrets taken out."""

    commits: int
    entries: int
    redactions: int

    def plus(self, more: Imported) -> Imported:
        """Both together."""
        return Imported(
            self.commits + more.commits,
            self.entries + more.entries,
            self.redactions + more.redactions,
        )


class Section(NamedTuple):
    """A piece of a dated file: its heading and what stands beneath."""

    heading: str
    body: str


def markdown(
    store: Store,
    path: Path,
    now: datetime,
    progress: Progress = lambda done, of: None,
) -> Imported:
    """Import a folder of `YYYY-MM-DD.md` files, or one of them.

    Raises Usage when there is none, or one lies in the future.
    """
    files = _dated(path)
    if not files:
        raise Usage(
            f"{path} holds no file named YYYY-MM-DD.md",
            hint="hipogit import memory-md for one flat file",
        )
    late = [day for day, _ in files if day.date > now.date()]
    if late:
        raise Usage(
            f"{late[-1]} lies in the future (today is {now.date()})",
            hint="hipogit --now ISO import …",
        )
    marker = _marker(file for _, file in files)
    done = Imported(0, 0, 0)
    for number, (day, file) in enumerate(files):
        progress(number, len(files))
        drafts = _drafts(day, list(sections(read_text(file), marker)), now)
        if drafts:
            done = done.plus(one_day(store, drafts, file, now))
    progress(len(files), len(files))
    return done


def one_day(
    store: Store, drafts: Sequence[memory.Draft], file: Path, now: datetime
) -> Imported:
    """Commit what a file says of one day; nothing that stands there already."""
    day = drafts[0].day
    record = Record(
        "import",
        f"{day} from {file.name}",
        source="import",
        actor=memory.person(store.git),
        at=midnight(day, now),
    )
    before = store.tip()
    done = memory.remember(store, drafts, record, now, spool=False)
    if done.commit == before:
        return Imported(0, 0, 0)
    return Imported(1, len(done.entries), len(done.findings))


def sections(text: str, marker: str) -> Iterator[Section]:
    """The sections of a dated file; text before the first is one without a heading.

    With a marker (`Session`) only headings `## Session …` begin one, so that a heading
    inside a conversation does not cut it in two.
    """
    lines = text.replace("\r\n", "\n").split("\n")
    starts = [
        number
        for number, line in enumerate(lines)
        if line.startswith("## ") and (not marker or _is_marked(line, marker))
    ]
    first = starts[0] if starts else len(lines)
    head = [line for line in lines[:first] if not line.startswith("# ")]
    if any(line.strip() for line in head):
        yield Section("", "\n".join(head))
    ends = [*starts[1:], len(lines)]
    for start, end in zip(starts, ends, strict=False):
        yield Section(lines[start][3:].strip(), "\n".join(lines[start + 1 : end]))


def _drafts(day: Day, found: Sequence[Section], now: datetime) -> list[memory.Draft]:
    drafts = []
    for number, section in enumerate(found):
        if not section.body.strip():
            continue
        kind, session, topic = "project", "", section.heading
        if match := _SHAPE.fullmatch(f"## {section.heading}"):
            if match[1].casefold() == "session":
                session = section.heading.split(" ", 1)[1]
                topic = topic_of(section.body)
        else:
            _, typed = parse_all(f"## {section.heading}\n")
            if typed and typed[0].type in TYPES:
                topic, kind = typed[0].topic, typed[0].type
        drafts.append(
            memory.Draft(
                topic or topic_of(section.body) or f"Notes of {day}",
                section.body,
                day.date,
                midnight(day.date, now) + timedelta(seconds=number),
                type=kind,
                session=session,
                source="import",
                standing="captured",
            )
        )
    return drafts


def undated(path: Path) -> list[str]:
    """Names of files in a folder that `markdown` passes over."""
    if not path.is_dir():
        return []
    taken = {file for _, file in _dated(path)}
    return [
        file.name
        for file in sorted(path.iterdir())
        if file.is_file() and file not in taken and not file.name.startswith(".")
    ]


def _dated(path: Path) -> list[tuple[Day, Path]]:
    if not path.exists():
        raise Usage(f"{path} does not exist", hint="hipogit import markdown FOLDER")
    names = sorted(path.iterdir()) if path.is_dir() else [path]
    found = []
    for file in names:
        match = _NAME.fullmatch(file.name)
        day = parse_period(match[1]) if match else None
        if isinstance(day, Day) and file.is_file():
            found.append((day, file))
    return found


def _marker(files: Iterator[Path]) -> str:
    # A heading word that opens most sections of all the files, like `Session`, is the
    # files' own mark; other headings at that level are then part of a text.
    words: Counter[str] = Counter()
    for file in files:
        with file.open(encoding="utf-8", errors="replace", newline="\n") as lines:
            for line in lines:
                if line.startswith("## "):
                    match = _SHAPE.fullmatch(line.rstrip())
                    words[match[1] if match else ""] += 1
    total = sum(words.values())
    for word, count in words.most_common(2):
        if word and count >= 2 and count * 2 > total:
            return word
    return ""


def _is_marked(line: str, marker: str) -> bool:
    match = _SHAPE.fullmatch(line.rstrip())
    return match is not None and match[1] == marker


def midnight(day: date, now: datetime) -> datetime:
    """When a day began where we are."""
    return datetime.combine(day, time(), now.tzinfo)


def read_text(file: Path) -> str:
    """A file's text. Raises Usage when it is not there or not UTF-8."""
    try:
        data = file.read_bytes()
    except OSError as problem:
        raise Usage(
            f"{file} cannot be read: {problem.strerror}", hint="name an existing file"
        ) from None
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        raise Usage(
            f"{file} is not UTF-8 (byte {problem.start})",
            hint=f"iconv -t UTF-8 {file}",
        ) from None
