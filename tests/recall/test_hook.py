"""The prompt hook is quick, short and mostly silent."""

from __future__ import annotations

import subprocess
import sys

from hipogit.recall import index, stamp
from hipogit.recall.hook import current, hook

from .conftest import Memory, entry

CODE = """
import sys
from pathlib import Path
from hipogit.recall.hook import hook
print(hook(Path(sys.argv[1]), sys.argv[2], sys.argv[3]), end="")
heavy = {"click", "dataclasses", "git", "filelock", "yaml", "inspect", "subprocess"}
print(sorted(heavy & set(sys.modules)), file=sys.stderr)
"""


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
    tip, local = _write(memory), memory.store.local
    assert "never on fridays" in hook(local, tip, "may I deploy on fridays?")
    said = hook(local, tip, "token rate limit 7")
    assert 0 < len(said.encode()) <= 2000
    assert hook(local, tip, "water the tulips") == ""
    assert hook(local, tip, " \n") == ""


def test_an_index_of_another_commit_says_nothing(memory: Memory) -> None:
    old, local = _write(memory), memory.store.local
    tip = memory.write(entry("2026-11-22", "More", "- decisions: even more"))
    assert hook(local, tip, "may I deploy on fridays?") == ""
    assert not current(local, tip)
    index.refresh(memory.store)
    assert current(local, tip)
    assert hook(local, old, "may I deploy on fridays?") == ""
    assert "fridays" in hook(local, tip, "may I deploy on fridays?")


def test_a_damaged_index_says_nothing(memory: Memory) -> None:
    tip, local = _write(memory), memory.store.local
    stamp.path(local).write_bytes(b"junk")
    assert hook(local, tip, "may I deploy on fridays?") == ""
    index.discard(local)
    assert hook(local, tip, "may I deploy on fridays?") == ""


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
