"""`import`: memory from elsewhere."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from .. import importer
from .app import App, as_json, out, out_json, pass_app


@click.command(name="import")
@click.argument("kind", type=click.Choice(["markdown"]))
@click.argument("path", type=click.Path(path_type=Path))
@as_json
@pass_app
def import_(app: App, kind: str, path: Path, as_json: bool) -> None:
    """Bring dated Markdown files into memory, one commit a day.

    Example: hipogit import markdown notes/
    """
    done = importer.markdown(app.store(), app.cwd / path, app.now, _counter())
    if as_json:
        out_json(done._asdict())
        return
    out(
        f"{done.entries} entries in {done.commits} commits,"
        f" {done.redactions} secrets taken out"
    )


def _counter() -> importer.Progress:
    def show(done: int, of: int) -> None:
        end = "\n" if done == of else ""
        sys.stderr.write(f"\rday {done} of {of}{end}")
        sys.stderr.flush()

    return show if sys.stderr.isatty() else lambda done, of: None
