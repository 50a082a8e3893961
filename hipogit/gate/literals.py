"""Where fixed words stand in a text: many words, one pass where that pays."""

from __future__ import annotations

from .shapes import Shape, Sweep, literal
from .views import every

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence


class Literals:
    """A set of ASCII words to look for, as they are written or in either case.

    `shapes` may say of a word what must follow for it to matter, as a pattern that
    begins with the word: a sweep gives those places alone, plain searches give all.
    """

    def __init__(
        self,
        words: Sequence[str],
        *,
        fold: bool = False,
        shapes: Mapping[str, str] | None = None,
    ) -> None:
        self.words = tuple(dict.fromkeys(words))
        wanted = shapes or {}
        self._sweep = Sweep(
            [
                Shape(wanted[word])
                if word in wanted
                else Shape(literal(word), fold=fold)
                for word in self.words
            ]
        )

    def places(self, text: str, low: str | None = None) -> Places:
        """Where they stand in a text of ASCII; `low` is the text in lower case, for
        words in either case."""
        hits = self._sweep.hits(text)
        if hits is None:
            return Places(text if low is None else low, None)
        return Places("", dict(zip(self.words, hits, strict=True)))


class Places:
    """The places of each word in one text."""

    __slots__ = ("_table", "_text")

    def __init__(
        self, text: str, table: dict[str, list[tuple[int, int]]] | None
    ) -> None:
        self._text = text
        self._table = table

    def of(self, word: str) -> Iterator[int]:
        """Where the word stands, overlapping places included."""
        if self._table is not None:
            for start, _ in self._table[word]:
                yield start
            return
        yield from every(self._text, word)
