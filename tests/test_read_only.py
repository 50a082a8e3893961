"""Where the repository may not be written: a sentence, what to do, and exit 3.

The permissions are really missing: run as root, the suite takes from the process what
lets root pass over them.
"""

from __future__ import annotations

import errno
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click
import pytest
from conftest import git, hipogit
from story import NOW, Memory

from hipogit import access, workspace
from hipogit.cli import COMMANDS, cli
from hipogit.errors import ReadOnly
from hipogit.store import Store

_CAPABILITIES = "-dac_override,-dac_read_search,-fowner"
_BOUND = [f"--bounding-set={_CAPABILITIES}", f"--inh-caps={_CAPABILITIES}"]

# What is sealed, as paths of the repository; a dot at the end: the folder alone.
PLACES = {
    "all of .git": [".git"],
    ".git itself": [".git/."],
    "objects": [".git/objects"],
    "refs": [".git/refs", ".git/logs"],
    "the branch alone": [".git/refs/heads/hipogit"],
    "hipogit's own": [".git/hipogit"],
}
OLD, GONE, DOUBT = "2026-11-26 port", "2026-11-27 host", "2026-11-28 path"
STORY = f"""
    {OLD}  decided: 7q41
    {GONE}  decided: localhost
    {DOUBT}  decided: /srv/shop
"""


def plain(*words: str) -> list[str]:
    """The command for a process that modes bind. Skips where there is none."""
    if os.name != "posix":
        pytest.skip("modes bind nobody here")
    if os.geteuid() != 0:
        return [*words]
    if not shutil.which("setpriv"):
        pytest.skip("run as root, and no setpriv takes that power away")
    return ["setpriv", *_BOUND, *words]


def run(repo: Path, *args: str, input: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        plain(sys.executable, "-P", "-m", "hipogit", *args),
        cwd=repo, input=input, capture_output=True, text=True, check=False,
    )  # fmt: skip


@contextmanager
def sealed(repo: Path, places: list[str]) -> Iterator[None]:
    """Nobody may write there, until the end."""
    modes: dict[Path, int] = {}
    for name in places:
        top = repo / name
        below = [] if name.endswith("/.") or not top.is_dir() else top.rglob("*")
        for path in (top, *below):
            modes[path] = path.stat().st_mode
    try:
        for path, mode in modes.items():
            path.chmod(mode & ~0o222)
        # Else every test below would pass for nothing.
        probe = plain("sh", "-c", 'test ! -w "$0"', str(repo / places[0]))
        if subprocess.run(probe, check=False).returncode:
            pytest.skip("modes bind nobody here")
        yield
    finally:
        for path, mode in modes.items():
            path.chmod(mode)


def said_well(done: subprocess.CompletedProcess[str]) -> None:
    """An error as CLI users know it: no traceback, a sentence, something to do."""
    lines = done.stderr.strip().split("\n")
    assert "Traceback" not in done.stderr and "failed:" not in done.stderr
    assert done.returncode == 3, done.stderr
    assert lines[-2].startswith("error: ") and lines[-1].startswith("hint: "), lines
    assert "cannot be written from here" in lines[-2]
    assert "Errno" not in done.stderr and len(lines[-1]) > len("hint: ")


@pytest.fixture
def told(memory: Memory) -> Memory:
    memory.story(STORY)
    memory.retract(GONE)
    memory.dispute(DOUBT)
    return memory


SUMMARY = "## Week\n- where the shop listens and where it lies was decided\n" * 2


def writes(memory: Memory) -> dict[str, list[str]]:
    """Every command that writes to the branch and does not wait, ready to be run."""
    return {
        "confirm": [memory.id(OLD), "--as", "Ann"],
        "restore": [memory.id(GONE), "--as", "Ann"],
        "compact": [],
        "review": ["--accept", memory.id(DOUBT), "--as", "Ann"],
        "summarize": ["2026-W48", "--from", "-"],
        "dissolve": ["2026-W48"],
        "condense": ["2026-W47"],
        "import": ["markdown", str(memory.repo / "notes")],
        "init": ["--platform", "none"],
        "uninstall": ["--delete-memory"],
    }


