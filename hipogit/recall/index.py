"""The search index of a clone: a cache of the tip in SQLite, rebuilt whenever in doubt.

It is a pure function of the tip: row numbers come from the path and the place in the
file, never from the order of indexing, so equal tips give equal answers in any clone.
A stamp beside the file names the tip, the size and the time of the last write. A file
that does not fit its stamp was written by somebody else (or by a falling disk) and is
made anew; a row whose checksum does not fit its text is reason enough as well.

Readers open it read-only. Writers hold a lock, change one file's rows in a short
transaction, and replace the whole file when they rebuild. Where nothing can be written
the index lives in memory.
"""

from __future__ import annotations

import os
import re
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar
from zlib import crc32

from ..entry import Entry, topic_key
from ..errors import GitFailed, NotSetUp
from ..tree import aliases
from . import stamp, text, units
from .open import Damaged, Index, Seal, checksum

if TYPE_CHECKING:
    from ..plumbing import Objects
    from ..store import Store

T = TypeVar("T")

_TOKENIZE = "porter unicode61 remove_diacritics 2 categories 'L* N* Co Mc Mn'"
_SCHEMA = f"""
create table meta(key text primary key, value text) without rowid;
create table file(path text primary key, base integer) without rowid;
create table alias(key text primary key, topic text) without rowid;
create table piece(
    id integer primary key, grp integer, key text, hidden integer, entry text, day text,
    topic text, type text, standing text, session text, source text, at text,
    facts integer, sum integer);
create table line(
    id integer primary key, piece integer, grp integer, field text, prior real,
    size integer, sum integer);
create index line_grp on line(grp);
create index piece_grp on piece(grp);
create index piece_key on piece(key);
create table page(
    id integer primary key, path text, kind text, day text, title text, sum integer);
create virtual table piece_text using fts5(
    topic, user, text, extra, tokenize="{_TOKENIZE}");
create virtual table line_text using fts5(
    text, extra, tokenize="{_TOKENIZE}");
create virtual table line_word using fts5vocab(line_text, row);
create virtual table page_text using fts5(
    title, text, extra, tokenize="{_TOKENIZE}");
"""
_AS_OF = re.compile(r"^last-updated: [\"']?(\d{4}-\d\d-\d\d)", re.M)
_ROOM = 1 << 20  # rows a file may have; the rest of a row number names the file
_PATIENCE = 60.0
_SORTED_AT_ONCE = 16 << 20  # bytes
_TEXTS = ("piece_text", "line_text", "page_text")


def using(store: Store, ask: Callable[[Index], T]) -> T:
    """What `ask` answers on an index of the tip.

    A damaged index is thrown away, made anew and asked again; one that is damaged again
    at once is made in memory, out of reach. Raises NotSetUp when there is no memory
    branch.
    """
    for trial in range(3):
        with opened(store, in_memory=trial == 2) as index:
            try:
                answer = ask(index)
                if index.sound:
                    return answer
            except (Damaged, sqlite3.DatabaseError) as problem:
                # What the question itself cannot answer fails on a new index as well.
                if trial == 2:
                    raise GitFailed(
                        f"the search index cannot be used: {problem}",
                        hint="hipogit doctor",
                    ) from None
        discard(store.local)
    raise AssertionError("unreachable")


@contextmanager
def opened(store: Store, *, in_memory: bool = False) -> Iterator[Index]:
    """An index of the tip, brought up to date first."""
    tip = store.tip()
    if tip is None:
        raise NotSetUp(
            f"there is no memory branch {store.branch} here", hint="hipogit init"
        )
    if in_memory:
        index = _built_in_memory(store, tip)
    else:
        index = _current(store.local, tip) or _refreshed(store, tip)
    try:
        yield index
    finally:
        index.close()


def refresh(store: Store) -> str:
    """Bring the index up to date, for writers and for a detached child; its tip."""
    with opened(store) as index:
        return index.tip


def discard(local: Path) -> None:
    """Throw the index away."""
    for path in stamp.files(local):
        with suppress(OSError):
            path.unlink()


def _current(local: Path, tip: str) -> Index | None:
    found = stamp.read(local)
    if found is None or found.tip != tip:
        return None
    try:
        db = stamp.connect(local)
        # One transaction: a writer that comes in between must not be half seen.
        db.execute("begin")
        named = db.execute("select value from meta where key='tip'").fetchone()
        seal = Seal(str(stamp.path(local)))
        # Once more, now that no writer of ours can change it.
        again = stamp.read(local)
        if named == (tip,) and again and again.tip == tip:
            return Index(db, tip, seal)
        db.close()
    except (sqlite3.Error, OSError):
        pass
    return None


