"""Setting memory up in a repository, and taking it out again byte for byte.

What is touched: the memory branch, a linked worktree, one line in `info/exclude`,
`<common git dir>/hipogit/`, and one section at the end of `config` that is in force for
the memory worktree alone. Everything touched is written down, so that `uninstall` can
put back what was there.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from . import access, config, lineage, touched, worktree
from .assets import asset
from .counted import counted
from .entry import parse_all
from .errors import HipogitError, NotSetUp, Refused, Usage
from .periods import journal_day
from .plumbing import Git, decode, encode
from .quick import DEFAULT_BRANCH
from .record import Record
from .store import Snapshot, Step, Store

HOOKS = (
    "pre-commit",
    "pre-merge-commit",
    "commit-msg",
    "post-commit",
    "post-merge",
    "post-rewrite",
    "pre-push",
)
_FILES = {
    "SCRATCHPAD.md": "SCRATCHPAD.md",
    "WORKING.md": "WORKING.md",
    "TASK-QUEUE.md": "TASK-QUEUE.md",
    "hipogit.toml": "hipogit.toml",
    ".gitattributes": "gitattributes",
    ".pre-commit-config.yaml": "pre-commit-config.yaml",
}
_VIEW = ".hipogit"


class Made(NamedTuple):
    """What `init` set up: `created` names what was not there before."""

    branch: str
    worktree: str | None
    created: tuple[str, ...]
    notes: tuple[str, ...]


def init(
    git: Git,
    now: datetime,
    *,
    branch: str = "",
    view: Path | None = None,
    with_view: bool = True,
    remote: str = "",
    settings: Mapping[str, config.Value] | None = None,
) -> Made:
    """Set memory up. Doing it again changes nothing that is right already."""
    local = git.common / "hipogit"
    _writable(git)
    notes: list[str] = []
    url = _remote_url(git, remote) if remote else ""
    name = _branch(git, branch, notes)
    place = _place(git, view) if with_view else None
    created = [] if local.is_dir() else [str(local)]
    store = Store(git, f"refs/heads/{name}")
    _memory(git, name, store.tip())
    # Two at once would both find no view and both make it.
    with store.lock(name="init.lock"):
        if place:
            try:
                _free(git, place, store.ref)
            except Refused:
                if created:
                    shutil.rmtree(local)
                raise
        _own_folder(git, local, name)
        if settings:
            _settings(local, settings, created)
        if store.tip() is None:
            created.append(_first_commit(store, now, remote, notes))
        if url:
            counts = _counts(store)
            notes.append(f"memory may be published to {remote} ({url}): {counts}")
        if place:
            created += _view(store, place)
    return Made(name, str(place) if place else None, tuple(created), tuple(notes))


def uninstall(git: Git, *, delete_memory: bool = False) -> list[str]:
    """Take everything out again; the names of what is gone.

    The branch stays unless asked. Raises Refused when there is something that was
    never committed: edits in the view, or writes in the spool.
    """
    store = removable(git, delete_memory=delete_memory)
    local = store.local
    removed = []
    view = store.view
    for spool in store.spools:
        # One of them lies outside: the next memory here must not find it.
        shutil.rmtree(spool.path, ignore_errors=True)
        touched.drop_empty(spool.path.parent)
    if view:
        worktree.forget(git)
        if not view.path.exists():
            removed.append(str(view.path))
    if delete_memory:
        for ref in git.refs(store.ref, "refs/hipogit"):
            git.run("update-ref", "-d", ref)
            removed.append(ref)
        for folder in ("refs/heads", "logs/refs/heads", "refs", "logs/refs"):
            touched.drop_empty(git.common / folder / "hipogit")
    removed += touched.restore(git, local)
    shutil.rmtree(local)
    return removed


def removable(git: Git, *, delete_memory: bool = False) -> Store:
    """The memory that `uninstall` would take out. Raises Refused when it would not."""
    if not (git.common / "hipogit").is_dir():
        raise NotSetUp("hipogit is not set up here", hint="hipogit init")
    store = Store.open(git.common)
    _writable(git, store.view)
    waiting = sum(len(spool.items()) for spool in store.spools)
    if waiting and not delete_memory:
        raise Refused(
            f"{counted(waiting, 'write')} could not be committed and would be lost",
            hint="hipogit status, or hipogit uninstall --delete-memory",
        )
    view = store.view
    edits = [edit.path for edit in view.edits()] if view and view.present else []
    if edits and not delete_memory:
        raise Refused(
            f"{view and view.path} holds uncommitted edits: {', '.join(edits[:3])}",
            hint="hipogit compact, or hipogit uninstall --delete-memory",
        )
    return store


def _writable(git: Git, view: worktree.Worktree | None = None) -> None:
    """Raise ReadOnly before anything is touched, rather than stop half way."""
    place = access.blocked(git.common)
    if not place and view and view.path.exists() and not os.access(view.path, os.W_OK):
        place = view.path
    if place:
        raise access.refusal(place)


def hook_names() -> Sequence[str]:
    """Files in the hook folder of the memory worktree."""
    return (*HOOKS, "clean-filter")


def scoped_config(git: Git, view: Path) -> str:
    """Configuration in force for the memory worktree only.

    Paths are relative to the worktree, so that a moved repository keeps working.
    """
    hooks = os.path.relpath(git.common / "hipogit" / "hooks", view)
    exclude = git.common / "hipogit" / "exclude"
    return (
        "[core]\n"
        f"\thooksPath = {_quoted(hooks)}\n"
        "\tsparseCheckout = false\n"
        "\tautocrlf = false\n"
        f"\texcludesFile = {_quoted(os.path.relpath(exclude, view))}\n"
        '[filter "hipogit"]\n'
        f"\tclean = {_quoted(_shell(hooks + '/clean-filter'))}\n"
        # A required filter is required both ways: without this no file can be
        # checked out by hand.
        "\tsmudge = cat\n"
        "\trequired = true\n"
    )


def include_section(admin: str) -> str:
    """The section of the repository's config that brings the scoped one in."""
    return f'[includeIf "gitdir:./worktrees/{admin}"]\n\tpath = hipogit/gitconfig\n'


