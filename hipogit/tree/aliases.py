"""Other names of topics, as people and agents wrote them down.

`knowledge/aliases.md` has them as a list in its front matter, one topic a line; the
first name is the one shown:

    ---
    aliases:
    - deployment = 배포 = rollout
    - rate limit = throttling
    ---

The index keeps each topic under the name it was written with. Names are joined where
it is read: in ROOT, by `knows`, and when recall looks for the topics of a prompt. So a
list that changes makes no old summary stale.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from ..entry import topic_key
from ..view import View

PATH = "knowledge/aliases.md"

_ITEM = re.compile(r"\s*-\s+(.+)")


class Aliases(NamedTuple):
    """The keys of each topic's names, by the key of the first."""

    groups: dict[str, tuple[str, ...]]
    first: dict[str, str]
    names: dict[str, tuple[str, ...]]

    def key(self, key: str) -> str:
        """The key that stands for a topic under all its names."""
        return self.first.get(key, key)

    def keys(self, topic: str) -> tuple[str, ...]:
        """The keys of all names of a topic, the one asked for first."""
        key = topic_key(topic)
        group = self.groups.get(self.key(key), ())
        return tuple(dict.fromkeys((key, *group)))


def read(view: View) -> Aliases:
    """The names the branch knows."""
    return parse(view.read(PATH) or "")


def parse(text: str) -> Aliases:
    """The names a file tells; a line that names one topic twice or none is nothing."""
    found = Aliases({}, {}, {})
    if not text.startswith("---\n"):
        return found
    listed = False
    for line in text[4:].partition("\n---")[0].split("\n"):
        if line and not line[0].isspace() and not line.startswith("-"):
            listed = line.rstrip() == "aliases:"
        elif listed and (match := _ITEM.fullmatch(line)):
            _take(found, match[1])
    return found


def _take(found: Aliases, line: str) -> None:
    # Quotes are YAML's, around the line or one of the names.
    spelt = [name.strip(" \t\"'") for name in line.split("=")]
    names = {topic_key(name): name for name in spelt}
    # A name that stands for two topics would join them: the first line holds.
    names = {key: name for key, name in names.items() if key and key not in found.first}
    if len(names) < 2:
        return
    first = next(iter(names))
    found.groups[first] = tuple(names)
    found.names[first] = tuple(names.values())
    found.first.update(dict.fromkeys(names, first))
