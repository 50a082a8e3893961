"""The agents' own programs, run offline on what we install.

They are found on PATH or in the folder HIPOGIT_CLIENTS names, and skipped when absent:

    npm install --prefix DIR @anthropic-ai/claude-code @openai/codex opencode-ai \\
        @google/gemini-cli
    HIPOGIT_CLIENTS=DIR/node_modules/.bin pytest -m clients
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterable
from pathlib import Path

import pytest

from hipogit import transcripts
from hipogit.assets import asset
from hipogit.platforms import hosts, installer, skills
from hipogit.platforms.edits import Site

from .mock_model import SAID, model

pytestmark = pytest.mark.clients

# The sealing fixture takes our own variables away, so they are read here.
CLIENTS = os.environ.get("HIPOGIT_CLIENTS", "")
SEARCHED = os.pathsep.join([CLIENTS, os.environ["PATH"]])
TOP = Path(__file__).parent.parent.parent
MARK = "MEMORY-MARK 결제 한도"
OURS = {f"hipogit-{name}" for name in skills.NAMES}

# Nothing may be asked for beyond this machine, and nobody waits for what is not there.
_NOWHERE = "http://127.0.0.1:9"
OFFLINE = {
    **dict.fromkeys(("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"), _NOWHERE),
    **dict.fromkeys(("http_proxy", "https_proxy", "all_proxy"), _NOWHERE),
    **dict.fromkeys(("NO_PROXY", "no_proxy"), "127.0.0.1,localhost"),
    "DISABLE_TELEMETRY": "1",
    "DISABLE_AUTOUPDATER": "1",
    "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
    "OPENCODE_DISABLE_AUTOUPDATE": "1",
    "OPENCODE_DISABLE_MODELS_FETCH": "1",
    # OpenCode asks for a package of its own at every start, for more than a minute.
    "npm_config_fetch_retries": "0",
}

STAND_IN = f"""#!{sys.executable}
import json, os, sys
sys.path.insert(0, {str(TOP)!r})
from hipogit.platforms import hosts
_, word, platform, name = sys.argv
found = hosts.event(platform, name, hosts.payload(sys.stdin.buffer.read()))
with open(os.environ["HIPOGIT_CALLS"], "a") as log:
    print(found.platform, found.kind, found.source, found.cwd, found.prompt, file=log)
if found.messages:
    with open(os.environ["HIPOGIT_CALLS"] + ".messages", "w") as file:
        json.dump(found.messages, file)
