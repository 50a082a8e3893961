"""The table of rules: one per credential family, split by domain."""

from __future__ import annotations

from . import ai, chat, cloud, code, keys, services
from .rule import Rule

RULES: tuple[Rule, ...] = (
    *cloud.RULES,
    *code.RULES,
    *ai.RULES,
    *chat.RULES,
    *services.RULES,
    *keys.RULES,
)

__all__ = ["RULES", "Rule"]
