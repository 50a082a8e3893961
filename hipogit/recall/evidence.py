"""Which statements of the past bear on a prompt, best first.

Three things are weighed: how well the exchange a statement stands in fits the prompt
(and where its conversation comes among all), how well the statement itself does, and
how telling it is whatever was asked (`prior`). What is chosen is worth most per byte,
so that many short facts fit where one long turn would.
"""

from __future__ import annotations

from math import log

from . import prior
from .open import Index, checked, checksum
from .replies import Reply
from .text import any_of, quoted, stem, terms

TYPE_CHECKING = False  # `typing` costs as much as an empty Python
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from .semantic import Near

    # A statement that may be shown, so that sorting gives the best first, the newest
    # of equals: what it costs (minus its worth), minus its piece, minus its line (0 for
    # what an answer says), its bytes, its group, what its text adds up to, whether the
    # user said it, and the text where it is at hand.
    Candidate = tuple[float, int, int, int, int, int, bool, str]

_EXCHANGES = 400
_GROUPS = 80
_ANSWERS = 3  # groups whose answers are read too
_FADE = 0.6  # what each further exchange of a conversation counts

# Log-odds, fitted with those in `prior`.
_BEST, _WHOLE, _OWN, _SAID, _RANK = 3.4, -2.4, 4.0, 3.5, -0.7
_BY_USER = 0.5
_ANSWERED = -1.5
# With vectors: what is left of the lexical terms, and what meaning adds.
_LEXICAL, _NEAR_RANK, _NEAR = 0.8, -0.6, 5.0

# Parts of the exchanges that fit best are shown as they stand: how many, from what
# share of the prompt's weight on, which share of the budget each, and how many single
# statements come before them.
_PARTS, _PART_FIT, _PART_SHARE, _PART_PLACE = 2, 0.35, 12, 10
_PART_LEAST = 300  # bytes; in less there is no room for more than a sentence


class Question:
    """A prompt's words, how much each says, and how near the lines are to it."""

    def __init__(self, index: Index, asked: str, near: Near | None = None) -> None:
        self.words = terms(asked)
        self.near = near
        self.total = max(1, index.rows("select count(*) from line")[0][0])
        self.weight: dict[str, float] = {}
        for word in self.words:
            # Only the index knows what its tokenizer makes of a word.
            seen = index.rows(
                "select count(*) from line_text where line_text match ?",
                [quoted(word)],
            )[0][0]
            root = stem(word)
            self.weight[root] = log(1 + (self.total - seen + 0.5) / (seen + 0.5))
        self.sum = sum(self.weight.values()) or 1.0


class Found:
    """Statements that may bear on a prompt, and how well the best exchange fits."""

    __slots__ = ("candidates", "fit", "parts")

    def __init__(
        self, candidates: list[Candidate], fit: float, parts: dict[int, Reply]
    ) -> None:
        self.candidates = candidates
        self.fit = fit
        self.parts = parts


class _Exchanges:
    """What the words of a prompt are found in, and how well it fits."""

    def __init__(self, index: Index, question: Question, match: str, most: int) -> None:
        self.fit: dict[int, float] = {}
        self.group: dict[int, int] = {}
        self.groups: dict[int, list[int]] = {}
        self.top = 0.0
        best: dict[int, float] = {}
        whole: dict[int, float] = {}
        # By rank alone FTS5 would sort by itself, and that takes half as long again.
        ranked = index.rows(
            "select rowid, rank from piece_text where piece_text match ?"
            f" order by rank, rowid desc limit {most}",
            [match],
        )
        groups = dict(
            index.rows(
                "select id, grp from piece where not hidden and id in (?*)",
                [id for id, _ in ranked],
            )
        )
        for id, rank in ranked:
            if (grp := groups.get(id)) is None:
                continue
            self.top = self.top or -rank
            fit = self.fit[id] = -rank / question.sum
            self.group[id] = grp
            before = self.groups.setdefault(grp, [])
            best.setdefault(grp, fit)
            whole[grp] = whole.get(grp, 0.0) + fit * _FADE ** len(before)
            before.append(id)
        self.order = sorted(whole, key=lambda grp: (-whole[grp], -grp))
        self.base = {
            grp: _RANK * log(1 + at) + _BEST * best[grp] + _WHOLE * whole[grp]
            for at, grp in enumerate(self.order)
        }


