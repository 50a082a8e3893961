"""`knows`: whether there is anything about a topic, and where."""

from __future__ import annotations

import click

from ..errors import Usage
from ..recall import about
from ..recall.index import using
from .app import App, as_json, out, out_json, pass_app


@click.command()
@click.argument("topic", nargs=-1)
@as_json
@pass_app
def knows(app: App, topic: tuple[str, ...], as_json: bool) -> None:
    """Say whether memory knows a topic and where; leave with 1 when it does not.

    Example: hipogit knows "rate limit"
    """
    name = " ".join(topic)
    if not name.strip():
        raise Usage("there is no topic", hint='hipogit knows "rate limit"')
    store = app.store()
    with store.snapshot() as snapshot:
        places = about.knows(snapshot, name)
    if not places:
        # Written by hand and not compacted yet: the search index has it already.
        places = using(store, lambda index: about.knows_fresh(index, name))
    if as_json:
        out_json(
            {"known": bool(places), "where": [place._asdict() for place in places]}
        )
    elif places:
        for place in places:
            ids = " ".join(place.ids)
            out(
                f"{place.topic} [{place.type}, {place.last}] {place.path} {ids}".strip()
            )
    else:
        out("nothing known\n")
    if not places:
        raise click.exceptions.Exit(1)
