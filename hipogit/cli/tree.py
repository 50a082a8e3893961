"""`tree`, `inspect`, `dissolve`, `condense`: the graph of summaries."""

from __future__ import annotations

import click

from .app import App, as_json, out, out_json, pass_app, say


@click.command()
@click.option("--depth", type=click.IntRange(0, 3), default=0, metavar="N",
              help="Stop at: 3 ROOT, 2 months, 1 weeks, 0 days.")  # fmt: skip
@as_json
@pass_app
def tree(app: App, depth: int, as_json: bool) -> None:
    """Draw the tree of summaries with their status.

    Example: hipogit tree --depth 2
    """
    from ..tree import dag

    # Below days stand leaves, which have the same depth.
    levels = 4 - depth + (1 if depth == 0 else 0)
    with app.store().snapshot() as snapshot:
        if snapshot.read("memory/ROOT.md") is None and not as_json:
            say("nothing is summarised yet")
            return
        top = dag.branch(snapshot, levels=levels)
    if as_json:
        out_json(top.as_dict())
    else:
        out(dag.picture(top))


@click.command()
@click.argument("node")
@as_json
@pass_app
def inspect(app: App, node: str, as_json: bool) -> None:
    """Show a summary with what it was made from and what is made from it.

    Example: hipogit inspect 2026-W48
    """
    from .. import compaction
    from ..tree import dag
    from ..tree.prompts import prompt_for

    store = app.store()
    with store.snapshot() as snapshot:
        seen = dag.inspect(snapshot, node)
        settings = compaction.settings(store.config(snapshot))
        seen["prompt"] = prompt_for(snapshot, node, settings).text
    if as_json:
        out_json(seen)
        return
    for key in ("path", "period", "status", "summary", "depth", "entries"):
        out(f"{key}: {seen[key]}")
    for key in ("parents", "children", "topics"):
        found = seen[key]
        assert isinstance(found, list)
        out(f"{key}:" + "".join(f"\n  {name}" for name in found))
    out(f"\n{seen['text']}")


@click.command()
@click.argument("node")
@as_json
@pass_app
def dissolve(app: App, node: str, as_json: bool) -> None:
    """Put a summary's children back in its place.

    Example: hipogit dissolve 2026-W48
    """
    _replace(app, "dissolve", node, as_json)


@click.command()
@click.argument("node")
@as_json
@pass_app
def condense(app: App, node: str, as_json: bool) -> None:
    """Undo a dissolve: the summary stands again.

    Example: hipogit condense 2026-W48
    """
    _replace(app, "condense", node, as_json)


def _replace(app: App, verb: str, node: str, as_json: bool) -> None:
    from .. import cycle
    from ..tree import dag

    store = app.store()
    path, written = cycle.replace_node(store, verb, node, app.now)
    commit = written.commits[0] if written else store.tip()
    with store.snapshot() as snapshot:
        children = dag.inspect(snapshot, path)["children"]
    if as_json:
        out_json({"node": path, "children": children, "commit": commit})
    else:
        out(path)
        say(f"{verb}d" if verb.endswith("e") else verb)
