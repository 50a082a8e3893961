"""The secret scan of a branch's history: every line once, every file of the tip whole.

A journal and the summaries above it are written anew at each checkpoint, so most lines
of a blob were in another one before. Lines not met yet are scanned with their
neighbours; of a summary, which says again what journals say, the words not met yet with
theirs. Where something is found the whole blob is scanned, and so is each blob of the
tip. Unseen goes only a secret that is put together from clean pieces of earlier
commits and is gone again before the tip.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from .. import gate, sweep
from ..gate import engines
from ..gate.decode import decode
from ..gate.redact import NOTHING
from ..periods import journal_day
from ..plumbing import Git, encode
from ..sources import Piece
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
)


def check(
    git: Git, tip: str, commits: Iterable[Commit], paths: dict[str, str]
) -> tuple[Check, int]:
    """Whether any blob or message these commits brought holds a secret; bytes read.

    `paths` names the blobs of the tip by object id.
    """
    used = engines.default()
    clean = sweep.Clean.of(git, used)
    scan = _Scan(clean)
    brought: dict[str, tuple[str, str]] = {}
    for commit in commits:
        text = f"{commit.people}\n\n{commit.message}"
        scan.take(Piece(f"commit {commit.oid[:12]}", encode(text), commit.oid))
        for file in commit.files:
            if file.new.strip("0"):
                brought.setdefault(file.new, (file.path, commit.oid))
    for oid, path in paths.items():
        brought.setdefault(oid, (path, tip))
    todo = [oid for oid in brought if bytes.fromhex(oid) not in clean]
    progress = sweep.counter()
    with git.objects() as objects:
        for number, blob in enumerate(objects.stream(todo), 1):
            if blob and blob.type == "blob":
                path = brought[blob.oid][0]
                scan.take(Piece(path, blob.data, blob.oid), whole=blob.oid in paths)
            if progress:
                progress(number)
        scan.flush()
    clean.save()
    found = sweep.sweep(scan.suspects, lambda: sweep.allowance(git), engines=used)
    problems = [
        Problem(
            f"{finding.rule} ({finding.fingerprint or 'too short to name'})",
            "change it where it is used; if it is none: gate.allow in hipogit.toml",
            brought[oid][1] if oid in brought else oid,
            finding.path,
            finding.line,
        )
        for finding, oid in zip(found.findings, found.oids, strict=True)
    ]
    about = "no secret in all of history"
    return Check("secrets", about, tuple(problems)), scan.read


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
        unmet = set(lines) - self._met
        self._met |= unmet
        fresh = [
            number
            for number, line in enumerate(lines)
            if line in unmet and not _PLAIN.fullmatch(line)
        ]
        text = b"\n".join(_near(lines, fresh, _NEAR))
        words = _words(text)
        if piece.path.startswith("memory/") and not journal_day(piece.path):
            new = [
                number for number, word in enumerate(words) if word not in self._said
            ]
            text = b" ".join(_near(words, new, _WORDS))
        self._said.update(words)
        return text

    def _alone(self, piece: Piece) -> None:
        if _found(piece.data):
            self.suspects.append(piece)
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
