"""What stands already on a topic, so that somebody notices before contradicting it.

Candidates come from the topic shards, never from all of history; of the few that share
words the entries are read. Two entries are on one topic when their topics share their
telling words, or when they say much of the same. They contradict when they give one key
or one sentence another value: a number, a negation, an opposite, another choice.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from . import resolve
from .entry import Entry, topic_key
from .store import Snapshot
from .tree.mention import Mention
from .tree.promote import marked
from .tree.topics import FOLDER, INDEX, RULES, read_line
from .view import View
from .words import same, sentences, words

_CANDIDATES = 12  # mentions whose entries are read
_CLAIMS = 100  # sentences of an entry held against another's; longer is no statement
_LEAST = 0.5  # how much of the smaller topic two topics must share
_ALONE = 0.7  # the same, where the texts have nothing in common
_BODY = 0.4  # how much two texts must share to be on one topic without it


class Similar(NamedTuple):
    """An entry on the same topic; `line` is what of it the new one contradicts."""

    entry: Entry
    score: float
    line: str = ""

    @property
    def contradicts(self) -> bool:
        return bool(self.line)


def similar(view: View, new: Entry, limit: int = 5) -> list[Similar]:
    """The standing entries on the topic of another, contradicted ones first."""
    found: list[Similar] = []
    for entry in _entries(view, _mentions(view, new)):
        if entry.id == new.id or entry.withdrawn or marked(entry):
            continue
        score = closeness(new, entry)
        if score:
            found.append(Similar(entry, score, opposed(new, entry)))
    found.sort(key=lambda one: (not one.contradicts, -one.score, one.entry.id))
    return found[:limit]


def closeness(one: Entry, other: Entry) -> float:
    """How much two entries are on one topic; 0 when they are not."""
    if topic_key(one.topic) == topic_key(other.topic):
        return 2.0
    mine, theirs = _stems(one.topic), _stems(other.topic)
    shared = mine & theirs
    part = len(shared) / max(min(len(mine), len(theirs)), 1)
    body = _overlap(_stems(_said(one)), _stems(_said(other)))
    # One word in common is a topic only when the texts are about the same as well.
    if len(shared) > 1 and part >= (_LEAST if body >= 0.1 else _ALONE):
        return 1.0 + part / 2 + body / 2
    if shared and part >= _LEAST and (body >= 0.15 or len(mine | theirs) == 1):
        return 1.0 + body
    # What is said in the text may be the topic of the other.
    told = len(mine & _stems(f"{other.topic} {_said(other)}")) / max(len(mine), 1)
    if body >= _BODY or (len(mine) > 1 and told == 1 and body >= 0.25):
        return body
    return 0.0


def _said(entry: Entry) -> str:
    """The body without the labels of its fields, which all entries share."""
    return "\n".join(
        match[2] if (match := _FIELD.match(line)) else line
        for line in entry.body.split("\n")
    )


def _overlap(one: frozenset[str], other: frozenset[str]) -> float:
    """The share of the smaller text's words that the larger one has, too."""
    shared = len(one & other)
    small = min(len(one), len(other))
    return shared / small if shared > (1 if small < 5 else 2) else 0.0


@lru_cache(maxsize=4096)
def _stems(text: str) -> frozenset[str]:
    return frozenset(same(word) for word in words(text))


# --- finding candidates


def _mentions(view: View, new: Entry) -> list[Mention]:
    """The mentions that share most with an entry, from one pass over the shards."""
    topic, body = _stems(new.topic), _stems(_said(new))
    key = topic_key(new.topic)
    signs = {stem for stem in topic | body if len(stem) > 1}
    ranked: list[tuple[float, str, Mention]] = []
    for path in view.paths(FOLDER):
        text = "" if path in (INDEX, RULES) else view.read(path) or ""
        for line in text.split("\n"):
            row = line.strip()
            lower = row.casefold()
            # Parsing every line would cost more than all the rest.
            if row[:2] != "- " or not any(sign in lower for sign in signs):
                continue
            mention = _mention(row[2:])
            if mention is None or not mention.ids:
                continue
            name, told = _stems(mention.name), _told(row[2:])
            weight = (
                3.0 * (mention.key == key)
                + 2.0 * len(topic & name) / max(min(len(topic), len(name)), 1)
                + len((topic | body) & told) / max(len(told), 1)
            )
            ranked.append((weight, mention.day, mention))
    ranked.sort(key=lambda row: row[:2], reverse=True)
    return [mention for _, _, mention in ranked[:_CANDIDATES]]


