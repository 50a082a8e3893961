"""What an answer says to a question: single sentences of it, or the part to read.

Answers are long and mostly beside the point, so a sentence counts only when it holds a
word that was asked for. Where a whole exchange fits, the stretch of its answer that
holds most of those words is worth showing as it stands: what answers a direct question
is often a word in a list.
"""

from __future__ import annotations

from bisect import bisect_right

from .text import ends, stem, unmarked

TYPE_CHECKING = False  # `typing` costs as much as an empty Python
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_SHORTEST, _LONGEST = 25, 1000


class Reply:
    """An answer, its sentences, and which of the words asked for each holds."""

    def __init__(self, said: str, weight: Mapping[str, float]) -> None:
        self._said = said
        self._weight = weight
        self._starts = [0, *ends(said)]
        self._edges = [*self._starts, len(said)]
        # In the order of the words, so that sums do not depend on hashes.
        self._hits: dict[int, dict[str, float]] = {}
        low = said.lower()
        if len(low) != len(said):
            low = said  # a letter that grows in lower case would shift all places
        for word, value in weight.items():
            at = low.find(word)
            while at >= 0:
                end = at + len(word)
                if word.isascii():
                    # A pattern tried at every letter would take five times as long.
                    while end < len(low) and low[end].isalnum():
                        end += 1
                    whole = at == 0 or not low[at - 1].isalnum()
                    whole = whole and stem(low[at:end]) == word
                else:
                    whole = True  # scripts without blanks: inside a longer run, too
                if whole:
                    number = bisect_right(self._starts, at) - 1
                    self._hits.setdefault(number, {})[word] = value
                at = low.find(word, end)

    def sentences(self) -> Iterator[tuple[str, float]]:
        """Each sentence that holds a word asked for, with what its words weigh."""
        for number in sorted(self._hits):
            said = unmarked(self._slice(number, number + 1))
            if _SHORTEST <= len(said) <= _LONGEST:
                yield said, sum(self._hits[number].values())

    def part(self, limit: int) -> str:
        """The stretch of whole sentences that holds most of what was asked for."""
        if len(self._said.encode("utf-8")) <= limit:
            return self._said.strip()
        sizes = [
            len(self._slice(number, number + 1).encode("utf-8"))
            for number in range(len(self._starts))
        ]
        best, place = 0.0, (0, 0)
        # One window that is moved: what is in it is counted, never read again.
        last = size = 0
        times: dict[str, int] = {}
        for first in range(len(self._starts)):
            while last < len(self._starts) and size + sizes[last] <= limit:
                size += sizes[last]
                for word in self._hits.get(last, {}):
                    times[word] = times.get(word, 0) + 1
                last += 1
            if first in self._hits and first < last:
                # The same word once more says little, but it is the same subject.
                value = sum(
                    weight * (0.8 + 0.2 * times[word])
                    for word, weight in self._weight.items()
                    if times.get(word)
                )
                if value > best:
                    best, place = value, (first, last)
            if first == last:
                last += 1  # too long for itself
                continue
            size -= sizes[first]
            for word in self._hits.get(first, {}):
                times[word] -= 1
        return self._slice(*place).strip()

    def _slice(self, first: int, last: int) -> str:
        return self._said[self._edges[first] : self._edges[last]]
