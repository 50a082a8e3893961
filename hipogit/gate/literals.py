"""Where fixed words stand in a text: many words, one pass.

A plain search costs 0.7 ms for each word and megabyte, and the gate looks for twenty.
From a certain size on all of them are found in one pass by an Aho-Corasick automaton
(`ahocorasick_rs`, about 1.8 ms a megabyte however many words there are); below it,
importing the automaton would cost more than it saves. Both give the same places.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

# Characters; the import and the automaton cost what plain searches cost for this. Once
# built it pays from SMALL on.
LARGE = 1 << 17
SMALL = 1 << 12


class Literals:
    """A set of ASCII words to look for, as they are written."""

    def __init__(self, words: Sequence[str]) -> None:
        self.words = tuple(dict.fromkeys(words))
        self._automaton: Any = None
        self._read = 0

    def places(self, text: str) -> Places:
        """Where they stand in a text of ASCII."""
        self._read += len(text)
        if len(text) >= SMALL and self._read >= LARGE and (automaton := self._built()):
            table: dict[str, list[int]] = {word: [] for word in self.words}
            lists = [table[word] for word in self.words]
            raw = text.encode("ascii")
            for number, start, _ in automaton.find_matches_as_indexes(raw, True):
                lists[number].append(start)
            return Places(text, table)
        return Places(text, None)

    def _built(self) -> Any:
        if self._automaton is None:
            try:
                from ahocorasick_rs import BytesAhoCorasick, Implementation
            except ImportError:  # no wheel for this machine: slower, never blind
                self._automaton = False
            else:
                self._automaton = BytesAhoCorasick(
                    [word.encode("ascii") for word in self.words],
                    implementation=Implementation.DFA,
                )
        return self._automaton


class Places:
    """The places of each word in one text."""

    __slots__ = ("_table", "_text")

    def __init__(self, text: str, table: dict[str, list[int]] | None) -> None:
        self._text = text
        self._table = table

    def of(self, word: str) -> Iterator[int]:
        """Where the word stands, overlapping places included."""
        if self._table is not None:
            yield from self._table[word]
            return
        find = self._text.find
        at = find(word)
        while at >= 0:
            yield at
            at = find(word, at + 1)
