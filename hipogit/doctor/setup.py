"""Faults of what `init` put beside the branch: folder, hooks, config, view, agents."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import datetime
from pathlib import Path

from .. import access, agents, install, worktree
from ..assets import asset
from ..errors import Refused
from ..plumbing import decode
from ..quick import environment
from ..recall import index, stamp
from ..store import Store, cleared
from . import Fault

_ASK = "allow it in the agent, then: hipogit status --probe"


def faults(store: Store, now: datetime) -> Iterator[Fault]:
    """What is missing or bent; each is mended by putting it there anew."""
    git, local = store.git, store.local
    known = worktree.find(git)

    def again() -> None:
        install.init(
            git, now, branch=store.branch, with_view=known is not None or not bare
        )

    bare = install.main_worktree(git) is None
    hint = "hipogit doctor --fix"
    if not (local / "branch").exists():
        begun = local.is_dir() or store.tip()
        what = "hipogit is not set up here"
        if local.is_dir():
            what = "init was never finished"
        elif begun:
            what = f"there is memory on {store.branch}, but this clone is not set up"
        yield Fault("half-done-init", what, "hipogit init", again if begun else None)
        return
    if place := access.blocked(git.common):
        refused = access.refusal(place)
        what = f"what is said waits in the spool: {refused.sentence}"
        yield Fault("read-only", what, refused.hint)
    if not (local / "hooks").is_dir() or not (local / "sessions").is_dir():
        yield Fault("half-done-init", f"{local} is not complete", hint, again)
    yield from _hooks(local, again)
    yield from _interpreter(local, again)
    if known is not None:
        yield from _config(store, known, again)
        yield from _view(store, known, again)
    for sentence in agents.problems(git):
        # Only what lost our entries is put back; trust and approval are a person's.
        ours = "hipogit init)" in sentence
        core = "Core section" in sentence
        yield Fault(
            "platform",
            sentence,
            "hipogit core" if core else "hipogit init" if ours else _ASK,
            _installer(store) if ours else None,
        )
    yield from _index(store)
    yield from _shipped(store)


def _hooks(local: Path, again: Callable[[], None]) -> Iterator[Fault]:
    script = asset("hooks", "hook").read_bytes()
    for name in install.hook_names():
        path = local / "hooks" / name
        if not path.is_file():
            what = f"the hook {name} is missing"
        elif not os.access(path, os.X_OK):
            what = f"the hook {name} cannot be executed"
        elif path.read_bytes() != script:
            what = f"the hook {name} is not the one this version writes"
        else:
            continue
        yield Fault("hook", what, "hipogit doctor --fix", again)


def _interpreter(local: Path, again: Callable[[], None]) -> Iterator[Fault]:
    python = ""
    with suppress(OSError):
        python = decode((local / "interpreter").read_bytes()).strip()
    if not python or not os.access(python, os.X_OK):
        what = f"the Python that hooks use is gone: {python or 'none is named'}"
    elif python != sys.executable and not _has_us(python):
        what = f"the Python that hooks use has no hipogit any more: {python}"
    else:
        return
    yield Fault("interpreter", what, "hipogit doctor --fix", again)


def _has_us(python: str) -> bool:
    """Whether that Python can import this package, as a hook would."""
    try:
        done = subprocess.run(
            [python, "-P", "-c", "import hipogit"],
            env=environment(), capture_output=True, timeout=20, check=False,
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


def _config(
    store: Store, view: worktree.Worktree, again: Callable[[], None]
) -> Iterator[Fault]:
    git, local = store.git, store.local
    hint = "hipogit doctor --fix"
    section = install.include_section(view.admin.name)
    config = git.common / "config"
    if section not in decode(config.read_bytes()):
        yield Fault("include", f"{config} lost the section of ours", hint, again)
        return
    wanted = install.scoped_config(git, view.path)
    have = ""
    with suppress(OSError):
        have = decode((local / "gitconfig").read_bytes())
    if have != wanted:
        yield Fault("include", f"{local / 'gitconfig'} was changed", hint, again)
        return
    if view.present:
        found = decode(view.run_plain("rev-parse", "--git-path", "hooks")).strip()
        if (view.path / found).resolve() != (local / "hooks").resolve():
            yield Fault(
                "hooks-disabled",
                f"hooks of the memory worktree are taken from {found}",
                "git config --show-origin --get-all core.hooksPath: ours must be last",
                lambda: install.include_last(git, view.admin.name),
            )
    exclude = git.common / "info" / "exclude"
    line = f"/{view.path.name}/"
    if view.path.parent == install.main_worktree(git):
        lines = decode(exclude.read_bytes()).split("\n") if exclude.exists() else []
        if line not in lines:
            yield Fault("exclude", f"{exclude} lost the line {line}", hint, again)


def _view(
    store: Store, view: worktree.Worktree, again: Callable[[], None]
) -> Iterator[Fault]:
    git = store.git
    if not view.path.exists() or not (view.admin / "HEAD").exists():
        yield Fault(
            "view-gone", f"the view {view.path} is gone", "hipogit doctor --fix", again
        )
        return
    pointer = view.path / ".git"
    said = decode(pointer.read_bytes()).strip() if pointer.is_file() else ""
    place = Path(said.removeprefix("gitdir: ")) if said else None
    if place is None and (view.path.is_symlink() or not view.path.is_dir()):
        # A repair would write through the link, or over what is no folder of ours.
        yield Fault(
            "view-gone",
            f"something else stands at {view.path}, where the view was",
            f"mv {view.path} {view.path}.old && hipogit doctor --fix",
        )
        return
    if place is None or place.resolve() != view.admin.resolve():
        yield Fault(
            "moved",
            f"{view.path} points to {place}, where the repository was"
            if place
            else f"{view.path} lost the file .git that leads to its repository",
            f"git worktree repair {view.path}",
            lambda: _repair(store, view),
        )
        return
    head = decode(git.attempt("--git-dir", str(view.admin), "symbolic-ref", "-q",
                              "HEAD").stdout).strip()  # fmt: skip
    if head != store.ref:
        yield Fault(
            "detached",
            f"{view.path} is on {head or 'no branch'}, not on {store.branch}",
            "hipogit doctor --fix",
            lambda: view.attach(store.ref),
        )
    tip = store.tip()
    if tip and view.shown != tip:
        edits = [edit.path for edit in view.edits()]
        yield Fault(
            "behind",
            f"{view.path} does not show the tip"
            + (f"; edited there: {', '.join(edits[:3])}" if edits else ""),
            "hipogit doctor --fix saves edits in the way as FILE.local",
            lambda: _refresh(store, view, tip),
        )


def _repair(store: Store, view: worktree.Worktree) -> None:
    (view.path / ".git").write_text(f"gitdir: {view.admin}\n", encoding="utf-8")
    store.git.run("worktree", "repair", str(view.path))


def _refresh(store: Store, view: worktree.Worktree, tip: str) -> None:
    if view.shown is None:
        # The note of what it shows is lost; its index still says it.
        tree = decode(view.run("write-tree")).strip()
        commits = store.git.run("log", "--format=%T %H", tip)
        lines = (line.split() for line in decode(commits).splitlines())
        of_trees = {words[0]: words[1] for words in lines if len(words) == 2}
        if tree in of_trees:
            view.mark_shown(of_trees[tree])
    view.refresh(tip, cleared)


def _installer(store: Store) -> Callable[[], None]:
    return lambda: _installed(store)


def _installed(store: Store) -> None:
    names = agents.installed(store.git)
    failed = [one.error for one in agents.setup(store.git, names) if one.error]
    if failed:
        raise Refused("; ".join(map(str, failed)), hint="hipogit init")


def _index(store: Store) -> Iterator[Fault]:
    path = stamp.path(store.local)
    if path.exists() and stamp.read(store.local) is None:
        yield Fault(
            "index",
            f"the search index {path} is not what was written there",
            f"rm {path}: the next search makes it anew",
            lambda: index.discard(store.local),
        )


def _shipped(store: Store) -> Iterator[Fault]:
    view = worktree.find(store.git)
    top = install.main_worktree(store.git)
    if view is None or top is None or view.path.parent != top:
        return
    if any(top.glob("Dockerfile*")):
        ignore = top / ".dockerignore"
        lines = decode(ignore.read_bytes()).split() if ignore.exists() else []
        names = {line.strip("/").removeprefix("**/") for line in lines}
        if not names & {view.path.name, ".*", "*", "**"}:
            yield Fault(
                "shipped",
                f"an image built from {top} would hold the memory",
                f"add {view.path.name} to {ignore}",
            )
    if (top / "package.json").exists() and not (view.path / ".npmignore").exists():
        yield Fault(
            "shipped",
            "npm pack would ship the memory: it does not read info/exclude",
            f"put a line * into {view.path / '.npmignore'}",
        )
