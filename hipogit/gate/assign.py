"""Credentials known by the name before them: `password: x`, `API_KEY="x"`, `--token x`.

Quoted or bare, in env files, YAML, JSON, TOML, INI, XML, SQL, shell and plain
sentences; the value may stand on the next line, below quote, list or diff marks.
"""

from __future__ import annotations

import re

from .checks import has_digit, has_letter, mixed
from .flood import Flood
from .foreign import named
from .lazy import Lazy
from .names import CORE, LOWER, STEMS, TAIL, WORDS, kind_of, open_tail
from .values import chosen, key_like, password_like, reference, secret_like
from .vendors import vendor

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from .literals import Places

    Span = tuple[int, int, str]

# A name ends before a separator, a quote or a blank. Most hits are inside of words and
# paths; one match in C says so.
_ENDS = Lazy(r"[\w.-]{2,80}+[\s\"'`\\\])}*:=>|,(?+<]", re.ASCII)
_NAME_CHARS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-.$"
_MARK = r"[ \t]*(?:(?:>|\+|-|\*|\||#|//)[ \t]{0,8}){0,3}"
_SEP = Lazy(
    r"(?:\\{0,3}[\"'`])?[\])}]{0,2}[*_]{0,3}(?:\\{0,3}[\"'`])?"
    r"(?:[ \t]#?\d{1,2}(?=:))?(?P<wide>(?:[ \t]{1,3}[(\[][^()\[\]\n]{1,30}[)\]])?"
    r"(?:[ \t]{1,2}(?:for|of|on|at|in|from|para|für)[ \t][^\n:=|\"'`<>]{1,48}?)?)"
    r"(?:(?:[,;]|[ \t]{0,2}\{)?\s{1,24}\\{0,2}[\"']?(?:value|default)\\{0,2}[\"']?"
    r"(?=[ \t]{0,4}[:=]))?"
    r"(?P<gap>[ \t]{0,16})"
    r"(?:(?P<typed>:[ \t]{0,3}[A-Za-z_&*][\w.<>\[\]|?&* ]{0,30}?[ \t]{0,3}=(?![=>]))"
    r"|(?P<op>:=|=>|->|<-|={1,3}|:{1,2}|[?|+]{1,2}=|\|\|?|>|,|\(|"
    r"(?<=[ \t])(?:is|was|are|ist|lautet|es|est)(?=[ \t\n:]):?"
    # An arrow of any kind is a `?` once the text is folded to ASCII.
    r"|(?<=[ \t])(?:to|\?)(?=[ \t])))?",
    re.ASCII,
)
_FOREIGN_SEP = Lazy(r"\?{0,3}[ \t]{0,4}(?:[:=?]|is)?[ \t]{0,4}[\"'`]?")
_CROSSING = Lazy(rf"\\?\r?\n{_MARK}(?:\r?\n{_MARK})?")
_HEREDOC = Lazy(
    r"\"?\$\([ \t]?cat[ \t]{1,4}<<-?[ \t]{0,4}[\"']?\w{1,20}[\"']?[ \t]{0,4}\r?\n"
    r"[ \t]{0,40}"
)
_BLOCK = Lazy(r"[|>][+-]?\d?[ \t]*(?=\r?\n)")
_SCHEME = Lazy(
    r"(?:bearer|basic|token|apikey|api-key|key|digest)[ \t]{1,4}(?=\S)", re.IGNORECASE
)
_OPEN = Lazy(
    r"[*_]{0,3}(?:[a-zA-Z@$]{0,2}(?=\\{0,3}[\"']))?(\\{0,3})(\"\"\"|'''|\"|'|`)"
)
_FIELD = Lazy(r"[A-Za-z_][\w-]*[=:]")
_NEXT = frozenset(":=|\"' \t")
_HEX = Lazy(r"[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{64}")
_PAIR = Lazy(r"([\"'])[^\"'\n]{1,60}\1,[ \t]{0,8}(?=[\"'])")
_BRACKET = Lazy(r"[(\[]\s{0,40}(?=[\"'])")
_BARE = Lazy(r"[^\s\"'`<>]{1,512}")
_FAR = 4096  # characters of a value that are looked at
_REST = Lazy(rf"[^\s\"'`]{{1,{_FAR}}}")
_BLANKS = Lazy(r"[ \t]{0,40}[*_]{0,3}[ \t]{0,4}")


def assignments(text: str, flat: str, low: str, places: Places) -> Iterator[Span]:
    """The values of names that stand for credentials."""
    done: dict[int, None] = {}
    for stem in STEMS:
        after = 0
        flood = Flood(flat)
        for at in places.of(stem):
            if at < after or not _ENDS.match(low, at):
                continue
            span = _named(flat, low, at)
            if span:
                after = flood.after(span)
                if span[0] not in done:
                    done[span[0]] = None
                    yield span
                if after > span[1]:
                    yield (span[1], after, span[2])
    for end in named(text, flat):
        if span := _foreign(flat, end):
            yield span


