"""Invented values from a seeded generator, put together when the tests run.

A template says what a value is made of: `{a36}` letters and digits, `{h32}` hex,
`{A16}` upper case and digits, `{z40}` lower case and digits, `{w20}` also `_` and `-`,
`{b86}` base64, `{l34}` letters, `{n10}` digits, `{y52}` base32, `{u}` a UUID.
No line of this file is a token of any kind, so nothing that scans the repository trips
over it.
"""

from __future__ import annotations

import random
import re
import string

ALPHABETS = {
    "a": string.ascii_letters + string.digits,
    "h": "0123456789abcdef",
    "H": "0123456789ABCDEF",
    "A": string.ascii_uppercase + string.digits,
    "B": "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567",
    "y": "abcdefghijklmnopqrstuvwxyz234567",
    "z": string.ascii_lowercase + string.digits,
    "w": string.ascii_letters + string.digits + "_-",
    "b": string.ascii_letters + string.digits + "+/",
    "l": string.ascii_letters,
    "n": string.digits,
    "k": "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L",
    "p": string.ascii_letters + string.digits + "!@%^+_-.",
}
_PART = re.compile(r"\{([a-zA-Z])(\d*)\}")


def fill(template: str, rng: random.Random) -> str:
    """The template with its parts drawn at random."""

    def part(match: re.Match[str]) -> str:
        kind, size = match[1], int(match[2] or 0)
        if kind == "u":
            return "-".join(draw("h", n, rng) for n in (8, 4, 4, 4, 12))
        return draw(kind, size, rng)

    return _PART.sub(part, template)


def draw(kind: str, size: int, rng: random.Random) -> str:
    """That many characters, no edge a mark, letters and digits both present."""
    alphabet = ALPHABETS[kind]
    plain = [char for char in alphabet if char.isalnum()]
    while True:
        chars = [rng.choice(alphabet) for _ in range(size)]
        if size:
            chars[0], chars[-1] = rng.choice(plain), rng.choice(plain)
        text = "".join(chars)
        digits = sum(char.isdigit() for char in text)
        if size < 8 or kind in "ln" or (digits and digits < size):
            return text


def pem(kind: str, rng: random.Random, lines: int = 9) -> str:
    """An armoured key with an invented body."""
    name = f"{kind} PRIVATE KEY".strip()
    body = ["MIIE" + draw("b", 60, rng)]
    body += [draw("b", 64, rng) for _ in range(lines - 2)]
    body.append(draw("b", 42, rng) + "==")
    return "\n".join([f"-----BEGIN {name}-----", *body, f"-----END {name}-----"])
