"""`init` and `uninstall` with agents, in real repositories."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner
from conftest import hipogit

from hipogit import agents
from hipogit.cli import cli
from hipogit.errors import HipogitError
from hipogit.platforms import hosts
from hipogit.platforms.table import TABLE
from hipogit.plumbing import Git


def git(path: Path, *args: str) -> str:
    done = subprocess.run(
        ["git", *args], cwd=path, check=True, capture_output=True, text=True
    )
    return done.stdout


def everything(folder: Path) -> dict[str, bytes | None]:
    """Every file outside the object store and the logs of refs."""
    found = {}
    for base, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if name not in ("objects", "logs")]
        for name in names:
            path = Path(base) / name
            found[str(path.relative_to(folder))] = path.read_bytes()
    return found


def run(project: Path, *args: str) -> dict[str, list[str]]:
    done = CliRunner().invoke(cli, ["-C", str(project), *args, "--json"])
    if done.exception:
        raise done.exception
    return json.loads(done.stdout)


def every_platform() -> list[str]:
    return [word for name in TABLE for word in ("--platform", name)]


@pytest.mark.parametrize("mode", [[], ["--shared"]], ids=["personal", "shared"])
def test_init_and_uninstall_leave_no_byte(repo: Path, mode: list[str]) -> None:
    before = everything(repo)
    made = run(repo, "init", *every_platform(), *mode)
    assert made["platforms"] == list(TABLE)
    installed = everything(repo)
    assert run(repo, "init", *every_platform(), *mode)["created"] == []
    assert run(repo, "init")["created"] == [], "auto keeps what was chosen"
    assert everything(repo) == installed
    run(repo, "uninstall", "--delete-memory")
    assert everything(repo) == before


def test_personal_files_do_not_show_in_status(repo: Path) -> None:
    run(repo, "init", *every_platform())
    assert git(repo, "status", "--porcelain") == ""


def test_auto_sets_up_what_is_in_use(repo: Path) -> None:
    (repo / "CLAUDE.md").write_text("# Mine\n")
    (repo / ".codex").mkdir()
    assert run(repo, "init")["platforms"] == ["claude-code", "codex"]
    assert agents.installed(Git.discover(repo)) == ["claude-code", "codex"]


def test_none_sets_up_nothing(repo: Path) -> None:
    (repo / "CLAUDE.md").write_text("# Mine\n")
    assert run(repo, "init", "--platform", "none")["platforms"] == []
    with pytest.raises(HipogitError):
        run(repo, "init", "--platform", "none", "--platform", "codex")
    with pytest.raises(HipogitError, match="vim"):
        run(repo, "init", "--platform", "vim")


def test_a_broken_settings_file_is_named_and_memory_is_there(repo: Path) -> None:
    (repo / ".claude").mkdir()
    (repo / ".claude" / "settings.local.json").write_text("{")
    done = CliRunner().invoke(
        cli, ["-C", str(repo), "init", "--platform", "claude-code"]
    )
    assert isinstance(done.exception, HipogitError)
    assert "settings.local.json" in done.exception.sentence
    assert "memory is kept on" in done.stdout
    assert (repo / ".claude" / "settings.local.json").read_text() == "{"


def test_a_teammates_clone_uses_the_teams_hooks(repo: Path, tmp_path: Path) -> None:
    run(repo, "init", "--platform", "claude-code", "--shared")
    git(repo, "add", ".claude")
    git(repo, "commit", "-q", "-m", "hooks for all")
    clone = tmp_path / "clone"
    git(tmp_path, "clone", "-q", str(repo), str(clone))
    before = everything(clone)
    made = run(clone, "init")
    assert made["platforms"] == ["claude-code"]
    assert git(clone, "status", "--porcelain") == ""
    run(clone, "uninstall", "--delete-memory")
    assert everything(clone) == before


def test_every_worktree_is_taken_out(repo: Path, tmp_path: Path) -> None:
    before = everything(repo)
    other = tmp_path / "other"
    git(repo, "worktree", "add", "-q", str(other))
    there = everything(other)
    run(repo, "init", "--platform", "codex")
    run(other, "init", "--platform", "claude-code")
    assert not (other / "CLAUDE.local.md").exists(), "git's folder is not in this one"
    assert agents.installed(Git.discover(other)) == ["claude-code"]
    run(repo, "uninstall", "--delete-memory")
    assert everything(other) == there
    git(repo, "worktree", "remove", str(other))
    git(repo, "branch", "-q", "-D", "other")
    left = everything(repo)
    assert {k: v for k, v in left.items() if not k.startswith(".git/")} == {
        k: v for k, v in before.items() if not k.startswith(".git/")
    }
    assert left[".git/info/exclude"] == before[".git/info/exclude"]


def test_from_inside_the_memory_worktree_the_project_is_meant(repo: Path) -> None:
    run(repo, "init", "--platform", "codex")
    view = Git.discover(repo / ".hipogit")
    assert agents.installed(view) == ["codex"]
    assert run(repo / ".hipogit", "init")["created"] == []


def test_a_refused_uninstall_touches_nothing(repo: Path) -> None:
    run(repo, "init", "--platform", "codex")
    (repo / ".hipogit" / "WORKING.md").write_text("## Mine\n")
    before = everything(repo)
    with pytest.raises(HipogitError, match="uncommitted"):
        run(repo, "uninstall")
    assert everything(repo) == before


def test_problems_name_what_keeps_hooks_from_running(repo: Path) -> None:
    run(repo, "init", "--platform", "codex")
    assert any("not approved yet" in p for p in agents.problems(Git.discover(repo)))
    (repo / ".codex" / "hooks.json").unlink()
    assert any("is missing" in p for p in agents.problems(Git.discover(repo)))


def test_init_says_what_is_left_to_do(repo: Path) -> None:
    args = ["-C", str(repo), "init", "--platform", "codex"]
    done = CliRunner().invoke(cli, args)
    assert "next: Codex: trust this project" in done.stderr
    assert "set up for codex" in done.stdout


def test_a_program_that_agents_cannot_find_is_a_problem(
    repo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = os.environ["PATH"]
    folders = [f for f in path.split(":") if not (Path(f) / "hipogit").exists()]
    monkeypatch.setenv("PATH", ":".join(folders))
    args = ["-C", str(repo), "init", "--platform", "opencode"]
    done = CliRunner().invoke(cli, args)
    assert "next: no hipogit on PATH" in done.stderr
    (problem,) = agents.problems(Git.discover(repo))
    assert "ln -s " in problem
    (tmp_path / "hipogit").touch(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{path}")
    assert agents.problems(Git.discover(repo)) == []
    assert "on PATH" not in CliRunner().invoke(cli, args).stderr


def test_what_claude_code_imports_is_always_at_the_tip(repo: Path) -> None:
    run(repo, "init", "--platform", "claude-code")
    path = repo / ".git" / "hipogit" / "import.md"

    def current() -> bool:
        tip = git(repo, "rev-parse", "hipogit/memory").strip()
        return hosts.imported("claude-code", str(repo), tip)

    assert current()
    said = "- decisions: token bucket, see @api/limits.py or kim@example.com"
    run(repo, "checkpoint", "Rate limit", "-m", said)
    assert "token bucket, see \\@api/limits.py or kim@example.com" in path.read_text()
    assert current()
    path.with_suffix(".tip").write_text("0" * 40)
    assert not current(), "then the hook speaks"
    run(repo, "checkpoint", "Other", "-m", "- outcome: done")
    assert current()


def test_nothing_is_published_where_nobody_imports_it(repo: Path) -> None:
    run(repo, "init", "--platform", "codex")
    run(repo, "checkpoint", "Rate limit", "-m", "- decisions: token bucket")
    assert not (repo / ".git" / "hipogit" / "import.md").exists()


def test_agents_set_up_at_the_same_time_come_out_to_the_byte(repo: Path) -> None:
    (repo / ".gemini").mkdir()
    (repo / ".gemini" / "settings.json").write_bytes(b'{"a": 1}\n')
    (repo / ".mcp.json").write_bytes(b"{}\n")
    words = [sys.executable, "-P", "-m", "hipogit", "init", "--mcp"]
    for name in ("claude-code", "gemini", "cursor", "codex"):
        words += ["--platform", name]
    running = [
        subprocess.Popen(
            words, cwd=repo, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        for _ in range(3)
    ]
    for process in running:
        process.communicate()
        assert process.returncode == 0
    assert git(repo, "status", "--porcelain") == "?? .gemini/\n?? .mcp.json\n"
    hipogit(repo, "uninstall", "--delete-memory")
    assert (repo / ".gemini" / "settings.json").read_bytes() == b'{"a": 1}\n'
    assert (repo / ".mcp.json").read_bytes() == b"{}\n"
    left = {path.name for path in repo.iterdir()}
    assert not left & {".claude", ".cursor", ".codex", ".agents", "CLAUDE.local.md"}
