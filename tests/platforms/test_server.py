"""The MCP server in every agent's own settings: in, again, out, to the byte."""

from __future__ import annotations

import json
import stat
import tomllib
from dataclasses import replace
from pathlib import Path

import pytest
from conftest import git, hipogit

from hipogit.errors import Usage
from hipogit.platforms import installer
from hipogit.platforms.edits import Site
from hipogit.platforms.table import TABLE

from .test_installer import everything, install

NAMES = list(TABLE)
# Where the server stands, and below which keys.
PLACES = {
    "claude-code": (".mcp.json", "mcpServers"),
    "codex": (".codex/config.toml", "mcp_servers"),
    "opencode": ("opencode.json", "mcp"),
    "openclaw": ("../home/.openclaw/openclaw.json", "mcp.servers"),
    "gemini": (".gemini/settings.json", "mcpServers"),
    "cursor": (".cursor/mcp.json", "mcpServers"),
}
JSON = [name for name in NAMES if name != "codex"]


@pytest.fixture
def site(tmp_path: Path) -> Site:
    """A site whose agents are to have the server; OpenClaw has been set up there."""
    project, home = tmp_path / "shop", tmp_path / "home"
    local = project / ".git" / "hipogit"
    for folder in (home / ".openclaw", local):
        folder.mkdir(parents=True)
    gateway = b'{\n  "gateway": {"mode": "local"}\n}\n'
    (home / ".openclaw" / "openclaw.json").write_bytes(gateway)
    return Site(project, home, index=local / "import.md", mcp=True)


@pytest.fixture
def record(tmp_path: Path) -> Path:
    return tmp_path.parent / f"{tmp_path.name}.record" / "installed.json"


def place(site: Site, name: str) -> Path:
    return (site.project / PLACES[name][0]).resolve()