def include_last(git: Git, admin: str) -> None:
    """Move our section behind what was written after it: the last value holds."""
    path = git.common / "config"
    section = encode(include_section(admin))
    touched.rewrite(path, path.read_bytes().replace(section, b"") + section)


def _branch(git: Git, wanted: str, notes: list[str]) -> str:
    try:
        here = decode((git.common / "hipogit" / "branch").read_bytes()).strip()
    except OSError:
        here = ""
    if here and wanted and here != wanted:
        raise Usage(
            f"this repository keeps its memory on {here}",
            hint=f"git branch -m {here} {wanted}, or hipogit uninstall first",
        )
    name = here or wanted
    if not name:
        name = DEFAULT_BRANCH
        if git.refs("refs/heads/hipogit").get("refs/heads/hipogit"):
            # git cannot hold `hipogit` and `hipogit/memory` at once.
            name = "hipogit-memory"
            notes.append(f"a branch hipogit exists, so memory is kept on {name}")
    if git.attempt("check-ref-format", "--branch", name).returncode:
        raise Usage(f"{name!r} cannot be a branch name", hint="git check-ref-format")
    if not here and name == _current(git):
        raise Usage(f"{name} is checked out here", hint="choose another with --branch")
    return name


def _memory(git: Git, name: str, tip: str | None) -> None:
    if tip and lineage.foreign(git, tip):
        raise Refused(
            lineage.sentence(name, tip),
            hint="hipogit doctor --fix if it was once; else another name: --branch",
        )


def _remote_url(git: Git, name: str) -> str:
    remotes = git.remotes()
    if name not in remotes:
        known = ", ".join(sorted(remotes)) or "none"
        raise Usage(
            f"there is no remote {name} (there is: {known})",
            hint=f"git remote add {name} URL",
        )
    return remotes[name]


def _counts(store: Store) -> str:
    """How many entries of which standing would go out."""
    from collections import Counter

    found: Counter[str] = Counter()
    with store.snapshot() as snapshot:
        for path in snapshot.paths("memory/"):
            if journal_day(path):
                entries = parse_all(snapshot.read(path) or "")[1]
                found.update(entry.standing for entry in entries)
    return ", ".join(f"{n} {name}" for name, n in sorted(found.items())) or "empty"


def _current(git: Git) -> str:
    done = git.attempt("symbolic-ref", "-q", "--short", "HEAD")
    return decode(done.stdout).strip()


