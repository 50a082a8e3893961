"""What this clone remembers of earlier runs: commits that were found good.

They are good for the program, the settings and the allowances they were checked with;
any change of those looks at all of history anew.
"""

from __future__ import annotations

import hashlib
import json
from contextlib import suppress
from pathlib import Path

from ..config import Config
from ..inbox import write_whole
from ..plumbing import encode
from ..store import Store

_REMEMBERED = 20


class Memo:
    """Commits found good under one version of everything that judges them."""

    def __init__(self, store: Store, version: str) -> None:
        self._store = store
        self._path = store.local / "verified.json"
        self._version = version
        self._good: list[str] = []
        with suppress(OSError, ValueError):
            raw = json.loads(self._path.read_text("utf-8"))
            if isinstance(raw, dict) and raw.get("version") == version:
                good = raw.get("commits", [])
                self._good = [oid for oid in good if isinstance(oid, str)]

    @classmethod
    def of(cls, store: Store, config: Config) -> Memo:
        """What is remembered for these settings."""
        digest = hashlib.sha256()
        package = Path(__file__).parent.parent
        top = store.git.toplevel
        for path in [
            *sorted(package.rglob("*.py")),
            store.local / "config.toml",
            *([top / ".secrets.baseline"] if top else []),
        ]:
            with suppress(OSError):
                digest.update(path.name.encode() + b"\0" + path.read_bytes())
        allowed = [config.text("gate.salt"), *config.words("gate.allow")]
        digest.update(encode("\0".join(allowed)))
        return cls(store, digest.hexdigest()[:16])

    def known(self, commit: str) -> frozenset[str]:
        """Commits on the way to this one that were found good."""
        git = self._store.git
        return frozenset(
            oid
            for oid in self._good
            if oid == commit
            or git.attempt("merge-base", "--is-ancestor", oid, commit).returncode == 0
        )

    def add(self, commit: str) -> None:
        """Remember a commit; a repository that cannot be written is left alone."""
        good = [*(oid for oid in self._good if oid != commit), commit]
        said = {"version": self._version, "commits": good[-_REMEMBERED:]}
        with suppress(OSError):
            self._store.local.mkdir(exist_ok=True)
            write_whole(self._path, json.dumps(said) + "\n")
