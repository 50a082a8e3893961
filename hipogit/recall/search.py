"""`search`: ranked keyword search over entries and summaries of all depths.

A query is read here and never handed to SQLite as it stands: words, "phrases",
prefix*, -without, and filters such as topic:word, type:user or decisions:word. All
words must be there; when nothing has them all, any of them will do.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, NamedTuple

from ..errors import Usage
from . import text
from .answer import warn
from .open import Index, checked

_TERM = re.compile(
    r"(?P<no>-)?(?:(?P<name>[a-z][a-z-]{0,30}):)?"
    r"(?:\"(?P<phrase>[^\"]*)\"?|(?P<word>[^\s\"]+))"
)
_COLUMNS = {"topic": "topic", "user": "user", "text": "text", "body": "text"}
_FACTS = ("type", "standing", "session", "source", "day", "id")
_FIELDS = text.words(
    """
request analysis decisions decision outcome outcomes references rule why how-to-
apply lessons status
    """
)
_CITED = re.compile(r"\b\d{8}-[a-z2-7]{4,}")
_PERIODS = re.compile(r"\b\d{4}-\d\d(?:-\d\d)?\b")
_DEPTHS = {"daily": 0, "weekly": 1, "monthly": 2, "root": 3, "topics": 3}
_MOST = 400
_LONGEST = 10_000
_WORDS = 100  # of a query, those that it begins with
_TERM_LENGTH = 200


class Hit(NamedTuple):
    """Something that was found: an entry, or a section of a file."""

    id: str
    day: str
    path: str
    depth: int | None
    type: str
    standing: str
    session: str
    source: str
    topic: str
    text: str
    score: float
    warning: str


class Query(NamedTuple):
    """A query, read: expressions that must and must not match, and filters."""

    wanted: list[str]
    refused: list[str]
    prefixes: list[str]
    facts: list[tuple[str, str]]
    fields: list[tuple[str, str]]

    @property
    def empty(self) -> bool:
        return not (self.wanted or self.facts or self.fields)


def read(words: str) -> Query:
    """The query a text asks. Raises Usage when it holds nothing to look for."""
    query = Query([], [], [], [], [])
    for match in _TERM.finditer(text.plain(words[:_LONGEST])):
        name, phrase, word = match["name"] or "", match["phrase"], match["word"]
        said = (phrase if phrase is not None else word)[:_TERM_LENGTH]
        if name in _FACTS:
            query.facts.append((name, said.rstrip("*")))
            continue
        if name and name not in _COLUMNS and name not in _FIELDS:
            said, name = f"{name}:{said}", ""
        prefix = phrase is None and said.endswith("*")
        found = text.expression(said, prefix=prefix)
        if not found:
            continue
        if name in _FIELDS:
            query.fields.append((name, found))
            continue
        if prefix:
            query.prefixes.append(said.rstrip("*").casefold())
        if name:
            column = _COLUMNS[name]
            found = found.replace("extra : ", "")
            found = f"{{{column} extra}} : ({found})"
        (query.refused if match["no"] else query.wanted).append(f"({found})")
    parts: tuple[list[Any], ...] = query
    for part in parts:
        # Each word once, and not so many that the database never comes back.
        part[:] = list(dict.fromkeys(part))[:_WORDS]
    if query.empty:
        raise Usage(
            "the query holds no word to look for",
            hint='hipogit search "rate limit"',
        )
    return query


def search(
    index: Index,
    words: str,
    *,
    most: int = 10,
    depth: int | None = None,
    type: str = "",
    since: str = "",
    everything: bool = False,
) -> list[Hit]:
    """What matches, best first; newest first where two match alike.

    Entries marked as temporary, and summaries that only quote an entry that was found,
    are left out unless `everything` is wanted; `depth` asks for summaries alone.
    """
    query = read(words)
    if type:
        query.facts.append(("type", type))
    for joint in (" AND ", " OR "):
        hits, pages = [], []
        if depth is None:
            hits = _entries(index, query, joint, since, everything)
        if not (query.facts or query.fields):
            pages = _pages(index, query, joint, depth, since)
        if hits or pages or len(query.wanted) < 2:
            break
    if hits and not everything:
        pages = _not_quoting(hits, pages)
    hits += _beside(hits, pages)
    hits.sort(key=lambda hit: hit.day, reverse=True)
    hits.sort(key=lambda hit: -hit.score)
    # What was said stands before what sums it up.
    hits.sort(key=lambda hit: hit.depth is not None)
    return hits[:most]


def of_ids(
    index: Index,
    ranked: Iterable[tuple[str, float]],
    *,
    type: str = "",
    since: str = "",
) -> list[Hit]:
    """The entries that another program found, in its order, as they stand now."""
    hits = []
    for id, score in ranked:
        facts = [("id", id), *([("type", type)] if type else [])]
        query = Query([], [], [], facts, [])
        for hit in _entries(index, query, " AND ", since, False):
            hits.append(hit._replace(score=score))
    return hits


def _not_quoting(hits: list[Hit], pages: list[Hit]) -> list[Hit]:
    """The pages less the summaries that only say again what was found.

    Each line of a summary ends in what it came from: ids, shortened, or a day or month.
    """
    found = {hit.id for hit in hits if hit.id}
    days = {hit.day for hit in hits}
    left = []
    for page in pages:
        if page.depth is not None:
            ids = tuple(set(_CITED.findall(page.text)))
            periods = tuple(set(_PERIODS.findall(page.text)))
            if any(id.startswith(ids) for id in found):
                continue
            if not ids and any(day.startswith(periods) for day in days):
                continue
        left.append(page)
    return left


def _beside(hits: list[Hit], pages: list[Hit]) -> list[Hit]:
    """The pages on the entries' scale: the best page right below the best entry.

    Ranks of two tables cannot be compared, and a summary points to entries.
    """
    if not hits or not pages:
        return pages
    top = 0.8 * max(hit.score for hit in hits)
    most = max(page.score for page in pages) or 1.0
    return [p._replace(score=round(top * p.score / most, 12)) for p in pages]


def _match(query: Query, joint: str, columns: Iterable[str]) -> str:
    expression = "(" + joint.join(query.wanted) + ")"
    if "topic" not in columns:
        # Sections of files have a title and a text, nothing else.
        expression = expression.replace("{topic extra}", "{title extra}")
        expression = expression.replace("{user extra}", "{text extra}")
    return "".join([expression, *(f" NOT {part}" for part in query.refused)])


def _entries(
    index: Index, query: Query, joint: str, since: str, everything: bool
) -> list[Hit]:
    where, values = [], []
    score = "0.0"
    source = "piece p join said s on s.id=p.id"
    if query.wanted:
        where.append("piece_text match ?")
        values.append(_match(query, joint, ("topic",)))
        source += " join piece_text t on t.rowid=p.id"
        score = "t.rank"
    for name, value in query.facts:
        column = "entry" if name == "id" else name
        where.append(f"substr(p.{column}, 1, length(?)) = ? collate nocase")
        values += [value, value]
    for name, expression in query.fields:
        where.append(
            "p.id in (select l.piece from line_text x join line l on l.id=x.rowid"
            " where line_text match ? and l.field in (?, ?))"
        )
        values += [expression, name, name.removesuffix("s")]
    if not everything:
        where.append("not p.hidden")
    if since:
        where.append("p.day >= ?")
        values.append(since)
    rows = index.rows(
        "select p.entry, p.day, p.topic, p.type, p.standing, p.session, p.source,"
        f" p.at, p.facts, s.user, s.text, p.sum, {score} from {source}"
        f" where {' and '.join(where)} order by {score}, p.id desc limit {_MOST}",
        values,
    )
    hits: dict[str, Hit] = {}
    for *row, facts, user, said, sum, rank in rows:
        checked(facts, "", *row)
        checked(sum, user, said)
        whole = f"{user}\n{said}".strip()
        if not _begins(query, f"{row[2]} {whole}") or (row[0] and row[0] in hits):
            continue
        entry, day, topic, kind, standing, session, origin, _ = row
        warning = warn(kind, standing, day, index.as_of)
        hits[entry or f"#{len(hits)}"] = Hit(
            entry, day, f"memory/{day}.md", None, kind, standing, session, origin,
            topic, whole, round(-rank, 12), warning,
        )  # fmt: skip
    return list(hits.values())


def _pages(
    index: Index, query: Query, joint: str, depth: int | None, since: str
) -> list[Hit]:
    hits = []
    for *row, sum, said, rank in index.rows(
        "select p.path, p.kind, p.day, p.title, p.sum, p.text, t.rank"
        " from page p join page_text t on t.rowid=p.id where page_text match ?"
        f" order by t.rank, p.id limit {_MOST}",
        [_match(query, joint, ())],
    ):
        path, kind, day, title = row
        checked(sum, said, *row)
        level = _DEPTHS.get(kind)
        if (depth is not None and level != depth) or (since and day and day < since):
            continue
        if not _begins(query, f"{title} {said}"):
            continue
        score = round(-rank, 12)
        hits.append(Hit("", day, path, level, kind, "", "", "", title, said, score, ""))
    return hits


def _begins(query: Query, said: str) -> bool:
    """Whether words of the text really begin as a prefix asks (stems may not)."""
    folded: Any = None
    for prefix in query.prefixes:
        if not prefix.isascii():
            continue
        folded = folded if folded is not None else text.plain(said).casefold()
        if not re.search(rf"\b{re.escape(prefix)}", folded):
            return False
    return True


def snippet(said: str, words: str, width: int = 300) -> str:
    """The part of a text that a query is about, on one line."""
    flat = " ".join(said.split())
    if len(flat) <= width:
        return flat
    low = flat.casefold()
    places = [low.find(word.casefold()) for word in text.terms(words)]
    at = min((place for place in places if place >= 0), default=0)
    start = max(0, min(at - width // 4, len(flat) - width))
    end = start + width
    return ("…" if start else "") + flat[start:end] + ("…" if end < len(flat) else "")
