"""Credentials known by the words around them in commands, prompts and addresses."""

from __future__ import annotations

from .checks import mixed, random, real
from .lazy import Lazy
from .values import password_like

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Span = tuple[int, int, str]

_AWS = r"[ \t\"']{0,4}(?:\[[^\]\n]{0,40}\])?[ \t]*[:=]?[ \t\"']{0,4}"
_PAIR = r"\([ \t]{0,4}[\"'][^\"'\n]{1,60}[\"'],[ \t]{0,4}[\"']([^\"'\n]{6,100})[\"']"


def _drawn(value: str) -> bool:
    return mixed(value) and real(value)


# (a literal of the lower-case text, what follows it, a check, rule)
_TABLE: tuple[tuple[str, Lazy, Callable[[str], bool], str], ...] = (
    # `aws configure` asks `AWS Secret Access Key [None]:` and takes it as an argument.
    (
        "secret access key",
        Lazy(_AWS + r"([A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])"),
        _drawn,
        "aws-secret-key",
    ),
    (
        "secret_access_key",
        Lazy(_AWS + r"([A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])"),
        _drawn,
        "aws-secret-key",
    ),
    # The signature of an Azure address; some of it is percent-encoded.
    ("&sig=", Lazy(r"([A-Za-z0-9%+/_-]{40,120})"), random, "azure-sas"),
    (" 1//0", Lazy(r"([A-Za-z0-9_-]{40,120})"), mixed, "gcp-refresh-token"),
    (
        "unseal key",
        Lazy(r"(?:[ \t]\d{1,2})?[ \t]*[:=][ \t]*([A-Za-z0-9+/]{43}=|[a-f0-9]{64,66})"),
        random,
        "vault-unseal-key",
    ),
    # azure devops and others call a personal token PAT.
    (
        "_pat",
        Lazy(r"[ \t]*[:=][ \t]*[\"']?([A-Za-z0-9_-]{20,100})"),
        random,
        "generic-token",
    ),
    ("client(", Lazy(r"[\"']([A-Za-z0-9]{32,64})[\"']"), mixed, "generic-token"),
    ("auth = ", Lazy(_PAIR), password_like, "password"),
    ("auth=", Lazy(_PAIR), password_like, "password"),
    ("basicauth", Lazy(_PAIR), password_like, "password"),
    (
        "/bot",
        Lazy(r"(\d{8,10}:A[A-Za-z0-9_-]{34})(?![A-Za-z0-9_-])"),
        real,
        "telegram-bot-token",
    ),
    ("authtoken ", Lazy(r"[ \t]*([A-Za-z0-9_]{30,64})"), mixed, "generic-token"),
    (
        "hooks.zapier.com/hooks/catch/",
        Lazy(r"(\d{4,10}/[a-z0-9]{5,12})(?![a-z0-9])"),
        real,
        "zapier-webhook",
    ),
)


def phrases(flat: str, low: str) -> Iterator[Span]:
    """The values behind the phrases of the table."""
    for literal, pattern, check, rule in _TABLE:
        at = low.find(literal)
        while at >= 0:
            end = at + len(literal)
            match = pattern.match(flat, end)
            if match and check(match[1]):
                yield (match.start(1), match.end(1), rule)
            at = low.find(literal, end)
