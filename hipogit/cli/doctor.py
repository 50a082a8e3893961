"""`doctor`: what is wrong with the set-up, and its repair."""

from __future__ import annotations

import click

from .. import doctor as faults
from .app import App, as_json, out, out_json, pass_app, printable


@click.command()
@click.option("--fix", is_flag=True, help="Repair what can be repaired.")
@as_json
@pass_app
def doctor(app: App, fix: bool, as_json: bool) -> None:
    """Find what is broken in this repository's memory; exit 1 when something is left.

    Example: hipogit doctor --fix
    """
    found = faults.examine(app.git(), app.now, fix=fix)
    left = [fault for fault in found if not fault.fixed]
    if as_json:
        problems = [
            {"name": f.name, "fixed": f.fixed, "sentence": f.sentence, "hint": f.hint}
            for f in found
        ]
        out_json({"problems": problems})
    else:
        for fault in found:
            state = "fixed" if fault.fixed else "FAULT"
            out(f"{state}  {fault.name}: {printable(fault.sentence)}")
            if not fault.fixed and fault.hint:
                out(f"       hint: {printable(fault.hint)}")
        if not found:
            out("nothing is wrong")
    if left:
        raise click.exceptions.Exit(1)
