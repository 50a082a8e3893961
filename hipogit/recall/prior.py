"""How likely a sentence is to be worth remembering, whatever was asked.

The weights are those of a logistic model of the development questions, rounded;
docs/recall.md says how far to trust them. Most of it is what `words.told` measures, by
which the tree chooses the words of its index: a fact that somebody states of themselves
beats a question or a musing.
`_told` says the same of English from the set of its words, in a tenth of the time.
What depends on the question is in `evidence`.
"""

from __future__ import annotations

from itertools import pairwise
from math import log

from .text import words

_PUNCTUATION = '.,;:!?()"'
_SAYER = words("i we")
_SINCE = words("i've we've i'd we'd")
_OWN = _SAYER | _SINCE | words("i'm me my mine myself i'll we're our ours us we'll")
_MINE = words("my our")
_WHEN = words("recently yesterday ago remember reminds speaking")
_DID = words(
    """
just already finally also actually recently have had got went met spent bought made
took found wrote read built chose saw won lost ran gave began came left paid sold
told been
    """
)
_NUMBERS = words(
    """
two three four five six seven eight nine ten eleven twelve twenty thirty forty fifty
hundred
    """
)
_TELLS = _OWN | _MINE | _WHEN | _NUMBERS

# User's lines: said in the first exchange, first of its turn, log(told), names, length
# (1.2 as fitted, less 0.8 because what is chosen should be worth most per byte).
_OPENING, _LEAD, _TOLD, _NAMES, _LENGTH = 0.45, 0.4, 0.95, 0.28, 0.4
# Lines of answers: in the first answer, with a number.
_FIRST_ANSWER, _NUMBER = 0.6, 1.0
# A typed field is what an agent or a person chose to write down.
_STATED = 1.6


def of_user(sentence: str, *, opening: bool, lead: bool) -> float:
    """What a sentence of the user's starts with: log-odds, less for its length."""
    return (
        _OPENING * opening
        + _LEAD * lead
        + _TOLD * log(_told(sentence))
        + _names(sentence)
        + _LENGTH * log(size(sentence))
    )


def of_field(sentence: str) -> float:
    """The same for a sentence of a typed entry."""
    return _STATED + of_user(sentence, opening=True, lead=True)


def of_answer(sentence: str, size: int, *, first: bool) -> float:
    """The same for a sentence of an answer, where only its looks count."""
    return (
        _FIRST_ANSWER * first
        + _NUMBER * (_numbered(sentence))
        + _names(sentence)
        + _LENGTH * log(size)
    )


def size(text: str) -> int:
    """Bytes a line takes, its end among them."""
    return len(text.encode("utf-8", "surrogateescape")) + 1


def _told(sentence: str) -> float:
    if not sentence.isascii() and "’" not in sentence:
        from ..words import told  # many languages: slow to load, so only for them

        return told(sentence)
    low = sentence.lower().replace("’", "'")
    bare = low
    for mark in _PUNCTUATION:  # most are not there; a table of them is slower
        if mark in bare:
            bare = bare.replace(mark, " ")
    found = _TELLS.intersection(bare.split())
    weight = 1.0
    if found & _OWN and not sentence.rstrip("\"'”’)] ").endswith("?"):
        weight *= 1.5
    if not found.isdisjoint(_WHEN) or "by the way" in low:
        weight *= 4
    elif found & (_SAYER | _SINCE):
        for who, did in pairwise(low.split()):
            if who in _SINCE or (
                who in _SAYER and (did in _DID or (did[-2:] == "ed" and len(did) > 4))
            ):
                weight *= 4
                break
    if not found.isdisjoint(_MINE):
        weight *= 1.7
    if _numbered(sentence) or not found.isdisjoint(_NUMBERS):
        weight *= 2
    return weight


def _numbered(sentence: str) -> bool:
    return any(digit in sentence for digit in "0123456789")


def _names(sentence: str) -> float:
    """What words in capitals within a sentence add, three at most."""
    found = 0
    for before, word in pairwise(sentence.split(" ")):
        # Only ASCII: other alphabets have capitals elsewhere, or none.
        if "A" <= word[:1] <= "Z" and "a" <= word[1:2] <= "z":
            found += "a" <= before[-1:] <= "z" or before[-1:] == ","
    return _NAMES * min(3, found)
