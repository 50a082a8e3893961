"""Scanning many pieces: what was found, how much was read, what need not be read again.

Blobs without a finding are remembered by id in `<common git dir>/hipogit/`, under the
version of the gate that looked at them: any change of its rules reads all of them anew.
"""

from __future__ import annotations

import hashlib
import os
import sys
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from . import gate
from .errors import Usage
from .gate.allow import Allowed, Baseline, secrets_baseline
from .gate.decode import decode
from .gate.redact import NOTHING

if TYPE_CHECKING:
    from .config import Config
    from .gate.finding import Cleaned, Finding
    from .gate.seam import Engine
    from .plumbing import Git
    from .sources import Piece

_SAVE_EVERY = 20_000  # clean blobs; an interrupted run keeps what it learnt


class Found(NamedTuple):
    """Findings, the objects they are in (empty for files), bytes and pieces read."""

    findings: list[Finding]
    oids: list[str]
    scanned: int
    pieces: int = 0


def sweep(
    pieces: Iterable[Piece],
    allow: Callable[[], Allowed],
    *,
    engines: Sequence[Engine] | None = None,
    clean: Clean | None = None,
    progress: Callable[[int], None] | None = None,
) -> Found:
    """Scan pieces one at a time. `allow` is called once something was found."""
    found: list[tuple[Finding, str]] = []
    allowed: Allowed | None = None
    scanned = read = 0
    for number, piece in enumerate(pieces, 1):
        scanned += len(piece.data)
        if piece.names or piece.trees:
            if bad := misnamed(piece, engines):
                allowed = allowed or allow()
                found.extend(_named(bad, allowed, engines))
            elif clean is not None:
                for oid in piece.trees:
                    clean.add(oid)
            continue
        read += 1
        text = decode(piece.data)
        if gate.scan(text, path=piece.path, allow=NOTHING, engines=engines):
            allowed = allowed or allow()
            here = allowed.at(piece.path)
            # The name may be a secret too, and a report shows it.
            shown = gate.clean_path(piece.path)
            found.extend(
                (finding, piece.oid)
                for finding in gate.scan(text, path=shown, allow=here, engines=engines)
            )
        elif clean is not None and piece.oid:
            # Only what nobody had to allow: an allowance may be taken back.
            clean.add(piece.oid)
        if progress:
            progress(number)
    if clean is not None:
        clean.save()
    return Found([f for f, _ in found], [oid for _, oid in found], scanned, read)


# Names do not belong together: no rule reads over so many lines.
_APART = "\n\n\n"


