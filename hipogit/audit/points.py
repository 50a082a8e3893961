"""A point of memory's past: a commit of it, a date, or a commit of the code."""

from __future__ import annotations

from datetime import datetime, time

from ..errors import NotSetUp, Usage
from ..periods import Day, Month, Week, parse_period
from ..plumbing import decode
from ..store import Store


class Earlier(Usage):
    """The point lies before memory began."""


def tree(store: Store, text: str) -> str:
    """`commit`, or the empty tree for a point before memory began."""
    try:
        return commit(store, text)
    except Earlier:
        return store.git.text("hash-object", "-t", "tree", "--stdin")


def commit(store: Store, text: str) -> str:
    """The memory commit a word names.

    A date or period is its last moment; a commit of the code stands for memory as it
    was then. Raises Usage when there is none, Earlier when it is older than memory.
    """
    tip = store.tip()
    if tip is None:
        raise NotSetUp.no_branch()
    if not text:
        return tip
    period = parse_period(text)
    if period is not None:
        return _before(store, tip, _last(period), text)
    done = store.git.attempt("rev-parse", "-q", "--verify", f"{text}^{{commit}}")
    if done.returncode:
        try:
            moment = datetime.fromisoformat(text)
        except ValueError:
            raise Usage(
                f"{text!r} names no commit and no date", hint="hipogit log"
            ) from None
        return _before(store, tip, moment, text)
    oid = decode(done.stdout).strip()
    if store.git.attempt("merge-base", "--is-ancestor", oid, tip).returncode == 0:
        return oid
    when = store.git.text("log", "-1", "--format=%cI", oid)
    return _before(store, tip, datetime.fromisoformat(when), text)


def since(store: Store, moment: datetime) -> str:
    """The memory commit of a moment, or the first one when memory is younger."""
    tip = commit(store, "")
    return _newest(store, tip, moment) or _first(store, tip)


def _first(store: Store, tip: str) -> str:
    return store.git.text("rev-list", "--max-parents=0", tip).split("\n")[-1]


def _before(store: Store, tip: str, moment: datetime, text: str) -> str:
    found = _newest(store, tip, moment)
    if not found:
        first = _first(store, tip)
        raise Earlier(f"memory begins after {text}", hint=f"hipogit show {first[:12]}")
    return found


def _newest(store: Store, tip: str, moment: datetime) -> str:
    # As a number: a date after 2099 git takes for another.
    at = max(0, int(moment.timestamp()))
    return store.git.text("rev-list", "-n1", f"--before=@{at} +0000", tip)


def _last(period: Day | Week | Month) -> datetime:
    day = period.date if isinstance(period, Day) else period.last
    return datetime.combine(day, time(23, 59, 59))
