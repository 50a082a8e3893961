"""Our MCP server in a host's settings, put in and taken out to the byte.

It stands under its name in the box that the host reads servers from. One that somebody
else put there under that name is theirs: it is neither changed nor taken out.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hipogit.errors import Usage
from hipogit.platforms import files, jsonspan
from hipogit.platforms.blockfile import PATTERNS, Block
from hipogit.platforms.edits import Edit, Made, Span, Trace
from hipogit.platforms.jsonfile import blank, expect, inserted, without
from hipogit.platforms.jsonspan import Value

NAME = "hipogit"
COMMAND: dict[str, object] = {"command": "hipogit", "args": ["mcp"]}


@dataclass(frozen=True, slots=True)
class ServerFile:
    """The server in a JSON file, in the box that these keys lead to."""

    path: Path
    box: tuple[str, ...]
    value: Mapping[str, object]

    def install(self, old: bytes | None) -> Made:
        """The file with the server behind everybody else's."""
        return inserted(self.path, old, self._into)

    def _into(self, text: str, name: str) -> tuple[str, list[Span], list[str]]:
        at = jsonspan.parse(text, name)
        expect(at, dict, name, "the file")
        filled = [".".join((*self.box, NAME))]
        for depth, key in enumerate(self.box):
            inner = at.get(key)
            if inner is None:
                value: object = {NAME: dict(self.value)}
                for outer in reversed(self.box[depth + 1 :]):
                    value = {outer: value}
                spans = jsonspan.inserted(text, at, [(key, value)])
                return (*jsonspan.apply(text, spans), filled)
            expect(inner, dict, name, ".".join(self.box[: depth + 1]))
            if not inner.items:
                filled.append(".".join(self.box[: depth + 1]))
            at = inner
        if at.get(NAME) is not None:
            raise _taken(self.path)
        spans = jsonspan.inserted(text, at, [(NAME, dict(self.value))])
        return (*jsonspan.apply(text, spans), filled)

    def renew(self, data: bytes, trace: Trace | None = None) -> Made:
        """The file with our server put right."""
        return self.install(self.remove(data, trace))

    def intact(self, data: bytes) -> bool:
        """Whether the server stands there as it should be."""
        text = files.decode(data, str(self.path))
        if blank(text):
            return False
        levels = self._levels(jsonspan.parse(text, str(self.path)))
        if not levels:
            return False
        box, at, _ = levels[-1]
        return box.items[at].value.data == dict(self.value)

    def remove(self, data: bytes, trace: Trace | None = None) -> bytes:
        """The file without the server that we put there, and the boxes it filled."""
        filled = trace.filled if trace else ()
        if ".".join((*self.box, NAME)) not in filled:
            return data
        text = files.decode(data, str(self.path))
        if blank(text):
            return data
        levels = self._levels(jsonspan.parse(text, str(self.path)))
        return without(text, levels, filled).encode() if levels else data

    def nothing(self, data: bytes) -> bool:
        """Whether only what we would create anew is left."""
        text = data.decode()
        if blank(text):
            return True
        left = jsonspan.parse(text, str(self.path))
        return left.data == {} and "//" not in text and "/*" not in text

    def _levels(self, root: Value) -> list[tuple[Value, int, str]]:
        """From the file inwards: each box, the item that leads on, the box's name."""
        found: list[tuple[Value, int, str]] = []
        at = root
        for depth, key in enumerate((*self.box, NAME)):
            keys = [item.key for item in at.items]
            if not isinstance(at.data, dict) or key not in keys:
                return []
            found.append((at, keys.index(key), ".".join(self.box[:depth])))
            at = at.items[keys.index(key)].value
        return found


class TomlServer(Block):
    """The server as a table at the end of Codex's config.toml, in a marked block."""

    __slots__ = ()

    @classmethod
    def at(cls, path: Path) -> TomlServer:
        """The table for that file."""
        return cls(path, _TABLE, PATTERNS)

    def install(self, old: bytes | None) -> Made:
        """The file with the table; refused where it would not mean what it should."""
        return self._checked(old, Block.install(self, old))

    def renew(self, data: bytes, trace: Trace | None = None) -> Made:
        """The file with the table put right."""
        return self._checked(data, Block.renew(self, data, trace))

    def intact(self, data: bytes) -> bool:
        """Whether Codex finds the server there, whoever wrote it."""
        return _servers(self._read(data)).get(NAME) == COMMAND

    def _checked(self, old: bytes | None, made: Made) -> Made:
        before = self._read(self.remove(old or b""))
        if NAME in _servers(before):
            raise _taken(self.path)
        after = self._read(made.data)
        ours = _servers(after).pop(NAME, None)
        if "mcp_servers" not in before and not _servers(after):
            after.pop("mcp_servers", None)
        if ours != COMMAND or after != before:
            raise self._unsafe("a table at its end would not be one of its own")
        return made

    def _read(self, data: bytes) -> dict[str, Any]:
        try:
            return tomllib.loads(data.decode())
        except ValueError:
            raise self._unsafe("it is not TOML, or would not be any more") from None

    def _unsafe(self, why: str) -> Usage:
        return Usage(
            f"{self.path} cannot be changed safely: {why}",
            hint=f"codex mcp add {NAME} -- hipogit mcp",
        )


_TABLE = f'[mcp_servers.{NAME}]\ncommand = "hipogit"\nargs = ["mcp"]'


@dataclass(frozen=True, slots=True)
class Together:
    """Several edits of one file as one."""

    path: Path
    edits: tuple[Edit, ...]

    def install(self, old: bytes | None) -> Made:
        """The file with all of them in it; what stands there already is left."""
        made = self.edits[0].install(old)
        for edit in self.edits[1:]:
            if not edit.intact(made.data):
                made = _joined(made, edit.install(made.data))
        return made

    def renew(self, data: bytes, trace: Trace | None = None) -> Made | None:
        """The file with all of them put right."""
        return self.install(self.remove(data, trace))

    def intact(self, data: bytes) -> bool:
        """Whether all of them stand there."""
        return all(edit.intact(data) for edit in self.edits)

    def remove(self, data: bytes, trace: Trace | None = None) -> bytes:
        """The file without any of them."""
        for edit in reversed(self.edits):
            data = edit.remove(data, trace)
        return data

    def nothing(self, data: bytes) -> bool:
        """Whether only what the first would create anew is left."""
        return self.edits[0].nothing(data)


def _joined(first: Made, then: Made) -> Made:
    """Both insertions as insertions into what was there before the first."""
    ours = [False] * len(first.data.decode())
    for at, piece in first.spans:
        ours[at : at + len(piece)] = [True] * len(piece)
    # Ascending: each place counts what was put in before it.
    for at, piece in sorted(then.spans):
        ours[at:at] = [True] * len(piece)
    text = then.data.decode()
    spans: list[Span] = []
    start = -1
    for at, mine in enumerate([*ours, False]):
        if mine and start < 0:
            start = at
        elif not mine and start >= 0:
            spans.append((start, text[start:at]))
            start = -1
    return Made(then.data, tuple(spans), (*first.filled, *then.filled))


def _servers(config: dict[str, Any]) -> dict[str, Any]:
    found = config.get("mcp_servers")
    return found if isinstance(found, dict) else {}


def _taken(path: Path) -> Usage:
    return Usage(
        f"{path} has another server called {NAME}",
        hint="take it out and run the command again; nothing was changed",
    )
