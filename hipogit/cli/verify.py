"""`verify`: whether the memory branch can be trusted."""

from __future__ import annotations

import click

from .. import verify as checks
from ..verify.report import FORMATS, render
from .app import App, as_json, out, pass_app, say


@click.command()
@click.argument("rev", required=False, default="")
@click.option("--fetch", is_flag=True, help="Fetch the branch first.")
@click.option("--if-any", is_flag=True,
              help="Pass where memory was never set up (for hooks).")  # fmt: skip
@click.option("--format", "form", type=click.Choice(FORMATS), default="text",
              help="For people, programs or CI.")  # fmt: skip
@as_json
@pass_app
def verify(
    app: App, rev: str, fetch: bool, if_any: bool, form: str, as_json: bool
) -> None:
    """Check the memory branch: form, trail, summaries, secrets; exit 1 on a problem.

    Example: hipogit verify --fetch --format github
    """
    store = app.store()
    # Who says --fetch relies on there being something.
    if if_any and not (rev or fetch) and (why := checks.absent(store)):
        say(f"note: {why}")
        return
    report = checks.verify(store, checks.find(store, rev, fetch=fetch))
    text = render(report, "json" if as_json else form)
    if text:
        out(text)
    if not report.ok:
        raise click.exceptions.Exit(1)
