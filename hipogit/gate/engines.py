"""The engines that look at a text after our own rules."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from .seam import Engine


def default() -> Sequence[Engine]:
    """The engines used when the caller names none."""
    return ()
