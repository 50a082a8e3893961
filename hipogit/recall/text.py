"""Words for the index: what a text adds to it, and what a query asks of it.

SQLite's tokenizer splits at blanks and punctuation, folds case and accents and stems
English. Three things it cannot do are done here and stored as words of their own, in a
column `extra`: scripts written without blanks become single characters and pairs of
them (so that two syllables inside a longer word are found), `camelCase` falls into its
parts, and compatibility forms (full width, decomposed Hangul) get their plain spelling.

The prompt hook reads this module, so it imports nothing at first: `re` and a few
patterns, those with letters of many scripts above all, take half as long as an empty
Python to start. Texts without such letters never meet them.
"""

from __future__ import annotations

from itertools import pairwise

TYPE_CHECKING = False  # `typing` costs as much as an empty Python
if TYPE_CHECKING:
    from collections.abc import Iterator

# Scripts without blanks between words, and Hangul, where particles stick to them.
_DENSE = (
    "\u0e00-\u0e7f\u0e80-\u0eff\u1000-\u109f\u1780-\u17ff\u3005\u3041-\u30ff"
    "\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff\U00020000-\U0002fa1f"
)
_RUN = f"[{_DENSE}]+"


# Humps are looked for in every byte of a memory: in a copy with each letter turned into
# its kind two kinds side by side are found as fast as memory is read. A pattern for the
# letters themselves takes many times as long, and so does one that begins with the
# commoner of two kinds; for the same reason a version is looked for by its point.
_HUMP = bytearray(b" " * 256)
for _letter in b"abcdefghijklmnopqrstuvwxyz0123456789":
    _HUMP[_letter] = ord("a")
for _letter in b"ABCDEFGHIJKLMNOPQRSTUVWXYZ":
    _HUMP[_letter] = ord("A")
_TOP = rb"A(?<=aA)"
_POINT = r"\.(?<=[vV0-9][0-9]\.)(?=[0-9])"
# Bytes of UTF-8 that begin no character of `_DENSE`.
_NOT_DENSE = bytes({*range(256)} - {0xE0, 0xE1, *range(0xE3, 0xF1)})
_TOUCHING = rf"(?a:(?<=[{_DENSE}])\w+|(?<!\w)\w+(?=[{_DENSE}]))"
_PARTS = r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+"
_VERSION = r"[vV]([0-9]+(?:\.[0-9]+)+)"
# Vowel signs of many scripts are no \w, yet part of their word.
_WORD = "[^\\W_][\\w\u0300-\u036f\u0900-\u0dff]*"
# Looking back at every blank for a full stop would take three times as long.
# Where sentences end: with blanks behind, or without.
_ENDS, _ENDS_AT_ONCE = ".!?…", "。！？\n"
_ODD_BLANKS = "\t\r\v\f\x1c\x1d\x1e\x1f"
_LIST_SIGNS = "-*+>#"


def words(text: str) -> frozenset[str]:
    """The words of a text as a set."""
    return frozenset(text.split())


STOP = words(
    """
a about after again all also am an and any anything are around as ask at available
be been before being best better between both but by can cannot can't check come
could current currently d did different do does doesn't doing don't down during each
else ensure even every few find first for from further get getting give given go
going good got great had has have having he help her here him his how i i'd i'll i'm
i've if in into is it it's its just keep kind know last least let let's like likely
ll long look looking lot m make making many may maybe me might more most much must
my myself need needs new next no nor not now of off ok on once one only or other our
out over own part particular per please possible previous previously put quite
rather re really recent recently recommend recommendations right s same say see
should show since so some someone something soon specific still such suggest
suggestions sure t take tell than thank thanks that that's the their them then there
these they thing things think this those through time to together too try trying
under until up us use used using ve very want wants was way ways we well went were
what what's when where whether which while who whom whose why will with within
without won't would yes yet you you're your
    """
)
# What is no part of a word, where a text has no letters but these.
_BETWEEN = {n: " " for n in range(128) if not (chr(n).isalnum() or chr(n) == "_")}
_MOST_TERMS = 48
# Stored with each line of a rule: rules are then found without ranking all lines. No
# text asks for it, its first letter belongs to no script.
RULE = "\ue000rule"


def extra(text: str) -> str:
    """What the index needs to know of a text besides its own words."""
    import re

    found: list[str] = []
    if not text.isascii():
        import unicodedata

        spelt = unicodedata.normalize("NFKC", text)
        if spelt != text:
            found += (w for w in re.findall(_WORD, spelt) if not w.isascii())
        # Few texts have them, and a pattern of many scripts takes ten times as long.
        if spelt.encode("utf-8", "replace").translate(None, _NOT_DENSE):
            runs = re.findall(_RUN, spelt)
            for run in runs:
                found += pairs(run)
                found += run
            if runs:
                # A Latin word that touches such a run is one token with it otherwise.
                found += re.findall(_TOUCHING, spelt)
    kinds = _kinds(text)
    if re.search(_TOP, kinds):
        found += _humps(text, kinds)
    if re.search(_POINT, text):
        found += re.findall(_VERSION, text)
    return " ".join(found)


def humps(text: str) -> list[str]:
    """The parts of each `camelCase` word in a text."""
    kinds = _kinds(text)
    return _humps(text, kinds) if b"aA" in kinds else []


def _kinds(text: str) -> bytes:
    return text.encode("ascii", "replace").translate(_HUMP)


def _humps(text: str, kinds: bytes) -> list[str]:
    import re

    found: list[str] = []
    end, parts = 0, re.compile(_PARTS).findall
    for match in re.finditer(_TOP, kinds):
        top = match.start()
        if top >= end:
            end = kinds.find(b" ", top)
            end = end if end > 0 else len(kinds)
            found += parts(text[kinds.rfind(b" ", 0, top) + 1 : end])
    return found


