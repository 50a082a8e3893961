"""A point of memory's past: a commit of it, a date, or a commit of the code."""

from __future__ import annotations

from datetime import datetime

from ..errors import NotSetUp, Usage
from ..periods import Day, Month, Week, parse_period
from ..plumbing import decode
from ..store import Store


def commit(store: Store, text: str) -> str:
    """The memory commit a word names.

    A date or period is its last moment; a commit of the code stands for memory as it
    was then. Raises Usage when there is none.
    """
    tip = store.tip()
    if tip is None:
        raise NotSetUp("there is no memory branch here", hint="hipogit init")
    if not text:
        return tip
    period = parse_period(text)
    if period is not None:
        return _before(store, tip, f"{_last(period)}T23:59:59", text)
    done = store.git.attempt("rev-parse", "-q", "--verify", f"{text}^{{commit}}")
    if done.returncode:
        try:
            moment = datetime.fromisoformat(text)
        except ValueError:
            raise Usage(
                f"{text!r} names no commit and no date", hint="hipogit log"
            ) from None
        return _before(store, tip, moment.isoformat(), text)
    oid = decode(done.stdout).strip()
    if store.git.attempt("merge-base", "--is-ancestor", oid, tip).returncode == 0:
        return oid
    when = store.git.text("log", "-1", "--format=%cI", oid)
    return _before(store, tip, when, text)


def since(store: Store, moment: datetime) -> str:
    """The memory commit of a moment, or the first one when memory is younger."""
    tip = commit(store, "")
    found = store.git.text("rev-list", "-n1", f"--before={moment.isoformat()}", tip)
    return found or _first(store, tip)


def _first(store: Store, tip: str) -> str:
    return store.git.text("rev-list", "--max-parents=0", tip).split("\n")[-1]


def _before(store: Store, tip: str, moment: str, text: str) -> str:
    found = store.git.text("rev-list", "-n1", f"--before={moment}", tip)
    if not found:
        first = _first(store, tip)
        raise Usage(f"memory begins after {text}", hint=f"hipogit show {first[:12]}")
    return found


def _last(period: Day | Week | Month) -> str:
    day = period.date if isinstance(period, Day) else period.last
    return day.isoformat()
