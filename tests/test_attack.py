"""Hostile text and odd repositories, held against the promises."""

from __future__ import annotations

import os
import pty
import random
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import git, hipogit

from hipogit.entry import Entry, is_id, parse, render

CONFLICT = "<<<<<<< HEAD\nours\n=======\ntheirs\n>>>>>>> other"


@pytest.fixture
def memory(repo: Path) -> Path:
    hipogit(repo, "init", "--platform", "none")
    return repo


def by_hand(repo: Path, day: str, data: bytes) -> None:
    path = repo / ".hipogit/memory" / f"{day}.md"
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(data)
    git(repo / ".hipogit", "add", "-A")
    git(repo / ".hipogit", "commit", "-qm", "by hand")
    hipogit(repo, "compact")


def at_terminal(repo: Path, *args: str) -> str:
    """What a command shows to a terminal, its pager left out."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "hipogit", *args],
        cwd=repo, stdin=subprocess.DEVNULL, stdout=theirs, stderr=theirs,
        env={**os.environ, "PAGER": "cat", "NO_COLOR": "1"},
    )  # fmt: skip
    os.close(theirs)
    shown = b""
    try:
        while part := os.read(ours, 65536):
            shown += part
    except OSError:
        pass  # how a terminal says that nobody writes to it any more
    process.wait()
    os.close(ours)
    return shown.decode()


# --- text that poses as something else


def test_a_text_about_a_merge_conflict_is_none(memory: Path) -> None:
    hipogit(memory, "checkpoint", "Merging", "-m", f"it said\n{CONFLICT}\nand stopped")
    shown = hipogit(memory, "verify")
    assert "good" in shown
    assert CONFLICT in hipogit(memory, "why", "stopped").replace("\n    ", "\n")


@pytest.mark.parametrize(
    "body",
    [CONFLICT, "\\" + CONFLICT, "=======", "\\\\=======\r\nx", "||||||| base\nx"],
)
def test_markers_come_back_as_they_were(body: str) -> None:
    entry = Entry(topic="t", body=body)
    assert parse(render(entry)) == entry
    assert not any(
        line.startswith(("<<<<<<<", "=======", ">>>>>>>", "|||||||"))
        for line in render(entry).split("\n")
    )


def test_lines_that_only_look_like_markers_stay_as_typed() -> None:
    body = "========\n<<<<<<<x\n>>>>>>>>"
    assert body in render(Entry(topic="t", body=body))


def test_a_topic_holds_no_control_characters() -> None:
    assert Entry(topic="a\x1b[31mb\x07\x9bc\x00", body="x").topic == "a [31mb c"


@pytest.mark.parametrize(
    "command", ["search widgets", "recall widgets", "show ROOT", "context", "log",
                "diff", "tree", "status", "why widgets", "knows widgets"],
)  # fmt: skip
def test_no_entry_drives_a_terminal(memory: Path, command: str) -> None:
    evil = "widgets \x1b]0;owned\x07 \x1b[2J \x9b31m \u202eabc"
    hipogit(memory, "checkpoint", "widgets " + evil, "-m", evil + " are blue")
    shown = at_terminal(memory, *command.split())
    assert shown.strip()
    assert not {"\x1b", "\x07", "\x9b", "\u202e"} & set(shown)


def test_emoji_of_several_parts_stay_whole_on_a_terminal(memory: Path) -> None:
    family = "\U0001f469\u200d\U0001f467"
    hipogit(memory, "checkpoint", "Family", "-m", f"a {family} emoji")
    assert family in at_terminal(memory, "search", "emoji")


# --- journals typed by hand


def test_a_forged_id_is_replaced_so_that_corrections_find_the_entry(
    memory: Path,
) -> None:
    by_hand(
        memory,
        "2026-11-20",
        b"## One [project]\n<!-- hipogit id=99999999-aaaaaaaaaa -->\n"
        b"first forged\n\n## Two\n<!-- hipogit id=zzz -->\nsecond forged\n\n"
        b"## Three\n<!-- hipogit id=20261119-aaaaaaaaaa at=2026-11-19T00:00:00Z -->\n"
        b"third copied\n",
    )
    hipogit(memory, "verify")
    text = git(memory, "show", "hipogit/memory:memory/2026-11-20.md")
    ids = [part.split()[0] for part in text.split("id=")[1:]]
    assert len(ids) == 3 and all(id.startswith("20261120-") for id in ids)
    for id in ids:
        hipogit(memory, "retract", id, "--reason", "wrong")
    tip = git(memory, "grep", "-I", "", "hipogit/memory")
    assert "forged" not in tip and "copied" not in tip


def test_a_standing_nobody_knows_is_taken_back(memory: Path) -> None:
    by_hand(
        memory, "2026-11-20",
        b"## One\n<!-- hipogit id=20261120-aaaaaaaaaa standing=king -->\ntext\n",
    )  # fmt: skip
    text = git(memory, "show", "hipogit/memory:memory/2026-11-20.md")
    assert "standing=stated" in text and "id=20261120-aaaaaaaaaa" in text
    hipogit(memory, "verify")


@pytest.mark.parametrize("id", ["99999999-aaaaaaaaaa", "20260230-aaaaaaaaaa", "zzz"])
def test_an_id_that_names_no_day_has_none(id: str) -> None:
    assert Entry(topic="t", body="x", id=id).day is None
    assert not is_id(id)


def test_a_journal_from_a_windows_editor_is_read_whole(memory: Path) -> None:
    by_hand(
        memory, "2026-11-20",
        b"\xef\xbb\xbf## Windows topic [user]\r\nplain gadgets\r\nsecond line\r\n",
    )  # fmt: skip
    assert "plain gadgets" in hipogit(memory, "search", "gadgets")
    text = git(memory, "show", "hipogit/memory:memory/2026-11-20.md")
    assert "\r" not in text and "\ufeff" not in text
    hipogit(memory, "verify")


# --- the first example of the help


def test_a_statement_with_a_reason_is_told_before_its_reason(memory: Path) -> None:
    hipogit(memory, "checkpoint", "Rate limit", "-m", "token bucket", "-f",
            "why=bursts are fine")  # fmt: skip
    assert "Rate limit: token bucket" in hipogit(memory, "context")
    told = hipogit(memory, "recall", "which rate limit did we choose?")
    assert "token bucket" in told and "Rate limit" in told


def test_after_uninstall_status_says_what_is_the_case(memory: Path) -> None:
    hipogit(memory, "checkpoint", "Kept", "-m", "a text")
    hipogit(memory, "uninstall")
    shown = hipogit(memory, "status", code=1)
    assert "there is memory on hipogit/memory, but this clone is not set up" in shown


# --- the view replaced by something else


@pytest.mark.parametrize("kind", ["file", "folder outside", "nothing"])
def test_what_took_the_place_of_the_view_is_left_alone(
    memory: Path, tmp_path: Path, kind: str
) -> None:
    outside = tmp_path / "outside"
    view = memory / ".hipogit"
    view.rename(tmp_path / "old")
    if kind == "file":
        view.write_text("mine")
    else:
        view.symlink_to(outside)
        if kind == "folder outside":
            outside.mkdir()
    hipogit(memory, "checkpoint", "Topic", "-m", "alpha")
    hipogit(memory, "compact")
    if kind != "nothing":
        assert "something else stands at" in hipogit(memory, "status", code=1)
    hipogit(memory, "doctor", "--fix", code=1)
    assert not outside.exists() or not list(outside.iterdir())
    assert view.is_symlink() or view.read_text() == "mine"
    view.rename(memory / "moved")
    hipogit(memory, "doctor", "--fix")
    assert (view / "memory/ROOT.md").exists()
    hipogit(memory, "status")


@pytest.mark.parametrize("exists", [True, False])
def test_init_writes_through_no_link(repo: Path, tmp_path: Path, exists: bool) -> None:
    outside = tmp_path / "outside"
    if exists:
        outside.mkdir()
    (repo / ".hipogit").symlink_to(outside)
    said = hipogit(repo, "init", "--platform", "none", code=1)
    assert "exists already" in said and "hint: move it away" in said
    assert not outside.exists() or not list(outside.iterdir())
    assert "hipogit/memory" not in git(repo, "branch", "--list", "hipogit/*")


# --- secrets where none is looked for


@pytest.mark.parametrize(
    "part", ["topic", "key", "value", "session", "actor", "source"]
)
def test_a_secret_in_any_part_of_an_entry_is_taken_out(memory: Path, part: str) -> None:
    letters = random.Random(5).choices("ABCDEFGHJKLMNPQRSTUVWXYZ", k=16)
    secret = "AKIA" + "".join(letters)
    said = {"topic": "Topic", "key": "note", "value": "text", "session": "s",
            "actor": "Ann", "source": "cli", part: secret}  # fmt: skip
    hipogit(
        memory, "checkpoint", said["topic"], "-f", f"{said['key']}={said['value']}",
        "--session", said["session"], "--actor", said["actor"],
        "--source", said["source"],
    )  # fmt: skip
    shown = git(memory, "log", "-p", "hipogit/memory")
    assert "REDACTED:aws-access-key" in shown
    assert secret.lower() not in shown.lower()


def test_keys_of_words_are_the_same_in_any_case(memory: Path) -> None:
    hipogit(memory, "checkpoint", "T", "-f", "Next-Steps=ship", "-f", " Why =x")
    assert "- next-steps: ship\n- why: x" in hipogit(memory, "why", "ship").replace(
        "\n    ", "\n"
    )


# --- the calendar


@pytest.mark.parametrize("day", ["9999-12-31", "0001-01-01", "2026-02-30"])
def test_no_day_outside_of_the_calendar_stops_the_rest(memory: Path, day: str) -> None:
    said = hipogit(memory, "--now", f"{day}T12:00:00+00:00", "checkpoint", "Edge",
                   "-m", "x", code=2)  # fmt: skip
    assert "is not a time" in said
    by_hand(memory, day, b"## Edge\ntext\n")
    hipogit(memory, "checkpoint", "Today", "-m", "alpha")
    hipogit(memory, "status")
    hipogit(memory, "compact")
    assert "alpha" in hipogit(memory, "context")


def test_a_mistyped_command_is_told_which_may_be_meant(repo: Path) -> None:
    assert "hint: hipogit log" in hipogit(repo, "lgo", code=2)
    assert "hint: hipogit --help" in hipogit(repo, "xyzzy", code=2)
    assert hipogit(repo).startswith("Usage: hipogit")
