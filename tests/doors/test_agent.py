"""The agents' hooks: what each host is told, once, and what comes back from it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import git, hipogit

from hipogit import marks, quick
from hipogit.platforms import hosts

from .calls import HOOKS, TRANSCRIPTS, call, context, fire, fixture, journals, ledger
from .calls import wait as wait_for

ALL = sorted(path.relative_to(HOOKS).with_suffix("") for path in HOOKS.rglob("*.json"))
FACT = "token bucket, 100 req/s, 지불 한도"
START = {
    "claude-code": "SessionStart.startup",
    "codex": "SessionStart",
    "opencode": "experimental.chat.system.transform",
    "cursor": "sessionStart",
}


@pytest.fixture
def memory(repo: Path) -> Path:
    """A repository whose memory knows one thing."""
    hipogit(repo, "init", "--platform", "none")
    hipogit(repo, "checkpoint", "Rate limit", "-m", FACT)
    return repo


def event(name: str) -> str:
    """The event as our hook entries name it."""
    raw = name.split(".")[0]
    for kind in hosts.KINDS:
        if hosts.event("codex", kind, {}).kind and raw.lower() == kind.replace("-", ""):
            return kind
    return raw


def start(repo: Path, platform: str, **env: str) -> str:
    payload = fixture(platform, START[platform], repo)
    payload.setdefault("directory", str(repo))
    return context(fire(repo, platform, "session-start", payload, **env))


@pytest.mark.parametrize("path", ALL, ids=str)
def test_every_event_of_every_host_gets_an_answer_it_takes(
    memory: Path, path: Path
) -> None:
    platform, name = path.parts
    answer = fire(memory, platform, event(name), fixture(platform, name, memory))
    allowed = {"hookSpecificOutput", "additional_context", "context"}
    assert set(answer) <= allowed
    if "hookSpecificOutput" in answer:
        assert set(answer["hookSpecificOutput"]) == {
            "hookEventName",
            "additionalContext",
        }
    assert ledger(memory) == []


@pytest.mark.parametrize("platform", START)
def test_a_session_starts_with_what_memory_knows(memory: Path, platform: str) -> None:
    said = start(memory, platform)
    assert FACT in said and "Rate limit" in said
    assert start(memory, platform) == said, "the same tip, the same bytes"
    assert start(memory, platform, HIPOGIT_NOW="2027-03-01T09:00:00+09:00") == said
    hipogit(memory, "checkpoint", "Bursts", "-m", "legitimate")
    assert "Bursts" in start(memory, platform)


@pytest.mark.parametrize("platform", START)
def test_a_long_memory_fits_the_host(memory: Path, platform: str) -> None:
    notes = "\n".join(f"- line {n} of the pad 가나다라마바사" for n in range(2000))
    (memory / ".hipogit" / "SCRATCHPAD.md").write_text(f"# Notes\n{notes}\n")
    git(memory / ".hipogit", "commit", "-q", "-a", "-m", "notes")
    said = start(memory, platform)
    limit, unit = hosts.room(platform, "session-start")
    assert limit * 0.7 < hosts.size(said, unit) <= limit
    assert "left out" in said.rstrip("\n").split("\n")[-1]


def test_a_long_memory_fits_what_gemini_takes_with_a_prompt(memory: Path) -> None:
    notes = "\n".join(f"- line {n} of the pad 가나다라마바사" for n in range(2000))
    (memory / ".hipogit" / "SCRATCHPAD.md").write_text(f"# Notes\n{notes}\n")
    git(memory / ".hipogit", "commit", "-q", "-a", "-m", "notes")
    ask = {"session_id": "s1", "cwd": str(memory)}
    fire(memory, "gemini", "session-start", {**ask, "source": "startup"})
    said = context(fire(memory, "gemini", "prompt", {**ask, "prompt": "hello"}))
    limit, unit = hosts.room("gemini", "prompt")
    assert limit * 0.7 < hosts.size(said, unit) <= limit


def test_nothing_is_said_where_there_is_no_memory(tmp_path: Path, repo: Path) -> None:
    assert start(repo, "claude-code") == ""
    payload = fixture("claude-code", "Stop", tmp_path)
    assert fire(tmp_path, "claude-code", "stop", payload) == {}
    assert not (repo / ".git" / "hipogit").exists()


def test_a_missing_branch_is_noted_and_told_once(memory: Path) -> None:
    tip = git(memory, "rev-parse", "hipogit/memory").strip()
    git(memory, "update-ref", "-d", "refs/heads/hipogit/memory")
    assert start(memory, "codex") == ""
    assert "no memory branch" in ledger(memory)[0]["sentence"]
    git(memory, "update-ref", "refs/heads/hipogit/memory", tip)
    first, second = start(memory, "codex"), start(memory, "codex")
    stable, _, told = first.partition("\n## Memory problems")
    assert "no memory branch" in told
    assert second == stable, "a block of its own, once, below what never changes"


def test_codex_keeps_every_copy_so_a_resume_says_only_what_is_new(memory: Path) -> None:
    again = {**fixture("codex", "SessionStart", memory), "source": "resume"}
    assert start(memory, "codex")
    assert fire(memory, "codex", "session-start", again) == {}
    hipogit(memory, "checkpoint", "Bursts", "-m", "legitimate")
    assert "Bursts" in context(fire(memory, "codex", "session-start", again))
    compacted = {**again, "source": "compact"}
    assert "Bursts" in context(fire(memory, "codex", "session-start", compacted))


def test_a_resume_of_codex_that_compacts_first_is_told_once(memory: Path) -> None:
    start = fixture("codex", "SessionStart", memory)
    squeezed = fixture("codex", "PostCompact", memory)
    squeezed["session_id"] = start["session_id"]

    def told(source: str) -> bool:
        answer = fire(memory, "codex", "session-start", {**start, "source": source})
        return FACT in context(answer)

    def squeeze() -> None:
        fire(memory, "codex", "post-compact", squeezed)

    assert told("startup")
    hipogit(memory, "checkpoint", "Bursts", "-m", "legitimate")
    squeeze()
    assert (told("resume"), told("compact")) == (True, False)
    squeeze()
    assert told("compact"), "a later compaction took it away"
    squeeze()
    assert (told("resume"), told("compact")) == (False, True), "the same tip"
    assert told("compact"), "no resume before it: better twice than never"


def test_gemini_is_told_where_git_cannot_be_written(memory: Path) -> None:
    begin, ask = (
        fixture("gemini", name, memory) for name in ("SessionStart", "BeforeAgent")
    )
    begin["session_id"] = ask["session_id"]
    sessions = memory / ".git" / "hipogit" / "sessions"
    shutil.rmtree(sessions, ignore_errors=True)
    sessions.write_text("no folder can be made here")
    fire(memory, "gemini", "session-start", begin)
    assert FACT in context(fire(memory, "gemini", "prompt", ask))
    assert FACT not in context(fire(memory, "gemini", "prompt", ask))
    # Nowhere at all: with the first prompt, as the transcript has no answer yet.
    nowhere = {"XDG_STATE_HOME": str(sessions)}
    chat = memory.parent / "chat.jsonl"
    chat.write_text('{"sessionId": "s", "kind": "main"}\n{"type": "user"}\n')
    ask["transcript_path"] = str(chat)
    assert FACT in context(fire(memory, "gemini", "prompt", ask, **nowhere))
    chat.write_text(chat.read_text() + '{"id": "a", "type": "gemini"}\n')
    assert FACT not in context(fire(memory, "gemini", "prompt", ask, **nowhere))


def test_gemini_is_told_with_the_first_prompt_and_not_before(memory: Path) -> None:
    begin, ask = (
        fixture("gemini", name, memory) for name in ("SessionStart", "BeforeAgent")
    )
    begin["session_id"] = ask["session_id"]
    assert fire(memory, "gemini", "session-start", begin) == {}
    first = fire(memory, "gemini", "prompt", ask)
    assert FACT in context(first)
    assert first["hookSpecificOutput"]["hookEventName"] == "BeforeAgent"
    assert FACT not in context(fire(memory, "gemini", "prompt", ask))
    begin["source"] = "resume"
    fire(memory, "gemini", "session-start", begin)
    assert FACT not in context(fire(memory, "gemini", "prompt", ask))
    begin["source"] = "clear"
    fire(memory, "gemini", "session-start", begin)
    assert FACT in context(fire(memory, "gemini", "prompt", ask))


def test_cursor_is_told_again_after_it_compressed(memory: Path) -> None:
    ask = fixture("cursor", "beforeSubmitPrompt", memory)
    squeeze = fixture("cursor", "preCompact", memory)
    squeeze["session_id"] = squeeze["conversation_id"] = ask["session_id"]
    assert FACT not in context(fire(memory, "cursor", "prompt", ask))
    fire(memory, "cursor", "pre-compact", squeeze)
    assert FACT in context(fire(memory, "cursor", "prompt", ask))
    assert FACT not in context(fire(memory, "cursor", "prompt", ask))


def test_what_claude_code_imports_is_not_said_again(memory: Path) -> None:
    hipogit(memory, "init", "--platform", "claude-code")
    assert "/hipogit/import.md" in (memory / "CLAUDE.local.md").read_text()
    assert start(memory, "claude-code") == ""
    (memory / ".git" / "hipogit" / "import.md").unlink()
    assert FACT in start(memory, "claude-code")


def test_a_stop_writes_down_the_turn(memory: Path) -> None:
    where = memory.parent / "real.jsonl"
    shutil.copy(TRANSCRIPTS / "claude-code" / "real-2.1.332-tool.jsonl", where)
    payload = fixture("claude-code", "Stop", memory)
    payload["transcript_path"] = str(where)
    assert fire(memory, "claude-code", "stop", payload) == {}
    wait_for(lambda: "standing=captured" in journals(memory))
    text = journals(memory)
    assert text.count("standing=captured") == 1
    assert f"session={payload['session_id']}" in text
    assert "via=hook" in text
    wait_for(lambda: not list((memory / ".git/hipogit/queue").iterdir()))
    tip = git(memory, "rev-parse", "hipogit/memory")
    fire(memory, "claude-code", "session-end", payload)
    wait_for(lambda: not list((memory / ".git/hipogit/queue").iterdir()))
    assert git(memory, "rev-parse", "hipogit/memory") == tip, "nothing twice"


def test_the_session_is_known_to_the_checkpoints_within_it(memory: Path) -> None:
    payload = fixture("claude-code", "SessionStart.startup", memory)
    fire(
        memory, "claude-code", "session-start", payload,
        HIPOGIT_NOW="2026-11-28T23:50:00+09:00",
    )  # fmt: skip
    said = json.loads(hipogit(memory, "checkpoint", "Late", "-m", "x", "--json"))
    assert said["entries"][0]["day"] == "2026-11-28", "the day the session began"
    assert f"session={payload['session_id']} source=claude-code" in journals(memory)


def linked(repo: Path) -> Path:
    git(repo, "worktree", "add", "-q", "../other", "-b", "other")
    return repo.parent / "other"


def below(repo: Path) -> Path:
    (repo / "packages" / "api").mkdir(parents=True)
    return repo / "packages" / "api"


def view(repo: Path) -> Path:
    return repo / ".hipogit" / "memory"


def submodule(repo: Path) -> Path:
    git(repo.parent, "init", "-q", "lib")
    git(repo.parent / "lib", "commit", "-q", "--allow-empty", "-m", "lib")
    git(repo, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add",
        "../lib", "lib")  # fmt: skip
    (repo / "lib" / "src").mkdir()
    return repo / "lib" / "src"


def by_link(repo: Path) -> Path:
    (repo.parent / "way").symlink_to(repo)
    return repo.parent / "way"


@pytest.mark.parametrize(
    "place", [linked, below, view, submodule, by_link], ids=lambda f: f.__name__
)
def test_an_agent_finds_memory_from_anywhere(memory: Path, place) -> None:
    where = place(memory)
    payload = {"session_id": "s1", "cwd": str(where), "source": "startup"}
    assert FACT in context(fire(where, "claude-code", "session-start", payload))
    hipogit(where, "checkpoint", "From here", "-m", "said")
    text = journals(memory)
    assert "## From here" in text and "session=s1" in text
    assert ledger(memory) == []


def test_a_repository_inside_has_a_memory_of_its_own(memory: Path) -> None:
    git(memory, "init", "-q", "nested")
    payload = {"session_id": "s1", "cwd": str(memory / "nested"), "source": "startup"}
    assert fire(memory, "claude-code", "session-start", payload) == {}


def indexed(repo: Path) -> None:
    """Wait until a session start has brought the search index to the tip."""
    start(repo, "claude-code")
    tip = git(repo, "rev-parse", "hipogit/memory").strip()
    wait_for(lambda: marks.indexed(str(repo / ".git" / "hipogit"), tip))


@pytest.mark.parametrize("platform", ["claude-code", "codex", "opencode", "gemini"])
def test_a_prompt_brings_up_what_is_known_and_nothing_else(
    memory: Path, platform: str
) -> None:
    indexed(memory)
    ask = {"session_id": "s7", "cwd": str(memory), "directory": str(memory)}
    known = {**ask, "prompt": "what was the rate limit, token bucket?"}
    said = context(fire(memory, platform, "prompt", known))
    assert FACT in said
    assert hosts.size(said, "tokens") <= 500
    unknown = {**ask, "prompt": "zygote quux?"}
    assert fire(memory, platform, "prompt", unknown) == {}
    # An older index may hold what was withdrawn since.
    id = json.loads(hipogit(memory, "why", FACT, "--json"))["entries"][0]["id"]
    hipogit(memory, "retract", id, "--reason", "measured wrong")
    assert FACT not in context(fire(memory, platform, "prompt", known))


@pytest.fixture
def dotfiles(tmp_path: Path) -> Path:
    """A home that is the work tree of a bare repository, as dotfiles are kept."""
    home = tmp_path / "kim"
    home.mkdir()
    git(home, "init", "-q", "--bare", ".dotfiles")
    hipogit(home, "--git-dir", ".dotfiles", "init", "--platform", "claude-code")
    hipogit(home, "--git-dir", ".dotfiles", "checkpoint", "Rate limit", "-m", FACT)
    return home


def in_dotfiles(home: Path) -> str:
    (tree,) = [["git", "--git-dir", str(home / ".dotfiles"), "grep", "-h", "-e", ""]]
    words = [*tree, "hipogit/memory", "--", "memory/2*.md"]
    return subprocess.run(words, capture_output=True, check=True).stdout.decode()


@pytest.mark.parametrize("by", ["where init was run", "GIT_DIR"])
def test_an_agent_finds_the_memory_of_dotfiles(dotfiles: Path, by: str) -> None:
    env = {}
    if by == "GIT_DIR":
        Path(quick.loans()).unlink()
        env = {"GIT_DIR": str(dotfiles / ".dotfiles"), "GIT_WORK_TREE": str(dotfiles)}
    below = dotfiles / "notes"
    below.mkdir()
    payload = {"session_id": "s1", "cwd": str(below), "source": "startup"}
    (dotfiles / "CLAUDE.local.md").unlink()
    assert FACT in context(fire(below, "claude-code", "session-start", payload, **env))
    where = dotfiles / "real.jsonl"
    shutil.copy(TRANSCRIPTS / "claude-code" / "real-2.1.332-tool.jsonl", where)
    payload["transcript_path"] = str(where)
    fire(below, "claude-code", "stop", payload, **env)
    wait_for(lambda: "standing=captured" in in_dotfiles(dotfiles))
    hipogit(below, "checkpoint", "Bursts", "-m", "legitimate", **env)
    assert "session=s1 source=claude-code" in in_dotfiles(dotfiles)


def test_a_repository_of_its_own_is_nobody_elses(dotfiles: Path) -> None:
    other = dotfiles / "other"
    other.mkdir()
    git(other, "init", "-q")
    payload = {"session_id": "s1", "cwd": str(other), "source": "startup"}
    env = {"GIT_DIR": str(dotfiles / ".dotfiles"), "GIT_WORK_TREE": str(dotfiles)}
    assert fire(other, "claude-code", "session-start", payload, **env) == {}
    elsewhere = dotfiles.parent / "elsewhere"
    elsewhere.mkdir()
    payload["cwd"] = str(elsewhere)
    assert fire(elsewhere, "claude-code", "session-start", payload, **env) == {}


def test_dotfiles_are_given_back_to_the_byte(tmp_path: Path) -> None:
    home = tmp_path / "kim"
    home.mkdir()
    git(home, "init", "-q", "--bare", ".dotfiles")
    (home / ".claude").mkdir()
    before = git(home, "--git-dir", ".dotfiles", "config", "--list")
    hipogit(home, "--git-dir", ".dotfiles", "init")
    assert (home / ".claude" / "settings.local.json").exists()
    assert "hooks" not in hipogit(home, "status", code=1).partition("view")[0]
    hipogit(home, "uninstall", "--delete-memory")
    assert list((home / ".claude").iterdir()) == []
    assert sorted(path.name for path in home.iterdir()) == [".claude", ".dotfiles"]
    assert git(home, "--git-dir", ".dotfiles", "config", "--list") == before
    assert not Path(quick.loans()).exists()


NEVER = "click dataclasses inspect filelock yaml git subprocess json typing pathlib"
HEAVY = f"{NEVER} re datetime collections"


@pytest.mark.parametrize(
    ("kind", "heavy"),
    [
        ("session-start", HEAVY),
        ("prompt", NEVER),
        ("stop", HEAVY),
        ("session-end", HEAVY),
    ],
)
def test_a_hook_imports_nothing_that_is_felt(
    memory: Path, kind: str, heavy: str
) -> None:
    indexed(memory)
    code = (
        "import sys; from hipogit.__main__ import main; main();"
        "sys.stderr.write(' '.join(sys.modules))"
    )
    payload = {"session_id": "s1", "cwd": str(memory), "prompt": "rate limit?"}
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c",
         f"import sys; sys.path.append({os.environ['PYTHONPATH']!r}); {code}",
         "hook", "claude-code", kind],
        input=json.dumps(payload).encode(), cwd=memory, capture_output=True, check=True,
    )  # fmt: skip
    loaded = set(done.stderr.decode().split())
    assert "hipogit.doors.agent" in loaded
    assert not loaded & set(heavy.split())


def test_a_probe_shows_that_the_hook_arrives_and_does_nothing_else(
    memory: Path,
) -> None:
    reached = memory / ".git" / "hipogit" / "reached"
    payload = fixture("codex", "Stop", memory)
    assert call(memory, "codex", "stop", b"", HIPOGIT_PROBE="1").stdout == b""
    assert [path.name for path in reached.iterdir()] == ["codex.stop.probe"]
    fire(memory, "codex", "stop", payload)
    names = sorted(path.name for path in reached.iterdir())
    assert names == ["codex.stop", "codex.stop.probe"]


def test_a_platform_nobody_knows_does_not_stop_an_agent(memory: Path) -> None:
    done = call(memory, "new-agent", "stop", b"{}")
    assert (done.returncode, done.stdout) == (0, b"")
    assert b"new-agent" in done.stderr


def test_a_probe_of_a_git_hook_does_nothing_else(memory: Path) -> None:
    (memory / ".hipogit" / "WORKING.md").write_text("# Working\n\n- a task\n")
    git(memory / ".hipogit", "add", ".")
    hook = memory / ".git" / "hipogit" / "hooks" / "post-commit"
    env = {**os.environ, "HIPOGIT_PROBE": "1"}
    tip = git(memory, "rev-parse", "hipogit/memory")
    subprocess.run([hook], cwd=memory / ".hipogit", check=True, env=env)
    assert git(memory, "rev-parse", "hipogit/memory") == tip
    reached = memory / ".git" / "hipogit" / "reached"
    assert "git.post-commit.probe" in {path.name for path in reached.iterdir()}
    git(memory / ".hipogit", "commit", "-q", "-m", "a task")
    names = {path.name for path in reached.iterdir()}
    assert {"git.pre-commit", "git.post-commit"} <= names
