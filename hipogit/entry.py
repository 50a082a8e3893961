"""An entry: the typed unit of memory, and its Markdown form.

    ## Payment endpoint: rate limit [project]
    <!-- hipogit id=20261129-k3f9q2ab7c at=2026-11-29T17:35:02+09:00 standing=stated -->
    - decisions: token bucket, 100 req/s per key

`parse(render(entry)) == entry` holds for every entry. A body line that could be taken
for a heading, our comment or a merge conflict gets one leading backslash when rendered,
and loses one when parsed, so text can never forge an entry or a standing. Entries
typed by hand carry no comment; they are legal and have an empty id until they are
adopted.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from base64 import b32encode
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime
from functools import partial
from itertools import accumulate
from urllib.parse import quote, unquote

from . import fences
from .clock import YEARS
from .errors import Usage

TYPES = ("project", "feedback", "user", "reference")

# From least to most: joining two clones keeps the higher one.
STANDINGS = (
    "captured",
    "stated",
    "confirmed",
    "disputed",
    "superseded",
    "retracted",
    "purged",
)
WITHDRAWN = frozenset({"superseded", "retracted", "purged"})

# These lead the comment, in this order; keys we do not know follow in theirs.
_KNOWN = ("id", "at", "standing", "rev", "session", "source", "actor", "via", "ref")
_PLACE = {key: place for place, key in enumerate(_KNOWN)}

_SAFE = "._:+@/-"
# Looked for by its `#`: a pattern that begins with `^` is tried at every letter.
_OPENS = re.compile(r"## (?<=^## )", re.MULTILINE)
_COMMENT = re.compile(
    r"<!-- hipogit((?: [a-z][a-z0-9-]*=[A-Za-z0-9%._:+@/-]*)*) -->\s*"
)
# Also the markers of a merge: written out, a text about one would look like one.
_FORGES = r"\\*(?:#|<!-- hipogit|(?:<{7}|={7}|>{7}|\|{7})(?: |\r?$))"
_TO_ESCAPE = re.compile(rf"^(?={_FORGES})", re.MULTILINE)
_ESCAPED = re.compile(rf"^\\(?={_FORGES})", re.MULTILINE)
_FENCES = ("```", "~~~")
_FIELD = re.compile(r"- ([a-z][a-z0-9 -]{0,30}): ?(.*)")
_ID = re.compile(r"\d{8}-[a-z2-7]{6,}", re.ASCII)
# A topic is shown in one line, on terminals too, where these would move the cursor.
_CONTROLS = dict.fromkeys((*range(32), *range(127, 160)), " ")


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing an agent should know next month.

    `at` is when it was said (with offset; None only while typed by hand), `meta` the
    remaining keys of its comment in order. `topic` is one line; `body` is Markdown
    without blank edges. Both are put into that form on construction.
    """

    topic: str
    body: str
    type: str = "project"
    id: str = ""
    at: datetime | None = None
    standing: str = "stated"
    meta: tuple[tuple[str, str], ...] = field(default=())

    def __post_init__(self) -> None:
        topic = " ".join(self.topic.translate(_CONTROLS).split()) or "(untitled)"
        object.__setattr__(self, "topic", topic)
        object.__setattr__(self, "body", _without_blank_edges(self.body))
        object.__setattr__(self, "meta", _ordered(self.meta))

    @property
    def day(self) -> date | None:
        """The journal day its id names; None for one typed by hand, or a forged id."""
        try:
            day = datetime.strptime(self.id[:8], "%Y%m%d").date()
        except ValueError:
            return None
        return day if day.year in YEARS else None

    @property
    def withdrawn(self) -> bool:
        """Whether its text must not be read any more."""
        return self.standing in WITHDRAWN

    @property
    def rev(self) -> int:
        """How often it was corrected."""
        value = self.get("rev", "0")
        return int(value) if value.isdigit() else 0

    @property
    def key(self) -> tuple[datetime, str]:
        """Its place within a day: by instant, then id."""
        return (self.at.astimezone(UTC) if self.at else _BEGINNING, self.id)

    def get(self, key: str, default: str = "") -> str:
        """The value of a comment key other than id, at and standing."""
        return dict(self.meta).get(key, default)

    def with_meta(self, **changes: str | None) -> Entry:
        """A copy with keys set (`corrected_by` writes `corrected-by`) or, by None,
        removed."""
        meta = dict(self.meta)
        for name, value in changes.items():
            key = name.replace("_", "-")
            if value is None:
                meta.pop(key, None)
            else:
                meta[key] = value
        return replace(self, meta=tuple(meta.items()))

    def fields(self) -> dict[str, str]:
        """The `- key: value` lines of the body; a repeated key joins its lines."""
        return self._parts()[0]

    def prose(self) -> str:
        """What the body says outside of its fields."""
        return _without_blank_edges("\n".join(self._parts()[1]))

    def _parts(self) -> tuple[dict[str, str], list[str]]:
        found: dict[str, list[str]] = {}
        rest: list[str] = []
        key = ""
        for line in self.body.split("\n"):
            if match := _FIELD.match(line):
                key = match[1]
                found.setdefault(key, []).append(match[2].strip())
            elif key and line[:2] == "  " and line.strip():
                found[key].append(line.strip())
            else:
                key = ""
                rest.append(line)
        return {key: "\n".join(lines) for key, lines in found.items()}, rest


