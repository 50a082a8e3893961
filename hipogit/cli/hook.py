"""`hook`: entry points for git's hooks and the agents' hooks."""

from __future__ import annotations

import click

from ..doors import agent
from ..doors import git as git_hooks


@click.command()
@click.argument("platform")
@click.argument("event")
@click.argument("args", nargs=-1)
def hook(platform: str, event: str, args: tuple[str, ...]) -> None:
    """Handle one event of git or of an agent platform, as told on standard input.

    Example: hipogit hook git post-commit
    """
    if platform == "git":
        raise click.exceptions.Exit(git_hooks.run(event, args))
    raise click.exceptions.Exit(agent.run(platform, event))
