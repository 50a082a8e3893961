"""The skills, the plugin around them, and the JavaScript that calls hipogit."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import click
import frontmatter
import pytest

import hipogit
from hipogit.assets import asset
from hipogit.cli import COMMANDS, cli
from hipogit.errors import HipogitError
from hipogit.platforms import claude_code, hooks, skills

HERE = Path(__file__).parent
PLUGIN = asset("templates", "plugin")


@pytest.mark.parametrize("name", skills.NAMES)
def test_a_skill_has_a_name_a_description_and_little_else(name: str) -> None:
    text = skills.source(name).read_text(encoding="utf-8")
    post = frontmatter.loads(text)
    assert set(post.metadata) == {"name", "description"}
    assert post["name"] == f"hipogit-{name}"
    assert re.fullmatch(r"[a-z][a-z-]{0,63}", str(post["name"]))
    assert 40 < len(str(post["description"])) <= 400
    assert text.count("\n") < 150
    assert max(map(len, text.split("\n"))) < 240


def test_no_skill_is_forgotten() -> None:
    folders = {path.name for path in asset("templates", "skills").iterdir()}
    assert folders == {f"hipogit-{name}" for name in skills.NAMES}


def test_skills_name_only_skills_that_exist() -> None:
    for name in skills.NAMES:
        text = skills.source(name).read_text(encoding="utf-8")
        for other in re.findall(r"\bhipogit-([a-z]+)", text):
            assert other in skills.NAMES


@pytest.mark.parametrize("name", skills.NAMES)
def test_the_plugins_skill_is_the_same_under_its_short_name(name: str) -> None:
    path = PLUGIN / "skills" / name / "SKILL.md"
    assert path.read_bytes() == skills.for_plugin(name), "copy skills.for_plugin there"
    assert frontmatter.loads(path.read_text(encoding="utf-8"))["name"] == name


def test_the_plugins_hooks_are_those_of_a_shared_install() -> None:
    found = json.loads((PLUGIN / "hooks" / "hooks.json").read_bytes())["hooks"]
    expected = hooks.grouped("claude-code", claude_code.ROWS, shared=True)
    assert found == {event: [group] for event, group in expected}


def test_the_marketplace_leads_to_the_plugin() -> None:
    top = PLUGIN.parent.parent
    found = json.loads((top / ".claude-plugin" / "marketplace.json").read_bytes())
    (entry,) = found["plugins"]
    plugin = json.loads((PLUGIN / ".claude-plugin" / "plugin.json").read_bytes())
    assert (top / entry["source"]).resolve() == PLUGIN.resolve()
    assert plugin["version"] == hipogit.__version__
    assert (entry["name"], entry["description"]) == (
        plugin["name"],
        plugin["description"],
    )


def test_a_missing_asset_is_named() -> None:
    with pytest.raises(HipogitError, match="templates/no-such"):
        asset("templates", "no-such")


needs_node = pytest.mark.skipif(not shutil.which("node"), reason="no node here")


def drive(tmp_path: Path, script: str, module: Path, *, hipogit: bool = True):
    """Run a script with a stand-in hipogit: (its output, calls, stdin objects)."""
    bin_ = tmp_path / "bin"
    bin_.mkdir()
    if hipogit:
        shutil.copy(HERE / "stand_in.sh", bin_ / "hipogit")
    node = shutil.which("node")
    assert node
    done = subprocess.run(
        [node, HERE / script, module],
        cwd=tmp_path,
        env={"PATH": f"{bin_}:/usr/bin:/bin", "LOG": str(tmp_path / "log")},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    log = tmp_path / "log.calls"
    calls = log.read_text().splitlines() if log.exists() else []
    stdin = [json.loads(path.read_text()) for path in tmp_path.glob("log.*.stdin")]
    return json.loads(done.stdout), calls, stdin


def shim(tmp_path: Path, name: str, place: str) -> Path:
    """The template as an ES module at a place in a folder of its own."""
    target = tmp_path / place
    target.parent.mkdir(parents=True)
    shutil.copy(asset("templates", name), target)
    (tmp_path / "package.json").write_text('{"type": "module"}')
    return target


@needs_node
def test_opencodes_plugin_injects_once_and_hands_over_what_is_new(tmp_path) -> None:
    path = shim(tmp_path, "opencode/hipogit.js", ".opencode/plugins/hipogit.js")
    out, calls, sent = drive(tmp_path, "drive_opencode.mjs", path)
    assert out["one"]["system"] == ["base", "INDEX", "HINT"]
    assert out["two"]["system"] == ["INDEX", "HINT"]
    assert out["sub"]["system"] == []
    names = sorted(line.split()[2] for line in calls)
    assert names == sorted(
        ["prompt", "session-start", "stop", "stop", "pre-compact", "post-compact"]
    )
    (prompt,) = [x for x in sent if "prompt" in x]
    assert prompt["prompt"] == "hello"
    stops = [x for x in sent if x.get("event", {}).get("type") == "session.idle"]
    by_length = sorted(stops, key=lambda x: len(x["export"]["messages"]))
    ids = [[m["info"]["id"] for m in x["export"]["messages"]] for x in by_length]
    assert ids == [["m1", "m2"], ["m1", "m2", "m3"]]
    state = by_length[0]["export"]["messages"][1]["parts"][0]["state"]
    assert state == {"output": "x" * 200}
    (last,) = [x for x in sent if "input" in x and "export" in x]
    assert [m["info"]["id"] for m in last["export"]["messages"]] == ["m3"]


@needs_node
def test_opencodes_plugin_is_silent_where_hipogit_is_missing(tmp_path) -> None:
    path = shim(tmp_path, "opencode/hipogit.js", ".opencode/plugins/hipogit.js")
    out, calls, _ = drive(tmp_path, "drive_opencode.mjs", path, hipogit=False)
    assert out["one"]["system"] == ["base"]
    assert calls == []


@needs_node
def test_openclaws_handler_hands_over_events_without_personal_data(tmp_path) -> None:
    path = shim(tmp_path, "openclaw/handler.js", "hooks/hipogit/handler.js")
    out, calls, sent = drive(tmp_path, "drive_openclaw.mjs", path)
    assert out == ["renewed", "mine"]
    assert calls == ["hook openclaw session-start", "hook openclaw session-end"]
    assert {x["context"]["workspaceDir"] for x in sent} == {str(tmp_path)}
    (ended,) = [x for x in sent if x["type"] == "command"]
    assert ended["context"]["previousSessionEntry"] == {"sessionId": "before"}
    assert "senderId" not in json.dumps(sent)


@needs_node
def test_openclaws_handler_is_silent_where_hipogit_is_missing(tmp_path) -> None:
    path = shim(tmp_path, "openclaw/handler.js", "hooks/hipogit/handler.js")
    out, _, _ = drive(tmp_path, "drive_openclaw.mjs", path, hipogit=False)
    assert out == ["renewed", "mine"]


def quoted_commands() -> list[str]:
    """Every command line of ours that a skill quotes, in a fence or in a sentence."""
    found = []
    for name in skills.NAMES:
        text = skills.source(name).read_text(encoding="utf-8")
        for fence in re.findall(r"```sh\n(.*?)```", text, re.S):
            found += [line for line in fence.split("\n") if line.startswith("hipogit ")]
        # A quoted command may be broken over two lines of a paragraph.
        found += [
            " ".join(span.split()) for span in re.findall(r"`(hipogit [^`]+)`", text)
        ]
    return sorted(set(found))


@pytest.mark.parametrize("line", quoted_commands())
def test_every_command_a_skill_quotes_can_be_given(line: str) -> None:
    words = shlex.split(line.partition("<<")[0])[1:]
    assert words[0] in COMMANDS
    command = cli.get_command(click.Context(cli), words[0])
    assert command is not None
    # Parses options and arguments without running anything; wrong ones raise.
    command.make_context(words[0], words[1:])


def test_commands_are_found_in_fences_and_sentences() -> None:
    found = quoted_commands()
    assert "hipogit status" in found
    assert any(line.endswith("<<'EOF'") for line in found)
    assert "hipogit dissolve 2026-W48" in found
    assert len(found) > 30
