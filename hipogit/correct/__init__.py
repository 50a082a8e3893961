"""Corrections: memory that was wrong, put right; each is one commit with its reason.

The journal at the tip shows what is true now. A withdrawn entry leaves a tombstone
without the claim; git history keeps what was said.
"""

from .conflicts import Contradiction, contradictions
from .desk import Asks, Corrected, Who, foreseen
from .later import drain
from .verbs import confirm, dispute, put, restore, retract, say, supersede

__all__ = [
    "Asks",
    "Contradiction",
    "Corrected",
    "Who",
    "confirm",
    "contradictions",
    "dispute",
    "drain",
    "foreseen",
    "put",
    "restore",
    "retract",
    "say",
    "supersede",
]
