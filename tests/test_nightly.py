"""The nightly job and the advice on sizes."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from hipogit import config, hot, nightly
from hipogit.cli import cli
from hipogit.view import MemoryView

ODD = Path("""/src/Kim's "50%" $HOME shop""")


def as_cron_does(line: str) -> str:
    """The command of a crontab line: five fields off, `\\%` read as a percent sign."""
    assert re.match(r"\d+ \d+ \* \* \* ", line)
    rest = line.split(" ", 5)[5]
    assert not re.search(r"(?<!\\)%", rest)
    return rest.replace(r"\%", "%")


def test_cron_gets_the_words_whole() -> None:
    line = nightly.crontab(["printf", "%s\n", *nightly.command("/py thon", ODD)])
    shell = as_cron_does(line).removesuffix(" >/dev/null")
    done = subprocess.run(["sh", "-c", shell], capture_output=True, text=True)
    assert done.stdout.split("\n")[:-1] == nightly.command("/py thon", ODD)


def test_systemd_gets_the_words_whole() -> None:
    units = nightly.systemd(nightly.command("/py thon", ODD), "shop")
    service = units["hipogit-shop.service"]
    assert (
        r'ExecStart="/py thon" "-m" "hipogit" "-C" "/src/Kim'
        r"""'s \"50%%\" $$HOME shop" "compact" """.rstrip()
        in service
    )
    assert "OnCalendar=*-*-* 03:17:00\nPersistent=true" in units["hipogit-shop.timer"]


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="no systemd here")
def test_systemd_accepts_the_units(tmp_path: Path) -> None:
    for name, text in nightly.systemd(nightly.command("/bin/sh", ODD), "x").items():
        (tmp_path / name).write_text(text)
        done = subprocess.run(
            ["systemd-analyze", "verify", "--user", tmp_path / name],
            env={"PATH": os.environ["PATH"], "XDG_RUNTIME_DIR": str(tmp_path)},
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stderr


def test_the_printed_command_runs_with_nobodys_environment(repo: Path) -> None:
    args = ["-C", str(repo), "init", "--platform", "none", "--nightly"]
    done = CliRunner().invoke(cli, args)
    assert done.exit_code == 0, done.output
    line = next(x for x in done.stdout.split("\n") if re.match(r"\d+ \d+ \*", x))
    assert f"{sys.executable} -m hipogit -C {repo} compact" in line
    run = subprocess.run(
        ["/bin/sh", "-c", as_cron_does(line)],
        env={"PYTHONPATH": str(Path(nightly.__file__).parent.parent)},
        cwd="/",
        capture_output=True,
        text=True,
    )
    assert (run.returncode, run.stdout) == (0, ""), run.stderr


def test_the_nightly_job_does_not_spoil_the_json(repo: Path) -> None:
    args = ["-C", str(repo), "init", "--platform", "none", "--nightly", "--json"]
    done = CliRunner().invoke(cli, args)
    assert done.stdout.count("\n") == 1
    assert "OnCalendar" in done.stderr


def test_a_long_flat_memory_is_offered_for_import(repo: Path) -> None:
    args = ["-C", str(repo), "init", "--platform", "none"]
    path = repo / "MEMORY.md"
    path.write_text("# Memory\n" + "- a\n" * 200)
    assert "import memory-md" not in CliRunner().invoke(cli, args).stderr
    path.write_text("# Memory\n" + "- a\n" * 201)
    assert f"hipogit import memory-md {path}" in CliRunner().invoke(cli, args).stderr


def test_files_of_their_size_need_no_advice(tmp_path: Path) -> None:
    files = {"WORKING.md": "x\n" * 100, "SCRATCHPAD.md": "x\n" * 150}
    view = MemoryView(files | {"memory/agents/recall/AGENT.md": "x\n" * 30})
    assert hot.advice(view, config.load(tmp_path)) == []


def test_advice_names_the_file_the_size_and_a_way(tmp_path: Path) -> None:
    view = MemoryView(
        {
            "WORKING.md": "x\n" * 143,
            "TASK-QUEUE.md": "- [x] a\n- [ ] b\n  - [X] c\n" + "x\n" * 60,
            "memory/agents/recall/AGENT.md": "x\n" * 31,
        }
    )
    working, queue, done, notes = hot.advice(view, config.load(tmp_path))
    assert working.startswith("WORKING.md has 143 lines, 43 over its 100: close")
    assert queue.startswith("TASK-QUEUE.md has 63 lines, 13 over its 50")
    assert done == "TASK-QUEUE.md holds 2 finished: the journal keeps those"
    assert notes.startswith("memory/agents/recall/AGENT.md has 31 lines, 1 over")


def test_the_size_that_advice_goes_by_is_a_setting(tmp_path: Path) -> None:
    view = MemoryView({"WORKING.md": "x\n" * 20})
    settings = config.load(tmp_path, "[hot]\nworking_lines = 10\n")
    assert "10 over its 10" in hot.advice(view, settings)[0]
