"""`scan`: every source, every door, and what it says and leaves behind."""

from __future__ import annotations

import json
import os
import random
import string
import subprocess
import sys
from pathlib import Path

import pytest

from hipogit import sources, sweep
from hipogit.cli import main
from hipogit.gate.allow import Allowed
from hipogit.plumbing import Git
from tests.conftest import git, hipogit

ALNUM = string.ascii_letters + string.digits


def token(seed: int = 1) -> str:
    chosen = random.Random(seed)
    return f"gh{'p'}_" + "".join(chosen.choice(ALNUM) for _ in range(36))


class Run:
    """What one run of `scan` did."""

    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err

    @property
    def places(self) -> list[tuple[str, int]]:
        return [(f["path"], f["line"]) for f in json.loads(self.out)["findings"]]


@pytest.fixture
def scan(capfd: pytest.CaptureFixture[str]):
    def run(path: Path, *args: str) -> Run:
        code = main(["-C", str(path), "scan", *args])
        out, err = capfd.readouterr()
        return Run(code, out, err)

    return run


def test_files_and_folders(scan, repo: Path, tmp_path: Path) -> None:
    (repo / "new.md").write_text(f"one\n{token(1)}\n")
    (repo / "ignored.md").write_text(token(2))
    (repo / ".gitignore").write_text("ignored.md\n")
    (repo / "docs").mkdir()
    (repo / "docs" / "a b.md").write_text(f"{token(3)}\n")

    assert scan(repo, "--json").places == [("docs/a b.md", 1), ("new.md", 2)]
    assert scan(repo, "--json", "docs").places == [("docs/a b.md", 1)]
    assert scan(repo, "--json", "ignored.md").places == [("ignored.md", 1)]
    assert scan(repo, "app.py").code == 0
    missing = scan(repo, "nothing.md")
    assert missing.code == 2 and "there is no file nothing.md" in missing.err


def test_a_folder_outside_any_repository(scan, tmp_path: Path) -> None:
    (tmp_path / "x").mkdir()
    (tmp_path / "x" / "y.md").write_text(token())
    os.mkfifo(tmp_path / "x" / "pipe")

    assert scan(tmp_path, "--json", "x").places == [("x/y.md", 1)]


def test_no_output_holds_the_secret(scan, repo: Path) -> None:
    (repo / "new.md").write_text(f"one\n{token()}\n")
    for form in ("text", "json", "sarif", "github"):
        done = scan(repo, "--format", form)

        assert done.code == 1
        assert "new.md" in done.out
        assert token() not in done.out + done.err


def test_staged_is_what_the_commit_would_hold(scan, repo: Path) -> None:
    (repo / "staged.md").write_text(f"{token(1)}\n")
    git(repo, "add", "staged.md")
    (repo / "staged.md").write_text("taken out on disk only\n")
    (repo / "app.py").write_text(f"{token(2)}  # not staged\n")
    (repo / "untracked.md").write_text(token(3))

    assert scan(repo, "--staged", "--json").places == [("staged.md", 1)]
    assert scan(repo, "--staged", "--json", "app.py").places == []


