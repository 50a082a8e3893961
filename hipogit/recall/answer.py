"""`recall`: what an agent should see for a prompt, or nothing.

First the topics the prompt names, then ranked evidence within a budget. Rules that
apply are always there. Where two entries speak of the same topic the newest standing
one comes first, and everything says how old it is as of the branch, not the clock.
"""

from __future__ import annotations

from math import log

from . import evidence, text
from .open import Index, checked
from .prior import size as size_of

TYPE_CHECKING = False  # `typing` costs as much as an empty Python
if TYPE_CHECKING:
    from collections.abc import Iterable

    from .semantic import Near

DEFAULT_BUDGET = 2000  # tokens
# How many rare words an exchange must share with a prompt to be worth showing. Measured
# on both kinds: bench/memaware prints what it keeps and what it stops.
_RARE_WORDS = 1.75
_A_THIRD = 0.33  # or how much of the prompt it must meet
_SMALL = 200  # pieces
_NEAR_ENOUGH = 0.5
# With vectors more conversations are near, so more of them are heard.
_SPREAD = 0.5
_TOPIC_BONUS = 4.0
_LONGEST_NAME = 6  # words
_LONGEST_RUN = 60  # characters of a script without blanks
_RULES_SHARE = 5  # of the budget, one part in
_OLD = 30  # days


class Item:
    """One statement with where it comes from."""

    __slots__ = (
        "day",
        "id",
        "score",
        "session",
        "source",
        "standing",
        "text",
        "topic",
        "type",
        "warning",
    )

    def __init__(
        self, row: tuple[str, ...], text: str, score: float, warning: str
    ) -> None:
        self.id, self.day, self.topic, self.type, self.standing = row[:5]
        self.session, self.source = row[5:7]
        self.text = text
        self.score = score
        self.warning = warning

    def as_json(self) -> dict[str, object]:
        """The keys of CLI.md."""
        facts = {name: getattr(self, name) for name in self.__slots__}
        return {**facts, "path": f"memory/{self.day}.md", "depth": None}


class Recalled:
    """What is known: statements best first, their size, topics the prompt names."""

    __slots__ = ("items", "tokens", "topics")

    def __init__(self, items: list[Item], tokens: int, topics: list[str]) -> None:
        self.items = items
        self.tokens = tokens
        self.topics = topics


