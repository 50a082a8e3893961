"""What is wrong with a set-up, and its repair.

Each fault is found by looking, never by what was once written down, and each repair is
one that a person could run by hand. Nothing is repaired that would lose anything.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime

from ..errors import HipogitError
from ..plumbing import Git
from ..store import Store, branch_ref

__all__ = ["Fault", "Found", "examine"]


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that is wrong, what a person can do, and the repair if there is one."""

    name: str
    sentence: str
    hint: str
    repair: Callable[[], None] | None = None


@dataclass(frozen=True, slots=True)
class Found:
    """A fault as it is reported: whether it was repaired, and what is left to do."""

    name: str
    sentence: str
    fixed: bool
    hint: str


def examine(git: Git, now: datetime, *, fix: bool = False) -> list[Found]:
    """All faults; with `fix`, after what can be repaired was.

    A repair may bare the next fault (a branch that is back has a view that is behind),
    so it looks again until nothing changes.
    """
    done: list[Found] = []
    for _ in range(5):
        faults = list(_faults(git, now))
        if not fix:
            return [Found(f.name, f.sentence, False, f.hint) for f in faults]
        repaired = False
        left: list[Found] = []
        for fault in faults:
            failed = _repair(fault)
            if failed is None:
                repaired = True
                done.append(Found(fault.name, fault.sentence, True, ""))
            else:
                left.append(Found(fault.name, fault.sentence, False, failed))
        if not repaired:
            return [*done, *left]
    return [*done, *left]


def _repair(fault: Fault) -> str | None:
    """None when it was repaired, else what to do instead."""
    if fault.repair is None:
        return fault.hint
    try:
        fault.repair()
    except (HipogitError, OSError) as problem:
        said = problem.sentence if isinstance(problem, HipogitError) else str(problem)
        return f"{fault.hint} (the repair failed: {said})"
    return None


def _faults(git: Git, now: datetime) -> Iterator[Fault]:
    from . import branch, contents, setup

    store = Store(git, branch_ref(git))
    foreign = list(branch.foreign(store))
    yield from foreign
    found = list(setup.faults(store, now))
    # The view must not follow to what is no memory.
    yield from (f for f in found if not (foreign and f.name == "behind"))
    if any(fault.name == "half-done-init" and not fault.repair for fault in found):
        return
    found = list(branch.faults(store))
    yield from found
    # What cannot be read cannot be judged either.
    unread = {"branch-gone", "object-missing"} & {fault.name for fault in found}
    if not unread and not foreign:
        yield from contents.faults(store, now)
