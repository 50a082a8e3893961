"""Which statements of the past bear on a prompt, best first.

Three things are weighed: how well the exchange a statement stands in fits the prompt
(and where its conversation comes among all), how well the statement itself does, and
how telling it is whatever was asked (`prior`). What is chosen is worth most per byte,
so that many short facts fit where one long turn would.
"""

from __future__ import annotations

import re
from math import log

from . import prior
from .open import Index, checked
from .text import any_of, split, stem, terms

TYPE_CHECKING = False  # `typing` costs as much as an empty Python
if TYPE_CHECKING:
    from collections.abc import Iterable

    from .semantic import Near

_EXCHANGES = 400
_STATEMENTS = 600
_GROUPS = 80
_ANSWERS = 10  # groups whose answers are read too
_FADE = 0.6  # what each further exchange of a conversation counts

# Log-odds, fitted with those in `prior`.
_BEST, _WHOLE, _OWN, _SAID, _RANK = 3.4, -2.4, 4.0, 4.3, -0.7
_BY_USER = 1.5
_ANSWERED = -1.5
_PER_BYTE = 0.8
# With vectors: what is left of the lexical terms, and what meaning adds.
_LEXICAL, _NEAR_RANK, _NEAR = 0.8, -0.6, 5.0


class Candidate:
    """A statement that may be shown: `line` is 0 for a sentence of an answer."""

    __slots__ = ("by_user", "group", "line", "piece", "size", "text", "worth")

    def __init__(
        self,
        worth: float,
        size: int,
        group: int,
        piece: int,
        line: int,
        text: str,
        by_user: bool = True,
    ) -> None:
        self.worth = worth
        self.size = size
        self.group = group
        self.piece = piece
        self.line = line
        self.text = text
        self.by_user = by_user


class Question:
    """A prompt's words, how much each says, and how near the lines are to it."""

    def __init__(self, index: Index, asked: str, near: Near | None = None) -> None:
        self.words = terms(asked)
        self.near = near
        self.total = max(1, index.rows("select count(*) from line")[0][0])
        self.weight: dict[str, float] = {}
        for word in self.words:
            # Words of one stem stand side by side in the index's own vocabulary.
            root = stem(word)
            seen = index.rows(
                "select coalesce(sum(doc), 0) from line_word where term>=? and term<?",
                (root, root + "\U0010ffff"),
            )[0][0]
            seen = min(seen, self.total)
            self.weight[root] = log(1 + (self.total - seen + 0.5) / (seen + 0.5))
        self.sum = sum(self.weight.values()) or 1.0


class Found:
    """Statements that may bear on a prompt, and how well the best exchange fits."""

    __slots__ = ("candidates", "fit")

    def __init__(self, candidates: list[Candidate], fit: float) -> None:
        self.candidates = candidates
        self.fit = fit


