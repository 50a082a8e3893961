"""Every pattern of the package, the methods it is asked by, and what costs it most.

The texts come from the pattern: each of its repeats pumped up, its beginning said over
and over, and an end that lets the match fail.
"""

from __future__ import annotations

import ast
import builtins
import importlib
import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from re import _constants as code
from re import _parser as parser
from typing import Any, NamedTuple

from hipogit.gate import vendors
from hipogit.gate.lazy import Lazy
from hipogit.gate.rules import RULES

PACKAGE = Path(__file__).parent.parent / "hipogit"
METHODS = ("search", "match", "fullmatch", "findall", "finditer", "sub", "split")
# How a pattern is asked that is handed on in a table: at one place or everywhere.
_HANDED_ON = frozenset({"match", "finditer"})


class Pattern(NamedTuple):
    """A pattern with the place it is written at and the methods it is asked by."""

    name: str
    source: str | bytes
    flags: int
    methods: frozenset[str]


@cache
def every_pattern() -> list[Pattern]:
    """The patterns of all modules: with a name, in a table, and within a function."""
    found: dict[tuple[str | bytes, int], Pattern] = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        if "_data" in path.parts or path.name == "__main__.py":
            continue
        for new in _of_module(path):
            known = found.setdefault((new.source, new.flags), new)
            methods = known.methods | new.methods
            found[new.source, new.flags] = known._replace(methods=methods)
    return [*found.values(), *_of_the_tables()]


def _of_module(path: Path) -> Iterator[Pattern]:
    where = path.relative_to(PACKAGE.parent).as_posix()
    module = importlib.import_module(
        where.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    )
    tree = ast.parse(path.read_text("utf-8"))
    asked = defaultdict(set)
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr in METHODS:
            name = getattr(node.value, "id", None) or getattr(node.value, "attr", "")
            asked[name].add(node.attr)
    for name, value in vars(module).items():
        alone = isinstance(value, re.Pattern | Lazy)
        for source, flags in _within(value):
            methods = frozenset(asked[name] if alone else _HANDED_ON)
            yield Pattern(f"{where} {name}", source, flags, methods)
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef):
            yield from _of_function(function, where, vars(module))


def _within(value: object) -> Iterator[tuple[str | bytes, int]]:
    if isinstance(value, re.Pattern):
        yield value.pattern, value.flags
    elif isinstance(value, Lazy):
        yield value.source, re.compile(value.source, value.flags).flags
    elif isinstance(value, dict):
        yield from _within(tuple(value.values()))
    elif isinstance(value, list | tuple | set | frozenset):
        for part in value:
            yield from _within(part)
    elif type(value).__module__.startswith("hipogit.") and not callable(value):
        for slot in getattr(type(value), "__slots__", ()):
            yield from _within(getattr(value, slot, None))


def _of_function(
    function: ast.FunctionDef, where: str, names: dict[str, Any]
) -> Iterator[Pattern]:
    """What a function hands to `re`; names of its own stand for a word."""
    for call in ast.walk(function):
        if not isinstance(call, ast.Call) or not call.args:
            continue
        match call.func:
            case ast.Attribute(value=ast.Name(id="re"), attr=method):
                pass
            case _:
                continue
        if method not in (*METHODS, "compile"):
            continue
        if any(getattr(name, "id", "") == "self" for name in ast.walk(call.args[0])):
            continue  # `Lazy` and `Rule` compile what others hand them
        at = {"compile": 1, "sub": 4, "split": 3}.get(method, 2)
        given = [word.value for word in call.keywords if word.arg == "flags"]
        flags = [*given, *call.args[at:]][:1]
        source = _value(call.args[0], names)
        compiled = re.compile(source, _value(flags[0], names) if flags else 0)
        methods = frozenset({method}) if method in METHODS else _HANDED_ON
        yield Pattern(f"{where}:{call.lineno}", source, compiled.flags, methods)


def _value(node: ast.expr, names: dict[str, Any]) -> Any:
    free = {name.id for name in ast.walk(node) if isinstance(name, ast.Name)}
    local = dict.fromkeys(free - names.keys() - vars(builtins).keys(), "word")
    return eval(compile(ast.Expression(node), "", "eval"), {**names, **local})


def _of_the_tables() -> Iterator[Pattern]:
    """Patterns that are kept as text until they are needed."""
    for rule in RULES:
        # Where it may begin earlier it is searched for, in 400 characters and no more.
        yield Pattern(f"rule {rule.id}", rule.pattern, re.UNICODE, frozenset({"match"}))
    for _, shape, rule in vendors._TABLE:
        yield Pattern(f"vendor {rule}", shape, re.UNICODE, frozenset({"fullmatch"}))


