"""What stays in the journal: marked entries, and bulk that shrinks to a pointer."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hipogit.tree.promote import marked, promoted, shrink
from hipogit.view import MemoryView

from .helpers import built, entry, journals, tree_text

DAY = "2026-11-29"


@pytest.mark.parametrize(
    ("topic", "body"),
    [
        ("Probe [temporary]", "x"),
        ("(test run) new queue", "x"),
        ("Temporary: staging key rotation", "x"),
        ("temporary", "x"),
        ("queue", "(delete later)\nx"),
        ("queue", "[Test run] measured 20 ms"),
        ("queue", "decided something\ndelete later"),
        ("queue", "- status: temporary\n- decisions: none"),
        ("queue", "- temporary: yes"),
        ("queue #temporary", "x"),
        ("큐 [임시]", "x"),
        ("임시: 큐 설정", "x"),
        ("큐", "테스트 중"),
        ("큐", "- 상태: 테스트 중"),
        ("큐", "(나중에 삭제)\n내용"),
        ("큐 #나중에삭제", "x"),
    ],
)
def test_a_mark_keeps_an_entry_out_of_the_tree(topic, body):
    assert marked(entry(DAY, topic, body))


@pytest.mark.parametrize(
    ("topic", "body"),
    [
        ("temporary tables", "- decisions: decided on temporary tables"),
        ("queue", "We use temporary tables and a test run each night."),
        ("queue", "- decisions: delete later duplicates, keep the first"),
        ("queue", "- outcome: test run passed"),
        ("Delete later than ninety days", "x"),
        ("queue", "the (temporary) table is dropped at commit"),
        ("큐", "임시 테이블을 쓰기로 결정했다"),
        ("큐", "테스트 중 오류를 고쳤다"),
        ("임시 저장 기능", "자동 저장"),
        ("contemporary art", "#temporaryblue is a colour"),
    ],
)
def test_a_sentence_that_uses_the_word_is_no_mark(topic, body):
    assert marked(entry(DAY, topic, body)) == ""


def test_an_answer_in_a_conversation_is_no_mark():
    talk = "User: which label?\nAssistant: pick one\nUser: temporary"
    assert not marked(entry(DAY, "labels", talk, standing="captured"))
    assert marked(entry(DAY, "labels [temporary]", talk, standing="captured"))


def test_a_mark_in_the_comment_counts():
    assert marked(entry(DAY, "x", "y", mark="test-run")) == "test-run"


def test_withdrawn_and_marked_entries_are_nowhere_in_the_tree():
    view, _ = built(
        MemoryView(
            journals(
                entry(DAY, "kept", "visible wombat"),
                entry(DAY, "gone [temporary]", "hidden numbat", "feedback", 1),
                entry(DAY, "(retracted)", "hidden quokka", "user", 2, "retracted"),
                entry(
                    DAY, "(superseded)", "hidden bilby", second=3, standing="superseded"
                ),
            )
        ),
        DAY,
    )
    text = tree_text(view)
    assert "wombat" in text
    for word in ("numbat", "quokka", "bilby"):
        assert word not in text
    assert not promoted(entry(DAY, "x", "y", standing="purged"))


CODE = "```python\n" + "\n".join(f"line_{n} = {n}" for n in range(8)) + "\n```"
TRACE = (
    "Traceback (most recent call last):\n"
    '  File "app.py", line 3, in <module>\n    main()\n'
    '  File "app.py", line 1, in main\n    raise ValueError("no key")\n'
    "ValueError: no key"
)
JAVA = "java.lang.IllegalStateException: closed\n" + "\n".join(
    f"\tat com.shop.Api.call{n}(Api.java:{n})" for n in range(4)
)
LOG = "\n".join(
    f"2026-11-29 10:00:0{n} {'ERROR disk full' if n == 2 else 'INFO ok'}"
    for n in range(6)
)
FILES = "src\n├── api\n│   ├── limits.py\n│   └── keys.py\n└── app.py"
DIFF = "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n-old\n+new\n same"


@pytest.mark.parametrize(
    ("bulk", "kind", "kept"),
    [
        (CODE, "code, python: 8 lines", ""),
        (TRACE, "stack trace: 6 lines", "ValueError: no key"),
        (JAVA, "stack trace: 4 lines", "IllegalStateException: closed"),
        (LOG, "log: 6 lines", "ERROR disk full"),
        (FILES, "file tree: 4 lines", ""),
        (DIFF, "diff: 7 lines", ""),
    ],
    ids=["code", "python", "java", "log", "files", "diff"],
)
def test_bulk_shrinks_to_a_pointer_and_the_error(bulk, kind, kept):
    text = shrink(f"before\n{bulk}\nafter", "memory/2026-11-29.md")
    assert text.startswith("before\n") and text.endswith("\nafter")
    assert f"[{kind}, see memory/2026-11-29.md]" in text
    assert kept in text
    assert text.count("\n") <= 4


@pytest.mark.parametrize(
    "text",
    [
        "```\none\ntwo\n```",
        "- a\n- b\n- c\n- d\n- e\n- f",
        "at first it worked\nat last it did not",
        "10:00:00 standup\n11:00:00 review",
        "```\nnever closed",
    ],
    ids=["short code", "list", "prose with at", "two times", "open fence"],
)
def test_small_and_ordinary_text_stays(text):
    assert shrink(text, "x") == text


@given(st.text(alphabet="`~-+ \nat├E2:[]()dif@", max_size=200))
def test_shrinking_twice_changes_nothing_more(text):
    once = shrink(text, "j")
    assert shrink(once, "j") == once


def test_feedback_is_never_shrunk():
    view, _ = built(MemoryView(journals(entry(DAY, "style", CODE, "feedback"))), DAY)
    assert "line_7 = 7" in view.read("memory/daily/2026-11-29.md")
    assert "line_7 = 7" in view.read("memory/topics/rules.md")
