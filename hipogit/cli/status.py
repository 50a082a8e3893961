"""`status`: whether memory works here."""

from __future__ import annotations

from typing import Any

import click

from .. import status as health
from ..counted import counted
from .app import App, as_json, out, out_json, pass_app, printable


@click.command()
@click.option("--probe", is_flag=True, help="Fire every hook and see what arrives.")
@as_json
@pass_app
def status(app: App, probe: bool, as_json: bool) -> None:
    """Show whether memory works: branch, view, hooks, counts; exit 1 if it does not.

    Example: hipogit status --probe
    """
    found = health.status(app.store(), app.now, fire=probe)
    if as_json:
        out_json(found.values)
    else:
        for line in _lines(found.values):
            out(line)
        for note in found.notes:
            out(f"! {printable(note)}")
    if not found.ok:
        raise click.exceptions.Exit(1)


def _lines(values: dict[str, Any]) -> list[str]:
    tip = f"at {values['tip'][:12]}" if values["tip"] else "is not there"
    view = values["view"]
    shown = f"{view['path']}: {view['state']}" if view["path"] else "none"
    lines = [f"branch   {values['branch']} {tip}", f"view     {shown}"]
    if "entries" in values:
        entries, recall = values["entries"], values["index_recall"]
        standing = ", ".join(f"{n} {name}" for name, n in entries["standing"].items())
        nodes = ", ".join(f"{n} {name}" for name, n in values["nodes"].items())
        budget = values["budget"]
        compact = values["last_compact"]
        lines += [
            f"entries  {entries['total']}" + (f": {standing}" if standing else ""),
            f"nodes    {nodes or 'none yet'}",
            f"index    {recall['found']} of {counted(recall['topics'], 'topic')}"
            f" in reach ({recall['share']:.0%})",
            f"ROOT     {budget['root_tokens']} of {budget['root_max_tokens']} tokens"
            + (f", as of {compact['as_of']}" if compact["as_of"] else ""),
        ]
        if wanted := len(values["pending"]):
            due = f" (due: {compact['due']})" if compact["due"] else ""
            could = f"{counted(wanted, 'summary')} could be better{due}"
            lines.append(f"pending  {could}")
    if values["spool"]:
        lines.append(f"waiting  {values['spool']} in the spool")
    for note in values["ledger"]:
        lines.append(
            f"ledger   {note.get('at', '')} {note.get('where', '')}:"
            f" {printable(note.get('sentence', ''))}"
        )
    for one in values["probes"]:
        state = {True: "arrives", False: "DOES NOT ARRIVE", None: "not fired"}
        last = f", last event {one['last']}" if one["last"] else ", no event yet"
        lines.append(f"hook     {one['host']} {one['event']}: {state[one['ok']]}{last}")
    lines.append("all is well" if values["ok"] else "something does not work")
    return lines
