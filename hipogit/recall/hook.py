"""What a prompt hook adds to a prompt: at most 500 tokens, mostly nothing.

An agent waits for this on every prompt, so it opens the index and nothing else;
bringing the index up to date is left to commands that write and to the hooks' own
process. Where the index is of an older commit, only what stands in files that the tip
still has unchanged is shown: a statement withdrawn since stood in one that was changed.
"""

from __future__ import annotations

from . import stamp

TYPE_CHECKING = False  # `typing` costs as much as an empty Python
if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from .answer import Item

    # The contents of git objects by their names, None for those that are missing.
    Objects = Callable[..., list[str | None]]

BUDGET = 500  # tokens of 4 bytes
_HEAD = "From memory (hipogit), may be out of date:\n"


def hook(
    local: Path | str,
    tip: str,
    prompt: str,
    objects: Objects,
    budget: int = BUDGET,
) -> str:
    """What memory has to say to a prompt, or nothing.

    `local` is `<common git dir>/hipogit`; `objects` is asked only when the index is not
    of the tip.
    """
    if not prompt.strip():
        return ""
    mark = stamp.read(local)
    if mark is None:
        return ""
    from .answer import Recalled, recall, rendered
    from .open import Damaged, Index

    broken = (stamp.driver().Error, Damaged)
    try:
        index = Index(stamp.connect(local), mark.tip)
    except broken:
        return ""
    try:
        if index.rows("select value from meta where key='tip'") != [(mark.tip,)]:
            return ""  # a writer came in between
        items = recall(index, prompt, budget=budget, quick=True).items
        if items and mark.tip != tip:
            items = _standing(items, objects, mark.tip, tip)
        # What stands around the statements takes space too.
        while items:
            text = _HEAD + rendered(Recalled(items, 0, []))
            if len(text.encode("utf-8")) <= budget * 4:
                return text
            items.pop()
        return ""
    except broken:
        return ""
    finally:
        index.close()


def _standing(items: list[Item], objects: Objects, old: str, new: str) -> list[Item]:
    """The statements whose files are the same in both commits."""
    try:
        folders = objects(f"{old}:memory", f"{new}:memory")
    except OSError:
        return []
    before, now = (
        (folder or "").encode("utf-8", "surrogateescape") for folder in folders
    )
    size = (len(old) + 1) // 2  # bytes of an object's name
    kept = []
    for item in items:
        # As a tree object has it: the name, a NUL, and the name of the content.
        name = f" {item.day}.md\0".encode()
        was, is_ = before.find(name), now.find(name)
        if was < 0 or is_ < 0:
            continue
        length = len(name) + size
        if before[was : was + length] == now[is_ : is_ + length]:
            kept.append(item)
    return kept
