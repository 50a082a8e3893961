"""`import`: memory from elsewhere."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from .. import flat, harness, importer
from ..counted import counted
from .app import App, as_json, out, out_json, pass_app, printable, say


@click.command(name="import")
@click.argument("kind", type=click.Choice(["harness", "markdown", "memory-md"]))
@click.argument("path", type=click.Path(path_type=Path))
@as_json
@pass_app
def import_(app: App, kind: str, path: Path, as_json: bool) -> None:
    """Bring memory in: dated Markdown, a flat MEMORY.md, or a hipocampus project.

    Example: hipogit import markdown notes/
    """
    store, place = app.store(), app.cwd / path
    skipped: tuple[str, ...] = ()
    if kind == "harness":
        taken = harness.harness(store, place, app.now, _counter())
        done = importer.Imported(*taken[:3])
        skipped = taken.skipped
    elif kind == "memory-md":
        done = flat.memory_md(store, place, app.now)
    else:
        done = importer.markdown(store, place, app.now, _counter())
        skipped = tuple(
            f"{name}: no day in its name (YYYY-MM-DD.md)"
            for name in importer.undated(place)
        )
    for line in skipped:
        say(f"skipped: {printable(line)}")
    if as_json:
        out_json(done._asdict())
        return
    out(
        f"{counted(done.entries, 'entry')} in {counted(done.commits, 'commit')},"
        f" {counted(done.redactions, 'secret')} taken out"
    )


def _counter() -> importer.Progress:
    def show(done: int, of: int) -> None:
        end = "\n" if done == of else ""
        sys.stderr.write(f"\rday {done} of {of}{end}")
        sys.stderr.flush()

    return show if sys.stderr.isatty() else lambda done, of: None
