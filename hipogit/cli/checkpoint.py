"""`checkpoint`: write down what should be known next month."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, TypeVar

import click

from .. import catchup, correct, inbox, memory
from ..entry import TYPES, Entry, field_key, field_lines, parse_all
from ..errors import Usage
from ..record import Record
from ..store import Store
from .app import App, as_json, out, out_json, pass_app, read_stdin, say, waits

if TYPE_CHECKING:
    from ..similar import Similar

Command = TypeVar("Command", bound=Callable[..., Any])
Said = tuple[str, str, str]  # topic, type and body of a statement


def texts_given(command: Command) -> Command:
    """Options for what is said, as `said_in` takes it."""
    for option in (
        click.option("-f", "--field", "fields", multiple=True, metavar="KEY=VALUE",
                     help="A line `- key: value`. Repeatable."),
        click.option("-m", "--message", "texts", multiple=True,
                     help="The text. Repeatable."),
    ):  # fmt: skip
        command = option(command)
    return command


def origin_given(command: Command) -> Command:
    """Options for where it comes from, as `draft_of` takes it."""
    for option in (
        click.option("--actor", default="", help="Who said it."),
        click.option("--source", default="cli", help="Program that wrote it."),
        click.option("--session", default="", help="Agent session it comes from."),
    ):
        command = option(command)
    return command


@click.command()
@click.argument("topic", required=False, default="")
@click.option("-t", "--type", "kind", type=click.Choice(TYPES), default="project",
              help="What it is about.")  # fmt: skip
@texts_given
@click.option("--supersedes", multiple=True, metavar="ID",
              help="Entry it takes the place of. Repeatable.")  # fmt: skip
@click.option("--corrects", multiple=True, metavar="ID",
              help="Entry that this feedback corrects. Repeatable.")  # fmt: skip
@origin_given
@as_json
@pass_app
def checkpoint(
    app: App,
    topic: str,
    kind: str,
    texts: tuple[str, ...],
    fields: tuple[str, ...],
    supersedes: tuple[str, ...],
    corrects: tuple[str, ...],
    session: str,
    source: str,
    actor: str,
    as_json: bool,
) -> None:
    """Write an entry, or many from `## Topic [type]` sections on standard input.

    Example: hipogit checkpoint "Rate limit" -m "token bucket" -f why="bursts are fine"
    """
    store = app.store()
    now = app.now
    running = inbox.session_of(store.local / "sessions", app.cwd, session)
    said = said_in(topic, kind, texts, fields)
    drafts = [draft_of(one, running, session, source, actor, now) for one in said]
    catchup.ready(store, now)
    made = memory.admitted(store, drafts)
    near = _similar(store, made.entries)
    if supersedes or corrects:
        done = _corrected(store, made, drafts[0], (supersedes, corrects), now)
        near = [one for one in near if not _corrects(done.entries, one.entry.id)]
    else:
        record = Record(
            "checkpoint",
            "",
            session=drafts[0].session,
            source=drafts[0].source,
            actor=actor or memory.person(store.git),
            code=memory.code_state(store.git),
        )
        done = memory.keep(store, made, record, now)
    if as_json:
        out_json(
            {
                "commit": done.commit,
                "spooled": done.spooled,
                **memory.values(done.entries, done.findings),
                "similar": [
                    {
                        "id": one.entry.id,
                        "topic": one.entry.topic,
                        "contradicts": one.contradicts,
                        "line": one.line,
                    }
                    for one in near
                ],
            }
        )
    else:
        for entry in done.entries:
            out(f"{entry.id}  {entry.topic} [{entry.type}]")
        for finding in done.findings:
            say(f"redacted: {finding.rule} in line {finding.line}")
        for one in near:
            what = f"contradicts: {one.line}" if one.contradicts else "similar"
            say(f"{one.entry.id}  {one.entry.topic}  {what}")
        if any(one.contradicts for one in near):
            say("hint: retract the one that is wrong, or checkpoint --supersedes")
    if done.spooled:
        waits(done.problem)


def _similar(store: Store, entries: Sequence[Entry]) -> list[Similar]:
    """What stands on these topics. Raises Refused for what was withdrawn before."""
    from .. import resolve, similar
    from ..correct.desk import not_withdrawn

    with store.snapshot() as tip:
        for entry in entries:
            here = resolve.exact(tip, entry.id)
            not_withdrawn(here.entry if here else None)
        return similar.answer(tip, entries)


def _corrected(
    store: Store,
    made: memory.Gated,
    draft: memory.Draft,
    named: tuple[Sequence[str], Sequence[str]],
    now: datetime,
) -> memory.Remembered:
    who = correct.Who(
        actor=draft.actor or memory.person(store.git),
        session=draft.session,
        source=draft.source,
        via=draft.via,
        code=memory.code_state(store.git),
    )
    supersedes, corrects = named
    done = correct.put(store, made, who, now, supersedes=supersedes, corrects=corrects)
    for copy in done.copies:
        say(f"still said in {copy.path}:{copy.line}")
    return memory.Remembered(
        done.commit, done.commit is None, done.made, made.findings, done.problem
    )


def _corrects(entries: Sequence[Entry], id: str) -> bool:
    keys = ("supersedes", "corrects")
    return any(id in entry.get(key).split("+") for entry in entries for key in keys)


def draft_of(
    said: Said,
    running: inbox.Session | None,
    session: str,
    source: str,
    actor: str,
    now: datetime,
) -> memory.Draft:
    """A statement with where it comes from."""
    topic, type, body = said
    return memory.Draft(
        topic,
        body,
        memory.start_day(running, now),
        now,
        type=type,
        session=running.id if running else session,
        source=(running and source == "cli" and running.platform) or source,
        actor=actor,
        via="tty" if sys.stdin.isatty() else "pipe",
    )


def said_in(
    topic: str, kind: str, texts: tuple[str, ...], fields: tuple[str, ...]
) -> list[Said]:
    """Topic, type and body of each statement, from options or standard input."""
    if topic:
        lines = list(texts)
        for field in fields:
            key, equals, value = field.partition("=")
            if not equals or not key:
                raise Usage(f"{field!r} is no KEY=VALUE", hint='-f why="bursts"')
            lines.append(field_lines(field_key(key), value))
        if not lines and not sys.stdin.isatty():
            lines.append(read_stdin())
        return [(topic, kind, "\n".join(lines))]
    if texts or fields:
        raise Usage(
            "the entry has no topic", hint='hipogit checkpoint "Topic" -m "text"'
        )
    if sys.stdin.isatty():
        raise Usage(
            "nothing to write down",
            hint='hipogit checkpoint "Topic" -m "text", or Markdown on standard input',
        )
    # What stdin says of ids, standings and authors is not believed.
    _, entries = parse_all(read_stdin())
    if not entries:
        raise Usage(
            "standard input holds no entry",
            hint="begin each with a line `## Topic [type]`",
        )
    return [(entry.topic, entry.type, entry.body) for entry in entries]
