"""Which findings may stay: comments in the line, fingerprints, baselines.

No plaintext is kept anywhere. `Allowed` is what `scan` and `clean` take as `allow`.
"""

from __future__ import annotations

import re

from .fingerprint import MARK, fingerprint, strength

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from hipogit.config import Config

    from .finding import Finding

# In a comment only: a sentence that names the mark must not switch the gate off.
_OPENS = r"(?:\#|//|/\*|--|<!--|;|%|'|\")[ \t]*"
_SAME = re.compile(
    _OPENS + r"(?:hipogit: ?allow-secret|pragma: ?(?:allow|white)list[ -]secret)\b"
)
# detect-secrets' form for the line above; nothing may stand before the comment, or a
# long line could hide that it opens the next one.
_NEXT = re.compile(r"^[ \t]*" + _OPENS + r"pragma: ?allowlist[ -]nextline[ -]secret\b")

# What detect-secrets keeps of a key block.
_HEADS = (
    "BEGIN DSA PRIVATE KEY",
    "BEGIN EC PRIVATE KEY",
    "BEGIN OPENSSH PRIVATE KEY",
    "BEGIN PGP PRIVATE KEY BLOCK",
    "BEGIN PRIVATE KEY",
    "BEGIN RSA PRIVATE KEY",
    "BEGIN SSH2 ENCRYPTED PRIVATE KEY",
)

HEAD = "# hipogit baseline 1: accepted findings, one a line; no secrets stand here\n"


class Allowed:
    """Fingerprints, a detect-secrets baseline and comments as one answer.

    `inline=False` takes no notice of comments: text that tools or web pages wrote must
    not be able to open the gate.
    """

    def __init__(
        self,
        fingerprints: Iterable[str] = (),
        *,
        salt: str = "",
        baselines: Iterable[Baseline] = (),
        hashed: Mapping[str, frozenset[str]] | None = None,
        inline: bool = True,
        path: str = "",
    ) -> None:
        self.salt = salt
        self.path = path
        self.inline = inline
        self.hashed = hashed or {}
        # An empty mark would allow every secret that is too weak to have one.
        self._by_salt: dict[str, set[str]] = {
            salt: {mark for mark in fingerprints if mark.startswith(MARK)}
        }
        for baseline in baselines:
            self._by_salt.setdefault(baseline.salt, set()).update(baseline.marks)
        self._marks: dict[tuple[str, str], str] = {}
        self._line = ("", False)

    @classmethod
    def of(
        cls,
        config: Config,
        *,
        baselines: Iterable[Baseline] = (),
        hashed: Mapping[str, frozenset[str]] | None = None,
        inline: bool = True,
    ) -> Allowed:
        """What the settings allow (`gate.allow`, `gate.salt`)."""
        return cls(
            config.words("gate.allow"),
            salt=config.text("gate.salt"),
            baselines=baselines,
            hashed=hashed,
            inline=inline,
        )

    def at(self, path: str) -> Allowed:
        """The same for one file: a detect-secrets baseline allows by file."""
        there = Allowed(inline=self.inline, hashed=self.hashed, path=path)
        there.salt, there._by_salt, there._marks = self.salt, self._by_salt, self._marks
        return there

    def allows(self, rule: str, secret: str, line_text: str) -> bool:
        """Whether this secret may stay. `line_text` is the line before it (empty at the
        top of a text) and then the lines it stands on."""
        if self.inline:
            if line_text != self._line[0]:
                # A long line full of findings comes back with each of them.
                self._line = (line_text, _commented(line_text))
            if self._line[1]:
                return True
        if hashes := self.hashed.get(self.path):
            from hashlib import sha1

            for value in _readings(secret):
                raw = value.encode("utf-8", "surrogateescape")
                if sha1(raw, usedforsecurity=False).hexdigest() in hashes:
                    return True
        return any(
            marks and self._mark(secret, salt) in marks
            for salt, marks in self._by_salt.items()
        )

    def fingerprint(self, secret: str) -> str:
        """The secret's mark under this repository's salt, or nothing if it is weak."""
        return self._mark(secret, self.salt)

    def _mark(self, secret: str, salt: str) -> str:
        from hashlib import sha256

        # The mark is slow on purpose and a secret often stands in many blobs; the
        # secret itself is not kept as a key.
        raw = secret.encode("utf-8", "surrogateescape")
        key = (salt, sha256(raw).hexdigest())
        if key not in self._marks:
            self._marks[key] = fingerprint(secret, salt)
        return self._marks[key]