# One review asks about many entries, and every shard answers each time.
@lru_cache(maxsize=16384)
def _mention(line: str) -> Mention | None:
    return read_line(line)


@lru_cache(maxsize=16384)
def _told(line: str) -> frozenset[str]:
    mention = _mention(line)
    words_ = mention.words if mention else []
    return frozenset(map(same, words_)) | _stems(mention.name if mention else "")


def _entries(view: View, mentions: Iterable[Mention]) -> list[Entry]:
    """The entries the mentions name; each journal is read once."""
    found: dict[str, Entry] = {}
    known: dict[str, list[resolve.Found]] = {}
    for mention in mentions:
        for id in mention.ids:
            day = id[:9]
            if day not in known:
                known[day] = resolve.entries(view, day)
            for entry in (f.entry for f in known[day]):
                if entry.id.startswith(id):
                    found.setdefault(entry.id, entry)
    return list(found.values())


# --- contradicting

_FIELD = re.compile(r"- ([^\W\d_][\w -]{0,30}?)[:：] ?(.*)")
# Fields that report an occasion: another one's need not agree.
_OCCASION = frozenset(
    """
    request outcome outcomes result results done tools reference references user why
    note notes next todo open open-items file files link links 요청 결과 완료 참고 다음
    """.split()  # noqa: SIM905 - as a table of strings it would be forty lines
)
_SAME_KEY = {"decided": "decisions", "decision": "decisions", "결정사항": "결정"}
# One of each pair denies the other. Words of `words.STOP` count here.
_OPPOSITES = (
    "always never",
    "on off",
    "enable disable",
    "enabled disabled",
    "allow forbid",
    "allowed forbidden",
    "use avoid",
    "before after",
    "public private",
    "sync async",
    "synchronous asynchronous",
    "tabs spaces",
    "light dark",
    "more less",
    "add remove",
    "keep drop",
    "keep delete",
    "required optional",
    "accept reject",
    "true false",
    "yes no",
    "increase decrease",
    "start stop",
    "manual automatic",
    "manually automatically",
    "first last",
    "with without",
    "strict loose",
    "항상 절대",
    "켜고 끄고",
)
_OPPOSITE: dict[str, set[str]] = {}
for _pair in _OPPOSITES:
    _a, _b = _pair.split()
    _OPPOSITE.setdefault(_a, set()).add(_b)
    _OPPOSITE.setdefault(_b, set()).add(_a)
_NEGATION = re.compile(
    r"\b(?:not|no|never|don't|do not|doesn't|does not|won't|isn't|aren't|must not"
    r"|mustn't|can't|cannot|shouldn't|stop|without|instead of|no longer|avoid)\b"
    r"|n['’]t\b|않|없|말 것|말고|금지|안 |ない|不|别|没",
    re.I,
)
_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
_COUNT = {
    word: str(number)
    for number, word in enumerate(
        ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
        1,
    )
}
_IS = frozenset(("is", "are", "uses", "lives", "called", "means", "runs"))
_SMALL = frozenset(
    ("a", "an", "the", "of", "in", "to", "is", "are", "for", "and", "or", "by", "on")
)
_TOKEN = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")
# From its beginning: tried at each letter of it, a long word costs its square.
_SWAP = re.compile(
    r"(?<![\w./+#-])([\w./+#-]+) (?:over|instead of|rather than|not) ([\w./+#-]+)", re.I
)


def opposed(new: Entry, old: Entry) -> str:
    """The line of the old entry that the new one contradicts, or nothing."""
    one_topic = topic_key(new.topic) == topic_key(old.topic) or closeness(new, old) > 1
    against = claims(old)[:_CLAIMS]
    for key, value in claims(new)[:_CLAIMS]:
        for other_key, other in against:
            if _plain(value) == _plain(other):
                continue
            same_key = bool(key) and key == other_key
            if {key, other_key} & _OCCASION:
                continue
            if _denies(value, other, one_topic) or (
                one_topic and same_key and _another_choice(value, other)
            ):
                return other
    return ""


