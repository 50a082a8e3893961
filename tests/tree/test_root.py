"""ROOT: sections, ages, budget, shrinking order, and the index around it."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from hipogit.node import Node
from hipogit.tree import TreeSettings, aliases, compact, index_recall
from hipogit.tree.settings import tokens
from hipogit.tree.topics import all_topics, lookup, read_line, rules_of, write_line
from hipogit.view import MemoryView

from .helpers import built, entry, journals

DAY = "2026-11-25"


def root(view: MemoryView) -> str:
    found = Node.parse(view.read("memory/ROOT.md") or "")
    assert found is not None
    return found.body


def section(view: MemoryView, title: str) -> str:
    return root(view).partition(f"## {title}\n")[2].partition("\n## ")[0]


def on(back: int, last: str = DAY) -> str:
    return (date.fromisoformat(last) - timedelta(days=back)).isoformat()


def test_the_sections_stand_in_order():
    view, _ = built(
        MemoryView(
            journals(
                entry(DAY, "tabs", "- rule: tabs", "feedback"),
                *(entry(on(n), "queue", "- lesson: fsync is slow") for n in range(4)),
            )
        ),
        DAY,
    )
    titles = [line for line in root(view).split("\n") if line.startswith("## ")]
    assert titles == [
        "## Rules",
        "## Active Context",
        "## Recent Patterns",
        "## Historical Summary",
        "## Topics Index",
    ]


def test_rules_keep_every_word_and_the_rest_is_counted_and_in_reach():
    many = [
        entry(
            on(n), f"rule {n}", f"- rule: do {n}\n- why: {'because ' * 12}", "feedback"
        )
        for n in range(60)
    ]
    view, _ = built(MemoryView(journals(*many)), DAY)
    rules = section(view, "Rules")
    assert len(rules.encode()) <= 3000 * 4 * 0.30
    assert "rule 0 [feedback]: rule: do 0; why: because" in rules
    shown = rules.count("[feedback]")
    assert f"- {60 - shown} more in memory/topics/rules.md" in rules
    assert [r.topic for r in rules_of(view)] == [f"rule {n}" for n in range(60)]
    assert rules_of(view)[3].body == many[3].body


def test_a_rule_said_twice_is_shown_before_older_ones_said_once():
    once = [
        entry(on(n), f"rule {n}", f"- rule: {'x' * 300}{n}", "user") for n in range(40)
    ]
    often = [
        entry(on(100 + n), "tabs not spaces", f"- rule: tabs {n}", "user")
        for n in range(3)
    ]
    view, _ = built(MemoryView(journals(*once, *often)), DAY)
    assert "tabs not spaces" in section(view, "Rules")


def test_ages_stale_references_and_done_projects():
    view, _ = built(
        MemoryView(
            journals(
                entry(DAY, "live", "- decisions: x"),
                entry(
                    on(31), "board", "- references: https://example.org", "reference"
                ),
                entry(on(30), "wiki", "- references: https://example.net", "reference"),
                entry(on(2), "shipped", "- outcome: done, in v2"),
            )
        ),
        DAY,
    )
    index = section(view, "Topics Index")
    assert "- live [project, 0d]" in index
    assert "- board [reference, 31d?]" in index
    assert "- wiki [reference, 30d]" in index
    assert "- shipped [project, 2d, done]" in index
    assert index.index("live") < index.index("shipped")
    assert "shipped" not in section(view, "Active Context")
    assert on(2) in section(view, "Historical Summary")


def test_ages_move_with_the_date_of_the_tree_alone():
    view, _ = built(MemoryView(journals(entry(DAY, "live"))), DAY)
    view, _ = built(view, on(-3), touched=[])
    assert "- live [project, 3d]" in root(view)


@pytest.mark.parametrize("budget", [600, 1500, 3000, 10000])
@pytest.mark.parametrize("standing", ["stated", "captured"])
def test_root_keeps_to_any_budget_and_says_what_is_elsewhere(budget, standing):
    said = [
        entry(
            on(n),
            f"topic number {n} of the shop {part}",
            f"- decisions: value {n * 7919 % 997} for widget{n} in Oslo{n}",
            second=part,
            standing=standing,
        )
        for n in range(300)
        for part in range(3)
    ]
    sizes = TreeSettings(root_tokens=budget)
    view, _ = built(MemoryView(journals(*said)), DAY, sizes)
    assert tokens(view.read("memory/ROOT.md")) <= budget
    assert "more topics in memory/topics/" in section(view, "Topics Index")
    assert index_recall(view) == (900, 900)
    shown = section(view, "Topics Index").count("→")
    more = f"- {900 - shown} more topics"
    assert more in section(view, "Topics Index")


def test_history_merges_months_to_quarters_and_years_when_space_is_short():
    said = [
        entry(on(n * 6), f"topic {n}", f"- decisions: widget{n} costs {n}")
        for n in range(600)
    ]

    def history(budget: int) -> str:
        sizes = TreeSettings(root_tokens=budget)
        view, _ = built(MemoryView(journals(*said)), DAY, sizes)
        return section(view, "Historical Summary")

    assert "\n- 2019-01: " in history(20000)
    assert "\n- 2019-01~03: " in history(3000)
    assert "(2019-01 2019-02 2019-03)" in history(3000)
    assert "\n- 2018-01~12: " in history(1500)
    for budget in (20000, 3000, 1500):
        assert "(2026-11-19)" in history(budget)


def test_topics_are_one_whatever_their_spelling():
    view, _ = built(
        MemoryView(
            journals(
                entry(on(3), "Rate  Limit", "- decisions: a"),
                entry(on(40), "rate limit:", "- decisions: b"),
                entry(DAY, "RATE LIMIT", "- decisions: c"),
            )
        ),
        DAY,
    )
    (topic,) = all_topics(view)
    assert (topic.name, topic.day) == ("RATE LIMIT", DAY)
    assert lookup(view, " rate limit ") == topic
    assert lookup(view, "rate") is None
    assert index_recall(view) == (1, 1)


def test_a_generated_title_gives_way_to_the_words_of_the_user():
    view, _ = built(
        MemoryView(
            journals(
                entry(
                    DAY,
                    "Session s0a1b2c3d",
                    "User: I want to brew chamomile tea in Oslo\nAssistant: Zebra!",
                    standing="captured",
                )
            )
        ),
        DAY,
    )
    (topic,) = all_topics(view)
    assert topic.name == "brew chamomile tea Oslo"
    assert "Session s0a1b2c3d" not in root(view) and "Zebra" not in root(view)


@pytest.mark.parametrize(
    "name",
    [
        "a",
        "x [project, 2020-01-01]: y",
        "a (b) c",
        "배포: 금요일",
        "x → y",
        "[]",
        "a; b",
    ],
)
def test_a_line_of_a_shard_reads_back(name):
    from hipogit.tree.mention import mention_of

    mention = mention_of(entry(DAY, name), DAY, "20261125-abcd")
    assert read_line(write_line(mention)) == mention


def test_a_small_memory_lists_even_old_topics():
    said = [entry(on(n * 90), f"topic {n}") for n in range(12)]
    view, _ = built(MemoryView(journals(*said)), DAY)
    index = section(view, "Topics Index")
    assert all(f"topic {n} [" in index for n in range(12))
    assert "more topics" not in index


NAMES = (
    "---\ntitle: x\naliases:\n- deployment = 배포 = 'rollout'\n- queue\n---\nText.\n"
)


def test_names_of_one_topic_share_a_line_and_a_new_list_changes_root_alone():
    said = [
        entry(on(2), "배포", "- decisions: never on fridays"),
        entry(DAY, "Rollout", "- decisions: in two steps"),
        entry(on(1), "Queue", "- decisions: redis"),
    ]
    before, _ = built(MemoryView(journals(*said)), DAY)
    view = before.with_changes({aliases.PATH: NAMES})
    run = compact(view, date.fromisoformat(DAY), touched={aliases.PATH})
    assert set(run.changes) == {"memory/ROOT.md"}
    view = view.with_changes(run.changes)
    again, _ = built(MemoryView(journals(*said) | {aliases.PATH: NAMES}), DAY)
    assert again.files == view.files
    lines = section(view, "Topics Index").split("\n")
    assert [line for line in lines if "2026-11-25.md" in line] == [
        line for line in lines if line.startswith("- deployment = 배포 = rollout [")
    ]
    assert not [line for line in lines if "more topics" in line]
    for name in ("deployment", "배포", "ROLLOUT"):
        found = lookup(view, name)
        assert found is not None
        assert found.day == DAY
    assert index_recall(view) == (3, 3)


@pytest.mark.parametrize(
    "text",
    ["", "aliases:\n- a = b\n", "---\naliases: no\n---\n", "---\naliases:\n- a\n"],
)
def test_a_list_of_names_that_says_nothing_names_nothing(text: str):
    assert aliases.parse(text).groups == {}


def test_a_name_belongs_to_the_first_topic_that_claims_it():
    found = aliases.parse("---\naliases:\n- a = b\n- B = c = d\n---\n")
    assert found.keys("b") == ("b", "a")
    assert found.keys("d") == ("d", "c")
    assert found.keys("z") == ("z",)