def field_lines(key: str, value: str) -> str:
    """A `- key: value` block that `Entry.fields` reads back; more lines are indented.

    A blank line would end the block, so after one the key stands again.
    """
    lines: list[str] = []
    opened = False
    for line in value.split("\n"):
        if not line.strip():
            opened = False
        elif opened:
            lines.append(f"  {line}")
        else:
            lines.append(f"- {key}: {line.strip()}")
            opened = True
    return "\n".join(lines)


def field_key(text: str) -> str:
    """A key as `fields` gives it back, if it is made of words.

    Anything else stays as it was written: in lower case the gate would not know it.
    """
    key = text.strip()
    words = key.replace("-", " ").split(" ")
    plain = all(len(word) < 16 and word.isalpha() for word in words if word)
    return key.lower() if plain else key


_BEGINNING = datetime.min.replace(tzinfo=UTC)


def new_id(
    day: date, *, session: str, source: str, topic: str, type: str, body: str
) -> str:
    """The id of a statement: the day and a hash of who said what.

    Saying the same thing twice in a session gives the same id. Text must have been
    through the gate before, so that a redacted copy and its original agree.
    """
    entry = Entry(topic=topic, body=body, type=type)
    return _id(day, session, source, entry.topic, entry.type, entry.body)


def capture_id(day: date, *, platform: str, session: str, message: str) -> str:
    """The id of a captured turn: independent of how its text was reduced."""
    return _id(day, platform, session, message)


def _id(day: date, *parts: str) -> str:
    digest = hashlib.sha256()
    for part in parts:
        raw = part.encode("utf-8", "surrogateescape")
        digest.update(len(raw).to_bytes(8, "big") + raw)
    code = b32encode(digest.digest()).decode("ascii")[:10].lower()
    return f"{day:%Y%m%d}-{code}"


def is_id(text: str) -> bool:
    """Whether the text has the form of a whole id and names a day."""
    if _ID.fullmatch(text) is None:
        return False
    with suppress(ValueError):
        return bool(datetime.strptime(text[:8], "%Y%m%d"))
    return False


def topic_key(topic: str) -> str:
    """What makes two topics the same: spelling, case, blanks and edges aside."""
    text = unicodedata.normalize("NFKC", topic).casefold()
    text = " ".join(text.split())
    start, end = 0, len(text)
    while start < end and not text[start].isalnum():
        start += 1
    while end > start and not _ends_word(text[end - 1]):
        end -= 1
    return text[start:end] or text


def _ends_word(char: str) -> bool:
    # A combining mark belongs to its letter: Thai and Indic topics end in them, and
    # names such as `C++` or `C#` differ from `C` by nothing else.
    return char.isalnum() or char in "+#" or unicodedata.category(char)[0] == "M"


def render(entry: Entry) -> str:
    """The Markdown of one entry, ending in a newline."""
    lines = [f"## {entry.topic} [{entry.type}]\n"]
    if entry.id:
        pairs = [("id", entry.id)]
        if entry.at:
            pairs.append(("at", entry.at.isoformat()))
        pairs.append(("standing", entry.standing))
        pairs.extend(entry.meta)
        text = " ".join(f"{key}={_encode(value)}" for key, value in pairs)
        lines.append(f"<!-- hipogit {text} -->\n")
    if entry.body:
        lines.append(_TO_ESCAPE.sub(r"\\", entry.body) + "\n")
    return "".join(lines)


def parse(text: str) -> Entry:
    """The one entry in the text. Raises Usage when there is none or more."""
    _, entries = parse_all(text)
    if len(entries) != 1:
        raise Usage(
            f"expected one entry, found {len(entries)}",
            hint="begin each entry with a line `## Topic [type]`",
        )
    return entries[0]


