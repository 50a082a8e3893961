"""detect-secrets as a second opinion: its plugins, our own reading of the text.

Its scanner is not used: it looks for unquoted values only in files that parse as INI,
reports a repeated secret once, of a key block only the first line, and one of its
filters is cubic in blanks. Here each plugin's patterns run over bounded windows, and
only where a cheap hint says that they could match.
"""

from __future__ import annotations

from .detect_checks import BEHIND, QUOTED, REACH, entropic, lower, plain, quoted
from .detect_rows import ROWS
from .lazy import Lazy
from .shapes import Shape, Sweep
from .views import flatten, overlapping

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

# Lines longer than SIZE are read through overlapping windows, so that no pattern ever
# sees more; runs of blanks cut them too (three plugins are cubic in those).
SIZE, STEP = 800, 550
BLANKS = " " * 24
BREAK = Lazy(r"\n| {24,}")
TOKEN_END = Lazy(r"[A-Za-z0-9_.=-]*")
# Letters, digits, `_`, `-` and all that is not ASCII as one letter, the rest as blanks.
MAP = bytes(
    97 if byte > 127 or chr(byte).isalnum() or byte in b"_-" else 32
    for byte in range(256)
)
LONG = b"a" * 27
STRAY = " \t=:\"'`,;"

Place = tuple[int, int]
Span = tuple[int, int, str]


# Each word that may speak for a quoted value holds one of these.
_SPEAKER = Shape(
    "key|pass|pwd|secret|contrase|token|credential|auth|bearer|signing|private",
    fold=True,
)
_ROOM = 300  # between a quoted value and such a word, both of them counted
_SWEEP = Sweep([*(row.shape for row in ROWS), _SPEAKER])


class DetectSecrets:
    """The engine. Importing this costs nothing; `spans` loads what it asks, if any."""

    def spans(self, text: str) -> list[Span]:
        """Start, end and rule of every secret the plugins see, in order."""
        asked = sorted(set(windows(text)))
        if not asked:
            return []
        plugins = load()
        found: set[Span] = set()
        for start, end, index in asked:
            if index < 0:
                found.update(_quoted(plugins, text, start, end))
            else:
                found.update(_row(plugins, text, start, end, index))
        return sorted(found)


def windows(text: str) -> Iterator[tuple[int, int, int]]:
    """Windows to look at: start, end and the row that has a reason to (-1: a quoted
    value, whose own span this is). Where there is none no plugin could give an answer
    that we would accept."""
    hits = _SWEEP.hits(flatten(plain(text)))
    if hits is None:
        yield from _hinted(text)
        yield from _quotes(text, 0, len(text))
        return
    for index, row in enumerate(ROWS):
        places = hits[index]
        if row.answers:
            places = [
                match.span()
                for first, last in places
                for match in row.hint.finditer(text, first, last)
                if row.check(text, *match.span(1))
            ]
        for window in _windows_of(text, places):
            yield (*window, index)
    at = 0
    for first, last in overlapping([(a - _ROOM, b + _ROOM) for a, b in hits[-1]]):
        yield from _quotes(text, max(first, at), last)
        at = last


def _hinted(text: str) -> Iterator[tuple[int, int, int]]:
    folded = lower(text)
    long = LONG in text.encode("utf-8", "surrogatepass").translate(MAP)
    for index, row in enumerate(ROWS):
        shown = folded if row.fold else text
        if row.long and not long:
            continue
        if row.needs and not any(need in shown for need in row.needs):
            continue
        places = (
            match.span()
            for match in row.hint.finditer(shown)
            if not row.answers or row.check(text, *match.span(1))
        )
        for window in _windows_of(text, places):
            yield (*window, index)


def _windows_of(text: str, places: Iterable[Place]) -> Iterator[Place]:
    """The windows in which something of these places is seen."""
    cells, before = (-1, -1, -1), 0
    for first, last in places:
        here = (first - SIZE) // STEP, (last - 1 - SIZE) // STEP, (last - 1) // STEP
        if here == cells and not BREAK.search(text, before, last):
            continue  # the same windows as for the place before
        cells, before = here, first
        # A hint may begin before a run of blanks and end behind it.
        yield from {*_around(text, first, last), *_around(text, last - 1, last)}


def _quotes(text: str, first: int, last: int) -> Iterator[tuple[int, int, int]]:
    for match in QUOTED.finditer(text, max(first, 0), last):
        start, end = match.span(2)
        if _plausible(text, start, end):
            yield start, end, -1


def _plausible(text: str, start: int, end: int) -> bool:
    first, last = _reach(text, start, end)
    window = text[first:last]
    return quoted(window, start - first, end - first) or entropic(
        window, start - first, end - first
    )


def _reach(text: str, start: int, end: int) -> tuple[int, int]:
    """The part of its line that may speak for a quoted value."""
    least = max(0, start - 1 - REACH - 20)
    first = max(text.rfind("\n", least, start) + 1, least)
    most = min(end + BEHIND + 1, len(text))
    last = text.find("\n", end, most)
    return first, most if last < 0 else last


