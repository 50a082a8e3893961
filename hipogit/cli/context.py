"""`context`: what a session start shows the agent."""

from __future__ import annotations

import click

from .. import briefing
from .. import context as contexts
from .app import App, as_json, out, out_json, pass_app


@click.command()
@click.option("--budget", type=click.IntRange(min=0), default=0, metavar="TOKENS",
              help="Most tokens (4 bytes each); 0 is all.")  # fmt: skip
@click.option("--event", type=click.Choice(["session-start", "task-start"]),
              default="session-start",
              help="task-start adds summaries (compaction.token_budget).")  # fmt: skip
@as_json
@pass_app
def context(app: App, budget: int, event: str, as_json: bool) -> None:
    """Print hot files and ROOT as an agent sees them when a session begins.

    Example: hipogit context --budget 2000
    """
    store = app.store()
    if event == "task-start":
        found = briefing.before_task(store, budget)
    else:
        found = contexts.of(store, budget)
    notes = store.ledger.lines()
    text = found.text
    if notes:
        text += "\n" + contexts.ledger_block(notes)
    if as_json:
        out_json({"text": text, "tokens": found.tokens, "sections": found.sections})
    else:
        out(text)
