"""Lines out of entries and out of nodes, each of a kind and with its ids.

Nothing is reworded. Fields of entries go to the section of their kind; of a captured
conversation only what the user said counts.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from ..entry import Entry, parse_all
from ..node import Node
from ..words import is_question, sentences, statements, told
from .mention import unpack
from .promote import KEPT_WHOLE
from .settings import size

KINDS = ("decisions", "done", "lessons", "open", "statements", "notes")

# Section titles by kind, for days, weeks and months.
TITLES = {
    "decisions": ("Key Decisions", "Key Decisions", "Major Decisions"),
    "done": ("Tasks Completed", "Tasks Completed", "Completed Work"),
    "lessons": ("Lessons Learned", "Lessons Learned", "Lessons & Patterns"),
    "open": ("Open Items", "Carried Forward", "Carried Forward"),
    "statements": ("User Statements", "User Statements", "User Statements"),
    "notes": ("Notes", "Notes", "Notes"),
}
_KIND_OF = {title: kind for kind, titles in TITLES.items() for title in titles}
# A summary written by an agent need not use our exact titles.
_GUESS = (
    ("decision", "decisions"),
    ("complete", "done"),
    ("lesson", "lessons"),
    ("open", "open"),
    ("carried", "open"),
    ("next", "open"),
    ("question", "open"),
    ("statement", "statements"),
)
_FIELDS = {
    "decisions": "decision decisions decided choice rule 결정 결정사항 決定 决定",
    "done": "outcome outcomes result results done completed 결과 완료 結果 结果",
    "lessons": "lesson lessons learned insight insights pattern patterns root-cause "
    "why fix 교훈 배운 教訓 经验",
    "open": "open open-items next next-steps todo pending blocker blockers question "
    "questions remaining follow-up 미해결 다음 할일 未解決 待办",
    "statements": "user",
}
_FIELD_KIND = {word: kind for kind, names in _FIELDS.items() for word in names.split()}
_WORTH = {
    "decisions": 6.0,
    "lessons": 4.0,
    "open": 3.5,
    "done": 3.0,
    "statements": 0.5,
    "notes": 0.3,
}

_FIELD = re.compile(r"- ([^\W\d_][\w -]{0,30}?)[:：] ?(.*)")
_IDS = re.compile(r" \(((?:\d{8}-[a-z2-7]+|\d{4}-\d\d-\d\d)(?: [\d a-z+-]+)?)\)$")
FOOT = "[Expand for details about: "
_LINE = 400


@dataclass(frozen=True, slots=True)
class Item:
    """One line of a summary: what kind of thing it says, and the ids it came from."""

    kind: str
    text: str
    ids: tuple[str, ...] = ()
    topic: str = ""

    @property
    def day(self) -> str:
        """The day its newest source names (`2026-11-29`), or nothing."""
        newest = max(self.ids, default="")
        if newest[4:5] == "-":
            return newest[:10]
        return f"{newest[:4]}-{newest[4:6]}-{newest[6:8]}" if newest else ""

    @property
    def worth(self) -> float:
        return _WORTH[self.kind] * told(self.text)

    def line(self) -> str:
        return f"- {cite(self.text, self.ids)}"


@dataclass(frozen=True, slots=True)
class Content:
    """What a node says, read back: entries that stand in full, and summary lines."""

    entries: tuple[Entry, ...] = ()
    items: tuple[Item, ...] = ()

    @property
    def rules(self) -> tuple[Entry, ...]:
        """The entries that every level carries word for word."""
        return tuple(e for e in self.entries if e.type in KEPT_WHOLE)


def cite(text: str, ids: Iterable[str], limit: int = _LINE) -> str:
    """The text as one line of at most `limit` bytes ending in its ids."""
    tail = f" ({' '.join(ids)})" if ids else ""
    return clip(" ".join(text.split()), limit - len(tail)) + tail


def clip(text: str, limit: int) -> str:
    """The text cut at a word to that many bytes, with an ellipsis when cut."""
    if size(text) <= limit:
        return text
    raw = text.encode("utf-8", "surrogateescape")[: max(limit - 3, 0)]
    short = raw.decode("utf-8", "ignore")
    at = short.rfind(" ")
    return (short[:at] if at > len(short) // 2 else short).rstrip(" ,;:([") + "…"


def items_of(entry: Entry, id: str) -> list[Item]:
    """The lines an entry contributes, each marked when the entry is disputed."""
    ids = (id,) if id else ()
    mark = "[disputed] " if entry.standing == "disputed" else ""
    found = []
    for kind, text in _lines(entry):
        text = " ".join(text.split())
        if len(text) > 2:
            found.append(Item(kind, mark + text, ids, entry.topic))
    return found


def _lines(entry: Entry) -> Iterable[tuple[str, str]]:
    said = statements(entry.body)
    for part in said:
        for sentence in sentences(part[:4000]):
            # Long ones are pastes, questions ask what the topic already names.
            if 20 <= len(sentence) <= 500 and not is_question(sentence):
                yield "statements", sentence
    kind = ""
    talk = bool(said)
    # What has a reason beside it was decided, and says more than the reason does.
    plain = "decisions" if "why" in entry.fields() else "notes"
    for line in entry.body.split("\n"):
        if match := _FIELD.match(line):
            name = match[1].strip().lower().replace(" ", "-")
            kind = _FIELD_KIND.get(name, "")
            if name in ("request", "요청", "依頼", "tools", "references", "참고"):
                continue
            if kind == "statements":
                continue
            if kind:
                yield kind, match[2]
            elif match[2]:
                yield "notes", f"{match[1]}: {match[2]}"
        elif kind and line[:2] == "  " and line.strip():
            yield kind, line.strip().removeprefix("- ")
        elif not talk and line.strip():
            kind = ""
            for sentence in sentences(line):
                yield _guess(sentence, plain), sentence


_CUES = (
    (
        "open",
        r"\b(?:TODO|next step|need to|needs to|must still|remaining|open question)\b"
        r"|해야 한다|해야 함|미정|未定|待办",
    ),
    (
        "decisions",
        r"\b(?:decided|decision|chose|chosen|agreed|we will|we use|must)\b"
        r"|결정|하기로|決め|决定",
    ),
    (
        "done",
        r"\b(?:done|fixed|implemented|completed|shipped|merged|released|deployed)\b"
        r"|완료|완성|배포했|修正した|完成",
    ),
    (
        "lessons",
        r"\b(?:lesson|learned|learnt|turns out|root cause|because)\b"
        r"|원인|교훈|原因",
    ),
)
_CUE = [(kind, re.compile(pattern, re.I)) for kind, pattern in _CUES]


def _guess(sentence: str, otherwise: str) -> str:
    for kind, pattern in _CUE:
        if pattern.search(sentence):
            return kind
    return otherwise


def without_foot(text: str) -> tuple[str, str]:
    """A text and its last line, where that says what its source holds besides."""
    bare = text.rstrip("\n")
    at = bare.find(FOOT, bare.rfind("\n") + 1)
    if at < 0 or not bare.endswith("]"):
        return text, ""
    return bare[:at].rstrip("\n"), bare[at:]


@lru_cache(maxsize=32)
def read(body: str) -> Content:
    """What the body of a node says: verbatim entries and the lines of its sections."""
    entries: list[Entry] = []
    items: list[Item] = []
    for block in re.split(r"^# [^\n]*\n", body, flags=re.MULTILINE):
        _, parts = parse_all(without_foot(block)[0])
        for part in parts:
            if part.id or part.at:
                entries.append(part)
                continue
            kind = _kind(part.topic)
            if kind:
                items += _bullets(kind, part.body)
    return Content(tuple(entries), tuple(items))


def _kind(title: str) -> str:
    if title in _KIND_OF:
        return _KIND_OF[title]
    lower = title.lower()
    if lower in ("topics", "key themes", "rules") or lower.startswith(
        ("entities", "recurring")
    ):
        return ""
    return next((kind for sign, kind in _GUESS if sign in lower), "notes")


def _bullets(kind: str, text: str) -> Iterable[Item]:
    for line in text.split("\n"):
        line = line.strip()
        if not line.startswith("- "):
            continue
        line = line[2:]
        match = _IDS.search(line)
        ids = tuple(match[1].split()) if match else ()
        yield Item(kind, line[: match.start()] if match else line, ids)


def content_of(node: Node) -> Content:
    """What a node passes upwards: its verbatim entries turned into lines as well."""
    content = read(node.body)
    known = {id for m in unpack(node.topics, node.mentions) for id in m.ids}
    items = list(content.items)
    for entry in content.entries:
        if entry.type not in KEPT_WHOLE:
            items += items_of(entry, _shortest(entry.id, known))
    return Content(content.entries, tuple(items))


def _shortest(id: str, known: set[str]) -> str:
    """The spelling of an id that the node already uses, else the whole id."""
    for end in range(13, len(id)):
        if id[:end] in known:
            return id[:end]
    return id