# What they say waits in the spool; the exit code is the same.
WAIT = {
    "checkpoint": ["Cache", "-m", "in redis"],
    "retract": ["{old}", "--reason", "measured wrong"],
    "dispute": ["{old}", "--reason", "measured otherwise"],
    "supersede": ["{old}", "-m", "- decided: 7042"],
    "capture": ["{transcript}", "--platform", "claude-code"],
    "review": ["--retract", "{doubt}", "--reason", "measured wrong"],
}
# They write nothing to memory, or are tried below (`core`).
OTHER = {
    "core",
    *("try", "log", "show", "history", "why", "diff", "context", "tree", "inspect"),
    *("status", "search", "recall", "knows", "config", "scan", "verify", "doctor"),
    *("mcp", "hook"),
}


def prepared(memory: Memory) -> None:
    """Something for each of them to do."""
    hipogit(memory.repo, "checkpoint", "Before", "-m", "x", HIPOGIT_NOW="2026-11-17")
    hipogit(memory.repo, "dissolve", "2026-W47")
    (memory.repo / "notes").mkdir()
    (memory.repo / "notes" / "2026-11-01.md").write_text("## Topic\n- a: b\n")
    turn = {
        "type": "user", "uuid": "u1", "sessionId": "s", "cwd": str(memory.repo),
        "timestamp": "2026-11-29T01:00:00Z",
        "message": {"role": "user", "content": "we use port 9 from now on"},
    }  # fmt: skip
    answer = {
        "type": "assistant", "uuid": "u2", "parentUuid": "u1", "sessionId": "s",
        "timestamp": "2026-11-29T01:00:10Z",
        "message": {"role": "assistant",
                    "content": [{"type": "text", "text": "Decided: port 9."}]},
    }  # fmt: skip
    (memory.repo / "t.jsonl").write_text(f"{json.dumps(turn)}\n{json.dumps(answer)}\n")
    # A hand commit that no hook told of: there is something to compact.
    view = memory.repo / ".hipogit"
    path = view / "memory/2026-11-26.md"
    path.write_text(path.read_text() + "\n## Typed [project]\n\nby hand\n")
    git(view, "add", "-A")
    git(view, "-c", "core.hooksPath=/dev/null", "commit", "-q", "-m", "by hand")


def test_each_command_is_tried_or_writes_nothing(memory: Memory) -> None:
    assert {*writes(memory), *WAIT, *OTHER} == set(COMMANDS)
    for name in COMMANDS:
        assert cli.get_command(click.Context(cli), name)


@pytest.mark.parametrize("place", PLACES)
def test_what_cannot_wait_is_refused_and_says_what_to_do(
    told: Memory, place: str
) -> None:
    prepared(told)
    tip = told.tip()
    with sealed(told.repo, PLACES[place]):
        for name, args in writes(told).items():
            done = run(told.repo, name, *args, input=SUMMARY)
            said_well(done)
            assert "confirmed" not in done.stdout
    assert told.tip() == tip
    assert not any(spool.items() for spool in told.store.spools)
    hipogit(told.repo, "confirm", told.id(OLD), "--as", "Ann")


@pytest.mark.parametrize("place", PLACES)
def test_what_can_wait_waits_says_so_and_is_made_later(
    told: Memory, place: str
) -> None:
    prepared(told)
    words = {
        "{old}": told.id(OLD), "{doubt}": told.id(DOUBT),
        "{transcript}": str(told.repo / "t.jsonl"),
    }  # fmt: skip
    tip = told.tip()
    for name, args in WAIT.items():
        with sealed(told.repo, PLACES[place]):
            done = run(told.repo, name, *(words.get(word, word) for word in args))
            said_well(done)
            assert done.stderr.count("spool") >= 1
            assert told.tip() == tip
            waiting = sum(len(spool.items()) for spool in told.store.spools)
            assert waiting == 1, name
        # Made by the next command, and taken back for the one after.
        hipogit(told.repo, "checkpoint", "Later", "-m", f"after {name}")
        assert not any(spool.items() for spool in told.store.spools)
        made = git(told.repo, "log", "--format=%B", f"{tip}..hipogit/memory")
        action = "retract" if name == "review" else name
        assert f"Hipogit-Action: {action}" in made
        git(told.repo / ".hipogit", "reset", "-q", "--hard", tip)


