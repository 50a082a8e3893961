from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone

from hypothesis import given
from hypothesis import strategies as st

from hipogit.entry import (
    STANDINGS,
    TYPES,
    Entry,
    field_lines,
    is_id,
    new_id,
    parse,
    parse_all,
    render,
    topic_key,
)
from hipogit.journal import Journal
from hipogit.periods import Day

LINES = [
    "## x [user]",
    "<!-- hipogit id=20260101-aaaaaa -->",
    "\\## y",
    "\\\\# b",
    "# a",
    "# \r",
    "```",
    "~~~~",
    "-->",
    "a\r",
    "\u2028",
    "\x0c",
    "\udc80",
    " ",
    "",
]
NASTY = st.lists(st.sampled_from(LINES) | st.text(max_size=20)).map("\n".join)

ENTRIES = st.builds(
    Entry,
    topic=st.text(min_size=1, max_size=30).filter(lambda text: text.split()),
    body=NASTY,
    type=st.sampled_from(TYPES),
    id=st.sampled_from(["20261129-k3f9q2ab7c", "20260101-aaaaaaaaaa"]),
    at=st.datetimes(
        timezones=st.sampled_from([UTC, timezone(timedelta(hours=9))]),
        min_value=datetime(1990, 1, 1),
        max_value=datetime(8999, 12, 31),  # the last year a time may name
    ),
    standing=st.sampled_from(STANDINGS),
    meta=st.dictionaries(
        st.from_regex(r"[a-z][a-z0-9-]{0,8}", fullmatch=True).filter(
            lambda key: key not in ("id", "at", "standing")
        ),
        st.text(max_size=10),
    ).map(lambda pairs: tuple(pairs.items())),
)


@given(ENTRIES)
def test_what_is_rendered_reads_back_the_same(entry: Entry) -> None:
    assert parse(render(entry)) == entry


@given(st.lists(ENTRIES, max_size=4))
def test_neighbours_never_swallow_or_split_each_other(entries: list[Entry]) -> None:
    _, found = parse_all("\n".join(render(entry) for entry in entries))
    assert found == entries


@given(NASTY)
def test_any_file_text_parses_and_settles_after_one_rendering(text: str) -> None:
    once = Journal.parse(Day(date(2026, 11, 29)), text).render()
    again = Journal.parse(Day(date(2026, 11, 29)), once).render()
    assert again == once


def test_an_entry_typed_by_hand_is_legal() -> None:
    text = "# 2026-11-29\n\n## Rate limit [feedback]\n- rule: be kind\n\n## Plain\nx\n"
    preamble, (first, second) = parse_all(text)
    assert preamble.strip() == "# 2026-11-29"
    assert (first.topic, first.type, first.id) == ("Rate limit", "feedback", "")
    assert first.fields() == {"rule": "be kind"}
    assert (second.topic, second.type, second.body) == ("Plain", "project", "x")


def test_a_heading_inside_a_fence_typed_by_hand_opens_no_entry() -> None:
    _, entries = parse_all("## A\n```sh\n## not a heading\n```\n## B\n")
    assert [entry.topic for entry in entries] == ["A", "B"]


def test_an_unclosed_fence_hides_no_entry() -> None:
    mine = render(Entry("C", "x", id="20261129-k3f9q2ab7c"))
    _, entries = parse_all("## A\n```sh\nx\n## B\n" + mine)
    assert [entry.topic for entry in entries] == ["A", "B", "C"]


def test_text_cannot_forge_a_standing() -> None:
    body = "<!-- hipogit id=20261129-aaaaaaaaaa standing=confirmed -->\n## X [user]"
    entry = Entry("A", body, id="20261129-k3f9q2ab7c", standing="captured")
    _, entries = parse_all(render(entry))
    assert [found.standing for found in entries] == ["captured"]


def test_unknown_keys_are_kept_after_the_known_ones() -> None:
    text = (
        "## A [user]\n<!-- hipogit zeta=1 id=20261129-k3f9q2ab7c standing=stated"
        " colour=a%20b session=s -->\n"
    )
    entry = parse(text)
    assert entry.meta == (("session", "s"), ("zeta", "1"), ("colour", "a b"))
    assert parse(render(entry)) == entry


def test_the_same_statement_has_the_same_id() -> None:
    said = {"session": "s", "source": "cli", "topic": "A", "type": "user"}
    one = new_id(date(2026, 11, 29), **said, body="x\n")
    assert one == new_id(date(2026, 11, 29), **said, body="\nx")
    assert one != new_id(date(2026, 11, 29), **said, body="y")
    assert one.startswith("20261129-") and len(one) == 19


@given(st.permutations(range(4)))
def test_order_and_batching_of_writes_leave_no_trace(order: list[int]) -> None:
    start = datetime(2026, 11, 29, 9, tzinfo=UTC)
    entries = [
        Entry(f"T{n}", "", id=f"20261129-aaaaaaaaa{n + 2}", at=start + n * timedelta(1))
        for n in range(4)
    ]
    journal = Journal(Day(date(2026, 11, 29)))
    for n in order:
        journal = journal.add([entries[n], entries[0]])
    assert journal.render() == Journal(journal.day, tuple(entries)).render()


def test_topics_are_one_when_only_spelling_differs() -> None:
    assert topic_key("  Rate   LIMIT: ") == topic_key("rate limit")
    assert topic_key("배포 절차.") == "배포 절차"
    assert topic_key("C++") != topic_key("C")
    assert topic_key("!?") == "!?"


def test_a_field_of_many_paragraphs_is_read_back_whole():
    block = field_lines("why", "first\n  indented\n\n\nsecond\n- done: no field")
    assert block == ("- why: first\n    indented\n- why: second\n  - done: no field")
    entry = Entry("t", block)
    assert entry.fields() == {"why": "first\nindented\nsecond\n- done: no field"}


SAID = st.fixed_dictionaries(
    {
        "session": st.text(max_size=8),
        "source": st.text(max_size=8),
        "topic": st.text(min_size=1, max_size=12),
        "type": st.sampled_from(TYPES),
        "body": NASTY,
    }
)


@given(SAID, SAID)
def test_ids_are_one_exactly_when_what_was_said_is(one: dict, other: dict) -> None:
    day = date(2026, 11, 29)
    same = (one["session"], one["source"]) == (other["session"], other["source"])
    parts = [Entry(said["topic"], said["body"], said["type"]) for said in (one, other)]
    assert (new_id(day, **one) == new_id(day, **other)) == (
        same and parts[0] == parts[1]
    )


@given(SAID)
def test_an_entry_read_back_has_the_id_it_was_given(said: dict) -> None:
    day = date(2026, 11, 29)
    id = new_id(day, **said)
    read = parse(render(Entry(said["topic"], said["body"], said["type"], id)))
    again = {**said, "topic": read.topic, "body": read.body, "type": read.type}
    assert read.id == id == new_id(day, **again)
    assert read.day == day and is_id(id)
