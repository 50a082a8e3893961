"""Summaries that somebody else wrote: checked against their source, then stored.

A stored summary is an input. It stays until what it was written from changes.
"""

from __future__ import annotations

import re
from dataclasses import replace

from ..entry import render
from ..errors import Refused
from ..journal import Journal
from ..periods import Day, parse_period
from ..view import View
from .extract import read
from .promote import promoted
from .prompts import days_of, node_at, prompt_for
from .settings import TreeSettings, size
from .summary import with_rules
from .topics import FOLDER

_LEAST = 50
_ID = re.compile(r"(?<![\w-])(\d{8}-[a-z2-7]{1,40})(?![\w-])")
_BULLET_END = re.compile(
    r"\((?:\d{8}-[a-z2-7]+|\d{4}-\d\d-\d\d|\d{4}-W\d\d|\d{4}-\d\d)(?: [\dWa-z-]+)*\)$"
)
_FOOT = re.compile(r"^\[Expand for details about: .+\]\s*\Z", re.MULTILINE)


def problems_with(
    view: View, label: str, text: str, settings: TreeSettings
) -> list[str]:
    """Why a text may not replace the summary of a node; empty when it may."""
    prompt = prompt_for(view, label, settings)
    node = node_at(view, prompt.path)
    found: list[str] = []
    if size(text.strip()) < _LEAST:
        found.append(f"it is shorter than {_LEAST} bytes")
    kept = {entry.id: entry for entry in read(text).entries}
    rules = {rule.id: rule for rule in prompt.rules}
    own = size(text) - sum(size(render(e)) for e in kept.values() if e.id in rules)
    whole = size(prompt.source) - sum(size(render(r)) for r in rules.values())
    if own >= max(whole, _LEAST + 1):
        found.append(f"it is not shorter than its source ({own} of {whole} bytes)")
    for id, rule in rules.items():
        if id not in kept:
            found.append(f"the {rule.type} entry {id} is missing")
        elif render(kept[id]) != render(rule):
            found.append(f"the {rule.type} entry {id} is not word for word")
    source = {entry.id: entry for entry in read(prompt.source).entries}
    for id, entry in kept.items():
        # A comment of ours states a standing, and no summary may state its own.
        if id not in source or render(source[id]) != render(entry):
            found.append(f"it holds an entry {id} that its source does not")
    first, last = days_of(node)
    for id in dict.fromkeys(_ID.findall(text)):
        when = f"{id[:4]}-{id[4:6]}-{id[6:8]}"
        if not first <= when <= last or not _known(view, id, when):
            found.append(f"the id {id} does not stand in its source")
    if node.type == "root" and size(text) > settings.root_tokens * 4 - 600:
        found.append(f"it does not fit ROOT's {settings.root_tokens} tokens")
    return found


def _known(view: View, id: str, when: str) -> bool:
    day = parse_period(when)
    if not isinstance(day, Day):
        return False
    entries = Journal.parse(day, view.read(day.journal) or "").entries
    return sum(e.id.startswith(id) for e in entries if promoted(e)) == 1


def stored(
    view: View, label: str, text: str, settings: TreeSettings, *, by: str = "agent"
) -> tuple[str, str]:
    """The path and the file of a node that holds the text. Raises Refused with why.

    `by` is `agent`, `command` or `import`. The text must have been through the gate.
    """
    prompt = prompt_for(view, label, settings)
    if by == "import":
        # Whoever wrote it knew nothing of our ids; the rules go in beside their text.
        text = with_rules(text, prompt.rules)
    if problems := problems_with(view, label, text, settings):
        raise Refused(
            f"the summary of {label} was not taken: {'; '.join(problems)}",
            hint=f"hipogit summarize {label} --prompt",
        )
    node = node_at(view, prompt.path)
    body = _cited(text, node.period if node.type != "leaf" else node.period[:10])
    title = "ROOT" if node.type == "root" else node.period
    lines = body.strip().split("\n")
    if lines[0].startswith("# "):
        lines = lines[1:]
    body = f"# {title}\n\n" + "\n".join(lines).strip("\n")
    if not _FOOT.search(body) and node.type != "root":
        names = "; ".join(t.rpartition(" [")[0] for t in node.topics[:12])
        body += f"\n\n[Expand for details about: {names.replace(']', ')')}]"
    fresh = replace(
        node, body=body, summary=by, needs_summarization=False, dissolved=False
    )
    return prompt.path, fresh.sealed(settings.allow).render()


def _cited(text: str, period: str) -> str:
    """The text with the period as the source of each line that names none."""
    entries = [render(entry).rstrip("\n") for entry in read(text).entries]
    whole = {line for entry in entries for line in entry.split("\n")}
    out = []
    for line in text.split("\n"):
        bare = line.rstrip()
        if (
            bare.startswith("- ")
            and bare not in whole
            and not _BULLET_END.search(bare)
            and period != "ROOT"
        ):
            bare += f" ({period})"
        out.append(bare if bare.startswith("- ") else line)
    return "\n".join(out)


def pending(view: View) -> list[str]:
    """The nodes whose summary should be better than the extractive one."""
    found = []
    for path in view.paths("memory/"):
        if path.count("/") < 2 or path.startswith(FOLDER):
            continue
        # Front matter quotes its strings, so no text of a user can hold this line.
        head = (view.read(path) or "").partition("\n---\n")[0]
        if "\nneeds-summarization: true" in head:
            found.append(path)
    return found


def wanted(view: View, per_level: int = 1) -> list[str]:
    """Of the pending nodes the most recent, so many for each level, days first."""
    levels: dict[str, list[str]] = {}
    for path in pending(view):
        level = "leaf" if path.count("/") > 2 else path.split("/")[1]
        levels.setdefault(level, []).append(path)
    return [
        path
        for level in ("leaf", "daily", "weekly", "monthly")
        for path in sorted(levels.get(level, []), reverse=True)[:per_level]
    ]
