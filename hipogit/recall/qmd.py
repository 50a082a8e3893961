"""`search.engine = "qmd"`: qmd ranks; what is shown is what stands at the tip.

qmd (https://github.com/tobi/qmd, npm package `@tobilu/qmd`, node 22 or newer) indexes
files, so each entry is written into one, in `<common>/hipogit/qmd/`; qmd's own index
and settings are kept there too and those of the user stay as they are. It is asked with
`qmd search`, which needs no model. It answers with files; the text comes from our own
index, so nothing can be shown that was withdrawn. When an entry goes, the folder is
made anew: qmd keeps what it has seen.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

from ..errors import GitFailed, Usage
from . import stamp
from .open import Index, checked

_PROGRAM = "qmd"
_NAME = "hipogit"
_LONGEST = 10_000  # characters of a query
_FILE = re.compile(rf"qmd://{_NAME}/(.+)\.md")
_PATIENCE = 120.0  # seconds
_MOST = 400


def search(index: Index, local: Path, words: str, most: int) -> list[tuple[str, float]]:
    """The ids of entries that qmd finds, best first, with its scores.

    Raises Usage where qmd is not installed, GitFailed where it fails.
    """
    if shutil.which(_PROGRAM) is None:
        raise Usage(
            "search.engine is qmd, and there is no program qmd here",
            hint="npm install -g @tobilu/qmd, or search with --engine keyword",
        )
    if not words.strip(" \0"):
        raise Usage("there is nothing to look for", hint='hipogit search "rate limit"')
    folder = local / "qmd"
    try:
        with stamp.lock(local, _PATIENCE):
            _bring(index, folder)
            asked = words.replace("\0", " ")[:_LONGEST]
            given = _run(
                folder,
                *("search", "--json", "-c", _NAME, "-n", str(min(most, _MOST))),
                *("--", asked),
            )
    except OSError as problem:
        raise GitFailed(
            f"qmd needs a folder to write to: {problem}",
            hint="hipogit search --engine keyword",
        ) from None
    known = {name.lower(): entry for name, entry in _names(index).items()}
    found: dict[str, float] = {}
    for hit in _hits(given):
        match = _FILE.fullmatch(str(hit.get("file", "")))
        entry = known.get(match[1].lower()) if match else None
        if entry:
            found.setdefault(entry, float(hit.get("score") or 0.0))
    return list(found.items())


def _names(index: Index) -> dict[str, str]:
    """The file name of each entry that may be shown."""
    rows = index.rows("select distinct entry from piece where not hidden and entry<>''")
    return {re.sub(r"[^\w-]", "_", entry): entry for (entry,) in rows}


def _bring(index: Index, folder: Path) -> None:
    """Have qmd know the entries of the tip and no others."""
    done = folder / "tip"
    if done.is_file() and done.read_text("utf-8") == index.tip:
        return
    texts = _texts(index)
    entries = folder / "entries"
    if entries.is_dir():
        for path in entries.iterdir():
            said = texts.get(path.stem)
            if said is None or path.read_text("utf-8") != said:
                shutil.rmtree(folder)
                break
    fresh = not done.is_file()
    entries.mkdir(parents=True, exist_ok=True)
    for name, said in texts.items():
        path = entries / f"{name}.md"
        if not path.exists():
            path.write_text(said, "utf-8")
    done.unlink(missing_ok=True)
    if fresh:
        _run(folder, "collection", "add", str(entries), "--name", _NAME)
    else:
        _run(folder, "update")
    done.write_text(index.tip, "utf-8")


def _texts(index: Index) -> dict[str, str]:
    names = {entry: name for name, entry in _names(index).items()}
    found: dict[str, str] = {}
    for entry, topic, user, said, sum in index.rows(
        "select p.entry, s.topic, s.user, s.text, p.sum from piece p"
        " join said s on s.id=p.id where not p.hidden order by p.id"
    ):
        checked(sum, user, said)
        if name := names.get(entry):
            start = found.get(name, f"# {topic}\n")
            found[name] = f"{start}\n{user}\n\n{said}\n"
    return found


def _hits(given: str) -> list[dict[str, Any]]:
    # Before the list it may tell of something else, as of models it has not got.
    start = given.find("[")
    try:
        found = json.loads(given[start:]) if start >= 0 else []
    except ValueError:
        raise GitFailed(
            "qmd gave an answer that is no JSON", hint="qmd --version"
        ) from None
    return [hit for hit in found if isinstance(hit, dict)]


def _run(folder: Path, *words: str) -> str:
    folder.mkdir(parents=True, exist_ok=True)
    env = {
        **os.environ,
        "XDG_CACHE_HOME": str(folder / "cache"),
        "XDG_CONFIG_HOME": str(folder / "config"),
        "NO_COLOR": "1",
    }
    # They would lead it to an index of the user's own.
    for name in ("INDEX_PATH", "QMD_CONFIG_DIR"):
        env.pop(name, None)
    try:
        done = subprocess.run(
            [_PROGRAM, *words],
            # A folder of the user's may hold a `.qmd` that it would use instead.
            cwd=folder,
            env=env,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_PATIENCE,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise GitFailed(
            f"qmd {words[0]} took longer than {_PATIENCE:.0f} seconds",
            hint="hipogit search --engine keyword",
        ) from None
    if done.returncode:
        said = (done.stderr or done.stdout).decode("utf-8", "replace").split("\n")
        first = next((line.strip() for line in said if line.strip()), "no reason given")
        raise GitFailed(
            f"qmd {words[0]} failed: {first[:200]}",
            hint="qmd doctor, or search with --engine keyword",
        )
    return done.stdout.decode("utf-8", "replace")
