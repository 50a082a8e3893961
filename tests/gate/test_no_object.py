"""Promise 2: whatever way text comes in and however it ends, a secret leaves no trace.

Every test plants the same secrets and then reads every object git has, reachable or
not, and every byte of every file that hipogit may have written.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import string
import subprocess
import sys
import zlib
from pathlib import Path

import pytest

from tests.conftest import git, hipogit

from .values import draw, pem

chosen = random.Random(21)
TOKEN = f"gh{'p'}_" + draw("a", 36, chosen)
PASSWORD = draw("a", 18, chosen)
KEY = pem("RSA", chosen)
COOKED = "sk-" + "ant-api03-" + draw("w", 93, chosen) + "AA"
PIECES = [TOKEN, PASSWORD, COOKED, *KEY.split("\n")[1:-1]]
TEXT = f"""\
- request: look why the deploy fails
- the config said `db_password: {PASSWORD}` and
  the token {TOKEN} was in the log
- key:

{KEY}

- outcome: rotated; the model used {COOKED[:40]}
  {COOKED[40:]}
"""
COOKED_PIECES = [COOKED[:40], COOKED[40:]]


def traces(*places: Path) -> list[str]:
    """Where any piece of the secrets can be read."""
    needles = [piece.encode() for piece in [*PIECES, *COOKED_PIECES]]
    found = []
    for place in places:
        for path in place.rglob("*"):
            if path.is_symlink() or not path.is_file():
                continue
            data = path.read_bytes()
            if "objects" in path.parts and data[:1] == b"\x78":
                data = zlib.decompress(data)
            if any(needle in data for needle in needles):
                found.append(str(path))
    for repository in {place for place in places if (place / "HEAD").is_file()}:
        listed = subprocess.run(
            ["git", "cat-file", "--batch", "--batch-all-objects"],
            cwd=repository, capture_output=True, check=True,
        ).stdout  # fmt: skip
        assert listed
        found += [f"object in {repository}" for n in needles if n in listed]
    return found


@pytest.fixture
def memory(repo: Path) -> Path:
    hipogit(repo, "init", "--platform", "none")
    return repo


def clean(repo: Path, home: Path) -> None:
    left = traces(repo / ".git", repo / ".hipogit", home)
    assert left == []


def test_the_search_finds_what_is_there(memory: Path, sealed: Path) -> None:
    """A check of the check: loose, packed, in a file."""
    subprocess.run(
        ["git", "hash-object", "-w", "--stdin"],
        cwd=memory, input=TEXT.encode(), check=True, capture_output=True,
    )  # fmt: skip
    (sealed / "log").write_text(f"x {PASSWORD}")
    left = traces(memory / ".git", memory / ".hipogit", sealed)

    assert any("objects" in place for place in left)
    assert any(place.startswith("object in") for place in left)
    assert str(sealed / "log") in left


def test_a_checkpoint(memory: Path, sealed: Path) -> None:
    said = hipogit(
        memory,
        "checkpoint", f"Deploy with {TOKEN}", "-m", TEXT,
        "-f", f"why=the password={PASSWORD}",
        "--session", TOKEN, "--source", f"a {TOKEN}", "--actor", TOKEN,
    )  # fmt: skip

    assert not any(piece in said for piece in PIECES)
    assert "[REDACTED:" in git(memory, "show", "hipogit/memory:memory/2026-11-29.md")
    clean(memory, sealed)


def test_a_checkpoint_from_standard_input(memory: Path, sealed: Path) -> None:
    hipogit(memory, "checkpoint", "--json", input=f"## Deploy [project]\n{TEXT}")

    clean(memory, sealed)


def test_a_refused_checkpoint_leaves_nothing_in_log_or_ledger(
    memory: Path, sealed: Path
) -> None:
    said = hipogit(
        memory, "checkpoint", f"x {TOKEN}", "-t", "feedback", "-m", TEXT, code=2
    )
    hipogit(memory, "checkpoint", f"\0{TOKEN}"[1:], "-m", "", code=2)

    assert said
    clean(memory, sealed)


def test_a_capture(memory: Path, sealed: Path, tmp_path: Path) -> None:
    session = "5f0c1a52-7d0e-4a77-9a51-0b7d4e3f2a10"

    def row(number: int, kind: str, content: object) -> str:
        return json.dumps(
            {
                "parentUuid": f"c0ffee00-0000-4000-8000-00000000000{number - 1}",
                "isSidechain": False,
                "userType": "external",
                "cwd": str(memory),
                "sessionId": session,
                "version": "2.1.332",
                "gitBranch": "main",
                "type": kind,
                "message": {"role": kind, "content": content},
                "uuid": f"c0ffee00-0000-4000-8000-00000000000{number}",
                "timestamp": f"2026-11-29T05:00:1{number}.000Z",
            }
        )

    answer = [{"type": "text", "text": f"Decision: rotate it.\n{TEXT}"}]
    transcript = tmp_path / "session.jsonl"
    transcript.write_text(
        "\n".join(
            [
                row(1, "user", f"please fix this:\n{TEXT}"),
                row(2, "assistant", answer),
                row(3, "user", f"and what of {TOKEN}?"),
                row(4, "assistant", [{"type": "text", "text": "Done."}]),
            ]
        )
        + "\n"
    )

    hipogit(memory, "capture", str(transcript), "--platform", "claude-code")

    assert "please fix this" in git(memory, "log", "-p", "hipogit/memory")
    clean(memory, sealed)


def test_an_import(memory: Path, sealed: Path, tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    notes.mkdir()
    (notes / "2026-11-27.md").write_text(f"# 2026-11-27\n\n## Deploy\n{TEXT}")
    (notes / "2026-11-28.md").write_text(f"# Notes\n\n## {TOKEN}\nas said\n")

    hipogit(memory, "import", "markdown", str(notes))

    clean(memory, sealed)


def test_a_flat_memory_file(memory: Path, sealed: Path, tmp_path: Path) -> None:
    (tmp_path / "MEMORY.md").write_text(f"# Memory\n\n- {TOKEN} is the key\n{TEXT}")

    hipogit(memory, "import", "memory-md", str(tmp_path / "MEMORY.md"))

    clean(memory, sealed)


def test_a_hand_commit(memory: Path, sealed: Path) -> None:
    view = memory / ".hipogit"
    note = view / "knowledge" / "deploy.md"
    note.parent.mkdir(exist_ok=True)
    note.write_text(f"# Deploy\n{TEXT}")
    git(view, "add", ".")
    git(view, "commit", "-q", "-m", "notes by hand")

    assert "[REDACTED:" in git(view, "show", "HEAD:knowledge/deploy.md")
    # The file itself is the user's; git's own places hold none of it.
    assert traces(memory / ".git", sealed) == []


def test_a_hand_commit_that_goes_past_the_filter_is_refused(
    memory: Path, sealed: Path
) -> None:
    view = memory / ".hipogit"
    written = subprocess.run(
        ["git", "hash-object", "-w", "--stdin", "--no-filters"],
        cwd=view, input=TEXT.encode(), capture_output=True, check=True,
    ).stdout.decode().strip()  # fmt: skip
    git(view, "update-index", "--add", "--cacheinfo", f"100644,{written},x.md")
    done = subprocess.run(
        ["git", "commit", "-m", "x"], cwd=view, capture_output=True, text=True
    )

    assert done.returncode != 0
    assert not any(piece in done.stdout + done.stderr for piece in PIECES)
    assert "x.md" not in git(view, "ls-tree", "-r", "--name-only", "HEAD")


def breaking(folder: Path, script: str) -> str:
    """A PATH whose `git` runs this script first; `$real` is the real one."""
    real = shutil.which("git")
    folder.mkdir()
    (folder / "git").write_text(f'#!/bin/sh\nreal={real}\n{script}\nexec $real "$@"\n')
    (folder / "git").chmod(0o755)
    return f"{folder}:{os.environ['PATH']}"


@pytest.mark.parametrize("word", ["fast-import", "update-ref"])
def test_a_commit_that_fails_waits_redacted_in_the_spool(
    memory: Path, sealed: Path, tmp_path: Path, word: str
) -> None:
    path = breaking(tmp_path / "bin", f'case "$*" in *{word}*) exit 128;; esac')
    done = subprocess.run(
        [sys.executable, "-P", "-m", "hipogit", "checkpoint", f"Deploy {TOKEN}"],
        cwd=memory, input=TEXT, text=True, capture_output=True,
        env={**os.environ, "PATH": path},
    )  # fmt: skip

    assert done.returncode in (0, 3)  # 0: this step is not needed here
    assert TOKEN not in done.stdout + done.stderr
    clean(memory, sealed)
    hipogit(memory, "checkpoint", "After", "-m", "it goes on")
    clean(memory, sealed)
    assert "look why the deploy fails" in git(memory, "log", "-p", "hipogit/memory")


@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize("word", ["cat-file", "fast-import", "read-tree"])
def test_a_crash_at_any_step(
    memory: Path, sealed: Path, tmp_path: Path, word: str, when: str
) -> None:
    kill = f"kill -{int(signal.SIGKILL)} $PPID; exit 1"
    act = kill if when == "before" else f'$real "$@"; {kill}'
    path = breaking(tmp_path / "bin", f'case "$*" in *{word}*) {act};; esac')
    subprocess.run(
        [sys.executable, "-P", "-m", "hipogit", "checkpoint", f"Deploy {TOKEN}"],
        cwd=memory, input=TEXT, text=True, capture_output=True,
        env={**os.environ, "PATH": path},
    )  # fmt: skip

    clean(memory, sealed)
    hipogit(memory, "checkpoint", "After", "-m", "it goes on")
    clean(memory, sealed)


def test_an_unforeseen_failure_logs_no_secret(memory: Path, sealed: Path) -> None:
    program = (
        "import sys\nfrom hipogit import cli, memory\n"
        "def fail(*args, **kwargs): raise RuntimeError(str(args))\n"
        "memory.keep = fail\n"
        "sys.exit(cli.main(['checkpoint', 'Deploy', '-m', sys.stdin.read()]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=memory, input=TEXT, text=True, capture_output=True,
    )  # fmt: skip

    assert done.returncode == 3
    assert not any(piece in done.stdout + done.stderr for piece in PIECES)
    assert (memory / ".git" / "hipogit" / "log").is_file()
    clean(memory, sealed)


def test_letters_of_the_alphabet_are_no_trace() -> None:
    """The planted pieces are long enough not to be met by chance."""
    assert all(len(piece) >= 18 for piece in PIECES)
    assert set(PASSWORD) <= set(string.ascii_letters + string.digits)


def attempt(view: Path, *args: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["git", *args], cwd=view, capture_output=True, text=True)


def test_a_file_named_like_a_secret_is_not_even_added(
    memory: Path, sealed: Path
) -> None:
    view = memory / ".hipogit"
    (view / "knowledge").mkdir(exist_ok=True)
    (view / "knowledge" / f"{TOKEN}.md").write_text("nothing in it\n")
    done = attempt(view, "add", "-A")

    assert done.returncode != 0
    assert "REDACTED-github-token.md is a secret" in done.stderr
    assert git(view, "diff", "--cached", "--name-only") == ""
    assert traces(memory / ".git", sealed) == []


@pytest.mark.parametrize("how", ["a file", "a folder", "a link"])
def test_a_name_that_goes_past_the_filter_leaves_with_the_refused_commit(
    memory: Path, sealed: Path, how: str
) -> None:
    view = memory / ".hipogit"
    name = f"knowledge/{TOKEN}" + ("/deep/a.md" if how == "a folder" else "")
    if how == "a link":
        (view / "knowledge").mkdir(exist_ok=True)
        (view / name).symlink_to("../WORKING.md")
        git(view, "add", "-A")
    else:
        blob = git(view, "rev-parse", "HEAD:WORKING.md").strip()
        git(view, "update-index", "--add", "--cacheinfo", f"100644,{blob},{name}")
    done = attempt(view, "commit", "-m", "x")

    assert done.returncode != 0
    assert TOKEN not in done.stdout + done.stderr
    assert "REDACTED-github-token" in done.stderr
    assert traces(memory / ".git", sealed) == []
    assert TOKEN not in git(view, "ls-files")
    (view / "WORKING.md").write_text("it goes on\n")
    git(view, "commit", "-q", "-m", "next", "--", "WORKING.md")


def test_a_file_is_not_moved_to_such_a_name(memory: Path, sealed: Path) -> None:
    view = memory / ".hipogit"
    done = attempt(view, "mv", "WORKING.md", f"{TOKEN}.md")

    assert done.returncode != 0
    assert "WORKING.md" in git(view, "ls-files")
    assert traces(memory / ".git", sealed) == []


def test_a_partial_commit_of_such_a_name_is_refused_and_says_how_to_go_on(
    memory: Path,
) -> None:
    view = memory / ".hipogit"
    (view / f"{TOKEN}.md").symlink_to("WORKING.md")
    git(view, "add", "-A")
    done = attempt(view, "commit", "-m", "x", "--", f"{TOKEN}.md")

    assert done.returncode != 0
    assert "hint: give the file another name" in done.stderr
    assert TOKEN not in done.stdout + done.stderr
    (view / f"{TOKEN}.md").unlink()
    git(view, "add", "-A")
    assert traces(memory / ".git") == []


def test_a_secret_in_a_message_by_hand_is_taken_out(memory: Path, sealed: Path) -> None:
    view = memory / ".hipogit"
    (view / "WORKING.md").write_text("on it\n")
    git(view, "add", "-A")
    git(
        view, "commit", "-q", "-m", f"deploy with {TOKEN}", "-m", f"password={PASSWORD}"
    )

    log = git(view, "log", "--format=%B")
    assert "deploy with [REDACTED:github-token]" in log
    assert traces(memory / ".git", sealed) == []


def test_a_secret_in_the_message_of_a_merge_or_an_amended_commit_is_taken_out(
    memory: Path, sealed: Path
) -> None:
    view = memory / ".hipogit"
    git(view, "checkout", "-q", "-b", "aside")
    (view / "knowledge").mkdir(exist_ok=True)
    (view / "knowledge" / "a.md").write_text("a\n")
    git(view, "add", "-A")
    git(view, "commit", "-q", "-m", "a")
    git(view, "commit", "-q", "--amend", "-m", f"amended {TOKEN}")
    git(view, "checkout", "-q", "hipogit/memory")
    git(view, "merge", "-q", "--no-ff", "-m", f"merged {TOKEN}", "aside")

    assert "merged [REDACTED:github-token]" in git(view, "log", "--format=%B")
    assert traces(memory / ".git", sealed) == []


@pytest.mark.parametrize(
    "options",
    [["commit", f"--author={TOKEN} <a@example.org>"], ["-c", f"user.name={TOKEN}"]],
)
def test_a_secret_for_a_name_of_a_person_is_refused(
    memory: Path, sealed: Path, options: list[str]
) -> None:
    view = memory / ".hipogit"
    (view / "WORKING.md").write_text("on it\n")
    git(view, "add", "-A")
    words = options if "commit" in options else [*options, "commit"]
    for name in ("GIT_AUTHOR_NAME", "GIT_COMMITTER_NAME"):
        os.environ.pop(name, None)
    done = attempt(view, *words, "-m", "x")

    assert done.returncode != 0
    assert "author of this commit holds a secret" in done.stderr
    assert TOKEN not in done.stderr
    assert traces(memory / ".git", sealed) == []
