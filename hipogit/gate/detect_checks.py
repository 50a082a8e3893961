"""Which answers of the second engine's plugins count: a check of each.

A check is given a window of the text and the span of the answer in it.
"""

from __future__ import annotations

import re

from . import plausible
from .checks import entropy
from .lazy import Lazy

REACH = 80  # how far a credential word may stand from its value
BEHIND = 60  # the same for `"value" == password`

WORD = Lazy(
    r"(?:api|auth|service|account|db|database|priv|private|client)_?key|key_?pass"
    r"|(?:db|database)_?pass|password|passwd|pwd|secret|contrase(?:ñ|n)a",
    re.IGNORECASE,
)
# For quoted values of high entropy; wider than the plugin's own list.
CONTEXT = Lazy(
    r"(?:token|secret|passw|pwd|credential|auth|bearer|signing|private"
    r"|[_-]key|(?:api|access)[_ -]?key)[A-Za-z_]{0,20}"
    r"['\"`\]]{0,2}[ \t]{0,4}(?:=>|:=|[:=(])[ \t]{0,4}@?$",
    re.IGNORECASE,
)
# The quote that closes one value may open the next, hence the look-ahead. No credential
# is without a digit.
QUOTED = Lazy(r"(['\"`])(?=[^\s'\"`\d]{0,199}\d)([^\s'\"`]{8,200}+)(?=\1)")


def bounded(window: str, start: int, end: int) -> bool:
    """Nothing that could belong to a longer run of characters stands beside it."""
    around = window[max(0, start - 1) : start] + window[end : end + 1]
    return not any(c.isalnum() or c in "+/" for c in around)


def real(window: str, start: int, end: int) -> bool:
    value = window[start:end]
    return not plausible.PLACEHOLDERS.search(value) and bounded(window, start, end)


def mixed(window: str, start: int, end: int) -> bool:
    return plausible.is_mixed(window[start:end]) and real(window, start, end)


def artifactory(window: str, start: int, end: int) -> bool:
    return end - start >= 12 and plausible.is_mixed(window[start + 3 : end])


def aws(window: str, start: int, end: int) -> bool:
    if end - start == 20:
        return real(window, start, end)
    value = window[start:end]
    return plausible.is_mixed(value) and not plausible.PLACEHOLDERS.search(value)


def password(window: str, start: int, end: int) -> bool:
    return plausible.is_credential(window[start:end])


def discord(window: str, start: int, end: int) -> bool:
    """The first part of a bot token is the bot's number in base64."""
    from base64 import urlsafe_b64decode

    head = window[start:end].split(".")[0]
    try:
        return urlsafe_b64decode(head + "=" * (-len(head) % 4)).isdigit()
    except ValueError:
        return False


def iam(window: str, start: int, end: int) -> bool:
    value = window[start:end]
    return (
        plausible.is_mixed(value)
        and not plausible.is_plain(value)
        and not plausible.PLACEHOLDERS.search(value)
        and entropy(value) >= 4.2
    )


def gitlab(window: str, start: int, end: int) -> bool:
    tail = window[start:end].split("-", 1)[-1]
    return (
        any(map(str.isdigit, tail))
        and any(map(str.isalpha, tail))
        and not plausible.is_plain(tail)
        and not plausible.PLACEHOLDERS.search(tail)
    )


def jwt(window: str, start: int, end: int) -> bool:
    head = window[start:end].split(".")[0].rstrip("=")
    before = window[max(0, start - 1) : start]
    return (
        len(head) >= 11
        and "=" not in head
        and not (before.isalnum() or before in ("-", "_"))
    )


def npm(window: str, start: int, end: int) -> bool:
    value = window[start:end]
    return plausible.is_mixed(value) or plausible.UUID.fullmatch(value) is not None


MARKS = " \t\r>|+*#-\"'`"


def header(window: str, start: int, end: int) -> bool:
    """A key's first line, not a sentence about it."""
    if window[start:end].startswith("BEGIN"):
        # With a body or not, it has its line to itself; our own rules read the rest.
        before = window[:start].rpartition("\n")[2]
        after = window[end:].partition("\n")[0]
        return (
            before.endswith("-----")
            and not before.strip(MARKS)
            and not after.removeprefix(" BLOCK").strip(MARKS)
        )
    return window[end : end + 1] == ":" and not window[:start].strip()


def slack(window: str, start: int, end: int) -> bool:
    value = window[start:end]
    return (
        end - start >= 24
        and any(map(str.isdigit, value[-12:]))
        and not plausible.PLACEHOLDERS.search(value)
    )


def stripe(window: str, start: int, end: int) -> bool:
    value = window[start:end]
    return any(map(str.isdigit, value)) and not plausible.PLACEHOLDERS.search(value)


def telegram(window: str, start: int, end: int) -> bool:
    around = window[max(0, start - 1) : start] + window[end : end + 1]
    return plausible.is_mixed(window[start:end]) and not any(
        c.isalnum() or c in "-_" for c in around
    )


def twilio(window: str, start: int, end: int) -> bool:
    value = window[start:end]
    hexadecimal = not set(value[2:]) - set("0123456789abcdef")
    return value.startswith("SK") and hexadecimal and real(window, start, end)


def quoted(window: str, start: int, end: int) -> bool:
    """A quoted value that a credential word on the same line speaks for."""
    value = window[start:end]
    if start == 0 or not QUOTED.match(window, start - 1):
        return False
    if not plausible.is_credential(value):
        return False
    before = window[max(0, start - REACH) : start - 1]
    words = [word.start() for word in WORD.finditer(before)]
    if words:
        return not plausible.HARMLESS_KEY.search(before, words[-1])
    after = WORD.search(window, end, end + BEHIND)
    return after is not None and not plausible.is_identifier(value)


def entropic(window: str, start: int, end: int) -> bool:
    """A quoted random value that is assigned to something called a token or a key."""
    value = window[start:end]
    if len(value) < 20 or start == 0 or not QUOTED.match(window, start - 1):
        return False
    if not plausible.is_credential(value) or plausible.is_identifier(value):
        return False
    before = window[max(0, start - REACH) : start - 1]
    name = CONTEXT.search(before)
    return name is not None and not plausible.HARMLESS_KEY.search(
        before, max(0, name.start() - 20)
    )


# Letters of other scripts that a pattern which ignores case takes for one of ASCII, the
# long s and the Kelvin sign for example; and dotted and dotless i.
_ALIKE = (("\u0130", "i"), ("\u0131", "i"), ("\u017f", "s"), ("\u212a", "k"))


def plain(text: str) -> str:
    """The text, of the same length, with the letter of ASCII for each that a pattern
    may take for it."""
    if not text.isascii():
        for letter, alike in _ALIKE:
            text = text.replace(letter, alike)
    return text


def lower(text: str) -> str:
    """Lower case, of the same length, in which a pattern that ignores case finds all
    it would find in the text."""
    return plain(text).lower()
