"""How likely a sentence is to be worth remembering, whatever was asked.

The weights are those of a logistic model of the development questions, rounded;
docs/recall.md says how far to trust them. Most of it is what `words.told` measures, by
which the tree chooses the words of its index: a fact that somebody states of themselves
beats a question or a musing.
`_told` says the same of English from the set of its words, in a tenth of the time.
What depends on the question is in `evidence`.
"""

from __future__ import annotations

from math import log

TYPE_CHECKING = False  # `typing` costs as much as an empty Python
if TYPE_CHECKING:
    from collections.abc import Iterable


def _words(text: str) -> frozenset[bytes]:
    return frozenset(text.encode("ascii").split())


# Sentences are read as bytes: a table of 256 is applied to them at once, and a word of
# bytes is made in half the time.
_SINCE = _words("i've we've i'd we'd")
_ACTOR = _SINCE | _words("i we")
_OWN = _ACTOR | _words("i'm me my mine myself i'll we're our ours us we'll")
_MINE = _words("my our")
_WHEN = _words("recently yesterday ago remember reminds speaking")
_DID = _words(
    """
just already finally also actually recently have had got went met spent bought made
took found wrote read built chose saw won lost ran gave began came left paid sold
told been
    """
)
_NUMBERS = _words(
    """
two three four five six seven eight nine ten eleven twelve twenty thirty forty fifty
hundred
    """
)
_TELLS = _OWN | _MINE | _WHEN | _NUMBERS | {b"way"}
_QUOTE = "’".encode()


def _table(kinds: Iterable[tuple[bytes, bytes]], rest: bytes) -> bytes:
    table = bytearray(rest)
    for letters, kind in kinds:
        for letter in letters:
            table[letter] = kind[0]
    return bytes(table)


_UPPER, _SMALL = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ", b"abcdefghijklmnopqrstuvwxyz"
_BLANKS = b"\t\n\v\f\r\x1c\x1d\x1e\x1f"
_LOW = _table([(_BLANKS, b" ")], bytes(range(256)).lower())
_BARE = _table([(b'.,;:!?()"', b" ")], _LOW)
_KINDS = _table(
    [(_UPPER, b"A"), (_SMALL, b"a"), (b"0123456789", b"0"), (b" ", b" "), (b",", b",")],
    b"." * 256,
)

# User's lines: said in the first exchange, first of its turn, log(told), names, length
# (1.2 as fitted, less 0.8 because what is chosen should be worth most per byte).
_OPENING, _LEAD, _TOLD, _NAMES, _LENGTH = 0.45, 0.4, 0.95, 0.28, 0.4
# Lines of answers: in the first answer, with a number.
_FIRST_ANSWER, _NUMBER = 0.6, 1.0
# A typed field is what an agent or a person chose to write down.
_STATED = 1.6


def of_user(sentence: str, *, opening: bool, lead: bool) -> float:
    """What a sentence of the user's starts with: log-odds, less for its length."""
    raw = sentence.encode("utf-8", "surrogateescape")
    kinds = raw.translate(_KINDS)
    return (
        _OPENING * opening
        + _LEAD * lead
        + _TOLD * log(_told(sentence, raw, kinds))
        + _names(kinds)
        + _LENGTH * log(len(raw) + 1)
    )


def of_field(sentence: str) -> float:
    """The same for a sentence of a typed entry."""
    return _STATED + of_user(sentence, opening=True, lead=True)


def of_answer(sentence: str, size: int, *, first: bool) -> float:
    """The same for a sentence of an answer, where only its looks count."""
    kinds = sentence.encode("utf-8", "surrogateescape").translate(_KINDS)
    return (
        _FIRST_ANSWER * first
        + _NUMBER * (b"0" in kinds)
        + _names(kinds)
        + _LENGTH * log(size)
    )


def size(text: str) -> int:
    """Bytes a line takes, its end among them."""
    return len(text.encode("utf-8", "surrogateescape")) + 1


def _told(sentence: str, raw: bytes, kinds: bytes) -> float:
    if not raw.isascii():
        if _QUOTE not in raw:
            from ..words import told  # many languages: slow to load, so only for them

            return told(sentence)
        raw = raw.replace(_QUOTE, b"'")
    found = _TELLS.intersection(raw.translate(_BARE).split())
    weight = 2.0 if b"0" in kinds or not _NUMBERS.isdisjoint(found) else 1.0
    if not (_OWN.isdisjoint(found) or sentence.rstrip("\"'”’)] ").endswith("?")):
        weight *= 1.5
    if not _MINE.isdisjoint(found):
        weight *= 1.7
    if (
        not _WHEN.isdisjoint(found)
        or (b"way" in found and b"by the way" in raw.translate(_LOW))
        or (not _ACTOR.isdisjoint(found) and _did(raw, found))
    ):
        weight *= 4
    return weight


def _did(raw: bytes, found: frozenset[bytes]) -> bool:
    """Whether somebody says what they did: "I just", "we walked", "I've been"."""
    low = b" " + raw.translate(_LOW) + b" "
    for who in (b" i ", b" we "):
        at = low.find(who)
        while at >= 0:
            start = at + len(who)
            while low[start : start + 1] == b" ":
                start += 1
            did = low[start : low.find(b" ", start)]
            if did in _DID or (did[-2:] == b"ed" and len(did) > 4):
                return True
            at = low.find(who, start - 1)
    return any(low.partition(b" %b " % who)[2].strip() for who in _SINCE & found)


def _names(kinds: bytes) -> float:
    """What words in capitals within a sentence add, three at most."""
    found = 0
    # Only ASCII: other alphabets have capitals elsewhere, or none.
    at = kinds.find(b" Aa", 1)
    while at > 0:
        found += kinds[at - 1] in b"a,"
        at = kinds.find(b" Aa", at + 1)
    return _NAMES * min(3, found)
