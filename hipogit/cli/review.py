"""`review`: a person looks at what memory is not sure of."""

from __future__ import annotations

import itertools
import sys

import click

from .. import catchup, correct, memory
from .. import review as reviews
from ..entry import Entry
from ..errors import HipogitError, Usage
from ..store import Store
from .app import App, as_json, out, out_json, pass_app, report, say, spooled, waits
from .correcting import who_of
from .page import paint


@click.command()
@click.option("--accept", multiple=True, metavar="ID",
              help="Confirm an entry. Repeatable.")  # fmt: skip
@click.option("--retract", "wrong", multiple=True, metavar="ID",
              help="Withdraw an entry; needs --reason. Repeatable.")  # fmt: skip
@click.option("--skip", "later", multiple=True, metavar="ID",
              help="Do not ask about it again. Repeatable.")  # fmt: skip
@click.option("--reason", default="", help="Why those are withdrawn.")
@click.option("--as", "name", default="", metavar="NAME",
              help="Whose word it is, off a terminal.")  # fmt: skip
@click.option("-n", "--number", type=click.IntRange(min=0), default=50,
              show_default=True, help="At most so many.")  # fmt: skip
@click.option("--again", is_flag=True, help="Ask about what was skipped, too.")
@as_json
@pass_app
def review(
    app: App,
    accept: tuple[str, ...],
    wrong: tuple[str, ...],
    later: tuple[str, ...],
    reason: str,
    name: str,
    number: int,
    again: bool,
    as_json: bool,
) -> None:
    """Walk through what is captured, disputed, contradicted or stale.

    At a terminal it asks about each entry; elsewhere it lists them.

    Example: hipogit review --accept 20261129-k3f9 --as Ann
    """
    store = app.store()
    catchup.ready(store, app.now)
    walk = sys.stdin.isatty() and sys.stdout.isatty()
    waiting = ""
    if accept or wrong or later:
        waiting = _scripted(app, store, accept, wrong, later, reason, name)
        walk = False
    with store.snapshot() as tip:
        found = list(itertools.islice(reviews.queue(store, tip, again=again), number))
    if as_json:
        out_json({"queue": [_values(one) for one in found]})
    elif not found and not (accept or wrong or later):
        say("nothing waits for a review")
    elif walk:
        _walk(app, store, found, name)
    else:
        for one in found:
            out(f"{one.entry.id}  {one.entry.topic} [{one.entry.type}]  {one.why}")
    if waiting:
        waits(waiting)


def _values(one: reviews.Candidate) -> dict[str, object]:
    entry = one.entry
    return {
        "id": entry.id,
        "topic": entry.topic,
        "type": entry.type,
        "day": str(entry.day),
        "standing": entry.standing,
        "why": one.why,
        "text": entry.body,
    }


def _scripted(
    app: App,
    store: Store,
    accept: tuple[str, ...],
    wrong: tuple[str, ...],
    later: tuple[str, ...],
    reason: str,
    name: str,
) -> str:
    """Do what the options say; why some of it waits, or nothing."""
    from .. import resolve

    with store.snapshot() as tip:
        # A word that names nothing must not stop it half way.
        there = correct.foreseen(store, tip, app.now)
        for id in (*accept, *wrong, *later):
            resolve.entry(there, id)
    if wrong and not reason.strip():
        raise Usage("a correction needs its reason", hint='--reason "why"')
    for id in accept:
        who = who_of(app, store, name, person=True)
        say(f"confirmed {correct.confirm(store, id, who, app.now).entry.id}")
    waiting = ""
    for id in wrong:
        who = who_of(app, store, name)
        done = correct.retract(store, id, reason, who, app.now)
        say(f"retracted {done.entry.id}{'' if done.commit else ', once it can be'}")
        waiting = waiting or done.problem
    for id in later:
        with store.snapshot() as tip:
            reviews.skip(store, resolve.entry(tip, id).entry)
    return waiting


_CHOICES = "[a]ccept, [e]dit, [s]upersede, [r]etract, s[k]ip, [q]uit"


def _walk(app: App, store: Store, found: list[reviews.Candidate], name: str) -> None:
    """Ask about each; what was answered is in, so quitting loses nothing."""
    for number, one in enumerate(found, 1):
        entry = one.entry
        say(f"\n{paint(f'{number}/{len(found)}', 'blue')}  {entry.id}  {one.why}")
        out(f"{paint(f'{entry.topic} [{entry.type}]', '')}\n{entry.body}")
        while True:
            word = click.prompt(_CHOICES, default="k", err=True).strip()
            if word[:1] == "q":
                say("the rest waits: hipogit review")
                return
            try:
                if _answered(app, store, entry, word[:1], name):
                    break
            except HipogitError as problem:
                report(problem.sentence, problem.hint)
                if word[:1] == "k":
                    break  # it is asked about again, but not now
    say("nothing more to review")


def _answered(app: App, store: Store, entry: Entry, word: str, name: str) -> bool:
    """Do what was chosen; whether the next entry may come."""
    who = who_of(app, store, name, person=True)
    if word == "a":
        correct.confirm(store, entry.id, who, app.now)
    elif word == "r":
        reason = click.prompt("why is it wrong?", err=True)
        done = correct.retract(store, entry.id, reason, who, app.now)
        if done.commit is None:
            spooled(done.problem)
    elif word in ("e", "s"):
        text = click.edit(entry.body if word == "e" else "", extension=".md")
        if text is None or not text.strip():
            say("nothing was written")
            return False
        draft = memory.Draft(
            entry.topic,
            text,
            app.now.date(),
            app.now,
            type=entry.type,
            source="cli",
            actor=who.actor,
            via=who.via,
        )
        done = correct.supersede(
            store, entry.id, draft, who, app.now, reason="reviewed"
        )
        if done.commit is None:
            spooled(done.problem)
    elif word == "k":
        reviews.skip(store, entry)
    else:
        raise Usage(f"{word!r} is no choice", hint=_CHOICES)
    return True
