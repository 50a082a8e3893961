"""The audit log: who wrote, changed or withdrew what, from where, when and why."""

from . import points
from .changes import Changes, diff
from .log import Filter, Line, lines
from .show import Past, Shown, history, show
from .why import Reason, why

__all__ = [
    "Changes",
    "Filter",
    "Line",
    "Past",
    "Reason",
    "Shown",
    "diff",
    "history",
    "lines",
    "points",
    "show",
    "why",
]