def _foreign(flat: str, at: int) -> Span | None:
    sep = _FOREIGN_SEP.match(flat, at)
    if sep is None or sep.end() == at or flat[sep.end() : sep.end() + 1] in ("?", ""):
        return None
    match = _BARE.match(flat, sep.end(), sep.end() + 128)
    # Where the script goes on the value ends: sentences in it know no blanks.
    value = match[0].partition("??")[0].rstrip("?.,;:)") if match else ""
    if match and _spoken(value):
        return (match.start(), match.start() + len(value), "password")
    return None


def _named(flat: str, low: str, at: int) -> Span | None:
    core = CORE.match(low, at)
    if not core:
        return None
    end = core.end()
    following = flat[end : end + 1]
    if following.isalpha() and (following in LOWER or flat[end - 1] not in LOWER):
        return None
    word = core[0].lstrip("_")
    if word == "pw" and low[at - 1 : at].isalnum():
        return None
    tail = TAIL.match(flat, end)
    tail_text = tail[0] if tail else ""
    if tail_text and not open_tail(tail_text):
        return None
    end += len(tail_text)
    near = flat[max(0, at - 64) : at]
    head_at = at - len(near) + len(near.rstrip(_NAME_CHARS))
    head = low[head_at:at]
    if flat[head_at - 1 : head_at] == ":" and "arn:" in low[max(0, head_at - 90) : at]:
        return None
    if ".svg?" in low[max(0, head_at - 6) : at]:
        return None  # a badge's token is as public as the badge
    words = WORDS.findall(flat[max(head_at, at - 40) : at])
    last = words[-1].lower() if words else ""
    kind = kind_of(word, head, last, low[max(0, head_at - 24) : head_at], tail_text)
    if not kind:
        return None
    return _value(flat, low, kind, head_at, end)


def _value(flat: str, low: str, kind: str, head_at: int, end: int) -> Span | None:
    sep = _SEP.match(flat, end)
    if not sep:
        return None
    if sep["typed"] and len(sep["typed"].split()) > 5:
        return None  # a sentence that comes to a `=`, no declaration with its type
    if sep["op"] == ">" and flat[head_at - 2 : head_at] == ":<":
        return None  # `user:<password>@host` shows where one goes
    op = sep["op"] or ("=" if sep["typed"] else "")
    at = sep.end()
    spoken = (
        op == "?" or op[:2] in ("is", "wa", "ar", "to", "es", "la") or op[:3] == "ist"
    )
    if not op and not sep["gap"]:
        return None
    at = _blanks(flat, at)
    crossing = False
    if (op and not spoken) or (spoken and op.endswith(":")):
        block = _BLOCK.match(flat, at)
        if block:
            at = block.end()
        if heredoc := _HEREDOC.match(flat, at):
            at = heredoc.end()
            crossing = True
        elif bracket := _BRACKET.match(flat, at):
            at = bracket.end()
        elif op not in (",", "(") and (cross := _CROSSING.match(flat, at)):
            at = cross.end()
            crossing = True
    # `auth=("user", "…")`, `HTTPBasicAuth("user", "…")`
    if kind == "token" and (pair := _PAIR.match(flat, at)):
        kind, at = "password", pair.end()
    if kind == "token":
        scheme = _SCHEME.match(flat, at)
        if scheme:
            at = scheme.end()
    if (again := CORE.match(low, at)) and low[again.end() : again.end() + 1] in _NEXT:
        return None  # the next name, not a value
    opening = _OPEN.match(flat, at)
    if opening and not (opening[2] == "`" and crossing and flat[at : at + 3] == "```"):
        return _quoted(flat, low, kind, op, head_at, opening)
    if opening or op in (",", "("):
        return None
    return _unquoted(flat, low, kind, op or sep["gap"], head_at, at, crossing, spoken)


def _blanks(flat: str, at: int) -> int:
    match = _BLANKS.match(flat, at)
    return match.end() if match else at


def _quoted(
    flat: str, low: str, kind: str, op: str, head_at: int, opening: re.Match[str]
) -> Span | None:
    start, quote = opening.end(), opening[2]
    close = start
    while True:
        close = flat.find(quote, close, start + _FAR)
        if close < 0:
            # A keystore, a ticket: what is no sentence may be of any length.
            run = _REST.match(flat, start)
            if run is None or run.end() - start < _FAR:
                return None
            close = run.end()
            break
        slashes = 0
        while flat[close - 1 - slashes] == "\\" and close - slashes > start:
            slashes += 1
        if slashes == len(opening[1]) or slashes % 2 == 0:
            break
        close += 1
    value = flat[start:close]
    if opening[1]:
        value = value[: len(value) - len(opening[1])]
    if "\n" in value:
        return None
    stripped = value.strip()
    start += len(value) - len(value.lstrip())
    scheme = _SCHEME.match(stripped) if kind == "token" else None
    if scheme:
        stripped = stripped[scheme.end() :]
        start += scheme.end()
    if op in ("", ",") and not has_digit(stripped):
        return None  # `Pass `x` to it`, a list of names
    if op == "" and (kind != "password" or low[head_at:start].startswith("pass ")):
        return None
    quoted = op not in ("|", "", ",")
    rule = _judge(flat, low, kind, head_at, stripped, quoted=quoted, strict=not op)
    return (start, start + len(stripped), rule) if rule else None


