"""JSON for hooks: what `json` does, without the regular expressions it imports first.

A hook runs at every turn of an agent, and importing `json` costs it as much as the
interpreter. The scanner in C that `json` itself uses is asked directly; where an
interpreter has none, `json` does the work.
"""

from __future__ import annotations

try:
    import _json as fast
except ImportError:  # an interpreter without CPython's accelerator
    fast = None  # type: ignore[assignment]

_BLANK = " \t\n\r"


class _Rules:
    """How the scanner builds values: as `json.loads` does."""

    strict = True
    object_hook = None
    object_pairs_hook = None
    parse_float = float
    parse_int = int

    @staticmethod
    def parse_constant(name: str) -> float:
        return float(name.replace("Infinity", "inf"))


def load(text: str) -> object:
    """The value of a JSON text. Raises ValueError for anything else."""
    if fast is None:
        import json

        return json.loads(text)
    begin = len(text) - len(text.lstrip(_BLANK))
    try:
        scan = fast.make_scanner(_Rules)  # type: ignore[arg-type]
        value, end = scan(text, begin)
    except (StopIteration, SystemError):
        # It raises an error of `json` that it finds only once that is imported.
        raise ValueError("no JSON value") from None
    if text[end:].strip(_BLANK):
        raise ValueError("more than one JSON value")
    return value


def dump(value: object) -> str:
    """The JSON text of texts, numbers, flags, None, and lists and dicts of them."""
    if fast is None:
        import json

        return json.dumps(value)
    if value is None or value is True or value is False:
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, str):
        return fast.encode_basestring_ascii(value)
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, dict):
        pairs = (f"{dump(str(key))}: {dump(below)}" for key, below in value.items())
        return "{" + ", ".join(pairs) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(dump, value)) + "]"
    raise TypeError(f"{type(value).__name__} is no JSON value")
