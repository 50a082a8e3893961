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
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from ..errors import GitFailed, NotSetUp
from . import stamp, tables
from .open import Damaged, Index, Seal

if TYPE_CHECKING:
    from ..objects import Object
    from ..store import Store

T = TypeVar("T")

_PATIENCE = 60.0


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
        raise NotSetUp.no_branch(store.branch)
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
                texts = _texts(objects.read_many, changes)
                gone = sum(tables.change(db, path, data) for path, data in texts)
                if gone:
                    tables.scrub(db)
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
            # An exchange fills most of a page of 4 KB: a tenth slower to build.
            db.execute("pragma page_size=16384")
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
    with db, store.git.objects() as objects:
        db.execute("begin")
        tables.create(db)
        db.execute("insert into meta values('tip', ?)", (tip,))
        # Git reads ahead while we work.
        for path, data in _texts(objects.stream, _all(store, tip)):
            if data is not None:
                tables.take_in(db, path, data)
        tables.complete(db)


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


def _texts(
    read: Callable[[Iterable[str]], Iterator[Object | None]],
    files: Iterable[tuple[str, str]],
) -> Iterator[tuple[str, bytes | None]]:
    """Each file and what it says, nothing for one that is gone, in the rows' order."""
    ordered = sorted(
        (pair for pair in files if pair[0].endswith(".md")),
        key=lambda pair: tables.base_of(pair[0]),
    )
    found = read(oid for _, oid in ordered if oid)
    for path, oid in ordered:
        said = next(found) if oid else None
        if oid and said is None:
            raise sqlite3.DatabaseError(f"{path} cannot be read")
        yield path, said.data if said else None
