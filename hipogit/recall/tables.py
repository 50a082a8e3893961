"""The tables of the index, and what a file of the branch puts into them.

Texts stand in ordinary tables; the FTS5 tables beside them hold words alone (external
content). So a whole index is made from rows that are in, by one command for each table:
a third less work than row by row.
"""

from __future__ import annotations

import re
import sqlite3
from zlib import crc32

from ..entry import Entry, topic_key
from ..tree import aliases
from . import text, units
from .open import checksum

TOKENIZE = "porter unicode61 remove_diacritics 2 categories 'L* N* Co Mc Mn'"

# The words of these columns of a table are found through the FTS5 table of that name.
_WORDS = {
    "piece_text": ("said", "topic, user, text, extra"),
    "line_text": ("line", "text, extra"),
    "page_text": ("page", "title, text, extra"),
}
_SCHEMA = """
create table meta(key text primary key, value text) without rowid;
create table file(path text primary key, base integer) without rowid;
create table alias(key text primary key, topic text) without rowid;
create table piece(
    id integer primary key, grp integer, key text, hidden integer, entry text, day text,
    topic text, type text, standing text, session text, source text, at text,
    facts integer, sum integer);
create table said(
    id integer primary key, topic text, user text, text text, extra text);
create table line(
    id integer primary key, piece integer, grp integer, field text, prior real,
    size integer, sum integer, text text, extra text);
create table page(
    id integer primary key, path text, kind text, day text, title text, sum integer,
    text text, extra text);
"""
# Made when the rows are in: sorting them once costs less than keeping them sorted.
_LOOKUPS = """
create index line_grp on line(grp);
create index piece_grp on piece(grp);
create index piece_key on piece(key);
"""
_ROOM = 1 << 20  # rows a file may have; the rest of a row number names the file
_SORTED_AT_ONCE = 16 << 20  # bytes
_AS_OF = re.compile(r"^last-updated: [\"']?(\d{4}-\d\d-\d\d)", re.M)


def create(db: sqlite3.Connection) -> None:
    """Make the tables."""
    db.executescript(_SCHEMA)
    for name, (table, columns) in _WORDS.items():
        db.execute(
            f"create virtual table {name} using fts5({columns},"
            f' content={table}, content_rowid=id, tokenize="{TOKENIZE}")'
        )
        # The words of about a month are sorted at once; by default, of a few days.
        sql = f"insert into {name}({name}, rank) values('hashsize', ?)"
        db.execute(sql, (_SORTED_AT_ONCE,))


def complete(db: sqlite3.Connection) -> None:
    """Make the words of all rows findable, and the rows themselves."""
    for name in _WORDS:
        db.execute(f"insert into {name}({name}) values('rebuild')")
    for sql in filter(None, _LOOKUPS.split("\n")):
        db.execute(sql)


def change(db: sqlite3.Connection, path: str, data: bytes | None) -> bool:
    """Have a file say this from now on; whether what an entry said was taken away."""
    edge = _edge(path)
    before = _statements(db, edge)
    _forget(db, path, edge)
    if data is None:
        return bool(before)
    take_in(db, path, data)
    for name, (table, columns) in _WORDS.items():
        db.execute(
            f"insert into {name}(rowid, {columns})"
            f" select id, {columns} from {table} where id>=? and id<?",
            edge,
        )
    # A new file has nothing to lose.
    return bool(before and before - _statements(db, edge))


def scrub(db: sqlite3.Connection) -> None:
    """Leave no byte of what was deleted: FTS5 only marks words as gone until then."""
    for name in _WORDS:
        db.execute(f"insert into {name}({name}) values('optimize')")


def take_in(db: sqlite3.Connection, path: str, data: bytes) -> None:
    """The rows of a file, its words aside."""
    try:
        said = data.decode("utf-8")
    except UnicodeDecodeError:
        # SQLite takes no lone surrogates; what is not UTF-8 is found by the rest.
        said = data.decode("utf-8", "surrogateescape")
        said = said.encode("utf-8", "replace").decode("utf-8")
    if path == "memory/ROOT.md" and (match := _AS_OF.search(said)):
        db.execute("insert or replace into meta values('as-of', ?)", match.groups())
    base = base_of(path)
    if path == aliases.PATH:
        _aliases(db, said)
    if day := units.day_of(path):
        filled = _journal(db, base, day, said)
    else:
        filled = _pages(db, base, path, said)
    if filled:
        db.execute("insert into file values(?, ?)", (path, base))