def recall(
    index: Index,
    asked: str,
    *,
    budget: int = DEFAULT_BUDGET,
    most: int = 0,
    near: Near | None = None,
    quick: bool = False,
) -> Recalled:
    """Statements that bear on a prompt, within a number of tokens of 4 bytes."""
    limit = budget * 4
    topics = named(index, asked)
    question = evidence.Question(index, asked, near)
    rules = _rules(index, question, limit // _RULES_SHARE)
    bonus = _groups(index, topics)
    found = evidence.candidates(index, question, bonus, quick=quick)
    items: list[Item] = []
    if topics or _known(index, question, found.fit):
        used = sum(size_of(rule.text) for rule in rules)
        taken = evidence.chosen(
            found.candidates,
            limit - used,
            spread=_SPREAD if near else 0.0,
            parts=found.parts,
        )
        items = _items(index, taken)
    seen = {(rule.id, rule.text) for rule in rules}
    items = [*rules, *(item for item in items if (item.id, item.text) not in seen)]
    items = _newest_first(_once(items))
    if most:
        items = items[:most]
    size = sum(size_of(item.text) for item in items)
    return Recalled(items, -(-size // 4), list(topics.values()))


def named(index: Index, asked: str) -> dict[str, str]:
    """The topics a prompt names, their spelling by key."""
    pieces = list(text.pieces(text.plain(asked).casefold()))[:200]
    words = [word for word, _ in pieces]
    keys = {
        " ".join(words[at : at + length])
        for length in range(1, _LONGEST_NAME + 1)
        for at in range(len(words) - length + 1)
    }
    for word, dense in pieces:
        if dense:  # a name stands inside a longer run: its particle, or the sentence
            keys.update(text.inside(word[:_LONGEST_RUN]))
    keys -= text.STOP
    for (key,) in _in_parts(
        index,
        "select b.key from alias a join alias b on a.topic=b.topic where a.key in (?*)",
        keys,
    ):
        keys.add(key)
    rows = _in_parts(
        index,
        "select key, topic from piece where not hidden and key in (?*) order by id",
        keys,
    )
    return {key: topic for key, topic in rows}  # noqa: C416 - pairs, to the type checker


def _in_parts(index: Index, sql: str, values: set[str]) -> list[tuple[str, ...]]:
    """The rows of a query with more values than SQLite takes at once."""
    every = sorted(values)
    rows: list[tuple[str, ...]] = []
    for at in range(0, len(every), 500):
        rows += index.rows(sql, every[at : at + 500])
    return rows


def _groups(index: Index, topics: Iterable[str]) -> dict[int, float]:
    keys = list(topics)
    if not keys:
        return {}
    rows = index.rows(
        "select distinct grp from piece where not hidden and key in (?*)"
        " order by grp desc limit 40",
        keys,
    )
    return {grp: _TOPIC_BONUS for (grp,) in rows}


def _known(index: Index, question: evidence.Question, fit: float) -> bool:
    """Whether memory says anything to the point."""
    if not question.words:
        return False
    if question.near and max(question.near.groups.values(), default=0) > _NEAR_ENOUGH:
        return True
    pieces = index.rows("select count(*) from piece")[0][0]
    if fit >= _RARE_WORDS * log(pieces + 1):
        return True
    if pieces > _SMALL:
        return fit >= _A_THIRD * question.sum
    # In a small memory no word is rare: what counts is how much of the prompt is met.
    best = index.rows(
        "select user || ' ' || topic || ' ' || text || ' ' || extra from piece_text"
        " where piece_text match ? order by rank, rowid desc limit 3",
        [text.any_of(question.words)],
    )
    for (said,) in best:
        have = {text.stem(word) for word, _ in text.pieces(said.lower())}
        met = sum(text.stem(word) in have for word in question.words)
        if met >= 3 or met >= _A_THIRD * len(question.words):
            return True
    return False


def _rules(index: Index, question: evidence.Question, limit: int) -> list[Item]:
    """The rules that share a word with the prompt, best first."""
    if not question.words:
        return []
    lines = index.rows(
        "select l.id, l.piece, l.size from line_text t join line l on l.id=t.rowid"
        " join piece p on p.id=l.piece where line_text match ?"
        " and not p.hidden order by t.rank, l.id desc limit 20",
        [f"{text.quoted(text.RULE)} AND ({text.any_of(question.words)})"],
    )
    taken, used = [], 0
    for line, piece, size in lines:
        if used + size <= limit:
            used += size
            taken.append((0.0, -piece, -line, size, 0, 0, False, ""))
    return _items(index, taken)


def _items(index: Index, taken: list[evidence.Candidate]) -> list[Item]:
    lines: dict[int, str] = {}
    pieces: dict[int, tuple[str, ...]] = {}
    ids = [-line for _, _, line, *_ in taken if line]
    for at in range(0, len(ids), 500):
        for id, said, sum in index.rows(
            "select id, text, sum from line where id in (?*)",
            ids[at : at + 500],
        ):
            checked(sum, said)
            lines[id] = said
    for id, *row, sum in index.rows(
        "select id, entry, day, topic, type, standing, session, source, at, facts"
        " from piece where id in (?*)",
        {-piece for _, piece, *_ in taken},
    ):
        checked(sum, "", *row)
        pieces[id] = tuple(row)
    as_of = index.as_of
    items = []
    for cost, piece, line, *_, said in taken:
        row = pieces[-piece]
        warning = warn(row[3], row[4], row[1], as_of)
        items.append(Item(row, said or lines[-line], round(-cost, 3), warning))
    return items


def warn(type: str, standing: str, day: str, as_of: str) -> str:
    """What to keep in mind before relying on a statement, or nothing."""
    notes = []
    if standing == "disputed":
        notes.append("disputed")
    if type in ("project", "reference") and as_of:
        age = _number(as_of) - _number(day)
        if age > _OLD:
            sort = "unverified" if type == "reference" else "old"
            notes.append(f"{age} days {sort}")
    return ", ".join(notes)


def _number(day: str) -> int:
    """Days since a fixed one: importing datetime would be felt at every prompt."""
    year, month, date = (int(part) for part in day.split("-"))
    # Counted from March, a leap day is the last of its year.
    if month < 3:
        year, month = year - 1, month + 12
    leap = year // 4 - year // 100 + year // 400
    return 365 * year + leap + (153 * month - 457) // 5 + date


def _once(items: list[Item]) -> list[Item]:
    """Each statement once, however often it was made: the newest stands for all."""
    newest: dict[str, Item] = {}
    for item in items:
        key = " ".join(item.text.casefold().split())
        first = newest.setdefault(key, item)
        if item.day > first.day:
            item.score = first.score
            newest[key] = item
    return list(newest.values())


def _newest_first(items: list[Item]) -> list[Item]:
    """The same order, but entries of one topic take their places newest first."""
    places: dict[str, list[int]] = {}
    for at, item in enumerate(items):
        if item.standing != "captured":
            places.setdefault(item.topic.casefold(), []).append(at)
    ordered = list(items)
    for taken in places.values():
        group = sorted((items[n] for n in taken), key=lambda i: i.day, reverse=True)
        scores = [items[place].score for place in taken]
        for place, item, score in zip(taken, group, scores, strict=True):
            item.score = score
            ordered[place] = item
    return ordered


def rendered(found: Recalled) -> str:
    """The statements as lines to read, each entry named once in a row."""
    if not found.items:
        return "nothing known\n"
    lines = []
    before: Item | None = None
    for item in found.items:
        if before is None or before.id != item.id:
            # What was captured has a prompt for its topic, which says nothing.
            topic = "" if item.standing == "captured" else item.topic
            parts = [item.day, topic, item.type, item.standing, item.source, item.id]
            note = f" ({item.warning})" if item.warning else ""
            lines.append(" · ".join(part for part in parts if part) + note)
        lines.append("  " + " ".join(item.text.split()))
        before = item
    return "\n".join(lines) + "\n"
