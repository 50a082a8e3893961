"""`verify --fetch` is let in the way a CI is: askpass, a token in configuration."""

from __future__ import annotations

import base64
import os
import subprocess
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from conftest import git, hipogit

from hipogit import credentials

USER, WORD = "ci", "invented-" + "word"
BASIC = "Basic " + base64.b64encode(f"{USER}:{WORD}".encode()).decode()


class Backend(BaseHTTPRequestHandler):
    """`git http-backend` behind a password."""

    root: Path
    seen: list[str]

    def do_GET(self) -> None:
        self.answer()

    def do_POST(self) -> None:
        self.answer()

    def answer(self) -> None:
        self.seen.append(self.headers.get("Authorization", ""))
        if self.seen[-1] != BASIC:
            self.send_response(401)
            self.send_header("WWW-Authenticate", 'Basic realm="memory"')
            self.end_headers()
            return
        path, _, query = self.path.partition("?")
        size = int(self.headers.get("Content-Length") or 0)
        env = {
            "PATH": os.environ["PATH"],
            "GIT_PROJECT_ROOT": str(self.root),
            "GIT_HTTP_EXPORT_ALL": "1",
            "PATH_INFO": path,
            "QUERY_STRING": query,
            "REQUEST_METHOD": self.command,
            "CONTENT_TYPE": self.headers.get("Content-Type", ""),
            "CONTENT_LENGTH": str(size),
            "GIT_PROTOCOL": self.headers.get("Git-Protocol", ""),
            "HTTP_CONTENT_ENCODING": self.headers.get("Content-Encoding", ""),
            "REMOTE_USER": USER,
        }
        given = self.rfile.read(size)
        done = subprocess.run(["git", "http-backend"], env=env, check=True,
                              input=given, capture_output=True)  # fmt: skip
        head, _, body = done.stdout.partition(b"\r\n\r\n")
        self.send_response(200)
        for line in head.decode().split("\r\n"):
            name, _, value = line.partition(": ")
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Nothing."""


@pytest.fixture
def url(repo: Path, tmp_path: Path) -> Iterator[str]:
    """Where a memory branch is served, to those who know the word."""
    hipogit(repo, "init", "--platform", "none", "--no-worktree")
    hipogit(repo, "checkpoint", "Rate limit", "-m", "- decisions: token bucket")
    handler = type("Served", (Backend,), {"root": tmp_path, "seen": []})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_address[1]}/shop/.git"
        server.shutdown()
        thread.join()


@pytest.fixture
def checkout(url: str, tmp_path: Path) -> Path:
    place = tmp_path / "ci"
    place.mkdir()
    git(place, "init", "-q")
    git(place, "remote", "add", "origin", url)
    return place


def askpass(tmp_path: Path) -> str:
    program = tmp_path / "askpass"
    program.write_text(
        f'#!/bin/sh\necho "$1" >> "{tmp_path}/asked"\n'
        f'case "$1" in User*) echo {USER};; *) echo {WORD};; esac\n'
    )
    program.chmod(0o755)
    return str(program)


def test_without_a_word_it_fails_and_asks_nobody(checkout: Path) -> None:
    said = hipogit(checkout, "verify", "--fetch", code=3)
    assert "origin could not be fetched from" in said
    assert "hint: git fetch origin hipogit/memory" in said


def test_the_askpass_program_is_asked(checkout: Path, tmp_path: Path) -> None:
    said = hipogit(checkout, "verify", "--fetch", GIT_ASKPASS=askpass(tmp_path))
    assert ": good, " in said
    asked = (tmp_path / "asked").read_text().splitlines()
    assert [line.split()[0] for line in asked] == ["Username", "Password"]


def test_a_token_in_configuration_of_the_environment_is_used(checkout: Path) -> None:
    said = hipogit(
        checkout, "verify", "--fetch",
        GIT_CONFIG_COUNT="2",
        GIT_CONFIG_KEY_0="core.hooksPath",
        GIT_CONFIG_VALUE_0="elsewhere",
        GIT_CONFIG_KEY_1="http.extraHeader",
        GIT_CONFIG_VALUE_1=f"Authorization: {BASIC}",
    )  # fmt: skip
    assert ": good, " in said


def test_local_commands_get_none_of_it(
    checkout: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from hipogit.plumbing import Git

    monkeypatch.setenv("GIT_ASKPASS", askpass(tmp_path))
    monkeypatch.setenv("GIT_CONFIG_COUNT", "1")
    monkeypatch.setenv("GIT_CONFIG_KEY_0", "http.proxy")
    monkeypatch.setenv("GIT_CONFIG_VALUE_0", "http://nowhere.invalid")
    inside = Git.discover(checkout).text("-c", "alias.x=!env", "x")
    assert not {"GIT_ASKPASS", "http.proxy"} & set(inside.replace("=", "\n").split())


@pytest.mark.parametrize(
    ("key", "passes"),
    [
        ("http.extraHeader", True),
        ("http.https://example.invalid/.proxy", True),
        ("credential.helper", True),
        ("url.https://a/.insteadOf", True),
        ("safe.directory", True),
        ("core.sshCommand", True),
        ("core.hooksPath", False),
        ("core.fsmonitor", False),
        ("alias.fetch", False),
        ("fetch.recurseSubmodules", False),
        ("gpg.program", False),
        ("diff.external", False),
        ("uploadpack.packObjectsHook", False),
    ],
)
def test_only_what_is_about_the_remote_passes(key: str, passes: bool) -> None:
    given = {
        "GIT_CONFIG_COUNT": "1",
        "GIT_CONFIG_KEY_0": key,
        "GIT_CONFIG_VALUE_0": "x",
    }
    found = credentials.passed(given)
    assert (found.get("GIT_CONFIG_KEY_0") == key) is passes
    assert found.get("GIT_CONFIG_COUNT") == ("1" if passes else None)


@pytest.mark.parametrize("count", ["", "x", "-1", "999999999999"])
def test_a_count_that_is_none_is_harmless(count: str) -> None:
    assert "GIT_CONFIG_COUNT" not in credentials.passed({"GIT_CONFIG_COUNT": count})


def test_ssh_is_told_that_there_is_no_terminal() -> None:
    assert credentials.passed({"SSH_ASKPASS": "x"})["SSH_ASKPASS_REQUIRE"] == "force"
    assert "SSH_ASKPASS_REQUIRE" not in credentials.passed({})