def candidates(
    index: Index,
    question: Question,
    bonus: Mapping[int, float],
    *,
    quick: bool = False,
) -> Found:
    """Statements that may bear on a prompt, in no order.

    `bonus` is what the groups of topics that the prompt names get on top. `quick` looks
    into a few conversations only: enough to fill a small budget.
    """
    if not question.words:
        return Found([], 0.0, {})
    match = any_of(question.words)
    less = 4 if quick else 1
    exchanges = _Exchanges(index, question, match, _EXCHANGES // less)
    order, base = exchanges.order[: _GROUPS // less], exchanges.base
    if question.near:
        order, base = _with_meaning(question.near, order, base)
    for grp, more in bonus.items():
        base[grp] = base.get(grp, 0.0) + more
        if grp not in order:
            order.insert(0, grp)
    found = _lines(index, question, match, order, base, exchanges.fit)
    # What stands in fields is there as lines already.
    typed = {-piece for _, piece, _, _, _, _, by_user, _ in found if not by_user}
    replies = _replies(index, question, order, exchanges, typed, less)
    for id, reply in replies.items():
        grp = exchanges.group[id]
        opening = id == min(exchanges.groups[grp])
        start = base[grp] + _ANSWERED + _OWN * exchanges.fit[id]
        for said, weight in reply.sentences():
            size = prior.size(said)
            # As BM25 has it: the same words say more in a short sentence.
            fit = weight * 2.2 / (1.3 + 0.9 * size / 100) / question.sum
            worth = start + _SAID * fit + prior.of_answer(said, size, first=opening)
            found.append((-worth, -id, 0, size, grp, checksum(said), False, said))
    parts = {
        id: replies[id]
        for id in list(exchanges.fit)[:_PARTS]
        if id in replies and exchanges.fit[id] >= _PART_FIT
    }
    return Found(found, exchanges.top, parts)


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
    base: Mapping[int, float],
    fits: Mapping[int, float],
) -> list[Candidate]:
    said = dict(
        index.rows("select rowid, rank from line_text where line_text match ?", [match])
    )
    scale = (_SAID + _BY_USER) / question.sum
    near = question.near
    found: list[Candidate] = []
    for line, id, grp, weight, size, sum, by_user in index.rows(
        "select id, piece, grp, prior, size, sum, field='user' from line"
        " where grp in (?*)",
        order,
    ):
        worth = base[grp] + weight - scale * said.get(line, 0.0)
        if id in fits:
            worth += _OWN * fits[id]
        if near:
            worth += _NEAR * near.of(line)
        found.append((-worth, -id, -line, size, grp, sum, by_user, ""))
    return found


def _replies(
    index: Index,
    question: Question,
    order: list[int],
    exchanges: _Exchanges,
    typed: set[int],
    less: int,
) -> dict[int, Reply]:
    """The answers worth reading: those of the best groups, and the best of all."""
    groups = [grp for grp in order if grp in exchanges.groups]
    wanted = [
        id for grp in groups[: _ANSWERS // less] for id in exchanges.groups[grp][:3]
    ]
    wanted += list(exchanges.fit)[: _PARTS // less]
    inside = set(order)
    replies = {}
    for id, user, said, sum in index.rows(
        "select p.id, s.user, s.text, p.sum from piece p join said s on s.id=p.id"
        " where p.id in (?*)",
        {id for id in wanted if id not in typed and exchanges.group[id] in inside},
    ):
        checked(sum, user, said)
        replies[id] = Reply(said, question.weight)
    return replies


def chosen(
    found: Iterable[Candidate],
    limit: int,
    *,
    spread: float = 0.0,
    parts: Mapping[int, Reply] | None = None,
) -> list[Candidate]:
    """The best of them that fit into a number of bytes, each text once.

    With `spread` each further statement of a conversation counts for less, so that
    more conversations are heard.
    """
    ranked = sorted(found)
    if spread:
        heard: dict[int, int] = {}
        again: list[Candidate] = []
        for candidate in ranked:
            before = heard.get(candidate[4], 0)
            heard[candidate[4]] = before + 1
            cost = candidate[0] + spread * log(1 + before)
            again.append((cost, *candidate[1:]))
        ranked = sorted(again)
    shown = _parts(ranked, parts or {}, limit)
    used = sum(part[3] for part in shown)
    taken: dict[int, Candidate] = {}
    for candidate in ranked:
        _, piece, _, size, _, sum_, _, text = candidate
        first = taken.get(sum_)
        if first is not None:
            if piece < first[1]:  # said again later: the newest stands for all
                taken[sum_] = (first[0], *candidate[1:])
            continue
        if used + size > limit:
            continue
        if text and any(part[1] == piece and text in part[7] for part in shown):
            continue
        used += size
        taken[sum_] = candidate
        if limit - used < 20:
            break
    every = list(taken.values())
    return [*every[:_PART_PLACE], *shown, *every[_PART_PLACE:]]


def _parts(
    ranked: list[Candidate], parts: Mapping[int, Reply], limit: int
) -> list[Candidate]:
    size = limit // _PART_SHARE
    if size < _PART_LEAST or not ranked:
        return []
    cost = ranked[min(_PART_PLACE, len(ranked) - 1)][0]
    groups = {-candidate[1]: candidate[4] for candidate in ranked}
    shown = []
    for id, reply in parts.items():
        text = reply.part(size - 1)
        if text and id in groups:
            used = prior.size(text)
            shown.append((cost, -id, 0, used, groups[id], checksum(text), False, text))
    return shown
