"""The Historical Summary of ROOT: days in detail, then months, quarters and years."""

from __future__ import annotations

from collections.abc import Iterable

from ..words import same
from .extract import clip
from .mention import Mention
from .settings import size
from .themes import Spread, ranked

# A line with more bytes than this says no more to a reader who skims.
_MOST = 400
# Under this a day's line would be a date with two words.
_LEAST = 90
_PERIOD = 240
_BRIEF = 200
# More words than a line of a period can hold.
_ENOUGH = 100
_SENTENCE = 150
# Room for less than this holds no sentence worth reading.
_SHORT = 40


class History:
    """What ROOT can tell of the past, to be cut to any size."""

    def __init__(
        self,
        mentions: list[Mention],
        told: dict[str, list[str]],
        closed: dict[str, list[str]],
        among: Spread,
    ) -> None:
        """`mentions` of the newest months, what was `told` on their days in sentences,
        and the `closed` months as their words."""
        self.closed = closed
        self.told = told
        days: dict[str, list[Mention]] = {}
        for mention in mentions:
            days.setdefault(mention.day, []).append(mention)
        self.days = dict(sorted(days.items()))
        self.among = among
        self.known: dict[tuple[str, bool], list[str]] = {}
        self.drawn: dict[tuple[str, int], str] = {}
        self.periods: dict[tuple[str, frozenset[str]], list[str]] = {}

    def words(self, day: str, brief: bool = False) -> list[str]:
        """The words of a day, the best first; short ones where room is for few."""
        if (day, brief) not in self.known:
            short = 0.8 if brief else 0.2
            found = ranked(self.days[day], self.among, short=short)
            self.known[day, brief] = found[:_ENOUGH]
        return self.known[day, brief]

    def lines(self, room: int) -> list[str] | None:
        """The fullest history that fits, newest first; None when not one line does.

        Room is made by first shortening the lines of days, then merging old months to
        quarters and years, then folding the older half of the days into months.
        """
        for grain in ("month", "quarter", "year"):
            rest = self._periods(grain)
            left = room - sum(size(line) + 1 for line in rest)
            if found := self._daily(left, list(self.days)):
                return [*found, *rest]
        kept = list(self.days)
        while kept:
            folded = kept[: max(len(kept) // 2, 1)]
            kept = kept[len(folded) :]
            rest = self._periods("year", set(self.days) - set(kept))
            left = room - sum(size(line) + 1 for line in rest)
            found = self._daily(left, kept) if kept else []
            if left >= 0 and (found or not kept):
                return [*found, *rest]
        lines: list[str] = []
        for line in self._periods("year", set(self.days)):
            room -= size(line) + 1
            if room < 0:
                break
            lines.append(line)
        return lines or None

    def _daily(self, room: int, days: list[str]) -> list[str]:
        """A line for each of the days, as long as they may all be, or nothing."""
        low, high = _LEAST, _MOST
        if self._needs(days, low) > room:
            return []
        while low < high:
            middle = (low + high + 1) // 2
            if self._needs(days, middle) <= room:
                low = middle
            else:
                high = middle - 1
        return [self._line(day, low) for day in reversed(days)]

    def _needs(self, days: list[str], length: int) -> int:
        return sum(size(self._line(day, length)) + 1 for day in days)

    def _periods(self, grain: str, folded: Iterable[str] = ()) -> list[str]:
        """Lines of the closed months, merged to a grain, with some days folded in."""
        asked = (grain, frozenset(folded))
        if asked not in self.periods:
            self.periods[asked] = self._merged(grain, sorted(asked[1]))
        return self.periods[asked]

    def _merged(self, grain: str, folded: list[str]) -> list[str]:
        words: dict[str, list[list[str]]] = {}
        span: dict[str, list[str]] = {}
        months: dict[str, list[list[str]]] = {}
        for label, found in self.closed.items():
            months.setdefault(label, []).append(found)
        for day in folded:
            months.setdefault(day[:7], []).append(self.words(day))
        for label in sorted(months):
            name = _group(label, grain)
            words.setdefault(name, []).extend(months[label])
            span.setdefault(name, []).append(label)
        lines = []
        for name in sorted(words, reverse=True):
            labels = span[name]
            label = labels[0]
            if len(labels) > 1:
                last = labels[-1]
                label += "~" + (last[5:] if last[:4] == label[:4] else last)
            source = " ".join(labels)
            lines.append(_fill(f"{label}:", _turns(words[name]), source, _PERIOD))
        return lines

    def _line(self, day: str, length: int) -> str:
        if (day, length) not in self.drawn:
            words = self.words(day, length < _BRIEF)
            told = self.told.get(day)
            self.drawn[day, length] = (
                _tell(told, words, day, length)
                if told
                else _fill("", words, day, length)
            )
        return self.drawn[day, length]


def _group(label: str, grain: str) -> str:
    if grain == "month":
        return label
    if grain == "year":
        return label[:4]
    return f"{label[:4]}-{(int(label[5:7]) - 1) // 3}"


def _turns(lists: list[list[str]]) -> list[str]:
    """The words of several lists, one of each in turn, none twice."""
    found: dict[str, str] = {}
    for place in range(max(map(len, lists), default=0)):
        for words in lists:
            if place < len(words):
                found.setdefault(same(words[place]), words[place])
        if len(found) > _ENOUGH:
            break
    return list(found.values())


def _tell(told: list[str], words: list[str], source: str, length: int) -> str:
    """A line of sentences cut to fit, and of words where there is room after them."""
    head = "-"
    left = length - size(head) - size(source) - 3
    for sentence in told:
        mark = " · " if len(head) > 1 else " "
        piece = mark + clip(sentence, min(_SENTENCE, left - size(mark)))
        if left < _SHORT:
            break
        head += piece
        left -= size(piece)
    if left < _SHORT // 2:
        return f"{head} ({source})"
    seen = head.casefold()
    fresh = [word for word in words if word.casefold() not in seen]
    line = _fill(f"{head[2:]} ·", fresh, source, length)
    return line if not line.endswith(f" · ({source})") else f"{head} ({source})"


def _fill(label: str, words: list[str], source: str, length: int) -> str:
    """A line of the words, best first, as many as fit, ending in its source."""
    head = f"- {label}" if label else "-"
    tail = f" ({source})"
    left = length - size(head) - size(tail)
    for word in words:
        cost = size(word) + 1
        if cost <= left:
            head += " " + word
            left -= cost
        elif left < 6:
            break
    return head + tail
