"""Which words tell a day or a month apart from the others."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable

from ..words import same
from .mention import Mention

# How much a word counts by its tier, found by measuring which words a later question
# needs (bench/tree).
_TIER = (6.0, 3.5, 1.9, 1.0)
# A word that stands once among hundreds is often a slip or a stray name.
_ONCE = 0.3


def spread(mentions: Iterable[Mention]) -> tuple[Counter[str], int]:
    """In how many mentions each word stands, and how many mentions there are."""
    found: Counter[str] = Counter()
    number = 0
    for mention in mentions:
        found.update({same(word) for word in mention.words})
        number += 1
    return found, number


def ranked(
    mentions: list[Mention],
    among: tuple[Counter[str], int] | None = None,
    *,
    rare: float = 2.0,
    short: float = 0.2,
) -> list[str]:
    """The words of the mentions, those first that are told with weight and are rare.

    `among` is the spread of words to measure rarity by; without it frequent is good.
    """
    weight: dict[str, float] = {}
    spelt: dict[str, str] = {}
    for mention in mentions:
        for tier, worth in zip(mention.tiers, _TIER, strict=False):
            for word in tier:
                key = same(word)
                weight[key] = weight.get(key, 0.0) + worth
                spelt.setdefault(key, word)
    if among is not None:
        found, number = among
        for key in weight:
            weight[key] *= math.log(1 + number / max(found[key], 1)) ** rare
            if found[key] == 1:
                weight[key] *= _ONCE
    for key in weight:
        room = len(spelt[key].encode("utf-8", "surrogateescape")) + 1
        weight[key] /= room**short
    # Rounded: the last bits of a logarithm may differ between machines.
    return [
        spelt[key] for key in sorted(weight, key=lambda k: (-round(weight[k], 6), k))
    ]