def misnamed(
    piece: Piece, engines: Sequence[Engine] | None = None
) -> list[tuple[str, str]]:
    """Those of a piece's names that look like a secret, and the objects they are in."""
    lines = [path.replace("\n", " ") for path, _ in piece.names]
    found = gate.scan(_APART.join(lines), allow=NOTHING, engines=engines)
    numbers = {(finding.line - 1) // len(_APART) for finding in found}
    return [piece.names[number] for number in sorted(numbers)]


def _named(
    names: Iterable[tuple[str, str]], allowed: Allowed, engines: Sequence[Engine] | None
) -> Iterator[tuple[Finding, str]]:
    for path, oid in names:
        shown = gate.clean_path(path)
        for finding in gate.scan(
            path, path=shown, allow=allowed.at(path), engines=engines
        ):
            yield finding, oid


def redacted(piece: Piece, allow: Callable[[], Allowed]) -> Cleaned | None:
    """The piece without its secrets, or None when it holds none that must go."""
    text = decode(piece.data)
    if not gate.scan(text, path=piece.path, allow=NOTHING):
        return None
    here = allow().at(piece.path)
    if not gate.scan(text, path=piece.path, allow=here):
        return None
    return gate.clean(text, path=piece.path, allow=here)


class Clean:
    """Ids of objects that hold no secret, in a file of sorted ids and nothing else."""

    def __init__(self, path: Path, width: int) -> None:
        self.path = path
        self._width = width
        self._new: set[bytes] = set()
        try:
            self._old = path.read_bytes()
        except OSError:
            self._old = b""
        if len(self._old) % width:
            self._old = b""  # torn; it is only a cache

    @classmethod
    def of(cls, git: Git, engines: Sequence[Engine]) -> Clean:
        """The ids this version of the gate found clean with these engines."""
        names = "+".join(type(engine).__name__.lower() for engine in engines)
        width = 20 if git.hash == "sha1" else 32
        name = f"clean-blobs-{gate_version()}-{names or 'own'}"
        return cls(git.common / "hipogit" / name, width)

    def __contains__(self, oid: object) -> bool:
        if not isinstance(oid, bytes):
            return False
        if oid in self._new:
            return True
        count = len(self._old) // self._width
        at = bisect_left(range(count), oid, key=self._at)
        return at < count and self._at(at) == oid

    def add(self, oid: str) -> None:
        """Remember an object."""
        self._new.add(bytes.fromhex(oid))
        if len(self._new) >= _SAVE_EVERY:
            self.save()

    def save(self) -> None:
        """Write what was learnt; a repository that cannot be written is left alone."""
        if not self._new:
            return
        old = {self._at(at) for at in range(len(self._old) // self._width)}
        self._old = b"".join(sorted(old | self._new))
        self._new.clear()
        with suppress(OSError):
            self.path.parent.mkdir(exist_ok=True)
            version = self.path.name.rpartition("-")[0]
            for other in self.path.parent.glob("clean-blobs-*"):
                if not other.name.startswith(f"{version}-"):
                    other.unlink()  # what another version learnt is of no use
            temporary = self.path.with_suffix(f".{os.getpid()}.tmp")
            temporary.write_bytes(self._old)
            temporary.replace(self.path)

    def _at(self, number: int) -> bytes:
        return self._old[number * self._width : (number + 1) * self._width]


def gate_version() -> str:
    """A hash over the gate's own files: it changes whenever any rule does."""
    digest = hashlib.sha256()
    for path in sorted(Path(gate.__file__).parent.rglob("*.py")):
        digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:12]


def allowance(git: Git | None, given: Path | None = None) -> Allowed:
    """What may stay in a repository: what the settings allow, `.secrets.baseline` at
    its top, and the baseline that was named. Raises Usage when one cannot be read."""
    top = git.toplevel if git else None
    hashed: dict[str, frozenset[str]] = {}
    baselines: list[Baseline] = []
    for path in (top / ".secrets.baseline" if top else None, given):
        if path is None or not path.exists():
            continue
        text = _text(path)
        if path is given and not text.lstrip().startswith("{"):
            baselines.append(Baseline.parse(text))
            continue
        try:
            hashed.update(secrets_baseline(text))
        except ValueError:
            raise Usage(
                f"{path} is no baseline of detect-secrets", hint="detect-secrets scan"
            ) from None
    return Allowed.of(_settings(git), baselines=baselines, hashed=hashed)


def _settings(git: Git | None) -> Config:
    """Those of the tree at hand, else those of the memory branch."""
    from . import config
    from .store import Store, branch_ref

    if git is None:
        return config.load(Path(os.devnull))
    shared = ""
    if git.toplevel and (git.toplevel / "hipogit.toml").is_file():
        shared = _text(git.toplevel / "hipogit.toml")
    store = Store(git, branch_ref(git))
    if not shared and store.tip():
        with store.snapshot() as snapshot:
            shared = snapshot.read("hipogit.toml") or ""
    return config.load(git.common / "hipogit", shared)


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="surrogateescape")
    except OSError as problem:
        raise Usage(f"{path} cannot be read: {problem.strerror}") from None


def counter(every: int = 50) -> Callable[[int], None] | None:
    """Shows how many objects were read, on a terminal; None elsewhere."""
    if not sys.stderr.isatty():
        return None

    def show(number: int) -> None:
        if number % every == 0:
            sys.stderr.write(f"\r{number:,} scanned\x1b[K")
            sys.stderr.flush()

    return show
