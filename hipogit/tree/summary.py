"""Extractive summaries: the lines of a period that say most, within a size.

Sections in a fixed order, every line ending in its ids. What found no room is named in
the last line, `[Expand for details about: …]`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import zip_longest

from ..entry import Entry, render
from ..words import words
from .extract import FOOT, KINDS, TITLES, Item, cite, clip, read, without_foot
from .mention import Mention
from .promote import KEPT_WHOLE
from .settings import size

_LEVELS = {"leaf": 0, "daily": 0, "weekly": 1, "monthly": 2}


def summarise(
    title: str,
    level: str,
    room: int,
    items: Iterable[Item],
    mentions: list[Mention],
    rules: Iterable[Entry],
) -> str:
    """The body of an extractive node within a number of bytes, rules left out of it."""
    settled = _settled(items, mentions)
    chosen, dropped = _choose(settled, level, room)
    at = _LEVELS[level]
    parts = [f"# {title}\n"]
    topics, unnamed = _topic_lines(mentions, room // 4)
    if topics:
        parts.append("## Topics\n" + "".join(f"{line}\n" for line in topics))
    if at == 2 and (themes := _themes(mentions)):
        parts.append("## Key Themes\n" + "".join(f"{line}\n" for line in themes))
    for kind in KINDS:
        lines = [item.line() for item in chosen if item.kind == kind]
        if lines:
            parts.append(
                f"## {TITLES[kind][at]}\n" + "".join(f"{line}\n" for line in lines)
            )
    if named := entities(settled):
        heading = "Recurring Entities" if at == 2 else "Entities Referenced"
        parts.append(f"## {heading}\n" + "".join(f"{line}\n" for line in named))
    parts += [render(rule) for rule in rules]
    parts.append(_foot(dropped, unnamed, mentions))
    return "\n".join(parts)


def with_rules(body: str, rules: Iterable[Entry]) -> str:
    """The text with those rules added that it does not hold word for word.

    Whoever wrote it, no summary takes a rule out of reach.
    """
    held = {render(entry) for entry in read(body).entries}
    wanted = dict.fromkeys(render(rule) for rule in rules)
    missing = [rule for rule in wanted if rule not in held]
    if not missing:
        return body
    start, foot = without_foot(body.rstrip("\n"))
    return "\n".join([start + "\n", *missing]) + (f"\n{foot}" if foot else "")


def _settled(items: Iterable[Item], mentions: list[Mention]) -> list[Item]:
    """The items without repeats and without open ends of matters that are done."""
    done: dict[str, str] = {}
    topic_of_id: dict[str, str] = {}
    for mention in mentions:
        for id in mention.ids:
            topic_of_id[id] = mention.key
        if mention.done:
            done[mention.key] = max(done.get(mention.key, ""), mention.day)
    seen: dict[tuple[str, str], Item] = {}
    for item in items:
        topic = topic_of_id.get(item.ids[0], "") if item.ids else ""
        if item.kind == "open" and item.day and done.get(topic, "") > item.day:
            continue
        place = (item.kind, item.text.casefold())
        first = seen.get(place)
        ids = tuple(dict.fromkeys((*first.ids, *item.ids)))[:4] if first else item.ids
        seen[place] = Item(item.kind, item.text, ids, topic or item.topic)
    return list(seen.values())


def _choose(items: list[Item], level: str, room: int) -> tuple[list[Item], list[Item]]:
    """The items to keep, in their order, and the rest.

    Groups take turns, an entry in a day's node and a day above, each giving its best
    line first, so that no part of the period drops out.
    """
    groups: dict[str, dict[str, list[tuple[float, int]]]] = {}
    for number, item in enumerate(items):
        name = item.day if _LEVELS[level] else " ".join(item.ids) or item.topic
        kinds = groups.setdefault(name, {})
        kinds.setdefault(item.kind, []).append((-item.worth, number))
    # In a group the best of each kind comes before the second best of any.
    ranked = [
        [
            place
            for row in zip_longest(*(sorted(found) for found in kinds.values()))
            for place in sorted(place for place in row if place)
        ]
        for kinds in groups.values()
    ]
    left = room * 3 // 5
    keep: set[int] = set()
    turn = 0
    while left > 0 and any(len(group) > turn for group in ranked):
        row = sorted(group[turn] for group in ranked if len(group) > turn)
        for _, number in row:
            cost = size(items[number].line()) + 1
            if cost <= left:
                keep.add(number)
                left -= cost
        turn += 1
        if left < 60:
            break
    return (
        [item for n, item in enumerate(items) if n in keep],
        [item for n, item in enumerate(items) if n not in keep],
    )


def _topic_lines(mentions: list[Mention], room: int) -> tuple[list[str], int]:
    """Lines of the Topics section, the busiest topics first when room is short."""
    topics: dict[str, Mention] = {}
    for mention in mentions:
        earlier = topics.get(mention.key)
        topics[mention.key] = earlier.joined(mention) if earlier else mention
    # Equal counts keep the order in which topics came up.
    ranked = sorted(
        topics,
        key=lambda key: (topics[key].type not in KEPT_WHOLE, -topics[key].count),
    )
    lines: dict[str, str] = {}
    left = room
    for key in ranked:
        mention = topics[key]
        text = mention.label
        if mention.words:
            text += ": " + " ".join(mention.words[:8])
        line = f"- {cite(text, mention.ids[:2] or (mention.day,), 200)}"
        if size(line) + 1 <= left:
            lines[key] = line
            left -= size(line) + 1
    return [lines[key] for key in topics if key in lines], len(topics) - len(lines)


def _themes(mentions: list[Mention]) -> list[str]:
    """Words that came up on several days, with the days' ids."""
    days: dict[str, dict[str, Mention]] = {}
    for mention in mentions:
        for word in mention.words:
            days.setdefault(word.casefold(), {}).setdefault(mention.day, mention)
    ranked = sorted(
        (word for word in days if len(days[word]) > 2),
        key=lambda word: (-len(days[word]), word),
    )[:12]
    lines = []
    for word in ranked:
        found = list(days[word].values())
        ids = [id for mention in found[-3:] for id in mention.ids[:1]]
        line = cite(f"{word}: {len(found)} days", ids or [found[-1].day])
        lines.append(f"- {line}")
    return lines


