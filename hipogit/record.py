"""What a memory commit says about itself: its subject and its trailers.

The trailers are ordinary git trailers, so plain `git log` can query all of it:
`git log --format='%(trailers:key=Hipogit-Entry,valueonly)' hipogit/memory`.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

ACTIONS = (
    "init",
    "checkpoint",
    "capture",
    "adopt",
    "compact",
    "summarize",
    "supersede",
    "retract",
    "dispute",
    "confirm",
    "restore",
    "purge",
    "import",
    "sync",
    "edit",
)

_SUBJECT = 72  # columns; longer subjects are folded by most tools


@dataclass(frozen=True, slots=True)
class Record:
    """Who did what to memory, from where and why.

    `entries` are the ids it concerns, `code` the code commit and branch at that moment,
    `redactions` the number of secrets taken out, `reopened` the closed periods whose
    nodes changed. `via` is where somebody's word came in: `tty`, `pipe`, `hook`, `mcp`.
    `at` is the author date; the committer's is the time of writing.
    """

    action: str
    subject: str
    entries: tuple[str, ...] = ()
    session: str = ""
    source: str = ""
    actor: str = ""
    code: str = ""
    redactions: int = 0
    reason: str = ""
    reopened: tuple[str, ...] = ()
    at: datetime | None = None
    via: str = ""

    def message(self) -> str:
        """The whole commit message."""
        subject = _one_line(f"{self.action}: {self.subject}")
        if len(subject) > _SUBJECT:
            subject = subject[: _SUBJECT - 1].rstrip() + "…"
        trailers = [("Action", self.action)]
        trailers += [("Entry", id) for id in self.entries]
        trailers += [
            ("Session", self.session),
            ("Source", self.source),
            ("Actor", self.actor),
            ("Code", self.code),
            ("Redactions", str(self.redactions) if self.redactions else ""),
            ("Reason", self.reason),
            ("Via", self.via),
        ]
        trailers += [("Reopened", period) for period in self.reopened]
        lines = [f"Hipogit-{key}: {_one_line(text)}" for key, text in trailers if text]
        return "\n".join([subject, "", *lines, ""])

    @classmethod
    def parse(cls, message: str) -> Record | None:
        """The record in a commit message, or None where a person wrote the commit.

        Only the last paragraph counts: a body cannot pose as trailers.
        """
        head, _, tail = message.rstrip("\n").rpartition("\n\n")
        found: dict[str, list[str]] = {}
        for line in tail.split("\n"):
            key, colon, value = line.partition(": ")
            if colon and key.startswith("Hipogit-"):
                found.setdefault(key.removeprefix("Hipogit-"), []).append(value)
        action = found.get("Action", [""])[-1]
        if not action or not head:
            return None

        def last(key: str) -> str:
            return found.get(key, [""])[-1]

        redactions = last("Redactions")
        return cls(
            action,
            head.split("\n", 1)[0].removeprefix(f"{action}: "),
            tuple(found.get("Entry", ())),
            last("Session"),
            last("Source"),
            last("Actor"),
            last("Code"),
            int(redactions) if redactions.isdigit() else 0,
            last("Reason"),
            tuple(found.get("Reopened", ())),
            via=last("Via"),
        )


def _one_line(text: str) -> str:
    # A newline in a topic or a reason would end the trailer block, or forge a trailer.
    return " ".join(text.split())
