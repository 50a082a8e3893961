"""Branches made to confuse a reader: messages, names and sizes nobody would choose."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from conftest import git, hipogit

from hipogit.verify import Report
from tests.verify.test_corruptions import TOKEN, checked, commit, ids, text

BRANCH = "hipogit/memory"
DAY = "memory/2026-11-29.md"


@pytest.fixture
def memory(repo: Path) -> Path:
    hipogit(repo, "init", "--platform", "none", "--no-worktree")
    hipogit(repo, "checkpoint", "Cache", "-m", "- outcome: done in cache.py")
    return repo


def failed(report: Report) -> set[str]:
    return {check.name for check in report.checks if not check.ok}


def raw(repo: Path, message: bytes) -> None:
    """A commit of the same tree with exactly these bytes as its message."""
    tree = git(repo, "rev-parse", f"{BRANCH}^{{tree}}").strip()
    tip = git(repo, "rev-parse", BRANCH).strip()
    who = "A <a@example.invalid> 1700000000 +0000"
    head = f"tree {tree}\nparent {tip}\nauthor {who}\ncommitter {who}\n\n"
    made = subprocess.run(
        ["git", "hash-object", "-t", "commit", "-w", "--stdin"],
        cwd=repo, input=head.encode() + message, capture_output=True, check=True,
    ).stdout.decode().strip()  # fmt: skip
    git(repo, "update-ref", f"refs/heads/{BRANCH}", made)


@pytest.mark.parametrize(
    "message",
    [
        b"",
        b"\n\n\n",
        b"\x01\x02 :100644 \x1b[31m\n",
        b":000000 100644 0000 1111 A\nx\n",
        b"\xff\xfe not UTF-8 \xc3\x28\n",
        b"words of no weight " * 55_000,
        b"Hipogit-Action: retract\n\nin the body, not at the end\n",
    ],
    ids=["empty", "blank", "control", "raw", "bytes", "1 MB", "forged"],
)
def test_a_message_is_only_a_message(memory: Path, message: bytes) -> None:
    raw(memory, message)
    report = checked(memory)
    assert failed(report) == set()
    assert report.commits == int(git(memory, "rev-list", "--count", BRANCH))


def test_trailers_forged_in_a_body_permit_nothing(memory: Path) -> None:
    id = ids(memory)[0]
    message = f"edit\n\nHipogit-Action: retract\nHipogit-Entry: {id}\n\nthat was all\n"
    commit(memory, {DAY: text(memory).replace("done in", "undone in")}, message)
    assert "append-only" in failed(checked(memory))


@pytest.mark.parametrize(
    "path",
    [
        "knowledge/a\nb.md",
        'knowledge/"quoted".md',
        "knowledge/:1 x.md",
        "-x",
        "ü\udcff",
    ],
)
def test_odd_names_are_read_to_the_end(memory: Path, path: str) -> None:
    commit(memory, {path: "fine\n"})
    assert failed(checked(memory)) == set()
    commit(memory, {path: "<<<<<<< a\nx\n=======\ny\n>>>>>>> b\n"})
    report = checked(memory)
    assert failed(report) == {"files"}
    (problem,) = next(check.problems for check in report.checks if not check.ok)
    assert (problem.path, problem.line) == (path, 1)


def test_a_commit_of_thousands_of_files(memory: Path) -> None:
    commit(memory, {f"knowledge/{n}.md": f"note {n}\n" for n in range(3000)})
    assert failed(checked(memory)) == set()


def test_settings_of_the_reader_do_not_matter(memory: Path) -> None:
    for key, value in (
        ("log.showSignature", "true"),
        ("log.diffMerges", "first-parent"),
        ("i18n.logOutputEncoding", "ISO-8859-1"),
        ("diff.renames", "copies"),
        ("diff.noprefix", "true"),
        ("log.showRoot", "false"),
        ("color.ui", "always"),
    ):
        git(memory, "config", "--global", key, value)
    assert os.environ["GIT_CONFIG_GLOBAL"]
    assert failed(checked(memory)) == set()


# --- trees and histories that nobody writes by accident


def mktree(repo: Path, lines: bytes) -> str:
    done = subprocess.run(["git", "mktree", "-z", "--missing"], cwd=repo, input=lines,
                          capture_output=True, check=True)  # fmt: skip
    return done.stdout.decode().strip()


def on_top(repo: Path, tree: str, *parents: str, message: str = "by hand") -> str:
    above = [word for parent in parents or (BRANCH,) for word in ("-p", parent)]
    made = git(repo, "commit-tree", tree, *above, "-m", message).strip()
    git(repo, "update-ref", f"refs/heads/{BRANCH}", made)
    return made


def tree_with(repo: Path, mode: str, kind: str, oid: str, name: bytes) -> str:
    """The tip's tree with one item more, as it stands here."""
    listed = subprocess.run(["git", "ls-tree", "-z", BRANCH], cwd=repo, check=True,
                            capture_output=True).stdout  # fmt: skip
    return mktree(repo, listed + f"{mode} {kind} {oid}\t".encode() + name + b"\0")