def _own_folder(git: Git, local: Path, name: str) -> None:
    (local / "hooks").mkdir(parents=True, exist_ok=True)
    (local / "sessions").mkdir(exist_ok=True)
    script = asset("hooks", "hook").read_text("utf-8")
    for hook in hook_names():
        touched.put(local / "hooks" / hook, script)
        (local / "hooks" / hook).chmod(0o755)
    touched.put(local / "interpreter", sys.executable + "\n")
    touched.put(local / "exclude", "/.spool/\n/.npmignore\n*.local\n")
    touched.put(local / "branch", name + "\n")


def _settings(
    local: Path, settings: Mapping[str, config.Value], created: list[str]
) -> None:
    now = config.load(local)
    if any(now.given[key].value != value for key, value in settings.items()):
        config.save(local, settings)
        created.append(str(local / "config.toml"))


def _first_commit(store: Store, now: datetime, remote: str, notes: list[str]) -> str:
    git, name = store.git, store.branch
    if remote:
        kept = f"refs/hipogit/remotes/{remote}"
        done = git.attempt(
            "fetch", "-q", "--no-tags", remote, f"+{store.ref}:{kept}", timeout=600
        )
        if done.returncode and b"remote ref" not in done.stderr:
            said = decode(done.stderr).strip().removeprefix("fatal: ")
            raise HipogitError(
                f"{remote} could not be read: {said.split(chr(10))[0]}",
                hint=f"git fetch {remote}",
            )
        oids = [*git.refs(kept).values()]
    else:
        tracked = git.refs(f"refs/remotes/*/{name}")
        oids = list(dict.fromkeys(tracked.values()))
        if len(oids) > 1:
            raise Usage(
                f"several remotes hold {name}: {', '.join(sorted(tracked))}",
                hint="hipogit init --remote NAME",
            )
    if oids:
        _memory(git, name, oids[0])
        git.run("update-ref", store.ref, oids[0], "")
        notes.append(f"joined the memory that a remote already holds ({oids[0][:10]})")
        return store.ref
    files: dict[str, str | None] = {
        path: asset("templates", f"branch/{name}").read_text("utf-8")
        for path, name in _FILES.items()
    }
    # Of this branch alone, or marks of one secret would agree between repositories.
    files["hipogit.toml"] = f'{files["hipogit.toml"]}salt = "{os.urandom(8).hex()}"\n'

    def decide(snapshot: Snapshot) -> list[Step] | None:
        if snapshot.tip:  # another init was faster
            return None
        return [Step(files, Record("init", "memory begins"))]

    store.transact(decide, now)
    return store.ref


def main_worktree(git: Git) -> Path | None:
    """The repository's main checkout, or None when it is bare."""
    out = decode(git.run("worktree", "list", "--porcelain"))
    first = out.split("\n\n", 1)[0].split("\n")
    if "bare" in first:
        return None
    path = Path(first[0].removeprefix("worktree "))
    if path.is_dir() and (path / ".git").exists():
        return path
    # A path with a newline, or a submodule: git's own answer for where we are.
    return git.toplevel


def _place(git: Git, view: Path | None) -> Path | None:
    known = worktree.find(git)
    if known:
        return known.path
    if view:
        return view.resolve()
    top = main_worktree(git)
    return top / _VIEW if top else None


def _free(git: Git, place: Path, ref: str) -> None:
    known = worktree.find(git) or worktree.adopted(git, place, ref)
    if known and known.present:
        return
    # Through a link all of memory would be written to wherever it leads.
    taken = place.is_symlink() or (place.exists() and not place.is_dir())
    if taken or (place.exists() and any(place.iterdir())):
        raise Refused(
            f"{place} exists already",
            hint="move it away, or name another folder: --worktree PATH",
        )


def _view(store: Store, place: Path) -> list[str]:
    git, local = store.git, store.local
    created = []
    known = worktree.find(git)
    tip = store.tip()
    assert tip
    if known and known.present and known.shown is None:
        known.reset(tip)  # an init was killed while it checked out
    if not (known and known.present):
        git.attempt("worktree", "prune")
        known = worktree.create(git, place, store.ref, tip)
        created.append(str(place))
    touched.put(local / "gitconfig", scoped_config(git, place))
    touched.append(git.common / "config", include_section(known.admin.name), local)
    top = main_worktree(git)
    if top and place.parent == top:
        info = git.common / "info" / "exclude"
        touched.append(info, f"/{place.name}/\n", local)
    # `npm pack` does not read info/exclude and would ship the memory.
    touched.put(place / ".npmignore", "*\n")
    return created


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


def _shell(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "' %f"
