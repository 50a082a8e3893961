"""What leaves the journal for the tree: marked entries stay, bulk shrinks to a pointer.

A mark is a label somebody put on an entry: a tag in brackets, a hash tag, a field, or
a line that says nothing else. "We decided on temporary tables" merely uses the word.
"""

from __future__ import annotations

import re

from .. import fences
from ..entry import Entry

_LABEL = (
    r"(?:temporary|temp|test[ -]run"
    r"|(?:to be |please |todo:? )?(?:delete|remove)d? later"
    r"|임시(?: ?용)?|테스트 ?중|나중에 ?삭제(?: ?예정| ?할 것| ?요망)?)"
)
_TAGGED = re.compile(
    rf"[\[(（【<]\s*{_LABEL}\s*[\])）】>]"
    rf"|(?<!\S)#{_LABEL.replace('[ -]', '[-_]?').replace(' ', '[-_]?')}(?!\w)",
    re.I,
)
_SIGNS = "[(（【<#"
_LED = re.compile(rf"{_LABEL}\s*[:：]\s", re.I)
_ALONE = re.compile(rf"(?:[-*+] )?[*_~]*{_LABEL}[*_~]*[.!]*", re.I)
_FIELD = re.compile(
    rf"- (?:status|mark|marks|label|labels|tag|tags|note|상태|표시): *{_LABEL}[.!]*"
    rf"|- {_LABEL}: *(?:yes|true|1|네|예)?",
    re.I,
)
# What such a field has in it, wherever it stands: found without looking at each line.
_IN_FIELD = re.compile(
    rf"- (?:(?:status|marks?|labels?|tags?|note|상태|표시): *)?{_LABEL}", re.I
)
_TURN = re.compile(r"(?:User|Assistant): |- user: ")


def marked(entry: Entry) -> str:
    """The mark that keeps an entry out of the tree and of recall, or nothing."""
    if mark := entry.get("mark"):
        return mark
    # A pattern that may begin anywhere is slow, and few topics have such a sign.
    tagged = any(map(entry.topic.__contains__, _SIGNS))
    if tagged and (match := _TAGGED.search(entry.topic)):
        return _plain(match[0])
    if match := _LED.match(entry.topic):
        return _plain(match[0])
    if match := _ALONE.fullmatch(entry.topic):
        return _plain(match[0])
    # In a conversation such a line is an answer somebody gave, not a label.
    talk = entry.standing == "captured" or _TURN.match(entry.body)
    if talk and not _IN_FIELD.search(entry.body):
        return ""
    lines = entry.body.split("\n")
    if talk:
        lines = [line for line in lines if "- " in line]
    for number, line in enumerate(lines):
        line = line.strip()
        if number == 0 and not talk:
            match = _TAGGED.match(line) or _LED.match(line)
            if match:
                return _plain(match[0])
        if line.startswith("- ") and (match := _FIELD.fullmatch(line)):
            return _plain(match[0])
        if not talk and (
            _ALONE.fullmatch(line) or ((tag := _TAGGED.fullmatch(line)) and tag)
        ):
            return _plain(line)
    return ""


def _plain(text: str) -> str:
    return text.strip(" \t-*_~.:：!()[]（）【】<>#").casefold()


def promoted(entry: Entry) -> bool:
    """Whether the tree may carry an entry."""
    return not entry.withdrawn and not marked(entry)


KEPT_WHOLE = frozenset({"user", "feedback"})

_FENCE = re.compile(r" {0,3}(?:`{3,}|~{3,})[ \t]*([^\s`]*)")
_TIME = r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d|\d\d:\d\d:\d\d|\w{3} +\d{1,2} \d\d:\d\d:\d\d"
_LOG = re.compile(
    rf"\s*(?:\[?(?:{_TIME})[^ ]*\]?\s"
    r"|\[?(?:DEBUG|INFO|WARN|WARNING|ERROR|FATAL|TRACE)\]?[ :])"
)
_SEVERE = re.compile(r"\b(?:ERROR|FATAL|CRITICAL|Exception|panic)\b|\b\w+Error\b")
_TREE = re.compile(r"[\s│|]*(?:├|└|\|--|`--|\+--)")
_PYTHON = re.compile(r"\s*Traceback \(most recent call last\):")
_FRAME = re.compile(
    r"\s+at .+[)\]>\d]$|\s+at [\w$.<>]+|\s*\d+: +\S+::|\s+\.\.\. \d+ more"
    r"|goroutine \d+ \[|\s+\S+\.go:\d+|\s+File \".+\", line \d+"
)
_DIFF = re.compile(r"diff --git |@@ -\d|(?:index [0-9a-f]+\.\.|--- a/|\+\+\+ b/)")

# The first such word decides: each of many would look for the colon anew.
_ERROR = re.compile(r"(?>\s*[\w.]*?(?:Error|Exception|panic)\b).*[:：]")

_FEW = 5


def shrink(text: str, where: str) -> str:
    """The text with code over five lines, traces, logs, diffs and file trees cut down.

    Each becomes one line that says what stood there and where it still stands; of a
    trace or a log the line that names the error is kept.
    """
    if "\n" not in text:
        return text
    lines = text.split("\n")
    closings = fences.ends(lines) if "```" in text or "~~~" in text else {}
    out: list[str] = []
    at = 0
    while at < len(lines):
        end, kept = _bulk(lines, at, closings, where)
        if end > at:
            out += kept
            at = end
        else:
            out.append(lines[at])
            at += 1
    return "\n".join(out)


def _bulk(
    lines: list[str], at: int, closings: dict[int, int], where: str
) -> tuple[int, list[str]]:
    """The end of the bulk that begins at a line and what remains of it."""
    line = lines[at]
    if fence := _FENCE.match(line):
        end = closings.get(at, at) + 1
        inner = lines[at + 1 : end - 1]
        if len(inner) <= _FEW:
            return end, lines[at:end]
        kind = f"code, {fence[1]}" if fence[1] else "code"
        error = next((x.strip() for x in reversed(inner) if _is_error(x)), "")
        return end, _pointer(kind, len(inner), where, error)
    if _PYTHON.match(line):
        end = at + 1
        while end < len(lines) and (lines[end][:1] in (" ", "\t")):
            end += 1
        error = lines[end].strip() if end < len(lines) else ""
        end = min(end + 1, len(lines))
        return end, _pointer("stack trace", end - at, where, error)
    for kind, like, least in (
        ("stack trace", _FRAME.match, 2),
        ("log", _LOG.match, 4),
        ("file tree", _TREE.match, 4),
    ):
        end = at
        while end < len(lines) and like(lines[end]):
            end += 1
        if end - at >= least:
            block = lines[at:end]
            error = ""
            if kind == "log":
                error = next((x.strip() for x in block if _SEVERE.search(x)), "")
            return end, _pointer(kind, end - at, where, error)
    if _DIFF.match(line):
        end = at
        while end < len(lines) and (
            _DIFF.match(lines[end]) or lines[end][:1] in ("+", "-", " ", "\\")
        ):
            end += 1
        if end - at > _FEW:
            return end, _pointer("diff", end - at, where, "")
    return at, []


def _is_error(line: str) -> bool:
    return _ERROR.match(line) is not None


def _pointer(kind: str, count: int, where: str, error: str) -> list[str]:
    lines = [error[:300]] if error else []
    return [*lines, f"[{kind}: {count} lines, see {where}]"]
