"""`knows` and the manifest: what there is to know, without the knowledge itself."""

from __future__ import annotations

from typing import NamedTuple

from ..entry import topic_key
from ..node import Node
from ..tree.topics import named, shard_of
from ..view import View
from .open import Index

_MANIFEST_BYTES = 2000


class Place(NamedTuple):
    """Where a topic is known from."""

    topic: str
    type: str
    last: str
    path: str
    ids: list[str]


def knows(view: View, topic: str) -> list[Place]:
    """Where a topic of that name, or another name of it, is known, newest first.

    Reads two files of the branch, and one more for each other name.
    """
    return [
        Place(found.name, found.type, found.day, shard_of(found.name), list(found.ids))
        for found in sorted(named(view, topic), key=lambda m: m.day, reverse=True)
    ]


def knows_fresh(index: Index, topic: str) -> list[Place]:
    """The same from the search index: also what was not compacted yet."""
    places: dict[str, Place] = {}
    for name, kind, day, entry in index.rows(
        "select topic, type, day, entry from piece where not hidden and key in"
        " (select ? union select b.key from alias a join alias b on a.topic=b.topic"
        " where a.key=?) order by id desc limit 200",
        [topic_key(topic)] * 2,
    ):
        path = f"memory/{day}.md"
        place = places.setdefault(path, Place(name, kind, day, path, []))
        if entry and entry not in place.ids:
            place.ids.append(entry)
    return list(places.values())


def manifest(view: View) -> str:
    """One line for each week, month and note, newest first, within 500 tokens."""
    lines = []
    for folder in ("monthly", "weekly"):
        for path in reversed(view.paths(f"memory/{folder}/")):
            node = Node.parse(view.read(path) or "")
            if node is not None:
                about = ", ".join(node.topics)
                lines.append(f"{path} [{node.status}]: {about}")
    for folder in ("knowledge/", "plans/"):
        for path in view.paths(folder):
            body = (view.read(path) or "").split("\n")
            first = next((line for line in body if line.strip(" #-")), "")
            lines.append(f"{path}: {first.strip(' #')}")
    if not lines:
        return ""
    # Every file gets its share, so that old months are not cut off by new weeks.
    share = max(60, _MANIFEST_BYTES // len(lines))
    text, used = [], 0
    for line in lines:
        raw = line.encode("utf-8")[: share - 1].decode("utf-8", "ignore")
        used += len(raw.encode("utf-8")) + 1
        if used > _MANIFEST_BYTES:
            break
        text.append(raw)
    return "\n".join(text) + "\n"