def pairs(run: str) -> list[str]:
    """Each two characters that stand side by side."""
    return [run[at : at + 2] for at in range(len(run) - 1)]


def inside(run: str, most: int = 8) -> Iterator[str]:
    """Each stretch of two characters or more in a run."""
    for at in range(len(run) - 1):
        for end in range(at + 2, min(at + most, len(run)) + 1):
            yield run[at:end]


def plain(text: str) -> str:
    """Text as queries are read: one spelling, no NUL."""
    if text.isascii():
        return text.replace("\0", " ")
    import unicodedata

    return unicodedata.normalize("NFKC", text).replace("\0", " ")


def pieces(text: str) -> Iterator[tuple[str, bool]]:
    """The words of a text, each with whether it is of a script without blanks."""
    if text.isascii():
        for part in text.translate(_BETWEEN).split():
            if word := part.lstrip("_"):
                yield word, False
        return
    import re

    at = 0
    for match in re.finditer(_RUN, text):
        for word in re.findall(_WORD, text[at : match.start()]):
            yield word, False
        yield match[0], True
        at = match.end()
    for word in re.findall(_WORD, text[at:]):
        yield word, False


def terms(text: str) -> list[str]:
    """The words of a prompt that say what it is about, each once, as spelt."""
    found: dict[str, str] = {}
    for word, dense in pieces(plain(text).replace("’", "'")):
        if dense:
            for part in pairs(word) or [word]:
                found.setdefault(part, part)
            continue
        key = word.lower()
        if key in STOP or (len(key) < 2 and not key.isdigit()):
            continue
        found.setdefault(stem(key), key)
        for part in humps(word):
            if len(part) > 2 and part.lower() not in STOP:
                found.setdefault(stem(part.lower()), part.lower())
    every = list(found.values())
    if len(every) <= _MOST_TERMS:
        return every
    # A long paste: how it begins and how it ends say what is wanted.
    half = _MOST_TERMS // 2
    return [*every[:half], *every[-half:]]


def stem(word: str) -> str:
    """A word without its English ending, near enough to compare two of them."""
    for ending, least in (("ies", 6), ("ing", 6), ("ied", 6), ("ed", 5), ("es", 5)):
        if word.endswith(ending) and len(word) >= least:
            word = word[: -len(ending)]
            break
    else:
        if word.endswith("s") and len(word) > 3 and not word.endswith("ss"):
            word = word[:-1]
    return word[:-1] if len(word) > 4 and word[-1] in "ey" else word


def split(text: str) -> list[str]:
    """The sentences of a text, without list marks."""
    if text.isascii() and not any(map(text.__contains__, _ODD_BLANKS)):
        # As `ends` has it: blank lines more or less make no sentence.
        for mark in (". ", "! ", "? "):
            text = text.replace(mark, mark[0] + "\n")
        parts = text.split("\n")
    else:
        parts = [text[a:b] for a, b in pairwise([0, *ends(text), len(text)])]
    lines = [part.strip() for part in parts]
    return [line if line[0].isalpha() else unmarked(line) for line in lines if line]


def unmarked(line: str) -> str:
    """A line without the marks of a list or a heading."""
    line = line.strip()
    at, size = 0, len(line)
    # By places: cut off one by one, many marks would cost their square.
    while at < size and not line[at].isalpha():
        end = at
        while end < size and line[end] in _LIST_SIGNS:
            end += 1
        if end == at:
            while end < min(size, at + 4) and line[end] in "0123456789":
                end += 1
            if not 1 <= end - at <= 3 or line[end : end + 1] not in (".", ")"):
                break
            end += 1
        blank = end
        while end < size and line[end].isspace():
            end += 1
        if end == blank:
            break
        at = end
    return line[at:]


def ends(text: str) -> list[int]:
    """Where the sentences of a text end, the blanks behind them included."""
    found = set[int]()
    for mark in _ENDS + _ENDS_AT_ONCE:
        at = text.find(mark)
        while at >= 0:
            end = at + 1
            while end < len(text) and (
                text[end] == "\n" or (mark != "\n" and text[end].isspace())
            ):
                end += 1
            if end > at + 1 or mark in _ENDS_AT_ONCE:
                found.add(end)
            at = text.find(mark, end)
    return sorted(found)


def quoted(word: str) -> str:
    """A word as an FTS5 string, whatever it holds."""
    return '"' + word.replace('"', '""').replace("\0", " ") + '"'


def any_of(words: list[str]) -> str:
    """An FTS5 expression that any of the words satisfies."""
    return " OR ".join(map(quoted, words))


def expression(text: str, *, prefix: bool = False) -> str:
    """An FTS5 expression for a word or phrase, or nothing when it holds no word."""
    found: list[str] = []
    plainly: list[str] = []

    def flush() -> None:
        if plainly:
            found.append(quoted(" ".join(plainly)))
            plainly.clear()

    for word, dense in pieces(plain(text)):
        if dense:
            flush()
            inside = pairs(word) or [word]
            found.append("extra : " + quoted(" ".join(inside)))
        elif parts := humps(word):
            flush()
            found.append(f"({quoted(word)} OR {quoted(' '.join(parts))})")
        else:
            plainly.append(word)
    last = plainly[-1] if plainly else ""
    flush()
    if prefix and last and not found[-1].startswith(("extra", "(")):
        # Stemming may have changed the end of the word that is looked for.
        shorter = found[-1][: -len(last) - 1] + last[:-1] + '"'
        begins = [f"{found[-1]} *"]
        if len(last) > 3:
            begins.append(f"{shorter} *")
        found[-1] = "(" + " OR ".join(begins) + ")"
    return " AND ".join(found)
