"""Paths of the files hipogit carries along: templates and hook scripts.

A wheel holds them under `hipogit/_data`, a checkout beside the package.
"""

from __future__ import annotations

from pathlib import Path

from hipogit.errors import HipogitError

_PACKAGE = Path(__file__).resolve().parent


def asset(kind: str, name: str) -> Path:
    """The file or folder `name` of that kind (`templates` or `hooks`)."""
    # An editable install has only the checkout's copy, a wheel only its own.
    for base in (_PACKAGE / "_data", _PACKAGE.parent):
        path = base / kind / name
        if path.exists():
            return path
    raise HipogitError(
        f"hipogit's own file {kind}/{name} is missing",
        hint="reinstall hipogit: pip install --force-reinstall hipogit",
    )
