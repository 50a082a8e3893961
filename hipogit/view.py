"""What the tree reads: the files of the branch at one commit, with changes on top."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Protocol


class View(Protocol):
    """Files of the memory branch. Values are text (UTF-8, surrogateescape)."""

    @property
    def tip(self) -> str | None:
        """The commit beneath, or None before the first."""

    def read(self, path: str) -> str | None:
        """The text of a file, or None when there is none."""

    def blob(self, path: str) -> str | None:
        """The object id of a file's content, computed for text not yet written."""

    def paths(self, prefix: str = "") -> list[str]:
        """The files whose path begins with the prefix, sorted."""

    def with_changes(self, changes: Mapping[str, str | None]) -> View:
        """The same view with files put in place or, by None, taken away."""


class MemoryView:
    """A view of a plain dictionary; object ids are those of a SHA-1 repository."""

    def __init__(
        self, files: Mapping[str, str | None], *, tip: str | None = None
    ) -> None:
        self.files = {path: text for path, text in files.items() if text is not None}
        self._tip = tip

    @property
    def tip(self) -> str | None:
        return self._tip

    def read(self, path: str) -> str | None:
        return self.files.get(path)

    def blob(self, path: str) -> str | None:
        text = self.files.get(path)
        return None if text is None else blob_id(text)

    def paths(self, prefix: str = "") -> list[str]:
        return sorted(path for path in self.files if path.startswith(prefix))

    def with_changes(self, changes: Mapping[str, str | None]) -> MemoryView:
        return MemoryView({**self.files, **changes}, tip=self._tip)


def blob_id(text: str, hash: str = "sha1") -> str:
    """The id git gives a file of that text."""
    raw = text.encode("utf-8", "surrogateescape")
    return hashlib.new(hash, b"blob %d\0" % len(raw) + raw).hexdigest()