def test_staged_before_the_first_commit(scan, tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    (tmp_path / "a.md").write_text(token())
    git(tmp_path, "add", "a.md")

    assert scan(tmp_path, "--staged", "--json").places == [("a.md", 1)]


def test_staged_paths_are_read_from_the_index_changed_or_not(
    scan, repo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (repo / "sub").mkdir()
    (repo / "sub" / "old.md").write_text(token())
    git(repo, "add", ".")
    git(repo, "commit", "-q", "-m", "second")

    assert scan(repo, "--staged", "--json").places == []
    assert scan(repo / "sub", "--staged", "--json", "old.md").places == [
        ("sub/old.md", 1)
    ]
    assert scan(repo, "--staged", "--json", "sub").places == [("sub/old.md", 1)]


def test_renames_deletions_submodules_and_odd_names(scan, repo: Path) -> None:
    (repo / "old.md").write_text(f"{token()}\n" * 3)
    git(repo, "add", ".")
    git(repo, "commit", "-q", "-m", "second")
    git(repo, "mv", "old.md", "new\nname.md")
    git(repo, "rm", "-q", "app.py")
    head = git(repo, "rev-parse", "HEAD").strip()
    git(repo, "update-index", "--add", "--cacheinfo", f"160000,{head},module")

    places = scan(repo, "--staged", "--json").places

    assert places == [("new\nname.md", line) for line in (1, 2, 3)]


def hooked(repo: Path) -> None:
    """A plain git hook that gates what is being committed."""
    hook = repo / ".git" / "hooks" / "pre-commit"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m hipogit scan --staged\n')
    hook.chmod(0o755)


def commit(repo: Path, *args: str, answers: str = "") -> bool:
    done = subprocess.run(
        ["git", "commit", "-q", "-m", "x", *args],
        cwd=repo,
        input=answers,
        text=True,
        capture_output=True,
    )
    return done.returncode == 0


def test_partial_commits_are_judged_by_what_they_hold(repo: Path) -> None:
    (repo / "clean.md").write_text("nothing\n")
    (repo / "dirty.md").write_text("nothing\n")
    git(repo, "add", ".")
    git(repo, "commit", "-q", "-m", "second")
    hooked(repo)
    (repo / "clean.md").write_text("still nothing\n")
    (repo / "dirty.md").write_text(f"{token()}\n")

    git(repo, "add", "dirty.md")
    assert commit(repo, "--", "clean.md")  # git makes an index for it alone
    assert not commit(repo, "--", "dirty.md")
    git(repo, "reset", "-q")
    assert not commit(repo, "-a")


def test_commit_p_takes_one_hunk_and_leaves_the_secret(repo: Path) -> None:
    lines = [f"line {number}\n" for number in range(40)]
    (repo / "log.md").write_text("".join(lines))
    git(repo, "add", ".")
    git(repo, "commit", "-q", "-m", "second")
    hooked(repo)
    lines[2], lines[35] = "harmless\n", f"{token()}\n"
    (repo / "log.md").write_text("".join(lines))

    assert not commit(repo, "-p", answers="n\ny\n")
    assert commit(repo, "-p", answers="y\nn\n")
    assert token() not in git(repo, "show", "HEAD:log.md")


def test_a_revision_and_a_range(scan, repo: Path) -> None:
    first = git(repo, "rev-parse", "HEAD").strip()
    (repo / "a.md").write_text(token(1))
    git(repo, "add", ".")
    git(repo, "commit", "-q", "-m", "with")
    second = git(repo, "rev-parse", "HEAD").strip()
    git(repo, "rm", "-q", "a.md")
    git(repo, "commit", "-q", "-m", "without")

    assert scan(repo, "--rev", "HEAD").code == 0
    found = json.loads(scan(repo, "--rev", "HEAD~1", "--json").out)["findings"]
    assert [(f["path"], f["commit"]) for f in found] == [("a.md", second)]
    ranged = json.loads(scan(repo, "--rev", f"{first}..HEAD", "--json").out)
    assert [f["commit"] for f in ranged["findings"]] == [second]
    unknown = scan(repo, "--rev", "nowhere")
    assert unknown.code == 2 and "no revision nowhere" in unknown.err


def test_history_finds_what_a_later_commit_took_out(scan, repo: Path) -> None:
    (repo / "a.md").write_text(f"x\n{token(1)}\n")
    git(repo, "add", ".")
    git(repo, "commit", "-q", "-m", "with")
    brought = git(repo, "rev-parse", "HEAD").strip()
    git(repo, "rm", "-q", "a.md")
    git(repo, "commit", "-q", "-m", f"take out {token(2)}")
    git(repo, "tag", "-a", "v1", "-m", f"tagged {token(3)}")

    found = json.loads(scan(repo, "--history", "--json").out)["findings"]

    assert ("a.md", 2, brought) in [(f["path"], f["line"], f["commit"]) for f in found]
    assert len(found) == 3
    assert scan(repo, "--rev", "HEAD").code == 0


def test_all_objects_finds_what_nothing_reaches(scan, repo: Path) -> None:
    written = subprocess.run(
        ["git", "hash-object", "-w", "--stdin"],
        cwd=repo,
        input=token().encode(),
        capture_output=True,
        check=True,
    )
    oid = written.stdout.decode().strip()

    assert scan(repo, "--history").code == 0
    assert scan(repo, "--all-objects", "--json").places == [(f"blob {oid[:12]}", 1)]


def read(pieces) -> list[str]:
    return [piece.oid for piece in pieces]


def test_history_reads_each_blob_once_and_clean_ones_never_again(repo: Path) -> None:
    for number in range(6):
        (repo / f"same{number}.md").write_text("the same text\n")
        (repo / "log.md").write_text(f"version {number}\n")
        git(repo, "add", ".")
        git(repo, "commit", "-q", "-m", f"commit {number}")
    (repo / "bad.md").write_text(token())
    (repo / "allowed.md").write_text(f"{token(2)}  # hipogit: allow-secret\n")
    git(repo, "add", ".")
    git(repo, "commit", "-q", "-m", "bad")
    here = Git.discover(repo)
    blobs = [
        line.split()[0]
        for line in git(
            repo, "cat-file", "--batch-all-objects", "--batch-check"
        ).splitlines()
        if " blob " in line
    ]

    first = read(sources.history(here))
    clean = sweep.Clean.of(here, ())
    found = sweep.sweep(sources.history(here, clean), Allowed, engines=(), clean=clean)
    again = read(sources.history(here, sweep.Clean.of(here, ())))

    assert len(first) == len(set(first))
    assert set(blobs) <= set(first)
    assert len(found.findings) == 1
    # Only what has a finding, allowed or not, is read again.
    assert len(again) == 2


def test_another_version_of_the_gate_reads_all_again(
    repo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = Git.discover(repo)
    clean = sweep.Clean.of(here, ())
    sweep.sweep(sources.history(here), Allowed, engines=(), clean=clean)
    assert read(sources.history(here, sweep.Clean.of(here, ()))) == []

    monkeypatch.setattr(sweep, "gate_version", lambda: "0" * 12)
    newer = sweep.Clean.of(here, ())
    assert read(sources.history(here, newer))
    sweep.sweep(sources.history(here), Allowed, engines=(), clean=newer)

    (kept,) = (here.common / "hipogit").glob("clean-blobs-*")
    assert kept == newer.path


def test_the_memory_of_clean_ids_is_exact(tmp_path: Path) -> None:
    chosen = random.Random(9)
    ids = [chosen.randbytes(20) for _ in range(3000)]
    clean = sweep.Clean(tmp_path / "x" / "clean", 20)
    for oid in ids[:2000]:
        clean.add(oid.hex())
    clean.save()
    (tmp_path / "torn").write_bytes(clean.path.read_bytes()[:-3])

    again = sweep.Clean(clean.path, 20)

    assert all(oid in again for oid in ids[:2000])
    assert not any(oid in again for oid in ids[2000:])
    assert ids[0] not in sweep.Clean(tmp_path / "torn", 20)


def test_a_repository_that_cannot_be_written_is_scanned_all_the_same(
    scan, repo: Path
) -> None:
    (repo / ".git" / "hipogit").write_text("in the way\n")

    assert scan(repo, "--history").code == 0


def test_sha256_and_bare_repositories(scan, tmp_path: Path) -> None:
    path = tmp_path / "new"
    path.mkdir()
    git(path, "init", "-q", "--object-format=sha256")
    (path / "a.md").write_text(token())
    git(path, "add", ".")
    assert scan(path, "--staged", "--json").places == [("a.md", 1)]
    git(path, "commit", "-q", "-m", "x")
    git(tmp_path, "clone", "-q", "--bare", "new", "bare.git")

    assert scan(tmp_path / "bare.git", "--history", "--json").places == [("a.md", 1)]
    assert scan(tmp_path / "bare.git", "--rev", "HEAD", "--json").places == [
        ("a.md", 1)
    ]


@pytest.mark.parametrize(
    "data",
    [
        b"\xfe\x00 \x80 token %s \n",
        "token %s\n".encode("utf-16"),
        b"\x00\x01\x02 %s \x00",
    ],
    ids=["broken utf-8", "utf-16", "binary"],
)
def test_bytes_that_are_no_utf8(scan, tmp_path: Path, data: bytes) -> None:
    needle = "%s".encode("utf-16-le") if b"t\0" in data else b"%s"
    value = token().encode("utf-16-le") if b"t\0" in data else token().encode()
    (tmp_path / "x.bin").write_bytes(data.replace(needle, value))

    assert scan(tmp_path, "x.bin").code == 1


def test_redact_rewrites_the_span_and_keeps_mode_and_rest(scan, tmp_path: Path) -> None:
    path = tmp_path / "run.sh"
    path.write_bytes(b"a \xff b\r\nuse " + token().encode() + b" now\r\n")
    path.chmod(0o750)

    done = scan(tmp_path, "--redact", "run.sh")

    assert done.code == 0 and "run.sh:2" in done.err and token() not in done.err
    assert path.read_bytes().startswith(b"a \xff b\r\nuse [REDACTED:")
    assert path.read_bytes().endswith(b"] now\r\n")
    assert path.stat().st_mode & 0o777 == 0o750
    assert scan(tmp_path, "run.sh").code == 0


def test_redact_touches_nothing_it_cannot_rewrite(scan, tmp_path: Path) -> None:
    # Half a character at the end: to write this file anew would change it.
    data = f"token {token()}\n".encode("utf-16") + b"x"
    (tmp_path / "wide.txt").write_bytes(data)
    (tmp_path / "link").symlink_to(f"x-{token()}")

    done = scan(tmp_path, "--redact", "wide.txt", "link")

    assert done.code == 1
    assert (tmp_path / "wide.txt").read_bytes() == data
    assert (tmp_path / "link").is_symlink()
    assert scan(tmp_path, "--redact").code == 2
    assert scan(tmp_path, "--redact", "--staged").code in (2, 3)


def piped(data: str, *args: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "hipogit", "scan", "--stdin", *args],
        cwd=cwd,
        input=data,
        text=True,
        capture_output=True,
    )


def test_standard_input(tmp_path: Path) -> None:
    clean = piped("password policy requires 12 characters\n", cwd=tmp_path)
    dirty = piped(f"one\nuse {token()}\n", cwd=tmp_path)
    redacted = piped(f"one\nuse {token()}\n", "--redact", cwd=tmp_path)
    as_it_was = piped("nothing here\n", "--redact", cwd=tmp_path)

    assert (clean.returncode, clean.stdout, clean.stderr) == (0, "", "")
    assert dirty.returncode == 1 and dirty.stdout.startswith("-:2: github")
    assert redacted.returncode == 0
    assert redacted.stdout.startswith("one\nuse [REDACTED:github")
    assert as_it_was.stdout == "nothing here\n"


def test_standard_input_without_findings_loads_no_click_git_or_settings(
    tmp_path: Path,
) -> None:
    program = (
        "import sys, runpy; sys.argv = ['hipogit', 'scan', '--stdin']\n"
        "try: runpy.run_module('hipogit', run_name='__main__')\n"
        "except SystemExit as leave: assert not leave.code\n"
        "bad = {'click', 'git', 'subprocess', 'dataclasses', 'detect_secrets'}\n"
        "print(sorted(bad & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        input="we agreed on API key rotation\n",
        text=True,
        capture_output=True,
        check=True,
    )

    assert done.stdout == "[]\n"


def test_settings_of_the_tree_allow(scan, repo: Path) -> None:
    (repo / "a.md").write_text(token())
    (repo / "hipogit.toml").write_text('[gate]\nsalt = "pepper"\n')
    found = json.loads(scan(repo, "a.md", "--json").out)["findings"]
    (repo / "hipogit.toml").write_text(
        f'[gate]\nsalt = "pepper"\nallow = ["{found[0]["fingerprint"]}"]\n'
    )

    assert scan(repo, "a.md").code == 0


def test_memory_keeps_what_its_settings_allow(scan, repo: Path) -> None:
    """In a checkpoint, through the clean filter and in a commit by hand."""
    view = repo / ".hipogit"
    assert main(["-C", str(repo), "init", "--platform", "none"]) == 0
    said = ["checkpoint", "Sample", "-m"]
    scan(repo)  # what init printed
    (repo / "a.md").write_text(token(1))
    mark = json.loads(scan(repo, "a.md", "--json").out)["findings"][0]["fingerprint"]
    settings = view / "hipogit.toml"
    assert "\nsalt = " in settings.read_text()
    settings.write_text(settings.read_text() + f'allow = ["{mark}"]\n')
    git(view, "commit", "-q", "-a", "-m", "a sample is no secret")

    assert main(["-C", str(repo), *said, f"{token(1)} and {token(2)}"]) == 0
    assert main(["-C", str(repo), *said, f"{token(3)} # hipogit: allow-secret"]) == 0
    (view / "note.md").write_text(f"{token(1)} and {token(2)}\n")
    git(view, "add", ".")
    git(view, "commit", "-q", "-m", "by hand")

    history = git(repo, "log", "-p", "hipogit/memory")
    assert token(1) in git(view, "show", "HEAD:note.md")
    assert token(1) in git(view, "show", "HEAD:memory/2026-11-29.md")
    assert token(2) not in history and token(3) not in history


def test_a_baseline_is_written_once_and_then_followed(scan, repo: Path) -> None:
    (repo / "a.md").write_text(f"{token(1)}\n")
    (repo / "weak.md").write_text('password = "k7!fQ2x"\n')

    made = scan(repo, "--baseline", "accepted.txt", "a.md")
    assert made.code == 0 and "1 accepted" in made.err
    assert scan(repo, "--baseline", "accepted.txt", "a.md").code == 0
    (repo / "a.md").write_text(f"{token(1)}\n{token(2)}\n")
    assert scan(repo, "--baseline", "accepted.txt", "--json", "a.md").places == [
        ("a.md", 2)
    ]
    weak = scan(repo, "--baseline", "other.txt", "weak.md")
    assert weak.code == 1 and "weak.md:1" in weak.err and "k7!fQ2x" not in weak.err


def test_a_detect_secrets_baseline_at_the_top_is_honoured(scan, repo: Path) -> None:
    import hashlib

    (repo / "a.md").write_text(f"{token(1)}\n{token(2)}\n")
    item = {"hashed_secret": hashlib.sha1(token(1).encode()).hexdigest()}
    (repo / ".secrets.baseline").write_text(json.dumps({"results": {"a.md": [item]}}))

    assert scan(repo, "--json", "a.md").places == [("a.md", 2)]
    (repo / ".secrets.baseline").write_text("broken")
    broken = scan(repo, "a.md")
    assert broken.code == 2 and "no baseline of detect-secrets" in broken.err


def test_sources_cannot_be_joined(scan, repo: Path) -> None:
    assert scan(repo, "--staged", "--history").code == 2
    assert scan(repo, "--history", "a.md").code == 2


@pytest.mark.slow
def test_history_of_50_000_blobs_holds_one_blob_at_a_time(tmp_path: Path) -> None:
    """Peak memory with 50,000 blobs is that of 500 and the list of ids."""

    def grown(name: str, count: int) -> int:
        path = tmp_path / name
        path.mkdir()
        git(path, "init", "-q")
        stream = []
        for number in range(1, count + 1):
            text = f"note {number}\n" + f"line {number} of a log, no secret\n" * 60
            stream.append(f"blob\nmark :{number}\ndata {len(text)}\n{text}\n")
        stream.append(
            "commit refs/heads/main\ncommitter a <a@b.invalid> 0 +0000\ndata 1\nx\n"
        )
        stream += [f"M 100644 :{n} {n // 250}/{n}.md\n" for n in range(1, count + 1)]
        subprocess.run(
            ["git", "fast-import", "--quiet"],
            cwd=path,
            input="".join(stream).encode(),
            check=True,
        )
        program = (
            "import resource, sys; from hipogit.cli import main\n"
            "assert main(['scan', '--history']) == 0\n"
            "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"
        )
        done = subprocess.run(
            [sys.executable, "-c", program],
            cwd=path,
            capture_output=True,
            text=True,
            check=True,
        )
        return int(done.stdout)

    assert grown("large", 50_000) - grown("small", 500) < 40_000  # KiB


NAME = "ghp" + "_" + "wJ4kQ9zR2mX7vB5nT8yL1cF6hD3sG0aPkQ2f"


@pytest.mark.parametrize("how", ["files", "staged", "rev", "history", "all objects"])
def test_a_secret_in_a_file_name_is_found_and_not_printed(repo: Path, how: str) -> None:
    (repo / "src").mkdir()
    (repo / "src" / f"{NAME}.txt").write_text("nothing\n")
    (repo / "src" / "other.txt").write_text("nothing\n")  # the same blob
    git(repo, "add", "-A")
    if how in ("rev", "history", "all objects"):
        git(repo, "commit", "-q", "-m", "add")
    options = {
        "files": [],
        "staged": ["--staged"],
        "rev": ["--rev", "HEAD"],
        "history": ["--history"],
        "all objects": ["--all-objects"],
    }[how]
    said = hipogit(repo, "scan", *options, "--json", code=1)

    assert NAME not in said
    found = json.loads(said.split("\n")[0])["findings"]
    assert {f["rule"] for f in found} == {"github-token"}
    assert all(f["path"].endswith("REDACTED-github-token.txt") for f in found)
    assert NAME not in hipogit(repo, "scan", *options, code=1)


def test_the_name_of_a_file_with_a_secret_in_it_is_not_printed_either(
    repo: Path,
) -> None:
    (repo / f"{NAME}.txt").write_text(f"token {NAME}\n")
    said = hipogit(repo, "scan", "--json", code=1)

    assert NAME not in said
    assert len(json.loads(said.split("\n")[0])["findings"]) == 2
    kept = hipogit(repo, "scan", "--redact", f"{NAME}.txt", code=1)
    assert NAME not in kept
    assert NAME not in (repo / f"{NAME}.txt").read_text()


def test_names_are_not_read_as_one_text(repo: Path) -> None:
    for name in (
        "aB3dE6gH9jK2",
        "cD4fG7hJ0kL3mN6p",
        "password",
        "secret",
        "x9Y8z7W6v5",
    ):
        (repo / name).write_text("x\n")
    assert json.loads(hipogit(repo, "scan", "--json"))["findings"] == []


def test_a_clean_scan_says_what_it_read(repo: Path) -> None:
    def said(*args: str) -> tuple[str, str]:
        done = subprocess.run(
            [sys.executable, "-P", "-m", "hipogit", "scan", *args],
            cwd=repo, capture_output=True, text=True, check=True,
        )  # fmt: skip
        return done.stdout, done.stderr

    assert said() == ("", "nothing found in 1 file, 15 bytes\n")
    assert said("--rev", "HEAD") == ("", "nothing found in 1 file, 15 bytes\n")
    assert "nothing found in 2 objects, " in said("--history")[1]
    assert said("--json") == ('{"findings": [], "scanned_bytes": 15}\n', "")


@pytest.mark.parametrize("codec", ["utf-8", "utf-16", "utf-16-be", "utf-32"])
def test_a_file_is_redacted_in_its_own_encoding(repo: Path, codec: str) -> None:
    text = f"grüße\r\ntoken {NAME}\r\nende\r\n"
    (repo / "notes.txt").write_bytes(text.encode(codec))
    hipogit(repo, "scan", "--redact", "notes.txt")
    left = (repo / "notes.txt").read_bytes()

    expected = text.replace(NAME, "[REDACTED:github-token]")
    assert left == expected.encode(codec)


def test_utf_8_behind_the_mark_of_another_encoding_is_read(repo: Path) -> None:
    (repo / "notes.txt").write_bytes(b"\xff\xfe" + f"token {NAME}\n".encode())
    found = json.loads(hipogit(repo, "scan", "--json", code=1).split("\n")[0])
    assert [f["rule"] for f in found["findings"]] == ["github-token"]
    hipogit(repo, "scan", "--redact", "notes.txt")
    assert (repo / "notes.txt").read_bytes().startswith(b"\xff\xfetoken [REDACTED:")
