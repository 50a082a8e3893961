"""What one hook leaves for the next: sessions, what was said in them, when it ran.

All of it lies in `<common>/hipogit/` and may be lost: a hook that cannot write there
works on without. Everything here runs at every turn, so it imports next to nothing.
"""

# Importing pathlib, json or datetime would be felt at every turn.
# ruff: noqa: PTH103, PTH105, PTH111, PTH113, PTH120, PTH123, PTH208

from __future__ import annotations

import os
import time

from . import fastjson

_LONGEST_CHAIN = 32
_LARGEST_LEDGER = 256 * 1024


def now() -> str:
    """The time as ISO text with an offset: HIPOGIT_NOW, else the local clock."""
    given = os.environ.get("HIPOGIT_NOW", "")
    if given:
        return given
    at = time.strftime("%Y-%m-%dT%H:%M:%S%z")
    return f"{at[:-2]}:{at[-2:]}"


def note(local: str, where: str, sentence: str, hint: str = "") -> None:
    """Add a line to the ledger, as `inbox.Ledger` reads it. Never raises."""
    line = {"at": now(), "where": where, "sentence": sentence, "hint": hint}
    path = local + "/ledger.jsonl"
    try:
        with open(path, "ab") as file:
            file.write(fastjson.dump(line).encode() + b"\n")
            grown = file.tell() > _LARGEST_LEDGER
        if grown:
            # A host that fails at every turn must not fill the disk.
            kept = _bytes(path)[-_LARGEST_LEDGER // 4 :]
            _replace(path, kept[kept.index(b"\n") + 1 :])
    except (OSError, ValueError):
        return  # nowhere to write, and nobody to tell


def untold(local: str) -> list[dict[str, str]]:
    """The ledger's lines that no session has been told yet."""
    lines = _bytes(local + "/ledger.jsonl").split(b"\n")[:-1]
    told = _bytes(local + "/ledger.told").strip()
    for at in range(len(lines), 0, -1):
        if told and lines[at - 1] == told:
            lines = lines[at:]
            break
    found = []
    for line in lines:
        try:
            read = fastjson.load(line.decode("utf-8", "replace"))
        except ValueError:
            continue  # torn while it was written
        if isinstance(read, dict):
            found.append({str(key): str(value) for key, value in read.items()})
    return found


def tell(local: str) -> None:
    """Remember that all of the ledger has been told."""
    last = _bytes(local + "/ledger.jsonl").strip().rpartition(b"\n")[2]
    _replace(local + "/ledger.told", last + b"\n")


def reached(local: str, platform: str, event: str, *, probe: bool = False) -> None:
    """Write down that a hook arrived here: the file's time is when. Never raises."""
    name = f"{safe(platform)}.{safe(event)}" + (".probe" if probe else "")
    path = f"{local}/reached/{name}"
    try:
        try:
            os.utime(path)
        except FileNotFoundError:
            os.makedirs(local + "/reached", exist_ok=True)
            os.close(os.open(path, os.O_WRONLY | os.O_CREAT, 0o666))
    except (OSError, ValueError):
        return  # a repository we may only read


def indexed(local: str, tip: str = "") -> bool:
    """Whether a search index, of this commit, may be there; opening one is felt."""
    try:
        names = os.listdir(local)
    except OSError:
        return False
    return any(
        name.startswith("index-")
        and name.endswith(".stamp")
        and _bytes(f"{local}/{name}").startswith(tip.encode())
        for name in names
    )


def session(local: str, platform: str, id: str) -> dict[str, object]:
    """What is known of an agent's session; empty for a new one."""
    data = _bytes(_session_file(local, platform, id))
    if not data:
        data = _bytes(_session_file(_elsewhere(local), platform, id))
    try:
        found = fastjson.load(data.decode("utf-8", "replace"))
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def keep_session(local: str, platform: str, id: str, values: dict[str, object]) -> None:
    """Note things about a session; what was noted before and is not named stays.

    Its `start` is the first that was given. In a repository we may only read it is
    kept in the user's state folder. Raises OSError.
    """
    known = session(local, platform, id)
    merged = {**known, "platform": platform, "id": id, **values}
    if isinstance(known.get("start"), str) and known["start"]:
        merged["start"] = known["start"]
    data = fastjson.dump(merged).encode()
    try:
        _put(_session_file(local, platform, id), data)
    except OSError:
        _put(_session_file(_elsewhere(local), platform, id), data)


def holds(path: str, wanted: bytes) -> bool:
    """Whether the beginning of a file has these bytes."""
    try:
        if not os.path.isfile(path):
            return False  # a pipe would be waited for
        with open(path, "rb") as file:
            return wanted in file.read(1 << 20)
    except (OSError, ValueError):
        return False


def _elsewhere(local: str) -> str:
    """Where marks go when `local` cannot be written: hashlib would be felt here."""
    home = os.environ.get("XDG_STATE_HOME") or os.path.expanduser("~/.local/state")
    return f"{home}/hipogit/{mark(os.path.realpath(local))}"


def said(local: str, platform: str, id: str, text: str) -> None:
    """Remember the lines that were put before a session, as marks without words.

    An answer that repeats one of them is no new knowledge. Never raises.
    """
    marks = {mark(line) for line in text.split("\n") if line.strip()}
    path = _session_file(local, platform, id).removesuffix(".json") + ".said"
    marks -= set(_bytes(path).decode("ascii", "replace").split("\n"))
    if not marks:
        return
    try:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "ab") as file:
            file.write("".join(f"{one}\n" for one in sorted(marks)).encode("ascii"))
    except OSError:
        return  # a repository we may only read


