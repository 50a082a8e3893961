"""`config`: the settings that hold and where each comes from."""

from __future__ import annotations

import click

from ..config import SETTINGS
from .app import App, as_json, out, out_json, pass_app, say


@click.command()
@as_json
@pass_app
def config(app: App, as_json: bool) -> None:
    """Show every setting, its value and the file it comes from.

    Example: hipogit config --json
    """
    store = app.store()
    with store.snapshot() as snapshot:
        found = store.config(snapshot)
    if as_json:
        settings = [item._asdict() for item in found.given.values()]
        out_json({"settings": settings})
        return
    for item in found.given.values():
        out(f"{item.key} = {item.value!r}  ({item.source})  {SETTINGS[item.key].help}")
    for line in found.ignored:
        say(f"ignored: {line}")