text = os.environ.get("HIPOGIT_SAYS") or "{MARK} " + found.kind
sys.stdout.write(hosts.answer(found.platform, found.kind, text))
"""


class Bench:
    """A project with everything installed, a HOME, and a stand-in hipogit on PATH."""

    def __init__(
        self, top: Path, name: str, *, index: str = "", shared: bool = False
    ) -> None:
        self.home, self.project = top / "home", top / "shop"
        self.log = top / "calls"
        for folder in (self.home, self.project, top / "bin"):
            folder.mkdir()
        script = top / "bin" / "hipogit"
        script.write_text(STAND_IN)
        script.chmod(0o755)
        self.run("git", "init", "-q")
        path = self.project / ".git" / "hipogit" / "import.md"
        if index:
            path.parent.mkdir()
            path.write_text(index)
        self.site = Site(
            self.project, self.home, shared=shared, index=path if index else None
        )
        self.record = top / "record.json"
        (outcome,) = installer.install(self.site, [name], self.record)
        assert outcome.error is None

    def run(self, *args: str, stdin: str = "", **env: str) -> str:
        """What the program prints, on both channels."""
        where = shutil.which(args[0], path=SEARCHED)
        if where is None:
            pytest.skip(f"no {args[0]} here")
        full = {
            "PATH": os.pathsep.join([str(self.project.parent / "bin"), SEARCHED]),
            "HOME": str(self.home),
            "HIPOGIT_CALLS": str(self.log),
            **OFFLINE,
            **env,
        }
        done = subprocess.run(
            [where, *args[1:]],
            cwd=self.project,
            env=full,
            input=stdin,
            capture_output=True,
            text=True,
            # As long as it takes on a machine that does other things as well.
            timeout=600,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout + done.stderr

    def calls(self) -> list[list[str]]:
        """Every call of a hook so far: platform, kind, source, folder, prompt."""
        lines = self.log.read_text().splitlines() if self.log.exists() else []
        return [line.split(" ") for line in lines]

    def kinds(self) -> list[str]:
        return [call[1] for call in self.calls()]


both_modes = pytest.mark.parametrize(
    "shared", [False, True], ids=["personal", "shared"]
)


def needs(name: str) -> None:
    if shutil.which(name, path=SEARCHED) is None:
        pytest.skip(f"no {name} here")


def test_claude_code_accepts_the_plugin_and_the_marketplace(tmp_path: Path) -> None:
    needs("claude")
    bench = Bench(tmp_path, "claude-code")
    for place in (asset("templates", "plugin"), TOP):
        text = bench.run("claude", "plugin", "validate", "--strict", str(place))
        assert "Validation passed" in text
    bench.run("claude", "plugin", "marketplace", "add", str(TOP))
    bench.run("claude", "plugin", "install", "hipogit@hipogit", "--scope", "user")
    assert "hipogit@hipogit" in bench.run("claude", "plugin", "list")
    bench.run("claude", "plugin", "uninstall", "hipogit@hipogit")
    assert "hipogit@hipogit" not in bench.run("claude", "plugin", "list")


def claude(bench: Bench, url: str, **env: str) -> str:
    return bench.run(
        *("claude", "-p", "what was the limit?", "--model", "sonnet"),
        ANTHROPIC_BASE_URL=url,
        ANTHROPIC_API_KEY="invented",
        **env,
    )


@both_modes
def test_claude_code_puts_our_context_before_the_model(
    tmp_path: Path, shared: bool
) -> None:
    needs("claude")
    bench = Bench(tmp_path, "claude-code", shared=shared)
    with model() as (url, bodies):
        assert SAID in claude(bench, url)
    sent = "".join(json.dumps(json.loads(b), ensure_ascii=False) for b in bodies)
    assert f"{MARK} session-start" in sent
    assert f"{MARK} prompt" in sent
    assert bench.kinds() == ["session-start", "prompt", "stop", "session-end"]
    assert bench.calls()[0][:4] == [
        *("claude-code", "session-start", "startup", str(bench.project))
    ]


def test_claude_code_loads_memory_by_the_import_we_write(tmp_path: Path) -> None:
    needs("claude")
    text = f"{MARK} imported\n" + "- 결제 한도: token bucket\n" * 1_500
    text += "- see \\@notes.md\n- the end of it\n"
    bench = Bench(tmp_path, "claude-code", index=text)
    for folder in (bench.project, bench.project / ".git" / "hipogit"):
        (folder / "notes.md").write_text("NOT ASKED FOR\n")
    with model() as (url, bodies):
        claude(bench, url)
    sent = "".join(s for body in bodies for s in strings(json.loads(body)))
    assert f"{MARK} imported" in sent
    assert "- the end of it" in sent, "there is no limit to what is imported"
    assert "NOT ASKED FOR" not in sent, "a mention in memory imports nothing"


def test_claude_code_writes_a_going_back_as_we_read_it(tmp_path: Path) -> None:
    needs("claude")
    bench = Bench(tmp_path, "claude-code")

    def say(words: str, *more: str) -> list[dict[str, object]]:
        with model() as (url, _):
            bench.run(
                *("claude", "-p", "--model", "sonnet", *more, words),
                ANTHROPIC_BASE_URL=url,
                ANTHROPIC_API_KEY="invented",
            )
        (path,) = bench.home.glob(".claude/projects/*/*.jsonl")
        return [json.loads(line) for line in path.read_text().splitlines()]

    rows = say("first thing")
    (answer,) = (row["uuid"] for row in rows if row["type"] == "assistant")
    (path,) = bench.home.glob(".claude/projects/*/*.jsonl")
    again = ("--resume", path.stem)
    say("second thing", *again)
    say("instead of it", *again, "--resume-session-at", str(answer))
    reading = transcripts.read("claude-code", path, final=True)
    said = {turn.id: turn.user for turn in reading.turns}
    assert list(said.values()) == ["first thing", "second thing", "instead of it"]
    assert [said[id] for id in reading.left] == ["second thing"]


def rpc(bench: Bench, *calls: tuple[str, dict[str, object]]) -> list[dict[str, object]]:
    """Answers of Codex's app server, in order."""
    where = shutil.which("codex", path=SEARCHED)
    assert where
    info = {"clientInfo": {"name": "hipogit-tests", "version": "1"}}
    rows = [("initialize", info), *calls]
    lines = [
        json.dumps({"jsonrpc": "2.0", "id": n, "method": name, "params": params})
        for n, (name, params) in enumerate(rows)
    ]
    lines.insert(1, json.dumps({"jsonrpc": "2.0", "method": "initialized"}))
    process = subprocess.Popen(
        [where, "app-server"],
        cwd=bench.project,
        env={"PATH": SEARCHED, "HOME": str(bench.home), **OFFLINE},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert process.stdin and process.stdout
    with process:
        process.stdin.write("\n".join(lines) + "\n")
        process.stdin.flush()
        found: dict[int, dict[str, object]] = {}
        until = time.monotonic() + 300
        while len(found) < len(rows) and time.monotonic() < until:
            row = json.loads(process.stdout.readline() or "{}")
            if "id" in row:
                found[row["id"]] = row["result"]
        process.terminate()
    return [found[n + 1] for n in range(len(calls))]


def trust_codex(bench: Bench, more: str = "") -> None:
    config = bench.home / ".codex" / "config.toml"
    config.parent.mkdir(exist_ok=True)
    config.write_text(f'[projects."{bench.project}"]\ntrust_level = "trusted"\n{more}')


def test_codex_reads_our_hooks_and_skills(tmp_path: Path) -> None:
    needs("codex")
    bench = Bench(tmp_path, "codex")
    trust_codex(bench)
    where = {"cwds": [str(bench.project)]}
    listed, known = rpc(bench, ("hooks/list", where), ("skills/list", where))
    (found,) = listed["data"]
    assert (found["warnings"], found["errors"]) == ([], [])
    assert {row["command"]: row["timeoutSec"] for row in found["hooks"]} == {
        "hipogit hook codex session-start": 10,
        "hipogit hook codex prompt": 5,
        "hipogit hook codex pre-compact": 30,
        "hipogit hook codex post-compact": 10,
        "hipogit hook codex stop": 30,
        "hipogit hook codex session-end": 3,
    }
    assert {row["name"] for row in known["data"][0]["skills"]} >= OURS
    # What Codex calls approval is what our check looks for.
    state = "".join(
        f'[hooks.state."{row["key"]}"]\ntrusted_hash = "{row["currentHash"]}"\n'
        for row in found["hooks"]
    )
    trust_codex(bench, state)
    (listed,) = rpc(bench, ("hooks/list", where))
    assert {r["trustStatus"] for r in listed["data"][0]["hooks"]} == {"trusted"}
    assert installer.check(bench.site, bench.record) == []


def codex(bench: Bench, url: str, **env: str) -> str:
    trust_codex(
        bench,
        f'[model_providers.mock]\nname = "mock"\nbase_url = "{url}/v1"\n'
        'env_key = "MOCK_KEY"\nwire_api = "responses"\n',
    )
    return bench.run(
        *("codex", "exec", "--dangerously-bypass-hook-trust"),
        *("-c", "model_provider=mock", "-m", "mock", "what was the limit?"),
        MOCK_KEY="invented",
        **env,
    )


@both_modes
def test_codex_puts_our_context_before_the_model(tmp_path: Path, shared: bool) -> None:
    needs("codex")
    bench = Bench(tmp_path, "codex", shared=shared)
    with model() as (url, bodies):
        codex(bench, url)
    sent = "".join(json.dumps(json.loads(b), ensure_ascii=False) for b in bodies)
    assert f"{MARK} session-start" in sent
    assert f"{MARK} prompt" in sent
    assert bench.kinds() == ["session-start", "prompt", "stop", "session-end"]


def test_opencode_finds_the_plugin_and_the_skills(tmp_path: Path) -> None:
    needs("opencode")
    bench = Bench(tmp_path, "opencode")
    assert ".opencode/plugins/hipogit.js" in bench.run("opencode", "debug", "config")
    found = bench.run("opencode", "debug", "skill")
    assert all(f'"name": "{name}"' in found for name in OURS)


def opencode(bench: Bench, url: str, **env: str) -> str:
    provider = {
        "npm": "@ai-sdk/openai-compatible",
        "options": {"baseURL": f"{url}/v1", "apiKey": "invented"},
        "models": {"m": {}},
    }
    config = {"provider": {"mock": provider}, "model": "mock/m"}
    place = bench.home / ".config" / "opencode" / "opencode.json"
    place.parent.mkdir(parents=True)
    place.write_text(json.dumps(config))
    return bench.run("opencode", "run", "limit?", **env)


def test_opencode_puts_our_context_before_the_model(tmp_path: Path) -> None:
    needs("opencode")
    bench = Bench(tmp_path, "opencode")
    with model() as (url, bodies):
        assert SAID in opencode(bench, url)
        until = time.monotonic() + 120
        while "stop" not in bench.kinds() and time.monotonic() < until:
            time.sleep(0.2)
    sent = "".join(json.dumps(json.loads(b), ensure_ascii=False) for b in bodies)
    assert f"{MARK} session-start" in sent
    assert f"{MARK} prompt" in sent
    assert sorted(bench.kinds()) == ["prompt", "session-start", "stop"]
    export = json.loads(bench.log.with_suffix(".messages").read_bytes())
    (turn,) = transcripts.read_export(export, final=True).turns
    assert turn.user == "limit?"


def trust_gemini(bench: Bench) -> None:
    place = bench.home / ".gemini" / "trustedFolders.json"
    place.parent.mkdir(exist_ok=True)
    place.write_text(json.dumps({str(bench.project): "TRUST_FOLDER"}))
    auth = {"security": {"auth": {"selectedType": "gemini-api-key"}}}
    (place.parent / "settings.json").write_text(json.dumps(auth))


def test_gemini_finds_the_skills_once_the_folder_is_trusted(tmp_path: Path) -> None:
    needs("gemini")
    bench = Bench(tmp_path, "gemini")
    assert "hooks disabled" in bench.run("gemini", "skills", "list")
    assert "not a trusted folder" in installer.check(bench.site, bench.record)[0]
    trust_gemini(bench)
    found = bench.run("gemini", "skills", "list")
    assert all(name in found for name in OURS)
    assert "disabled" not in found
    assert installer.check(bench.site, bench.record) == []
    bench.run("gemini", "mcp", "list")


def gemini(bench: Bench, url: str, **env: str) -> str:
    trust_gemini(bench)
    return bench.run(
        *("gemini", "-m", "gemini-2.5-flash", "-p", "what was the limit?"),
        GOOGLE_GEMINI_BASE_URL=url,
        GEMINI_API_KEY="invented",
        **env,
    )


@both_modes
def test_gemini_puts_our_context_behind_the_prompt(
    tmp_path: Path, shared: bool
) -> None:
    needs("gemini")
    bench = Bench(tmp_path, "gemini", shared=shared)
    with model() as (url, bodies):
        assert SAID in gemini(bench, url)
    sent = "".join(json.dumps(json.loads(b), ensure_ascii=False) for b in bodies)
    assert f"{MARK} prompt" in sent
    assert f"{MARK} session-start" not in sent, "it would cost the prompt at a resume"
    assert bench.kinds()[:3] == ["session-start", "prompt", "stop"]
    assert bench.calls()[1][-4:] == ["what", "was", "the", "limit?"]


def strings(value: object) -> list[str]:
    """Every text in a JSON value."""
    if isinstance(value, str):
        return [value]
    inner = value.values() if isinstance(value, dict) else value
    return [s for v in inner for s in strings(v)] if isinstance(inner, Iterable) else []


def filled(platform: str, kind: str) -> tuple[str, str]:
    """More than the host takes, and what of it our answer keeps."""
    text = "\n".join(f"- {n} 결제 한도 [project]: token bucket" for n in range(2_000))
    said = json.loads(hosts.answer(platform, kind, text))
    return text, strings(said)[-1]


ASKS = {"claude-code": claude, "codex": codex, "opencode": opencode, "gemini": gemini}


@pytest.mark.parametrize("platform", ASKS)
def test_what_we_call_a_clients_room_reaches_the_model_whole(
    tmp_path: Path, platform: str
) -> None:
    needs("claude" if platform == "claude-code" else platform)
    bench = Bench(tmp_path, platform)
    kind = "prompt" if platform == "gemini" else "session-start"
    text, kept = filled(platform, kind)
    assert len(kept.encode()) > 10_000
    with model() as (url, bodies):
        ASKS[platform](bench, url, HIPOGIT_SAYS=text)
    assert any(kept in s for body in bodies for s in strings(json.loads(body)))
