"""Which words tell a day or a month apart from the others."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable

from ..words import same
from .mention import Mention
from .settings import size

# How much a word counts by its tier, found by measuring which words a later question
# needs (bench/tree).
_TIER = (6.0, 3.5, 1.9, 1.0)
# A word that stands once among hundreds is often a slip or a stray name.
_ONCE = 0.3
_RARE = 2.0


class Spread:
    """In how many mentions each word stands: what makes a word rare."""

    def __init__(self, mentions: Iterable[Mention]) -> None:
        self.found: Counter[str] = Counter()
        self.number = 0
        self.known: dict[str, float] = {}
        for mention in mentions:
            self.found.update({same(word) for word in mention.words})
            self.number += 1

    def rarity(self, key: str) -> float:
        """How much a word counts for being rare."""
        if key not in self.known:
            seen = max(self.found[key], 1)
            worth = math.log(1 + self.number / seen) ** _RARE
            self.known[key] = worth * _ONCE if self.found[key] == 1 else worth
        return self.known[key]


def ranked(
    mentions: Iterable[Mention], among: Spread | None = None, *, short: float = 0.2
) -> list[str]:
    """The words of the mentions, those first that are told with weight and are rare.

    `among` says which are rare; without it frequent is good. `short` is how much more
    a short word counts.
    """
    weight: dict[str, float] = {}
    spelt: dict[str, str] = {}
    for mention in mentions:
        for tier, worth in zip(mention.tiers, _TIER, strict=False):
            for word in tier:
                key = same(word)
                weight[key] = weight.get(key, 0.0) + worth
                spelt.setdefault(key, word)
    for key in weight:
        if among is not None:
            weight[key] *= among.rarity(key)
        weight[key] /= (size(spelt[key]) + 1) ** short
    # Rounded: the last bits of a logarithm may differ between machines.
    order = {key: -round(value, 6) for key, value in weight.items()}
    return [spelt[key] for key in sorted(order, key=lambda k: (order[k], k))]
