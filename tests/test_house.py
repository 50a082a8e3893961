"""The house keeps its shape: import directions, doors, packaging, documentation."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import click
import pytest

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "hipogit"

# From the ground up; a module imports from its own layer and those below.
LAYERS = [
    {
        "errors",
        "assets",
        "clock",
        "periods",
        "entry",
        "view",
        "words",
        "fences",
        "nightly",
        "counted",
        "conflict",
    },
    {"fastjson", "access"},
    {"plumbing", "objects", "credentials", "gate", "config", "quick", "marks"},
    {"record", "inbox", "worktree", "writer", "recovery", "hot", "lineage"},
    {"store", "context", "publish"},
    {"journal", "node"},
    {"tree", "compaction", "waiting", "summarise", "resolve", "trail"},
    {"memory", "adopt"},
    {"cycle", "briefing"},
    {"correct", "recall", "audit", "edits", "catchup", "similar", "sources", "sweep"},
    {"touched", "install", "importer", "harness", "flat"},
    {"transcripts", "platforms"},
    {
        "agents",
        "workspace",
        "capture",
        "intake",
        "review",
        "verify",
        "doctor",
        "status",
        "probe",
    },
    {"doors"},
    {"cli"},
    {"__main__"},
]
RANK = {name: rank for rank, names in enumerate(LAYERS) for name in names}

# Third-party modules and the only places that may meet them.
DOORS = {
    "git": {"plumbing"},
    "subprocess": {
        "plumbing",
        "objects",
        "summarise",
        "doors",
        "recall",
        "doctor",
        "probe",
    },
    "detect_secrets": {"gate"},
    "hyperscan": {"gate"},
    "click": {"cli"},
    "frontmatter": {"node"},
    "mcp": {"doors"},
}


def modules() -> list[Path]:
    return sorted(path for path in PACKAGE.rglob("*.py") if "_data" not in path.parts)


def house(path: Path) -> str:
    """The top-level module or package a file belongs to."""
    first = path.relative_to(PACKAGE).parts[0].removesuffix(".py")
    return "" if first == "__init__" else first


def imports(path: Path) -> list[str]:
    """Full names of what a file imports, those inside functions included."""
    found = []
    package = ["hipogit", *path.relative_to(PACKAGE).parts[:-1]]
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            whole = ".".join([*base, *([node.module] if node.module else [])])
            found += [whole] if node.module else []
            found += [f"{whole}.{alias.name}" for alias in node.names]
    return found


@pytest.mark.parametrize("path", modules(), ids=lambda p: str(p.relative_to(ROOT)))
def test_imports_point_down(path: Path) -> None:
    here = house(path)
    if not here:
        return
    assert here in RANK, f"{here} has no layer yet"
    for name in imports(path):
        parts = name.split(".")
        if parts[0] == "hipogit" and len(parts) > 1 and parts[1] in RANK:
            assert RANK[parts[1]] <= RANK[here], f"{here} imports {parts[1]} above it"


@pytest.mark.parametrize("path", modules(), ids=lambda p: str(p.relative_to(ROOT)))
def test_each_library_has_one_door(path: Path) -> None:
    for name in imports(path):
        door = DOORS.get(name.split(".")[0])
        if door is not None:
            assert house(path) in door, f"{house(path)} imports {name}"


def test_the_wheel_carries_all_templates_and_hooks(tmp_path: Path) -> None:
    listed = subprocess.run(
        ["git", "ls-files", "-z", "templates", "hooks"],
        cwd=ROOT, capture_output=True, check=True,
    ).stdout.decode()  # fmt: skip
    wanted = {f"hipogit/_data/{name}" for name in listed.split("\0") if name}
    assert wanted
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", tmp_path],
        cwd=ROOT, check=True, capture_output=True,
    )  # fmt: skip
    (wheel,) = tmp_path.glob("*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    assert wanted == {n for n in names if n.startswith("hipogit/_data/")}
    code = {str(path.relative_to(ROOT)) for path in modules()}
    assert code == {n for n in names if n.endswith(".py") and "_data" not in n}


def commands() -> list[str]:
    from hipogit.cli import COMMANDS

    return list(COMMANDS)


@pytest.mark.parametrize("name", commands())
def test_each_command_is_documented(name: str) -> None:
    from hipogit.cli import cli

    command = cli.get_command(click.Context(cli), name)
    assert command and command.help
    assert "Example: hipogit" in command.help
    first = command.help.strip().split("\n\n")[0]
    assert first.endswith(".") and first.count(". ") == 0
    assert f"hipogit {name}" in (ROOT / "README.md").read_text("utf-8")


def test_the_manual_page_is_what_the_commands_say() -> None:
    from hipogit.cli.manual import render

    again = "python -m hipogit.cli.manual > docs/hipogit.1"
    assert (ROOT / "docs/hipogit.1").read_text("utf-8") == render(), again
    assert (ROOT / "docs/git-hipogit.1").read_text("utf-8") == ".so man1/hipogit.1\n"


def test_one_broad_except_is_in_the_command_line() -> None:
    """Elsewhere a broad `except` needs its reason in a comment on the line above."""
    for path in modules():
        lines = path.read_text("utf-8").split("\n")
        for number, line in enumerate(lines):
            if line.strip().startswith(("except:", "except Exception", "except BaseE")):
                below = [text.strip() for text in lines[number + 1 : number + 6]]
                excused = below[0].startswith("#") or "raise" in below
                assert path.parent.name == "cli" or excused, (
                    f"{path.relative_to(ROOT)}:{number + 1}"
                )


def test_modules_stay_readable() -> None:
    long = {
        str(path.relative_to(ROOT)): lines
        for path in modules()
        if (lines := path.read_text("utf-8").count("\n")) > 400
    }
    assert not long


def test_nothing_large_is_kept_in_the_repository() -> None:
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True
    ).stdout.decode()
    files = [ROOT / name for name in listed.split("\0") if name]
    large = [path for path in files if path.exists() and path.stat().st_size > 2**20]
    assert files and not large


def test_the_design_names_the_layers_and_every_module() -> None:
    text = (ROOT / "docs" / "design.md").read_text("utf-8")
    layers, contracts = text.split("## Layers")[1].split("## Contracts")
    named = [
        line.strip().partition("  ")[0].split()
        for line in layers.split("\n")
        if line.startswith("    ")
    ]
    order = [name for row in reversed(named) for name in row]
    assert sorted(order) == sorted(RANK)
    ranks = [RANK[name] for name in order]
    assert ranks == sorted(ranks), "a layer stands above one it may import"
    inside = {name for name in map(house, modules()) if name not in ("", "__main__")}
    assert not {name for name in inside if not re.search(rf"\b{name}\b", contracts)}
