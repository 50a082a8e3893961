"""What contradicts: a standing rule, or another entry on the same topic.

Found through the rules and the topic shards; of history only entries are read that
share a topic with a rule or were said more than once.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from .. import resolve
from ..entry import Entry
from ..similar import opposed, similar
from ..tree.mention import Mention
from ..tree.promote import promoted
from ..tree.topics import FOLDER, INDEX, RULES, read_line, rules_of
from ..view import View

_RULES = 30  # newest rules looked at; each asks the index once
_TOPICS = 200  # topics said several times, the newest first


@dataclass(frozen=True, slots=True)
class Contradiction:
    """Two standing entries that say opposite things; `rule` when one is a rule."""

    newer: Entry
    older: Entry
    line: str
    rule: bool

    def __str__(self) -> str:
        what = "the rule" if self.rule else "another entry"
        return (
            f"{self.newer.id} {self.newer.topic!r} seems to contradict {what}"
            f" {self.older.id} {self.older.topic!r}: {self.line[:120]}"
        )


def contradictions(view: View) -> list[Contradiction]:
    """Probable contradictions at the tip, those of rules first; pure."""
    found: dict[frozenset[str], Contradiction] = {}
    for one in (*_of_rules(view), *_of_topics(view)):
        found.setdefault(frozenset((one.newer.id, one.older.id)), one)
    return list(found.values())


def _of_rules(view: View) -> Iterator[Contradiction]:
    for rule in rules_of(view)[:_RULES]:
        corrected = rule.get("corrects").split("+")
        for id in filter(None, corrected):
            here = resolve.exact(view, id)
            if here and promoted(here.entry) and here.entry.standing != "disputed":
                line = " ".join(here.entry.body.split())
                yield Contradiction(here.entry, rule, line, True)
        for one in similar(view, rule):
            # A disputed entry is marked already; that is what the mark is for.
            if one.contradicts and one.entry.standing != "disputed":
                yield Contradiction(one.entry, rule, one.line, True)


def _of_topics(view: View) -> Iterator[Contradiction]:
    for mentions in _repeated(view):
        ids = dict.fromkeys(id for mention in mentions for id in mention.ids)
        entries = {f.entry.id: f.entry for id in ids for f in resolve.entries(view, id)}
        standing = sorted(
            (e for e in entries.values() if promoted(e) and _counts(e)),
            key=lambda entry: entry.key,
            reverse=True,
        )
        for number, newer in enumerate(standing):
            for older in standing[number + 1 :]:
                if line := opposed(newer, older):
                    yield Contradiction(newer, older, line, False)


def _counts(entry: Entry) -> bool:
    """Talk that was merely captured states nothing yet, and doubts are marked."""
    return entry.standing in ("stated", "confirmed")


def _repeated(view: View) -> list[list[Mention]]:
    """The mentions of topics that came up more than once, the newest topic first."""
    found: list[list[Mention]] = []
    for path in view.paths(FOLDER):
        if path in (INDEX, RULES):
            continue
        row: list[Mention] = []
        for line in (view.read(path) or "").split("\n"):
            mention = read_line(line.lstrip()[2:]) if "- " in line[:4] else None
            if mention is None:
                continue
            if not line.startswith("  "):
                row = []
                found.append(row)
            row.append(mention)
    several = [
        row for row in found if not row[0].heard and (len(row) > 1 or row[0].count > 1)
    ]
    several.sort(key=lambda row: row[0].day, reverse=True)
    return several[:_TOPICS]
