"""`supersede`, `retract`, `dispute`, `confirm`, `restore`: memory put right."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import click

from .. import catchup, correct, inbox, memory
from ..correct import Corrected, Who
from ..entry import TYPES
from ..store import Store
from .app import App, as_json, out, out_json, pass_app, say, waits
from .checkpoint import draft_of, origin_given, said_in, texts_given

_copies = click.option(
    "--copies", is_flag=True, help="Take the same sentences out elsewhere, too."
)
_reason = click.option("--reason", default="", help="Why; it is kept in the open.")
as_name = click.option(
    "--as", "name", default="", metavar="NAME", help="Whose word it is, off a terminal."
)


def who_of(app: App, store: Store, name: str = "", *, person: bool = False) -> Who:
    """Whose word this is. A person's must be given, unless they are at a terminal."""
    at_terminal = sys.stdin.isatty()
    running = inbox.session_of(store.local / "sessions", app.cwd)
    if not name and (at_terminal or not person):
        name = memory.person(store.git)
    return Who(
        actor=name,
        session=running.id if running else "",
        source=(running and running.platform) or "cli",
        via="tty" if at_terminal else "pipe",
        code=memory.code_state(store.git),
    )


def show(done: Corrected, as_json: bool, **more: Any) -> None:
    """What a correction did."""
    entry = done.entry
    if as_json:
        out_json(
            {
                "commit": done.commit,
                "spooled": done.commit is None,
                "id": entry.id,
                "standing": entry.standing,
                "rebuilt": list(done.rebuilt),
                "copies": [copy._asdict() for copy in done.copies],
                "removed": done.removed,
                **more,
            }
        )
    else:
        # A tombstone's topic is its standing.
        topic = "" if entry.withdrawn else f"  {entry.topic}"
        out(f"{entry.id}  {entry.standing}{topic}")
        if done.rebuilt:
            say(f"rebuilt: {', '.join(done.rebuilt)}")
        for copy in done.copies:
            where = f"{copy.path}:{copy.line}" + (f" ({copy.id})" if copy.id else "")
            say(f"{'removed from' if done.removed else 'still said in'} {where}")
        if done.copies and not done.removed:
            say("hint: --copies takes exact copies out; paraphrases it cannot find")
    for path in done.saved:
        say(f"note: your edit lay in the way and is kept as {path}")
    if done.behind:
        say(f"note: {done.behind} cannot be written and shows what stood before")
        say("hint: hipogit doctor --fix, once it can")
    if done.commit is None:
        waits(done.problem)


@click.command()
@click.argument("id")
@click.argument("topic", required=False, default="")
@click.option("-t", "--type", "kind", type=click.Choice(TYPES), default=None,
              help="What it is about; that of the old entry by default.")  # fmt: skip
@texts_given
@origin_given
@_reason
@_copies
@as_json
@pass_app
def supersede(
    app: App,
    id: str,
    topic: str,
    kind: str | None,
    texts: tuple[str, ...],
    fields: tuple[str, ...],
    session: str,
    source: str,
    actor: str,
    reason: str,
    copies: bool,
    as_json: bool,
) -> None:
    """Say something new in the place of an entry; the old text leaves every page.

    Example: hipogit supersede 20261129-k3f9 -m "sliding window" --reason "measured"
    """
    from .. import resolve

    store = app.store()
    now = app.now
    catchup.ready(store, now)
    with store.snapshot() as tip:
        old = resolve.entry(correct.foreseen(store, tip, now), id).entry
    running = inbox.session_of(store.local / "sessions", app.cwd, session)
    # The tombstone has no topic any more: saying it again needs one.
    topic = topic or ("" if old.withdrawn else old.topic)
    (said,) = said_in(topic or "-", kind or old.type, texts, fields)
    who = who_of(app, store, actor)
    draft = draft_of(said, running, session, source, actor, now)
    done = correct.supersede(store, id, draft, who, now, reason=reason, copies=copies)
    show(done, as_json, supersedes=old.id)


@click.command()
@click.argument("id")
@_reason
@_copies
@click.option("--as", "name", default="", metavar="NAME", help="Whose word it is.")
@as_json
@pass_app
def retract(
    app: App, id: str, reason: str, copies: bool, name: str, as_json: bool
) -> None:
    """Withdraw an entry that is wrong; who, when and why stay in its place.

    Example: hipogit retract 20261129-k3f9 --reason "measured wrong"
    """
    store = app.store()
    who = who_of(app, store, name)
    catchup.ready(store, app.now)
    show(
        correct.retract(store, id, reason, who, app.now, copies=copies),
        as_json,
    )


@click.command()
@click.argument("id")
@_reason
@click.option("--as", "name", default="", metavar="NAME", help="Whose word it is.")
@as_json
@pass_app
def dispute(app: App, id: str, reason: str, name: str, as_json: bool) -> None:
    """Mark an entry as doubted; it stays readable, with the mark.

    Example: hipogit dispute 20261129-k3f9 --reason "the new API does not do this"
    """
    store = app.store()
    who = who_of(app, store, name)
    catchup.ready(store, app.now)
    show(correct.dispute(store, id, reason, who, app.now), as_json)


@click.command()
@click.argument("id")
@as_name
@as_json
@pass_app
def confirm(app: App, id: str, name: str, as_json: bool) -> None:
    """Record that a person vouches for an entry.

    Example: hipogit confirm 20261129-k3f9 --as Ann
    """
    store = app.store()
    who = who_of(app, store, name, person=True)
    catchup.ready(store, app.now)
    show(correct.confirm(store, id, who, app.now), as_json)


@click.command()
@click.argument("id")
@click.option("--instead", is_flag=True,
              help="Withdraw what stands in its place.")  # fmt: skip
@_reason
@as_name
@as_json
@pass_app
def restore(
    app: App, id: str, instead: bool, reason: str, name: str, as_json: bool
) -> None:
    """Bring back what an entry said before it was withdrawn or disputed.

    Example: hipogit restore 20261129-k3f9 --instead --as Ann
    """
    store = app.store()
    who = who_of(app, store, name, person=True)
    catchup.ready(store, app.now)

    def run(instead: bool) -> Corrected:
        return correct.restore(store, id, who, app.now, instead=instead, reason=reason)

    show(_asked(run, instead), as_json)


def _asked(run: Callable[[bool], Corrected], instead: bool) -> Corrected:
    """At a terminal the question which should hold is put; elsewhere it is refused."""
    try:
        return run(instead)
    except correct.Asks as question:
        if not sys.stdin.isatty():
            raise
        say(question.sentence)
        names = ", ".join(question.rivals)
        if not click.confirm(f"Withdraw {names} in favour of it?", err=True):
            raise
        return run(True)
