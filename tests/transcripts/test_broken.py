"""No bytes make a reader raise anything but an error for people, or hang."""

from __future__ import annotations

import json
import random
from contextlib import suppress

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hipogit.errors import HipogitError
from hipogit.transcripts import PLATFORMS, read

from .samples import GROWING, ROOT, WHOLE, mutated, platform_of

_SHARED = [HealthCheck.function_scoped_fixture]
SUFFIXES = ("t.jsonl", "t.json", "t.jsonl.zst")

GLUE = "<hook_context>"

# Values where a reader expects some other shape.
_ODD = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=8)
    | st.sampled_from(["user", "assistant", "message", "\ud83d", "<hook_context>"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["type", "role", "text", "content", "id", "messages", "kind"]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=8,
)


def _read(platform, path):
    with suppress(HipogitError):
        for turn in read(platform, path, final=True).turns:
            repr(turn).encode("utf-8")


@pytest.mark.parametrize("platform", PLATFORMS)
@pytest.mark.parametrize("file", SUFFIXES)
@settings(max_examples=20, suppress_health_check=_SHARED, deadline=None)
@given(data=st.binary(max_size=400))
def test_any_bytes(tmp_path, platform, file, data):
    path = tmp_path / file
    path.write_bytes(data)
    _read(platform, path)


@pytest.mark.parametrize("name", GROWING + WHOLE)
@settings(max_examples=12, suppress_health_check=_SHARED, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_fixtures_with_bytes_changed_moved_and_cut(tmp_path, name, seed):
    path = tmp_path / name.rsplit("/", 1)[-1]
    path.write_bytes(mutated((ROOT / name).read_bytes(), seed))
    _read(platform_of(name), path)


def _fields(value, path=()):
    """The places of all values in a JSON value."""
    yield path
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _fields(inner, (*path, key))
    elif isinstance(value, list):
        for number, inner in enumerate(value):
            yield from _fields(inner, (*path, number))


@pytest.mark.parametrize("name", [n for n in GROWING if "real" not in n])
@settings(max_examples=25, suppress_health_check=_SHARED, deadline=None)
@given(seed=st.integers(0, 10**6), odd=_ODD)
def test_rows_with_a_value_of_another_shape(tmp_path, name, seed, odd):
    chance = random.Random(seed)
    rows = []
    for line in (ROOT / name).read_bytes().split(b"\n"):
        with suppress(ValueError):
            row = json.loads(line)
            places = [p for p in _fields(row) if p]
            if places:
                *way, key = chance.choice(places)
                inner = row
                for step in way:
                    inner = inner[step]
                inner[key] = odd
            rows.append(json.dumps(row))
    path = tmp_path / "t.jsonl"
    path.write_text("\n".join(rows) + "\n", encoding="utf-8", errors="replace")
    _read(platform_of(name), path)


@pytest.mark.parametrize(
    "line",
    [
        "[" * 100_000,
        '{"a":' * 100_000,
        "9" * 10_000,
        '{"type":"user","uuid":"u","timestamp":1e999,"message":{"content":"x"}}',
        '{"type":"user","uuid":"u","timestamp":"0001-01-01","message":{"content":"x"}}',
        '{"type":"user","uuid":"\\ud83d","message":{"content":["\\udc00"]}}',
    ],
    ids=["arrays", "objects", "number", "endless time", "first day", "surrogates"],
)
@pytest.mark.parametrize("platform", PLATFORMS)
def test_absurd_lines(tmp_path, platform, line):
    for file in ("t.jsonl", "t.json"):
        path = tmp_path / file
        path.write_text(line + "\n" + line + "\n")
        _read(platform, path)


@pytest.mark.parametrize(
    "unit",
    [GLUE, f"{GLUE}</hook_context>", "a. ", "**", "decided ", "- ", " ", "at "],
    ids=str,
)
@pytest.mark.parametrize("platform", ["claude-code", "gemini"])
def test_long_repetitions_cost_little(tmp_path, platform, unit):
    said = unit * (1_000_000 // len(unit)) + "."
    rows = {
        "claude-code": [
            {"type": "user", "uuid": "u", "message": {"content": said}},
            {
                "type": "assistant",
                "uuid": "a",
                "message": {"content": [{"type": "text", "text": said}]},
            },
        ],
        "gemini": [
            {"id": "u", "type": "user", "content": said},
            {"id": "v", "type": "user", "content": "go on"},
            {"id": "a", "type": "gemini", "content": said},
        ],
    }[platform]
    path = tmp_path / "t.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    reading = read(platform, path, final=True)
    assert reading.turns
