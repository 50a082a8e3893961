"""Credentials in requests and commands: headers, cookies, addresses, arguments."""

from __future__ import annotations

import re
from binascii import Error, a2b_base64

from .checks import entropy, has_digit, has_letter, placeholder
from .flood import Flood
from .lazy import Lazy
from .values import key_like, password_like

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from .literals import Places

    Span = tuple[int, int, str]

_BEARER = Lazy(
    r"bearer(?:[ \t]{1,4}|[\"']?[:=,][ \t]{0,4}[\"']?|%20|\+)"
    r"(?:\\?\r?\n[ \t>+]{0,20})?[\"']?([A-Za-z0-9._~+/%=-]{12,4000})",
    re.IGNORECASE,
)
_BASIC = Lazy(r"basic[ \t]{1,4}([A-Za-z0-9+/_-]{8,600}={0,2})", re.IGNORECASE)
_URI = Lazy(
    r"://([^\s:/?#@\"'<>`\[\]()|,]{0,100}):([^\s\"'<>`@/]{1,200}(?:@[^\s\"'<>`@/]{1,60})?)@"
    r"(?=[A-Za-z0-9\[._$%{-])"
)
_DATABASE_URI = Lazy(
    r"://([^\s:/?#@\"'<>`\[\]()|,]{0,100}):([^\s\"'<>`]{1,200})@(?=[A-Za-z0-9\[._-]{2})"
)
_DATABASES = (
    "postgres",
    "mysql",
    "mariadb",
    "mongo",
    "redis",
    "amqp",
    "sqlserver",
    "mssql",
    "oracle",
    "rediss",
    "postgresql",
    "mongodb+srv",
    "clickhouse",
    "cockroachdb",
    "snowflake",
    "ldap",
    "ldaps",
    "smtp",
    "smtps",
    "ftp",
    "sftp",
)
_ZAPIER = Lazy(r"://hooks\.zapier\.com/hooks/catch/(\d{4,10}/[a-z0-9]{5,10})\b")
_DSN = Lazy(r"://([0-9a-f]{32})(?::[0-9a-f]{32})?@[A-Za-z0-9.-]{3,80}/\d{1,20}")
_COOKIE = Lazy(
    r"cookie[\"']?[ \t]{0,4}[:=][ \t]{0,4}[\"']?([^\n\"']{8,4000})", re.IGNORECASE
)
_PAIR = Lazy(r"([\w.-]{1,60})=([A-Za-z0-9._~+/%=|:-]{16,3000})")
_USER = Lazy(
    r" (?:-u|--user|--proxy-user|-U)[ =]?[\"']?([^\s:\"'`]{1,100}):([^\s\"'`]{3,200})"
)
_SHORT = Lazy(r" -([paPw])[ =]?([\"']?)([^\s\"'`-][^\s\"'`]{3,200})\2")
_COMMANDS = {
    "p": (
        "mysql",
        "mariadb",
        "sshpass",
        "login",
        "mongo",
        "mongosh",
        "mongodump",
        "az ",
    ),
    "a": ("redis-cli",),
    "P": ("sqlcmd", "bcp", "zip"),
    "w": ("ldapsearch", "ldapadd", "ldapmodify"),
}


def requests(flat: str, places: Places) -> Iterator[Span]:
    """Headers, addresses and command arguments that carry a credential."""
    for word, found in _DOORS:
        after = 0
        flood = Flood(flat)
        for at in places.of(word):
            if at < after:
                continue
            span = found(flat, at)
            if span:
                yield span
                full = flood.after(span)
                if full > span[1]:
                    after = full
                    yield (span[1], full, span[2])


def _bearer(flat: str, at: int) -> Span | None:
    match = _BEARER.match(flat, at)
    if not match:
        return None
    value = match[1].rstrip(".")
    if placeholder(value) or not has_digit(value) or not has_letter(value):
        return None
    if entropy(value) < 2.8 or value.startswith(("$", "%")):
        return None
    return (match.start(1), match.start(1) + len(value), "http-bearer")


def _basic(flat: str, at: int) -> Span | None:
    match = _BASIC.match(flat, at)
    if not match:
        return None
    value = match[1].rstrip("=").replace("-", "+").replace("_", "/")
    size = len(value) - (len(value) % 4 == 1)
    try:
        raw = a2b_base64(value[:size] + "=" * (-size % 4))
    except (Error, ValueError):
        return None
    text = raw.decode("latin-1")
    if ":" not in text or not all(
        32 <= ord(char) < 127 or ord(char) > 160 for char in text
    ):
        return None
    return (match.start(1), match.end(1), "http-basic")