def put(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


def server(site: Site, name: str) -> object:
    data = place(site, name).read_bytes()
    found = tomllib.loads(data.decode()) if name == "codex" else loads(data)
    for key in PLACES[name][1].split("."):
        found = found.get(key) if isinstance(found, dict) else None
    return found.get("hipogit") if isinstance(found, dict) else None


def loads(data: bytes) -> object:
    lines = data.decode("utf-8-sig").split("\n")
    bare = [line.partition("//")[0].rstrip() for line in lines]
    return json.loads("\n".join(bare).replace(",\n}", "\n}"))


def foreign(name: str) -> dict[str, bytes]:
    """Settings somebody else wrote, in every odd form the agent reads."""
    if name == "codex":
        return {
            "plain": b'model = "x"\n\n[mcp_servers.other]\ncommand = "o"\n',
            "crlf": b"[features]\r\nhooks = true\r\n",
            "no end": b"model = 'x'  # mine",
            "empty": b"",
            "comment": b"# nothing yet\n",
        }
    outer, _, inner = PLACES[name][1].partition(".")
    other: object = {"other": {"command": "o"}}
    full = json.dumps({"z": 1, outer: {inner: other} if inner else other}, indent=3)
    return {
        "plain": f"{full}\n".encode(),
        "flat": json.dumps({outer: {}, "z": [1, {}]}).encode(),
        "jsonc": f'{{\n\t// mine\n\t"z": 1, // one\n\t"{outer}": {{}}\n}}\n'.encode(),
        "bom": b'\xef\xbb\xbf{\n  "z": "mine"\n}\n',
        "crlf": b'{\r\n    "z": [1,\r\n    2]\r\n}\r\n',
        "braces": b"{}",
        "empty": b"",
    }


STATES = [(name, state) for name in NAMES for state in foreign(name)]


@pytest.mark.parametrize("shared", [False, True], ids=["personal", "shared"])
@pytest.mark.parametrize("name", NAMES)
def test_a_bare_project_gets_the_server_and_comes_back_to_the_byte(
    site: Site, record: Path, name: str, shared: bool
) -> None:
    here = replace(site, shared=shared)
    before = everything(site.project.parent)
    (first,) = install(here, record, name)
    assert place(here, name) in [path.resolve() for path in first.changed]
    found = server(here, name)
    assert isinstance(found, dict)
    assert "hipogit" in (found["command"], found["command"][0])
    installed = everything(site.project.parent)
    for again in (here, replace(here, mcp=False)):
        (second,) = install(again, record, name)
        assert second.changed == [], "who has it keeps it"
        assert everything(site.project.parent) == installed
    assert not [line for line in installer.check(here, record) if "lost" in line]
    installer.uninstall(site, record)
    assert everything(site.project.parent) == before


@pytest.mark.parametrize(("name", "state"), STATES)
def test_foreign_settings_come_back_to_the_byte(
    site: Site, record: Path, name: str, state: str
) -> None:
    old, path = foreign(name)[state], place(site, name)
    put(path, old)
    path.chmod(0o640)
    before = everything(site.project.parent)
    install(site, record, name)
    assert isinstance(server(site, name), dict)
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    installed = path.read_bytes()
    install(site, record, name)
    assert path.read_bytes() == installed
    if old and name != "codex":
        known, now = loads(old), loads(installed)
        assert isinstance(known, dict) and isinstance(now, dict)
        assert list(now)[: len(known)] == list(known), "the order of keys stays"
    installer.uninstall(site, record)
    assert everything(site.project.parent) == before


@pytest.mark.parametrize(("name", "state"), STATES)
def test_what_somebody_adds_meanwhile_stays(
    site: Site, record: Path, name: str, state: str
) -> None:
    old, path = foreign(name)[state], place(site, name)
    put(path, old)
    install(site, record, name)
    more = b"# more\n" if name == "codex" else b"\n"
    path.write_bytes(path.read_bytes() + more)
    installer.uninstall(site, record)
    if old.strip():
        assert server(site, name) is None
        bare = [data.split() for data in (old, old + b"\n" + more)]
        assert path.read_bytes().split() in bare


@pytest.mark.parametrize("name", NAMES)
def test_hooks_first_and_the_server_later_is_both_at_once(
    site: Site, record: Path, name: str
) -> None:
    before = everything(site.project.parent)
    install(replace(site, mcp=False), record, name)
    assert not place(site, name).exists() or server(site, name) is None
    install(site, record, name)
    later = everything(site.project.parent)
    installer.uninstall(site, record)
    assert everything(site.project.parent) == before
    install(site, record, name)
    assert everything(site.project.parent) == later


BROKEN = {
    "json": b"{",
    "a list": b"[]",
    "another shape": b'{"mcpServers": 1, "mcp": 1}',
    "not text": b"\xff\xfe{}",
    "a key twice": b'{"a": 1, "a": 2}',
}
BROKEN_TOML = {
    "toml": b"= broken",
    "a table": b"mcp_servers = {}\n",
    "a text": b'mcp_servers = "x"\n',
    "not text": b"\xff\xfe",
    "a string at the end": b'x = """\nnot over\n',
}
ODD = [(name, kind) for name in JSON for kind in BROKEN]
ODD += [("codex", kind) for kind in BROKEN_TOML]


@pytest.mark.parametrize(("name", "kind"), ODD)
def test_where_it_is_not_safe_nothing_is_written(
    site: Site, record: Path, name: str, kind: str
) -> None:
    path = place(site, name)
    put(path, (BROKEN_TOML if name == "codex" else BROKEN)[kind])
    before = everything(site.project.parent)
    broken, other = installer.install(site, [name, "cursor"], record)
    assert isinstance(broken.error, Usage)
    assert path.name in broken.error.sentence
    assert name == "cursor" or other.changed, "the other agents are set up"
    installer.uninstall(site, record)
    assert everything(site.project.parent) == before


@pytest.mark.parametrize("name", NAMES)
def test_a_server_of_somebody_elses_is_theirs(
    site: Site, record: Path, name: str
) -> None:
    path = place(site, name)
    value: object = {"hipogit": {"command": "other"}}
    for key in reversed(PLACES[name][1].split(".")):
        value = {key: value}
    toml = b'[mcp_servers.hipogit]\ncommand = "other"\n'
    put(path, toml if name == "codex" else json.dumps(value).encode())
    before = path.read_bytes()
    (outcome,) = installer.install(site, [name], record)
    assert outcome.error and "another server called hipogit" in str(outcome.error)
    assert path.read_bytes() == before


@pytest.mark.parametrize("name", [name for name in NAMES if name != "openclaw"])
def test_the_same_server_written_by_hand_is_left_in(
    site: Site, record: Path, name: str
) -> None:
    install(site, record, name)
    path, installed = place(site, name), server(site, name)
    installer.uninstall(site, record)
    toml = b'[mcp_servers.hipogit]\nargs = ["mcp"]\ncommand = "hipogit"\n'
    mine = json.dumps({PLACES[name][1]: {"hipogit": installed}}).encode()
    put(path, toml if name == "codex" else mine)
    mine = path.read_bytes()
    for touched in (b"", b"\n"):
        install(site, record, name)
        path.write_bytes(path.read_bytes() + touched)
        installer.uninstall(site, record)
        assert path.read_bytes() == mine + touched


def test_the_command_line_asks_for_it_once(repo: Path) -> None:
    (repo / ".cursor").mkdir()
    hipogit(repo, "init", "--platform", "cursor", "--platform", "codex")
    assert not (repo / ".cursor" / "mcp.json").exists()
    hipogit(repo, "init", "--mcp")
    assert (repo / ".cursor" / "mcp.json").exists()
    assert b"[mcp_servers.hipogit]" in (repo / ".codex" / "config.toml").read_bytes()
    assert git(repo, "status", "--porcelain") == "", "personal files are hidden"
    (repo / ".cursor" / "mcp.json").unlink()
    assert "mcp.json is missing" in hipogit(repo, "status", code=1)
    hipogit(repo, "init")
    assert (repo / ".cursor" / "mcp.json").exists(), "set up as it was"
    hipogit(repo, "uninstall", "--delete-memory")
    assert not (repo / ".codex").exists()
    assert list((repo / ".cursor").iterdir()) == []


def test_a_teams_file_is_changed_with_shared_alone(repo: Path) -> None:
    hipogit(repo, "init", "--platform", "cursor", "--shared")
    git(repo, "add", ".")
    git(repo, "commit", "-q", "-m", "hooks for the team")
    clone = repo.parent / "clone"
    git(repo.parent, "clone", "-q", str(repo), str(clone))
    said = hipogit(clone, "init", "--platform", "cursor", "--mcp", code=2)
    assert "--mcp --shared" in said
    assert git(clone, "status", "--porcelain") == ""
    hipogit(clone, "init", "--platform", "cursor", "--mcp", "--shared")
    git(clone, "add", ".")
    git(clone, "commit", "-q", "-m", "the server, too")
    again = repo.parent / "again"
    git(repo.parent, "clone", "-q", str(clone), str(again))
    hipogit(again, "init", "--platform", "cursor", "--mcp")
    assert git(again, "status", "--porcelain") == ""
