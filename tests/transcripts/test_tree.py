"""Sessions that are trees: what was gone back from, what was returned to."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from conftest import sized
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hipogit.transcripts import Cursor, read
from hipogit.transcripts.tree import Tree

_SHARED = [HealthCheck.function_scoped_fixture]


def followed(*rows: tuple[str, str]) -> tuple[set[str], Tree]:
    """The statements left in the end, of rows (id, what it follows); u… are said."""
    tree, left = Tree({}), set[str]()
    for id, follows in rows:
        if id.startswith("u"):
            gone, back = tree.statement(id, follows)
            left = (left | set(gone)) - set(back)
        else:
            tree.add(id, follows)
        tree = Tree(json.loads(json.dumps(tree.state())))
    return left, tree


LINE = [("u1", ""), ("a1", "u1"), ("u2", "a1"), ("a2", "u2"), ("u3", "a2")]
CASES = {
    "a line": ([], set()),
    "one back": ([("u4", "a2")], {"u3"}),
    "two back": ([("u4", "a1")], {"u2", "u3"}),
    "to the beginning of a turn": ([("u4", "u1")], {"u2", "u3"}),
    "back and on": ([("u4", "a1"), ("a4", "u4"), ("u5", "a4")], {"u2", "u3"}),
    "back twice": ([("u4", "a2"), ("u5", "a1")], {"u2", "u3", "u4"}),
    "returned to": ([("u4", "a1"), ("u5", "a2")], set()),
    "two lines at once": ([("u4", "a1"), ("u5", "u3"), ("u6", "u4")], set()),
    "after a row nobody knows": ([("u4", "elsewhere")], set()),
    "after no row": ([("u4", "")], set()),
    "a compaction's new root": ([("c", ""), ("s", "c"), ("u4", "s")], set()),
    "answers beside each other": ([("b", "u3"), ("c", "u3"), ("u4", "b")], set()),
}


@pytest.mark.parametrize(("more", "left"), CASES.values(), ids=CASES)
def test_a_statement_that_follows_an_earlier_one_leaves_those_between(
    more: list[tuple[str, str]], left: set[str]
) -> None:
    assert followed(*LINE, *more)[0] == left


def test_a_tree_of_any_length_stays_small() -> None:
    rows = [("u0", "")]
    for n in range(1, 9_000):
        rows.append((f"{'u' if n % 3 == 0 else 'a'}{n}", rows[-1][0]))
    tree = Tree({})
    for id, follows in rows:
        (tree.statement if id[0] == "u" else tree.add)(id, follows)
    assert not tree.left
    assert len(json.dumps(tree.state())) < 100_000
    assert tree.statement("u", rows[-4][0])[0] == ["u8997"]


@settings(max_examples=sized(30, 300), suppress_health_check=_SHARED, deadline=None)
@given(
    follows=st.lists(st.integers(0, 9), min_size=2, max_size=14),
    said=st.lists(st.booleans(), min_size=14, max_size=14),
    cuts=st.sets(st.integers(0, 14), max_size=6),
)
def test_many_readings_of_any_tree_leave_what_one_leaves(
    tmp_path: Path, follows: list[int], said: list[bool], cuts: set[int]
) -> None:
    path = tmp_path / "s.jsonl"
    rows = []
    for n, back in enumerate(follows):
        kind = "user" if n == 0 or said[n] else "assistant"
        row = {"type": kind, "uuid": f"r{n}", "sessionId": "s"}
        row["parentUuid"] = f"r{n - 1 - back}" if back < n else None
        text = f"thing {n}" if kind == "user" else "Fixed it."
        rows.append(json.dumps({**row, "message": {"content": text}}) + "\n")
    turns, left, cursor = set[str](), set[str](), None
    for end in sorted({*cuts, len(rows)} - {0}):
        path.write_text("".join(rows[:end]))
        reading = read("claude-code", path, cursor, final=True)
        cursor = Cursor.from_json(reading.cursor.to_json())
        turns |= {turn.id for turn in reading.turns if not turn.continues}
        left = (left | set(reading.left)) - set(reading.returned)
    whole = read("claude-code", path, final=True)
    assert turns == {turn.id for turn in whole.turns if not turn.continues}
    assert left == set(whole.left)
