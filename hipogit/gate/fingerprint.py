"""A mark of a secret that may be printed and kept: slow, salted, one-way.

Allow lists, baselines and purge records share it. A value that could be found by trying
gets none: for such a secret the only advice is to change it.
"""

from __future__ import annotations

from math import log2

MARK = "hg1-"
STRONG = 60  # bits; fewer can be tried out one by one, however slow each try is
_COST = 1 << 12  # scrypt's n: 4 MiB and about ten milliseconds a try


def strength(value: str) -> float:
    """Bits an attacker has to guess, estimated low.

    Letters of one case are taken for words (two bits each); anything else counts with
    its own entropy.
    """
    size = len(value)
    if not size:
        return 0.0
    shannon = -sum(
        (share := value.count(letter) / size) * log2(share) for letter in set(value)
    )
    letters = "".join(filter(str.isalpha, value))
    if len(letters) * 4 > size * 3 and letters in (letters.lower(), letters.upper()):
        shannon = min(shannon, 2.0)
    return shannon * size


def fingerprint(value: str, salt: str = "") -> str:
    """`hg1-` and twenty characters, or nothing for a value too weak to have one.

    The salt is the branch's (`gate.salt` in hipogit.toml); without one, marks of the
    same secret agree between repositories.
    """
    if strength(value) < STRONG:
        return ""
    from base64 import b32encode
    from hashlib import scrypt

    raw = scrypt(
        value.encode("utf-8", "surrogateescape"),
        salt=b"hipogit gate 1 " + salt.encode("utf-8", "surrogateescape"),
        n=_COST,
        r=8,
        p=1,
        dklen=15,
    )
    return MARK + b32encode(raw).decode("ascii")[:20].lower()
