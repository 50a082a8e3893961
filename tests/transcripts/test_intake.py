"""Transcripts into the branch: everything once, whenever and however it is read."""

from __future__ import annotations

import json
import shutil
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest
from conftest import NOW, git, hipogit

from hipogit import correct, intake
from hipogit.entry import parse_all
from hipogit.store import Store

from .samples import GROWING, ROOT, WHOLE, platform_of, random_cuts, whole

NOW_AT = datetime.fromisoformat(NOW)
SEOUL = timezone(timedelta(hours=9))
WHOLES = [name for name in GROWING + WHOLE if "truncated" not in name]
MEMORY = "hipogit/memory"


@pytest.fixture
def store(repo: Path) -> Store:
    """A repository with an empty memory."""
    hipogit(repo, "init", "--platform", "none", "--no-worktree")
    return Store.open(repo)


def _journals(store: Store) -> dict[str, str]:
    with store.snapshot() as tip:
        return {
            path: tip.read(path) or ""
            for path in tip.paths("memory/")
            if path.count("/") == 1 and path != "memory/ROOT.md"
        }


def _entries(store: Store):
    return [e for text in _journals(store).values() for e in parse_all(text)[1]]


def _take(store, path, name, **more):
    more.setdefault("tz", SEOUL)
    return intake.take(store, path, NOW_AT, platform=platform_of(name), **more)


@pytest.mark.parametrize("name", WHOLES)
def test_a_transcript_taken_twice_adds_nothing_the_second_time(store, name):
    first = _take(store, ROOT / name, name)
    statements = [turn for turn in whole(name).turns if not turn.sidechain]
    assert len(first.entries) == len(statements)
    assert {e.id for e in _entries(store)} == {e.id for e in first.entries}
    again = _take(store, ROOT / name, name)
    shutil.rmtree(store.local / "sessions")
    unaware = _take(store, ROOT / name, name)
    assert again.entries == unaware.entries == ()
    assert again.commit == unaware.commit == store.tip()


def test_another_time_zone_knows_the_turns_all_the_same(store):
    name = "claude-code/real-2.1.332-tool.jsonl"  # 18:34 UTC is the next day in Seoul
    (entry,) = _take(store, ROOT / name, name).entries
    shutil.rmtree(store.local / "sessions")
    assert _take(store, ROOT / name, name, tz=UTC).entries == ()
    assert [e.id for e in _entries(store)] == [entry.id]


@pytest.mark.parametrize(
    "name", ["claude-code/session.jsonl", "gemini/real-0.61-resume.jsonl"]
)
def test_a_growing_transcript_gives_the_journal_of_taking_it_once(
    store, tmp_path, name
):
    data = (ROOT / name).read_bytes()
    path = tmp_path / "t.jsonl"
    for end in [*random_cuts(7, len(data), 4), len(data)]:
        path.write_bytes(data[:end])
        _take(store, path, name, final=end == len(data))
    grown = _journals(store)
    twin = tmp_path / "twin"
    twin.mkdir()
    git(twin, "init", "-q")
    hipogit(twin, "init", "--platform", "none", "--no-worktree")
    other = Store.open(twin)
    _take(other, path, name)
    assert grown == _journals(other)
    assert any(grown.values())


def test_no_object_holds_a_key_or_a_word_of_memory(store):
    for name in WHOLES:
        _take(store, ROOT / name, name)
    listed = git(store.git.common, "rev-list", "--objects", MEMORY)
    for line in listed.splitlines():
        held = git(store.git.common, "cat-file", "-p", line.split()[0])
        for trace in ("AKIAFAKE", "fakeFAKE", "MEMORY-MARK"):
            assert trace not in held


def test_what_was_given_from_memory_is_not_taken_back_in(store, tmp_path):
    from hipogit.memory import Draft, remember
    from hipogit.record import Record

    told = "we decided to use a token bucket per account"
    draft = Draft("limits", told, NOW_AT.date(), NOW_AT)
    remember(store, [draft], Record("checkpoint", ""), NOW_AT)
    with store.snapshot() as tip:
        given = [
            line
            for path in ("memory/ROOT.md", "WORKING.md")
            for line in (tip.read(path) or "").split("\n")
            if line.strip()
        ]
    assert given
    rows = [
        {"type": "user", "uuid": "u", "message": {"content": "what do you know?"}},
        {
            "type": "assistant",
            "uuid": "a",
            "message": {"content": "\n".join([*given, "Fixed nothing today."])},
        },
    ]
    path = tmp_path / "s.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    (entry,) = _take(store, path, "claude-code/").entries
    assert entry.fields()["outcome"] == "Fixed nothing today."
    assert "decisions" not in entry.fields()


