"""Settings: what they are, where they may come from, what holds.

Three files, later ones win: `hipogit.toml` on the memory branch (shared), the user's
`~/.config/hipogit/config.toml`, and `<common git dir>/hipogit/config.toml` (this
clone). Keys that name a program, a path, a URL or a remote, or that switch the gate or
capture off, never come from the branch: whoever can push to it could run programs.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from .errors import Usage

Value = str | int | bool | list[str]


class Setting(NamedTuple):
    """One key: its default, whether the branch may set it, and what it does."""

    default: Value
    shared: bool
    help: str


SETTINGS: dict[str, Setting] = {
    "capture": Setting("full", False, "off, decisions or full: what hooks write"),
    "platforms": Setting([], False, "agents this clone was set up for"),
    "remote": Setting("", False, "the one remote memory may be published to"),
    "sign": Setting(False, False, "sign memory commits with your git signing key"),
    "gate.allow": Setting([], True, "fingerprints that are no secrets"),
    "gate.salt": Setting("", True, "salt of the fingerprints of this branch"),
    "compaction.root_max_tokens": Setting(3000, True, "size of ROOT, 4 bytes each"),
    "compaction.cooldown_hours": Setting(3, True, "least time between model calls"),
    "compaction.cooldown_lines": Setting(300, True, "raw lines that end it early"),
    "compaction.cooldown_checkpoints": Setting(5, True, "checkpoints that end it"),
    "compaction.daily_lines": Setting(200, True, "above: a summary of the day"),
    "compaction.weekly_lines": Setting(300, True, "above: a summary of the week"),
    "compaction.monthly_lines": Setting(500, True, "above: a summary of the month"),
    "compaction.chunk_size": Setting(20, True, "entries in a leaf of a busy day"),
    "compaction.fanout": Setting(5, True, "leaves that stand uncondensed"),
    "compaction.max_depth": Setting(4, True, "how many levels of summaries"),
    "compaction.token_budget": Setting(8000, True, "tokens of an assembled context"),
    "summarizer.command": Setting("", False, "program: prompt in, Markdown out"),
    "summarizer.timeout": Setting(120, False, "seconds it may take"),
    "search.engine": Setting("keyword", True, "keyword, semantic or qmd"),
    "search.index": Setting(True, False, "keep a search index in this clone"),
    "search.model": Setting("", False, "folder of an embedding model"),
    "hot.scratchpad_lines": Setting(150, True, "size SCRATCHPAD.md should keep"),
    "hot.working_lines": Setting(100, True, "size WORKING.md should keep"),
    "hot.task_queue_lines": Setting(50, True, "size TASK-QUEUE.md should keep"),
}


class Given(NamedTuple):
    """The value that holds for a key and the file it came from."""

    key: str
    value: Value
    source: str


@dataclass(frozen=True, slots=True)
class Config:
    """The settings that hold, and what was set but not followed."""

    given: Mapping[str, Given]
    ignored: tuple[str, ...] = ()

    def text(self, key: str) -> str:
        """A setting that is text."""
        return str(self.given[key].value)

    def number(self, key: str) -> int:
        """A setting that is a whole number."""
        return int(str(self.given[key].value))

    def flag(self, key: str) -> bool:
        """A setting that is true or false."""
        return bool(self.given[key].value)

    def words(self, key: str) -> list[str]:
        """A setting that is a list of texts."""
        value = self.given[key].value
        return list(value) if isinstance(value, list) else []


def load(local: Path, shared: str = "") -> Config:
    """The settings of a clone whose `<common>/hipogit` folder is `local`.

    `shared` is the text of the branch's hipogit.toml. A broken shared file is ignored
    and named (anyone may push one); a broken file of the user's raises Usage.
    """
    given = {
        key: Given(key, setting.default, "default") for key, setting in SETTINGS.items()
    }
    ignored: list[str] = []
    if shared.strip():
        try:
            _merge(given, ignored, _parsed(shared), "hipogit.toml", shared=True)
        except Usage as problem:
            ignored.append(f"hipogit.toml: {problem.sentence}")
    for path in (_user_file(), local / "config.toml"):
        if text := _read(path):
            try:
                _merge(given, ignored, _parsed(text), str(path), shared=False)
            except Usage as problem:
                raise Usage(f"{path}: {problem.sentence}", hint="mend it") from None
    return Config(given, tuple(ignored))


def save(local: Path, changes: Mapping[str, Value | None]) -> None:
    """Set keys of this clone (None removes one), keeping those that stand there."""
    path = local / "config.toml"
    flat = _parsed(_read(path))
    for key, value in changes.items():
        if value is None:
            flat.pop(key, None)
        else:
            _check(key, value)
            flat[key] = value
    lines = [f"{key} = {_toml(value)}" for key, value in sorted(flat.items())]
    path.write_text("".join(line + "\n" for line in lines), encoding="utf-8")


def _user_file() -> Path:
    home = os.environ.get("XDG_CONFIG_HOME") or Path("~/.config").expanduser()
    return Path(home) / "hipogit" / "config.toml"


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (FileNotFoundError, NotADirectoryError):
        return ""
    except (OSError, UnicodeDecodeError) as problem:
        raise Usage(f"{path} cannot be read: {problem}") from None


def _parsed(text: str) -> dict[str, Any]:
    import tomllib

    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as problem:
        raise Usage(f"not valid TOML: {problem}") from None
    return dict(_flat(table))


def _flat(table: Mapping[str, Any], prefix: str = "") -> list[tuple[str, Any]]:
    pairs = []
    for key, value in table.items():
        if isinstance(value, dict):
            pairs += _flat(value, f"{prefix}{key}.")
        else:
            pairs.append((prefix + key, value))
    return pairs


def _merge(
    given: dict[str, Given],
    ignored: list[str],
    flat: Mapping[str, Any],
    source: str,
    *,
    shared: bool,
) -> None:
    for key, value in flat.items():
        if key not in SETTINGS:
            ignored.append(f"{source}: there is no setting {key}")
        elif shared and not SETTINGS[key].shared:
            ignored.append(f"{source}: {key} is not read from the branch")
        else:
            try:
                _check(key, value)
            except Usage as problem:
                if not shared:
                    raise
                ignored.append(f"{source}: {problem.sentence}")
                continue
            given[key] = Given(key, value, source)


_CHOICES = {
    "capture": ("off", "decisions", "full"),
    "search.engine": ("keyword", "semantic", "qmd"),
}


def _check(key: str, value: object) -> None:
    if key not in SETTINGS:
        raise Usage(f"there is no setting {key}", hint="hipogit config")
    wanted = type(SETTINGS[key].default)
    if type(value) is not wanted:
        raise Usage(f"{key} takes {_kind(wanted)}, not {value!r}")
    if key in _CHOICES and value not in _CHOICES[key]:
        raise Usage(f"{key} is one of {', '.join(_CHOICES[key])}, not {value!r}")
    if isinstance(value, int) and value < 0:
        raise Usage(f"{key} cannot be negative")
    if isinstance(value, list) and not all(isinstance(item, str) for item in value):
        raise Usage(f"{key} takes a list of texts")


def _kind(wanted: type) -> str:
    names = {str: "a text", int: "a whole number", bool: "true or false"}
    return names.get(wanted, "a list of texts")


def _toml(value: Value) -> str:
    import json

    # A JSON string is a TOML basic string: same escapes, same quotes.
    if isinstance(value, list):
        return "[" + ", ".join(map(_toml, value)) + "]"
    # TOML knows no escapes of surrogate pairs, so text outside ASCII stays as it is.
    return json.dumps(value, ensure_ascii=False)
