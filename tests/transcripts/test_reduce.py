"""What is kept of an answer: decisions and outcomes, few and short, in any language."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hipogit.transcripts import reduce
from hipogit.transcripts.reduce import MOST_BYTES, MOST_LINES, chosen, said

DECISIONS = {
    "english": "We decided to keep the token bucket.",
    "instead": "I used a sliding window instead of a fixed one.",
    "reason": "The key is the account id because NAT hides many clients.",
    "korean": "저장소는 프로세스 메모리로 하기로 했습니다.",
    "korean label": "결정: 버킷 키는 account_id",
    "japanese": "キャッシュは Redis を採用します。",
    "chinese": "决定使用令牌桶算法。",
    "german": "Wir haben uns für SQLite entschieden, fertig.",
    "spanish": "Decidí usar SQLite en lugar de Redis.",
}
OUTCOMES = {
    "english": "Fixed the flaky test in tests/test_rate.py.",
    "cause": "Root cause: the limiter shared one clock.",
    "reported": "Fixed the bug you reported.",
    "failed": "Two tests still fail on Windows.",
    "korean": "속도 제한 구현 완료, 테스트 4개 통과.",
    "korean fix": "빈 REGION 처리를 수정했습니다.",
    "japanese": "設定ファイルの誤りを修正しました。",
    "chinese": "已解决内存泄漏问题。",
    "french": "Bug corrigé dans le module de paiement.",
}
NEITHER = {
    "question": "Should we use Redis because it is shared?",
    "intention": "Let me check whether the tests pass.",
    "plan": "I'll add the missing test now.",
    "advice": "You can buy a pass at the station, because it is done by hand.",
    "adjective": "It uses a fixed window.",
    "korean advice": "테스트를 통과하면 배포를 완료하세요.",
    "code": "```python\nfixed = True  # decided because of this\n```",
    "open fence": "~~~\ndone\ndecided\n",
    "table": "| fixed | because |",
    "diff": "--- a/fixed.py because",
    "trace": '  File "app.py", line 3, in done',
    "listing": "-rw-r--r-- 1 dev dev 42 Nov 29 done.txt",
}


@pytest.mark.parametrize("prose", DECISIONS.values(), ids=DECISIONS)
def test_decisions_are_found(prose):
    assert [part.kind for part in said(prose)] == ["decision"]


@pytest.mark.parametrize("prose", OUTCOMES.values(), ids=OUTCOMES)
def test_outcomes_are_found(prose):
    assert [part.kind for part in said(prose)] == ["outcome"]


@pytest.mark.parametrize("prose", NEITHER.values(), ids=NEITHER)
def test_questions_intentions_and_code_are_neither(prose):
    assert [part for part in said(prose) if part.kind] == []


def test_setting_something_is_an_outcome_not_a_decision():
    assert [part.kind for part in said("보관 기간을 설정했습니다.")] == ["outcome"]
    assert [part.kind for part in said("이름은 limiter로 정했습니다.")] == ["decision"]


def test_marks_of_lists_and_emphasis_are_taken_off():
    assert said("1. **Fixed** the `limiter`.")[0].text == "Fixed the `limiter`."
    assert said("> - [x] Fixed the limiter.")[0].text == "Fixed the limiter."


def test_a_reply_without_any_mark_gives_its_first_sentence():
    parts = said("Der Dienst läuft auf Port 80. Mehr steht im Handbuch.")
    assert chosen([], parts) == ((), ("Der Dienst läuft auf Port 80.",))


@pytest.mark.parametrize(
    "prose",
    [
        "What a great idea!",
        "Hello! How can I help you today?",
        "Yes.",
        "Here are the options:",
        "You can take the train to the city.",
        "Kraków lies on the river. " + "It has a castle and many old houses. " * 20,
    ],
    ids=["praise", "greeting", "yes", "list", "advice", "essay"],
)
def test_pleasantries_advice_and_essays_leave_nothing(prose):
    assert said(prose) == []


def test_the_last_reply_comes_first_when_there_is_too_much():
    early = [s for n in range(30) for s in said(f"Fixed the bug number {n} in a.py.")]
    _, outcomes = chosen(early, said("Fixed the last one. We decided to stop here."))
    assert len(outcomes) <= MOST_LINES
    assert outcomes[-1] == "Fixed the last one."


def test_the_same_sentence_is_kept_once():
    parts = said("Fixed the limiter. Fixed the limiter.")
    assert chosen(parts, parts) == ((), ("Fixed the limiter.",))


def test_a_long_sentence_is_cut_at_a_word():
    (part,) = said("Fixed " + "the limiter and " * 100)
    assert len(part.text) <= 300
    assert part.text.endswith("…")


@settings(max_examples=150, deadline=None)
@given(
    st.lists(
        st.text(max_size=300)
        | st.lists(
            st.sampled_from([*DECISIONS.values(), *OUTCOMES.values()]), max_size=12
        ).map("\n".join),
        max_size=6,
    )
)
def test_a_turn_never_grows_beyond_its_bounds(replies):
    parts = [said(reply) for reply in replies]
    before = [s for part in parts[:-1] for s in part]
    decisions, outcomes = chosen(before, parts[-1] if parts else [])
    lines = [*decisions, *outcomes]
    assert len(lines) <= MOST_LINES
    assert sum(len(line.encode()) + 1 for line in lines) <= MOST_BYTES
    assert all("\n" not in line and line.strip() for line in lines)
    thin = reduce.thinned(before)
    assert len(thin) <= len(before)


def test_no_half_of_a_long_token_is_kept():
    token = "A1b2" * 100
    assert said(f"Fixed the header {token} of it.")[0].text == "Fixed the header …"
    assert said(f"Fixed: {token}")[0].text == "Fixed: …"
    korean = "수정했습니다그리고" * 60
    assert said(korean)[0].text == korean[:299] + "…"


def test_marks_inside_a_word_stay():
    assert said("Fixed a__b**c and **d__e**.")[0].text == "Fixed a__b**c and d__e."
