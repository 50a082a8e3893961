"""JSON and JSONC read with the place of every value, for edits that keep all the rest.

Grammar: RFC 8259, plus comments and trailing commas as the agents' own readers take
them. Duplicate keys are refused: which one counts depends on the reader.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field

from hipogit.errors import Usage

_STRING = re.compile(r'"(?:[^"\\\x00-\x1f]|\\.)*"')
_SCALAR = re.compile(r"true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?")
_BLANK = re.compile(r"[ \t\r\n]*")
_LINE_COMMENT = re.compile(r"//[^\r\n]*")
_DEEPEST = 100

# An insertion: where, and what.
Span = tuple[int, str]


@dataclass(slots=True)
class Value:
    """One value and where it stands; `items` for objects and arrays."""

    start: int
    end: int
    data: object
    items: list[Item] = field(default_factory=list)
    tail: int = 0  # end of what stands last before the closing bracket, comments too

    def get(self, key: str) -> Value | None:
        """The member of that name."""
        return next((item.value for item in self.items if item.key == key), None)


@dataclass(slots=True)
class Item:
    """A member or element: its key, value, the blanks before it and the comma after."""

    key: str
    lead: int
    start: int
    value: Value
    comma: int = -1


class _Reader:
    def __init__(self, text: str, name: str) -> None:
        self.text = text
        self.name = name

    def fail(self, at: int, what: str) -> Usage:
        line = self.text.count("\n", 0, at) + 1
        return Usage(
            f"{self.name} cannot be changed safely: line {line} {what}",
            hint="mend the file and run the command again; nothing was changed",
        )

    def skip(self, at: int) -> tuple[int, int]:
        """Past blanks and comments: (end of the last comment, next token)."""
        solid = at
        while True:
            found = _BLANK.match(self.text, at)
            at = found.end() if found else at
            comment = _LINE_COMMENT.match(self.text, at)
            if comment:
                at = solid = comment.end()
            elif self.text.startswith("/*", at):
                end = self.text.find("*/", at + 2)
                if end < 0:
                    raise self.fail(at, "opens a comment that never ends")
                at = solid = end + 2
            else:
                return solid, at

    def value(self, at: int, depth: int) -> Value:
        if depth > _DEEPEST:
            raise self.fail(at, "is nested too deeply")
        head = self.text[at : at + 1]
        if head == "{" or head == "[":
            return self.container(at, depth, head == "{")
        found = _STRING.match(self.text, at) or _SCALAR.match(self.text, at)
        if not found:
            raise self.fail(at, "is not JSON")
        return Value(at, found.end(), self.scalar(found.group(), at))

    def scalar(self, token: str, at: int) -> object:
        try:
            return json.loads(token)
        except ValueError:
            raise self.fail(at, "is not JSON") from None

    def container(self, start: int, depth: int, is_object: bool) -> Value:
        made = Value(start, start, {} if is_object else [])
        close = "}" if is_object else "]"
        keys: set[str] = set()
        solid, at = self.skip(start + 1)
        while not self.text.startswith(close, at):
            item = self.item(solid, at, depth, is_object)
            if is_object and item.key in keys:
                raise self.fail(at, f"repeats the key {item.key!r}")
            keys.add(item.key)
            made.items.append(item)
            solid, at = self.skip(item.value.end)
            if self.text.startswith(",", at):
                item.comma = at
                solid, at = self.skip(at + 1)
            elif not self.text.startswith(close, at):
                raise self.fail(at, f"misses a comma or {close!r}")
        made.tail, made.end = solid, at + 1
        if is_object:
            made.data = {item.key: item.value.data for item in made.items}
        else:
            made.data = [item.value.data for item in made.items]
        return made

    def item(self, lead: int, at: int, depth: int, is_object: bool) -> Item:
        if not is_object:
            return Item("", lead, at, self.value(at, depth + 1))
        found = _STRING.match(self.text, at)
        if not found:
            raise self.fail(at, "misses a key")
        key = str(self.scalar(found.group(), at))
        _, colon = self.skip(found.end())
        if not self.text.startswith(":", colon):
            raise self.fail(colon, "misses a colon")
        _, begins = self.skip(colon + 1)
        return Item(key, lead, at, self.value(begins, depth + 1))


def parse(text: str, name: str) -> Value:
    """The root value with the place of everything below it."""
    reader = _Reader(text, name)
    _, at = reader.skip(1 if text.startswith("\ufeff") else 0)
    root = reader.value(at, 0)
    _, end = reader.skip(root.end)
    if end != len(text):
        raise reader.fail(end, "goes on after the end of the value")
    return root


def inserted(text: str, box: Value, texts: list[tuple[str, object]]) -> list[Span]:
    """Insertions that append these members (or, with empty keys, elements) to `box`."""
    newline = "\r\n" if "\r\n" in text else "\n"
    unit = _unit(text)
    flat = bool(box.items) and "\n" not in text[box.start : box.end]
    if flat:
        between, close = " ", ""
        parts = [_member(key, json.dumps(data)) for key, data in texts]
    else:
        outer = _indent(text, box.start)
        inner = outer + unit
        if box.items and _leads_line(text, box.items[-1].start):
            inner = _indent(text, box.items[-1].start)
        between = newline + inner
        close = newline + outer
        parts = [_member(key, _pretty(data, unit, between)) for key, data in texts]
    body = f",{between}".join(parts)
    if not box.items:
        # A comment may be all there is inside; what follows it needs a line of its own.
        return [(box.tail, between + body + ("" if _closes(text, box) else close))]
    last = box.items[-1]
    if last.comma >= 0:
        return [(box.tail, between + body + ",")]
    if box.tail == last.value.end:
        return [(box.tail, "," + between + body)]
    return [(last.value.end, ","), (box.tail, between + body)]


def apply(text: str, spans: list[Span]) -> tuple[str, list[Span]]:
    """The text with all insertions, and where they stand in it."""
    placed: list[Span] = []
    out: list[str] = []
    done = grown = 0
    for at, piece in sorted(spans, key=lambda span: span[0]):
        out += [text[done:at], piece]
        placed.append((at + grown, piece))
        done, grown = at, grown + len(piece)
    return "".join([*out, text[done:]]), placed


def cut(text: str, box: Value, index: int) -> tuple[int, int, int]:
    """What to delete for one item: (from, to, offset of a comma before it or -1)."""
    item = box.items[index]
    if len(box.items) == 1:
        end = item.comma + 1 if item.comma >= 0 else item.value.end
        alone = item.lead == box.start + 1 and not text[end : box.end - 1].strip()
        # Blanks alone would be left over; but a comment's line has to end somewhere.
        return item.lead, box.end - 1 if alone else end, -1
    if item.comma >= 0:
        return item.lead, item.comma + 1, -1
    return item.lead, item.value.end, box.items[index - 1].comma


def _member(key: str, rendered: str) -> str:
    return f"{json.dumps(key)}: {rendered}" if key else rendered


def _pretty(data: object, unit: str, between: str) -> str:
    return json.dumps(data, indent=unit).replace("\n", between)


def _unit(text: str) -> str:
    """One step of the file's own indentation; two spaces when it has none."""
    found = re.search(r"\n([ \t]+)\S", text)
    return found.group(1) if found else "  "


def _leads_line(text: str, at: int) -> bool:
    return not text[text.rfind("\n", 0, at) + 1 : at].strip()


def _indent(text: str, at: int) -> str:
    line = text[text.rfind("\n", 0, at) + 1 : at]
    return line[: len(line) - len(line.lstrip(" \t"))]


def _closes(text: str, box: Value) -> bool:
    """Whether the closing bracket of an empty box already has a line to itself."""
    return "\n" in text[box.tail : box.end]
