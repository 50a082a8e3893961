"""What installs did to this project's files, kept beside the git directory."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from pathlib import Path

from hipogit.platforms import files
from hipogit.platforms.edits import Trace


@dataclass(slots=True)
class Record:
    """The platforms installed (with whether for the team), and what was touched.

    `servers` are those that have the MCP server as well.
    `folders` are those that had to be made; they go with the last file in them.
    """

    platforms: dict[str, bool] = field(default_factory=dict)
    traces: dict[str, Trace] = field(default_factory=dict)
    folders: set[str] = field(default_factory=set)
    servers: set[str] = field(default_factory=set)


def load(path: Path) -> Record:
    """The record at that path; an empty one when there is none or it is broken."""
    data = files.read(path)
    if data is None:
        return Record()
    try:
        found = json.loads(data)
        traces = [
            Trace(
                key=row["key"],
                digest=row["digest"],
                created=row["created"],
                spans=tuple((at, piece) for at, piece in row["spans"]),
                filled=tuple(row["filled"]),
            )
            for row in found["files"]
        ]
        platforms = {str(k): bool(v) for k, v in found["platforms"].items()}
        folders = {str(folder) for folder in found["folders"]}
        servers = {str(name) for name in found.get("servers", [])}
    except (ValueError, KeyError, TypeError, AttributeError):
        # What is ours is still found by its mark; only odd blanks may be left over.
        return Record()
    return Record(platforms, {trace.key: trace for trace in traces}, folders, servers)


def save(path: Path, record: Record) -> None:
    """Write it when it says anything new; an empty record is no file."""
    if not record.platforms and not record.traces:
        path.unlink(missing_ok=True)
        return
    rows = [asdict(record.traces[key]) for key in sorted(record.traces)]
    whole = {
        "platforms": dict(sorted(record.platforms.items())),
        "files": rows,
        "folders": sorted(record.folders),
        "servers": sorted(record.servers),
    }
    data = (json.dumps(whole, indent=1) + "\n").encode()
    if files.read(path) != data:
        files.write(path, data)
