"""`init`, `uninstall` and `try`: memory in, memory out, memory shown."""

from __future__ import annotations

import sys
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path

import click

from .. import agents, correct, install, worktree
from .. import nightly as jobs
from ..errors import NotSetUp, Usage
from ..platforms import installer
from ..platforms.table import TABLE
from .app import App, as_json, out, out_json, pass_app, report, say


@click.command()
@click.option("--platform", "platforms", multiple=True, metavar="P", default=["auto"],
              help="Agent to set up: auto, none, claude-code, codex, opencode, "
                   "openclaw, gemini, cursor. Repeatable.")  # fmt: skip
@click.option("--shared", is_flag=True, help="Write the files a team shares.")
@click.option("--branch", default="", help="Branch that holds the memory.")
@click.option("--no-worktree", is_flag=True, help="Check nothing out.")
@click.option("--worktree", type=click.Path(path_type=Path), help="Check out here.")
@click.option("--remote", default="", help="Remote to join and later sync with.")
@click.option("--capture", type=click.Choice(["off", "decisions", "full"]),
              help="What hooks may write by themselves.")  # fmt: skip
@click.option("--no-search", is_flag=True, help="Keep no search index.")
@click.option("--mcp", is_flag=True, help="Give the agents the MCP server as well.")
@click.option("--nightly", is_flag=True, help="Print a nightly job for compaction.")
@as_json
@pass_app
def init(
    app: App,
    platforms: tuple[str, ...],
    shared: bool,
    branch: str,
    no_worktree: bool,
    worktree: Path | None,
    remote: str,
    capture: str | None,
    no_search: bool,
    mcp: bool,
    nightly: bool,
    as_json: bool,
) -> None:
    """Set up memory in this repository; doing it again changes nothing.

    Example: hipogit init --platform claude-code --capture decisions
    """
    if no_worktree and worktree:
        raise Usage("--no-worktree and --worktree exclude each other")
    settings: dict[str, str | int | bool | list[str]] = {}
    if capture:
        settings["capture"] = capture
    if no_search:
        settings["search.index"] = False
    if remote:
        settings["remote"] = remote
    made = install.init(
        app.git(),
        app.now,
        branch=branch,
        view=worktree,
        with_view=not no_worktree,
        remote=remote,
        settings=settings,
    )
    if app.git_dir:
        agents.lend(app.git(), app.cwd)
    done = agents.setup(app.git(), platforms, shared=shared, mcp=mcp)
    created = [*made.created, *(str(path) for one in done for path in one.changed)]
    for note in (*made.notes, *(line for one in done for line in one.kept)):
        say(f"note: {note}")
    needs = [line for one in done for line in one.needs]
    if mcp and not find_spec("mcp"):
        needs.insert(0, "the MCP server needs a package: pip install 'hipogit[mcp]'")
    if done and agents.off_path():
        needs.insert(0, agents.off_path())
    for line in dict.fromkeys(needs):
        say(f"next: {line}")
    flat = agents.flat_memory(app.git())
    if flat:
        say(f"next: {flat} is long for one file: hipogit import memory-md {flat}")
    failed = [one.error for one in done if one.error]
    if as_json:
        out_json(
            {
                "branch": made.branch,
                "worktree": made.worktree,
                "platforms": [one.platform for one in done if not one.error],
                "created": created,
            }
        )
    else:
        _show(made, created, done)
    if nightly:
        text = jobs.instructions(sys.executable, _project(app))
        # A reader of the JSON wants one object and nothing else.
        (say if as_json else out)(text)
    if failed:
        for error in failed[1:]:
            report(error.sentence, error.hint)
        raise failed[0]


def _project(app: App) -> Path:
    git = app.git()
    return install.main_worktree(git) or git.dir


def _show(
    made: install.Made, created: list[str], done: list[installer.Outcome]
) -> None:
    for name in _grouped(created):
        out(f"created {name}")
    out(f"memory is kept on {made.branch}" + (
        f", checked out at {made.worktree}" if made.worktree else ""
    ))  # fmt: skip
    ready = [one.platform for one in done if not one.error]
    if ready:
        out(f"set up for {', '.join(ready)}")
    elif not done:
        known = ", ".join(TABLE)
        say(f"next: no agent is set up: hipogit init --platform NAME ({known})")


def _grouped(created: list[str]) -> list[str]:
    """The names with all skills of a folder in one."""
    count: dict[str, int] = {}
    for name in created:
        folder, skill, rest = name.rpartition("/hipogit-")
        skills = skill and rest.endswith("/SKILL.md")
        key = f"{folder}/hipogit-*" if skills else name
        count[key] = count.get(key, 0) + 1
    return [f"{key} ({n} skills)" if n > 1 else key for key, n in count.items()]


@click.command()
@click.option("--delete-memory", is_flag=True, help="Delete the branch as well.")
@as_json
@pass_app
def uninstall(app: App, delete_memory: bool, as_json: bool) -> None:
    """Take hipogit out of this repository, byte for byte.

    Example: hipogit uninstall --delete-memory
    """
    git = app.git()
    with suppress(NotSetUp):
        correct.drain(app.store(), app.now)
    # A refusal has to come before the first file is touched.
    install.removable(git, delete_memory=delete_memory)
    changed, kept = agents.remove(git)
    removed = [str(path) for path in changed]
    for line in kept:
        say(f"note: {line}")
    view = worktree.find(git)
    removed += install.uninstall(git, delete_memory=delete_memory)
    if view and view.path.exists():
        say(f"note: {view.path} stays: it holds what is not ours to remove")
    if as_json:
        out_json({"removed": removed})
        return
    for name in removed:
        out(f"removed {name}")
    if not delete_memory:
        say("the memory branch stays; --delete-memory deletes it")


@click.command(name="try")
@pass_app
def try_(app: App) -> None:
    """Run the main job once: init, a first checkpoint, what an agent would be shown.

    Outside a repository it makes a scratch one and says where.

    Example: hipogit try
    """
    import tempfile

    from .. import context, memory
    from ..plumbing import Git
    from ..record import Record
    from ..store import Store

    try:
        git = app.git()
    except NotSetUp:
        place = Path(tempfile.mkdtemp(prefix="hipogit-try-"))
        scratch = Git(place / ".git", place / ".git", place)
        scratch.run("init", "-q", str(place), cwd=place)
        git = Git.discover(place)
        out(f"scratch repository: {place}")
    made = install.init(git, app.now)
    out(f"memory is kept on {made.branch}")
    store = Store.open(git.toplevel or git.dir)
    now = app.now
    draft = memory.Draft(
        "hipogit is set up",
        "- outcome: memory of this repository is kept in git\n"
        "- references: hipogit log shows who wrote what",
        now.date(),
        now,
        source="cli",
    )
    record = Record("checkpoint", "", source="cli", code=memory.code_state(git))
    done = memory.remember(store, [draft], record, now)
    out(f"checkpoint {done.entries[0].id} in commit {(done.commit or '')[:10]}\n")
    out(context.of(store).text)
