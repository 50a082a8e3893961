"""Keys and tokens that belong to a format, not to a company."""

from __future__ import annotations

from ..checks import mixed, real
from .rule import Rule

RULES = (
    Rule(
        "jwt",
        "jwt",
        ("eyJ", "ewog", "ewo"),
        # Three parts; of an encrypted one (JWE) five, the second may be empty.
        r"(?<![A-Za-z0-9_-])e[yw][A-Za-z0-9_-]{10,3000}\.[A-Za-z0-9_-]{0,60000}\.[A-Za-z0-9_-]{6,3000}"
        r"(?:\.[A-Za-z0-9_-]{6,4000}){0,2}",
        mixed,
    ),
    Rule(
        "age-secret-key",
        "age",
        ("AGE-SECRET-KEY-",),
        r"AGE-SECRET-KEY-(?:PQ-)?1[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{50,80}",
        real,
    ),
)
