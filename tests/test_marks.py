"""Which session a process belongs to, and what hooks leave for each other."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from hipogit import inbox, marks


def record(folder: Path, id: str, start: str, *pids: int) -> None:
    values = {"start": start, "cwd": "/elsewhere", "pids": list(pids), "ended": False}
    marks.keep_session(str(folder.parent), "codex", id, values)


def test_the_nearest_agent_is_ours_where_two_share_a_terminal(tmp_path: Path) -> None:
    near, *far = marks.parents(os.getpid())
    folder = tmp_path / "sessions"
    record(folder, "ours", "2026-11-29T10:00:00+09:00", near, *far)
    record(folder, "other", "2026-11-29T11:00:00+09:00", 999_999_999, *far)
    found = inbox.current_session(folder, tmp_path)
    assert found and found.id == "ours"


def test_what_was_done_by_hand_in_the_shell_is_no_sessions(tmp_path: Path) -> None:
    code = (
        "import os, pty, sys\n"
        "pid, terminal = pty.fork()\n"
        "if pid == 0: os.execv('/bin/sh', ['sh', '-c', sys.argv[1]])\n"
        "said = b''\n"
        "try:\n"
        "    while part := os.read(terminal, 999): said += part\n"
        "except OSError: pass\n"
        "print(said.decode())"
    )
    # The shell leads a session on a terminal; the agent runs a hook beneath it.
    hook = (
        f"{sys.executable} -P -c 'import os; from hipogit import marks;"
        " print(marks.hosts_pids(os.getpid()), os.getppid(), os.getsid(0))'; true"
    )
    agent = f'sh -c "{hook.replace(chr(34), chr(92) + chr(34))}"; true'
    words = [sys.executable, "-c", code, agent]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    pids, parent, shell = done.stdout.strip().rsplit(" ", 2)
    assert pids == f"[{parent}]"
    assert shell not in pids


def test_a_start_that_was_noted_stays(tmp_path: Path) -> None:
    local = str(tmp_path)
    marks.keep_session(local, "codex", "s1", {"start": "first", "ended": False})
    marks.keep_session(local, "codex", "s1", {"start": "second", "ended": True})
    found = marks.session(local, "codex", "s1")
    assert (found["start"], found["ended"]) == ("first", True)


def test_ids_of_any_shape_name_a_file_in_the_folder(tmp_path: Path) -> None:
    local = str(tmp_path)
    ids = ("../../etc", "a/b", "\0", "가나다" * 200, "x" * 5000, "x" * 5001, "\ud83d")
    for id in ids:
        marks.keep_session(local, "codex", id, {"start": "now"})
    found = list(tmp_path.rglob("*.json"))
    assert {path.parent for path in found} == {tmp_path / "sessions"}
    assert marks.session(local, "codex", "x" * 5000)["id"] == "x" * 5000


def test_a_line_is_known_with_and_without_its_dressing(tmp_path: Path) -> None:
    marks.said(
        str(tmp_path), "codex", "s1", "# Memory\n- **token bucket**, 100 req/s\n"
    )
    known = marks.all_said(str(tmp_path))
    for line in ("token bucket, 100 req/s", "> * token bucket, 100 req/s", "## Memory"):
        assert marks.mark(line) in known
    assert marks.mark("token bucket, 200 req/s") not in known


def test_the_ledger_is_told_once_and_new_lines_after_it(tmp_path: Path) -> None:
    local = str(tmp_path)
    marks.note(local, "spool", "first")
    assert [line["sentence"] for line in marks.untold(local)] == ["first"]
    marks.tell(local)
    assert marks.untold(local) == []
    marks.note(local, "spool", "second")
    assert [line["sentence"] for line in marks.untold(local)] == ["second"]
    (tmp_path / "ledger.jsonl").write_text("torn")
    marks.note(local, "spool", "third")
    assert [line["sentence"] for line in marks.untold(local)] == []
    marks.note(local, "spool", "fourth")
    assert [line["sentence"] for line in marks.untold(local)] == ["fourth"]


def test_the_ledger_stays_small(tmp_path: Path) -> None:
    path = tmp_path / "ledger.jsonl"
    for number in range(30):
        marks.note(str(tmp_path), "hook", f"{number} {'x' * 20_000}")
    assert path.stat().st_size < 300_000
    found = inbox.Ledger(path).lines()
    assert found[-1]["sentence"].startswith("29 ")