_REPEATS = (code.MAX_REPEAT, code.MIN_REPEAT, code.POSSESSIVE_REPEAT)
_CATEGORIES = {
    code.CATEGORY_DIGIT: "0",
    code.CATEGORY_SPACE: " \t\n",
    code.CATEGORY_WORD: "a0_A",
    code.CATEGORY_NOT_DIGIT: "a -",
    code.CATEGORY_NOT_SPACE: 'a0"-',
    code.CATEGORY_NOT_WORD: ' "-.',
}
_FILLS = "a0A -.=\"\\\n\t_:/'`<[("


class Shape(NamedTuple):
    """A text of any size: a beginning, what is said over and over, and an end."""

    begin: str
    unit: str
    end: str

    def text(self, size: int) -> str:
        """The text, of about this size."""
        return self.begin + self.unit * (size // len(self.unit)) + self.end


def hostile(pattern: Pattern) -> list[Shape]:
    """Shapes of text that a pattern has most work with."""
    tree = parser.parse(pattern.source, pattern.flags)
    found = [Shape("", fill, "") for fill in _FILLS]
    for fill in _FILLS:
        for repeat in _repeats(tree):
            for more in (0, 2):
                begin, unit, end = _Sample(fill, more, repeat).shape(tree)
                # It ends too early, with too much, or where only a part can match.
                found += [Shape(begin, unit, end) for end in ("", end, "!", "\n~")]
                found += [Shape("", begin + after, "") for after in ("", unit, "\n")]
    return [shape for shape in dict.fromkeys(found) if shape.unit]


def _parts(what: Any, part: Any) -> list[parser.SubPattern]:
    """The patterns that one item of a pattern consists of."""
    if what in _REPEATS:
        return [part[2]]
    if what is code.BRANCH:
        return list(part[1])
    if what is code.SUBPATTERN:
        return [part[3]]
    if what is code.ASSERT:
        return [part[1]]
    return [part] if what is code.ATOMIC_GROUP else []


def _repeats(tree: parser.SubPattern) -> Iterator[parser.SubPattern]:
    """What a pattern repeats."""
    for what, part in tree:
        for inner in _parts(what, part):
            if what in _REPEATS:
                yield inner
            yield from _repeats(inner)


class _Sample:
    """A text that matches, cut where it says one repeat of the pattern."""

    def __init__(self, fill: str, more: int, repeat: parser.SubPattern) -> None:
        self._fill = fill  # the character to take wherever it may stand
        self._more = more  # how often other repeats are said at least, if they may
        self._repeat = repeat
        self._out = [""]

    def shape(self, tree: parser.SubPattern) -> tuple[str, str, str]:
        """What stands before the repeat, what is repeated, and what comes after it."""
        self._say(tree)
        begin, unit, end = self._out
        return begin, unit, end

    def _say(self, tree: parser.SubPattern) -> None:
        for what, part in tree:
            if what is code.LITERAL:
                self._out[-1] += chr(part)
            elif what is code.NOT_LITERAL:
                self._out[-1] += self._other(chr(part))
            elif what is code.ANY:
                self._out[-1] += self._other("\n")
            elif what is code.IN:
                self._out[-1] += self._one_of(part)
            elif inner := _parts(what, part):
                ours = (one for one in inner if self._repeat in (one, *_repeats(one)))
                times = 1
                if what in _REPEATS:
                    times = max(part[0], min(part[1], self._more))
                self._say_part(next(ours, inner[0]), times)

    def _say_part(self, part: parser.SubPattern, times: int) -> None:
        if part is self._repeat:
            self._out.append("")
            self._say(part)
            self._out.append("")
        elif len(self._out) == 3 or self._repeat not in _repeats(part):
            for _ in range(times):
                self._say(part)
        else:
            self._say(part)

    def _one_of(self, items: list[tuple[Any, Any]]) -> str:
        chars = ""
        for what, part in items:
            if what is code.LITERAL:
                chars += chr(part)
            elif what is code.RANGE:
                chars += "".join(c for c in _FILLS if part[0] <= ord(c) <= part[1])
                chars += chr(part[0])
            elif what is code.CATEGORY:
                chars += _CATEGORIES[part]
        if items[0][0] is code.NEGATE:
            return self._other(chars)
        return self._fill if self._fill in chars else chars[0]

    def _other(self, chars: str) -> str:
        return next(c for c in self._fill + _FILLS + "\xe9" if c not in chars)
