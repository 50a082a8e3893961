"""Reading a transcript while it grows gives the turns of reading it once."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hipogit.transcripts import Cursor, read

from .samples import (
    GROWING,
    ROOT,
    in_slices,
    mutated,
    platform_of,
    random_cuts,
    shuffled,
    whole,
)

_SHARED = [HealthCheck.function_scoped_fixture]


@pytest.mark.parametrize("name", GROWING)
@settings(max_examples=12, suppress_health_check=_SHARED, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_ten_random_slices_give_the_same_turns(tmp_path, name, seed):
    data = (ROOT / name).read_bytes()
    cuts = random_cuts(seed, len(data))
    turns, readings = in_slices(platform_of(name), data, cuts, tmp_path / "t.jsonl")
    once = whole(name)
    assert turns == list(once.turns)
    assert sum(r.summaries for r in readings) == once.summaries
    skipped = [r.skipped for r in readings]
    for reason, count in once.skipped.items():
        assert sum(s.get(reason, 0) for s in skipped) == count


@pytest.mark.parametrize("name", GROWING)
def test_a_reading_after_every_line_gives_the_same_turns(tmp_path, name):
    data = (ROOT / name).read_bytes()
    cuts = [n + 1 for n, byte in enumerate(data) if byte == 10]
    turns, _ = in_slices(platform_of(name), data, cuts, tmp_path / "t.jsonl")
    assert turns == list(whole(name).turns)


@pytest.mark.parametrize("name", GROWING)
@settings(max_examples=8, suppress_health_check=_SHARED, deadline=None)
@given(seed=st.integers(0, 10**6), damage=st.sampled_from([mutated, shuffled]))
def test_damaged_transcripts_give_the_same_turns_too(tmp_path, name, seed, damage):
    platform = platform_of(name)
    data = damage((ROOT / name).read_bytes(), seed)
    path = tmp_path / "t.jsonl"
    turns, _ = in_slices(platform, data, random_cuts(seed, len(data)), path)
    assert turns == list(read(platform, path, final=True).turns)


ROWS = {
    "codex": [
        {"timestamp": f"2031-01-0{n}", "type": "event_msg", "payload": payload}
        for n, payload in enumerate(
            [
                {"type": "user_message", "message": "one"},
                {"type": "user_message", "message": "two"},
                {"type": "agent_message", "message": "Done."},
                {"type": "user_message", "message": "three"},
                {"type": "agent_message", "message": "Done."},
                {"type": "thread_rolled_back", "num_turns": 2},
                {"type": "user_message", "message": "four"},
            ],
            1,
        )
    ],
    "gemini": [
        {"id": "g1", "type": "user", "content": "one"},
        {"id": "g2", "type": "user", "content": "two"},
        {"id": "g3", "type": "gemini", "content": "Done."},
        {"id": "g4", "type": "user", "content": "three"},
        {"$rewindTo": "g2"},
        {"id": "g5", "type": "user", "content": "four"},
    ],
}


@pytest.mark.parametrize("platform", ROWS)
@pytest.mark.parametrize("final", [False, True], ids=["waiting", "stop"])
def test_a_rewind_takes_back_turns_given_long_before(tmp_path, platform, final):
    lines = [json.dumps(row).encode() + b"\n" for row in ROWS[platform]]
    cuts = [sum(map(len, lines[:n])) for n in range(1, len(lines))]
    path = tmp_path / "t.jsonl"
    turns, readings = in_slices(platform, b"".join(lines), cuts, path, final)
    assert [turn.user for turn in turns] == ["one", "four"]
    assert sum(len(reading.rewound) for reading in readings) == 2
    once = read(platform, path, final=True)
    assert [turn.user for turn in once.turns] == ["one", "four"]


@pytest.mark.parametrize("name", [n for n in GROWING if not n.startswith("codex/")])
@settings(max_examples=8, suppress_health_check=_SHARED, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_a_stop_at_any_moment_gives_each_statement_once(tmp_path, name, seed):
    data = (ROOT / name).read_bytes()
    cuts = random_cuts(seed, len(data), 5)
    turns, _ = in_slices(platform_of(name), data, cuts, tmp_path / "t.jsonl", True)
    statements = [(t.id, t.user) for t in turns if t.user]
    assert statements == [(t.id, t.user) for t in whole(name).turns]
    assert len({turn.id for turn in turns}) == len(turns)
    known = {id for id, _ in statements}
    assert all(t.continues in known for t in turns if not t.user)


def _row(kind: str, id: str, said: str) -> str:
    content = [{"type": "text", "text": said}]
    row = {"type": kind, "uuid": id, "sessionId": "s", "message": {"content": content}}
    return json.dumps(row) + "\n"


def test_what_an_agent_adds_after_its_turn_was_given_continues_it(tmp_path):
    path = tmp_path / "s.jsonl"
    path.write_text(_row("user", "u1", "count") + _row("assistant", "a1", "Started."))
    first = read("claude-code", path, final=True)
    with path.open("a") as file:
        file.write(_row("assistant", "a2", "Root cause found: the counter wraps."))
    # Not complete before a statement comes or somebody says so.
    waiting = read("claude-code", path, first.cursor)
    second = read("claude-code", path, waiting.cursor, final=True)
    assert [turn.user for turn in first.turns] == ["count"]
    assert waiting.turns == ()
    (more,) = second.turns
    assert (more.id, more.user, more.continues) == ("a2", "", "u1")
    assert more.outcomes == ("Root cause found: the counter wraps.",)
    assert more.session == "s"


def test_a_file_that_shrank_or_changed_is_read_from_its_start(tmp_path):
    path = tmp_path / "s.jsonl"
    path.write_text(_row("user", "u1", "one") + _row("user", "u2", "two"))
    cursor = read("claude-code", path, final=True).cursor
    same_inode = path.stat().st_ino
    with path.open("r+b") as file:
        file.truncate()
        file.write((_row("user", "u1", "one") + _row("user", "u3", "3wo")).encode())
    assert path.stat().st_ino == same_inode
    again = read("claude-code", path, cursor, final=True)
    assert [turn.id for turn in again.turns] == ["u1", "u3"]
    path.write_text(_row("user", "u9", "nine"))
    shrunk = read("claude-code", path, cursor, final=True)
    assert [turn.id for turn in shrunk.turns] == ["u9"]


def test_another_file_at_the_same_path_is_read_from_its_start(tmp_path):
    path = tmp_path / "s.jsonl"
    path.write_text(_row("user", "u1", "one"))
    cursor = read("claude-code", path, final=True).cursor
    other = tmp_path / "other.jsonl"
    other.write_text(_row("user", "u1", "one") + _row("user", "u2", "two"))
    other.replace(path)
    reading = read("claude-code", path, cursor, final=True)
    assert [turn.id for turn in reading.turns] == ["u1", "u2"]


@pytest.mark.parametrize(
    "kept",
    [
        None,
        [],
        {},
        {"format": 2},
        {"format": 2, "inode": -1, "offset": 0, "end": 0, "line": 0},
        {"format": 2, "inode": 1, "offset": 9, "end": 3, "line": 0},
        {"format": 1, "inode": 1, "offset": 0, "end": 0, "line": 0},
        {"format": 2, "inode": True, "offset": 0, "end": 0, "line": 0},
    ],
    ids=str,
)
def test_a_broken_cursor_is_none(kept):
    assert Cursor.from_json(kept) is None


_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=12),
    lambda inner: st.lists(inner, max_size=4),
    max_leaves=6,
)


@pytest.mark.parametrize("platform", ["claude-code", "codex", "gemini", "openclaw"])
@settings(max_examples=25, suppress_health_check=_SHARED, deadline=None)
@given(
    state=st.dictionaries(
        st.sampled_from(["side", "source", "session", "order", "statements", "cwd"]),
        _VALUES,
    ),
    tree=st.dictionaries(
        st.sampled_from(["rows", "runs", "statements", "current", "left", "parallel"]),
        _VALUES | st.lists(st.lists(st.integers(-2, 4), max_size=3), max_size=4),
    ),
)
def test_a_state_somebody_wrote_into_is_survived(tmp_path: Path, platform, state, tree):
    name = next(n for n in GROWING if n.startswith(platform))
    path = ROOT / name
    kept = read(platform, path).cursor.to_json()
    state = {**state, "tree": tree}
    cursor = Cursor.from_json({**kept, "state": state, "offset": 0, "given": state})
    assert cursor is not None
    read(platform, path, cursor, final=True)