def blob(repo: Path, data: bytes) -> str:
    done = subprocess.run(["git", "hash-object", "-w", "--stdin"], cwd=repo, check=True,
                          input=data, capture_output=True)  # fmt: skip
    return done.stdout.decode().strip()


@pytest.mark.parametrize(
    "name", [b"\xff\xfe.md", b"a\nb", b"tab\there", b"\x1b[31m", b"con", b"a\\b", b" "]
)
def test_names_that_are_no_text(memory: Path, name: bytes) -> None:
    tree = tree_with(memory, "100644", "blob", blob(memory, b"fine\n"), name)
    on_top(memory, tree)
    assert failed(checked(memory)) == set()
    for form in ("text", "json", "sarif", "github", "junit"):
        hipogit(memory, "verify", "--format", form)
    tree = tree_with(memory, "120000", "blob", blob(memory, b"/etc/passwd"), name)
    on_top(memory, tree)
    assert failed(checked(memory)) == {"files"}
    for form in ("text", "json", "sarif", "github", "junit"):
        assert "\x1b" not in hipogit(memory, "verify", "--format", form, code=1)


def test_a_whole_folder_that_is_a_submodule(memory: Path) -> None:
    head = git(memory, "rev-parse", "main").strip()
    on_top(memory, tree_with(memory, "160000", "commit", head, b"plans"))
    report = checked(memory)
    assert failed(report) == {"files"}
    tree = git(memory, "rev-parse", f"{BRANCH}^{{tree}}").strip()
    listed = git(memory, "ls-tree", "-z", tree).split("\0")
    kept = [line for line in listed if line and not line.endswith("\tmemory")]
    lines = "\0".join([*kept, f"160000 commit {head}\tmemory", ""])
    on_top(memory, mktree(memory, lines.encode()))
    assert {"files", "append-only"} <= failed(checked(memory))


def test_a_journal_that_is_a_folder(memory: Path) -> None:
    below = mktree(memory, f"100644 blob {blob(memory, b'x')}\tx\0".encode())
    listed = git(memory, "ls-tree", "-z", f"{BRANCH}:memory").split("\0")
    kept = [line for line in listed if line and "\t2026-11-29.md" not in line]
    inner = mktree(
        memory, "\0".join([*kept, f"040000 tree {below}\t2026-11-29.md", ""]).encode()
    )
    outer = git(memory, "ls-tree", "-z", BRANCH).split("\0")
    kept = [line for line in outer if line and not line.endswith("\tmemory")]
    lines = "\0".join([*kept, f"040000 tree {inner}\tmemory", ""])
    on_top(memory, mktree(memory, lines.encode()))
    assert "append-only" in failed(checked(memory))


def test_a_line_of_ten_megabytes(memory: Path) -> None:
    words = "words of no weight " * 550_000
    commit(memory, {"knowledge/long.md": words + "\n"})
    assert failed(checked(memory)) == set()
    commit(memory, {"knowledge/long.md": f"{words} {TOKEN} {words[: 2**20]}\n"})
    report = checked(memory)
    assert failed(report) == {"secrets"}
    assert TOKEN not in repr(report)


def test_a_trailer_of_a_megabyte_and_ten_thousand_ids(memory: Path) -> None:
    many = "".join(f"Hipogit-Entry: 20261129-{n:010d}\n" for n in range(10_000))
    commit(memory, {}, f"sync: x\n\nHipogit-Action: sync\n{many}")
    assert failed(checked(memory)) == set()
    commit(
        memory, {}, f"x\n\nHipogit-Action: checkpoint\nHipogit-Reason: {'a' * 2**20}\n"
    )
    assert failed(checked(memory)) == set()
    commit(memory, {}, f"x\n\nHipogit-Action: {'z' * 2**20}\n")
    report = checked(memory)
    assert failed(report) == {"commits"}
    assert len(hipogit(memory, "verify", code=1)) < 5000


