"""Private keys in armour: whole, on one line, cut off, or without their headers."""

from __future__ import annotations

import re
from binascii import a2b_base64

from .lazy import Lazy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from .literals import Places

    Span = tuple[int, int, str]

_BEGIN = Lazy(r"-{2,5} ?BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)? ?-{2,5}", re.ASCII)
_END = Lazy(
    r"-{2,5} ?END [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)? ?(?:-{1,5}|(?=\s|$))", re.ASCII
)
# One line of an armoured key below any quote, list or diff marks; a blank or header
# line may stand between the header and the body. Blanks and letters that several parts
# could take are taken once (`*+`): else a long line costs its square.
_LINE = Lazy(
    r"\r?\n[ \t]*+(?:[>|+*#-][ \t]*+){0,3}[\"'`]?"
    r"(?:[A-Za-z0-9+/]{4,}+={0,2}|(?:Proc-Type|DEK-Info|Comment|Version|Hash)"
    r":[^\n]{0,120}|)[\"'`,+. \t\\n|]*+(?=\r?\n|$)"
)
_FIRST = Lazy(
    r"(?:\\{1,2}[nr]|[ \t\"'+,])*[A-Za-z0-9+/=]{16,}(?:\\{1,2}[nr]|[A-Za-z0-9+/= ])*"
)
_LONG = Lazy(r"[A-Za-z0-9+/]{16}")
_MARKS = " \t>|+*#-\"'`"
# Begins an entry: a key never reaches over it, or cleaning would merge two entries.
_ENTRY = Lazy(r"\n(?:## |<!-- hipogit)")
_REACH = 20000

# What follows the first bytes of a key in base64; certain even without armour.
_BODIES = (
    "b3BlbnNzaC1rZXktdjE",
    "MHcCAQEE",
    "MC4CAQAwBQYDK2V",
    "MIGHAgEA",
    "MIGkAgEB",
    "MIHcAgEB",
    "MII",
)
_BASE64 = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=")


WORDS = ("private key", "private-lines:")


def keys(flat: str, places: Places) -> Iterator[Span]:
    """Every private key in the text, armour included."""
    done = ahead = 0
    for at in places.of("private key"):
        if at >= done and flat.startswith("PRIVATE KEY", at):
            if ahead < at:
                # Looked for once: behind each of many headers it would cost the square.
                ahead = flat.find("END ", at)
                ahead = ahead if ahead >= 0 else len(flat)
            span = _around(flat, at, done, ahead)
            if span:
                done = span[1]
                yield span
    for at in places.of("private-lines:"):
        if flat.startswith("Private-Lines:", at):
            start = flat.find("\n", at)
            end = _lines(flat, start) if start >= 0 else start
            if end - start > 40:
                yield (start + 1, end, "private-key")


def _around(flat: str, at: int, done: int, ahead: int) -> Span | None:
    begin = flat.rfind("BEGIN ", max(done, at - 36), at)
    if begin >= 0:
        start = begin
        while start > 0 and flat[start - 1] in "- " and begin - start < 6:
            start -= 1
        start += len(flat[start:begin]) - len(flat[start:begin].lstrip(" "))
        match = _BEGIN.match(flat, start)
        return _whole(flat, match, ahead) if match else None
    end = flat.rfind("END ", max(done, at - 36), at)
    if end >= 0:
        # The beginning was cut off: what stands above the END line is still the key.
        least = max(0, end - 80)
        line = flat[max(flat.rfind("\n", least, end), least) : end]
        if line.strip(_MARKS + "\r\n"):
            return None
        marker = _END.match(flat, max(flat.rfind("-", least, end) - 4, 0))
        top = _above(flat, end, done)
        stop = marker.end() if marker else flat.find("\n", end)
        if top is not None:
            return (top, stop if stop > 0 else len(flat), "private-key")
    return None


def _whole(flat: str, begin: re.Match[str], ahead: int) -> Span | None:
    most = begin.end() + _REACH
    end = _END.search(flat, begin.end(), most) if ahead < most else None
    if end:
        between = flat[begin.end() : end.start()]
        if "BEGIN " not in between and not _ENTRY.search(between):
            if "EXAMPLE" in between or (len(between) < 400 and "..." in between):
                return None
            if _LONG.search(between):
                return (begin.start(), end.end(), "private-key")
            return None
    stop = begin.end()
    first = _FIRST.match(flat, stop)
    stop = _lines(flat, first.end() if first else stop)
    if stop > begin.end() or _alone(flat, begin):
        return (begin.start(), stop, "private-key")
    return None


def _alone(flat: str, match: re.Match[str]) -> bool:
    """Whether the header has its line to itself, as it has above a key."""
    least = max(0, match.start() - 200)
    top = max(flat.rfind("\n", least, match.start()), least)
    most = match.end() + 200
    bottom = flat.find("\n", match.end(), most)
    before = flat[top : match.start()]
    after = flat[match.end() : bottom if bottom >= 0 else most]
    return not before.strip(_MARKS + "\n") and not after.strip(" \t\r\"'`")


def _lines(flat: str, at: int) -> int:
    """Where the armoured lines end that begin after this place."""
    begin, end, body = at, at, False
    while match := _LINE.match(flat, at):
        at = match.end()
        line = match[0].strip(_MARKS + "\r\n,.\\")
        if _LONG.search(line):
            end, body = at, True
        elif body and line:
            # The last line of a key is short; a word is the text that goes on.
            return end if line.isalpha() and (line.islower() or line.istitle()) else at
        if at - end > 200 or at - begin > _REACH:
            break
    return end


def _above(flat: str, end: int, done: int) -> int | None:
    top, body = None, False
    line_end = flat.rfind("\n", max(done, end - 81), end)
    while line_end > done:
        start = flat.rfind("\n", done, line_end) + 1 or done
        line = flat[start:line_end].rstrip("\r").strip(_MARKS + ",\\")
        if not line or not set(line) <= _BASE64 or (top is not None and len(line) < 16):
            break
        top = start + max(flat[start:line_end].find(line), 0)
        body = body or len(line) >= 16
        line_end = start - 1
    return top if body else None


def bodies(flat: str, base64_runs: list[tuple[int, int]]) -> Iterator[Span]:
    """Keys whose armour was cut away on both sides, known by their first bytes."""
    done = 0
    for at, _ in base64_runs:
        if at >= done and flat[at] in "Mb":
            word = next((word for word in _BODIES if flat.startswith(word, at)), "")
            end = _body(flat, at, word) if word else at
            if end > at:
                done = end
                yield (at, end, "private-key")


def _body(flat: str, at: int, word: str) -> int:
    first = at
    while first < len(flat) and flat[first] in _BASE64 and first - at < _REACH:
        first += 1
    if first - at < 48:
        return at
    if word in ("MII", "MIGHAgEA"):
        if not _private(flat[at : at + 24]) or "BEGIN " in flat[max(0, at - 60) : at]:
            return at  # a certificate or a public key
        end = _lines(flat, first)
        return end if end - at >= 120 else at
    return _lines(flat, first)


def _private(head: str) -> bool:
    """Whether the outermost sequence may be a private key. It opens with a version
    number; certificates, requests and most public keys open with another sequence, a
    bare RSA public key with a long number."""
    raw = a2b_base64(head)
    at = 4 if len(raw) > 1 and raw[1] == 0x82 else 3
    if len(raw) < at + 2 or raw[0] != 0x30 or raw[at] == 0x30:
        return False
    return raw[at] != 0x02 or raw[at + 1] == 0x01
