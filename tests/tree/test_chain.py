"""The chain: levels, thresholds, status, edits and stored summaries."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date, timedelta

import pytest

from hipogit.entry import parse_all
from hipogit.node import Node
from hipogit.tree import TreeSettings, compact, edited
from hipogit.tree.replacing import stored
from hipogit.view import MemoryView, blob_id

from .helpers import built, entry, journals, put, tree_text

DAY = "2026-11-25"  # a Wednesday
DAILY, WEEKLY = f"memory/daily/{DAY}.md", "memory/weekly/2026-W48.md"
MONTHLY, ROOT = "memory/monthly/2026-11.md", "memory/ROOT.md"


def node(view: MemoryView, path: str) -> Node:
    found = Node.parse(view.read(path) or "")
    assert found is not None, path
    return found


def long(number: int, words: str = "value") -> str:
    return "\n".join(f"- decisions: {words} {n} is {n * 7}" for n in range(number))


def test_the_first_entry_makes_the_whole_tree():
    view, run = built(MemoryView(journals(entry(DAY, "rate limit"))), DAY)
    assert {DAILY, WEEKLY, MONTHLY, ROOT} <= set(run.rebuilt)
    assert node(view, DAILY).summary == "verbatim"
    assert "token bucket" in node(view, ROOT).body
    assert "rate limit [project, 0d]" in node(view, ROOT).body
    assert node(view, WEEKLY).sources[0].blob == blob_id(view.read(DAILY))
    assert run.pending == () and run.reopened == ()


def test_a_verbatim_node_carries_its_entries_with_their_comments():
    said = entry(DAY, "rate limit", "- decisions: a\n\n```\n## not a heading\n```")
    view, _ = built(MemoryView(journals(said)), DAY)
    for path in (DAILY, WEEKLY, MONTHLY):
        body = node(view, path).body
        _, found = parse_all(body[body.index("## ") :])
        assert [(e.id, e.topic, e.body) for e in found] == [
            (said.id, said.topic, said.body)
        ]


@pytest.mark.parametrize(
    ("lines", "summary"), [(195, "verbatim"), (210, "extractive")], ids=["at", "above"]
)
def test_above_the_threshold_a_day_is_summarised_at_once(lines, summary):
    view, run = built(MemoryView(journals(entry(DAY, "big", long(lines)))), DAY)
    assert node(view, DAILY).summary == summary
    assert node(view, DAILY).needs_summarization is (summary == "extractive")
    assert (DAILY in run.pending) is (summary == "extractive")


def test_few_long_lines_pass_the_threshold_by_their_bytes():
    body = "User: " + "I keep bees in Oslo and sell honey. " * 600
    view, _ = built(MemoryView(journals(entry(DAY, "bees", body))), DAY)
    assert node(view, DAILY).summary == "extractive"
    assert len(view.read(DAILY)) < len(body) / 2


def test_a_summary_has_sections_sources_and_a_footer_and_carries_rules_whole():
    rule = entry(
        DAY, "tabs", "- rule: tabs\n- why: width\n- how-to-apply: all", "feedback"
    )
    work = entry(
        DAY,
        "queue",
        "- decisions: use a ring buffer in api/queue.py\n- outcome: done, 20 ms\n"
        "- lesson: fsync was the cost\n- next: measure on ARM\n" + long(220),
        second=1,
    )
    talk = entry(
        DAY,
        "moving",
        "User: I moved to Oslo in May. Any tips?\nAssistant: Oslo has wonderful cafes.",
        second=2,
        standing="captured",
    )
    view, _ = built(MemoryView(journals(rule, work, talk)), DAY)
    body = node(view, DAILY).body
    for title in (
        "## Topics",
        "## Key Decisions",
        "## Tasks Completed",
        "## Lessons Learned",
        "## Open Items",
        "## User Statements",
        "## Entities Referenced",
    ):
        assert title in body
    assert f"I moved to Oslo in May. ({talk.id[:13]})" in body
    assert "wonderful" not in body and "Any tips" not in body
    assert "api/queue.py" in body[body.index("## Entities") :]
    assert rule.body in body
    for line in body.split("\n"):
        if line.startswith("- ") and line not in rule.body:
            assert re.search(r"\(\d{8}-[a-z2-7]{4}[^)]*\)$", line), line
    assert body.endswith("]") and "\n[Expand for details about: queue" in body


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("- 결정: 토큰 버킷을 쓴다", "토큰 버킷"),
        ("결제 API를 금요일에 배포하기로 결정했다.", "금요일"),
        ("User: 저는 지난달에 오슬로로 이사했고 자전거를 샀습니다 정말로.", "오슬로"),
        ("- 決定: トークンバケットを使う", "トークンバケット"),
        ("- 决定: 使用令牌桶限流算法", "令牌桶"),
        ("- décisions: le seau à jetons est choisi\n- decisions: été", "été"),
    ],
    ids=["ko field", "ko prose", "ko talk", "ja", "zh", "fr"],
)
def test_languages_reach_summary_and_root(body, said):
    filler = entry(DAY, "filler", long(220), second=9)
    view, _ = built(MemoryView(journals(entry(DAY, "주제", body), filler)), DAY)
    assert said in node(view, DAILY).body
    assert said in node(view, ROOT).body


def test_status_follows_the_calendar():
    view, _ = built(MemoryView(journals(entry(DAY, "a"))), DAY)
    expected = {
        "2026-11-25": (0, 0, 0),
        "2026-11-26": (1, 0, 0),
        "2026-12-06": (1, 0, 0),
        "2026-12-07": (1, 1, 0),  # the week's Sunday was 2026-11-29
        "2026-12-08": (1, 1, 1),
        "2027-06-01": (1, 1, 1),
    }
    for as_of, fixed in expected.items():
        view, run = built(view, as_of, touched=[])
        states = [node(view, p).status == "fixed" for p in (DAILY, WEEKLY, MONTHLY)]
        assert tuple(map(int, states)) == fixed, as_of
        assert run.reopened == ()
        assert node(view, ROOT).status == "tentative"
        assert node(view, ROOT).last_updated == as_of


def test_the_date_of_the_tree_never_goes_back():
    view, _ = built(MemoryView(journals(entry(DAY, "a"))), "2026-12-20")
    view, run = built(view, "2026-11-01", touched=[])
    assert run.as_of == date(2026, 12, 20) and run.changes == {}


def test_a_late_entry_reopens_what_was_fixed_and_nothing_else():
    view, _ = built(
        MemoryView(journals(entry(DAY, "a"), entry("2026-10-07", "b"))), "2027-02-01"
    )
    view, touched = put(view, entry(DAY, "late", "- decisions: quince", second=5))
    view, run = built(view, "2027-02-01", touched=touched)
    assert run.reopened == (DAY, "2026-W48", "2026-11")
    assert "quince" in node(view, MONTHLY).body
    assert not any("2026-10" in path for path in run.rebuilt)


def test_a_correction_rebuilds_everything_above_and_leaves_no_trace():
    wrong = entry(DAY, "secret plan", "- decisions: sell the quinces")
    view, _ = built(
        MemoryView(journals(wrong, entry(DAY, "b", second=4))), "2027-02-01"
    )
    gone = replace(
        wrong, topic="(retracted)", body="retracted by Ann", standing="retracted"
    )
    view, touched = put(view, gone)
    view, run = built(view, "2027-02-01", touched=touched)
    assert "quinces" not in tree_text(view) and "secret plan" not in tree_text(view)
    assert run.reopened == (DAY, "2026-W48", "2026-11")


def test_a_day_with_nothing_left_to_tell_has_no_node():
    said = entry(DAY, "a")
    view, _ = built(MemoryView(journals(said)), DAY)
    view, touched = put(view, replace(said, body="x", standing="retracted"))
    view, run = built(view, DAY, touched=touched)
    assert view.read(DAILY) is None and view.read(WEEKLY) is None
    assert "Nothing is remembered yet." in view.read(ROOT)
    assert run.changes[DAILY] is None


def test_words_of_the_user_change_no_state():
    body = "status: fixed\nneeds-summarization: true\n---\nsummary: agent"
    view, _ = built(MemoryView(journals(entry(DAY, "status: fixed", body))), DAY)
    for path in (DAILY, WEEKLY, MONTHLY):
        found = node(view, path)
        assert found.status == "tentative" and found.summary == "verbatim"
        assert not found.needs_summarization


def test_a_hand_edit_is_named_kept_while_its_sources_stand_and_then_reported():
    view, _ = built(MemoryView(journals(entry(DAY, "a"))), DAY)
    text = view.read(DAILY).replace("token bucket", "token bucket (see Ann)")
    view = view.with_changes({DAILY: text})
    assert edited(view) == [DAILY]
    view, _ = built(view, "2026-12-20", touched=[DAILY])
    assert "(see Ann)" in view.read(DAILY) and "(see Ann)" in view.read(MONTHLY)
    assert node(view, DAILY).status == "fixed"
    assert edited(view) == [DAILY]
    view, touched = put(view, entry(DAY, "new", second=3))
    view, run = built(view, "2026-12-20", touched=touched)
    assert run.overwritten == (DAILY,)
    assert "(see Ann)" not in tree_text(view) and edited(view) == []


def test_front_matter_rewritten_by_hand_is_read_and_kept():
    view, _ = built(MemoryView(journals(entry(DAY, "a"))), DAY)
    text = view.read(DAILY)
    loose = (
        text.replace('"', "").replace("blob:", "blob: ").replace("100 req", "99 req")
    )
    view = view.with_changes({DAILY: loose})
    assert edited(view) == [DAILY]
    view, _ = built(view, DAY, touched=[DAILY])
    assert "99 req" in view.read(DAILY)


def test_a_node_of_another_format_stands_until_its_sources_change():
    view, _ = built(MemoryView(journals(entry(DAY, "a"))), DAY)
    other = replace(node(view, DAILY), format=7).render()
    view = view.with_changes({DAILY: other})
    view, _ = built(view, DAY)
    assert view.read(DAILY) == other
    view, touched = put(view, entry(DAY, "b", second=2))
    view, _ = built(view, DAY, touched=touched)
    assert node(view, DAILY).format == 1


def agent_text(*ids: str) -> str:
    return "\n".join(
        f"- quince {n} was settled with Ann for the shop ({id})"
        for n, id in enumerate(ids)
    )


def test_a_stored_summary_stays_until_what_it_was_written_from_changes():
    said = [entry(f"2026-11-{d}", f"t{d}", long(120), second=1) for d in (23, 24, 25)]
    view, _ = built(MemoryView(journals(*said)), "2026-11-30")
    sizes = TreeSettings()
    path, text = stored(view, "2026-W48", agent_text(*(e.id for e in said)), sizes)
    view, run = built(view.with_changes({path: text}), "2026-11-30", touched=[path])
    assert node(view, WEEKLY).summary == "agent"
    assert "quince 2 was settled" in node(view, MONTHLY).body
    assert WEEKLY not in run.pending
    # Days and the week turn fixed: the same text, another status.
    view, _ = built(view, "2027-01-20", touched=[])
    assert node(view, WEEKLY).status == "fixed"
    assert "quince" in node(view, WEEKLY).body
    # From nothing but journals and the stored text, the same bytes.
    bare = {p: t for p, t in view.files.items() if p.count("/") == 1 or p == WEEKLY}
    assert built(MemoryView(bare), "2027-01-20")[0].files == view.files
    view, touched = put(view, entry("2026-11-24", "late", second=8))
    view, _ = built(view, "2027-01-20", touched=touched)
    assert node(view, WEEKLY).summary == "extractive"
    assert "quince" not in tree_text(view)


def test_busy_days_have_leaves_and_many_leaves_are_condensed():
    few = [entry(DAY, f"t{n}", "- decisions: x", second=n) for n in range(45)]
    view, _ = built(MemoryView(journals(*few)), DAY)
    leaves = view.paths(f"memory/daily/{DAY}/")
    assert leaves == [f"memory/daily/{DAY}/{n:02}.md" for n in (1, 2, 3)]
    assert [node(view, p).entries for p in leaves] == [20, 20, 5]
    assert node(view, DAILY).summary == "verbatim"
    assert [s.path for s in node(view, DAILY).sources][1:] == leaves

    many = [entry(DAY, f"t{n}", f"- decisions: x{n}", second=n) for n in range(130)]
    view, _ = built(MemoryView(journals(*many)), DAY)
    assert len(view.paths(f"memory/daily/{DAY}/")) == 7
    assert node(view, DAILY).summary == "extractive"
    assert node(view, DAILY).entries == 130

    # One entry more changes the last leaf and no other.
    view, touched = put(view, entry(DAY, "last", second=999))
    view, run = built(view, DAY, touched=touched)
    changed = [p for p in run.rebuilt if p.startswith(f"memory/daily/{DAY}/")]
    assert changed == [f"memory/daily/{DAY}/07.md"]


def test_leaves_that_are_no_longer_needed_go():
    said = [entry(DAY, f"t{n}", "- decisions: x", second=n) for n in range(25)]
    view, _ = built(MemoryView(journals(*said)), DAY)
    gone = [replace(e, body="x", standing="retracted") for e in said[:10]]
    view, touched = put(view, *gone)
    view, run = built(view, DAY, touched=touched)
    assert view.paths(f"memory/daily/{DAY}/") == []
    assert run.changes[f"memory/daily/{DAY}/02.md"] is None


def test_ids_are_cut_only_where_one_entry_answers_to_them():
    said = [entry(DAY, f"t{n}", f"- decisions: x{n}", second=n) for n in range(400)]
    view, _ = built(MemoryView(journals(*said)), DAY)
    ids = [e.id for e in said]
    cited = {
        id
        for path in view.paths("memory/daily/")
        for id in re.findall(r"\d{8}-[a-z2-7]+", "".join(node(view, path).mentions))
    }
    assert len(cited) == 400
    assert all(sum(id.startswith(short) for id in ids) == 1 for short in cited)


def test_depth_stops_the_chain():
    view = MemoryView(journals(entry(DAY, "a")))
    run = compact(view, date.fromisoformat(DAY), depth=1)
    assert set(run.changes) == {DAILY, WEEKLY}


@pytest.mark.parametrize(
    "day",
    [
        "2024-12-30",
        "2024-12-31",
        "2025-01-01",
        "2026-12-31",
        "2027-01-03",
        "2024-02-29",
    ],
)
def test_year_ends_week_53_and_leap_days_have_one_week_and_month(day):
    view, _ = built(MemoryView(journals(entry(day, "a"))), day)
    weeks, months = view.paths("memory/weekly/"), view.paths("memory/monthly/")
    assert len(weeks) == len(months) == 1
    assert node(view, months[0]).sources[0].path == weeks[0]
    year, week, _ = date.fromisoformat(day).isocalendar()
    assert weeks == [f"memory/weekly/{year}-W{week:02}.md"]
    thursday = date.fromisocalendar(year, week, 4)
    assert months == [f"memory/monthly/{thursday:%Y-%m}.md"]


def test_entries_typed_by_hand_stand_in_the_tree_too():
    view = MemoryView({f"memory/{DAY}.md": "## Rate limit\ntoken bucket\n"})
    view, _ = built(view, DAY)
    assert "token bucket" in view.read(DAILY)
    assert "Rate limit [project" in view.read(ROOT)


def test_a_long_absence_leaves_a_tree_as_fresh_as_before():
    start = date(2020, 1, 1)
    said = [
        entry((start + timedelta(days=n * 200)).isoformat(), f"t{n}") for n in range(5)
    ]
    view, _ = built(MemoryView(journals(*said)), "2022-12-01")
    view, touched = put(view, entry("2026-11-29", "back again"))
    view, _ = built(view, "2026-11-29", touched=touched)
    again, _ = built(
        MemoryView(
            {p: t for p, t in view.files.items() if p.count("/") == 1 and p != ROOT}
        ),
        "2026-11-29",
    )
    assert again.files == view.files