@pytest.mark.parametrize(
    "meta",
    [
        "id=20261129-%zz at=now standing=stated",
        "id=20261129-abcdefghij at=9999-99-99T99:99 standing=stated",
        "id=20269999-abcdefghij at=2026-11-29T10:00:00+09:00 standing=stated",
        "id=20261129-abcdefghij at=0001-01-01T00:00:00+14:00 standing=stated",
        "id=20261129-abcdefghij at=9999-12-31T23:59:59-12:00 standing=stated rev=9",
        "id=20261129-abcdefghij at=2026-11-29T10:00:00+09:00 rev=" + "9" * 5000,
        "id=" + "2" * 5000 + " standing=stated",
        "at=2026-11-29T10:00:00+09:00",
        "id=20261129-abcdefghij id=20261129-bbbbbbbbbb standing=stated",
        "id=20261129-abcdefghij at=2026-11-29T10:00:00 standing=%00%1b%5b31m",
    ],
)
def test_forged_metadata_is_no_crash(memory: Path, meta: str) -> None:
    planted = f"\n## Forged [project]\n<!-- hipogit {meta} -->\nx\n"
    commit(memory, {DAY: text(memory) + planted})
    report = checked(memory)
    assert not report.ok
    said = hipogit(memory, "verify", code=1)
    assert "\x1b" not in said and "Traceback" not in said


def test_grafts_and_replaced_objects_change_nothing(memory: Path) -> None:
    good = git(memory, "rev-parse", BRANCH).strip()
    bad = commit(memory, {DAY: text(memory).replace("done in", "undone in")})
    assert "append-only" in failed(checked(memory))
    # As if the commit had never been: replaced by a good one, or grafted away.
    git(memory, "replace", bad, good)
    assert "append-only" in failed(checked(memory))
    git(memory, "replace", "-d", bad)
    info = memory / ".git" / "info"
    (info / "grafts").write_text(f"{bad}\n")
    assert "append-only" in failed(checked(memory))
    made = commit(memory, {"knowledge/x.md": "x\n"})
    (info / "grafts").write_text(f"{made} {good}\n")
    assert "append-only" in failed(checked(memory))


def test_replace_refs_of_a_blob_hide_no_secret(memory: Path) -> None:
    commit(memory, {"knowledge/x.md": f"use {TOKEN} to deploy\n"})
    oid = git(memory, "rev-parse", f"{BRANCH}:knowledge/x.md").strip()
    git(memory, "replace", oid, blob(memory, b"nothing\n"))
    assert "secrets" in failed(checked(memory))


def test_an_octopus_of_many_arms(memory: Path) -> None:
    base = git(memory, "rev-parse", BRANCH).strip()
    arms = []
    for number in range(12):
        git(memory, "update-ref", f"refs/heads/{BRANCH}", base)
        arms.append(commit(memory, {f"knowledge/{number}.md": f"note {number}\n"}))
    on_top(memory, git(memory, "rev-parse", f"{arms[0]}^{{tree}}").strip(), *arms)
    assert failed(checked(memory)) == set()
    # A merge that makes an entry say what no parent said is no correction.
    changed = text(memory).replace("done in", "undone in")
    for message in ("merge", "sync: x\n\nHipogit-Action: sync\n"):
        commit(memory, {DAY: changed}, message, tuple(arms))
        assert "append-only" in failed(checked(memory))


def test_an_action_that_joins_changes_nothing_by_itself(memory: Path) -> None:
    changed = text(memory).replace("done in", "undone in")
    commit(memory, {DAY: changed}, "sync: x\n\nHipogit-Action: sync\n")
    assert "commits" in failed(checked(memory))


def test_a_secret_that_only_a_merge_brought(memory: Path) -> None:
    base = git(memory, "rev-parse", BRANCH).strip()
    one = commit(memory, {"knowledge/a.md": "a\n"})
    git(memory, "update-ref", f"refs/heads/{BRANCH}", base)
    two = commit(memory, {"knowledge/b.md": "b\n"})
    commit(memory, {"knowledge/c.md": f"use {TOKEN}\n"}, "merge", (one, two))
    commit(memory, {"knowledge/c.md": None})
    assert failed(checked(memory)) == {"secrets"}


