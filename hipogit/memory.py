"""The one way to change memory: gate, decide, write, and spool what could not be.

Everything that reaches `Draft` may have been written by strangers. It is cleaned by the
gate before an id is made of it, so neither an object nor the spool ever holds a secret.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import TYPE_CHECKING, Any, NamedTuple

from . import compaction, gate, publish, waiting
from .clock import YEARS
from .counted import counted
from .entry import Entry, new_id
from .errors import GitFailed, HipogitError, Moved, NotSetUp, ReadOnly, Usage
from .inbox import Session
from .journal import Journal
from .periods import Day
from .plumbing import Git
from .record import Record
from .store import Decide, Snapshot, Step, Store, Written, cleared

if TYPE_CHECKING:
    from .gate.allow import Allowed
    from .gate.finding import Cleaned, Finding

_LARGEST = 4 * 1024 * 1024  # bytes of one entry; a journal has to stay readable


@dataclass(frozen=True, slots=True)
class Draft:
    """An entry as it was said, not yet gated: `day` is the journal it belongs to."""

    topic: str
    body: str
    day: date
    at: datetime
    type: str = "project"
    session: str = ""
    source: str = ""
    actor: str = ""
    via: str = ""
    standing: str = "stated"
    meta: tuple[tuple[str, str], ...] = ()
    id: str = ""


class Gated(NamedTuple):
    """Entries fit to be stored, and what the gate took out of them."""

    entries: tuple[Entry, ...]
    findings: tuple[Finding, ...]


class Remembered(NamedTuple):
    """What became of a write. `commit` is None when it waits in the spool."""

    commit: str | None
    spooled: bool
    entries: tuple[Entry, ...]
    findings: tuple[Finding, ...]
    problem: str = ""


def values(entries: Sequence[Entry], findings: Sequence[Finding]) -> dict[str, Any]:
    """What a program is told of a write: its entries, what was taken out of them."""
    return {
        "entries": [
            {"id": e.id, "topic": e.topic, "type": e.type, "day": str(e.day)}
            for e in entries
        ],
        "redactions": [{"rule": one.rule, "line": one.line} for one in findings],
    }


def gated(drafts: Sequence[Draft], allow: Allowed | None = None) -> Gated:
    """The entries the drafts make once the gate has cleaned them.

    Raises Usage for what no entry can hold.
    """
    entries: list[Entry] = []
    findings: list[Finding] = []
    for draft in drafts:
        _check(draft)
        # One line, or the rest of it would be taken for the body below.
        said_topic = " ".join(draft.topic.split())
        cleaned = gate.clean(f"{said_topic}\n{draft.body}", allow=allow)
        topic, _, body = cleaned.text.partition("\n")
        topic = topic if len(topic) <= _TOPIC else f"{topic[: _TOPIC - 1]}…"
        findings += cleaned.findings
        said = {
            "session": gate.clean(draft.session, allow=allow).text,
            "source": gate.clean(draft.source, allow=allow).text,
            "actor": gate.clean(draft.actor, allow=allow).text,
            "via": draft.via,
        }
        pairs = [(key, value) for key, value in said.items() if value]
        pairs += [
            (key, gate.clean(value, allow=allow).text) for key, value in draft.meta
        ]
        id = draft.id or new_id(
            draft.day,
            session=said["session"],
            source=said["source"],
            topic=topic,
            type=draft.type,
            body=body,
        )
        entries.append(
            Entry(topic, body, draft.type, id, draft.at, draft.standing, tuple(pairs))
        )
    return Gated(tuple(entries), tuple(findings))


def write(
    store: Store, decide: Decide, now: datetime, *, merged: bool = False
) -> Written | None:
    """Write what `decide` wants, together with the summaries it makes stale.

    With `merged` they are one commit, so that no tip shows what was withdrawn, and the
    view follows even where an edit stands in the way; else the summaries are a commit
    of their own. The ref moves once over both. `decide` gives None for nothing to do,
    and no steps for summaries alone.
    """

    late = False
    edited: tuple[str, ...] = ()

    def steps(snapshot: Snapshot) -> list[Step] | None:
        nonlocal late, edited
        late = False
        wanted = decide(snapshot)
        if wanted is None:
            return None
        changes: dict[str, str | None] = {}
        for step in wanted:
            changes.update(step.changes)
        try:
            found = compaction.needed(store, snapshot, changes, now)
        except Moved:
            raise
        except Exception as problem:
            # A summary that cannot be made must not cost the statement it is about;
            # a correction without its summaries would leave withdrawn text readable.
            if merged:
                raise
            store.ledger.note(
                now.isoformat(),
                "compact",
                f"summaries wait: {type(problem).__name__}: {problem}",
                "hipogit compact",
            )
            late = True
            return list(wanted)
        edited = found.overwritten
        return compaction.joined(wanted, found, merged=merged)

    written = store.transact(steps, now, clear=cleared if merged else None)
    # Marked as done after a failure, nothing would ever look at this change again.
    if written and not late:
        compaction.done(store, written.tip)
    for path in edited if written else ():
        store.ledger.note(
            now.isoformat(),
            "compact",
            f"{path} was edited by hand; its sources changed, so it was made anew",
            f"hipogit show {path} --at {written.before if written else ''}",
        )
    with suppress(OSError):
        publish.renew(store)
    return written


def remember(
    store: Store,
    drafts: Sequence[Draft],
    record: Record,
    now: datetime,
    *,
    spool: bool = True,
) -> Remembered:
    """Commit entries; where that is impossible, keep them gated in the spool.

    Exit 0 of a command means `commit` is set: the entries are reachable from the ref.
    Saying again what stands there gives the tip and writes nothing.
    """
    return keep(store, admitted(store, drafts), record, now, spool=spool)


def admitted(store: Store, drafts: Sequence[Draft]) -> Gated:
    """`gated`, leaving in what the settings of this memory say is no secret."""
    made = gated(drafts)
    # They are read only when something was found: that costs more than the gate.
    if made.findings and (allow := allowed(store)):
        made = gated(drafts, allow)
    return made


def allowed(store: Store) -> Allowed | None:
    """What the branch's settings say is no secret, or None if that is nothing.

    Only by fingerprint: a comment in the text may come from a page or a tool.
    """
    from .gate.allow import Allowed

    try:
        with store.snapshot() as tip:
            config = store.config(tip)
    except NotSetUp:
        return None
    return Allowed.of(config, inline=False) if config.words("gate.allow") else None


def keep(
    store: Store, made: Gated, record: Record, now: datetime, *, spool: bool = True
) -> Remembered:
    """`remember` for entries that have been through the gate."""
    entries, findings = made
    record = replace(
        record,
        subject=record.subject or _subject(entries),
        entries=tuple(entry.id for entry in entries),
        redactions=len(findings),
        reason=gate.clean(record.reason).text,
        session=gate.clean(record.session).text,
        source=gate.clean(record.source).text,
        actor=gate.clean(record.actor).text,
    )
    try:
        written = write(store, lambda tip: adding(tip, entries, record), now)
    except NotSetUp:
        raise
    except (ReadOnly, GitFailed, HipogitError) as problem:
        if not spool:
            raise
        waiting.put(store, entries, record)
        store.ledger.note(
            now.isoformat(),
            record.action,
            f"{counted(len(entries), 'entry')} in the spool: {problem.sentence}",
            "hipogit status",
        )
        return Remembered(None, True, entries, findings, problem.sentence)
    tip = written.commits[0] if written else store.tip()
    return Remembered(tip, False, entries, findings)


def adding(
    snapshot: Snapshot, entries: Sequence[Entry], record: Record
) -> list[Step] | None:
    """The step that puts entries into their journals; None when all stand there."""
    if snapshot.tip is None:
        raise NotSetUp.no_branch()
    changes: dict[str, str | None] = {}
    added: list[str] = []
    for entry in entries:
        if entry.day is None:
            # Passed over in silence, it would count as written.
            raise Usage(f"the entry {entry.topic!r} has no day in its id {entry.id!r}")
    days = sorted({entry.day for entry in entries if entry.day})
    for when in days:
        day = Day(when)
        here = [entry for entry in entries if entry.day == when]
        old = snapshot.read(day.journal)
        before = Journal.parse(day, old or "")
        after = before.add(here)
        if after is not before:
            changes[day.journal] = after.render()
            ids = {entry.id for entry in before.entries}
            added += [entry.id for entry in here if entry.id not in ids]
    if not changes:
        return None
    return [Step(changes, replace(record, entries=tuple(dict.fromkeys(added))))]


def cleaned(store: Store, text: str) -> Cleaned:
    """A text without secrets, save what the settings of this memory say is none.

    Every door that brings text into memory uses this, or `admitted`.
    """
    cleaned = gate.clean(text)
    # Settings are read only when something was found: they cost more than the gate.
    if cleaned.findings and (allow := allowed(store)):
        cleaned = gate.clean(text, allow=allow)
    return cleaned


def start_day(session: Session | None, now: datetime) -> date:
    """The journal day of a statement: the local day its session began."""
    if session and session.start:
        with suppress(ValueError):
            day = datetime.fromisoformat(session.start).date()
            if day.year in YEARS:
                return day
    return now.date()


def person(git: Git) -> str:
    """The name git knows the user by, or nothing."""
    return git.settings(r"^user\.name$").get("user.name", "")


def code_state(git: Git) -> str:
    """The code commit and branch at this moment (`1f3a… main`), or nothing.

    In the memory worktree it is that of the main checkout.
    """
    where = ("--git-dir", str(git.common)) if _inside_memory(git) else ()
    done = git.attempt(*where, "rev-parse", "-q", "--verify", "HEAD")
    commit = done.stdout.decode("ascii", "replace").strip()
    if done.returncode or not commit:
        return ""
    named = git.attempt(*where, "symbolic-ref", "-q", "--short", "HEAD")
    branch = named.stdout.decode("utf-8", "replace").strip()
    return f"{commit} {branch}".strip()


def _inside_memory(git: Git) -> bool:
    return git.dir.parent.name == "worktrees" and git.dir.name.startswith("-hipogit")


def _subject(entries: Sequence[Entry]) -> str:
    more = f" (+{len(entries) - 1})" if len(entries) > 1 else ""
    return f"{entries[0].topic}{more}" if entries else "nothing"


_FEEDBACK = ("rule", "why", "how-to-apply")


_TOPIC = 200  # characters; every index and every line of the log repeats it


def _check(draft: Draft) -> None:
    if draft.standing == "stated" and len(draft.topic) > _TOPIC:
        raise Usage(
            f"the topic is {len(draft.topic)} characters long, {_TOPIC} are read",
            hint="name it in a few words and say the rest with -m",
        )
    if not draft.topic.strip():
        raise Usage("the entry has no topic", hint="begin it with `## Topic [type]`")
    if not draft.body.strip():
        raise Usage(
            f"the entry {draft.topic!r} says nothing",
            hint=f'hipogit checkpoint "{draft.topic}" -m "what to remember"',
        )
    if draft.type == "feedback" and draft.standing == "stated":
        fields = Entry(draft.topic, draft.body).fields()
        missing = [key for key in _FEEDBACK if not fields.get(key)]
        if missing:
            raise Usage(
                f"the feedback {draft.topic!r} lacks {', '.join(missing)}",
                hint=" ".join(f'-f {key}="…"' for key in missing),
            )
    if draft.day.year not in YEARS or draft.at.year not in YEARS:
        raise Usage(
            f"the entry {draft.topic!r} is dated {draft.day}",
            hint=f"memory keeps the years {YEARS.start} to {YEARS.stop - 1}",
        )
    text = draft.topic + draft.body
    if "\0" in text:
        raise Usage(
            f"the entry {draft.topic[:40]!r} holds NUL bytes",
            hint="name the file instead of pasting it",
        )
    if len(draft.body) > _LARGEST // 4 and len(draft.body.encode()) > _LARGEST:
        raise Usage(
            f"the entry {draft.topic[:40]!r} is larger than {_LARGEST >> 20} MB",
            hint="keep what matters next month and name the file for the rest",
        )
