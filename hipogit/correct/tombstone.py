"""What stands where an entry was withdrawn: who, when, why, by which id; no claim."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from ..entry import Entry

# Keys of an earlier correction that would outlive their meaning.
_SPENT = ("because", "corrected-by", "confirmed-by", "confirmed-at", "confirmed-via")


def tombstone(
    entry: Entry,
    standing: str,
    at: datetime,
    *,
    actor: str,
    reason: str,
    successor: str = "",
) -> Entry:
    """The entry withdrawn: its comment with one revision more, its claim gone."""
    when = at.date().isoformat()
    if successor:
        head = f"Superseded on {when} by {successor}" + (f" ({actor})" if actor else "")
    else:
        head = f"{standing.capitalize()} on {when}" + (f" by {actor}" if actor else "")
    line = " ".join((f"{head}: {reason}" if reason else f"{head}.").split())
    kept = tuple(pair for pair in entry.meta if pair[0] not in _SPENT)
    bare = replace(
        entry, topic=f"({standing})", body=line, standing=standing, meta=kept
    )
    return bare.with_meta(rev=str(entry.rev + 1), successor=successor or None)


def repointed(entry: Entry, successor: str) -> Entry:
    """A tombstone that names the newest of a chain of successors."""
    old = entry.get("successor")
    body = entry.body.replace(old, successor, 1) if old else entry.body
    return replace(entry, body=body).with_meta(
        rev=str(entry.rev + 1), successor=successor
    )


def chain(entry: Entry) -> list[str]:
    """The ids an entry came in place of."""
    return [id for id in entry.get("supersedes").split("+") if id]


def chained(ids: list[str]) -> str | None:
    """The value of `supersedes` for these ids, each once; None for none."""
    return "+".join(dict.fromkeys(ids)) or None


def revised(entry: Entry, **changes: str | None) -> Entry:
    """The entry with one revision more and these keys of its comment changed."""
    return entry.with_meta(rev=str(entry.rev + 1), **changes)
