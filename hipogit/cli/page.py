"""Long results: through a pager on a terminal, plain everywhere else."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator

import click

from .app import out, printable, shown


def coloured() -> bool:
    """Whether colours are wanted: on a terminal, unless NO_COLOR says no."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR")


def paint(text: str, colour: str) -> str:
    """The text in a colour, bold without one, plain where colours are not wanted."""
    if not coloured():
        return text
    return click.style(
        printable(text), fg=colour or None, bold=None if colour else True
    )


def paged(texts: Iterable[str]) -> None:
    """Print as it comes; on a terminal through the pager."""
    if not sys.stdout.isatty():
        for text in texts:
            out(text)
        return
    # Without these less waits for a key on a short list and shows colours as codes.
    os.environ.setdefault("LESS", "FRX")
    click.echo_via_pager(_safe(texts), color=coloured())


def _safe(texts: Iterable[str]) -> Iterator[str]:
    for text in texts:
        yield shown(text).encode("utf-8", "replace").decode("utf-8")
