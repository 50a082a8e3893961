"""Our block in somebody's text file, between two markers."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from hipogit.errors import Usage
from hipogit.platforms import files
from hipogit.platforms.edits import Made, Trace, undone

# As comments of Markdown, and of git's lists of patterns.
MARKDOWN = ("<!-- hipogit:start -->", "<!-- hipogit:end -->")
PATTERNS = ("# hipogit:start", "# hipogit:end")


@dataclass(frozen=True, slots=True)
class Block:
    """A marked block with this text; replaced in place, appended when absent."""

    path: Path
    text: str
    marks: tuple[str, str] = MARKDOWN

    def install(self, old: bytes | None) -> Made:
        """The file with the block at its end, one blank line before it."""
        text = files.decode(old or b"", str(self.path))
        if _find(text, self.path, self.marks):
            return self.renew(text.encode())
        newline = _newline(text)
        block = _block(self.text, newline, self.marks)
        if not text.strip("\ufeff"):
            lead = ""
        elif text.endswith("\n"):
            lead = newline
        else:
            lead = newline * 2
        piece = lead + block
        return Made((text + piece).encode(), ((len(text), piece),))

    def renew(self, data: bytes, trace: Trace | None = None) -> Made:
        """The file with the block put right where it stands, or appended."""
        text = files.decode(data, str(self.path))
        found = _find(text, self.path, self.marks)
        if not found:
            return self.install(data)
        begin, end = found
        block = _block(self.text, _newline(text), self.marks).rstrip("\r\n")
        return Made((text[:begin] + block + text[end:]).encode(), ())

    def intact(self, data: bytes) -> bool:
        """Whether the block says exactly what it should."""
        text = files.decode(data, str(self.path))
        found = _find(text, self.path, self.marks)
        if not found:
            return False
        begin, end = found
        return text[begin:end] == _block(self.text, _newline(text), self.marks).rstrip(
            "\r\n"
        )

    def remove(self, data: bytes, trace: Trace | None = None) -> bytes:
        """The file without the block and without one blank line before it."""
        text = files.decode(data, str(self.path))
        found = _find(text, self.path, self.marks)
        if not found:
            return data
        begin, end = found
        if trace and trace.spans:
            # Often only the block's own text has changed; then the rest is as it was.
            piece = trace.spans[0][1].strip("\r\n")
            before = undone((text[:begin] + piece + text[end:]).encode(), trace)
            if before is not None:
                return before
        newline = _newline(text)
        if text.startswith(newline, end):
            end += len(newline)
        if text[:begin].endswith(newline * 2) or text[:begin] == newline:
            begin -= len(newline)
        return (text[:begin] + text[end:]).encode()

    def nothing(self, data: bytes) -> bool:
        """Whether the file is empty without it."""
        return not data.strip(b"\xef\xbb\xbf \t\r\n")


def content(text: str, path: Path) -> str | None:
    """What stands between the markers; None without a block."""
    found = _find(text, path, MARKDOWN)
    if not found:
        return None
    start, end = MARKDOWN
    return text[found[0] + len(start) : found[1] - len(end)].strip("\r\n")


def _block(inner: str, newline: str, marks: tuple[str, str]) -> str:
    lines = [marks[0], *inner.strip("\n").split("\n"), marks[1], ""]
    return newline.join(lines)


def _newline(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"


def _find(text: str, path: Path, marks: tuple[str, str]) -> tuple[int, int] | None:
    """Where the block begins and ends; refused when the markers do not make a pair."""
    start, stop = marks
    counts = text.count(start), text.count(stop)
    if counts == (0, 0):
        return None
    begin, end = text.find(start), text.find(stop)
    if counts != (1, 1) or end < begin:
        raise Usage(
            f"{path} holds {counts[0]} `{start}` and {counts[1]} `{stop}`",
            hint="take the stray marker out and run the command again",
        )
    return begin, end + len(stop)