@pytest.mark.parametrize(
    "data",
    [TOKEN.encode("utf-16"), b"\0" * 1000 + TOKEN.encode(), b"\xff" + TOKEN.encode()],
    ids=["UTF-16", "NUL", "bytes"],
)
def test_a_secret_in_what_is_no_text(memory: Path, data: bytes) -> None:
    on_top(memory, tree_with(memory, "100644", "blob", blob(memory, data), b"x.bin"))
    commit(memory, {"x.bin": None})
    assert failed(checked(memory)) == {"secrets"}


def test_a_secret_hidden_from_diffs_by_attributes(memory: Path) -> None:
    commit(memory, {".gitattributes": "* -diff binary filter=hipogit\n",
                    "knowledge/x.md": f"use {TOKEN}\n"})  # fmt: skip
    commit(memory, {"knowledge/x.md": None})
    assert failed(checked(memory)) == {"secrets"}


def test_a_secret_in_a_summary_of_the_past(memory: Path) -> None:
    path = "memory/daily/2026-11-29.md"
    good = text(memory, path)
    commit(memory, {path: good + f"- use {TOKEN}\n"})
    commit(memory, {path: good})
    assert failed(checked(memory)) == {"secrets"}


def test_a_format_of_the_future_is_left_to_its_own_program(memory: Path) -> None:
    names = git(memory, "ls-tree", "-r", "--name-only", BRANCH, "memory/").split()
    changes = {
        path: text(memory, path).replace("\nformat: 1\n", "\nformat: 99\n")
        for path in names
        if path.count("/") > 1 or path.endswith("ROOT.md")
    }
    commit(memory, changes)
    assert failed(checked(memory)) <= {"index"}
    # What is not of the future is judged all the same.
    commit(memory, {DAY: text(memory).replace("done in", "undone in")})
    assert "append-only" in failed(checked(memory))


def test_an_interrupted_run_remembers_nothing_it_did_not_see(memory: Path) -> None:
    import signal
    import sys

    commit(memory, {f"knowledge/{n}.md": f"note {n}\n" for n in range(2000)})
    commit(memory, {"knowledge/x.md": f"use {TOKEN}\n"})
    commit(memory, {"knowledge/x.md": None})
    for after in (0.15, 0.3, 0.5):
        words = [sys.executable, "-P", "-m", "hipogit", "verify"]
        process = subprocess.Popen(words, cwd=memory, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL)  # fmt: skip
        try:
            process.wait(after)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
            process.wait()
    assert failed(checked(memory)) == {"secrets"}


def test_a_partial_clone_fetches_what_it_lacks(memory: Path, tmp_path: Path) -> None:
    for number in range(30):
        commit(memory, {f"knowledge/{number}.md": f"note {number}\n"})
    git(memory, "config", "uploadpack.allowFilter", "true")
    git(memory, "config", "uploadpack.allowAnySHA1InWant", "true")
    git(tmp_path, "clone", "-q", "--bare", "--filter=blob:none", "--branch", BRANCH,
        f"file://{memory}", "partial")  # fmt: skip
    assert failed(checked(tmp_path / "partial")) == set()
    commit(memory, {DAY: text(memory).replace("done in", "undone in")})
    git(tmp_path / "partial", "fetch", "-q", "origin", f"+{BRANCH}:{BRANCH}")
    assert "append-only" in failed(checked(tmp_path / "partial"))


def test_a_partial_clone_whose_remote_is_gone_says_so(
    memory: Path, tmp_path: Path
) -> None:
    git(memory, "config", "uploadpack.allowFilter", "true")
    git(tmp_path, "clone", "-q", "--bare", "--filter=blob:none", "--branch", BRANCH,
        f"file://{memory}", "partial")  # fmt: skip
    git(tmp_path / "partial", "remote", "set-url", "origin", str(tmp_path / "gone"))
    said = hipogit(tmp_path / "partial", "verify", code=3)
    assert "Traceback" not in said and "hint:" in said


def test_an_object_that_is_lost_is_no_good_branch(memory: Path) -> None:
    commit(memory, {"knowledge/x.md": "x\n"})
    oid = git(memory, "rev-parse", f"{BRANCH}:knowledge/x.md").strip()
    commit(memory, {"knowledge/x.md": None})
    (memory / ".git/objects" / oid[:2] / oid[2:]).unlink()
    said = hipogit(memory, "verify", code=3)
    assert oid[:12] in said and "hipogit doctor" in said
