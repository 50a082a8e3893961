"""Our hook entries in a JSON settings file, put in and taken out to the byte.

Ours are the entries whose command starts with `hipogit hook `; nothing else is touched.
Two shapes are in use: groups that hold entries (Claude Code, Codex, Gemini) and bare
entries (Cursor), both below `hooks` and the event's name.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from hipogit.errors import Usage
from hipogit.platforms import files, jsonspan
from hipogit.platforms.edits import Made, Trace
from hipogit.platforms.jsonspan import Span, Value

MARK = "hipogit hook "


Into = Callable[[str, str], tuple[str, list[Span], list[str]]]


def inserted(path: Path, old: bytes | None, into: Into) -> Made:
    """A JSON file after an insertion, which `into` makes in a text of that name."""
    name = str(path)
    text = files.decode(old, name) if old is not None else ""
    if blank(text):
        # An empty file is what an editor leaves behind; it means no settings.
        result, _, filled = into(text + "{}\n", name)
        added = ((len(text), result[len(text) :]),)
        return Made(result.encode(), added, tuple(filled))
    result, spans, filled = into(text, name)
    return Made(result.encode(), tuple(spans), tuple(filled))


@dataclass(frozen=True, slots=True)
class HookFile:
    """Hook entries by event; `base` are members the file must have besides."""

    path: Path
    entries: tuple[tuple[str, dict[str, object]], ...]
    base: dict[str, object] = field(default_factory=dict)

    def install(self, old: bytes | None) -> Made:
        """The file with our entries behind everybody else's."""
        return inserted(self.path, old, self._into)

    def _into(self, text: str, name: str) -> tuple[str, list[Span], list[str]]:
        root = jsonspan.parse(text, name)
        expect(root, dict, name, "the file")
        filled: list[str] = []
        spans: list[Span] = []
        new: list[tuple[str, object]] = [
            (key, value) for key, value in self.base.items() if root.get(key) is None
        ]
        hooks = root.get("hooks")
        if hooks is None:
            new.append(("hooks", {event: [entry] for event, entry in self.entries}))
        else:
            expect(hooks, dict, name, "hooks")
            if not hooks.items:
                filled.append("hooks")
            missing: list[tuple[str, object]] = []
            for event, entry in self.entries:
                there = hooks.get(event)
                if there is None:
                    missing.append((event, [entry]))
                    continue
                expect(there, list, name, f"hooks.{event}")
                if not there.items:
                    filled.append(f"hooks.{event}")
                spans += jsonspan.inserted(text, there, [("", entry)])
            if missing:
                spans += jsonspan.inserted(text, hooks, missing)
        if new:
            spans += jsonspan.inserted(text, root, new)
        result, placed = jsonspan.apply(text, spans)
        return result, placed, filled

    def renew(self, data: bytes, trace: Trace | None = None) -> Made:
        """The file with what is ours in it put right."""
        return self.install(self.remove(data, trace))

    def intact(self, data: bytes) -> bool:
        """Whether our entries stand there, each once and as they should be."""
        name = str(self.path)
        text = files.decode(data, name)
        if blank(text):
            return False
        root = jsonspan.parse(text, name)
        ours = []
        for event, index in _places(root):
            box = _event(root, event)
            ours.append((event, box.items[index[0]].value.data))
        return sorted(ours, key=repr) == sorted(self.entries, key=repr)

    def remove(self, data: bytes, trace: Trace | None = None) -> bytes:
        """The file without our entries and without the boxes they leave empty."""
        name = str(self.path)
        text = files.decode(data, name)
        filled = trace.filled if trace else ()
        while not blank(text):
            root = jsonspan.parse(text, name)
            places = _places(root)
            if not places:
                break
            text = without(text, _levels(root, *places[0]), filled)
        return text.encode()

    def nothing(self, data: bytes) -> bool:
        """Whether only what we would create anew is left."""
        text = data.decode()
        if blank(text):
            return True
        left = jsonspan.parse(text, str(self.path))
        return left.data in ({}, self.base) and "//" not in text and "/*" not in text


def commands(data: bytes, name: str) -> list[str]:
    """The commands of ours in a settings file, in order."""
    root = jsonspan.parse(files.decode(data, name), name)
    found = []
    for event, index in _places(root):
        value = _event(root, event).items[index[0]].value
        if len(index) > 1:
            value = (value.get("hooks") or value).items[index[1]].value
        found.append(str(dict(_members(value))["command"]))
    return found


def blank(text: str) -> bool:
    """Whether a file holds nothing, as an editor leaves one behind."""
    return not text.strip("\ufeff \t\r\n")


def _places(root: Value) -> list[tuple[str, tuple[int, ...]]]:
    """Where our entries are: event, and index of the group and in the group."""
    found: list[tuple[str, tuple[int, ...]]] = []
    hooks = root.get("hooks")
    for event in hooks.items if hooks is not None else []:
        if not isinstance(event.value.data, list):
            continue
        for at, item in enumerate(event.value.items):
            if _ours(item.value):
                found.append((event.key, (at,)))
            inner = item.value.get("hooks")
            for deep, entry in enumerate(inner.items if inner is not None else []):
                if _ours(entry.value):
                    found.append((event.key, (at, deep)))
    return found


def _ours(value: Value) -> bool:
    command = dict(_members(value)).get("command")
    return isinstance(command, str) and command.startswith(MARK)


def _members(value: Value) -> list[tuple[str, object]]:
    return list(value.data.items()) if isinstance(value.data, dict) else []


def _event(root: Value, event: str) -> Value:
    hooks = root.get("hooks")
    found = hooks.get(event) if hooks is not None else None
    assert found is not None  # _places has just seen it
    return found


def _levels(
    root: Value, event: str, index: tuple[int, ...]
) -> list[tuple[Value, int, str]]:
    """From the file inwards to an entry of ours: each box, the item, the box's name."""
    hooks = root.get("hooks")
    assert hooks is not None  # _places has just seen it
    box = _event(root, event)
    levels = [
        (root, [item.key for item in root.items].index("hooks"), ""),
        (hooks, [item.key for item in hooks.items].index(event), "hooks"),
        (box, index[0], f"hooks.{event}"),
    ]
    if len(index) > 1:
        inner = box.items[index[0]].value.get("hooks")
        assert inner is not None
        levels.append((inner, index[1], ""))
    return levels


def without(
    text: str, levels: list[tuple[Value, int, str]], filled: tuple[str, ...]
) -> str:
    """The text without one item and whatever box only held it.

    A box that was empty before us (`filled`) stays, and so does the file's own.
    """
    levels = list(levels)
    holder, at, name = levels.pop()
    while levels and len(holder.items) == 1 and name not in filled:
        holder, at, name = levels.pop()
    begin, end, comma = jsonspan.cut(text, holder, at)
    text = text[:begin] + text[end:]
    return text if comma < 0 else text[:comma] + text[comma + 1 :]


def expect(value: Value, kind: type, name: str, what: str) -> None:
    """Refuse a file where something is not of the shape it should have."""
    if not isinstance(value.data, kind):
        wanted = "an object" if kind is dict else "a list"
        raise Usage(
            f"{name} cannot be changed safely: {what} is not {wanted}",
            hint="mend the file and run the command again; nothing was changed",
        )
