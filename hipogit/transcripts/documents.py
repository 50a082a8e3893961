"""Transcripts that are one JSON document: their messages, one at a time.

The document is never held whole: of `{…, "messages": [ … ], …}` each message is
decoded by itself, so memory is bounded by the longest one.
"""

from __future__ import annotations

import codecs
import json
from collections.abc import Callable, Mapping
from typing import BinaryIO

from ..errors import Refused
from .fields import mapping
from .lines import LONGEST

_CHUNK = 256 * 1024
_BLANK = " \t\r\n"

Header = Callable[[Mapping[str, object]], None]
Message = Callable[[Mapping[str, object]], None]


def read_messages(file: BinaryIO, name: str, header: Header, message: Message) -> None:
    """Hand over each message; `header` gets each other key with its value.

    Raises Refused for a document that is cut off or none at all.
    """
    text = _Text(file, name)
    text.take("{")
    if text.peek() == "}":
        return
    while True:
        key = text.value()
        text.take(":")
        if key == "messages" and text.peek() == "[":
            text.take("[")
            more = text.peek() != "]"
            while more:
                message(mapping(text.value()))
                more = text.peek() == ","
                if more:
                    text.take(",")
            text.take("]")
        else:
            header({str(key): text.value()})
        if text.peek() != ",":
            break
        text.take(",")
    text.take("}")


class _Text:
    """A window on the document's text that moves forward."""

    def __init__(self, file: BinaryIO, name: str) -> None:
        self.file = file
        self.name = name
        self.decoder = codecs.getincrementaldecoder("utf-8-sig")("replace")
        self.json = json.JSONDecoder()
        self.window = ""
        self.at = 0
        self.ended = False

    def _more(self, wanted: int) -> bool:
        if self.ended:
            return False
        data = self.file.read(wanted)
        self.ended = not data
        rest = self.window[self.at :]
        self.window = rest + self.decoder.decode(data, self.ended)
        self.at = 0
        return True

    def peek(self) -> str:
        """The next character that is not blank; "" at the end."""
        while True:
            while self.at < len(self.window):
                if self.window[self.at] not in _BLANK:
                    return self.window[self.at]
                self.at += 1
            if not self._more(_CHUNK):
                return ""

    def take(self, char: str) -> None:
        """Step over this character."""
        if self.peek() != char:
            raise self._broken()
        self.at += 1

    def value(self) -> object:
        """The next JSON value."""
        self.peek()
        wanted = _CHUNK
        while True:
            try:
                value, end = self.json.raw_decode(self.window, self.at)
                # A number that ends with the window may go on behind it.
                if end < len(self.window) or self.ended:
                    self.at = end
                    return value
            except (ValueError, RecursionError):
                pass
            if len(self.window) - self.at > LONGEST or not self._more(wanted):
                raise self._broken()
            wanted *= 2

    def _broken(self) -> Refused:
        what = "ends in the middle" if self.ended else "is not a JSON document"
        return Refused(
            f"{self.name} {what}",
            hint="export the session again; nothing of it was read",
        )
