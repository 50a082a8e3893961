"""`mcp`: serve memory to agents over the Model Context Protocol."""

from __future__ import annotations

import click

from .app import App, pass_app


@click.command()
@pass_app
def mcp(app: App) -> None:
    """Serve memory on standard input and output, for agents that speak MCP.

    Example: hipogit mcp
    """
    from ..doors import mcp as server

    server.run(app.cwd, app.git_dir)
