"""`capture`: write down what was said in an agent's session."""

from __future__ import annotations

from pathlib import Path

import click

from .. import correct, intake, memory
from ..transcripts import PLATFORMS, guess
from .app import App, as_json, out, out_json, pass_app, say, waits


@click.command()
@click.argument("path", type=click.Path(path_type=Path))
@click.option("--platform", type=click.Choice(PLATFORMS), default=None,
              help="Whose transcript it is; told from the file otherwise.")  # fmt: skip
@click.option("--session", default="", help="Agent session it is of.")
@as_json
@pass_app
def capture(
    app: App, path: Path, platform: str | None, session: str, as_json: bool
) -> None:
    """Write entries from an agent's transcript: only what is new, nothing twice.

    Example: hipogit capture ~/.codex/sessions/2026/11/29/rollout-….jsonl
    """
    store = app.store()
    path = app.cwd / path.expanduser()
    with store.snapshot() as tip:
        mode = store.config(tip).text("capture")
    correct.drain(store, app.now)
    done = intake.take(
        store,
        path,
        app.now,
        platform=platform or guess.platform_of(path),
        session=session,
        only_decisions=mode == "decisions",
    )
    if as_json:
        out_json(
            {
                "commit": done.commit,
                **memory.values(done.entries, done.findings),
                "skipped": dict(done.skipped),
            }
        )
    else:
        for entry in done.entries:
            out(f"{entry.id}  {entry.topic} [{entry.type}]")
        for reason, count in done.skipped.items():
            say(f"skipped: {count} {reason}")
        for finding in done.findings:
            say(f"redacted: {finding.rule}")
    if done.spooled:
        waits(done.problem)