# A name begins at no dash that stands within one, and has an end: else each letter of a
# long row of dashes or dots would be tried to the end of the row.
_NAME = r"[\w.-]{1,200}/"
_ENTITIES = (
    (
        "files",
        re.compile(
            r"(?<![\w/:])(?<![^\w/:]-)(?:"
            rf"(?:{_NAME})*[\w-]{{1,200}}\.[a-z]{{1,5}}\b(?!\.)|(?:{_NAME}){{2,}}[\w.-]+)"
        ),
    ),
    ("links", re.compile(r"https?://[^\s)>\]\"'`]+")),
    (
        "errors",
        re.compile(r"\b\w+(?:Error|Exception)\b|\bE[A-Z]{4,}\b|\bHTTP [45]\d\d\b"),
    ),
    ("names", re.compile(r"(?<=[a-z,;] )(?:[A-Z][\w'’&-]+(?: |$)){2,4}")),
)


def entities(items: Iterable[Item]) -> list[str]:
    """Files, links, errors and names that the lines speak of, a line for each sort."""
    lines = []
    items = list(items)
    for sort, pattern in _ENTITIES:
        found: dict[str, list[str]] = {}
        for item in items:
            for match in pattern.finditer(item.text):
                name = match[0].strip().rstrip(".,;")
                if words(name):
                    found.setdefault(name, []).extend(item.ids)
        ranked = sorted(found, key=lambda name: (-len(found[name]), name))[:12]
        if ranked:
            ids = dict.fromkeys(id for name in ranked for id in found[name][:1])
            lines.append(f"- {cite(f'{sort}: ' + ', '.join(ranked), list(ids)[:6])}")
    return lines


def _foot(dropped: list[Item], unnamed: int, mentions: list[Mention]) -> str:
    """The last line of a summary: what its source holds and it does not."""
    lost = {id for item in dropped for id in item.ids}
    names = list(
        dict.fromkeys(
            mention.name for mention in mentions if lost.intersection(mention.ids)
        )
    )
    if not names:
        names = list(dict.fromkeys(mention.name for mention in mentions))
    text, shown = "", 0
    for name in names[:12]:
        # A bracket in a name would end the line early for whoever reads it.
        piece = clip(name.replace("[", "(").replace("]", ")"), 60)
        text += ("; " if text else "") + piece
        shown += 1
    if len(names) > shown:
        text += f"; {len(names) - shown} more"
    if unnamed:
        text += f"; {unnamed} topics not listed"
    return f"{FOOT}{text or 'the entries'}]\n"
