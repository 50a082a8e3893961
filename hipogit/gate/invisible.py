"""Characters that nobody sees and that text can do without (a way to hide orders).

Kept is what people write with: joiners between letters of Persian or Indic scripts and
within emoji, variation selectors after a character that has variants, flag sequences.
"""

from __future__ import annotations

import re

from .lazy import Lazy
from .views import flatten, outside

# Their removal depends on nothing around them.
_PLAIN = "\u200b\u2060-\u2064\u206a-\u206f\ufeff\u202a-\u202e\u2066-\u2069\ufff9-\ufffb"
_STRIPPED = Lazy(
    f"[{_PLAIN}]+"
    "|\U0001f3f4[\U000e0020-\U000e007e]{1,8}\U000e007f"
    "|[\U000e0000-\U000e007f]+"
    "|[\u200c\u200d]+"
    "|[\ufe00-\ufe0f\U000e0100-\U000e01ef]{2,}"
)


# All that are not plain.
_ALONE = Lazy(f"[{_PLAIN}]+")
_OTHERS = Lazy("[\u200c\u200d\ufe00-\ufe0f\U0001f3f4\U000e0000-\U000e01ef]")
_ENTRY = Lazy(r"^\\*(?:## |<!-- hipogit )", re.MULTILINE)


def plainly(text: str) -> str | None:
    """The text without them where that takes no thought: none that may be needed, and
    no line that could be taken for an entry. None elsewhere."""
    if _OTHERS.search(text):
        return None
    left = _ALONE.sub("", text)
    return None if _ENTRY.search(left) else left


def unneeded(text: str) -> list[tuple[int, int]]:
    """Where such characters stand."""
    found = outside(_STRIPPED, text, flatten(text))
    return [match.span() for match in found if _drop(text, match)]


def _drop(text: str, match: re.Match[str]) -> bool:
    found = match[0]
    if found[0] == "\U0001f3f4":
        return False
    if found in ("\u200c", "\u200d"):
        return not (
            _joins(text, match.start() - 1, -1) and _joins(text, match.end(), 1)
        )
    return True


def _joins(text: str, at: int, step: int) -> bool:
    """Whether a joiner beside this character has work to do."""
    if not 0 <= at < len(text):
        return False
    char = text[at]
    if char == "\ufe0f" and step < 0:
        return _joins(text, at - 1, step)
    # A joiner between ASCII letters only splits a word for those who search it.
    return not char.isascii() and not char.isspace()
