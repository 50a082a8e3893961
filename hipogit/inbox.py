"""What waits beside the branch: the spool, the ledger, the sessions.

The spool holds gated entries that could not be committed; the next command commits
them. The ledger holds failures nobody was there to see. A session record tells which
agent session a checkpoint belongs to.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from . import marks
from .plumbing import decode, encode

_LEDGER_LINES = 200  # older lines go: a ledger nobody reads must not fill the disk


class Spool(NamedTuple):
    """A folder of entries that wait, one JSON file each."""

    path: Path

    def put(self, item: Mapping[str, Any]) -> Path:
        """Keep an item; the same item twice is kept once. Raises OSError."""
        import hashlib

        text = json.dumps(item, sort_keys=True, ensure_ascii=True)
        name = hashlib.sha256(text.encode()).hexdigest()[:16]
        target = self.path / f"{name}.json"
        self.path.mkdir(parents=True, exist_ok=True)
        write_whole(target, text, durable=True)
        return target

    def items(self) -> list[tuple[Path, dict[str, Any] | None]]:
        """The items by file, oldest first; None for a file that cannot be read."""
        found: list[tuple[Path, dict[str, Any] | None]] = []
        files = self.path.glob("*.json") if self.path.is_dir() else []
        for path in sorted(files, key=_age):
            try:
                item = json.loads(path.read_text(encoding="utf-8"))
            except FileNotFoundError:
                continue  # another process took it in meanwhile
            except (OSError, ValueError):
                item = None
            found.append((path, item if isinstance(item, dict) else None))
        return found


def spools(common: Path, view: Path | None) -> list[Spool]:
    """Every place where entries may wait, the preferred one first."""
    import hashlib

    state = os.environ.get("XDG_STATE_HOME") or Path("~/.local/state").expanduser()
    id = hashlib.sha256(encode(str(common.resolve()))).hexdigest()[:16]
    places = [Spool(common / "hipogit" / "spool")]
    if view:
        places.append(Spool(view / ".spool"))
    return [*places, Spool(Path(state) / "hipogit" / id / "spool")]


class Ledger(NamedTuple):
    """Failures that were not in anybody's way, newest last."""

    path: Path

    def note(self, at: str, where: str, sentence: str, hint: str = "") -> None:
        """Add a line. Never raises: it is called where nothing more can be done."""
        line = json.dumps(
            {"at": at, "where": where, "sentence": sentence, "hint": hint},
            ensure_ascii=False,
        )
        with suppress(OSError):
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with self.path.open("ab") as file:
                # One write of one line, so that two processes never share a line.
                file.write(encode(line) + b"\n")
            self._trim()

    def lines(self) -> list[dict[str, str]]:
        """Its lines, oldest first; a torn line is left out."""
        try:
            raw = decode(self.path.read_bytes())
        except OSError:
            return []
        return [line for text in raw.split("\n") if (line := _object(text))]

    def clear(self) -> None:
        """Forget all of it."""
        with suppress(OSError):
            self.path.unlink()

    def _trim(self) -> None:
        raw = self.path.read_bytes()
        if raw.count(b"\n") > 2 * _LEDGER_LINES:
            kept = raw.split(b"\n")[-_LEDGER_LINES - 1 :]
            write_whole(self.path, decode(b"\n".join(kept)))


class Session(NamedTuple):
    """An agent session: who, which, since when, where, beneath which processes."""

    platform: str
    id: str
    start: str
    cwd: str
    pids: tuple[int, ...]
    ended: bool = False


def sessions(folder: Path) -> Iterator[Session]:
    """The recorded sessions, newest start first."""
    found = []
    for path in folder.glob("*.json") if folder.is_dir() else []:
        raw = _object(_text(path)) or {}
        if isinstance(raw.get("id"), str) and isinstance(raw.get("start"), str):
            pids = raw.get("pids")
            found.append(
                Session(
                    str(raw.get("platform", "")),
                    str(raw["id"]),
                    str(raw["start"]),
                    str(raw.get("cwd", "")),
                    tuple(p for p in pids if isinstance(p, int))
                    if isinstance(pids, list)
                    else (),
                    bool(raw.get("ended")),
                )
            )
    yield from sorted(found, key=lambda session: session.start, reverse=True)


def current_session(folder: Path, cwd: Path) -> Session | None:
    """The session this process belongs to.

    The one whose process is our nearest ancestor, else the only open one here.
    """
    open_ones = [session for session in sessions(folder) if not session.ended]
    if not open_ones:
        return None
    # Two agents in one terminal share the shell; their own process is nearer.
    for pid in marks.parents(os.getpid()):
        for session in open_ones:
            if pid in session.pids:
                return session
    here = [s for s in open_ones if s.cwd and _within(cwd, Path(s.cwd))]
    return here[0] if len(here) == 1 else None


def session_of(folder: Path, cwd: Path, named: str = "") -> Session | None:
    """The session somebody names, also in HIPOGIT_SESSION, else `current_session`."""
    wanted = named or os.environ.get("HIPOGIT_SESSION", "")
    if not wanted:
        return current_session(folder, cwd)
    known = (one for one in sessions(folder) if one.id == wanted)
    return next(known, Session("", wanted, "", "", ()))


def write_whole(path: Path, text: str, *, durable: bool = False) -> None:
    """Replace a file in one step, so that nobody ever reads half of it.

    `durable` for what stands nowhere else: it is on the disk before this returns.
    """
    temporary = path.with_name(f"{path.name}.{os.getpid()}.tmp")
    try:
        with temporary.open("wb") as file:
            file.write(encode(text))
            if durable:
                file.flush()
                os.fsync(file.fileno())
        temporary.replace(path)
    except OSError:
        with suppress(OSError):
            temporary.unlink()
        raise


def _age(path: Path) -> tuple[int, str]:
    try:
        return path.stat().st_mtime_ns, path.name
    except OSError:
        return 0, path.name


def _within(inner: Path, outer: Path) -> bool:
    inner, outer = inner.resolve(), outer.resolve()
    return inner == outer or outer in inner.parents


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


def _object(text: str) -> dict[str, Any] | None:
    try:
        found = json.loads(text)
    except ValueError:
        return None
    return found if isinstance(found, dict) else None