def parse_all(text: str) -> tuple[str, list[Entry]]:
    """What stands before the first entry, and the entries in the order written."""
    # Some editors begin a file with a byte order mark, and that would hide a heading.
    text = text.removeprefix("\ufeff")
    starts = _starts(text)
    if not starts:
        return text, []
    preamble = text[: max(0, starts[0] - 1)]
    ends = [*(start - 1 for start in starts[1:]), len(text)]
    return preamble, [_entry(text[a:b]) for a, b in zip(starts, ends, strict=True)]


def _starts(text: str) -> list[int]:
    """Where the headings of entries begin."""
    found = [match.start() for match in _OPENS.finditer(text)]
    # With a comment of ours each is a heading, and no line needs to be looked at.
    if all(
        text.startswith("<!-- hipogit ", text.find("\n", start) + 1) for start in found
    ):
        return found
    lines = text.split("\n")
    places = [0, *accumulate(len(line) + 1 for line in lines)]
    return [places[number] for number in _headings(lines)]


def heading_lines(text: str) -> list[int]:
    """The line of each entry that `parse_all` finds, counted from 1."""
    return [start + 1 for start in _headings(text.split("\n"))]


def _headings(lines: list[str]) -> list[int]:
    """Line numbers of entry headings.

    Under a comment of ours no body line begins with `#`, so there every `## ` opens
    an entry. In text typed by hand one inside a closed code fence does not.
    """
    found: list[int] = []
    fenced_until = -1
    by_hand = True
    closings: dict[int, int] | None = None
    for number, line in enumerate(lines):
        if line.startswith("## "):
            commented = number + 1 < len(lines) and lines[number + 1].startswith(
                "<!-- hipogit "
            )
            if commented or not by_hand or number > fenced_until:
                found.append(number)
                by_hand, fenced_until = not commented, -1
                continue
        if by_hand and number > fenced_until and line.lstrip(" ")[:3] in _FENCES:
            if closings is None:
                # No fence reaches over an entry of ours.
                closings = fences.ends(lines, partial(_is_comment, lines))
            fenced_until = closings.get(number, -1)
    return found


def _is_comment(lines: list[str], number: int) -> bool:
    return lines[number].startswith("<!-- hipogit ") and (
        number > 0 and lines[number - 1].startswith("## ")
    )


def _titled(heading: str) -> tuple[str, str]:
    """Topic and type of a heading."""
    topic = heading[2:].lstrip(" ").rstrip()
    for kind in TYPES:
        if topic.endswith(f" [{kind}]"):
            return topic[: -len(f" [{kind}]")].rstrip(" "), kind
    return topic, "project"


def _entry(text: str) -> Entry:
    first, _, below = text.partition("\n")
    second, _, rest = below.partition("\n")
    topic, kind = _titled(first)
    comment = _COMMENT.fullmatch(second)
    meta: dict[str, str] = {}
    if comment:
        for pair in comment[1].split():
            key, _, value = pair.partition("=")
            meta.setdefault(key, unquote(value, errors="surrogateescape"))
    body = rest if comment else below
    return Entry(
        topic=topic,
        # Most have none, and the pattern is tried at every line.
        body=_ESCAPED.sub("", body) if "\\" in body else body,
        type=kind,
        id=meta.pop("id", ""),
        at=_instant(meta.pop("at", "")),
        standing=meta.pop("standing", "stated"),
        meta=tuple(meta.items()),
    )


def _instant(text: str) -> datetime | None:
    try:
        at = datetime.fromisoformat(text)
    except ValueError:
        return None
    # At the edges of the calendar no time can be compared with one in another zone.
    if at.year not in YEARS:
        return None
    return at if at.tzinfo else at.replace(tzinfo=UTC)


def _encode(value: str) -> str:
    return quote(value.encode("utf-8", "surrogateescape"), safe=_SAFE).replace(
        "~", "%7E"
    )


def _ordered(meta: tuple[tuple[str, str], ...]) -> tuple[tuple[str, str], ...]:
    return tuple(sorted(meta, key=lambda pair: _PLACE.get(pair[0], len(_KNOWN))))


def _without_blank_edges(body: str) -> str:
    inside = body.lstrip()
    if not inside:
        return ""
    start = body.rfind("\n", 0, len(body) - len(inside)) + 1
    end = body.find("\n", len(body.rstrip()))
    return body[start : end if end >= 0 else len(body)]
