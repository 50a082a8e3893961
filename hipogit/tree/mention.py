"""A mention: that a topic came up on a day, with the words that tell what was said.

Nodes carry mentions in their front matter, so the index survives when somebody puts a
better summary in place of the text. One line each:

    0 2026-11-29 x2 done (20261129-k3f9 20261129-p7q2): bucket burst; key; limits
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache

from ..entry import Entry, topic_key
from ..words import telling, topic_of

# How many ids a mention names; the rest is counted.
_IDS = 3
_WORDS = 24
_WORD_BYTES = 120
_TIERS = 4

_LINE = re.compile(
    r"(\d+) (\d{4}-\d\d-\d\d)(?: x(\d+))?( done)?( heard)?"
    r"(?: \(([^)]*)\))?(?:: (.*))?"
)
_NAME = re.compile(r"(.*) \[(project|feedback|user|reference)\]", re.S)
# Titles that programs give to conversations say nothing of what was said.
_GENERATED = re.compile(
    r"\(untitled\)|(?:session|conversation|chat|thread|transcript)[ :#_-]{0,20}"
    r"(?:s?[0-9a-f]{6,}|[0-9a-f-]{16,}|\d[\d :_.-]*)?",
    re.I,
)
_DONE = re.compile(
    r"(?:status|상태|outcome|outcomes|result|결과): *"
    r"(?:done|completed?|closed|shipped|merged|released|finished|abandoned|cancell?ed"
    r"|완료|종료|끝)(?!\w)",
    re.I,
)


_key = lru_cache(maxsize=1 << 14)(topic_key)


@dataclass(frozen=True, slots=True)
class Mention:
    """A topic on a day: `tiers` are its words, the most telling first.

    `heard`: all that was said of it is captured talk, so its name is keywords too.
    """

    name: str
    type: str
    day: str
    ids: tuple[str, ...] = ()
    count: int = 1
    done: bool = False
    heard: bool = False
    tiers: tuple[tuple[str, ...], ...] = ()

    @property
    def key(self) -> str:
        return _key(self.name)

    @property
    def words(self) -> list[str]:
        """Its words, the most telling first."""
        return [word for tier in self.tiers for word in tier]

    @property
    def label(self) -> str:
        return f"{self.name} [{self.type}]"

    def joined(self, later: Mention) -> Mention:
        """Both as one, the later deciding spelling, type and whether it is done."""
        tiers = tuple(
            _unique((*a, *b))
            for a, b in zip(_padded(later.tiers), _padded(self.tiers), strict=True)
        )
        ids = tuple(dict.fromkeys((*later.ids, *self.ids)))[:_IDS]
        return replace(
            later,
            ids=ids,
            count=self.count + later.count,
            heard=self.heard and later.heard,
            tiers=_cut(tiers),
        )


def name_of(entry: Entry) -> str:
    """The topic of an entry; a generated title gives way to the user's keywords."""
    if _GENERATED.fullmatch(entry.topic):
        return topic_of(entry.body)
    return entry.topic


def is_done(entry: Entry) -> bool:
    """Whether an entry says that its matter is finished."""
    return any(
        line[:2] == "- " and _DONE.match(line[2:]) for line in entry.body.split("\n")
    )


def mention_of(entry: Entry, day: str, id: str) -> Mention:
    """What one entry mentions."""
    tiers: list[list[str]] = [[] for _ in range(_TIERS)]
    used = 0
    for word, tier in telling(entry.body, _WORDS):
        used += len(word.encode("utf-8", "surrogateescape")) + 1
        if used > _WORD_BYTES:
            break
        tiers[tier].append(word)
    return Mention(
        name=name_of(entry),
        type=entry.type,
        day=day,
        ids=(id,) if id else (),
        done=entry.type == "project" and is_done(entry),
        heard=entry.standing == "captured",
        tiers=tuple(tuple(tier) for tier in tiers),
    )


def merged(mentions: Iterable[Mention]) -> list[Mention]:
    """One mention for each topic and day, in the order they came up."""
    found: dict[tuple[str, str], Mention] = {}
    for mention in mentions:
        place = (mention.day, mention.key)
        earlier = found.get(place)
        found[place] = earlier.joined(mention) if earlier else mention
    return list(found.values())


def pack(mentions: Iterable[Mention]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The `topics` and `mentions` of a front matter."""
    mentions = list(mentions)
    labels: dict[str, str] = {}
    for mention in mentions:
        labels[mention.key] = mention.label
    number = {key: n for n, key in enumerate(labels)}
    rows = []
    for mention in mentions:
        row = f"{number[mention.key]} {mention.day}"
        if mention.count != 1:
            row += f" x{mention.count}"
        if mention.done:
            row += " done"
        if mention.heard:
            row += " heard"
        if mention.ids:
            row += f" ({' '.join(mention.ids)})"
        if words := "; ".join(" ".join(tier) for tier in mention.tiers).rstrip("; "):
            row += f": {words}"
        rows.append(row)
    return tuple(labels.values()), tuple(rows)


# One run asks several times for the mentions of the same few months.
@lru_cache(maxsize=32)
def unpack(topics: tuple[str, ...], mentions: tuple[str, ...]) -> tuple[Mention, ...]:
    """The mentions of a front matter; rows that are none are passed over."""
    found = []
    for row in mentions:
        match = _LINE.fullmatch(row)
        if match is None or int(match[1]) >= len(topics):
            continue
        label = _NAME.fullmatch(topics[int(match[1])])
        if label is None:
            continue
        found.append(
            Mention(
                name=label[1],
                type=label[2],
                day=match[2],
                ids=tuple((match[6] or "").split()),
                count=int(match[3] or 1),
                done=match[4] is not None,
                heard=match[5] is not None,
                tiers=read_tiers(match[7] or ""),
            )
        )
    return tuple(found)


def read_tiers(text: str) -> tuple[tuple[str, ...], ...]:
    """The tiers of words written as `a b; c; d`."""
    return _padded(tuple(tuple(part.split()) for part in text.split(";")))


def _padded(tiers: tuple[tuple[str, ...], ...]) -> tuple[tuple[str, ...], ...]:
    return (*tiers, *[()] * _TIERS)[:_TIERS]


def _unique(words: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(words))


def _cut(tiers: tuple[tuple[str, ...], ...]) -> tuple[tuple[str, ...], ...]:
    room = _WORDS
    out = []
    for tier in tiers:
        out.append(tier[:room])
        room -= len(out[-1])
    return tuple(out)
