"""What a prompt hook adds to a prompt: at most 500 tokens, mostly nothing.

An agent waits for this on every prompt, so it opens the index and nothing else. It
answers only from an index of the very tip it is given: an older one may hold what was
withdrawn since. Bringing the index up to date is left to the commands that write and
to `beside.refresh_beside`.
"""

from __future__ import annotations

import sqlite3

from . import stamp

TYPE_CHECKING = False  # `typing` costs as much as an empty Python
if TYPE_CHECKING:
    from pathlib import Path

BUDGET = 500  # tokens of 4 bytes
_HEAD = "From memory (hipogit), may be out of date:\n"


def current(local: Path | str, tip: str) -> bool:
    """Whether the index is of this commit."""
    found = stamp.read(local)
    return found is not None and found.tip == tip


def hook(local: Path | str, tip: str, prompt: str, budget: int = BUDGET) -> str:
    """What memory has to say to a prompt, or nothing.

    `local` is `<common git dir>/hipogit`.
    """
    if not prompt.strip() or not current(local, tip):
        return ""
    from .answer import recall, rendered
    from .open import Damaged, Index

    try:
        index = Index(stamp.connect(local), tip)
    except sqlite3.Error:
        return ""
    try:
        # What stands around the statements takes about a third of the space.
        share = budget * 2 // 3
        while share > 20:
            found = recall(index, prompt, budget=share, quick=True)
            if not found.items:
                return ""
            text = _HEAD + rendered(found)
            if len(text.encode("utf-8")) <= budget * 4:
                return text
            share = share * 3 // 4
        return ""
    except (sqlite3.Error, Damaged):
        return ""
    finally:
        index.close()