def claims(entry: Entry) -> list[tuple[str, str]]:
    """What an entry states: key (or nothing) and sentence."""
    found = []
    for line in entry.body.split("\n"):
        match = _FIELD.match(line)
        if match:
            key = match[1].strip().casefold().replace(" ", "-")
            key = _SAME_KEY.get(key, key)
            found += [(key, part) for part in _parts(match[2])]
        else:
            found += [("", part) for part in sentences(line)]
    return found


def _parts(value: str) -> Sequence[str]:
    return sentences(value) or [value]


def _denies(one: str, other: str, one_topic: bool) -> bool:
    """Whether two sentences on one thing give it another value."""
    a, b = _tokens(one), _tokens(other)
    mine, theirs = _stems(one), _stems(other)
    shared = {stem for stem in mine & theirs if not stem[0].isdigit()}
    small = min(len(mine), len(theirs))
    if not shared or not small:
        return False
    part = len(shared) / small
    enough = part >= 0.5 and (len(shared) > 1 or one_topic)
    if not enough:
        return False
    if _swapped(one, other):
        return True
    if _negated(one) != _negated(other):
        return part >= 0.6
    for word in a - b:
        if _OPPOSITE.get(word, set()) & (b - a):
            return True
    if one_topic and _same_opening(one, other):
        return True
    numbers, others = _numbers(one), _numbers(other)
    if numbers and others and not numbers & others:
        return part >= 0.5
    # Nearly the same words, and one of them exchanged.
    left, right = mine - theirs, theirs - mine
    return (
        len(left) == len(right) == 1 and len(shared) > 1 and one_topic and part >= 0.6
    )


def _another_choice(one: str, other: str) -> bool:
    """Whether one key has another value: short, and with little in common."""
    mine, theirs = _tokens(one) - _SMALL, _tokens(other) - _SMALL
    if not mine or not theirs or len(mine) > 12 or len(theirs) > 12:
        return False
    return not (mine <= theirs or theirs <= mine)


def _same_opening(one: str, other: str) -> bool:
    """Whether both say `X is …` of the same X, shortly, and end differently."""
    if max(len(_tokens(one)), len(_tokens(other))) > 8:
        return False
    a, b = _TOKEN.findall(one.casefold()), _TOKEN.findall(other.casefold())
    if max(len(a), len(b)) > 8 or set(a) <= set(b) or set(b) <= set(a):
        return False
    same_words = 0
    while same_words < min(len(a), len(b)) and a[same_words] == b[same_words]:
        same_words += 1
    return same_words > 1 and bool(_IS & set(a[1:same_words]))


# A sentence of one entry is held against each of the other's.
@lru_cache(maxsize=1024)
def _negated(text: str) -> bool:
    return _NEGATION.search(text) is not None


@lru_cache(maxsize=1024)
def _numbers(text: str) -> frozenset[str]:
    found = frozenset(_NUMBER.findall(text))
    return found | {_COUNT[w] for w in _tokens(text) if w in _COUNT}


def _swapped(one: str, other: str) -> bool:
    a, b = _swap(one), _swap(other)
    return bool(a and b and a[1] == b[2] and a[2] == b[1])


@lru_cache(maxsize=1024)
def _swap(text: str) -> re.Match[str] | None:
    return _SWAP.search(text.casefold())


@lru_cache(maxsize=1024)
def _tokens(text: str) -> frozenset[str]:
    return frozenset(_TOKEN.findall(text.casefold()))


@lru_cache(maxsize=1024)
def _plain(text: str) -> str:
    return " ".join(text.casefold().split()).rstrip(" .")


def answer(view: Snapshot, entries: Iterable[Entry]) -> list[Similar]:
    """What a checkpoint's answer names: for each new entry what is similar, once."""
    found: dict[str, Similar] = {}
    fresh = {entry.id for entry in entries}
    for entry in entries:
        for one in similar(view, entry):
            if one.entry.id not in fresh:
                found.setdefault(one.entry.id, one)
    return list(found.values())
