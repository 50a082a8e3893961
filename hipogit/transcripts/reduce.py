"""An assistant's prose reduced to the sentences that say what was decided or done.

Deterministic and without a model: a sentence is kept when it carries a mark of a
decision (decided, because, 결정, 하기로) or of an outcome (fixed, root cause, 완료).
Code, tables, diffs, listings and stack traces are left out, questions and announced
intentions too. A reply without any mark gives its first sentence, so that languages
without marks here are remembered as well.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass

from .. import words

MOST_LINES = 6
MOST_BYTES = 1000
_LONGEST_SENTENCE = 300
_SHORT_REPLY = 600
_LONGEST_PROSE = 64 * 1024
_KEPT_ON_THE_WAY = 60


def _marks(whole: str, beginnings: str, anywhere: str) -> re.Pattern[str]:
    """Marks in a lower-case sentence: whole words, beginnings of words, and strings."""
    return re.compile(rf"\b(?:(?:{whole})\b|{beginnings})|{anywhere}")


_DECIDED = _marks(
    r"decisions?|decided|chose|settled on|went with|opted|agreed|from now on"
    r"|(?:we will|we'll) (?:use|keep|go)|decidí|decidimos|entschieden|deciso|решено",
    r"décidé|решил",
    r"결정|하기로|(?:^|\s)정했|채택|선택했|決定|決め|ことにし|採用|决定|决策|采用|改用|选择了",
)
_PREFERRED = _marks(
    r"instead of|rather than|will use|going with", r"preferred", r"대신|代わりに"
)
_REASON = _marks(
    r"because|so that|trade-?offs?|porque|weil|потому",
    r"parce qu",
    r"이유|때문|위해|理由|ため|因为|原因是",
)
_SOLVED = _marks(
    r"(?<!a )(?<!the )fixed|done|root cause|resolved|caused by|merged|deployed"
    r"|reverted|turned out|works now|behoben|erledigt|risolto|готово|сделано",
    r"corregid|resuelt|corrigé|résolu|исправ",
    r"완료|수정했|고쳤|해결|원인|배포했|마쳤|끝냈"
    r"|完了|修正し|直し|解決|原因|修复|已解决|根本原因",
)
_FINISHED = _marks(
    r"completed|finished|released|passes|passed|passing|(?:tests|checks|all) pass"
    r"|fails?|failed|failing|failures?",
    r"succeed",
    r"통과|실패|成功|失敗|完成|通过了|失败",
)
_CHANGED = _marks(
    r"added|implemented|removed|renamed|updated|changed|created|verified|moved"
    r"|replaced|set to|configured",
    r"hinzugefügt|añadid|ajout|добав",
    r"추가했|구현했|변경했|바꿨|바꾸고|삭제했|적용했|설정했|반영했|만들었|옮겼|확인했"
    r"|追加し|実装し|変更し|削除し|設定し|添加了|实现了|已添加|修改了|删除了",
)
# Advice to the user uses the words of work done; only the surest marks count there.
_ADVICE = _marks(r"you|your|yours|you'll|you'd|you're|tu|vous|sie|ihr", r"yourself",
    r"세요|십시오|ください|您|请")  # fmt: skip
# Which kind a mark tells, how surely, and whether it counts anywhere in advice.
_KINDS = (
    ("decision", 4, _DECIDED, True),
    ("outcome", 4, _SOLVED, False),
    ("decision", 3, _PREFERRED, False),
    ("outcome", 3, _FINISHED, False),
    ("decision", 2, _REASON, False),
    ("outcome", 2, _CHANGED, False),
)
_INTENTION = re.compile(
    r"(?:let me|let's|i'll|i will|i am going to|i'm going to|next,? i|now i|first,? i"
    r"|would you|should i|do you)\b|먼저\s|이제\s|次に|まず|接下来|让我",
    re.IGNORECASE,
)
# Exclamations, and what is too short to tell anything.
_PLEASANT = re.compile(r"[!！:：]\W*\Z|\A(?:.{0,3}|[ -~]{0,8})\Z", re.DOTALL)
_FENCE = re.compile(r"[ \t]{0,3}(`{3,}|~{3,})")
_NOISE = re.compile(
    r"\||@@|diff --git|Traceback |File \"|at [^\s(]+ ?\(|<!--|</?[a-z-]+>\Z"
    r"|[-+]{3} |[-d][rwx-]{9}"
)
_MARKER = re.compile(r"(?:#{1,6}\s+|>\s+|[-*+•]\s+|\d{1,3}[.)]\s+|\[[ xX]\]\s+)")
# Only around words: marks inside one may belong to a secret that the gate knows whole.
_EMPHASIS = re.compile(r"(?<!\w)(?:\*\*|__)(?=\w|`)|(?<=[\w`.!?:)])(?:\*\*|__)(?!\w)")
_HALF_TOKEN = re.compile(r"[!-~]")
_HALF_TOKEN_BEFORE = re.compile(r"(?<![!-~])[!-~]+\Z")


@dataclass(frozen=True, slots=True)
class Said:
    """A sentence worth keeping: which kind, how surely, and its words."""

    kind: str  # "decision", "outcome" or "" for a reply's first sentence
    weight: int
    text: str


def plain(line: str) -> str:
    """A line without list marks, heading marks and emphasis."""
    line = line.strip()
    start = 0
    while match := _MARKER.match(line, start):
        start = match.end()
    return _EMPHASIS.sub("", line[start:]).strip()


def sentences(prose: str, injected: Container[str] = frozenset()) -> Iterator[str]:
    """The sentences of prose, without code and without lines that were injected."""
    if len(prose) > 2 * _LONGEST_PROSE:
        prose = prose[:_LONGEST_PROSE] + "\n" + prose[-_LONGEST_PROSE:]
    fence = ""
    for raw in prose.replace("\r\n", "\n").replace("\r", "\n").split("\n"):
        if match := _FENCE.match(raw):
            if not fence:
                fence = match[1]
            elif match[1].startswith(fence):
                fence = ""
            continue
        if fence or _NOISE.match(raw.strip()):
            continue
        line = plain(raw)
        if not line or line in injected:
            continue
        yield from (s for s in words.sentences(line) if s not in injected)


def said(prose: str, injected: Container[str] = frozenset()) -> list[Said]:
    """What one reply decided or did, and its first sentence when that is nothing."""
    found: list[Said] = []
    first = ""
    for sentence in sentences(prose, injected):
        if words.is_question(sentence) or _INTENTION.match(sentence):
            continue
        lower = sentence.lower()
        advice = _ADVICE.search(lower) is not None
        if not (first or advice or _PLEASANT.search(sentence)):
            first = sentence
        for kind, weight, marks, in_advice in _KINDS:
            mark = marks.search(lower)
            if mark and (in_advice or not advice or mark.start() == 0):
                found.append(Said(kind, weight, _cut(sentence)))
                break
    # A long reply without a mark explains; its first sentence is no result.
    if not found and first and len(prose) <= _SHORT_REPLY:
        found.append(Said("", 0, _cut(first)))
    return found


def thinned(parts: list[Said]) -> list[Said]:
    """The same, short enough to carry along through a very long turn."""
    return _best(parts, _KEPT_ON_THE_WAY, MOST_BYTES * 20)


def chosen(
    parts: Iterable[Said], last: Iterable[Said]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Decisions and outcomes of a turn: its surest sentences, the last reply's first.

    At most MOST_LINES lines and MOST_BYTES bytes in all, in the order they were said.
    """
    closing = [Said(s.kind, s.weight + 1, s.text) for s in last]
    told = [s for s in (*parts, *closing) if s.kind]
    if not told:
        told = [Said("outcome", s.weight, s.text) for s in closing[:1]]
    best = _best(told, MOST_LINES, MOST_BYTES)
    return (
        tuple(s.text for s in best if s.kind == "decision"),
        tuple(s.text for s in best if s.kind == "outcome"),
    )


def _best(parts: Iterable[Said], lines: int, size: int) -> list[Said]:
    # Said again, a sentence counts where it was said last.
    latest = {s.text: (n, s) for n, s in enumerate(parts)}
    ranked = sorted(latest.values(), key=lambda pair: (-pair[1].weight, -pair[0]))
    kept: list[tuple[int, Said]] = []
    for number, part in ranked:
        cost = len(part.text.encode("utf-8", "replace")) + 1
        if len(kept) < lines and cost <= size:
            kept.append((number, part))
            size -= cost
    return [part for _, part in sorted(kept, key=lambda pair: pair[0])]


def _cut(sentence: str) -> str:
    sentence = " ".join(sentence.split())
    if len(sentence) <= _LONGEST_SENTENCE:
        return sentence
    head, rest = sentence[: _LONGEST_SENTENCE - 1], sentence[_LONGEST_SENTENCE - 1 :]
    # Half a token would pass the gate where the whole one is known as a secret.
    if not _HALF_TOKEN.match(rest):
        return head + "…"
    return _HALF_TOKEN_BEFORE.sub("", head) + "…"
