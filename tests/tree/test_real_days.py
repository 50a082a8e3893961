"""The 91 real days, where their folder is named by HIPOGIT_DATA."""

from __future__ import annotations

import importlib.util
import os
import re
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest

from hipogit.entry import Entry, new_id
from hipogit.journal import Journal
from hipogit.node import Node
from hipogit.periods import Day
from hipogit.tree import TreeSettings, compact, index_recall
from hipogit.tree.settings import tokens
from hipogit.view import MemoryView
from hipogit.words import topic_of

DATA = os.environ.get("HIPOGIT_DATA", "")
pytestmark = pytest.mark.skipif(not DATA, reason="HIPOGIT_DATA is not set")
LAST = date(2023, 6, 30)


def journal(path: Path) -> Journal:
    """A dated file as the importer turns it into a journal: an entry per section."""
    day = date.fromisoformat(path.stem)
    midnight = datetime(day.year, day.month, day.day, tzinfo=UTC)
    parts = re.split(r"^## Session (\S+)\n", path.read_text("utf-8"), flags=re.M)
    entries = []
    for n, (session, body) in enumerate(zip(parts[1::2], parts[2::2], strict=True)):
        body = body.strip("\n")
        topic = topic_of(body)
        id = new_id(
            day,
            session=session,
            source="import",
            topic=topic,
            type="project",
            body=body,
        )
        entries.append(
            Entry(
                topic=topic,
                body=body,
                id=id,
                at=midnight + timedelta(seconds=n),
                standing="captured",
                meta=(("session", session), ("source", "import")),
            )
        )
    return Journal(Day(day), tuple(entries))


@pytest.fixture(scope="module")
def days() -> dict[str, str]:
    folder = Path(DATA) / "data" / "memaware" / "data" / "sessions"
    found = [journal(path) for path in sorted(folder.glob("*.md"))]
    return {j.day.journal: j.render() for j in found}


@pytest.fixture(scope="module")
def tree(days: dict[str, str]) -> MemoryView:
    view = MemoryView(days)
    return view.with_changes(compact(view, LAST).changes)


def test_every_day_stands_at_every_level_without_a_placeholder(tree, days):
    for path in days:
        day = Day(date.fromisoformat(path[7:17]))
        for node in (day.path, day.week.path, day.week.month.path):
            text = tree.read(node)
            assert text is not None and len(text) > 50
            assert str(day) in text or f"{day.date:%Y%m%d}-" in text
        assert str(day) in tree.read("memory/ROOT.md")
    for path in tree.paths("memory/"):
        if path not in days:
            node = Node.parse(tree.read(path))
            assert node is not None and node.body.count("\n") > 1
            assert "placeholder" not in (node.status, node.summary)


def test_root_fits_and_reaches_every_topic(tree):
    root = tree.read("memory/ROOT.md")
    assert tokens(root) <= 3000
    found, total = index_recall(tree)
    assert found == total > 1200
    assert re.search(r"- \d+ more topics in memory/topics/", root)


def test_every_line_of_a_summary_ends_in_what_it_came_from(tree, days):
    source = re.compile(
        r"\((?:\d{8}-[a-z2-7]{4,}|\d{4}-\d\d(?:-\d\d)?)(?: \d{8}-[a-z2-7]{4,})*\)$"
    )
    for path in tree.paths("memory/"):
        if path in days or "/topics/" in path:
            continue
        node = Node.parse(tree.read(path))
        for line in node.body.split("\n"):
            if line.startswith("- ") and " more topics in " not in line:
                assert source.search(line), (path, line)
        if node.summary == "extractive" and node.type != "root":
            assert re.search(r"\n\[Expand for details about: .+\]$", node.body)


@pytest.mark.slow
def test_the_tree_is_the_same_bytes_twice_and_in_either_order(tree, days):
    again = MemoryView(days)
    assert again.with_changes(compact(again, LAST).changes).files == tree.files
    backward = MemoryView({})
    for path in sorted(days, reverse=True):
        backward = backward.with_changes({path: days[path]})
        run = compact(backward, LAST, touched=[path])
        backward = backward.with_changes(run.changes)
    assert backward.files == tree.files


def proxy():
    path = Path(DATA) / "tools" / "memaware_proxy.py"
    spec = importlib.util.spec_from_file_location("proxy", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    ("budget", "one", "two"), [(3000, 18, 0), (10000, 30, 17)], ids=["3k", "10k"]
)
def test_root_names_the_days_of_facts_better_than_chance(tree, budget, one, two):
    tool = proxy()
    data = tool.Data(str(Path(DATA) / "data" / "memaware"))
    run = compact(tree, LAST, TreeSettings(root_tokens=budget))
    view = tree.with_changes(run.changes)
    rows, _ = tool.p2(data, data.questions, view.read("memory/ROOT.md"), budget)
    share = {c: tool.mean([r[c] for r in rows])[0] for c in ("K1", "c1", "K2", "c2")}
    assert share["K1"] - share["c1"] >= one
    assert share["K2"] - share["c2"] >= two
