"""Numbers with their nouns, as people write them."""

from __future__ import annotations

_ODD = {"entry": "entries", "summary": "summaries", "copy": "copies"}


def counted(number: int, noun: str) -> str:
    """`1 commit`, `2 commits`, `0 entries`."""
    return f"{number} {noun if number == 1 else _ODD.get(noun, noun + 's')}"
