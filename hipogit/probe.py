"""The live probe: every hook path that was set up is fired, and has to arrive.

A hook that is written down may still never run: disabled by a manager, its interpreter
gone, the program not on the agent's PATH. So each is run as its host runs it, with
HIPOGIT_PROBE=1, under which it does nothing but leave a mark.
"""

from __future__ import annotations

import subprocess
import time
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from . import agents, install
from .errors import HipogitError
from .plumbing import decode
from .quick import environment
from .store import Store

_LIMIT = 20.0  # seconds; a hook that takes longer is one the host would give up on


class Probe(NamedTuple):
    """One hook path: how it is reached, whether it arrives (None: not fired), when it
    last did so for a real event."""

    host: str
    event: str
    ok: bool | None
    last: str
    problem: str


def recorded(store: Store) -> list[Probe]:
    """What is known without firing: which paths there are, when each last arrived."""
    return [
        Probe(host, event, None, _last(store, host, event), "")
        for host, event, _ in _paths(store)
    ]


def fire(store: Store) -> list[Probe]:
    """Fire every path and see what arrives."""
    return [_fire(store, *path) for path in _paths(store)]


def _paths(store: Store) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    view = store.view
    if view and view.present:
        with suppress(HipogitError):
            hooks = decode(view.run_plain("rev-parse", "--git-path", "hooks")).strip()
            for name in install.HOOKS:
                yield "git", name, (str((view.path / hooks).resolve() / name),)
    for platform, command in agents.commands(store.git):
        words = command.split()
        event = words[words.index("hook") + 2] if "hook" in words else command
        yield platform, event, ("/bin/sh", "-c", command)


def _fire(store: Store, host: str, event: str, words: tuple[str, ...]) -> Probe:
    view = store.view
    where = view.path if host == "git" and view else store.git.toplevel
    mark = store.local / "reached" / f"{host}.{event}.probe"
    before = _mtime(mark)
    env = {**environment(), "HIPOGIT_PROBE": "1"}
    for name in ("GIT_TERMINAL_PROMPT", "GIT_NO_REPLACE_OBJECTS", "GIT_OPTIONAL_LOCKS"):
        env.pop(name, None)
    problem = ""
    began = time.time()
    try:
        done = subprocess.run(
            words, cwd=where or store.git.common, env=env, input=b"{}",
            capture_output=True, timeout=_LIMIT, check=False,
        )  # fmt: skip
        if done.returncode:
            said = decode(done.stderr).strip().split("\n")[-1]
            problem = f"exit {done.returncode}{': ' if said else ''}{said}"
    except (OSError, subprocess.TimeoutExpired) as failed:
        problem = f"it could not be run: {failed}"
    after = _mtime(mark)
    if not problem and (after is None or (before == after and after < began - 1)):
        problem = "it ran, but hipogit was not reached"
    return Probe(host, event, not problem, _last(store, host, event), problem)


def _last(store: Store, host: str, event: str) -> str:
    at = _mtime(store.local / "reached" / f"{host}.{event}")
    if at is None:
        return ""
    return datetime.fromtimestamp(at).astimezone().isoformat(timespec="seconds")


def _mtime(path: Path) -> float | None:
    try:
        return path.stat().st_mtime
    except OSError:
        return None
