"""Nodes: one spelling, which plain YAML reads to the same values."""

from __future__ import annotations

import frontmatter
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hipogit.node import Node, Source

words = st.text(max_size=30)
lines = st.lists(words, max_size=4).map(tuple)
nodes = st.builds(
    Node,
    type=st.sampled_from(["daily", "weekly", "monthly", "root"]),
    status=st.sampled_from(["tentative", "fixed"]),
    period=st.sampled_from(["2026-11-29", "2026-W48", "2026-11", "ROOT"]),
    body=words,
    sources=st.lists(st.builds(Source, words, words), max_size=3).map(tuple),
    topics=lines,
    mentions=lines,
    entries=st.integers(0, 999),
    summary=st.sampled_from(["verbatim", "extractive", "agent", "command", "import"]),
    needs_summarization=st.booleans(),
    dissolved=st.booleans(),
    covers=lines,
    last_updated=st.sampled_from(["", "2026-11-29"]),
)


@given(nodes)
def test_a_node_reads_back_from_its_own_spelling(node):
    node = node.sealed()
    assert Node._canonical(node.render()) == node
    assert not node.edited


@given(nodes)
def test_yaml_reads_the_written_form_to_the_same_values(node):
    text = node.render()
    plain = Node._yaml(text)
    own = Node._canonical(text)
    assert plain is not None and own is not None
    assert plain.sources == own.sources and plain.topics == own.topics
    assert plain.mentions == own.mentions and plain.covers == own.covers
    assert plain.status == own.status and plain.period == own.period
    assert plain.entries == own.entries and plain.summary == own.summary
    assert plain.needs_summarization is own.needs_summarization


def test_front_matter_rewritten_by_hand_is_read_as_yaml():
    text = (
        "---\ntype: daily\nstatus: fixed\nperiod: 2026-11-29\nformat: 1\n"
        "sources:\n  - path: memory/2026-11-29.md\n    blob: abc\n"
        "topics: [a b, c]\nentries: 2\nsummary: agent\n---\nText here\n"
    )
    node = Node.parse(text)
    assert node == Node(
        type="daily",
        status="fixed",
        period="2026-11-29",
        body="Text here",
        sources=(Source("memory/2026-11-29.md", "abc"),),
        topics=("a b", "c"),
        entries=2,
        summary="agent",
    )


@pytest.mark.parametrize(
    "text",
    ["", "no front matter", "---\n: [\n---\nx", "---\n- a\n---\nx", "---\na: 1\n---\n"],
    ids=["empty", "plain", "broken", "list", "no type"],
)
def test_what_is_no_node_is_none(text):
    assert Node.parse(text) is None


def test_words_in_the_text_do_not_touch_the_front_matter():
    node = Node(
        type="daily",
        status="tentative",
        period="2026-11-29",
        topics=("status: fixed [project]",),
        body="status: fixed\nneeds-summarization: true\n---\ntype: root",
    )
    again = Node.parse(node.render())
    assert again == node
    assert frontmatter.loads(node.render())["status"] == "tentative"


def test_a_changed_text_shows_and_a_changed_status_does_not():
    node = Node(type="daily", status="tentative", period="2026-11-29", body="one")
    text = node.sealed().render()
    edited = Node.parse(text.replace("one", "two"))
    aged = Node.parse(text.replace("tentative", "fixed"))
    assert edited is not None and edited.edited
    assert aged is not None and not aged.edited
