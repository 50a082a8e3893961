"""What a word on the command line names: a period, an entry, a commit.

In that order: an exact period (`2026-11-29`, `2026-W48`, `2026-11`, `ROOT`), a unique
id prefix (`20261129-k3f9`), then a revision. An id names its day, so one journal is
read however long history is.
"""

from __future__ import annotations

import re
from datetime import datetime
from typing import NamedTuple

from .entry import Entry
from .errors import Usage
from .journal import Journal
from .periods import Day
from .view import View

ROOT = "memory/ROOT.md"

_PREFIX = re.compile(r"(\d{8})-[a-z2-7]*")
_SHOWN = 8  # candidates named when a prefix fits several


class Found(NamedTuple):
    """An entry and the day whose journal it stands in."""

    entry: Entry
    day: Day


def is_prefix(text: str) -> bool:
    """Whether the text has the form of an id or of its beginning."""
    return _PREFIX.fullmatch(text) is not None


def is_summary(path: str) -> bool:
    """Whether a file is of the tree, which is made from the journals."""
    folder = path.removeprefix("memory/").partition("/")[0]
    return path.startswith("memory/") and (
        folder in ("daily", "weekly", "monthly", "topics") or path == ROOT
    )


def entry(view: View, ref: str) -> Found:
    """The one entry whose id begins with the text.

    Raises Usage when there is none or more, naming those that fit.
    """
    found = entries(view, ref)
    if len(found) == 1:
        return found[0]
    if not found:
        raise Usage(
            f"no entry has an id that begins with {ref!r}",
            hint="hipogit log names ids; so does the comment under each heading",
        )
    shown = "; ".join(f"{f.entry.id} {f.entry.topic}" for f in found[:_SHOWN])
    more = f" (+{len(found) - _SHOWN})" if len(found) > _SHOWN else ""
    raise Usage(
        f"{ref!r} begins the ids of {len(found)} entries: {shown}{more}",
        hint="write more of the id",
    )


def entries(view: View, ref: str) -> list[Found]:
    """Every entry whose id begins with the text; a whole id finds one at most."""
    match = _PREFIX.fullmatch(ref)
    if match is None:
        return []
    try:
        day = Day(datetime.strptime(match[1], "%Y%m%d").date())
    except ValueError:
        return []
    text = view.read(day.journal)
    if text is None or f"id={ref}" not in text:
        return []
    found = [e for e in Journal.parse(day, text).entries if e.id.startswith(ref)]
    whole = [e for e in found if e.id == ref]
    return [Found(e, day) for e in whole or found]


def exact(view: View, id: str) -> Found | None:
    """The entry of exactly that id, or None."""
    return next((f for f in entries(view, id) if f.entry.id == id), None)