def test_a_commit_says_where_the_entries_came_from(store):
    done = _take(store, ROOT / "openclaw/session.jsonl", "openclaw/", via="hook")
    found = ["log", "-1", "--grep", "^Hipogit-Action: capture", "--format=%B", MEMORY]
    message = git(store.git.common, *found)
    assert message.startswith("capture: ")
    assert "Hipogit-Source: openclaw" in message
    assert "Hipogit-Session: 77777777-aaaa-4bbb-8ccc-dddddddddddd" in message
    assert message.count("Hipogit-Entry: ") == 4
    assert {entry.get("via") for entry in done.entries} == {"hook"}


def test_the_command_prints_what_it_wrote(repo):
    hipogit(repo, "init", "--platform", "none", "--no-worktree")
    path = str(ROOT / "gemini/session-2031-04-02T10-00-3c3c3c3c.jsonl")
    said = json.loads(hipogit(repo, "capture", path, "--json"))
    assert set(said) == {"commit", "entries", "skipped", "redactions"}
    assert [entry["day"] for entry in said["entries"]] == ["2031-04-02"] * 3
    assert said["skipped"] == {"unparsable": 2}
    again = json.loads(hipogit(repo, "capture", path, "--json"))
    assert again["entries"] == []
    assert again["commit"] == git(repo, "rev-parse", MEMORY).strip()
    assert hipogit(repo, "capture", path) == ""


def test_the_command_counts_what_the_gate_took_out(repo, tmp_path):
    hipogit(repo, "init", "--platform", "none", "--no-worktree")
    key = "AK" + "IA" + "12345" + "ABCDEFGHJKL"
    row = {"type": "user", "uuid": "u", "message": {"content": f"use {key} here"}}
    path = tmp_path / "s.jsonl"
    path.write_text(json.dumps(row) + "\n")
    said = json.loads(hipogit(repo, "capture", str(path), "--json"))
    assert len(said["redactions"]) == 1
    message = git(repo, "log", "-1", "--format=%B", str(said["commit"]))
    assert "Hipogit-Redactions: 1" in message


def test_a_session_can_be_named(repo):
    hipogit(repo, "init", "--platform", "none", "--no-worktree")
    path = str(ROOT / "codex/legacy-bare-items.jsonl")
    hipogit(repo, "capture", path, "--platform", "codex", "--session", "mine")
    assert {e.get("session") for e in _entries(Store.open(repo))} == {"mine"}


def test_without_a_branch_it_is_not_set_up(repo):
    path = str(ROOT / "codex/legacy-bare-items.jsonl")
    assert "hipogit init" in hipogit(repo, "capture", path, code=2)


def test_a_cut_export_is_an_error_and_writes_nothing(repo):
    hipogit(repo, "init", "--platform", "none", "--no-worktree")
    before = git(repo, "rev-parse", MEMORY)
    path = str(ROOT / "opencode/export-truncated.json")
    assert "ends in the middle" in hipogit(repo, "capture", path, code=1)
    assert git(repo, "rev-parse", MEMORY) == before


def test_with_capture_set_to_decisions_the_user_is_not_quoted(repo):
    hipogit(repo, "init", "--platform", "none", "--no-worktree")
    (repo / ".git/hipogit/config.toml").write_text('capture = "decisions"\n')
    hipogit(repo, "capture", str(ROOT / "claude-code/session.jsonl"))
    entries = _entries(Store.open(repo))
    assert entries
    assert all("user" not in entry.fields() for entry in entries)


