"""`search`: ranked keyword search over entries and summaries."""

from __future__ import annotations

from typing import Any

import click

from ..errors import Usage
from ..recall import search as searching
from ..recall.index import using
from .app import App, as_json, out, out_json, pass_app
from .recall import engine_of, nearness


@click.command()
@click.argument("words", nargs=-1)
@click.option("-n", "most", type=click.IntRange(min=1), default=10, metavar="N",
              help="Most results to show.")  # fmt: skip
@click.option("--depth", type=click.IntRange(0, 3), default=None,
              help="Only summaries: 0 day, 1 week, 2 month, 3 ROOT.")  # fmt: skip
@click.option("-t", "--type", "kind", default="",
              type=click.Choice(["project", "feedback", "user", "reference", ""]),
              help="Only entries of this type.")  # fmt: skip
@click.option("--since", metavar="DAY", default="", help="Only from this day on.")
@click.option("--files", is_flag=True, help="Print the paths of what was found.")
@click.option("--engine", type=click.Choice(["keyword", "semantic", "qmd"]),
              default=None, help="Else that of search.engine holds.")  # fmt: skip
@click.option("--all", "everything", is_flag=True,
              help="Also temporary entries and summaries that quote.")  # fmt: skip
@click.option("--budget", type=click.IntRange(min=1), default=None, metavar="TOKENS",
              help="Most tokens (4 bytes each) of results.")  # fmt: skip
@as_json
@pass_app
def search(
    app: App,
    words: tuple[str, ...],
    most: int,
    depth: int | None,
    kind: str,
    since: str,
    files: bool,
    engine: str | None,
    everything: bool,
    budget: int | None,
    as_json: bool,
) -> None:
    """Find entries and summaries by words, "phrases", prefix*, -without, topic:word.

    Example: hipogit search '"rate limit" -draft' --type project
    """
    query = " ".join(words)
    if since and not _is_day(since):
        raise Usage(f"{since} is no day", hint="--since 2026-11-29")
    store = app.store()
    engine = engine or engine_of(store)

    def ask(index: Any) -> list[dict[str, Any]]:
        if engine == "semantic" and depth is None:
            from ..recall.answer import recall

            near = nearness(store, index, engine)(query)
            found = recall(index, query, budget=budget or 2000, near=near).items
            return [
                item.as_json()
                for item in found
                if (not kind or item.type == kind) and item.day >= since
            ]
        if engine == "qmd" and depth is None:
            from ..recall import qmd

            ranked = qmd.search(index, store.local, query, 4 * most)
            hits = searching.of_ids(index, ranked, type=kind, since=since)
            return [hit._asdict() for hit in hits]
        hits = searching.search(
            index, query, most=most, depth=depth, type=kind, since=since,
            everything=everything,
        )  # fmt: skip
        return [hit._asdict() for hit in hits]

    found = _within(using(store, ask)[:most], budget)
    if as_json:
        out_json({"results": found})
    elif files:
        out("\n".join(dict.fromkeys(hit["path"] for hit in found)) + "\n" * bool(found))
    else:
        out("".join(_shown(hit, query) for hit in found) or "nothing found\n")


def _is_day(text: str) -> bool:
    from datetime import date

    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def _within(found: list[dict[str, Any]], budget: int | None) -> list[dict[str, Any]]:
    if budget is None:
        return found
    left, kept = budget * 4, []
    for hit in found:
        raw = hit["text"].encode("utf-8")
        if left <= 0:
            break
        kept.append({**hit, "text": raw[:left].decode("utf-8", "ignore")})
        left -= len(raw)
    return kept


def _shown(hit: dict[str, Any], query: str) -> str:
    about = [hit["day"], hit["type"], hit["standing"], hit["id"] or hit["path"]]
    note = f" ({hit['warning']})" if hit["warning"] else ""
    head = " · ".join(part for part in about if part) + note
    line = searching.snippet(hit["text"], query)
    return f"{head}\n  {hit['topic']}: {line}\n"
