"""Summaries of the journals: the tree, the topic index and ROOT, as pure functions."""

from .compact import Compaction, compact, edited
from .settings import TreeSettings
from .topics import index_recall

__all__ = ["Compaction", "TreeSettings", "compact", "edited", "index_recall"]
