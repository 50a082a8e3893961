"""The one place that reads the clock; everything below is given a time."""

from __future__ import annotations

import os
from datetime import datetime

from .errors import Usage

# At the edges of the calendar a week would reach out of it.
YEARS = range(1900, 9000)


def now(text: str = "") -> datetime:
    """The time to act at: the given ISO text, else HIPOGIT_NOW, else the local clock.

    Always with an offset and to the second. Raises Usage for a text that is no time.
    """
    text = text or os.environ.get("HIPOGIT_NOW", "")
    if not text:
        return datetime.now().astimezone().replace(microsecond=0)
    try:
        at = datetime.fromisoformat(text)
        at = at if at.tzinfo else at.astimezone()
        if at.year not in YEARS:
            raise ValueError(text)
    except (ValueError, OverflowError):
        raise Usage(
            f"{text!r} is not a time",
            hint="write it as 2026-11-29T17:35:02+09:00",
        ) from None
    return at
