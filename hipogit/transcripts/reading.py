"""What a reading gives: complete turns, and how far it got."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from ..errors import Usage
from .cursor import Cursor
from .turns import Pen, Turn


@dataclass(frozen=True, slots=True)
class Reading:
    """What a reading gave: complete turns, and how far it got.

    `skipped` counts what was passed over by reason. `rewound` are message ids of
    statements the user took back, given earlier or never; `left` of those the session
    went back from, given earlier or now, and `returned` of those left before that it
    went on from after all. `summaries` counts the compaction summaries that came by.
    `started` is when the session began, as its first lines tell, `session` its id when
    any statement came by.
    """

    turns: tuple[Turn, ...]
    cursor: Cursor
    skipped: Mapping[str, int] = field(default_factory=dict)
    rewound: tuple[str, ...] = ()
    left: tuple[str, ...] = ()
    returned: tuple[str, ...] = ()
    summaries: int = 0
    started: datetime | None = None
    session: str = ""

    @classmethod
    def written(cls, pen: Pen, cursor: Cursor) -> Reading:
        """The reading a pen wrote."""
        return cls(
            turns=tuple(pen.turns),
            cursor=cursor,
            skipped=dict(pen.skipped),
            rewound=tuple(pen.rewound),
            left=tuple(pen.left),
            returned=tuple(pen.returned),
            summaries=pen.summaries,
            started=pen.started,
            session=pen.session,
        )


def unreadable(path: Path, error: OSError) -> Usage:
    """The error for a transcript that cannot be opened."""
    return Usage(
        f"{path} cannot be read: {error.strerror or error}",
        hint="name a session's transcript, see `hipogit capture --help`",
    )
