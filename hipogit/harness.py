"""Taking over a project of the hipocampus npm package, tree and all.

Its daily logs become journals. Its own summaries are kept as what they are: texts that
somebody wrote from those logs, stored with the state of their source, and dropped when
that changes. Placeholders it left for busy days are not taken; ours are complete. The
project's files are only read.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from . import compaction, gate, importer, memory
from .assets import asset
from .counted import counted
from .errors import Refused, Usage
from .importer import Imported, Progress
from .node import Node
from .periods import Day, Month, Week, parse_period
from .record import Record
from .store import Snapshot, Step, Store

HOT = ("SCRATCHPAD.md", "WORKING.md", "TASK-QUEUE.md", "MEMORY.md", "USER.md")
FOLDERS = ("knowledge", "plans", "memory/agents")
_LEVELS = {"daily": Day, "weekly": Week, "monthly": Month}
_LARGEST = 4 * 1024 * 1024

# Its settings and ours; whatever names a model or a program stays with the user.
_SETTINGS = {
    "compaction.rootMaxTokens": "compaction.root_max_tokens",
    "compaction.cooldownHours": "compaction.cooldown_hours",
}


class TakenOver(NamedTuple):
    """How much came in, and what did not with the reason."""

    commits: int
    entries: int
    redactions: int
    skipped: tuple[str, ...]


def harness(
    store: Store,
    project: Path,
    now: datetime,
    progress: Progress = lambda done, of: None,
) -> TakenOver:
    """Import a whole project; running it again adds nothing twice.

    Raises Usage when the folder holds no such memory.
    """
    logs = project / "memory"
    if not logs.is_dir():
        raise Usage(
            f"{project} holds no memory/ folder",
            hint="hipogit import markdown FOLDER for dated files alone",
        )
    days = Imported(0, 0, 0)
    if any(logs.glob("????-??-??*.md")):
        days = importer.markdown(store, logs, now, progress)
    skipped: list[str] = []
    files = _files(store, project, now, skipped)
    nodes = sum(_summaries(store, logs, level, now, skipped) for level in _LEVELS)
    return TakenOver(
        days.commits + files.commits + nodes,
        days.entries,
        days.redactions + files.redactions,
        tuple(skipped),
    )


def _files(store: Store, project: Path, now: datetime, skipped: list[str]) -> Imported:
    found: dict[str, str] = {}
    redactions = 0
    for path in _own_files(project):
        name = path.relative_to(project).as_posix()
        text = _text(path)
        if text is None:
            skipped.append(f"{name}: not a text file of at most 4 MB")
            continue
        cleaned = memory.cleaned(store, text)
        redactions += len(cleaned.findings)
        # The name may be all that holds a secret.
        found[gate.clean_path(name)] = cleaned.text
    settings = _settings(project / "hipocampus.config.json", skipped)

    def decide(snapshot: Snapshot) -> list[Step] | None:
        changes: dict[str, str | None] = {}
        for name, text in found.items():
            here = snapshot.read(name)
            if here is None or here == _template(name):
                changes[name] = text
            elif here != text:
                skipped.append(f"{name}: memory has its own already")
        shared = snapshot.read("hipogit.toml") or ""
        if (changed := _with_settings(shared, settings)) != shared:
            changes["hipogit.toml"] = changed
        changes = {k: v for k, v in changes.items() if v != snapshot.read(k)}
        if not changes:
            return None
        record = Record(
            "import",
            f"{counted(len(changes), 'file')} from {project.name}",
            source="import",
            actor=memory.person(store.git),
            redactions=redactions,
        )
        return [Step(changes, record)]

    written = memory.write(store, decide, now)
    return Imported(int(written is not None), 0, redactions if written else 0)


def _summaries(
    store: Store, logs: Path, level: str, now: datetime, skipped: list[str]
) -> int:
    from .tree.replacing import stored

    def decide(snapshot: Snapshot) -> list[Step] | None:
        settings = compaction.settings(store.config(snapshot))
        changes: dict[str, str | None] = {}
        for label, text in _nodes(logs / level, level):
            ours = Node.parse(snapshot.read(f"memory/{level}/{label}.md") or "")
            if ours is None or ours.stored:
                continue
            if ours.summary == "verbatim":
                # Nothing was left out of ours, so a summary could only say less.
                continue
            try:
                path, file = stored(
                    snapshot,
                    label,
                    memory.cleaned(store, text).text,
                    settings,
                    by="import",
                )
            except Refused as problem:
                skipped.append(f"{level}/{label}: {problem.sentence}")
                continue
            changes[path] = file
        if not changes:
            return None
        subject = f"{level}: {counted(len(changes), 'summary')}"
        return [Step(changes, Record("import", subject, source="import"))]

    return int(memory.write(store, decide, now) is not None)


def _nodes(folder: Path, level: str) -> list[tuple[str, str]]:
    found = []
    for path in sorted(folder.glob("*.md")) if folder.is_dir() else []:
        text = _text(path)
        if not isinstance(parse_period(path.stem), _LEVELS[level]) or text is None:
            continue
        head, body = _split(text)
        # Only its own front matter says that a node is a placeholder; the same words
        # in its text are somebody's.
        if re.search(r"(?m)^needs-summarization:\s*true\s*$", head):
            continue
        if body.strip():
            found.append((path.stem, body))
    return found


def _split(text: str) -> tuple[str, str]:
    match = re.match(r"---\n(.*?)\n---\n", text, re.DOTALL)
    return (match[1], text[match.end() :]) if match else ("", text)


def _own_files(project: Path) -> list[Path]:
    found = [project / name for name in HOT if (project / name).is_file()]
    for folder in FOLDERS:
        found += sorted(
            path
            for path in (project / folder).rglob("*.md")
            if path.is_file() and not path.is_symlink()
        )
    return found


def _settings(path: Path, skipped: list[str]) -> dict[str, int]:
    if not path.is_file():
        return {}
    try:
        raw = json.loads(path.read_text("utf-8-sig"))
    except (OSError, ValueError) as problem:
        skipped.append(f"{path.name}: {problem}")
        return {}
    found: dict[str, int] = {}
    for theirs, ours in _SETTINGS.items():
        section, _, key = theirs.partition(".")
        table = raw.get(section) if isinstance(raw, dict) else None
        value = table.get(key) if isinstance(table, dict) else None
        if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
            found[ours] = value
    return found


def _with_settings(text: str, settings: Mapping[str, int]) -> str:
    """The shared settings with these set, every other line as it stands."""
    for key, value in settings.items():
        section, _, name = key.partition(".")
        line = f"{name} = {value}"
        known = re.compile(rf"(?m)^#?[ \t]*{name}[ \t]*=.*$")
        if known.search(text):
            text = known.sub(line, text, count=1)
        elif f"[{section}]\n" in text:
            text = text.replace(f"[{section}]\n", f"[{section}]\n{line}\n", 1)
        else:
            text = f"{text.rstrip()}\n\n[{section}]\n{line}\n".lstrip("\n")
    return text


def _template(name: str) -> str | None:
    if name not in HOT[:3]:
        return None
    return asset("templates", f"branch/{name}").read_text("utf-8")


def _text(path: Path) -> str | None:
    try:
        if path.stat().st_size > _LARGEST:
            return None
        return path.read_bytes().decode("utf-8-sig")
    except (OSError, UnicodeDecodeError):
        return None