def test_while_the_branch_cannot_be_written_all_of_it_waits(repo):
    hipogit(repo, "init", "--platform", "none", "--no-worktree")
    lock = repo / ".git/hipogit/lock"
    lock.unlink()
    lock.mkdir()  # no process may hold it, not even root's
    said = hipogit(repo, "checkpoint", "first", "-m", "one", code=3)
    assert "it waits in the spool" in said
    assert "it waits in the spool" in hipogit(
        repo, "capture", str(ROOT / "codex/legacy-bare-items.jsonl"), code=3
    )
    assert "it waits in the spool" in hipogit(
        repo, "checkpoint", "second", "-m", "two", code=3
    )
    assert len(list((repo / ".git/hipogit/spool").glob("*.json"))) == 3
    lock.rmdir()
    hipogit(repo, "capture", str(ROOT / "codex/legacy-bare-items.jsonl"))
    assert sorted(entry.topic for entry in _entries(Store.open(repo))) == [
        "first",
        "old rollout envelope",
        "second",
    ]
    assert list((repo / ".git/hipogit/spool").glob("*.json")) == []


def test_statements_taken_back_later_are_retracted(store, tmp_path):
    path = tmp_path / "chat.jsonl"
    rows = [
        {"sessionId": "s", "projectHash": "p", "startTime": "2026-11-29T01:00:00Z"},
        {"id": "g1", "type": "user", "content": "keep this"},
        {"id": "g2", "type": "user", "content": "take this back"},
        {"id": "g3", "type": "gemini", "content": "Fixed it."},
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    _, second = _take(store, path, "gemini/").entries
    with path.open("a") as file:
        file.write(json.dumps({"id": "g4", "type": "gemini", "content": "Done."}))
        file.write("\n")
    (more,) = _take(store, path, "gemini/").entries
    with path.open("a") as file:
        file.write(json.dumps({"$rewindTo": "g2"}) + "\n")
    done = _take(store, path, "gemini/")
    assert done.rewound == (second.id, more.id)
    assert done.entries == ()
    assert done.commit == store.tip()
    kept = [e for e in _entries(store) if not e.withdrawn]
    assert [entry.fields()["user"] for entry in kept] == ["keep this"]
    tombs = [e for e in _entries(store) if e.withdrawn]
    assert {e.standing for e in tombs} == {"retracted"}
    assert _take(store, path, "gemini/").rewound == ()
    shutil.rmtree(store.local / "sessions")
    again = _take(store, path, "gemini/")
    assert again.entries == again.rewound == ()


def test_statements_taken_back_while_they_waited_are_never_written(store, tmp_path):
    path = tmp_path / "chat.jsonl"
    rows = [
        {"sessionId": "s", "projectHash": "p", "startTime": "2026-11-29T01:00:00Z"},
        {"id": "g1", "type": "user", "content": "keep this"},
        {"id": "g2", "type": "user", "content": "take this back"},
        {"id": "g3", "type": "gemini", "content": "Fixed it."},
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    lock = store.local / "lock"
    lock.unlink()
    lock.mkdir()  # no process may hold it, not even root's
    assert len(_take(store, path, "gemini/").entries) == 2
    with path.open("a") as file:
        file.write(json.dumps({"id": "g4", "type": "gemini", "content": "Done."}))
        file.write("\n")
    assert _take(store, path, "gemini/").spooled
    with path.open("a") as file:
        file.write(json.dumps({"$rewindTo": "g2"}) + "\n")
    _take(store, path, "gemini/")
    lock.rmdir()
    correct.drain(store, NOW_AT)
    assert [e.fields()["user"] for e in _entries(store)] == ["keep this"]
    assert _take(store, path, "gemini/").entries == ()


ODD = ["0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z", "1899-12-31T00:00:00Z", -1e18]


@pytest.mark.parametrize("at", [*ODD, 253402300799999, "1970-01-01"], ids=str)
@pytest.mark.parametrize("platform", ["claude-code", "codex", "gemini", "openclaw"])
def test_a_time_outside_of_memorys_years_is_no_time(store, tmp_path, platform, at):
    said = {"content": "use a token bucket", "role": "user"}
    rows = {
        "claude-code": [
            {"type": "user", "uuid": "u", "timestamp": at, "message": said}
        ],
        "codex": [
            {"type": "session_meta", "payload": {"id": "s", "timestamp": at}},
            {
                "type": "event_msg",
                "timestamp": at,
                "payload": {"type": "user_message", "message": "use a token bucket"},
            },
        ],
        "gemini": [
            {"sessionId": "s", "projectHash": "p", "startTime": at},
            {"id": "g", "type": "user", "content": "x y", "timestamp": at},
        ],
        "openclaw": [
            {"type": "session", "version": 3, "id": "s", "timestamp": at},
            {"type": "message", "id": "m", "timestamp": at, "message": said},
        ],
    }[platform]
    path = tmp_path / "t.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    (entry,) = _take(store, path, f"{platform}/").entries
    assert str(entry.day) == ("1970-01-01" if at == "1970-01-01" else "2026-11-29")
    assert list(_journals(store)) == [f"memory/{entry.day}.md"]


def _line(uuid: str, parent: str | None, said: str, kind: str = "user") -> str:
    row = {"type": kind, "uuid": uuid, "parentUuid": parent, "sessionId": "s"}
    return json.dumps({**row, "message": {"role": kind, "content": said}}) + "\n"


def _said(store) -> dict[str, str]:
    """The standing of each statement, by what it says or said."""
    told = {}
    for entry in _entries(store):
        told[entry.get("ref")] = entry.standing
    return told


# As Claude Code 2.1.197 wrote it: back to the first answer, something else, and later
# a plain resume, which went on from the line that had been left.
FIRST = _line("u1", None, "first thing") + _line("a1", "u1", "Fixed it.", "assistant")
SECOND = _line("u2", "a1", "second thing") + _line("a2", "u2", "Done.", "assistant")
BACK = _line("u3", "a1", "instead of it") + _line("a3", "u3", "Done.", "assistant")
AGAIN = _line("u4", "a2", "third thing") + _line("a4", "u4", "Done.", "assistant")


@pytest.mark.parametrize("cuts", [(0, 1, 2), (1, 2), (2,), ()], ids=str)
def test_what_a_session_went_back_from_is_retracted(store, tmp_path, cuts):
    path = tmp_path / "s.jsonl"
    parts = [FIRST, SECOND, BACK]
    for at in (*cuts, 2):
        path.write_text("".join(parts[: at + 1]))
        done = _take(store, path, "claude-code/")
    assert _said(store) == {"u1": "captured", "u2": "retracted", "u3": "captured"}
    assert len(done.rewound) == (2 not in cuts)
    assert "second thing" not in "".join(_journals(store).values())
    # Going on from what was left takes nothing back any more.
    path.write_text("".join([*parts, AGAIN]))
    _take(store, path, "claude-code/")
    assert set(_said(store).values()) == {"captured"}
    assert "second thing" in "".join(_journals(store).values())
    path.write_text("".join([*parts, AGAIN, _line("u5", "a3", "and here")]))
    _take(store, path, "claude-code/")
    assert set(_said(store).values()) == {"captured"}
    tip = store.tip()
    shutil.rmtree(store.local / "sessions")
    _take(store, path, "claude-code/")
    assert store.tip() == tip, "a new reading of all changes nothing"


def test_a_branch_that_openclaw_left_is_retracted(store):
    name = "openclaw/session.jsonl"
    done = _take(store, ROOT / name, name)
    assert len(done.entries) == 4 and len(done.rewound) == 1
    stands = [e.fields()["user"] for e in _entries(store) if not e.withdrawn]
    assert len(stands) == 3
    (left,) = (turn for turn in whole(name).turns if turn.id in whole(name).left)
    assert left.user not in "".join(_journals(store).values())


def test_an_export_handed_over_by_a_hook_is_taken_like_its_file(store):
    name = "opencode/export.json"
    export = json.loads((ROOT / name).read_bytes())
    first = {**export, "messages": export["messages"][:3]}
    one = _take(store, first, name, session="ses_1", via="hook")
    again = _take(store, first, name, session="ses_1", via="hook")
    two = _take(store, export, name, session="ses_1", via="hook")
    assert again.entries == ()
    said = [entry.fields()["user"] for entry in (*one.entries, *two.entries)]
    assert said == [turn.user for turn in whole(name).turns]


@pytest.mark.parametrize(
    "export",
    [{}, {"messages": 3}, {"messages": [None, 1, {"info": []}]}, {"info": "x"}],
    ids=str,
)
def test_an_export_of_another_shape_gives_nothing(store, export):
    assert _take(store, export, "opencode/", session="s").entries == ()
