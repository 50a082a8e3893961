"""The engines that look at a text after our own rules.

detect-secrets is always among them; its engine loads it only where it could answer.
Kingfisher (extra `hipogit[kingfisher]`, Apache-2.0) takes part in history scans and CI
when it is installed. It never tries a secret out.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path
    from typing import Any

    from .seam import Engine

_DEFAULT: list[Engine] = []


def default() -> Sequence[Engine]:
    """The engines used when the caller names none."""
    if not _DEFAULT:
        from .detect import DetectSecrets

        _DEFAULT.append(DetectSecrets())
    return _DEFAULT


def thorough(cache: Path | None = None) -> Sequence[Engine]:
    """The default engines and Kingfisher if it is installed.

    Its rules take seconds to compile; `cache` is the folder that keeps them.
    """
    from importlib.util import find_spec

    if find_spec("kingfisher_sdk") is None:
        return default()
    return [*default(), Kingfisher(cache)]


class Kingfisher:
    """Kingfisher's bundled rules, in process."""

    def __init__(self, cache: Path | None = None) -> None:
        self._cache = cache
        self._scanner: Any = None

    def spans(self, text: str) -> list[tuple[int, int, str]]:
        """Start, end and rule of each secret it reports."""
        raw = text.encode("utf-8", "surrogateescape")
        spans = []
        for finding in self._compiled().scan(raw):
            if finding.visible:
                place = finding.location
                # Its offsets count bytes.
                start = _characters(raw[: place["start_offset"]])
                inside = raw[place["start_offset"] : place["end_offset"]]
                rule = finding.rule_id.replace(".", "-").replace("_", "-").lower()
                spans.append((start, start + _characters(inside), rule))
        return sorted(spans)

    def _compiled(self) -> Any:
        if self._scanner is None:
            from kingfisher_sdk import Rules, Scanner

            rules = Rules(cache=self._cache is not None, cache_dir=self._cache)
            self._scanner = Scanner(rules)
        return self._scanner


def _characters(raw: bytes) -> int:
    return len(raw.decode("utf-8", "surrogateescape"))
