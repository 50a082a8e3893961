"""`core`: the frozen section of an OpenClaw workspace's MEMORY.md."""

from __future__ import annotations

import difflib
import sys

import click

from .. import agents, workspace
from ..errors import Refused, Usage
from .app import App, as_json, out, out_json, pass_app, say
from .correcting import as_name, who_of


@click.command()
@click.option("--accept", is_flag=True, help="Let memory know this Core from now on.")
@click.option("--put-back", is_flag=True, help="Give the file the Core memory knows.")
@as_name
@as_json
@pass_app
def core(app: App, accept: bool, put_back: bool, name: str, as_json: bool) -> None:
    """Show how MEMORY.md's frozen Core section was changed, and settle it.

    OpenClaw's agents may append to the rest of the file; Core is their owner's. Exit 1
    when it was changed and nothing was settled.

    Example: hipogit core --accept --as kim
    """
    if accept and put_back:
        raise Usage("--accept and --put-back exclude each other")
    store = app.store()
    site = agents.here(app.git())
    if site is None:
        raise Usage("there is no work tree here", hint="hipogit -C WORKSPACE core")
    found = workspace.changed_core(store, site.project)
    commit = None
    if accept:
        who = who_of(app, store, name, person=True)
        commit = workspace.accept(store, site.project, who, app.now)
    elif put_back:
        workspace.put_back(store, site.project)
    diff = _diff(found)
    settled = accept or put_back
    if as_json:
        path = str(found.path) if found else None
        out_json({"path": path, "changed": diff, "commit": commit, "settled": settled})
    elif not settled:
        out("\n".join(diff) if diff else "Core is as memory knows it")
    else:
        out(f"memory knows the new Core: {commit}" if accept else "put back")
    if found and not settled:
        if not as_json:
            say("hint: hipogit core --accept, or hipogit core --put-back")
        sys.exit(Refused.exit)


def _diff(found: workspace.Core | None) -> list[str]:
    if found is None:
        return []
    sides = found.known.split("\n"), found.here.split("\n")
    return list(
        difflib.unified_diff(*sides, "as memory knows it", str(found.path), lineterm="")
    )
