"""Install, check and uninstall on any set of platforms, with a record to undo it by."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path

from hipogit.errors import HipogitError, Usage
from hipogit.platforms import files
from hipogit.platforms.blockfile import PATTERNS, Block
from hipogit.platforms.edits import (
    Edit,
    Made,
    OwnFile,
    Site,
    Trace,
    digest,
    undone,
)
from hipogit.platforms.record import Record, load, save
from hipogit.platforms.server import ServerFile, Together, TomlServer
from hipogit.platforms.table import TABLE, platform


@dataclass(slots=True)
class Outcome:
    """What became of one platform.

    `changed` are files written, `kept` sentences on what was left alone, `needs` what
    the user has to do besides.
    """

    platform: str
    changed: list[Path] = field(default_factory=list)
    kept: list[str] = field(default_factory=list)
    needs: list[str] = field(default_factory=list)
    error: HipogitError | None = None


def detected(site: Site) -> dict[str, list[str]]:
    """The platforms in use here, each with what gave it away."""
    found = {name: host.detect(site) for name, host in TABLE.items()}
    return {name: evidence for name, evidence in found.items() if evidence}


def install(site: Site, names: Iterable[str], record: Path) -> list[Outcome]:
    """Install on each platform, all of its files or none; a second run changes nothing.

    A file that cannot be changed safely is that platform's `error`; the others go on.
    """
    known = load(record)
    outcomes = []
    for name in names:
        outcome = Outcome(name)
        outcomes.append(outcome)
        try:
            _install(site, name, known, outcome)
        except HipogitError as error:
            outcome.error = error
        # Saved after each: what was written must stay undoable when the next one fails.
        save(record, known)
    _hide(site, known)
    save(record, known)
    return outcomes


def team_has(site: Site, name: str) -> bool:
    """Whether this agent's hooks came with the project, for the whole team."""
    hooks = [
        edit
        for edit in platform(name).plan(replace(site, shared=True, mcp=False))
        if not isinstance(edit, Block) and site.tracked(edit.path)
    ]
    return bool(hooks) and _stands(hooks[0])


def team_serves(site: Site, name: str) -> bool:
    """Whether the server came with the project as well."""
    wanted = platform(name).plan(replace(site, shared=True, mcp=True))
    return all(
        _stands(edit)
        for edit in wanted
        if isinstance(edit, ServerFile | TomlServer | Together)
    )


def _stands(edit: Edit) -> bool:
    try:
        return edit.intact(files.read(edit.path) or b"")
    except HipogitError:
        return False


def adopt(site: Site, name: str, record: Path) -> None:
    """Note that the team's files serve this clone too; nothing is written to them."""
    known = load(record)
    known.platforms[name] = True
    if site.mcp:
        known.servers.add(name)
    _drop_stale(site, known)
    _hide(site, known)
    save(record, known)


def _install(site: Site, name: str, known: Record, outcome: Outcome) -> None:
    site = replace(site, mcp=site.mcp or name in known.servers)
    edits = platform(name).plan(site)
    todo: list[tuple[Edit, Made, bytes | None]] = []
    for edit in edits:
        old = files.read(edit.path)
        if old is not None and edit.intact(old):
            continue
        if old is not None and _is_the_teams(site, name, edit.path):
            if isinstance(edit, OwnFile):
                continue  # another release's skill serves as well
            raise Usage(
                f"{edit.path} is in git, so a change to it is the whole team's",
                hint=f"hipogit init --platform {name} --shared",
            )
        made = _made(edit, old, known.traces.get(site.key(edit.path)))
        if made is not None:
            todo.append((edit, made, old))
        else:
            outcome.kept.append(f"{edit.path} was changed by hand and is left as it is")
    for edit, made, old in todo:
        _write(site, edit.path, made, old, known)
        outcome.changed.append(edit.path)
    known.platforms[name] = site.shared
    if site.mcp:
        known.servers.add(name)
    outcome.changed += _drop_stale(site, known)
    outcome.needs = platform(name).needs(site)


def _hide(site: Site, known: Record) -> None:
    """Name the personal files that we made in info/exclude, in a block of our own."""
    if site.exclude is None:
        return
    plans = [
        edit
        for name, shared in known.platforms.items()
        if not shared
        for edit in platform(name).plan(mode(site, known, name))
    ]
    hidden = {
        f"/{site.key(edit.path)}"
        for edit in plans
        if edit.path.is_relative_to(site.project)
        and _created(known, site.key(edit.path))
        and not site.tracked(edit.path)
    }
    key, old = site.key(site.exclude), files.read(site.exclude)
    block = Block(site.exclude, "\n".join(sorted(hidden)), PATTERNS)
    if not hidden:
        if _undo(site, key, block, known.traces.get(key)):
            known.traces.pop(key, None)
    elif old is None or not block.intact(old):
        made = _made(block, old, known.traces.get(key))
        assert made is not None  # a block is put right, never left alone
        _write(site, site.exclude, made, old, known)


