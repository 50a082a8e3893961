"""A rule: one credential family, how to find it and what makes it real."""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable


class Rule:
    """One family with a fixed beginning: `keyword` is found first, by a plain search,
    and `pattern` is then matched right there.

    The secret is group `s`, or the whole match. `back` is how many characters of
    the match may stand before the keyword. `check` gets the secret and has
    the last word. Patterns are compiled at their first hit.
    """

    __slots__ = ("_regex", "back", "check", "family", "id", "keywords", "pattern")

    def __init__(
        self,
        id: str,
        family: str,
        keywords: tuple[str, ...],
        pattern: str,
        check: Callable[[str], bool] | None = None,
        back: int = 0,
    ) -> None:
        self.id = id
        self.family = family
        self.keywords = keywords
        self.pattern = pattern
        self.check = check
        self.back = back
        self._regex: re.Pattern[str] | None = None

    @property
    def regex(self) -> re.Pattern[str]:
        """The compiled pattern."""
        if self._regex is None:
            self._regex = re.compile(self.pattern)
        return self._regex
