"""Typed looks into records whose shape nobody promised.

Every vendor changes these formats without notice, so each look names what it wants
and gives an empty value for anything else.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime

from ..clock import YEARS

_LONGEST_ID = 200


def loads(text: str) -> object:
    """The JSON value; raises ValueError for all that is none, absurd nesting too."""
    try:
        value: object = json.loads(text)
    except RecursionError:
        raise ValueError("nested too deeply") from None
    return value


def text(value: object) -> str:
    """The string, fit to be encoded; "" for anything else.

    A lone surrogate (`\\ud83d`) parses as JSON but cannot be written as UTF-8.
    """
    if not isinstance(value, str):
        return ""
    return value.encode("utf-8", "replace").decode("utf-8")


def name(value: object) -> str:
    """A short one-line string (an id, a tool's name, a folder) or ""."""
    return " ".join(text(value).split())[:_LONGEST_ID]


def mapping(value: object) -> Mapping[str, object]:
    """The object, or an empty one."""
    return value if isinstance(value, dict) else {}


def items(value: object) -> list[object]:
    """The list, or an empty one."""
    return value if isinstance(value, list) else []


def blocks(value: object) -> list[Mapping[str, object]]:
    """Message content as a list of objects; a plain string is one text block."""
    if isinstance(value, str):
        return [{"type": "text", "text": value}]
    if isinstance(value, dict):
        return [value]
    return [
        {"type": "text", "text": item} if isinstance(item, str) else mapping(item)
        for item in items(value)
    ]


def instant(value: object) -> datetime | None:
    """The moment an ISO text or a number of epoch milliseconds names.

    None also for one that memory keeps no day for.
    """
    try:
        if isinstance(value, str):
            at = datetime.fromisoformat(value)
            at = at if at.tzinfo else at.replace(tzinfo=UTC)
        elif isinstance(value, int | float) and not isinstance(value, bool):
            at = datetime.fromtimestamp(value / 1000, UTC)
        else:
            return None
    except (ValueError, OverflowError, OSError):
        return None
    return at if at.year in YEARS else None
