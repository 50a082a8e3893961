"""Evidence about a value: random, a placeholder, of mixed characters."""

from __future__ import annotations

from math import log2

from .lazy import Lazy

# Seven equal characters in a row are a mask (`xxxxxxx`, `0000000`), not a secret.
_MASK = Lazy(r"([A-Za-z0-9*.#_-])\1{6}")
_WORDS = (
    "example",
    "placeholder",
    "redacted",
    "your_",
    "your-",
    "yourtoken",
    "yourkey",
    "yourapi",
    "dummy",
    "sample",
    "changeme",
    "change_me",
    "change-me",
    "replace",
    "insert",
    "notreal",
    "not_real",
    "not-real",
    "fake",
)


_STANDS_FOR = Lazy("|".join(_WORDS))
_DIGIT = Lazy("[0-9]")
_LETTER = Lazy("[A-Za-z]")


def entropy(value: str) -> float:
    """Shannon entropy in bits per character."""
    size = len(value)
    counts = [value.count(character) for character in set(value)]
    shared = sum([n * log2(n) for n in counts if n > 1])
    return log2(size) - shared / size if size else 0.0


def placeholder(value: str) -> bool:
    """Whether it only stands where a secret would."""
    return (
        _MASK.search(value) is not None
        or _STANDS_FOR.search(value.lower()) is not None
        or len(set(value)) < 5
    )


def real(value: str) -> bool:
    """Whether a token of a known shape is filled with something. A wrong checksum is
    no excuse: a mistyped token is a token."""
    return not placeholder(value)


def random(value: str) -> bool:
    """Whether it looks drawn at random: letters and digits in no order of words."""
    return real(value) and has_digit(value) and entropy(value) >= 3.0


def has_digit(value: str) -> bool:
    """Whether any digit is in it."""
    return _DIGIT.search(value) is not None


def has_letter(value: str) -> bool:
    """Whether any ASCII letter is in it."""
    return _LETTER.search(value) is not None


def mixed(value: str) -> bool:
    """Whether it has lower and upper case letters and digits."""
    return has_digit(value) and value.upper() != value and value.lower() != value
