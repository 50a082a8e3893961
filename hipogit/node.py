"""A node of the tree: a summary of a period, as Markdown with YAML front matter.

    ---
    type: "daily"
    status: "tentative"
    period: "2026-11-29"
    format: 1
    sources:
    - {path: "memory/2026-11-29.md", blob: "5626abf0f72e58d7a153368ba57db4c673c0e171"}
    topics:
    - "Payment endpoint: rate limit [project]"
    entries: 1
    summary: "verbatim"
    ---

Keys stand in a fixed order and every string is quoted, so one node has one spelling.
That spelling is read here directly; what a person rewrote is read as YAML.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING

from . import gate
from .gate.redact import NOTHING

if TYPE_CHECKING:
    from .gate.seam import Allow

FORMAT = 1

# Texts with one of these origins were given to us: a rebuild keeps them.
STORED = frozenset({"agent", "command", "import"})


@dataclass(frozen=True, slots=True)
class Source:
    """A file that a node was made from, and the object id of its content then."""

    path: str
    blob: str


@dataclass(frozen=True, slots=True)
class Node:
    """A summary and what it was made from.

    `status` is about the calendar: `tentative` while the period is open, then `fixed`.
    `summary` says who shortened the text: `verbatim` (nobody), `extractive`,
    `command`, `agent` or `import`. `mentions` run beside `topics`, one string each.
    `covers` is set on stored texts: what they were written from, status aside.
    """

    type: str
    status: str
    period: str
    body: str
    sources: tuple[Source, ...] = ()
    topics: tuple[str, ...] = ()
    mentions: tuple[str, ...] = ()
    entries: int = 0
    summary: str = "verbatim"
    needs_summarization: bool = False
    dissolved: bool = False
    covers: tuple[str, ...] = ()
    last_updated: str = ""
    checksum: str = ""
    format: int = FORMAT

    def __post_init__(self) -> None:
        object.__setattr__(self, "body", self.body.strip("\n"))

    @property
    def sum(self) -> str:
        """What the checksum of its text is now."""
        digest = hashlib.sha256()
        for part in (*self.topics, *self.mentions, self.body):
            digest.update(part.encode("utf-8", "surrogateescape") + b"\0")
        return digest.hexdigest()[:16]

    @property
    def edited(self) -> bool:
        """Whether somebody changed its text by hand after it was written."""
        return self.checksum != "" and self.checksum != self.sum

    @property
    def stored(self) -> bool:
        """Whether its text is an input to keep, not something to compute."""
        return self.summary in STORED or self.dissolved

    def sealed(self, allow: Allow | None = None) -> Node:
        """The same node, gated, with the checksum of its text.

        What stands in it was gated before, but not as it stands here: a topic and the
        words below it can read like a name and its value.
        """
        body = _gated(self.body, allow)
        said = _gated("\n".join((*self.topics, *self.mentions)), allow).split("\n")
        count = len(self.topics)
        topics, mentions = tuple(said[:count]), tuple(said[count:])
        if not self.topics and not self.mentions:
            topics, mentions = self.topics, self.mentions
        clean = replace(self, body=body, topics=topics, mentions=mentions)
        return replace(clean, checksum=clean.sum)

    def render(self) -> str:
        """The file, in the one spelling of this node."""
        lines = ["---", f"type: {_quote(self.type)}"]
        if self.status:
            lines.append(f"status: {_quote(self.status)}")
        if self.period:
            lines.append(f"period: {_quote(self.period)}")
        lines.append(f"format: {self.format}")
        if self.last_updated:
            lines.append(f"last-updated: {_quote(self.last_updated)}")
        if self.sources:
            lines.append("sources:")
            lines += (
                f"- {{path: {_quote(s.path)}, blob: {_quote(s.blob)}}}"
                for s in self.sources
            )
        for key, values in (("topics", self.topics), ("mentions", self.mentions)):
            if values:
                lines.append(f"{key}:")
                lines += (f"- {_quote(value)}" for value in values)
        lines.append(f"entries: {self.entries}")
        lines.append(f"summary: {_quote(self.summary)}")
        if self.needs_summarization:
            lines.append("needs-summarization: true")
        if self.dissolved:
            lines.append("dissolved: true")
        if self.covers:
            lines.append("covers:")
            lines += (f"- {_quote(value)}" for value in self.covers)
        if self.checksum:
            lines.append(f"checksum: {_quote(self.checksum)}")
        return "\n".join([*lines, "---", "", self.body, ""])

    @classmethod
    def parse(cls, text: str) -> Node | None:
        """The node a file holds, or None when it is none."""
        return _parsed(text)

    @classmethod
    def _canonical(cls, text: str) -> Node | None:
        """Reads the spelling of `render`; None for every other."""
        head, _, body = text.partition("\n---\n\n")
        if not head.startswith("---\n"):
            return None
        values: dict[str, object] = {}
        rows: list[object] | None = None
        try:
            for line in head.split("\n")[1:]:
                if line.startswith("- "):
                    if rows is None:
                        return None
                    rows.append(_row(line[2:]))
                    continue
                key, _, value = line.partition(": ")
                if value:
                    rows = None
                elif key.endswith(":"):
                    key, rows = key[:-1], []
                else:
                    return None
                if key in values:
                    return None
                values[key] = rows if rows is not None else json.loads(value)
        except ValueError:
            return None
        return cls._of(values, body)

    @classmethod
    def _yaml(cls, text: str) -> Node | None:
        """Reads any YAML front matter, as a person may have left it."""
        import frontmatter  # 25 ms, and rare: only files edited by hand come here
        import yaml

        try:
            post = frontmatter.loads(text)
        except (yaml.YAMLError, ValueError):
            return None
        return cls._of(post.metadata, post.content)

    @classmethod
    def _of(cls, values: Mapping[str, object], body: str) -> Node | None:
        if not values.get("type") or not isinstance(values["type"], str):
            return None
        sources = values.get("sources")
        return cls(
            type=values["type"],
            status=_text(values.get("status")),
            period=_text(values.get("period")),
            body=body,
            sources=tuple(
                Source(_text(row.get("path")), _text(row.get("blob")))
                for row in (sources if isinstance(sources, list) else [])
                if isinstance(row, dict)
            ),
            topics=_texts(values.get("topics")),
            mentions=_texts(values.get("mentions")),
            entries=_number(values.get("entries"), 0),
            summary=_text(values.get("summary")) or "verbatim",
            needs_summarization=values.get("needs-summarization") is True,
            dissolved=values.get("dissolved") is True,
            covers=_texts(values.get("covers")),
            last_updated=_text(values.get("last-updated")),
            checksum=_text(values.get("checksum")),
            format=_number(values.get("format"), 0),
        )


# What may not stand raw between double quotes: YAML's own signs, its line breaks,
# what it calls unprintable, and bytes that are not UTF-8.
_RAW = re.compile(
    '["\\\\\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff\ud800-\udfff]'
)
_SOURCE = re.compile(r'\{path: ("(?:[^"\\]|\\.)*"), blob: ("(?:[^"\\]|\\.)*")\}')


# A level up reads what the level below has just read.
@lru_cache(maxsize=32)
def _parsed(text: str) -> Node | None:
    return Node._canonical(text) or Node._yaml(text)


def _quote(text: str) -> str:
    return '"' + _RAW.sub(_escape, text) + '"'


def _escape(match: re.Match[str]) -> str:
    char = match[0]
    return "\\" + char if char in '"\\' else f"\\u{ord(char):04x}"


def _row(text: str) -> object:
    if text.startswith("{"):
        match = _SOURCE.fullmatch(text)
        if match is None:
            raise ValueError(text)
        return {"path": json.loads(match[1]), "blob": json.loads(match[2])}
    # Most rows hold no escape, and a month has hundreds of them.
    if "\\" not in text and text.count('"') == 2 and text[0] == text[-1] == '"':
        return text[1:-1]
    value = json.loads(text)
    if not isinstance(value, str):
        raise ValueError(text)
    return value


def _text(value: object) -> str:
    return "" if value is None else str(value)


def _texts(value: object) -> tuple[str, ...]:
    return tuple(_text(v) for v in value) if isinstance(value, list) else ()


def _number(value: object, default: int) -> int:
    return value if isinstance(value, int) else default


def sources_of(pairs: Iterable[tuple[str, str | None]]) -> tuple[Source, ...]:
    """Sources from paths and object ids, those without an object left out."""
    return tuple(Source(path, blob) for path, blob in pairs if blob)


def _gated(text: str, allow: Allow | None) -> str:
    """The text without what looks like a secret; each line stays a line."""
    if not text or not gate.scan(text, allow=allow or NOTHING):
        return text
    return "\n".join(_plain(line, allow or NOTHING) for line in text.split("\n"))


def _plain(line: str, allow: Allow) -> str:
    # Without brackets: rows of an index are read back by theirs.
    for finding in reversed(gate.scan(line, allow=allow)):
        mark = f"REDACTED:{finding.rule}"
        line = f"{line[: finding.start]}{mark}{line[finding.end :]}"
    return line