def _refreshed(store: Store, tip: str) -> Index:
    try:
        if not store.config().flag("search.index"):
            raise OSError("no index is wanted in this clone")
        with stamp.lock(store.local, _PATIENCE):
            # Somebody else may have done it while we waited.
            index = _current(store.local, tip)
            if index:
                return index
            if not _updated(store, tip):
                _rebuilt(store, tip)
            stamp.write(store.local, tip)
            index = _current(store.local, tip)
            if index:
                return index
    except OSError:
        pass  # nothing can be written here, or another process never let go
    return _built_in_memory(store, tip)


def _built_in_memory(store: Store, tip: str) -> Index:
    db = sqlite3.connect(":memory:")
    _build(store, tip, db)
    return Index(db, tip)


def _updated(store: Store, tip: str) -> bool:
    """Whether the file could be brought from its commit to this one."""
    found = stamp.read(store.local)
    if found is None:
        return False
    try:
        changes = list(_changes(store, found.tip, tip))
    except GitFailed:
        return False  # the history it knew was rewritten
    stamp.withdraw(store.local)
    try:
        db = sqlite3.connect(stamp.path(store.local))
        try:
            db.execute("pragma synchronous=off")
            # The stamp is gone: what a killed writer leaves is made anew, not mended.
            db.execute("pragma journal_mode=memory")
            db.execute("pragma secure_delete=on")
            with db, store.git.objects() as objects:
                db.execute("begin")
                if _apply(db, objects, changes):
                    _scrub(db)
                db.execute("update meta set value=? where key='tip'", (tip,))
        finally:
            db.close()
    except sqlite3.DatabaseError:
        return False
    return True


def _rebuilt(store: Store, tip: str) -> None:
    fresh = stamp.path(store.local).with_suffix(f".{os.getpid()}.new")
    with suppress(FileNotFoundError):
        fresh.unlink()
    try:
        db = sqlite3.connect(fresh)
        try:
            db.execute("pragma journal_mode=off")
            db.execute("pragma synchronous=off")
            # An exchange fills most of a page of 4 KB: a sixth slower to build.
            db.execute("pragma page_size=8192")
            _build(store, tip, db)
        finally:
            db.close()
        # A journal left by a killed writer would be played into the new file.
        with suppress(OSError):
            Path(f"{stamp.path(store.local)}-journal").unlink()
        fresh.replace(stamp.path(store.local))
    except sqlite3.OperationalError as problem:
        raise OSError(str(problem)) from None
    finally:
        with suppress(OSError):
            fresh.unlink()


def _build(store: Store, tip: str, db: sqlite3.Connection) -> None:
    db.executescript(_SCHEMA)
    with db, store.git.objects() as objects:
        db.execute("begin")
        # The words of about a month are sorted at once; by default, of a few days.
        for table in _TEXTS:
            sql = f"insert into {table}({table}, rank) values('hashsize', ?)"
            db.execute(sql, (_SORTED_AT_ONCE,))
        db.execute("insert into meta values('tip', ?)", (tip,))
        _apply(db, objects, list(_all(store, tip)))


def _all(store: Store, tip: str) -> Iterator[tuple[str, str]]:
    raw = store.git.run("ls-tree", "-r", "-z", tip).decode("utf-8", "surrogateescape")
    for item in raw.split("\0"):
        head, _, path = item.partition("\t")
        if path and " blob " in head:
            yield path, head.split()[2]


def _changes(store: Store, old: str, new: str) -> Iterator[tuple[str, str]]:
    raw = store.git.run("diff-tree", "-r", "-z", "--no-renames", old, new)
    parts = raw.decode("utf-8", "surrogateescape").split("\0")
    for head, path in zip(parts[::2], parts[1::2], strict=False):
        oid, status = head.split()[3:5]
        yield path, "" if status == "D" else oid


def _apply(
    db: sqlite3.Connection, objects: Objects, changes: list[tuple[str, str]]
) -> bool:
    """Bring these files in; whether what an entry said was taken away."""
    gone = False
    for path, oid in changes:
        said_before = _statements(db, path)
        _apply_one(db, objects, path, oid)
        # A new index, or a new file, has nothing to lose.
        gone = gone or bool(said_before and said_before - _statements(db, path))
    return gone


def _statements(db: sqlite3.Connection, path: str) -> set[tuple[str, int]]:
    edge = (_base(path), _base(path) + _ROOM)
    return set(db.execute("select entry, sum from piece where id>=? and id<?", edge))