def _uri(flat: str, at: int) -> Span | None:
    if match := _ZAPIER.match(flat, at):
        return (match.start(1), match.end(1), "zapier-webhook")
    if flat.find("@", at, at + 320) < 0:
        return None
    if match := _DSN.match(flat, at):
        return (match.start(1), match.end(0), "sentry-dsn")
    scheme = flat[max(0, at - 14) : at].lower()
    match = _DATABASE_URI.match(flat, at) if scheme.endswith(_DATABASES) else None
    if not match or "://" in match[2]:
        match = _URI.match(flat, at)
    if not match:
        return None
    user, word = match[1], match[2]
    if word.lower() == user.lower() or not password_like(word, least=3):
        return None
    return (match.start(2), match.end(2), "uri-password")


def _cookie(flat: str, at: int) -> Span | None:
    match = _COOKIE.match(flat, at)
    if not match:
        return None
    # The next header is looked at in its own turn.
    end = flat.find("ookie", match.start(1), match.end(1))
    pairs = [
        pair
        for pair in _PAIR.finditer(
            flat, match.start(1), end if end >= 0 else match.end(1)
        )
        if has_digit(pair[2])
        and has_letter(pair[2])
        and entropy(pair[2]) > 3
        and not placeholder(pair[2])
        and not pair[1].lower().startswith(("path", "expires"))
    ]
    if not pairs:
        return None
    return (pairs[0].start(2), pairs[-1].end(2), "http-cookie")


def _user(flat: str, at: int) -> Span | None:
    match = _USER.match(flat, at)
    if not match or not password_like(match[2]):
        return None
    line = flat[max(0, at - 400) : at].rpartition("\n")[2].lower()
    if not any(word in line for word in ("curl", "wget", "http", "-h ")):
        return None
    return (match.start(2), match.end(2), "curl-password")


def _short(flat: str, at: int) -> Span | None:
    match = _SHORT.match(flat, at)
    if not match or not password_like(match[3]):
        return None
    line = flat[max(0, at - 200) : at].rpartition("\n")[2].lower()
    if not any(word in line for word in _COMMANDS[match[1]]):
        return None
    return (match.start(3), match.end(3), "cli-password")


def _argument(flat: str, at: int) -> Span | None:
    # One search finds every option; what follows the dash says which it may be.
    letter = flat[at + 2 : at + 3]
    if letter in ("u", "U") or flat.startswith((" --user", " --proxy-user"), at):
        return _user(flat, at)
    return _short(flat, at) if letter and letter in "paPw" else None


_SAS = Lazy(r"sig=([A-Za-z0-9%+/_-]{40,100}={0,2})", re.IGNORECASE)


def _signature(flat: str, at: int) -> Span | None:
    match = _SAS.match(flat, at)
    # A signed address names its version and what it may do beside the signature.
    if not match or "sv=" not in flat[max(0, at - 400) : match.end() + 200]:
        return None
    if placeholder(match[1]) or not has_digit(match[1]):
        return None
    return (match.start(1), match.end(1), "azure-sas")


# Commands that take a password by its place.
_SECURE_STRING = (
    r"convertto-securestring[ \t]{1,4}(?:-string[ \t]{1,4})?"
    r"[\"']([^\"'\n]{4,200})[\"']"
)
_NET_USE = (
    r"net use (?:[^\n]{0,120}?/user:\S{1,80}[ \t]{1,4}([^\s/\"'`]{4,120})(?=\s|$)"
    r"|\S{1,80} \S{1,80} ([^\s/\"'`]{4,120}) /user:)"
)
_HTPASSWD = (
    r"htpasswd (?:-\w{1,6} ){0,3}-\w{0,5}b\w{0,5} (?:-\w{1,6} ){0,3}"
    r"\S{1,80} \S{1,80} [\"']?([^\s\"'`]{4,120})"
)
_PLACED = Lazy(f"{_SECURE_STRING}|{_NET_USE}|{_HTPASSWD}", re.IGNORECASE)


def _placed(flat: str, at: int) -> Span | None:
    match = _PLACED.match(flat, at)
    if not match or not match.lastindex or not password_like(match[match.lastindex]):
        return None
    return (*match.span(match.lastindex), "cli-password")


def calls(flat: str, long_runs: list[tuple[int, int]]) -> Iterator[Span]:
    """Keys handed to a client without a name: `cohere.Client("…")`."""
    for start, end in long_runs:
        if flat[start - 1 : start] in ('"', "'") and end - start <= 100:
            before = flat[max(0, start - 80) : start - 1].rstrip()
            if before.endswith("(") and key_like(flat[start:end]):
                name = before.rstrip("(").rpartition(" ")[2].lower()
                if any(word in name for word in _CALLS):
                    yield (start, end, "generic-api-key")


_CALLS = ("client", "api", "auth", "login", "connect", "configure", "sdk", "init")

_DOORS: tuple[tuple[str, Callable[[str, int], Span | None]], ...] = (
    ("bearer", _bearer),
    ("basic ", _basic),
    ("://", _uri),
    ("cookie", _cookie),
    (" -", _argument),
    ("sig=", _signature),
    ("convertto-securestring", _placed),
    ("net use ", _placed),
    ("htpasswd ", _placed),
)

WORDS = tuple(word for word, _ in _DOORS)
