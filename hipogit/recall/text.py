"""Words for the index: what a text adds to it, and what a query asks of it.

SQLite's tokenizer splits at blanks and punctuation, folds case and accents and stems
English. Three things it cannot do are done here and stored as words of their own, in a
column `extra`: scripts written without blanks become single characters and pairs of
them (so that two syllables inside a longer word are found), `camelCase` falls into its
parts, and compatibility forms (full width, decomposed Hangul) get their plain spelling.

Only `re` is imported: the prompt hook reads this module.
"""

from __future__ import annotations

import re

TYPE_CHECKING = False  # `typing` costs as much as an empty Python
if TYPE_CHECKING:
    from collections.abc import Iterator

# Scripts without blanks between words, and Hangul, where particles stick to them.
_DENSE = (
    "\u0e00-\u0e7f\u0e80-\u0eff\u1000-\u109f\u1780-\u17ff\u3005\u3041-\u30ff"
    "\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff\U00020000-\U0002fa1f"
)
_RUN = re.compile(f"[{_DENSE}]+")
# The rarer half first: this is searched for in every byte of the memory.
_HUMP = re.compile(r"[A-Z](?<=[a-z0-9][A-Z])")
_TOUCHING = re.compile(rf"(?<=[{_DENSE}])\w+|\w+(?=[{_DENSE}])", re.ASCII)
_CAMEL = re.compile(r"[A-Za-z0-9]+")
_PARTS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_VERSION = re.compile(r"[vV]\d+(?:\.\d+)+")
# Vowel signs of many scripts are no \w, yet part of their word.
_WORD = re.compile("[^\\W_][\\w\u0300-\u036f\u0900-\u0dff]*")
_SENTENCE = re.compile(r"(?<=[.!?…])\s+|(?<=[。！？])|\n+")
_LIST_MARK = re.compile(r"^(?:[-*+>#]+\s+|\d{1,3}[.)]\s+)+")


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
_MOST_TERMS = 48


def extra(text: str) -> str:
    """What the index needs to know of a text besides its own words."""
    found: list[str] = []
    if not text.isascii():
        import unicodedata

        plain = unicodedata.normalize("NFKC", text)
        if plain != text:
            found += (word for word in _WORD.findall(plain) if not word.isascii())
        runs = _RUN.findall(plain)
        for run in runs:
            found += pairs(run)
            found += run
        if runs:
            # A Latin word that touches such a run is one token with it otherwise.
            found += _TOUCHING.findall(plain)
    found += humps(text)
    found += (version[1:] for version in _VERSION.findall(text))
    return " ".join(found)


def humps(text: str) -> list[str]:
    """The parts of each `camelCase` word in a text."""
    found: list[str] = []
    end = 0
    for hump in _HUMP.finditer(text):
        if hump.start() >= end:
            # Matching whole words everywhere would cost more than all the rest.
            at = hump.start() - 1
            while at > end and text[at - 1].isalnum():
                at -= 1
            word = _CAMEL.match(text, at)
            if word:
                found += _PARTS.findall(word[0])
                end = word.end()
    return found


def pairs(run: str) -> list[str]:
    """Each two characters that stand side by side."""
    return [run[at : at + 2] for at in range(len(run) - 1)]


def plain(text: str) -> str:
    """Text as queries are read: one spelling, no NUL."""
    if text.isascii():
        return text.replace("\0", " ")
    import unicodedata

    return unicodedata.normalize("NFKC", text).replace("\0", " ")


def pieces(text: str) -> Iterator[tuple[str, bool]]:
    """The words of a text, each with whether it is of a script without blanks."""
    at = 0
    for match in _RUN.finditer(text):
        for word in _WORD.findall(text[at : match.start()]):
            yield word, False
        yield match[0], True
        at = match.end()
    for word in _WORD.findall(text[at:]):
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


def split(text: str) -> Iterator[str]:
    """The sentences of a text, without list marks."""
    for part in _SENTENCE.split(text):
        line = _LIST_MARK.sub("", part.strip()).strip()
        if line:
            yield line


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
