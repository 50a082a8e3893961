"""Entries that wait to be committed, as items of the spool.

What is put here is gated. What is read back is not trusted: a spool may lie where
others can write, so it is cleaned again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

from . import gate
from .entry import Entry, parse_all, render
from .errors import HipogitError
from .record import Record
from .store import Store


class Item(NamedTuple):
    """One write that waits: its file, what it says and what its commit will say."""

    path: Path
    entries: list[Entry]
    record: Record


def put(store: Store, entries: Sequence[Entry], record: Record) -> None:
    """Keep gated entries in the first spool that takes them. Raises when none does."""
    item: dict[str, Any] = {
        "version": 1,
        "entries": "\n".join(render(entry) for entry in entries),
        "record": {
            name: getattr(record, name)
            for name in (
                "action",
                "subject",
                "session",
                "source",
                "actor",
                "code",
                "redactions",
            )
        },
    }
    problems = []
    for spool in store.spools:
        try:
            spool.put(item)
            return
        except OSError as problem:
            problems.append(str(problem))
    raise HipogitError(
        f"neither the branch nor a spool could be written: {'; '.join(problems)}",
        hint="hipogit doctor",
    )


def items(store: Store, now: datetime, clean: Callable[[str], str]) -> list[Item]:
    """What waits in all spools, cleaned.

    A file that is no item is set aside and named in the ledger.
    """
    found = []
    for spool in store.spools:
        for path, item in spool.items():
            if item is None or not isinstance(item.get("entries"), str):
                path.replace(path.with_suffix(".broken"))
                store.ledger.note(
                    now.isoformat(), "spool", f"{path.name} could not be read"
                )
                continue
            _, said = parse_all(clean(item["entries"]))
            entries = [entry for entry in said if entry.id]
            found.append(Item(path, entries, _record(item.get("record"))))
    return found


def _record(raw: object) -> Record:
    known: Mapping[str, Any] = raw if isinstance(raw, dict) else {}

    def text(key: str) -> str:
        return gate.clean(str(known.get(key, ""))).text

    action = known.get("action")
    redactions = known.get("redactions")
    return Record(
        action if action in ("checkpoint", "capture") else "checkpoint",
        text("subject"),
        session=text("session"),
        source=text("source"),
        actor=text("actor"),
        code=text("code"),
        redactions=redactions if isinstance(redactions, int) else 0,
    )
