"""The prompt hook is quick, short and mostly silent."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace

from hipogit import quick
from hipogit.recall import index, stamp
from hipogit.recall.hook import hook as answer

from .conftest import Memory, entry

CODE = """
import sys
from hipogit.recall.hook import hook
print(hook(sys.argv[1], sys.argv[2], sys.argv[3], None), end="")
heavy = {"click", "dataclasses", "git", "filelock", "yaml", "inspect", "subprocess"}
print(sorted(heavy & set(sys.modules)), file=sys.stderr)
"""


def hook(memory: Memory, tip: str, prompt: str) -> str:
    place = quick.find(str(memory.path))
    assert place is not None
    objects = lambda *names: quick.objects(place, names)  # noqa: E731
    return answer(place.local, tip, prompt, objects)


def _write(memory: Memory) -> str:
    tip = memory.write(
        *(
            entry(f"2026-11-{d:02}", f"Rate limit {d}", "- decisions: " + "token " * 90)
            for d in range(1, 20)
        ),
        entry("2026-11-21", "Deploy", "- decisions: deploy never on fridays"),
    )
    index.refresh(memory.store)
    return tip


def test_it_answers_within_500_tokens_or_not_at_all(memory: Memory) -> None:
    tip = _write(memory)
    assert "never on fridays" in hook(memory, tip, "may I deploy on fridays?")
    said = hook(memory, tip, "token rate limit 7")
    assert 0 < len(said.encode()) <= 2000
    assert hook(memory, tip, "water the tulips") == ""
    assert hook(memory, tip, " \n") == ""


def test_an_older_index_says_what_still_stands(memory: Memory) -> None:
    """Statements of changed files are left out until the index has caught up."""
    old = _write(memory)
    moved = entry("2026-11-22", "More", "- decisions: kittens sleep on tuesdays")
    tip = memory.write(moved)
    assert "fridays" in hook(memory, tip, "may I deploy on fridays?")
    assert hook(memory, tip, "do kittens sleep on tuesdays?") == ""
    index.refresh(memory.store)
    assert "tuesdays" in hook(memory, tip, "do kittens sleep on tuesdays?")
    # The other way round: an index that is ahead of what a reader saw.
    assert hook(memory, old, "do kittens sleep on tuesdays?") == ""
    assert "fridays" in hook(memory, old, "may I deploy on fridays?")


def test_an_older_index_does_not_say_what_was_withdrawn(memory: Memory) -> None:
    tip = _write(memory)
    said = entry("2026-11-21", "Deploy", "- decisions: deploy never on fridays")
    assert "fridays" in hook(memory, tip, "may I deploy on fridays?")
    memory.write(replace(said, topic="(retracted)", body="x", standing="retracted"))
    tip = memory.store.tip() or ""
    assert hook(memory, tip, "may I deploy on fridays?") == ""
    # A commit that is gone, as after a purge: nothing can be compared.
    other = "0" * len(tip)
    assert hook(memory, other, "may I deploy on fridays?") == ""


def test_a_damaged_index_says_nothing(memory: Memory) -> None:
    tip, local = _write(memory), memory.store.local
    stamp.path(local).write_bytes(b"junk")
    assert hook(memory, tip, "may I deploy on fridays?") == ""
    index.discard(local)
    assert hook(memory, tip, "may I deploy on fridays?") == ""


def test_it_imports_nothing_heavy(memory: Memory) -> None:
    tip = _write(memory)
    args = [str(memory.store.local), tip, "may I deploy on fridays?"]
    done = subprocess.run(
        [sys.executable, "-c", CODE, *args],
        capture_output=True,
        text=True,
        check=True,
    )
    assert "fridays" in done.stdout
    assert done.stderr.strip() == "[]"
