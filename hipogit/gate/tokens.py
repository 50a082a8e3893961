"""Tokens that a rule of the table knows by their beginning.

Almost every such token holds a run of twenty or more letters, digits, `_` and `-`, and
ordinary text hardly ever does. The runs are found with two plain searches over a
translated copy; only they and a little text before each are looked at again.
"""

from __future__ import annotations

from bisect import bisect_right

from .flood import Flood
from .lazy import Lazy
from .literals import Literals
from .rules import RULES
from .shapes import Shape, Sweep
from .views import every

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from .literals import Places
    from .rules import Rule

    Span = tuple[int, int, str]

# How far before its long run a token may begin.
_BEFORE = 30
_RUN = 20
_BASE64_RUN = 32
CHARS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-+/"
_MAP = bytes(97 if chr(byte) in CHARS else 32 for byte in range(256))
_ALNUM = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789")
_HEX_ID = "0123456789abcdef-"
_HEX = frozenset("0123456789abcdefABCDEF")

_ANY = Sweep([Shape(f"[A-Za-z0-9_+/-]{{{_RUN}}}", once=True)])
_DIGIT = Lazy("[0-9]")
_INNER = Lazy(r"[^+/]{20,}")
# A run of this size is a file in base64; a token stands at its edges or nowhere.
BLOB = 8192
_LAST = 1024
_DIRECT = 12  # characters; so long a keyword is looked for in the whole text
_ALL = tuple((keyword, rule) for rule in RULES for keyword in rule.keywords)
_SHORT = tuple(pair for pair in _ALL if len(pair[0]) < _DIRECT)
_LONG = tuple(pair for pair in _ALL if len(pair[0]) >= _DIRECT)
_KEYWORDS = Literals(sorted({keyword for keyword, _ in _SHORT}))
WORDS = tuple(word.lower() for word, _ in _LONG if len(set(word)) > 1)

Runs = list[tuple[int, int]]


def runs(flat: str, raw: bytes) -> tuple[Runs, Runs]:
    """Where the long runs of letters, digits, `_` and `-` stand, and where those of
    base64 do, which `+` and `/` do not cut short."""
    hits = _ANY.hits(flat)
    if hits is not None and not hits[0]:
        return [], []
    mapped = raw.translate(_MAP)
    least = b"a" * _RUN
    long: Runs = []
    base64: Runs = []
    at = mapped.find(least)
    while at >= 0:
        end = mapped.find(b" ", at)
        if end < 0:
            end = len(mapped)
        if end - at >= _BASE64_RUN:
            base64.append((at, end))
        if raw.find(b"/", at, end) < 0 and raw.find(b"+", at, end) < 0:
            long.append((at, end))
        else:
            stop = min(end, at + BLOB)
            long.extend(match.span() for match in _INNER.finditer(flat, at, stop))
        if end - at > BLOB:
            long.append((end - _LAST, end))
        at = mapped.find(least, end)
    return long, base64


def run_end(text: str) -> int:
    """Where the first character stands that is none of base64's, or -1."""
    return text.encode("ascii", "replace").translate(_MAP).find(b" ")


def tokens(flat: str, long_runs: Runs, places: Places) -> Iterator[Span]:
    """The tokens of all rules in the text."""
    if not long_runs:
        return
    for keyword, rule in _LONG:
        after = 0
        # A run of one letter is everywhere in a run of that letter.
        alike = len(set(keyword)) == 1
        found = (
            every(flat, keyword, len(keyword)) if alike else places.of(keyword.lower())
        )
        for place in found:
            if place >= after and flat.startswith(keyword, place):
                span = _match(rule, keyword, flat, place)
                after = max(place + len(keyword), span[1] if span else 0)
                if span:
                    yield span
    reduced, starts, origins = _reduced(flat, long_runs)
    inside = _KEYWORDS.places(reduced)
    for keyword, rule in _SHORT:
        after = 0
        flood = Flood(flat)
        for hit in inside.of(keyword):
            if hit < after:
                continue
            number = bisect_right(starts, hit) - 1
            place = origins[number] + hit - starts[number]
            after = hit + len(keyword)
            span = _match(rule, keyword, flat, place)
            if span:
                yield span
                after = max(after, hit + span[1] - place)
                full = flood.after(span)
                if full > span[1]:
                    yield (span[1], full, rule.id)
                    # Go on in the first piece behind that line.
                    piece = bisect_right(origins, full)
                    after = starts[piece] if piece < len(starts) else len(reduced)
    yield from _discord(flat, long_runs)


def _reduced(
    flat: str, long_runs: list[tuple[int, int]]
) -> tuple[str, list[int], list[int]]:
    """The runs that may belong to a token and a little before each, and for each piece
    where it begins there and in the text."""
    pieces: list[str] = []
    starts: list[int] = []
    places: list[int] = []
    at = last = 0
    blob = 0
    for start, end in long_runs:
        if end <= blob:
            continue  # within a picture or an archive in base64
        if end - start > BLOB:
            blob, end = end - _LAST, start + BLOB
        run = flat[start:end]
        if (
            not run.strip(_HEX_ID)
            and flat[start - 1 : start] not in (".", ":")
            and (end - start == 36 or "-" not in run)
        ):
            continue  # an object id, a hash or a UUID
        if run.islower() and not _DIGIT.search(run):
            continue  # a name put together from words
        begin, last = max(start - _BEFORE, last), max(end + 1, last)
        piece = flat[begin:last]
        pieces.append(piece)
        starts.append(at)
        places.append(begin)
        at += len(piece)
    return "".join(pieces), starts, places


def _match(rule: Rule, keyword: str, flat: str, place: int) -> Span | None:
    if rule.back:
        begin = max(0, place - rule.back)
        match = rule.regex.search(flat, begin, place + len(keyword) + 400)
        if match and match.start() > place:
            match = None
        if match is None or not boundary(flat, match.start()):
            return None
    else:
        match = rule.regex.match(flat, place) if boundary(flat, place) else None
    if match is None:
        return None
    group = "s" if "s" in rule.regex.groupindex else 0
    secret = match[group]
    if rule.check is not None and not rule.check(secret):
        return None
    return (match.start(group), match.end(group), rule.id)


def boundary(flat: str, start: int) -> bool:
    """Whether a token may begin there: not within a word."""
    if start == 0 or flat[start] not in _ALNUM:
        return True
    before = flat[start - 1]
    if before not in _ALNUM:
        return True
    if flat.endswith("bot", 0, start):
        return True  # Telegram writes its tokens behind `bot` in addresses
    # `\n` and `%3D` written out end in a letter or digit but separate all the same.
    if before in "nrt" and flat[start - 2 : start - 1] == "\\":
        return True
    return (
        start >= 3
        and flat[start - 3] == "%"
        and flat[start - 2] in _HEX
        and before in _HEX
    )


def _discord(flat: str, long_runs: list[tuple[int, int]]) -> Iterator[Span]:
    # A bot token begins with the bot's number in base64: no fixed word to search for.
    for start, end in long_runs:
        if (
            24 <= end - start <= 28
            and flat[start] in "MNO"
            and flat[end : end + 1] == "."
        ):
            parts = flat[start : end + 60].split(".", 2)
            if len(parts) == 3 and len(parts[1]) == 6:
                third = 0
                for char in parts[2]:
                    if char not in _ALNUM and char not in "_-":
                        break
                    third += 1
                stop = end + 8 + third
                token = flat[start:stop]
                if 27 <= third <= 40 and token.upper() != token and parts[0].isalnum():
                    yield (start, stop, "discord-bot-token")