def _unquoted(
    flat: str,
    low: str,
    kind: str,
    op: str,
    head_at: int,
    at: int,
    crossing: bool,
    spoken: bool,
) -> Span | None:
    match = _BARE.match(flat, at)
    if not match:
        return None
    value = match[0].rstrip(",;.)]}*_|:!?\\" if op != "=" else ",;)]}|\\")
    if crossing:
        # On a line of its own, or it is just the next sentence.
        most = match.end() + 160
        line_end = flat.find("\n", at, most)
        line_end = line_end if line_end >= 0 else min(most, len(flat))
        rest = flat[match.end() : line_end]
        if rest.strip(" \t\r*_`|") or _FIELD.match(value):
            return None
        if op == ">" and flat[line_end : line_end + 40].lstrip()[:2] != "</":
            return None
    if op == ">" and not crossing and flat[match.end() : match.end() + 2] != "</":
        return None
    bare = op.isspace() and not _argument(flat, low, head_at)
    if bare and not (
        _certain(value)
        if kind not in ("password", "key")
        else kind == "password" and _signed(value)
    ):
        return None
    if spoken:
        if not _spoken(value):
            return None
        return (at, at + len(value), _NAMES[kind])
    start_of_name = flat[max(0, head_at - 1) : head_at]
    whole = (
        op == "="
        and start_of_name in ("", "\n", " ", "\t")
        and _line_start(flat, head_at)
    )
    if not whole:
        for mark in "&;," if op != "=" else "&;,)":
            cut = value.find(mark)
            if cut >= 0:
                value = value[:cut]
    rule = _judge(flat, low, kind, head_at, value, quoted=False, strict=False)
    if not rule:
        return None
    end = at + len(value)
    if whole and (rest_match := _REST.match(flat, at)):
        end = max(end, rest_match.end())
    return (at, end, rule)


def _line_start(flat: str, head_at: int) -> bool:
    least = max(0, head_at - 41)
    line = flat[max(flat.rfind("\n", least, head_at) + 1, least) : head_at]
    return line.strip(" \t>+-") in (
        "",
        "export",
        "set",
        "ENV",
        "ARG",
        "setx",
        "$",
        "declare",
    )


def _spoken(value: str) -> bool:
    """A value given in a sentence must look like nothing else."""
    if len(value) < 6 or not (has_digit(value) and has_letter(value)):
        return False
    return password_like(value) and (not value[0].isdigit() or len(value) >= 10)


def _certain(value: str) -> bool:
    """Whether a value that merely stands behind its name can be nothing else."""
    return key_like(value) or _HEX.fullmatch(value) is not None


def _signed(value: str) -> bool:
    """Whether it is mixed with signs as only passwords are: `user x and password y`."""
    return (
        len(value) >= 10
        and mixed(value)
        and any(sign in value for sign in "!@#$%^&*")
        and password_like(value)
    )


def _argument(flat: str, low: str, head_at: int) -> bool:
    """Whether a name without a separator is an option or a keyword of a format."""
    if flat[head_at : head_at + 1] == "-" and flat[head_at : head_at + 3].strip("-"):
        return True
    before = low[max(0, head_at - 120) : head_at]
    line = before.rpartition("\n")[2]
    return "login " in before or line.strip() in (
        "env",
        "machine",
        "set",
        "setx",
        "arg",
    )


def _judge(
    flat: str,
    low: str,
    kind: str,
    head_at: int,
    value: str,
    *,
    quoted: bool,
    strict: bool,
) -> str:
    if not value or value.startswith("[REDACTED"):
        return ""
    found = vendor(low, head_at, value)
    if found and not reference(value):
        return found
    if kind == "password":
        good = password_like(value, quoted=quoted) and not (strict and value.isalpha())
    elif kind == "key":
        good = key_like(value)
    else:
        good = secret_like(value, quoted=quoted)
        if kind == "secret" and quoted and not good:
            good = not strict and chosen(value)
    return _NAMES[kind] if good else ""


_NAMES = {
    "password": "password",
    "secret": "generic-secret",
    "token": "generic-token",
    "credential": "generic-credential",
    "api-key": "generic-api-key",
    "key": "generic-api-key",
}
