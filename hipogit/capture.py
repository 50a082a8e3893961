"""Gated entries: what the user said to an agent, and what came of it.

One entry per user turn: the statement verbatim, the answer reduced to decisions,
outcomes and tools by name, standing `captured`. Its id hangs on platform, session and
message id alone, so the same turn read again, from whichever door, is the same entry.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Mapping
from datetime import date, datetime, tzinfo
from typing import TYPE_CHECKING

from . import gate, words
from .entry import Entry, capture_id, field_lines
from .memory import Gated
from .transcripts.turns import Turn

if TYPE_CHECKING:
    from .gate.finding import Cleaned, Finding
    from .transcripts import Reading

# One paste should not outvote what was asked with it.
_ASKED = 600
_TOPIC_WORDS = 6
_LONGEST_TOPIC = 80
# A log pasted into a prompt is not what should be known next month.
_LONGEST_STATEMENT = 16_000

_REDACTED = re.compile(r"\[REDACTED:[^\[\]]*\]")
_UNSEEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x84\x86-\x9f]")
_LINE_END = re.compile(r"\r\n?|\x0c")


def entries(
    reading: Reading,
    *,
    platform: str,
    session: str = "",
    started: datetime | None = None,
    tz: tzinfo | None = None,
) -> list[Entry]:
    """The entries a reading makes, cleaned by the gate; subagents' turns make none."""
    made = captured(reading, platform=platform, session=session, started=started, tz=tz)
    return list(made.entries)


def captured(
    reading: Reading,
    *,
    platform: str,
    session: str = "",
    started: datetime | None = None,
    tz: tzinfo | None = None,
    via: str = "",
    only_decisions: bool = False,
    known: Container[str] = (),
    clean: Callable[[str], Cleaned] = gate.clean,
) -> Gated:
    """The entries a reading makes, and what the gate found. Turns whose code
    (the id without its day) is `known` make none.

    They belong to the local day the session started (`tz`, or this machine's zone):
    the one the transcript names, else `started`. With `only_decisions` turns that
    decided or achieved nothing make none, and nothing the user said is quoted. `clean`
    is the gate with what this memory's settings allow.
    """
    day = start_day(reading, started, tz)
    made = []
    findings: list[Finding] = []

    def cleaned(said: str) -> str:
        done = clean(_UNSEEN.sub("", _LINE_END.sub("\n", said)))
        findings.extend(done.findings)
        return done.text.strip()

    for turn in reading.turns:
        speaker = session or turn.session
        id = capture_id(day, platform=platform, session=speaker, message=turn.id)
        if turn.sidechain or code_of(id) in known:
            continue
        fields, about = _fields(turn, not only_decisions, cleaned)
        if not fields:
            continue
        meta = [("session", speaker), ("source", platform), ("via", via)]
        meta += [("ref", turn.id), ("continues", turn.continues)]
        made.append(
            Entry(
                topic=topic(about),
                body="\n".join(fields),
                id=id,
                at=turn.at or reading.started or started,
                standing="captured",
                meta=tuple((key, cleaned(value)) for key, value in meta if value),
            )
        )
    return Gated(tuple(made), tuple(findings))


def code_of(id: str) -> str:
    """An entry's id without its day, which depends on the clock's time zone."""
    return id.partition("-")[2]


def ids_of(
    messages: Iterable[str],
    reading: Reading,
    *,
    platform: str,
    session: str = "",
    started: datetime | None = None,
    tz: tzinfo | None = None,
) -> list[str]:
    """Ids of the entries that statements of the session's make, by their messages."""
    day = start_day(reading, started, tz)
    session = session or reading.session
    return [
        capture_id(day, platform=platform, session=session, message=message)
        for message in messages
    ]


def from_hook(
    platform: str,
    payload: Mapping[str, object],
    *,
    now: datetime,
    started: datetime | None = None,
    tz: tzinfo | None = None,
) -> Gated:
    """What a hook's own fields say, where the host has no transcript to read.

    Cursor hands over the prompt before it is sent, and no answer; OpenClaw's events
    carry no statement, so they make no entry.
    """
    from .platforms import hosts
    from .transcripts import Cursor, Reading

    event = hosts.event(platform, "", dict(payload))
    if event.platform != hosts.CURSOR or event.kind != "prompt":
        return Gated((), ())
    if not event.prompt.strip():
        return Gated((), ())
    turn = Turn(
        id=event.turn or now.isoformat(),
        session=event.session,
        at=now,
        user=event.prompt.strip(),
        cwd=event.cwd,
    )
    reading = Reading((turn,), Cursor(), started=started or now)
    return captured(reading, platform=event.platform, tz=tz, via="hook")


def start_day(reading: Reading, started: datetime | None, tz: tzinfo | None) -> date:
    """The local day the session began on."""
    first = next((turn.at for turn in reading.turns if turn.at), None)
    at = reading.started or started or first
    if at is None:
        return date(1970, 1, 1)
    try:
        return at.astimezone(tz).date()
    except (OverflowError, ValueError, OSError):
        return at.date()


def _fields(
    turn: Turn, quoted: bool, cleaned: Callable[[str], str]
) -> tuple[list[str], str]:
    """The body's fields, none when there is nothing to keep, and what it is about."""
    # The gate sees the words as they were said: cut, indented or taken as keywords
    # a secret could pass it in pieces.
    # What is dropped below need not be looked at; a secret that this cuts is dropped.
    user = cleaned(turn.user[: 4 * _LONGEST_STATEMENT]) if quoted else ""
    decisions = "\n".join(map(cleaned, turn.decisions))
    outcomes = "\n".join(map(cleaned, turn.outcomes))
    if not (user or decisions or outcomes):
        return [], ""
    used = ", ".join(f"{name} {count}" for name, count in turn.tools)
    told = {
        "user": _bounded(user, len(turn.user)),
        "decisions": decisions,
        "outcome": outcomes,
        "tools": cleaned(used),
    }
    fields = [field_lines(key, value) for key, value in told.items() if value]
    return fields, user or f"{decisions}\n{outcomes}"


def topic(said: str) -> str:
    """A topic for a statement: its own keywords, else its first words."""
    plain = _REDACTED.sub(" ", said)
    found = words.keywords(plain[:_ASKED], _TOPIC_WORDS)
    if not found:
        found = (plain.split() or said.split())[:_TOPIC_WORDS]
    text = " ".join(found)
    if len(text) > _LONGEST_TOPIC:
        text = text[:_LONGEST_TOPIC].rsplit(" ", 1)[0]
    # A heading that ends in a type would lose it, one of marks alone its words.
    return text.replace("[", "(").replace("]", ")").lstrip("# ") or "(untitled)"


def _bounded(said: str, size: int) -> str:
    if len(said) <= _LONGEST_STATEMENT:
        return said
    left = size - _LONGEST_STATEMENT
    return said[:_LONGEST_STATEMENT].rstrip() + f"\n(… {left} characters left out)"
