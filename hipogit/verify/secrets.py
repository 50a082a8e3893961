"""The secret scan of a branch's history: every line once, every file of the tip whole.

A journal and the summaries above it are written anew at each checkpoint, so most lines
of a blob were in another one before. Lines not met yet are scanned with their
neighbours; of a summary, which says again what journals say, the words not met yet with
theirs. Where something is found the whole blob is scanned, and so is each blob of the
tip but for summaries that a rebuild gave byte for byte. Unseen goes only a secret that
is put together from clean pieces of earlier commits and is gone again before the tip.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from .. import gate, sweep
from ..gate import engines
from ..gate.decode import decode
from ..gate.redact import NOTHING
from ..periods import journal_day
from ..plumbing import Git, Objects, encode
from ..sources import Piece, named
from .changes import Commit
from .problem import Check, Problem

_NEAR = 3  # lines on each side: where a name, a header or a wrapped line may stand
_WORDS = 6  # the same in words, in a summary
_MOST = (
    1_000_000  # lines and words remembered; forgetting them costs time and nothing else
)
_BATCH = 64 * 1024  # bytes scanned at once: a scan has a price of its own
_PIECES = 200
# Lines of ours that are new in each summary and that no rule takes for a secret.
_PLAIN = re.compile(
    rb'- \{path: "[\w./-]{1,80}", blob: "[0-9a-f]{40,64}"\}|checksum: "[0-9a-f]{16}"'
    rb'|- "\d{4}-[W\d]\d(?:-\d\d)? [0-9a-f]{16}"|entries: \d+|last-updated: "[\d-]{10}"'
    rb"|Hipogit-Entry: \d{8}-[a-z2-7]{6,20}|compact: [\dW, -]{4,60}|"
)


class Secrets:
    """Takes commits and what they brought, oldest first, and keeps what it found.

    `paths` names blobs of the tip by object id: those are scanned whole.
    """

    def __init__(self, git: Git, tip: str, paths: Mapping[str, str]) -> None:
        self._git = git
        self._engines = engines.default()
        self._clean = sweep.Clean.of(git, self._engines)
        self._scan = _Scan(self._clean)
        self._tip = tip
        self._paths = paths
        # Where to look for each object that was brought: path and commit.
        self._brought: dict[str, tuple[str, str]] = {}
        self._names = dict.fromkeys(paths.values(), tip)

    @property
    def read(self) -> int:
        """Bytes looked at."""
        return self._scan.read

    def wants(self, oid: str) -> bool:
        """Whether a blob has to be looked at: no run before found it clean."""
        return bytes.fromhex(oid) not in self._clean

    def message(self, commit: Commit) -> None:
        """Look at who made a commit, what it says and how its files are called."""
        self._names.update((file.path, commit.oid) for file in commit.files)
        text = f"{commit.people}\n\n{commit.message}"
        self._scan.take(Piece(f"commit {commit.oid[:12]}", encode(text), commit.oid))

    def blob(self, oid: str, path: str, data: bytes, commit: str = "") -> None:
        """Look at a blob that a commit brought."""
        self._brought[oid] = path, commit or self._tip
        self._scan.take(Piece(path, data, oid), whole=oid in self._paths)

    def rest(self, objects: Objects) -> None:
        """Look at blobs of the tip that no commit looked at here brought."""
        left = [
            oid for oid in self._paths if oid not in self._brought and self.wants(oid)
        ]
        for found in objects.stream(left):
            if found and found.type == "blob":
                self.blob(found.oid, self._paths[found.oid], found.data)

    def check(self) -> Check:
        """What was found."""
        self._scan.flush()
        self._clean.save()
        found = sweep.sweep(
            [*self._scan.suspects, *named(self._names.items())],
            lambda: sweep.allowance(self._git),
            engines=self._engines,
        )
        problems = [
            Problem(
                f"{finding.rule} ({finding.fingerprint or 'too short to name'})",
                "change it where it is used; if it is none: gate.allow in hipogit.toml",
                self._brought[oid][1] if oid in self._brought else oid,
                finding.path,
                finding.line,
            )
            for finding, oid in zip(found.findings, found.oids, strict=True)
        ]
        return Check("secrets", "no secret in all of history", tuple(problems))


class _Scan:
    """Scans what was not met yet in batches; keeps what has to be looked at whole."""

    def __init__(self, clean: sweep.Clean) -> None:
        self.suspects: list[Piece] = []
        self.read = 0
        self._clean = clean
        self._met: set[bytes] = set()
        self._said: set[bytes] = set()
        self._waiting: list[tuple[Piece, bool]] = []
        self._text: list[bytes] = []
        self._size = 0

    def take(self, piece: Piece, *, whole: bool = False) -> None:
        """Look at a blob or a message, now or with the next ones."""
        self.read += len(piece.data)
        if b"\0" in piece.data or piece.data[:2] in (b"\xff\xfe", b"\xfe\xff"):
            # UTF-16: it is neither cut into lines nor put beside other text.
            self._alone(piece)
            return
        text = self._fresh(piece)
        text = piece.data if whole else text
        self._waiting.append((piece, whole))
        self._text.append(text)
        self._size += len(text)
        if self._size > _BATCH or len(self._waiting) >= _PIECES:
            self.flush()

    def flush(self) -> None:
        """Scan what waits."""
        waiting, text = self._waiting, b"\n\n".join(self._text)
        self._waiting, self._text, self._size = [], [], 0
        if _found(text):
            for piece, _ in waiting:
                # What one of them brought must be found in the others as well.
                self._met.difference_update(piece.data.split(b"\n"))
                self._said.difference_update(_words(piece.data))
                self._alone(piece)
            return
        for piece, whole in waiting:
            if whole:
                self._clean.add(piece.oid)
        if len(self._met) + len(self._said) > _MOST:
            self._met.clear()
            self._said.clear()

    def _fresh(self, piece: Piece) -> bytes:
        """What was not met before, with what stands around it."""
        lines = piece.data.split(b"\n")
        met, said = self._met, self._said
        unmet = [number for number, line in enumerate(lines) if line not in met]
        met.update([lines[number] for number in unmet])
        fresh = [number for number in unmet if not _PLAIN.fullmatch(lines[number])]
        if not (piece.path.startswith("memory/") and not journal_day(piece.path)):
            text = b"\n".join(_near(lines, fresh, _NEAR))
            said.update(_words(text))
            return text
        fresh = [n for n in fresh if not said.issuperset(lines[n].split(b" "))]
        words = _words(b"\n".join(_near(lines, fresh, 1)))
        new = [number for number, word in enumerate(words) if word not in said]
        said.update([words[number] for number in new])
        return b" ".join(_near(words, new, _WORDS))

    def _alone(self, piece: Piece) -> None:
        # Zero bytes may be those of UTF-16, or stand before plain text to look so.
        flat = piece.data.replace(b"\0", b" ") if b"\0" in piece.data else b""
        if _found(piece.data):
            self.suspects.append(piece)
        elif _found(flat):
            self.suspects.append(piece._replace(data=flat))
        else:
            self._clean.add(piece.oid)


def _words(text: bytes) -> list[bytes]:
    return text.replace(b"\n", b" \n ").split(b" ")


def _near(parts: list[bytes], fresh: Iterable[int], around: int) -> Iterator[bytes]:
    upto = 0
    for number in fresh:
        start = max(upto, number - around)
        if start > upto:
            yield b"\n\n--\n\n"  # what did not stand side by side is not read as one
        upto = max(upto, min(len(parts), number + around + 1))
        yield from parts[start:upto]


def _found(data: bytes) -> bool:
    return bool(data) and bool(gate.scan(decode(data), allow=NOTHING))
