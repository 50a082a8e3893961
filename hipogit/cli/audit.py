"""`log`, `show`, `history`, `why`, `diff`: where memory came from."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from datetime import timedelta

import click

from .. import audit as trail
from ..audit.log import Line
from ..audit.show import by
from ..entry import TYPES, Entry
from ..record import ACTIONS
from .app import App, as_json, out, out_json, pass_app
from .page import paged, paint

_COLOURS = {
    "retract": "red",
    "purge": "red",
    "supersede": "yellow",
    "dispute": "yellow",
    "edit": "yellow",
    "confirm": "green",
    "restore": "green",
    "hand": "magenta",
}


@click.command()
@click.argument("id", required=False, default="")
@click.option("--action", type=click.Choice([*ACTIONS, "hand"]), default=None,
              metavar="A", help="Only this; `hand`: commits by hand.")  # fmt: skip
@click.option("--type", "kind", type=click.Choice(TYPES), default=None,
              help="Only commits with such an entry.")  # fmt: skip
@click.option("--session", default="", help="Only what came from this session.")
@click.option("--actor", default="", help="Only what this person or agent did.")
@click.option("--since", default="", metavar="D", help="From this day or period on.")
@click.option("--until", default="", metavar="D", help="Up to this day or period.")
@click.option("-n", "--number", type=click.IntRange(min=0), default=None,
              help="At most so many.")  # fmt: skip
@click.option("--derived", is_flag=True, help="Show compaction commits, too.")
@as_json
@pass_app
def log(
    app: App,
    id: str,
    action: str | None,
    kind: str | None,
    session: str,
    actor: str,
    since: str,
    until: str,
    number: int | None,
    derived: bool,
    as_json: bool,
) -> None:
    """Show who wrote, changed or withdrew what, from where and why, newest first.

    Example: hipogit log --action retract --since 2026-11
    """
    wanted = trail.Filter(
        id, action or "", kind or "", session, actor, since, until, derived
    )
    found = itertools.islice(trail.lines(app.store(), wanted), number)
    if as_json:
        for line in found:
            out_json(line.values())
    else:
        paged(_row(line) for line in found)


def _row(line: Line) -> str:
    record = line.record
    what = paint(f"{record.action:10}", _COLOURS.get(record.action, "cyan"))
    ids = " ".join(record.entries[:2])
    if len(record.entries) > 2:
        ids += f" (+{len(record.entries) - 2})"
    parts = [
        paint(line.commit[:10], "blue"),
        f"{line.at:%Y-%m-%d %H:%M}",
        what,
        record.subject,
        paint(ids, "bright_black") if ids else "",
        f"by {by(record)}" if record.actor or record.source else "",
    ]
    text = "  ".join(part for part in parts if part)
    if record.reason:
        text += f"\n            why: {record.reason}"
    if record.redactions:
        text += f"\n            redacted: {record.redactions}"
    return text + "\n"


@click.command()
@click.argument("what", metavar="ID")
@click.option("--at", default="", metavar="REV",
              help="As it was at a commit, a day, a commit of the code.")  # fmt: skip
@as_json
@pass_app
def show(app: App, what: str, at: str, as_json: bool) -> None:
    """Show one thing: an entry, a day, week, month, ROOT, a node, a file, a commit.

    Example: hipogit show 2026-11-29 --at hipogit/memory~20
    """
    found = trail.show(app.store(), what, at)
    if as_json:
        out_json(found._asdict())
    else:
        out(found.text)


@click.command()
@click.argument("id")
@as_json
@pass_app
def history(app: App, id: str, as_json: bool) -> None:
    """Show everything that was ever said under an id, withdrawn text included.

    Example: hipogit history 20261129-k3f9
    """
    found = trail.history(app.store(), id)
    if as_json:
        out_json({"id": _id_of(found), "versions": [past.values() for past in found]})
    else:
        paged(_past(past) for past in found)


def _id_of(found: list[trail.Past]) -> str:
    return next((past.entry.id for past in found if past.entry), "")


def _past(past: trail.Past) -> str:
    entry = past.entry
    if entry is None:
        return f"{_row(past.line)}    (taken away)\n\n"
    body = "\n".join(f"    {text}".rstrip() for text in entry.body.split("\n"))
    head = f"    {paint(f'{entry.topic} [{entry.type}]', '')} {entry.standing}"
    return f"{_row(past.line)}{head}\n{body}\n\n"


@click.command()
@click.argument("what", metavar="ID|TEXT")
@as_json
@pass_app
def why(app: App, what: str, as_json: bool) -> None:
    """Show where a line comes from: entry, session, actor, commit, code commit.

    The line may be an id, a line of a summary or of ROOT, FILE:LINE, or a sentence.

    Example: hipogit why "token bucket, 100 req/s per key"
    """
    found = trail.why(app.store(), what)
    if as_json:
        out_json({"line": what, "entries": [reason.values() for reason in found]})
        return
    for reason in found:
        out(_reason(reason))


def _reason(reason: trail.Reason) -> str:
    entry, brought = reason.entry, reason.brought
    body = "\n".join(f"    {text}".rstrip() for text in entry.body.split("\n"))
    said = entry.get("actor") or (brought.record.actor if brought else "") or "unknown"
    rows = [
        ("said", f"{entry.at:%Y-%m-%d %H:%M %z}" if entry.at else str(entry.day)),
        ("by", said + (f" via {entry.get('source')}" if entry.get("source") else "")),
        ("session", entry.get("session")),
        ("commit", _commit(brought)),
        ("code", brought.record.code if brought else ""),
        *((line.record.action, _later(line)) for line in reason.since),
        ("read in", ", ".join(reason.found[:6])),
        (
            "sessions",
            f"{reason.sessions} independent, also {', '.join(reason.says[:6])}"
            if reason.says
            else "",
        ),
    ]
    told = "\n".join(f"  {key}: {value}" for key, value in rows if value)
    head = f"{entry.id}  {entry.topic} [{entry.type}] {entry.standing}"
    return f"{head}\n{body}\n{told}\n"


def _commit(line: Line | None) -> str:
    return f"{line.commit[:12]} {line.record.action}" if line else ""


def _later(line: Line) -> str:
    why = f": {line.record.reason}" if line.record.reason else ""
    return f"{line.at:%Y-%m-%d} by {by(line.record)} in {line.commit[:12]}{why}"


@click.command()
@click.argument("range", metavar="[A[..B]]", required=False, default="")
@as_json
@pass_app
def diff(app: App, range: str, as_json: bool) -> None:
    """Show what memory learnt, changed and withdrew between two points, as entries.

    A and B are commits, days or periods; B is the tip, A a day ago by default. Before
    memory began there was nothing: from there everything is new.

    Example: hipogit diff 2026-11-01..2026-11-29
    """
    a, _, b = range.partition("..")
    store = app.store()
    if not a:
        a = trail.points.since(store, app.now - timedelta(days=1))
    found = trail.diff(store, a, b)
    if as_json:
        out_json(_differences(found))
    else:
        paged(_told(found))


def _differences(found: trail.Changes) -> dict[str, object]:
    def row(entry: Entry, **more: object) -> dict[str, object]:
        text = "" if entry.id in found.gone else entry.body
        values = {
            "id": entry.id,
            "topic": entry.topic,
            "type": entry.type,
            "standing": entry.standing,
            "day": str(entry.day),
            "text": text,
        }
        return {**values, **more}

    return {
        "from": found.before,
        "to": found.after,
        "learnt": [row(entry) for entry in found.learnt],
        "changed": [
            row(new, before=old.standing, text_changed=old.body != new.body)
            for old, new in found.changed
        ],
        "withdrawn": [
            {
                "id": old.id,
                "topic": old.topic,
                "type": old.type,
                "standing": new.standing if new else "gone",
                "day": str(old.day),
                "text": new.body if new else "",
                "successor": new.get("successor") if new else "",
            }
            for old, new in found.withdrawn
        ],
        "restored": [row(entry) for entry in found.restored],
        "files": found.files,
    }


def _told(found: trail.Changes) -> Iterator[str]:
    def line(sign: str, colour: str, entry: Entry, more: str) -> str:
        head = paint(f"{sign} {entry.id}  {entry.topic} [{entry.type}]", colour)
        return f"{head}{'  ' + more if more else ''}\n"

    def first(entry: Entry) -> str:
        if entry.id in found.gone:
            return "(withdrawn since)"
        return " ".join(entry.body.split())[:100]

    for entry in found.learnt:
        yield line("+", "green", entry, first(entry))
    for old, new in found.changed:
        turned = "" if old.standing == new.standing else f"{old.standing} -> "
        yield line("~", "yellow", new, f"{turned}{new.standing}: {first(new)}")
    for old, tomb in found.withdrawn:
        yield line("-", "red", old, " ".join(tomb.body.split()) if tomb else "gone")
    for entry in found.restored:
        yield line("^", "green", entry, first(entry))
    for path in found.files:
        yield f"  {path}\n"