def _around(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The windows of the line at `start` that see something of what lies up to `end`.

    Nothing is searched for beyond a window's size: on one line of many megabytes each
    hit would cost all of it.
    """
    first = _line_start(text, max(0, start - SIZE), start)
    last = _line_end(text, start, start + SIZE)
    if first is not None and last is not None and last - first <= SIZE:
        yield first, last
        return
    k = max(0, start - SIZE) // STEP
    while (at := k * STEP) < min(end, len(text)):
        if at + SIZE > start:
            first = _line_start(text, at, start)
            last = _line_end(text, max(at, start), at + SIZE)
            low = at if first is None else first
            yield low, min(at + SIZE, len(text)) if last is None else last
        k += 1


def _line_start(text: str, least: int, at: int) -> int | None:
    """Where the line at this offset begins, long blanks ending a line too; None when
    that is before `least`."""
    newline = text.rfind("\n", least, at)
    blanks = text.rfind(BLANKS, max(least, newline), at)
    if blanks >= 0:
        return blanks + len(BLANKS)
    return newline + 1 if newline >= 0 else 0 if least == 0 else None


def _line_end(text: str, at: int, most: int) -> int | None:
    """Where it ends; None when that is after `most`."""
    stop = BREAK.search(text, at, most)
    if stop:
        return stop.start()
    return len(text) if most >= len(text) else None


def _row(
    plugins: dict[str, Any], text: str, first: int, last: int, index: int
) -> Iterator[Span]:
    """What one plugin finds in one window and we accept."""
    row = ROWS[index]
    plugin = plugins[row.name]
    window = text[first:last]
    # An answer cut by the window's edge is left to the next window.
    cut_start = first > 0 and text[first - 1] not in "\n "
    cut_end = last < len(text) and not BREAK.match(text, last)
    for number, pattern in enumerate(plugin.denylist):
        group = row.groups[min(number, len(row.groups) - 1)]
        for match in pattern.finditer(window):
            start, end = match.span(group)
            start, end = _trim(window, start, end, row.rule)
            if (cut_start and start == 0) or (cut_end and end == len(window)):
                continue
            if not row.check(window, start, end):
                continue
            if row.rule == "jwt":
                if not plugin.is_formally_valid(window[start:end]):
                    continue
                # The plugin stops before the signature.
                tail = TOKEN_END.match(text, first + end)
                end = tail.end() - first if tail else end
            yield first + start, first + end, row.rule


def _trim(window: str, start: int, end: int, rule: str) -> tuple[int, int]:
    """Without the delimiters that some patterns take along."""
    if rule == "private-key":
        return start, end
    while start < end and window[start] in STRAY:
        start += 1
    for at in range(start, end):
        if window[at] in "\"'` \t":
            return start, at
    while end > start and window[end - 1] in STRAY and rule != "azure-storage-key":
        end -= 1
    return start, end


def _quoted(plugins: dict[str, Any], text: str, start: int, end: int) -> Iterator[Span]:
    """What the keyword and entropy plugins say about one quoted value."""
    first, last = _reach(text, start, end)
    window = text[first:last]
    span = (start - first, end - first)
    if quoted(window, *span):
        for pattern, group in keyword_patterns().items():
            if any(match.span(group) == span for match in pattern.finditer(window)):
                yield start, end, "quoted-credential"
                return
    if entropic(window, *span):
        value = text[start:end]
        for name in ("HexHighEntropyString", "Base64HighEntropyString"):
            plugin = plugins[name]
            if not set(value) - set(plugin.charset) and (
                plugin.calculate_shannon_entropy(value) > plugin.entropy_limit
            ):
                yield start, end, "quoted-token"
                return


def keyword_patterns() -> Any:
    """The keyword plugin's patterns for text of no known language, and their groups."""
    from detect_secrets.plugins import keyword

    return keyword.QUOTES_REQUIRED_DENYLIST_REGEX_TO_GROUP


_PLUGINS: dict[str, Any] = {}


def load() -> dict[str, Any]:
    """One object of each plugin asked, by class name."""
    if not _PLUGINS:
        from importlib import import_module

        with _Offline():
            for row in ROWS:
                module = import_module(f"detect_secrets.plugins.{row.plugin}")
                _PLUGINS.setdefault(row.name, getattr(module, row.name)())
            from detect_secrets.plugins import high_entropy_strings as strings
        _PLUGINS["HexHighEntropyString"] = strings.HexHighEntropyString()
        _PLUGINS["Base64HighEntropyString"] = strings.Base64HighEntropyString()
    return _PLUGINS


class _Offline:
    """While detect_secrets is imported, `requests` is an empty stand-in.

    The plugins need it only to try a secret out online, which we never do, and it is
    most of what importing them costs. Whoever imports it later gets the real one.
    """

    def __enter__(self) -> None:
        import sys
        from types import ModuleType

        self.mine: dict[str, ModuleType] = {}
        if "requests" in sys.modules:
            return
        stand_in = ModuleType("requests")
        errors = ModuleType("requests.exceptions")
        errors.RequestException = OSError  # type: ignore[attr-defined]
        stand_in.exceptions = errors  # type: ignore[attr-defined]
        stand_in.Response = object  # type: ignore[attr-defined]
        self.mine = {"requests": stand_in, "requests.exceptions": errors}
        sys.modules.update(self.mine)

    def __exit__(self, *problem: object) -> None:
        import sys

        for name, module in self.mine.items():
            if sys.modules.get(name) is module:
                del sys.modules[name]