def candidates(
    index: Index,
    question: Question,
    bonus: dict[int, float],
    *,
    quick: bool = False,
) -> Found:
    """Statements that may bear on a prompt, in no order.

    `bonus` is what the groups of topics that the prompt names get on top. `quick` looks
    into a few conversations only: enough to fill a small budget.
    """
    if not question.words:
        return Found([], 0.0)
    match = any_of(question.words)
    exchange: dict[int, float] = {}
    groups: dict[int, list[int]] = {}
    best: dict[int, float] = {}
    whole: dict[int, float] = {}
    top = 0.0
    for id, grp, rank in index.rows(
        "select p.id, p.grp, t.rank from piece_text t join piece p on p.id=t.rowid"
        " where piece_text match ? and not p.hidden order by t.rank, t.rowid desc"
        f" limit {_EXCHANGES // (4 if quick else 1)}",
        [match],
    ):
        top = top or -rank
        fit = -rank / question.sum
        exchange[id] = fit
        before = groups.setdefault(grp, [])
        best.setdefault(grp, fit)
        whole[grp] = whole.get(grp, 0.0) + fit * _FADE ** len(before)
        before.append(id)
    lexical = sorted(whole, key=lambda grp: (-whole[grp], -grp))
    base = {
        grp: _RANK * log(1 + at) + _BEST * best[grp] + _WHOLE * whole[grp]
        for at, grp in enumerate(lexical)
    }
    order = lexical[: _GROUPS // (5 if quick else 1)]
    if question.near:
        order, base = _with_meaning(question.near, order, base)
    for grp, more in bonus.items():
        base[grp] = base.get(grp, 0.0) + more
        if grp not in order:
            order.insert(0, grp)
    found = _lines(index, question, match, order, base, exchange)
    # What stands in fields is there as lines already.
    typed = {c.piece for c in found if not c.by_user}
    answered = [grp for grp in order if grp in groups]
    answered = answered[: _ANSWERS // (5 if quick else 1)]
    found += _answers(index, question, answered, groups, base, exchange, typed)
    return Found(found, top)


def _with_meaning(
    near: Near, lexical: list[int], base: dict[int, float]
) -> tuple[list[int], dict[int, float]]:
    """The groups to look into and what each starts with, meaning weighed in."""
    nearest = sorted(near.groups, key=lambda grp: (-near.groups[grp], -grp))
    place = {grp: at for at, grp in enumerate(nearest)}
    last = _RANK * log(1 + len(lexical))
    mixed = {
        grp: _LEXICAL * base.get(grp, last)
        + _NEAR_RANK * log(1 + place.get(grp, len(nearest)))
        for grp in {*lexical, *nearest[:_GROUPS]}
    }
    return sorted(mixed, key=lambda grp: (-mixed[grp], -grp)), mixed


def _lines(
    index: Index,
    question: Question,
    match: str,
    order: list[int],
    base: dict[int, float],
    exchange: dict[int, float],
) -> list[Candidate]:
    said = dict(
        index.rows(
            "select rowid, rank from line_text where line_text match ?"
            f" order by rank, rowid desc limit {_STATEMENTS}",
            [match],
        )
    )
    scale = (_SAID + _BY_USER) / question.sum
    found = []
    for line, id, grp, weight, size, by_user in index.rows(
        "select id, piece, grp, prior, size, field='user' from line where grp in (?*)",
        order,
    ):
        odds = base[grp] + weight - scale * said.get(line, 0.0)
        if id in exchange:
            odds += _OWN * exchange[id]
        if question.near:
            odds += _NEAR * question.near.of(line)
        worth = odds - _PER_BYTE * log(size)
        found.append(Candidate(worth, size, grp, id, line, "", by_user))
    return found


def _answers(
    index: Index,
    question: Question,
    order: list[int],
    groups: dict[int, list[int]],
    base: dict[int, float],
    exchange: dict[int, float],
    typed: set[int],
) -> list[Candidate]:
    wanted = {id: grp for grp in order for id in groups[grp][:3] if id not in typed}
    stems = sorted(question.weight, key=len, reverse=True)
    pattern = re.compile("|".join(rf"\b{re.escape(word)}\w*" for word in stems))
    found = []
    for id, user, text, sum_ in index.rows(
        "select t.rowid, t.user, t.text, p.sum from piece_text t"
        " join piece p on p.id=t.rowid where t.rowid in (?*)",
        wanted,
    ):
        checked(sum_, user + text)
        grp = wanted[id]
        opening = id == min(groups[grp])
        start = base[grp] + _ANSWERED + _OWN * exchange[id]
        for sentence in split(text):
            if not 25 <= len(sentence) <= 1000:
                continue
            hits = {stem(word) for word in pattern.findall(sentence.lower())}
            size = prior.size(sentence)
            fit = sum(question.weight.get(word, 0.0) for word in hits)
            # As BM25 has it: the same words say more in a short sentence.
            fit *= 2.2 / (1.3 + 0.9 * size / 100)
            odds = (
                start
                + _SAID * fit / question.sum
                + prior.of_answer(sentence, first=opening)
            )
            worth = odds - _PER_BYTE * log(size)
            found.append(Candidate(worth, size, grp, id, 0, sentence))
    return found


def chosen(
    found: Iterable[Candidate], limit: int, *, spread: float = 0.0
) -> list[Candidate]:
    """The best of them that fit into a number of bytes.

    With `spread` each further statement of a conversation counts for less, so that
    more conversations are heard.
    """
    ranked = sorted(found, key=lambda c: (-c.worth, -c.piece, -c.line, c.text))
    if spread:
        heard: dict[int, int] = {}
        for candidate in ranked:
            before = heard.get(candidate.group, 0)
            heard[candidate.group] = before + 1
            candidate.worth -= spread * log(1 + before)
        ranked.sort(key=lambda c: -c.worth)
    taken, used = [], 0
    for candidate in ranked:
        if used + candidate.size > limit:
            continue
        used += candidate.size
        taken.append(candidate)
        if limit - used < 20:
            break
    return taken
