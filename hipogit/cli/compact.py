"""`compact`: rebuild what is stale."""

from __future__ import annotations

import click

from .app import App, as_json, out, out_json, pass_app, say


@click.command()
@click.option("--depth", type=click.IntRange(0, 3), default=3, metavar="N",
              help="Stop at: 0 days, 1 weeks, 2 months, 3 ROOT.")  # fmt: skip
@click.option("--check", is_flag=True, help="Write nothing; exit 1 if stale.")
@click.option("--dry-run", is_flag=True, help="Write nothing; say what would change.")
@click.option("--if-any", is_flag=True,
              help="Pass where memory was never set up (for hooks).")  # fmt: skip
@as_json
@pass_app
def compact(
    app: App, depth: int, check: bool, dry_run: bool, if_any: bool, as_json: bool
) -> int:
    """Rebuild the summaries whose sources changed.

    Example: hipogit compact --check
    """
    from .. import cycle, edits

    store = app.store()
    # In a clone that only has the code nothing is there to be rebuilt.
    if if_any and store.tip() is None and not (store.local / "branch").exists():
        say(f"note: this clone has no branch {store.branch}, so nothing is stale")
        return 0
    if check or dry_run:
        with store.snapshot() as snapshot:
            found = cycle.stale(snapshot, store.config(snapshot), app.now, depth)
        commit = None
    else:
        now = app.now
        edits.look(store)
        found, commit = cycle.rebuild(
            store, now, depth, taken=lambda tip: edits.by_hand(store, tip, now)
        )
        # Second: a commit of ours on top would hide those made by hand.
        if absorbed := edits.absorb(store, now):
            commit = absorbed.tip
    if as_json:
        out_json(
            {
                "rebuilt": found.rebuilt,
                "fixed": found.fixed,
                "pending": found.pending,
                "reopened": found.reopened,
                "overwritten": found.overwritten,
                "commit": commit,
            }
        )
    else:
        for path in found.rebuilt:
            out(path)
        for path in found.overwritten:
            say(f"note: {path} was edited by hand; its sources changed")
        if not found.rebuilt:
            say("nothing is stale")
    return 1 if check and found.changes else 0
