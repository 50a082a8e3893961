"""The gate: finds secrets in text and takes them out before anything is stored.

`clean` is what every write goes through, `scan` only looks, `scan_bytes` takes what a
file or a blob holds. Importing this package loads nothing else: a hook that has no text
to check must not pay for the rules.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from .finding import Cleaned, Finding
    from .seam import Allow, Engine

__all__ = ["clean", "clean_path", "scan", "scan_bytes"]


def scan(
    text: str,
    *,
    path: str = "",
    allow: Allow | None = None,
    engines: Sequence[Engine] | None = None,
) -> list[Finding]:
    """Every secret in the text, in order. `engines=()` uses our own rules alone."""
    from .scanner import scan

    return scan(text, path=path, allow=allow, engines=engines)


def scan_bytes(
    data: bytes,
    *,
    path: str = "",
    allow: Allow | None = None,
    engines: Sequence[Engine] | None = None,
) -> list[Finding]:
    """Every secret in a file's bytes; lines and offsets count in the decoded text."""
    from .decode import decode
    from .scanner import scan

    return scan(decode(data), path=path, allow=allow, engines=engines)


def clean(
    text: str,
    *,
    path: str = "",
    allow: Allow | None = None,
    engines: Sequence[Engine] | None = None,
) -> Cleaned:
    """The text as it may be stored: secrets redacted, invisible characters gone."""
    from .redact import clean

    return clean(text, path=path, allow=allow, engines=engines)


def clean_path(path: str) -> str:
    """A file's path as it may be stored or shown."""
    from .redact import clean_path

    return clean_path(path)
