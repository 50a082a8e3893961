"""Many shapes found in one pass over a large text.

Hyperscan compiles all of them into automata that read several bytes at a time
(`hyperscan`, MIT; it brings Vectorscan, the BSD-licensed fork). Loading it and building
the automata costs about 35 ms, so short texts are searched shape by shape; where there
is no wheel of it all texts are. What is found is where to look, never a verdict: a
sweep may name a place too many, and whoever asked looks again.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from threading import Lock
    from typing import Any

    Hits = list[list[tuple[int, int]]]

# Characters read after which the automata pay, and the least they are asked for then.
LARGE = 1 << 17
SMALL = 1 << 12


class Shape:
    """A pattern that `re` and Hyperscan read alike: ASCII, no looking around."""

    __slots__ = ("fold", "once", "source")

    def __init__(self, source: str, *, fold: bool = False, once: bool = False) -> None:
        self.source = source
        self.fold = fold  # either case
        self.once = once  # whether it occurs is all that is asked


class Sweep:
    """A set of shapes to look for."""

    def __init__(self, shapes: Sequence[Shape]) -> None:
        self._shapes = shapes
        self._read = 0
        self._automata: Any = None
        self._lock: Lock

    def hits(self, flat: str) -> Hits | None:
        """For each shape where it stands in a text of ASCII, places that overlap
        included: where it begins first and where it ends. None when the text is too
        short for it to pay, or nothing can do it here."""
        self._read += len(flat)
        if len(flat) < SMALL or self._read < LARGE or not self._built():
            return None
        hits: Hits = [[] for _ in self._shapes]

        def seen(
            number: int, start: int, end: int, flags: int, context: object
        ) -> None:
            hits[number].append((start, end))

        # Its scratch space serves one scan at a time.
        with self._lock:
            self._automata.scan(flat.encode("ascii"), match_event_handler=seen)
        return hits

    def _built(self) -> bool:
        if self._automata is None:
            try:
                import hyperscan
            except ImportError:  # no wheel for this machine: slower, never blind
                self._automata = False
            else:
                from threading import Lock

                self._lock = Lock()
                database = hyperscan.Database(mode=hyperscan.HS_MODE_BLOCK)
                database.compile(
                    expressions=[shape.source.encode() for shape in self._shapes],
                    ids=list(range(len(self._shapes))),
                    elements=len(self._shapes),
                    flags=[
                        (hyperscan.HS_FLAG_CASELESS if shape.fold else 0)
                        | (
                            hyperscan.HS_FLAG_SINGLEMATCH
                            if shape.once
                            else hyperscan.HS_FLAG_SOM_LEFTMOST
                        )
                        for shape in self._shapes
                    ],
                )
                self._automata = database
        return bool(self._automata)


def literal(word: str) -> str:
    """The source of a shape that is just this word."""
    return "".join(f"\\x{ord(letter):02x}" for letter in word)
