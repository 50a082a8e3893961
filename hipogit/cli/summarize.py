"""`summarize`: better summaries, from an agent or from a program."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from ..errors import Refused, Usage
from .app import App, as_json, out, out_json, pass_app, read_stdin, say


@click.command()
@click.argument("node", required=False, default="")
@click.option("--prompt", is_flag=True, help="Print what to ask for, with its source.")
@click.option("--from", "file", metavar="FILE", default="",
              help="Store this text as the summary; - is stdin.")  # fmt: skip
@click.option("--run", is_flag=True, help="Let summarizer.command write it.")
@as_json
@pass_app
def summarize(
    app: App, node: str, prompt: bool, file: str, run: bool, as_json: bool
) -> int:
    """Ask for, store or have written the summary of a period.

    Without NODE: the newest that wants one, or with --run one for each level when
    the cooldown is over.

    Example: hipogit summarize 2026-W48 --prompt
    """
    from .. import cycle
    from ..importer import read_text
    from ..tree import replacing

    if prompt + bool(file) + run > 1:
        raise Usage(
            "--prompt, --from and --run exclude each other",
            hint="hipogit summarize --help",
        )
    store = app.store()
    if run and not node:
        return _cycle(app, as_json)
    if not node:
        with store.snapshot() as snapshot:
            node = next(iter(replacing.wanted(snapshot)), "")
        if not node:
            say("no summary is wanted")
            if as_json:
                out_json({"node": None, "accepted": False, "problems": []})
            return 0
    if run:
        done = cycle.ask(store, node, app.now)
        return _tell([done], as_json)
    if not file:
        return _prompt(app, node, as_json)
    text = read_stdin() if file == "-" else read_text(Path(file))
    from ..tree.prompts import path_of

    path = path_of(node)
    try:
        written = cycle.store_summary(store, node, text, app.now)
    except Refused as problem:
        if not as_json:
            raise
        return _tell([cycle.Outcome(path, False, (problem.sentence,))], True)
    tip = written.tip if written else store.tip()
    return _tell([cycle.Outcome(path, True, (), tip)], as_json)


def _prompt(app: App, node: str, as_json: bool) -> int:
    from .. import compaction
    from ..tree.prompts import prompt_for

    store = app.store()
    with store.snapshot() as snapshot:
        settings = compaction.settings(store.config(snapshot))
        found = prompt_for(snapshot, node, settings)
    if as_json:
        out_json({"node": found.path, "depth": found.depth, "prompt": found.text})
    else:
        out(found.text)
        if sys.stdout.isatty():
            say(f"hint: hipogit summarize {node} --from FILE")
    return 0


def _cycle(app: App, as_json: bool) -> int:
    from .. import cycle

    done = cycle.cycle(app.store(), app.now)
    if not done:
        say("no summary is due")
        if as_json:
            out_json({"node": None, "accepted": False, "problems": [], "nodes": []})
        return 0
    return _tell(done, as_json)


def _tell(done: list, as_json: bool) -> int:  # type: ignore[type-arg]
    rows = [
        {
            "node": outcome.node,
            "accepted": outcome.accepted,
            "problems": list(outcome.problems),
            "commit": outcome.commit,
        }
        for outcome in done
    ]
    if as_json:
        out_json(rows[0] if len(rows) == 1 else {**rows[0], "nodes": rows})
    else:
        for outcome in done:
            if outcome.accepted:
                out(outcome.node)
            for problem in outcome.problems:
                say(f"{outcome.node}: {problem}")
    return 0 if all(outcome.accepted for outcome in done) else 1
