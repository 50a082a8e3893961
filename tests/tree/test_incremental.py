"""However writes were batched, the tree is the one a rebuild from nothing gives."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hipogit.entry import parse_all
from hipogit.node import Node
from hipogit.tree import TreeSettings, compact, edited, index_recall
from hipogit.tree.dag import condense, dissolve
from hipogit.tree.root import last_updated
from hipogit.tree.topics import all_topics, rules_of
from hipogit.view import MemoryView

from .helpers import built, entry, journals, only_journals, put, tree_text

START = date(2026, 11, 20)
SMALL = TreeSettings(
    daily_lines=8, weekly_lines=14, monthly_lines=20, chunk_size=3, fanout=2
)
BODIES = [
    "- decisions: token bucket, 100 req/s\n- outcome: done",
    "- user: I moved to Oslo in May and bought a bicycle.\n- tools: Edit",
    "User: I just finished my 12th marathon. What next?\nAssistant: Rest!",
    "결제 API 배포를 금요일로 미루기로 결정했다.",
    "status: fixed\nneeds-summarization: true",
    "- references: https://example.org/dash\n- lesson: watch it daily",
    "[temporary]\nkangaroo",
]


@st.composite
def entries_near(draw, today):
    """An entry of that day or of one some time before."""
    back = draw(st.sampled_from([0, 0, 0, 1, 9, 40]))
    return entry(
        (today - timedelta(days=back)).isoformat(),
        draw(st.sampled_from(["rate limit", "Rate  Limit", "배포", "x", "y z"])),
        draw(st.sampled_from(BODIES)) + f"\nword{draw(st.integers(0, 9))}",
        draw(st.sampled_from(["project", "feedback", "user", "reference"])),
        draw(st.integers(0, 3)),
    )


@st.composite
def histories(draw, most=12):
    """Steps: (date of the run, entries written, how many earlier ones to withdraw)."""
    steps = []
    today = START
    for _ in range(draw(st.integers(1, most))):
        today += timedelta(days=draw(st.sampled_from([-3, 0, 0, 0, 1, 1, 6, 20, 95])))
        fresh = [draw(entries_near(today)) for _ in range(draw(st.integers(0, 4)))]
        steps.append((today, fresh, draw(st.integers(0, 2))))
    return steps


def play(steps, sizes):
    """The view after all steps, each compacted by what it touched."""
    view = MemoryView({})
    written = []
    for today, fresh, withdraw in steps:
        view, touched = put(view, *fresh)
        for old in written[:withdraw]:
            view, more = put(
                view,
                replace(
                    old, body="withdrawn", topic="(retracted)", standing="retracted"
                ),
            )
            touched |= more
        written = written[withdraw:] + fresh
        run = compact(view, today, sizes, touched=touched)
        view = view.with_changes(run.changes)
    return view


@pytest.mark.parametrize("sizes", [TreeSettings(), SMALL], ids=["usual", "small"])
@given(steps=histories())
@settings(max_examples=25, deadline=None)
def test_an_incremental_tree_equals_a_rebuild_from_nothing(steps, sizes):
    view = play(steps, sizes)
    as_of = last_updated(view) or START
    again, _ = built(only_journals(view), as_of.isoformat(), sizes)
    assert again.files == view.files
    assert compact(view, as_of, sizes).changes == {}
    assert edited(view) == []


@given(steps=histories(6))
@settings(max_examples=15, deadline=None)
def test_every_topic_is_reachable_and_nothing_withdrawn_or_marked_is(steps):
    view = play(steps, SMALL)
    found, total = index_recall(view)
    assert found == total
    text = tree_text(view)
    assert "kangaroo" not in text and "(retracted)" not in text


@given(steps=histories(6))
@settings(max_examples=15, deadline=None)
def test_every_rule_and_fact_about_the_user_stays_in_reach_of_root(steps):
    view = play(steps, SMALL)
    rules = {rule.id: rule.body for rule in rules_of(view)}
    for path in only_journals(view).paths():
        for e in parse_all(view.read(path) or "")[1]:
            kept = e.type in ("user", "feedback") and e.standing == "stated"
            if kept and "[temporary]" not in e.body:
                assert rules[e.id] == e.body
    if rules:
        assert "## Rules" in (view.read("memory/ROOT.md") or "")


def test_the_order_of_writing_leaves_no_trace():
    entries = [
        entry(f"2026-11-{10 + n:02}", f"topic {n % 5}", second=n) for n in range(12)
    ]
    forward, backward = MemoryView({}), MemoryView({})
    for e in entries:
        forward, touched = put(forward, e)
        forward, _ = built(forward, "2026-12-20", touched=touched)
    for e in reversed(entries):
        backward, touched = put(backward, e)
        backward, _ = built(backward, "2026-12-20", touched=touched)
    assert forward.files == backward.files


class Watching(MemoryView):
    """A view that notes what is read and forbids listing."""

    def __init__(self, files):
        super().__init__(files)
        self.seen = set()

    def read(self, path):
        self.seen.add(path)
        return super().read(path)

    def paths(self, prefix=""):
        raise AssertionError(f"listed {prefix}")

    def with_changes(self, changes):
        view = Watching({**self.files, **changes})
        view.seen = self.seen
        return view


def test_a_checkpoint_touches_only_what_stands_above_it():
    entries = [
        entry(
            (date(2025, 1, 1) + timedelta(days=n)).isoformat(),
            f"topic {n} {part}",
            f"- decisions: value {n * 7919 % 1000}",
            second=part,
        )
        for n in range(700)
        for part in range(2)
    ]
    view, _ = built(MemoryView(journals(*entries)), "2026-12-01")
    view, touched = put(view, entry("2026-12-01", "brand new", second=9))
    watching = Watching(view.files)
    run = compact(watching, date(2026, 12, 1), touched=touched)
    nodes = {p for p in run.changes if "/topics/" not in p}
    assert nodes == {
        "memory/daily/2026-12-01.md",
        "memory/weekly/2026-W49.md",
        "memory/monthly/2026-12.md",
        "memory/ROOT.md",
    }
    assert len(run.changes) - len(nodes) == 2  # one shard and the index
    assert len(watching.seen) < 30
    assert len(all_topics(view)) == 1400


@given(
    steps=histories(5),
    acts=st.lists(
        st.tuples(
            st.integers(0, 4),
            st.sampled_from(["agent", "edit", "dissolve", "delete", "format"]),
            st.integers(0, 99),
        ),
        max_size=4,
    ),
)
@settings(max_examples=40, deadline=None)
def test_stored_edited_and_dissolved_nodes_are_inputs_like_entries(steps, acts):
    view = MemoryView({})
    for number, (today, fresh, _) in enumerate(steps):
        view, touched = put(view, *fresh)
        view = view.with_changes(compact(view, today, SMALL, touched=touched).changes)
        for when, act, place in acts:
            nodes = [p for p in view.paths("memory/") if p.count("/") > 1]
            nodes = [p for p in nodes if "/topics/" not in p]
            if when != number or not nodes:
                continue
            path = nodes[place % len(nodes)]
            view = view.with_changes({path: changed(view, path, act, number)})
            view = view.with_changes(
                compact(view, today, SMALL, touched=[path]).changes
            )
    as_of = last_updated(view) or START
    assert compact(view, as_of, SMALL).changes == {}
    inputs = only_journals(view).files
    for path in view.paths("memory/"):
        node = Node.parse(view.read(path)) if path.count("/") > 1 else None
        if node and (node.stored or node.edited or node.format != 1):
            inputs[path] = view.read(path)
    assert built(MemoryView(inputs), as_of.isoformat(), SMALL)[0].files == view.files


def changed(view, path, act, number):
    """What somebody makes of a node; None takes it away."""
    node = Node.parse(view.read(path))
    body = f"# {node.period}\n\n## Key Decisions\n- quince {number} ({node.period})"
    if act == "delete":
        return None
    if act == "agent":
        return replace(node, body=body, summary="agent").sealed().render()
    if act == "format":
        return replace(node, format=9).render()
    if act == "edit":
        return replace(node, body=node.body + f"\n- by hand {number}").render()
    if node.dissolved:
        return dissolved_text(view, path, condense)
    return dissolved_text(view, path, dissolve)


def dissolved_text(view, path, verb):
    return verb(view, path, SMALL)[1]