def _scrub(db: sqlite3.Connection) -> None:
    """Leave no byte of what was deleted: FTS5 only marks words as gone until then."""
    for table in _TEXTS:
        db.execute(f"insert into {table}({table}) values('optimize')")


def _apply_one(db: sqlite3.Connection, objects: Objects, path: str, oid: str) -> None:
    _forget(db, path)
    if not oid or not path.endswith(".md"):
        return
    found = objects.read(oid)
    if found is None:
        raise sqlite3.DatabaseError(f"{path} cannot be read")
    said = found.data.decode("utf-8", "surrogateescape")
    # SQLite takes no lone surrogates; what is not UTF-8 is found by the rest.
    if not said.isascii():
        said = said.encode("utf-8", "replace").decode("utf-8")
    if path == "memory/ROOT.md" and (match := _AS_OF.search(said)):
        db.execute("insert or replace into meta values('as-of', ?)", match.groups())
    base = _base(path)
    if path == aliases.PATH:
        _aliases(db, said)
    if day := units.day_of(path):
        filled = _journal(db, base, day, said)
    else:
        filled = _pages(db, base, path, said)
    if filled:
        db.execute("insert into file values(?, ?)", (path, base))


def _aliases(db: sqlite3.Connection, said: str) -> None:
    rows = [
        (key, first)
        for first, keys in aliases.parse(said).groups.items()
        for key in keys
    ]
    db.executemany("insert into alias values(?, ?)", rows)


def _forget(db: sqlite3.Connection, path: str) -> None:
    if path == aliases.PATH:
        db.execute("delete from alias")
    if not db.execute("select 1 from file where path=?", (path,)).fetchone():
        return
    edge = (_base(path), _base(path) + _ROOM)
    for table in ("piece", "line", "page"):
        rows = db.execute(f"select id from {table} where id>=? and id<?", edge)
        # A delete by range would scan the whole of an FTS table.
        db.executemany(f"delete from {table}_text where rowid=?", rows.fetchall())
        db.execute(f"delete from {table} where id>=? and id<?", edge)
    db.execute("delete from file where path=?", (path,))


def _base(path: str) -> int:
    """The first row number of a file: later days have higher ones."""
    if day := units.day_of(path):
        year, month, date = map(int, day.split("-"))
        return ((year * 13 + month) * 32 + date) * _ROOM
    import hashlib

    raw = path.encode("utf-8", "surrogateescape")
    number = int.from_bytes(hashlib.sha256(raw).digest()[:5], "big")
    return (1 << 60) + number * _ROOM


def _journal(db: sqlite3.Connection, base: int, day: str, said: str) -> bool:
    pieces: list[tuple[object, ...]] = []
    texts: list[tuple[object, ...]] = []
    lines: list[tuple[object, ...]] = []
    line_texts: list[tuple[object, ...]] = []
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
        hidden = int(piece.hidden)
        sum = checksum(piece.user + piece.text)
        pieces.append((id, group, key, hidden, *row, facts, sum))
        extra = text.extra(f"{entry.topic}\n{piece.user}\n{piece.text}")
        texts.append((id, entry.topic, piece.user, piece.text, extra))
        for line in piece.lines:
            at = base + len(lines)
            raw = line.text.encode("utf-8")
            # What `checksum` gives, without a second copy of each line.
            sums = (len(raw) + 1, crc32(raw))
            lines.append((at, id, group, line.field, line.prior, *sums))
            # What a piece does not hold none of its lines does.
            own = (text.extra(line.text) if extra else "") + rule
            line_texts.append((at, line.text, own))
    db.executemany("insert into piece values(?,?,?,?,?,?,?,?,?,?,?,?,?,?)", pieces)
    db.executemany(
        "insert into piece_text(rowid, topic, user, text, extra) values(?,?,?,?,?)",
        texts,
    )
    db.executemany("insert into line values(?,?,?,?,?,?,?)", lines)
    db.executemany(
        "insert into line_text(rowid, text, extra) values(?,?,?)", line_texts
    )
    return bool(pieces)


def _pages(db: sqlite3.Connection, base: int, path: str, said: str) -> bool:
    rows: list[tuple[object, ...]] = []
    texts: list[tuple[object, ...]] = []
    for number, page in enumerate(units.of_file(path, said)):
        row = (path, page.kind, page.day, page.title)
        rows.append((base + number, *row, checksum(page.text, *row)))
        extra = text.extra(f"{page.title}\n{page.text}")
        texts.append((base + number, page.title, page.text, extra))
    db.executemany("insert into page values(?,?,?,?,?,?)", rows)
    db.executemany(
        "insert into page_text(rowid, title, text, extra) values(?,?,?,?)", texts
    )
    return bool(rows)
