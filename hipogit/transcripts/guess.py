"""Which platform wrote a transcript, told from its first rows."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from ..errors import Usage
from .fields import loads
from .reading import unreadable

_HEAD = 256 * 1024
_ROWS = 40


def platform_of(path: Path) -> str:
    """The platform whose form the file has. Raises Usage when it has none we know."""
    try:
        with path.open("rb") as file:
            head = file.read(_HEAD)
    except OSError as error:
        raise unreadable(path, error) from error
    if path.name.endswith(".jsonl.zst"):
        return "codex"
    found = _of_rows(head) or _of_document(head)
    if not found:
        raise Usage(
            f"{path} is no transcript of an agent that hipogit knows",
            hint=f"hipogit capture {path} --platform NAME",
        )
    return found


def _of_rows(head: bytes) -> str:
    for line in head.split(b"\n")[:_ROWS]:
        try:
            row = loads(line.decode("utf-8", "replace"))
        except ValueError:
            continue
        if isinstance(row, dict) and (found := _of_row(row)):
            return found
    return ""


def _of_row(row: Mapping[str, object]) -> str:
    kind = row.get("type")
    if "projectHash" in row or "$set" in row or "$rewindTo" in row:
        return "gemini"
    if kind == "session" and "version" in row:
        return "openclaw"
    if "payload" in row or "record_type" in row or "instructions" in row:
        return "codex"
    if "uuid" in row or ("sessionId" in row and kind):
        return "claude-code"
    return ""


def _of_document(head: bytes) -> str:
    start = head.lstrip(b"\xef\xbb\xbf \t\r\n")[:4096]
    if not start.startswith(b"{"):
        return ""
    if b'"projectHash"' in start:
        return "gemini"
    return "opencode" if b'"info"' in start or b'"messages"' in start else ""
