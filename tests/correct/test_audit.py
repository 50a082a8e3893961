"""The audit commands tell who said what, when, from where, and what became of it."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path

import pytest
from conftest import git, hipogit, sized
from story import Memory

from hipogit import audit
from hipogit.errors import HipogitError

STORY = """
    2026-03-02 rate limit [project]  decided: token bucket with bursts
    2026-03-04 user name [user]  fact: call me Ann
    2026-11-29 deploy  decided: deploy from the main branch alone
"""
OLD, USER, DEPLOY = "2026-03-02 rate limit", "2026-03-04 user name", "2026-11-29 deploy"


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Memory:
    """A story with corrections, read by all tests here and changed by none."""
    repo = tmp_path_factory.mktemp("told")
    git(repo, "init", "-q")
    git(repo, "commit", "-q", "--allow-empty", "-m", "code")
    memory = Memory(repo)
    memory.story(STORY)
    memory.say("habits", "- note: deploy from the main branch alone", session="s2")
    memory.supersede(OLD, "- decided: sliding window")
    memory.dispute(DEPLOY, "the pipeline changed")
    memory.retract(USER, "it was somebody else")
    return memory


def log(memory: Memory, **wanted: object) -> list[str]:
    lines = audit.lines(memory.store, audit.Filter(**wanted))
    return [line.record.action for line in lines]


ALL = ["retract", "dispute", "supersede", *["checkpoint"] * 4, "init"]


def test_the_log_is_in_order_and_leaves_out_what_is_derived(told: Memory) -> None:
    assert log(told) == ALL
    derived = log(told, derived=True)
    assert "compact" in derived and [a for a in derived if a != "compact"] == ALL


FILTERS = {
    "action": ({"action": "dispute"}, ["dispute"]),
    "compaction by name": ({"action": "compact"}, ["compact"] * 4),
    "type": ({"type": "user"}, ["retract", "checkpoint"]),
    "actor": ({"actor": "Ann"}, ALL[:3]),
    "since": ({"since": "2026-11-30"}, []),
    "until a month": ({"until": "2026-11"}, ALL),
    "a week": ({"since": "2026-W48", "until": "2026-W48"}, ALL),
    "no such session": ({"session": "."}, []),
}


@pytest.mark.parametrize(("wanted", "found"), FILTERS.values(), ids=FILTERS.keys())
def test_filters(told: Memory, wanted: dict[str, str], found: list[str]) -> None:
    assert log(told, **wanted) == found


def test_the_log_of_one_entry(told: Memory) -> None:
    id = told.id(OLD)
    assert log(told, id=id[:13]) == ["supersede", "checkpoint"]
    rows = [
        json.loads(line)
        for line in hipogit(told.repo, "log", id, "--json").splitlines()
    ]
    assert set(rows[0]) >= {
        "commit", "at", "action", "actor", "source", "session", "entries", "reason",
        "redactions", "code",
    }  # fmt: skip
    assert [row["action"] for row in rows] == ["supersede", "checkpoint"]
    text = hipogit(told.repo, "log", "-n", "1")
    assert "retract" in text and "why: it was somebody else" in text
    assert "\x1b" not in text


def test_a_date_that_is_none_is_refused(told: Memory) -> None:
    said = hipogit(told.repo, "log", "--since", "soon", code=2)
    assert "'soon' is no date" in said and "hint: " in said


def test_history_has_every_form_and_reason(told: Memory) -> None:
    found = audit.history(told.store, told.id(DEPLOY)[:13])
    assert [(p.line.record.action, p.entry and p.entry.standing) for p in found] == [
        ("dispute", "disputed"),
        ("checkpoint", "stated"),
    ]
    values = json.loads(hipogit(told.repo, "history", told.id(OLD), "--json"))
    texts = [version["text"] for version in values["versions"]]
    assert "token bucket with bursts" in texts[1] and "token" not in texts[0]


def test_a_clock_that_once_went_back_hides_nothing(memory: Memory) -> None:
    id = memory.say("lamp posts", "- decided: paint them green")
    hipogit(memory.repo, "--now", "2026-01-01T00:00", "checkpoint", "Clock", "-m", "x")
    memory.retract(id, "they are blue")
    actions = [past.line.record.action for past in audit.history(memory.store, id)]
    assert actions == ["retract", "checkpoint"]
    memory.restore(id)
    hipogit(memory.repo, "--now", "2026-01-01T00:00", "checkpoint", "Again", "-m", "x")
    (reason,) = audit.why(memory.store, id)
    assert reason.brought and reason.brought.record.entries == (id,)
    assert len(reason.since) == 2


SHOWN = {
    "a day": ("2026-03-02", "journal", "# 2026-03-02"),
    "a week": ("2026-W48", "weekly", 'period: "2026-W48"'),
    "a month": ("2026-11", "monthly", 'period: "2026-11"'),
    "ROOT": ("ROOT", "root", "## Topics Index"),
    "a node": ("daily/2026-11-29", "daily", "verbatim"),
    "a file": ("WORKING.md", "file", ""),
    "a commit": ("hipogit/memory", "commit", "action: retract"),
}


@pytest.mark.parametrize(("word", "type", "text"), SHOWN.values(), ids=SHOWN.keys())
def test_show(told: Memory, word: str, type: str, text: str) -> None:
    found = audit.show(told.store, word)
    assert found.type == type and text in found.text


def test_show_at_a_point(told: Memory) -> None:
    id = told.id(OLD)
    assert "token" not in audit.show(told.store, id).text
    (line,) = audit.lines(told.store, audit.Filter(action="supersede"))
    assert "token bucket" in audit.show(told.store, id, f"{line.commit}~1").text
    values = json.loads(hipogit(told.repo, "show", id, "--json"))
    assert values["standing"] == "superseded" and values["day"] == "2026-03-02"
    assert set(values) >= {"id", "topic", "type", "standing", "day", "text", "commit"}
    # Memory as it was when the code was at that commit, or on that day.
    assert audit.show(told.store, "ROOT", "2026-11-29").commit == told.tip()
    with pytest.raises(HipogitError, match="memory begins after 2020"):
        audit.show(told.store, "ROOT", "2020-01-01")


def test_why_walks_down_from_a_line_of_root(told: Memory) -> None:
    root = told.files()["memory/ROOT.md"]
    (line,) = [x for x in root.split("\n") if "[disputed] deploy from" in x]
    (reason,) = audit.why(told.store, line)
    assert reason.entry.id == told.id(DEPLOY)
    assert reason.brought and reason.brought.record.action == "checkpoint"
    assert [line.record.action for line in reason.since] == ["dispute"]


def test_why_of_a_sentence_counts_independent_sessions(told: Memory) -> None:
    found = audit.why(told.store, "Deploy from the main branch alone")
    assert {reason.sessions for reason in found} == {2}
    assert any("memory/ROOT.md:" in place for place in found[0].found)
    values = json.loads(hipogit(told.repo, "why", told.id(DEPLOY)[:13], "--json"))
    (entry,) = values["entries"]
    assert entry["session"] == "s1" and entry["sessions"] == 2
    number = (
        told.files()["memory/2026-11-29.md"]
        .split("\n")
        .index("- note: deploy from the main branch alone")
    )
    (reason,) = audit.why(told.store, f"memory/2026-11-29.md:{number + 1}")
    assert reason.entry.topic == "habits"


def test_why_of_what_nobody_said(told: Memory) -> None:
    said = hipogit(told.repo, "why", "the moon is made of cheese", code=1)
    assert "nothing in memory says" in said
    said = hipogit(told.repo, "why", "token bucket with bursts", code=1)
    assert "nothing in memory says" in said


def test_diff_tells_entries(told: Memory) -> None:
    first = told.store.git.text("rev-list", "--max-parents=0", told.store.ref)
    found = audit.diff(told.store, first)
    assert {e.topic for e in found.learnt} == {"deploy", "habits", "rate limit"}
    (line,) = audit.lines(told.store, audit.Filter(action="supersede"))
    found = audit.diff(told.store, f"{line.commit}~1", "2026-11-29")
    assert [old.id for old, _ in found.withdrawn] == [told.id(OLD), told.id(USER)]
    assert [new.standing for _, new in found.changed] == ["disputed"]
    values = json.loads(
        hipogit(told.repo, "diff", f"{first}..{line.commit}~1", "--json")
    )
    texts = {row["id"]: row["text"] for row in values["learnt"]}
    # What has been withdrawn since is not told again.
    assert texts[told.id(OLD)] == "" and texts[told.id(DEPLOY)]
    text = hipogit(told.repo, "diff", f"{line.commit}~1")
    assert "stated -> disputed" in text and "Superseded on" in text


@pytest.mark.parametrize(
    "point", ["2020-01-01", "2020-W01", "1969-07", "2020-01-01T12:00:00+09:00", "code"]
)
def test_before_memory_began_there_was_nothing(
    told: Memory, point: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if point == "code":
        monkeypatch.setenv("GIT_COMMITTER_DATE", "2020-01-01T00:00:00Z")
        point = git(told.repo, "commit-tree", f"{told.tip()}^{{tree}}", "-m", "old")
        point = point.strip()
    found = audit.diff(told.store, point)
    first = told.store.git.text("rev-list", "--max-parents=0", told.store.ref)
    later = audit.diff(told.store, first)
    assert found.learnt == later.learnt and not found.changed and not found.withdrawn
    assert "WORKING.md" in found.files
    shown = hipogit(told.repo, "diff", f"{point}..")
    assert "+ " in shown and "token bucket with bursts" not in shown
    assert not hipogit(told.repo, "diff", f"{point}..2020-01-02")
    values = json.loads(hipogit(told.repo, "diff", f"{point}..", "--json"))
    # What git itself compares with where there is nothing yet.
    names = git(told.repo, "diff", "--name-only", values["from"], values["to"])
    assert "WORKING.md" in names
    back = audit.diff(told.store, "", point)
    assert not back.learnt and {old.id for old, _ in back.withdrawn} == {
        entry.id for entry in found.learnt
    }
    said = hipogit(told.repo, "show", told.id(DEPLOY), "--at", point, code=2)
    assert "memory begins after" in said and "hint: hipogit show" in said


@pytest.mark.parametrize("edge", ["0001-01-01", "1969-12-31", "2020-W01"])
def test_dates_before_memory_are_dates(told: Memory, edge: str) -> None:
    assert hipogit(told.repo, "log", "--since", edge) == hipogit(told.repo, "log")
    assert hipogit(told.repo, "log", "--until", edge) == ""


def test_a_date_to_come_is_the_tip(told: Memory) -> None:
    for far in ("2099-12-31", "2150-01-01", "8999-12-31"):
        assert audit.points.commit(told.store, far) == told.tip()


def test_no_colours_where_nobody_wants_them(told: Memory) -> None:
    code = "import pty, sys; sys.exit(pty.spawn(sys.argv[1:]) >> 8)"
    words = [sys.executable, "-c", code, sys.executable, "-m", "hipogit", "log"]
    coloured = subprocess.run(
        words, cwd=told.repo, capture_output=True, stdin=subprocess.DEVNULL,
        env=_environment(PAGER="cat", TERM="xterm"), check=True,
    ).stdout  # fmt: skip
    assert b"\x1b[31m" in coloured and b"retract" in coloured
    plain = subprocess.run(
        words, cwd=told.repo, capture_output=True, stdin=subprocess.DEVNULL,
        env=_environment(PAGER="cat", TERM="xterm", NO_COLOR="1"), check=True,
    ).stdout  # fmt: skip
    assert b"\x1b[" not in plain and b"retract" in plain


def _environment(**more: str) -> dict[str, str]:
    import os

    return {**os.environ, **more}


@pytest.mark.slow
def test_the_log_of_a_long_history_is_quick(memory: Memory, tmp_path: Path) -> None:
    count = sized(50_000, 50_000)
    stream = tmp_path / "stream"
    with stream.open("w") as file:
        file.write("reset refs/heads/hipogit/memory\nfrom hipogit/memory^0\n\n")
        for n in range(count):
            id = f"20261129-{n:010}".translate(str.maketrans("0189", "abcd"))
            text = (
                f"checkpoint: topic {n % 700}\n\nHipogit-Action: checkpoint\n"
                f"Hipogit-Entry: {id}\nHipogit-Session: s{n % 90}\n"
                "Hipogit-Source: cli\nHipogit-Actor: Ann\n"
            )
            file.write(
                "commit refs/heads/hipogit/memory\n"
                f"committer A <a@example.invalid> {1796000000 + n} +0900\n"
                f"data {len(text)}\n{text}\n"
            )
    with stream.open("rb") as given:
        subprocess.run(
            ["git", "fast-import", "--quiet"], cwd=memory.repo, stdin=given, check=True
        )
    began = time.monotonic()
    assert len(log(memory)) == count + 1
    whole = time.monotonic() - began
    began = time.monotonic()
    assert len(log(memory, session="s7")) == count // 90 + (count % 90 > 7)
    one = time.monotonic() - began
    began = time.monotonic()
    lines = audit.lines(memory.store, audit.Filter())
    next(lines)
    first = time.monotonic() - began
    lines.close()
    print(f"\nlog of {count} commits: all {whole:.2f} s, one session {one:.2f} s,")
    print(f"the first line after {first:.3f} s")
