"""What an agent is given before a long task: the session's context and summaries.

A session start has to fit its host; before a task there is room for the summaries
behind the index, as fine as the budget allows.
"""

from __future__ import annotations

from . import context
from .context import Context
from .store import Store
from .tree import dag
from .tree.prompts import node_at
from .tree.settings import tokens


def before_task(store: Store, budget: int = 0) -> Context:
    """Hot files, ROOT and the active set of summaries, within a number of tokens.

    Without a budget that of the settings (`compaction.token_budget`) holds.
    """
    with store.snapshot() as snapshot:
        budget = budget or store.config(snapshot).number("compaction.token_budget")
        found = context.of(store, budget)
        text, names = found.text, list(found.sections)
        for path in dag.assemble(snapshot, max(0, budget - found.tokens)):
            label = path.removeprefix("memory/").removesuffix(".md")
            body = node_at(snapshot, path).body
            block = f"\n## {label}\n{body}\n"
            if tokens(text + block) <= budget:
                text += block
                names.append(label)
    return Context(text, tokens(text), names)