def test_core_is_accepted_where_memory_can_be_written(repo: Path) -> None:
    (repo / "MEMORY.md").write_text("# Memory\n\n## Core\n- Kim pays\n")
    hipogit(repo, "init", "--platform", "openclaw")
    workspace.keep(Store.open(repo), repo, NOW)
    text = (repo / "MEMORY.md").read_text()
    (repo / "MEMORY.md").write_text(text.replace("Kim pays", "Kim ships"))
    with sealed(repo, PLACES["all of .git"]):
        said_well(run(repo, "core", "--accept", "--as", "Kim"))
    hipogit(repo, "core", "--accept", "--as", "Kim")


def test_a_question_put_off_where_nothing_can_be_noted_is_no_success(
    told: Memory,
) -> None:
    with sealed(told.repo, PLACES["hipogit's own"]):
        said_well(run(told.repo, "review", "--skip", told.id(DOUBT)))
    hipogit(told.repo, "review", "--skip", told.id(DOUBT))


def test_reading_goes_on(told: Memory) -> None:
    with sealed(told.repo, PLACES["all of .git"]):
        for words in (
            ["log"], ["show", told.id(OLD)], ["context"], ["search", "7q41"],
            ["recall", "which port"], ["knows", "port"], ["verify"], ["tree"],
            ["compact", "--check"],
        ):  # fmt: skip
            done = run(told.repo, *words)
            assert done.returncode == 0, (words, done.stderr)


def test_the_doctor_names_it_and_repairs_nothing_by_saying_so(told: Memory) -> None:
    with sealed(told.repo, PLACES["objects"]):
        run(told.repo, "checkpoint", "Cache", "-m", "in redis")
        done = run(told.repo, "doctor", "--fix", "--json")
        assert done.returncode == 1
        found = {one["name"]: one for one in json.loads(done.stdout)["problems"]}
        assert not found["spool"]["fixed"] and "failed" in found["spool"]["hint"]
        assert "chmod" in found["read-only"]["hint"]
    hipogit(told.repo, "doctor", "--fix")
    assert "in redis" in told.everything_readable()


def test_uninstall_takes_nothing_away_when_it_cannot_take_all(told: Memory) -> None:
    for place in (".git/refs", ".git/hipogit", ".hipogit"):
        with sealed(told.repo, [place]):
            said_well(run(told.repo, "uninstall", "--delete-memory"))
        assert (told.repo / ".hipogit/memory/ROOT.md").exists()
        assert json.loads(hipogit(told.repo, "status", "--json"))["ok"]


def test_a_view_that_cannot_follow_a_correction_is_named(told: Memory) -> None:
    with sealed(told.repo, [".hipogit"]):
        done = run(told.repo, "retract", told.id(OLD), "--reason", "wrong")
        assert done.returncode == 0
        assert f"note: {told.repo / '.hipogit'} cannot be written" in done.stderr
        assert "hint: hipogit doctor --fix" in done.stderr
    hipogit(told.repo, "doctor", "--fix")
    assert "7q41" not in told.everything_readable()


def test_edits_in_the_view_do_not_keep_a_correction_from_the_spool(
    told: Memory,
) -> None:
    path = told.repo / ".hipogit/WORKING.md"
    path.write_text("mine\n" + path.read_text())
    # The tip has another line there, and the view has not followed.
    hipogit(told.repo, "retract", told.id(DOUBT), "--reason", "wrong")
    path.write_text("mine again\n" + path.read_text())
    for place in PLACES.values():
        with sealed(told.repo, place):
            done = run(told.repo, "dispute", told.id(OLD), "--reason", "hm")
            said_well(done)
            assert "waits in the spool" in done.stderr
            said_well(run(told.repo, "checkpoint", "Cache", "-m", "in redis"))


def test_the_hint_fits_the_cause(tmp_path: Path) -> None:
    place = tmp_path / "a folder"
    place.mkdir()
    assert access.blocked(tmp_path) is None
    full = access.refusal(place, OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)))
    assert "No space left" in full.sentence and full.exit == ReadOnly.exit == 3
    inside = access.refusal(place / "not" / "there", PermissionError(errno.EACCES, ""))
    assert str(place) in inside.sentence and "not/there" not in inside.sentence
    assert inside.hint == "run it outside the sandbox"
    if os.name == "posix" and os.geteuid() == 0:
        os.chown(place, 12345, -1)
        other = access.refusal(place)
        assert "belongs to another user" in other.sentence
        assert other.hint.endswith(f"'{place}'") and "chown" in other.hint
