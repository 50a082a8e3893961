"""`recall`: what an agent should see for a prompt."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

import click

from ..errors import Usage
from ..recall import answer
from ..recall.index import using
from .app import App, as_json, out, out_json, pass_app, say

if TYPE_CHECKING:
    from ..store import Store


@click.command()
@click.argument("question", nargs=-1)
@click.option("-n", "most", type=click.IntRange(min=1), default=None, metavar="N",
              help="Most statements to show.")  # fmt: skip
@click.option("--budget", type=click.IntRange(min=1), default=answer.DEFAULT_BUDGET,
              metavar="TOKENS", help="Most tokens (4 bytes each) shown.")  # fmt: skip
@click.option("--engine", type=click.Choice(["keyword", "semantic"]), default=None,
              help="Else that of search.engine holds.")  # fmt: skip
@click.option("--manifest", is_flag=True, help="List what can be read, in 500 tokens.")
@click.option(
    "--batch", is_flag=True, help="Answer JSON lines {id, question} on stdin."
)
@as_json
@pass_app
def recall(
    app: App,
    question: tuple[str, ...],
    most: int | None,
    budget: int,
    engine: str | None,
    manifest: bool,
    batch: bool,
    as_json: bool,
) -> None:
    """Show what memory holds that bears on a question, with its source and age.

    Example: hipogit recall "which rate limit did we choose?"
    """
    store = app.store()
    if manifest:
        _manifest(store, as_json)
        return
    asked = " ".join(question)
    if not batch and not asked.strip():
        raise Usage("there is no question", hint='hipogit recall "rate limit"')
    engine = engine or engine_of(store)
    if batch:
        _batch(store, engine, budget, most or 0)
        return

    def ask(index: Any) -> answer.Recalled:
        near = nearness(store, index, engine)
        return answer.recall(
            index, asked, budget=budget, most=most or 0, near=near(asked)
        )

    found = using(store, ask)
    if as_json:
        out_json(_json(found))
    else:
        out(answer.rendered(found))


def engine_of(store: Store) -> str:
    """The engine that the settings name."""
    with store.snapshot() as snapshot:
        given = store.config(snapshot).given["search.engine"]
    if given.value == "qmd" and given.source == "hipogit.toml":
        # Who can push to the branch could have a program run here otherwise.
        say("the branch asks for the program qmd, which only a setting here may do")
        return "keyword"
    return str(given.value)


def nearness(store: Store, index: Any, engine: str) -> Any:
    """A function from a prompt to its nearness to each line, or to None."""
    if engine != "semantic":
        return lambda asked: None
    from ..recall import semantic

    model = semantic.encoder(store.config().text("search.model"))
    return semantic.Vectors(index, store.local, model).near


def _json(found: answer.Recalled) -> dict[str, Any]:
    return {
        "results": [item.as_json() for item in found.items],
        "tokens": found.tokens,
        "topics": found.topics,
    }


def _batch(store: Store, engine: str, budget: int, most: int) -> None:
    lines = _questions(sys.stdin.buffer.read())

    def ask(index: Any) -> list[dict[str, Any]]:
        near = nearness(store, index, engine)
        answers = []
        for line in lines:
            asked = line["question"]
            limit = line.get("budget") or budget
            found = answer.recall(
                index, asked, budget=limit, most=most, near=near(asked)
            )
            answers.append({"id": line["id"], **_json(found)})
        return answers

    for given in using(store, ask):
        out_json(given)


def _questions(raw: bytes) -> list[dict[str, Any]]:
    found = []
    for number, line in enumerate(raw.decode("utf-8", "replace").split("\n"), 1):
        if not line.strip():
            continue
        try:
            given = json.loads(line)
            ok = isinstance(given["question"], str) and "id" in given
            ok = ok and isinstance(given.get("budget", 1), int)
        except (ValueError, KeyError, TypeError):
            ok = False
        if not ok:
            raise Usage(
                f"line {number} of standard input is no question",
                hint='one object a line: {"id": 1, "question": "…"}',
            )
        found.append(given)
    return found


def _manifest(store: Store, as_json: bool) -> None:
    from ..recall.about import manifest

    with store.snapshot() as snapshot:
        text = manifest(snapshot)
    if as_json:
        size = len(text.encode("utf-8", "surrogateescape"))
        out_json({"text": text, "tokens": -(-size // 4)})
    else:
        out(text or "nothing known\n")
