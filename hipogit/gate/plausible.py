"""Whether a value found next to a credential word can be a credential at all.

The second engine's plugins match on the neighbourhood of a value; these checks look at
the value. All of them are linear in its length.
"""

from __future__ import annotations

import re

from .checks import entropy
from .lazy import Lazy

PLACEHOLDERS = Lazy(
    r"example|placeholder|changeme|change[_-]me|your[_-]|dummy|redacted|sample|insert"
    r"|replace[_-]?(?:me|with)|todo|fixme|xxxx|\.\.\.|\*\*\*|0{8}|123456789|abcdefgh",
    re.IGNORECASE,
)
# Words, numbers and separators only: identifiers, paths, versions, slugs.
WORDY = Lazy(r"[A-Za-z]{0,40}+\d{0,4}+(?:[-_./:@,+#][A-Za-z]{0,40}+\d{0,4}+){0,40}+")
# What a part takes it keeps: shared out anew at each failure, forty letters and a sign
# cost seconds, and sixty longer than anybody waits.
CAMEL = Lazy(
    r"(?:(?:[A-Z]{2,}(?=[A-Z][a-z]))?[A-Z]?[a-z]{2,}+|[A-Z]{2,}+(?![a-z])){1,20}+\d{0,3}"
)
DIGEST = Lazy(
    r"(?:[0-9a-fA-F]{32}|[0-9a-fA-F]{40}|[0-9a-fA-F]{56}|[0-9a-fA-F]{64}"
    r"|[0-9a-fA-F]{96}|[0-9a-fA-F]{128}|sha(?:1|256|384|512)-[A-Za-z0-9+/=]{20,})"
)
UUID = Lazy(
    r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", re.IGNORECASE
)
# A key named like this holds something that may be shown.
HARMLESS_KEY = Lazy(
    r"hash|sha\d|md5|digest|checksum|integrity|fingerprint|public|pubkey|cache|etag"
    r"|commit|revision|version|(?:^|[^a-z])(?:id|name|path|file|url|uri|env|ref|arn|label"
    r"|type|field|hint|policy|regex|pattern|prefix|header)s?(?:$|[^a-z])",
    re.IGNORECASE,
)


def is_identifier(value: str) -> bool:
    """Digests, UUIDs and SRI strings: they name things, they open nothing."""
    return bool(DIGEST.fullmatch(value) or UUID.fullmatch(value))


def is_reference(value: str) -> bool:
    """A variable, a template, a path or a URL that says where the secret is kept."""
    return (
        value[0] in "$<{[%(@/~"
        or "${" in value
        or "{{" in value
        or "(" in value
        or "://" in value
        or value.startswith(("./", "../", "op:", "vault:", "arn:", "env:"))
    )


def is_plain(value: str) -> bool:
    """Words a person wrote: an identifier, a slug, a file name, a number."""
    return bool(WORDY.fullmatch(value) or CAMEL.fullmatch(value))


def is_mixed(value: str) -> bool:
    """Upper and lower case and digits together."""
    return (
        any(map(str.isdigit, value))
        and any(map(str.islower, value))
        and any(map(str.isupper, value))
    )


def is_credential(value: str) -> bool:
    """A value that somebody generated or chose as a password."""
    # What costs least says no most often.
    return (
        8 <= len(value) <= 200
        and any(map(str.isdecimal, value))
        and any(map(str.isalpha, value))
        and not is_reference(value)
        and not is_plain(value)
        and entropy(value) >= 2.5
        and not PLACEHOLDERS.search(value)
    )
