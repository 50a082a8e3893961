"""Writes that wait to be committed, as items of the spool.

What is put here is gated. What is read back is not trusted: a spool may lie where
others can write, a sandboxed agent above all. So it is cleaned again, and nobody gets
more standing by it than an agent's own word has.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

from . import gate
from .entry import Entry, parse_all, render
from .errors import HipogitError
from .inbox import write_whole
from .record import Record
from .store import Store

# What a write that never reached the branch can know of its entries; the other keys
# are written when a correction is made, which is after it waited.
_KEYS = ("session", "source", "actor", "via", "ref", "continues")
_VIA = ("pipe", "hook", "mcp")


class Item(NamedTuple):
    """One write that waits: its file, what it says and what its commit will say.

    `correction` says which entries it corrects and how, as `correct.later` reads it.
    """

    path: Path
    entries: list[Entry]
    record: Record
    correction: Mapping[str, object]


def put(
    store: Store,
    entries: Sequence[Entry],
    record: Record,
    correction: Mapping[str, object] | None = None,
) -> None:
    """Keep gated entries in the first spool that takes them. Raises when none does."""
    item: dict[str, Any] = {
        "version": 1,
        "entries": _rendered(entries),
        **({"correction": correction} if correction else {}),
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
                "reason",
                "via",
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
                # Where it cannot be moved it must not hold up what is said now.
                with suppress(OSError):
                    path.replace(path.with_suffix(".broken"))
                    store.ledger.note(
                        now.isoformat(), "spool", f"{path.name} could not be read"
                    )
                continue
            _, said = parse_all(clean(item["entries"]))
            record = _record(item.get("record"))
            entries = [_believed(entry, record) for entry in said if entry.day]
            how = item.get("correction")
            correction = how if isinstance(how, dict) else {}
            found.append(Item(path, entries, record, correction))
    return found


def forget(store: Store, gone: Callable[[Entry], bool]) -> int:
    """Take entries out of what waits, before anybody reads them; how many those were.

    Where a spool cannot be changed they go on waiting.
    """
    count = 0
    for spool in store.spools:
        for path, item in spool.items():
            if item is None or not isinstance(item.get("entries"), str):
                continue
            _, said = parse_all(item["entries"])
            kept = [entry for entry in said if not gone(entry)]
            if len(kept) == len(said):
                continue
            with suppress(OSError):
                if kept:
                    left = {**item, "entries": _rendered(kept)}
                    write_whole(path, json.dumps(left, sort_keys=True), durable=True)
                else:
                    path.unlink()
                count += len(said) - len(kept)
    return count


def _rendered(entries: Sequence[Entry]) -> str:
    return "\n".join(render(entry) for entry in entries)


def _believed(entry: Entry, record: Record) -> Entry:
    """The entry with no more standing than a write that has to wait can have.

    Confirming is a person's, and withdrawing a correction's: both need the branch.
    """
    captured = record.action == "capture" or entry.standing == "captured"
    meta = [(key, value) for key, value in entry.meta if key in _KEYS]
    meta = [
        (key, value if key != "via" or value in _VIA else "pipe") for key, value in meta
    ]
    standing = "captured" if captured else "stated"
    return replace(entry, standing=standing, meta=tuple(meta))


def _record(raw: object) -> Record:
    known: Mapping[str, Any] = raw if isinstance(raw, dict) else {}

    def text(key: str) -> str:
        return gate.clean(str(known.get(key, ""))).text

    action = known.get("action")
    redactions, via = known.get("redactions"), known.get("via")
    return Record(
        action if action in ("checkpoint", "capture") else "checkpoint",
        text("subject"),
        session=text("session"),
        source=text("source"),
        actor=text("actor"),
        code=text("code"),
        redactions=redactions if isinstance(redactions, int) else 0,
        reason=text("reason"),
        via=via if via in _VIA else "",
    )