class Baseline:
    """Findings accepted once: marks by rule and path, and the salt they were made with.

    As text: a head, the salt, then sorted lines `fingerprint rule path`. No dates, no
    line numbers, so that two branches that add lines merge.
    """

    __slots__ = ("lines", "salt")

    def __init__(self, lines: Iterable[tuple[str, str, str]], salt: str = "") -> None:
        self.lines = sorted(set(lines))
        self.salt = salt

    @property
    def marks(self) -> set[str]:
        """The fingerprints."""
        return {mark for mark, _, _ in self.lines}

    @classmethod
    def of(cls, findings: Iterable[Finding], salt: str = "") -> Baseline:
        """The findings that have a fingerprint."""
        return cls(
            ((f.fingerprint, f.rule, f.path) for f in findings if f.fingerprint), salt
        )

    @classmethod
    def parse(cls, text: str) -> Baseline:
        """The baseline a text holds; unknown lines are left out."""
        lines, salt = [], ""
        for line in text.splitlines():
            if line.startswith("# salt "):
                salt = line.removeprefix("# salt ").strip()
            words = line.split(" ", 2)
            if words[0].startswith(MARK):
                mark, rule, path = [*words, "", ""][:3]
                lines.append((mark, rule, path))
        return cls(lines, salt)

    def render(self) -> str:
        """The text; the same findings give the same bytes."""
        salt = f"# salt {self.salt}\n" if self.salt else ""
        # A path may hold a newline; it is there for people, the mark alone decides.
        lines = (
            f"{mark} {rule} {path}".replace("\n", "?").replace("\r", "?").rstrip()
            for mark, rule, path in self.lines
        )
        return HEAD + salt + "".join(line + "\n" for line in lines)


def secrets_baseline(text: str) -> dict[str, frozenset[str]]:
    """Hashes by file of a detect-secrets baseline (`.secrets.baseline`).

    Raises ValueError when the text is none.
    """
    import json

    data = json.loads(text)
    results = data.get("results") if isinstance(data, dict) else None
    if not isinstance(results, dict):
        raise ValueError("no results in it")
    found: dict[str, frozenset[str]] = {}
    for path, items in results.items():
        if isinstance(items, list):
            hashes = (i.get("hashed_secret") for i in items if isinstance(i, dict))
            found[str(path).replace("\\", "/")] = frozenset(
                value for value in hashes if isinstance(value, str)
            )
    return found


def advice(finding: Finding) -> str:
    """How to get rid of a finding, in one sentence."""
    if finding.fingerprint:
        return (
            "take it out and change it where it is used; if it is no secret, add"
            f" {finding.fingerprint} to gate.allow in hipogit.toml or end the line with"
            " `# hipogit: allow-secret`"
        )
    return (
        "take it out and change it where it is used; it is too short to have a"
        " fingerprint, so if it is no secret, end the line with"
        " `# hipogit: allow-secret`"
    )


def _commented(line_text: str) -> bool:
    before, _, rest = line_text.partition("\n")
    if _NEXT.search(before):
        return True
    lines = rest.split("\n")
    return bool(_SAME.search(lines[0]) or _SAME.search(lines[-1]))


def _readings(secret: str) -> Iterator[str]:
    """The secret as detect-secrets' plugins may have cut it out before hashing it."""
    yield secret
    bare = secret.strip(" \t'\"`")
    yield bare
    if bare.startswith("-----BEGIN"):
        # It hashes only these words, which is why its baseline holds for one file.
        words = bare.split("-----")[1].replace(" ", "")
        yield from (head for head in _HEADS if head.replace(" ", "") in words)
    if bare.count(".") == 2:
        head = bare.rpartition(".")[0]
        yield head
        yield head + "."
    for mark in (":", "=", " "):
        tail = bare.rpartition(mark)[2].strip("'\"`@")
        if strength(tail) > 20:
            yield tail