def all_said(local: str) -> frozenset[str]:
    """The marks of all lines that were put before any session."""
    found: set[str] = set()
    try:
        names = os.listdir(local + "/sessions")
    except OSError:
        names = []
    for name in names:
        if name.endswith(".said"):
            data = _bytes(f"{local}/sessions/{name}")
            found.update(data.decode("ascii", "replace").split("\n"))
    return frozenset(found - {""})


def mark(line: str) -> str:
    """A short mark of a line, the same with and without the dressing of a list."""
    from zlib import crc32

    bare = line.strip().lstrip("#>*+-• ").replace("**", "").replace("__", "").strip()
    data = bare.encode("utf-8", "surrogatepass")
    return f"{crc32(data):08x}{crc32(data[::-1]):08x}"


def parents(pid: int) -> list[int]:
    """The chain of parent processes, nearest first, without init."""
    chain: list[int] = []
    while pid > 1 and len(chain) < _LONGEST_CHAIN:
        stat = _stat(pid)
        if not stat:
            return chain or ([os.getppid()] if pid == os.getpid() else [])
        pid = int(stat[1])
        if pid > 1:
            chain.append(pid)
    return chain


def hosts_pids(pid: int) -> list[int]:
    """The parents that belong to the agent: not the user's shell and what is above it.

    A statement made by hand in that shell later is none of the session's.
    """
    chain = parents(pid)
    for at, one in enumerate(chain):
        stat = _stat(one)
        # A shell on a terminal leads its session there.
        if stat and int(stat[3]) == one and int(stat[4]) != 0:
            return chain[:at]
    return chain


def _stat(pid: int) -> list[bytes]:
    """State, parent, group, session and terminal of a process; empty if unknown."""
    data = _bytes(f"/proc/{pid}/stat")
    # The name, in parentheses, may hold blanks and parentheses itself.
    return data.rpartition(b")")[2].split()


def safe(text: str) -> str:
    """A text as part of a file name; one that had to be cut keeps its own mark."""
    kept = "".join(
        c if c.isascii() and (c.isalnum() or c in "-_.") else "_" for c in text
    )
    return kept if len(kept) <= 100 else f"{kept[:80]}-{mark(text)}"


def put(path: str, values: dict[str, object]) -> None:
    """Write a JSON object in one step. Raises OSError."""
    _put(path, fastjson.dump(values).encode())


def _put(path: str, data: bytes) -> None:
    os.makedirs(os.path.dirname(path), exist_ok=True)
    _replace(path, data)


def _session_file(local: str, platform: str, id: str) -> str:
    return f"{local}/sessions/{safe(platform)}-{safe(id)}.json"


def _bytes(path: str) -> bytes:
    try:
        with open(path, "rb") as file:
            return file.read()
    except (OSError, ValueError):
        return b""


def _replace(path: str, data: bytes) -> None:
    """Replace a file in one step. Not synced: it is felt, and all of it may be lost."""
    temporary = f"{path}.{os.getpid()}.tmp"
    with open(temporary, "wb") as file:
        file.write(data)
    os.replace(temporary, path)
