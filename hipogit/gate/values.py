"""Is this value a secret? Evidence about what stands behind a name like `password`."""

from __future__ import annotations

import re

from .checks import entropy, has_digit, has_letter, mixed, placeholder
from .lazy import Lazy

# Words that stand where a value would, in schemas, forms and explanations.
_STANDIN_WORDS = (
    "none null nil true false undefined yes no on off required optional string str int "
    "integer bool boolean number object text hidden masked redacted unknown empty "
    "default any env environment password passwd pass pwd passphrase secret token key "
    "apikey credentials value postgres postgresql mysql root admin user username guest "
    "test testing foo bar baz foobar secret123 pass123 password123 mypassword "
    "yourpassword mysecret mytoken changeit "
    "changethis here there correct incorrect invalid valid expired wrong "
    "missing rotated revoked unset same new old basic bearer authorization auto "
    "random generated todo tbd n/a na private public internal external "
    "function regexp buffer array date callback promise uint8array"
)
_STANDINS = frozenset(_STANDIN_WORDS.split())
# A value that talks about credentials names one; it is none.
_ABOUT = Lazy(
    r"pass(?:word|wd|phrase)|secret|token|credential|api.?key|(?<![a-z])(?:user|field|"
    r"input|label|reset|confirm|login|required|invalid|enter|forgot|current|hidden|"
    r"text|toggle|auth|key|name|path|file|vault|env|config|settings?|default|type)"
    r"(?![a-z])"
)
_REFERENCE = Lazy(
    r"[{(<\[]|\$(?:[A-Za-z_{(]|\d[a-z]?\$)|%[A-Za-z_{(]|\.\.|[&*!]+[A-Za-z_]+$"
    r"|(?:\.{0,2}|~)/|[A-Za-z]:\\|[a-zA-Z][a-zA-Z0-9+.-]{1,20}://|sha\d{1,3}[-:]|md5[-:]"
    r"|(?:ssh-|ecdsa-|arn:|projects/|op:/|vault:|secretsmanager:|ref\+|0x[0-9a-f]{0,8}$)"
    r"|\[?REDACTED|data:[a-z]+/",
    re.IGNORECASE,
)
_MEMBERS = Lazy(r"[A-Za-z_]\w*(?:(?:\.|->|::)[A-Za-z_]\w*)+(?:[!?]|\(.*)?$")
_CALL = Lazy(r"[A-Za-z_][\w.:]*[(\[]|.*=>")
_FILE = Lazy(
    r".*\.(?:pem|key|json|ya?ml|txt|py|js|mjs|ts|tsx|md|env|html?|conf|cfg|ini|crt|cer|p12|"
    r"pfx|php|go|rs|java|rb|sh|toml|xml|css|sql|log|lock|asc|gpg|pub)(?:[:#?]\S*)?$",
    re.IGNORECASE,
)
_MAIL = Lazy(r"[\w.+-]+@[\w-]+(?:\.[a-z]{2,})+$")
_NUMBER = Lazy(
    r"[-+~]?[\d.,:/_xTZ-]+[A-Za-z%]{0,3}$|v?\d+\.[\dx]\S*$"
    r"|(?:\d+(?:[mun]?s|[hdwky]|[kmg]i?b?|min|px|r?em)){1,4}$"
)
_UUID = Lazy(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$", re.IGNORECASE)
_HEX = Lazy(r"(?:0x)?[0-9a-f]+$", re.IGNORECASE)
_TRIPLE = Lazy(r"(?<![\d.])\d{3,5}(?![\d.])")
_PIECES = Lazy(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^A-Za-z\d]+")


# Five consonants in a row are no word of the languages people name things in.
_CLUMP = Lazy(r"[bcdfghjklmnpqrstvwxz]{5}")
# Pairs that names hold once (`svg`, `vpn`) and random letters again and again.
_RARE = Lazy(
    r"q[bcdfghjkmnprtvxyz]|j[bcdfghklmnptvxz]|v[bcdfghjklmnpqtwxz]|[wfj]x|x[jkzgbd]"
    r"|z[bcdfgjkmnpqrtvx]|[bcdfgkpz]q|[fgbdp][jz]|[hkmw][fjvz]"
)


def reference(value: str) -> bool:
    """Whether it points at a value (variable, path, call) or stands in for one."""
    lower = value.lower()
    return (
        lower in _STANDINS
        or placeholder(value)
        or "..." in value
        or value.endswith(("$", "=>"))
        or "{{" in value
        or "${" in value
        or _REFERENCE.match(value) is not None
        or (_MEMBERS.match(value) is not None and _named(value))
        or _CALL.match(value) is not None
        or _FILE.match(value) is not None
        or _MAIL.match(value) is not None
    )


def _named(value: str) -> bool:
    # `config.token` names a value; a random string may have a dot in it as well.
    return not has_digit(value) or wordy(value)


_NO_VOWELS = dict.fromkeys(map(ord, "aeiouy"))


def wordy(value: str) -> bool:
    """Whether it is words, perhaps numbered: `node-linux-x64`, `getTokenV2`."""
    pieces = _PIECES.findall(value)
    letters = [piece for piece in pieces if piece.isalpha()]
    digits = [piece for piece in pieces if piece.isdigit()]
    if not letters or (digits and max(map(len, digits)) > 4):
        return False
    if len(digits) > 1 + len(pieces) - len(letters) - len(digits):
        return False
    lower = "".join(letters).lower()
    vowels = len(lower) - len(lower.translate(_NO_VOWELS))
    if len(lower) < 2.6 * len(letters) or not 0.15 <= vowels / len(lower) <= 0.75:
        return False
    short = sum(len(piece) <= 2 for piece in letters)
    if short > 1 + len(letters) // 4 or len(_RARE.findall(lower)) > 1:
        return False
    return not any(_CLUMP.search(piece.lower()) for piece in letters)


def password_like(value: str, *, quoted: bool = False, least: int = 6) -> bool:
    """Whether a person may have chosen or been given it as a password."""
    if len(value) < least or reference(value) or " " in value or not value.isascii():
        return False
    if _NUMBER.match(value):
        return quoted and value.isdigit() and len(value) >= 6
    if not has_letter(value):
        return has_digit(value) and not value.isdigit()
    about = _ABOUT.search(value.lower()) is not None
    if has_digit(value):
        return quoted or not (about and wordy(value))
    if value.isalpha():
        if not wordy(value):
            return len(value) >= 8
        # A word in quotes may be a password; `newPassword` is the name of one.
        return quoted and len(value) >= 8 and (not about or value.islower())
    if wordy(value):
        return quoted and len(value) >= 8 and not about
    return True


def secret_like(value: str, *, quoted: bool = False, least: int = 8) -> bool:
    """Whether it looks like an issued token or a generated secret."""
    if len(value) < least or reference(value) or " " in value or not value.isascii():
        return False
    if _NUMBER.match(value) or not has_letter(value):
        return False
    if not has_digit(value):
        # Letters alone are words unless the case jumps about.
        return len(value) >= 16 and not wordy(value) and entropy(value) >= 3.2
    if _UUID.match(value):
        return True
    if wordy(value):
        return (
            quoted
            and value.isalnum()
            and len(value) >= 10
            and entropy(value) >= 2.8
            and not _ABOUT.search(value.lower())
        )
    return entropy(value) >= (
        2.3 if len(value) < 12 else 2.6 if len(value) < 20 else 3.0
    )


def chosen(value: str) -> bool:
    """Whether a quoted value behind the word `secret` was made up by a person: one long
    word, or words with a number that is no version."""
    if len(value) < 10 or reference(value) or " " in value or not value.isascii():
        return False
    if value.isalnum():
        return value.islower() and len(value) >= 12
    return _TRIPLE.search(value) is not None and has_letter(value)


def key_like(value: str) -> bool:
    """Whether it can be nothing but key material: behind the bare word `key` stand
    cache keys, object names and hashes far more often."""
    return (
        len(value) >= 20
        and mixed(value)
        and not _UUID.match(value)
        and not _HEX.match(value)
        and secret_like(value)
        and not wordy(value)
        and "/" not in value[:8]
        and entropy(value) >= 3.6
    )
