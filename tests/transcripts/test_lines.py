"""Lines end at \\n alone, have a bound, and a last one without end waits."""

from __future__ import annotations

import io
import json
import tracemalloc

import pytest

from hipogit.transcripts import read
from hipogit.transcripts.lines import Line, complete_lines, digest_of


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"", []),
        (b"a", []),
        (b"a\n", [b"a\n"]),
        (b"a\r\nb\n", [b"a\r\n", b"b\n"]),
        (b"a\rb\n", [b"a\rb\n"]),
        ("\u2028\u0085\n".encode(), ["\u2028\u0085\n".encode()]),
        (b"\n\nx\ny", [b"\n", b"\n", b"x\n"]),
        (b"12345678\n", [None]),
        (b"1234567\nab\n", [b"1234567\n", b"ab\n"]),
        (b"12345678\nab\n123456789abc", [None, b"ab\n"]),
        (b"12345678", []),
    ],
    ids=str,
)
def test_complete_lines(data, expected):
    lines = list(complete_lines(io.BytesIO(data), longest=8))
    assert [line.data for line in lines] == expected
    assert (
        b"".join(data[line.start : line.end] for line in lines)
        == (data[: data.rfind(b"\n") + 1])
    )
    for line in lines:
        file = io.BytesIO(data)
        assert line.digest == digest_of(file, line.start, line.end)


def test_a_line_knows_whether_it_is_blank():
    assert Line(0, 3, b" \r\n").blank
    assert not Line(0, 3, b"x\r\n").blank
    assert not Line(0, 3, None).blank


def test_a_line_too_long_is_skipped_and_counted(tmp_path, monkeypatch):
    monkeypatch.setattr("hipogit.transcripts.lines.LONGEST", 99)
    rows = [
        {"uuid": "a", "type": "user", "message": {"content": "one"}},
        {"uuid": "b", "type": "user", "message": {"content": "x" * 500}},
        {"uuid": "c", "type": "user", "message": {"content": "two"}},
    ]
    path = tmp_path / "t.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    reading = read("claude-code", path, final=True)
    assert [turn.user for turn in reading.turns] == ["one", "two"]
    assert reading.skipped == {"too long": 1}


def _long_session(path, size):
    """A session of that size, nearly all of it tool output, as they are."""
    output = "line of a log that nobody will want to read again\n" * 400
    number = 0
    with path.open("w") as file:
        while file.tell() < size:
            number += 1
            rows = [
                {"uuid": f"u{number}", "type": "user", "message": {"content": "go on"}}
            ]
            for call in range(10):
                content = [{"type": "tool_result", "content": output}]
                rows.append(
                    {
                        "uuid": f"r{number}-{call}",
                        "type": "user",
                        "message": {"content": content},
                        "toolUseResult": {"stdout": output},
                    }
                )
            told = [{"type": "text", "text": "Fixed it, because the cache was stale."}]
            rows.append(
                {
                    "uuid": f"a{number}",
                    "type": "assistant",
                    "message": {"content": told},
                }
            )
            file.writelines(json.dumps(row) + "\n" for row in rows)
    return number


def _peak(path, since=None):
    tracemalloc.start()
    reading = read("claude-code", path, since, final=True)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return reading, peak


def test_memory_does_not_grow_with_the_file(tmp_path):
    path = tmp_path / "t.jsonl"
    _long_session(path, 1_000_000)
    small = _peak(path)[1]
    number = _long_session(path, 12_000_000)
    reading, large = _peak(path)
    assert len(reading.turns) == number
    assert large < small + 1_000_000


def test_only_what_is_new_is_read(tmp_path):
    path = tmp_path / "t.jsonl"
    _long_session(path, 4_000_000)
    first = read("claude-code", path, final=True)
    with path.open("a") as file:
        row = {"uuid": "new", "type": "user", "message": {"content": "one more"}}
        file.write(json.dumps(row) + "\n")
    reading, peak = _peak(path, first.cursor)
    assert [turn.user for turn in reading.turns] == ["one more"]
    assert first.cursor.offset == first.cursor.end
    assert peak < 1_000_000


@pytest.mark.slow
def test_a_hundred_megabytes(tmp_path):
    path = tmp_path / "t.jsonl"
    number = _long_session(path, 100_000_000)
    reading, peak = _peak(path)
    assert len(reading.turns) == number
    assert peak < 16_000_000
