"""The agents set up in this repository's worktrees: in, out, and what ails them."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from collections.abc import Sequence
from contextlib import nullcontext, suppress
from dataclasses import replace
from pathlib import Path

from . import hot, publish, quick, workspace, worktree
from .errors import HipogitError, Usage
from .install import main_worktree
from .platforms import files, installer, jsonfile
from .platforms.edits import Site
from .platforms.record import load
from .platforms.table import TABLE, platform
from .plumbing import Git, decode, encode
from .store import Store


def setup(
    git: Git, wanted: Sequence[str], *, shared: bool = False, mcp: bool = False
) -> list[installer.Outcome]:
    """Install on the named agents; `auto` stands for those in use here.

    With `mcp` they get the MCP server too, in their own settings. Doing it again
    changes nothing: an agent keeps the mode it was set up in, and where the team's
    files already bring the hooks, nothing is added beside them.
    """
    site = here(git)
    if site is None:
        return []
    # Two that run at once would each undo by a record that knows nothing of the other.
    with Store.open(git.common).lock(name="init.lock"):
        return _setup(git, site, wanted, shared=shared, mcp=mcp)


def _setup(
    git: Git, site: Site, wanted: Sequence[str], *, shared: bool, mcp: bool
) -> list[installer.Outcome]:
    record = _record(git, site.project)
    known = load(record).platforms
    names = [name for name in wanted if name not in ("auto", "none")]
    for name in names:
        platform(name)  # refuses a name there is not, before anything is written
    if "none" in wanted and (names or "auto" in wanted):
        raise Usage("none cannot be combined with another platform")
    if "auto" in wanted:
        names += [*known, *installer.detected(site)]
    outcomes = []
    for name in dict.fromkeys(names):
        here_ = replace(site, mcp=mcp)
        if not shared and installer.team_has(site, name):
            outcome = installer.Outcome(name, needs=TABLE[name].needs(here_))
            if mcp and not installer.team_serves(site, name):
                outcome.error = Usage(
                    f"the team's files for {name} have no MCP server, and a change to"
                    " them is the whole team's",
                    hint=f"hipogit init --platform {name} --mcp --shared",
                )
                here_ = site
            installer.adopt(here_, name, record)
            outcomes.append(outcome)
            continue
        mode = replace(here_, shared=shared or known.get(name, False))
        if name == "claude-code" and not mode.shared:
            publish.begin(Store.open(git.common))
        outcomes += installer.install(mode, [name], record)
    return outcomes


def remove(git: Git) -> tuple[list[Path], list[str]]:
    """Take them out of every worktree: (changed files, what had to stay and why)."""
    store = Store.open(git.common)
    with store.lock(name="init.lock") if store.local.is_dir() else nullcontext():
        return _remove(git)


def _remove(git: Git) -> tuple[list[Path], list[str]]:
    changed: list[Path] = []
    kept: list[str] = []
    for project in _projects(git):
        done = installer.uninstall(_site(git, project), _record(git, project))
        changed += done[0]
        kept += done[1]
    if _borrower(git):
        _loans([row for row in _borrowed() if Path(row[1]) != git.dir])
    return changed, kept


def problems(git: Git) -> list[str]:
    """What stands between the agents set up here and memory, one sentence each."""
    site = here(git)
    if site is None:
        return []
    found = installer.check(site, _record(git, site.project))
    if "openclaw" in installed(git):
        with suppress(HipogitError, OSError):  # a branch that is not there is told
            changed = workspace.changed_core(Store.open(git.common), site.project)
            found += [f"openclaw: {changed}"] if changed else []
    return [*filter(None, [off_path() if installed(git) else ""]), *found]


def off_path() -> str:
    """What to do when agents would not find the program; empty when they would."""
    if shutil.which("hipogit"):
        return ""
    program = Path(sys.executable).parent / "hipogit"
    return (
        "no hipogit on PATH, so no hook of an agent can run:"
        f" ln -s {shlex.quote(str(program))} ~/.local/bin/"
    )


def flat_memory(git: Git) -> Path | None:
    """A MEMORY.md in this worktree that is worth importing."""
    site = here(git)
    path = site.project / "MEMORY.md" if site else None
    data = files.read(path) if path else None
    return path if data is not None and hot.is_flat(decode(data)) else None


def installed(git: Git) -> list[str]:
    """The agents set up in this worktree."""
    site = here(git)
    return sorted(load(_record(git, site.project)).platforms) if site else []


def commands(git: Git) -> list[tuple[str, str]]:
    """The commands that the agents set up in this worktree call, by agent.

    Those of hosts that load a script of ours are the ones the script would call.
    """
    site = here(git)
    if site is None:
        return []
    found: dict[tuple[str, str], None] = {}
    for name, shared in load(_record(git, site.project)).platforms.items():
        for edit in platform(name).plan(replace(site, shared=shared)):
            data = files.read(edit.path)
            if data is None:
                continue
            if isinstance(edit, jsonfile.HookFile):
                for line in jsonfile.commands(data, str(edit.path)):
                    found[name, line] = None
            elif edit.path.suffix in (".js", ".mjs", ".ts"):
                found[name, f"hipogit hook {name} session-start"] = None
    return list(found)


def here(git: Git) -> Site | None:
    """The worktree we are in; the main one from inside the memory worktree."""
    view = worktree.find(git)
    inside = view is not None and git.toplevel == view.path
    project = main_worktree(git) if inside else git.toplevel
    project = project or _borrower(git)
    return _site(git, project) if project else None


def lend(git: Git, folder: Path) -> None:
    """Remember that a folder is the work tree of a repository without one of its own.

    Agents are started there, and nothing else would tell their hooks.
    """
    top = str(folder.resolve())
    if git.toplevel is None and not top.startswith(str(git.common)):
        if any(char in top + str(git.dir) for char in "\t\n"):
            raise Usage(f"{top!r} cannot be noted: its name has a tab or a line end")
        _loans([(top, str(git.dir)), *_borrowed(except_for=top)])


def _borrower(git: Git) -> Path | None:
    """The folder that was lent this repository, if it is there."""
    for top, git_dir in _borrowed():
        if Path(git_dir) == git.dir and Path(top).is_dir():
            return Path(top)
    return None


def _borrowed(except_for: str = "") -> list[tuple[str, str]]:
    data = files.read(Path(quick.loans())) or b""
    rows = [line.partition("\t") for line in decode(data).split("\n")]
    return [(top, git_dir) for top, _, git_dir in rows if git_dir and top != except_for]


def _loans(rows: Sequence[tuple[str, str]]) -> None:
    path = Path(quick.loans())
    if rows:
        files.write(path, encode("".join(f"{t}\t{d}\n" for t, d in rows)))
    else:
        path.unlink(missing_ok=True)
        files.prune([path.parent])


def _site(git: Git, project: Path) -> Site:
    tracked: set[str] = set()
    read = False

    def is_tracked(path: Path) -> bool:
        nonlocal read
        if not read:
            where = project if git.toplevel else None
            words = [] if git.toplevel else ["--work-tree", str(project)]
            listed = git.run(*words, "ls-files", "-z", cwd=where)
            tracked.update(decode(listed).split("\0"))
            read = True
        if not path.is_relative_to(project):
            return False
        return path.relative_to(project).as_posix() in tracked

    return Site(
        project,
        Path.home(),
        os.environ,
        index=publish.place(git.common / "hipogit"),
        tracked=is_tracked,
        exclude=git.common / "info" / "exclude",
    )


def _projects(git: Git) -> list[Path]:
    """Every worktree with files of ours that is still there, and the one we are in."""
    found = {site.project for site in [here(git)] if site}
    for line in decode(git.run("worktree", "list", "--porcelain")).split("\n"):
        path = Path(line.removeprefix("worktree "))
        if line.startswith("worktree ") and _record(git, path).exists():
            found.add(path)
    return sorted(found)


def _record(git: Git, project: Path) -> Path:
    """Where the install in that worktree is written down, in its own git folder."""
    folder = project / ".git"
    if folder.is_file():
        link = decode(folder.read_bytes()).removeprefix("gitdir:").strip()
        folder = project / link
    if not folder.is_dir():
        folder = git.dir
    name = "main" if folder.resolve() == git.common.resolve() else folder.name
    return git.common / "hipogit" / "agents" / f"{name}.json"