def _is_the_teams(site: Site, name: str, path: Path) -> bool:
    # An OpenClaw workspace is one agent's own, also where it is kept in git.
    return not site.shared and name != "openclaw" and site.tracked(path)


def _made(edit: Edit, old: bytes | None, trace: Trace | None) -> Made | None:
    """What to write; None to leave somebody's own version alone."""
    if old is None:
        return edit.install(None)
    before = undone(old, trace) if trace else None
    if trace and before is not None:
        return edit.install(None if trace.created else before)
    return edit.renew(old, trace)


def _write(
    site: Site, path: Path, made: Made, old: bytes | None, known: Record
) -> None:
    key = site.key(path)
    before = known.traces.get(key)
    known.folders |= {site.key(folder) for folder in files.write(path, made.data)}
    known.traces[key] = Trace(
        key=key,
        digest=digest(made.data) if made.spans else "",
        created=before.created if before and old is not None else old is None,
        spans=made.spans,
        filled=made.filled,
    )


def _created(known: Record, key: str) -> bool:
    trace = known.traces.get(key)
    return trace is not None and trace.created


def _drop_stale(site: Site, known: Record) -> list[Path]:
    """Undo what an earlier install did and today's would not: another mode or name."""
    wanted = {
        site.key(edit.path)
        for name in known.platforms
        for edit in platform(name).plan(mode(site, known, name))
    }
    if site.exclude:
        wanted.add(site.key(site.exclude))
    edits = _every_edit(site, known)
    dropped = []
    for key in [key for key in known.traces if key not in wanted]:
        if _undo(site, key, edits.get(key), known.traces[key]):
            dropped.append(site.at(key))
        del known.traces[key]
    files.prune(site.at(folder) for folder in known.folders)
    return dropped


def uninstall(site: Site, record: Path) -> tuple[list[Path], list[str]]:
    """Take everything out again: (changed files, sentences on what had to stay)."""
    known = load(record)
    edits = _every_edit(site, known)
    changed: list[Path] = []
    kept: list[str] = []
    for key in sorted({*edits, *known.traces}):
        path, trace = site.at(key), known.traces.get(key)
        if trace is None and site.tracked(path):
            # Without a record, entries in a file of the team's came from the team.
            continue
        try:
            if _undo(site, key, edits.get(key), trace):
                changed.append(path)
            elif trace is not None and path.exists():
                kept.append(f"{path} was changed by hand and is left as it is")
        except HipogitError as error:
            kept.append(error.sentence)
    files.prune(site.at(folder) for folder in known.folders)
    save(record, Record())
    return changed, kept


def mode(site: Site, known: Record, name: str) -> Site:
    """The site as that platform was set up in."""
    shared, mcp = known.platforms.get(name, False), name in known.servers
    return replace(site, shared=shared, mcp=mcp)


def _every_edit(site: Site, known: Record) -> dict[str, Edit]:
    """Every file that an install, personal or shared, may have touched."""
    # The index may be gone by now, and its block still has to be looked for.
    index = site.index or site.project / ".git" / "hipogit"
    hidden = [Block(site.exclude, "", PATTERNS)] if site.exclude else []
    return {site.key(edit.path): edit for edit in hidden} | {
        site.key(edit.path): edit
        for shared in (False, True)
        for name, host in TABLE.items()
        for edit in host.plan(
            # A server of somebody's own hand is not ours to take out.
            replace(site, shared=shared, index=index, mcp=name in known.servers)
        )
    }


def _undo(site: Site, key: str, edit: Edit | None, trace: Trace | None) -> bool:
    """Take ours out of one file; whether that changed anything."""
    path = site.at(key)
    data = files.read(path)
    if data is None:
        return False
    left = _without(edit, data, trace)
    if left is None:
        files.delete(path)
    elif left != data:
        files.write(path, left)
    return left != data


def _without(edit: Edit | None, data: bytes, trace: Trace | None) -> bytes | None:
    """The bytes without what is ours; None when the file goes as a whole."""
    created = trace is not None and trace.created
    before = undone(data, trace) if trace else None
    if before is not None:
        return None if created else before
    if edit is None:
        return data
    left = edit.remove(data, trace)
    if left != data and edit.nothing(left) and (created or not left):
        return None
    return left


def check(site: Site, record: Path) -> list[str]:
    """What stands between the installed platforms and memory, one sentence each."""
    problems = []
    known = load(record)
    for name in known.platforms:
        here = mode(site, known, name)
        for edit in platform(name).plan(here):
            try:
                data = files.read(edit.path)
                if data is None:
                    problems.append(f"{name}: {edit.path} is missing (hipogit init)")
                elif not edit.intact(data) and not isinstance(edit, OwnFile):
                    # A skill may be somebody's own by now, or of another release.
                    problems.append(
                        f"{name}: {edit.path} lost its entries (hipogit init)"
                    )
            except HipogitError as error:
                problems.append(f"{name}: {error.sentence}")
        problems += [f"{name}: {problem}" for problem in platform(name).check(here)]
    return list(dict.fromkeys(problems))