def base_of(path: str) -> int:
    """The first row number of a file: later days have higher ones."""
    if day := units.day_of(path):
        year, month, date = map(int, day.split("-"))
        return ((year * 13 + month) * 32 + date) * _ROOM
    import hashlib

    raw = path.encode("utf-8", "surrogateescape")
    number = int.from_bytes(hashlib.sha256(raw).digest()[:5], "big")
    return (1 << 60) + number * _ROOM


def _edge(path: str) -> tuple[int, int]:
    base = base_of(path)
    return base, base + _ROOM


def _statements(db: sqlite3.Connection, edge: tuple[int, int]) -> set[tuple[str, int]]:
    return set(db.execute("select entry, sum from piece where id>=? and id<?", edge))


def _forget(db: sqlite3.Connection, path: str, edge: tuple[int, int]) -> None:
    if path == aliases.PATH:
        db.execute("delete from alias")
    if not db.execute("select 1 from file where path=?", (path,)).fetchone():
        return
    for name, (table, columns) in _WORDS.items():
        # FTS5 has to be told the words that go, and only the rows still know them.
        db.execute(
            f"insert into {name}({name}, rowid, {columns})"
            f" select 'delete', id, {columns} from {table} where id>=? and id<?",
            edge,
        )
    for table in ("piece", "said", "line", "page"):
        db.execute(f"delete from {table} where id>=? and id<?", edge)
    db.execute("delete from file where path=?", (path,))


def _aliases(db: sqlite3.Connection, said: str) -> None:
    rows = [
        (key, first)
        for first, keys in aliases.parse(said).groups.items()
        for key in keys
    ]
    db.executemany("insert into alias values(?, ?)", rows)


def _journal(db: sqlite3.Connection, base: int, day: str, said: str) -> bool:
    pieces: list[tuple[object, ...]] = []
    texts: list[tuple[object, ...]] = []
    lines: list[tuple[object, ...]] = []
    last: Entry | None = None
    for piece in units.of_journal(said):
        entry, id, group = piece.entry, base + len(pieces), base + piece.group
        if entry is not last:  # a conversation has many exchanges
            last = entry
            key = topic_key(entry.topic)
            row = (
                entry.id, day, entry.topic, entry.type, entry.standing,
                entry.get("session"), entry.get("source"),
                entry.at.isoformat() if entry.at else "",
            )  # fmt: skip
            facts = checksum("", *row)
            rule = f" {text.RULE}" if entry.type == "feedback" else ""
            named = text.extra(entry.topic)
        hidden = int(piece.hidden)
        whole = f"{piece.user}\0{piece.text}"
        pieces.append((id, group, key, hidden, *row, facts, checksum(whole)))
        extra = text.extra(whole)
        both = f"{named} {extra}" if named else extra
        texts.append((id, entry.topic, piece.user, piece.text, both))
        heard = text.extra(piece.user) if extra else ""
        for line in piece.lines:
            at = base + len(lines)
            raw = line.text.encode("utf-8")
            # What `checksum` gives, without a second copy of each line.
            sums = (len(raw) + 1, crc32(raw))
            # What a piece does not hold none of its lines does.
            wanted = heard if line.field == "user" else extra
            own = text.extra(line.text) + rule if wanted else rule
            facts_of = (at, id, group, line.field, line.prior)
            lines.append((*facts_of, *sums, line.text, own))
    _insert(db, "piece", pieces)
    _insert(db, "said", texts)
    _insert(db, "line", lines)
    return bool(pieces)


def _pages(db: sqlite3.Connection, base: int, path: str, said: str) -> bool:
    rows: list[tuple[object, ...]] = []
    for number, page in enumerate(units.of_file(path, said)):
        row = (path, page.kind, page.day, page.title)
        extra = text.extra(f"{page.title}\n{page.text}")
        sum = checksum(page.text, *row)
        rows.append((base + number, *row, sum, page.text, extra))
    _insert(db, "page", rows)
    return bool(rows)


def _insert(db: sqlite3.Connection, table: str, rows: list[tuple[object, ...]]) -> None:
    if rows:
        marks = ",".join("?" * len(rows[0]))
        db.executemany(f"insert into {table} values({marks})", rows)
