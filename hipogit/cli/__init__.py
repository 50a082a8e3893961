"""The command line: parse, call one verb, print.

Each command lives in a file of its own and is imported only when it is called; `help`
alone imports all of them.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

import click

from .. import __version__
from ..errors import HipogitError, Usage
from .app import App, report, trouble

# Command name and the file that holds it, in the order of `hipogit --help`.
COMMANDS = {
    "init": "setup",
    "uninstall": "setup",
    "try": "setup",
    "checkpoint": "checkpoint",
    "supersede": "correcting",
    "retract": "correcting",
    "dispute": "correcting",
    "confirm": "correcting",
    "restore": "correcting",
    "review": "review",
    "log": "audit",
    "show": "audit",
    "history": "audit",
    "why": "audit",
    "diff": "audit",
    "capture": "capture",
    "import": "importing",
    "context": "context",
    "compact": "compact",
    "summarize": "summarize",
    "tree": "tree",
    "inspect": "tree",
    "dissolve": "tree",
    "condense": "tree",
    "status": "status",
    "search": "search",
    "recall": "recall",
    "knows": "knows",
    "core": "core",
    "config": "settings",
    "scan": "scan",
    "verify": "verify",
    "doctor": "doctor",
    "mcp": "mcp",
    "hook": "hook",
}


class Commands(click.Group):
    """Commands that are imported when they are asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        module = import_module(f".{COMMANDS[name]}", __name__)
        found = getattr(
            module, name.replace("import", "import_").replace("try", "try_")
        )
        assert isinstance(found, click.Command)
        return found

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args[0] not in COMMANDS and not args[0].startswith("-"):
            from difflib import get_close_matches

            near = get_close_matches(args[0], COMMANDS, 1)
            raise Usage(
                f"there is no command {args[0]!r}",
                hint=" ".join(["hipogit", *(near or ["--help"])]),
            )
        return super().resolve_command(ctx, args)


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, message="hipogit %(version)s")
@click.option("-C", "cwd", metavar="DIR", default=".", help="Act as if started in DIR.")
@click.option("--now", metavar="ISO", default="", help="Act as if it were this time.")
@click.option(
    "--git-dir", metavar="DIR", default="", help="The repository (bare dotfiles)."
)
@click.pass_context
def cli(ctx: click.Context, cwd: str, now: str, git_dir: str) -> None:
    """Memory for AI coding agents, kept in git.

    Example: hipogit init && hipogit checkpoint "Rate limit" -m "token bucket"
    """
    ctx.obj = App(Path(cwd), now, Path(git_dir) if git_dir else None)


def main(args: Sequence[str] | None = None) -> int:
    """Run one command; its exit code."""
    words = list(sys.argv[1:] if args is None else args)
    try:
        done = cli.main(words or ["--help"], prog_name="hipogit", standalone_mode=False)
        return done if isinstance(done, int) else 0
    except HipogitError as problem:
        report(problem.sentence, problem.hint)
        return problem.exit
    except click.exceptions.Exit as leave:
        return leave.exit_code
    except click.Abort:
        return 130
    except click.UsageError as problem:
        where = problem.ctx.command_path if problem.ctx else "hipogit"
        report(problem.format_message(), f"{where} --help")
        return 2
    except click.ClickException as problem:
        report(problem.format_message(), "hipogit --help")
        return 2
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # The reader of our output went away; the next write must not raise again.
        sys.stdout = open("/dev/null", "w")  # noqa: SIM115, PTH123
        return 0
    except Exception as problem:
        return trouble(problem, words)
