"""Words that carry meaning: sentences, keywords, and what a person said of themselves.

Works for languages with and without blanks between words. Nothing here is learnt: the
same text gives the same words in every clone. Stop words are function words and the
small change of conversation ("recommend", "thanks"), the part that says nothing about
what the talk was about.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache

_HAN = "\u3005\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_KATAKANA = "\u30a1-\u30ff\uff66-\uff9f"
_HIRAGANA = "\u3041-\u309f"
_HANGUL = "\uac00-\ud7a3"
# Vowel signs of Thai and Indic scripts are no \w, yet part of their word.
_MARKS = "\u0300-\u036f\u0900-\u0e7f\u1ab0-\u1aff\u1dc0-\u1dff"
_LETTER = rf"(?:[^\W_{_HAN}{_KATAKANA}{_HIRAGANA}{_HANGUL}{_MARKS}]|[{_MARKS}])"


def _set(text: str) -> frozenset[str]:
    return frozenset(text.split())


def _longest_first(text: str) -> tuple[str, ...]:
    return tuple(sorted(text.split(), key=lambda part: (-len(part), part)))


_TOKEN = re.compile(
    rf"(?P<hangul>[{_HANGUL}]+)"
    rf"|(?P<han>[{_HAN}]+)"
    rf"|(?P<katakana>[{_KATAKANA}]{{2,}})"
    rf"|(?P<word>{_LETTER}+(?:[._/@:'’+#&-]+{_LETTER}+)*[+#]{{0,2}})"
)

# A full stop ends a sentence only before a blank; ideographic ones always do.
_SENTENCE = re.compile(r"(?<=[.!?…])[\"'”’)\]]*\s+|(?<=[。！？])")
_BULLET = re.compile(r"^(?:[-*+>#|]+\s+|\d{1,3}[.)]\s+)+")
_FENCE = re.compile(r"^ {0,3}(```+|~~~+).*?(?:^ {0,3}\1[`~]*\s*$|\Z)", re.M | re.S)

_TURN = re.compile(r"^(User|Assistant): ?", re.MULTILINE)
_USER_FIELD = re.compile(r"^- user: ?(.*(?:\n  .*)*)", re.MULTILINE)

STOP = _set(
    """
a about above across actually after again ago ah all almost along already also
always am amazing among an and another any anyone anything anyway are aren't around
as ask asked asking at available away awesome back be became because become been
before being below besides best better between big bit both but by bye came can
can't certain certainly come comes coming consider considering could couldn't
course curious currently d definitely did didn't different do does doesn't doing
don't done down due during each either else enough especially etc even ever every
everyone everything exactly example excited explore far feel feeling feels few find
finding first focus for found from further gave general generally get gets getting
give given gives giving glad go goes going gonna good got gotten great guess had
hadn't happy has hasn't have haven't having he he'd he'll he's hear heard hello
help helped helpful helping her here here's hers herself hey hi him himself hmm his
hope hoping how how's however i i'd i'll i'm i've idea ideas if important in
include including indeed information instead interested interesting into is isn't
it it'd it'll it's its itself just keep keeping kind kinda know known last lately
later least less let let's like likely list ll long look looking looks lot lots
love lovely m made main mainly make makes making many may maybe me mean means
mention mentioned mentioning might mine more most mostly much must my myself name
need needed needs never new next nice no none nor not nothing now of off offer oh
ok okay on once one ones only onto options or other others our ours out over own
part particular particularly people perfect perhaps place plan planning please plus
point possible pretty probably provide put quite rather re really recent recently
recommend recommendation recommendations recommended regarding right s said same
saw say saying says see seem seems seen set several shall share she she'd she'll
she's should shouldn't since small so some someone something sometimes soon sort
sound sounds speaking specific specifically start started starting still stuff such
suggest suggested suggestion suggestions sure t take takes taking talk talked
talking tell than thank thanks that that'd that's the their theirs them themselves
then there there's these they they'd they'll they're they've thing things think
thinking this those though thought through time times tip tips to today together
told too took totally toward towards tried try trying type types under understand
unless until up upon us use used useful using usually ve very via wanna want wanted
wants was wasn't way ways we we'd we'll we're we've well went were weren't what
what's whatever when when's whenever where where's whether which while who who's
whole whom whose why will wish with within without won't wonder wondering work
worked working works worth would wouldn't wow yeah yep yes yet you you'd you'll
you're you've your yours yourself add added based bring check create current
details discuss easy effective enjoy ensure experience explain fit follow forward
fun happen happened hard high learn learning level local low notice noticed open
option popular ready regular remember research resource resources similar simple
sense show sign step steps stop support top understanding unique various wide wrong
year years month months week weeks day days hour hours minute minutes user
assistant session der die das den dem des ein eine einen einem einer und oder aber
nicht ist sind war ich du er sie es wir ihr mein meine meinen dein sein im auf aus
bei mit nach von vor zu zum zur für über dass wenn wie wer auch noch nur schon sehr
kann habe haben hat wird werden bitte danke mir mich dir uns le la les un une de et
ou mais ne pas est sont était je tu il elle nous vous ils elles mon ma mes ton ta
son sa ses notre votre leur dans sur avec pour par sans que qui quoi dont où ce
cette ces cela ça très aussi bien peut être avoir fait faire ai avons merci el los
las una unos unas y o pero era yo tú él ella nosotros ustedes mi mis su sus nuestro
en con por para sin quien cual como cuando donde este esta estos esto más muy
también puede hacer ha hemos gracias favor um uma umas e mas não é são eu ele ela
nós você meu minha seu sua em na nos nas com sem isso isto muito também pode fazer
obrigado lo gli uno ed non sono io lui lei noi mio mia tuo suo nel nella per che
questo questa più molto anche può fare ho grazie 그리고 그러나 하지만 그래서 그런데
그럼 이제 지금 오늘 내일 어제 정말 너무 아주 매우 조금 좀 더 또 다시 바로 이거 그거
저거 이것 그것 저것 여기 거기 저기 무엇 어떤 어떻게 왜 누구 언제 어디 나 너 저 우리
저희 내 네 제 것 수 때 등 및 안녕 감사 부탁 있는 없는 있다 없다 하는 한 할 하기
해줘 해주세요 주세요 알려줘 같은 대한 대해 위해 통해 경우 정도 생각 나는 저는 내가
제가 이런 그런 我 你 您 他 她 它 我们 你们 他们 这 那 这个 那个 什么 怎么 为什么
可以 请 谢谢 现在 今天 明天 私 僕 俺 今日 明日 昨日 今 何 誰 人 事 物 時 方 様
"""
)

# Cut from the end of a Korean word; what stays must be two syllables or more.
_PARTICLES = _longest_first(
    """
으로써 으로서 이라고 에서는 에게는 으로는 까지는 부터는 이라는 에서 에게 까지 부터
처럼 보다 마다 으로 이랑 하고 라고 라는 에는 에도 이나 이며 이고 은 는 이 가 을 를 에 의
도 만 와 과 로 랑 나
"""
)
_PREDICATES = _set(
    """
습니다 니다 세요 에요 예요 어요 아요 해요 했다 한다 된다 였다 었다 았다 는데 지만
어서 아서 해서 하면 되면 려고 네요 군요 까요 을까 ㄹ까 죠 지요
"""
)
# Chinese writes these between the words that matter.
_GLUE = re.compile(
    "[的了是在和与及或就也都不很把被让给对从到用为我你他她它这那们吗呢吧啊]+"
)

_FIRST_PERSON = re.compile(
    r"""\b(?:i|i['’](?:m|ve|d|ll)|me|my|mine|myself|we|we['’](?:re|ve|d|ll)|our|ours|us
        |ich|mein(?:e[mnrs]?)?|mir|mich|wir|uns(?:er[emns]*)?
        |je|moi|mon|ma|mes|nous|notre|nos
        |yo|mi|mis|nosotros|nosotras|nuestr[oa]s?
        |eu|meu|minha|meus|minhas|nós|nosso|nossa
        |io|mio|mia|miei|noi|nostr[oa])\b
      |\b[jmJM]['’](?=\w)
      |(?:^|[\s,.("'])(?:나|나는|난|내|내가|나의|나도|저|저는|전|제|제가|저의|저도|우리|우리가|우리는
        |저희|저희가|저희는)(?=[\s,.]|$)
      |私|わたし|僕|ぼく|俺|うちの|自分
      |我|咱们
      |ผม|ฉัน|ดิฉัน|เรา""",
    re.IGNORECASE | re.VERBOSE,
)
_NUMBER = re.compile(r"\d")


def sentences(text: str) -> list[str]:
    """The sentences of a text without list marks; a line break ends one too."""
    found = []
    for line in text.split("\n"):
        for part in _SENTENCE.split(_BULLET.sub("", line.strip())):
            if part := part.strip():
                found.append(part)
    return found


def turns(text: str) -> list[tuple[str, str]]:
    """The (speaker, text) turns of a conversation written as `User:`/`Assistant:`."""
    parts = _TURN.split(text)
    return [
        (who, said.strip()) for who, said in zip(parts[1::2], parts[2::2], strict=True)
    ]


def statements(text: str) -> list[str]:
    """What the user said: `User:` turns, `- user:` fields, or none of either."""
    said = [text for who, text in turns(text) if who == "User"]
    if not said:
        said = [match[1].strip() for match in _USER_FIELD.finditer(text)]
    return [text for text in said if text]


def first_person(sentence: str) -> bool:
    """Whether the speaker tells something of themselves."""
    return _FIRST_PERSON.search(sentence) is not None


def is_question(sentence: str) -> bool:
    """Whether it asks."""
    return sentence.rstrip("\"'”’)] ").endswith(("?", "？"))


def words(text: str) -> list[str]:
    """The words of a text that carry meaning, as they are spelt, in their order."""
    found = []
    end = -1  # of the last word in letters or digits
    for match in _TOKEN.finditer(text):
        kind, token = match.lastgroup, match[0]
        if kind == "word":
            end = match.end()
            token = token.strip("'’.:/-&")
            if token.endswith(("'s", "’s")):
                token = token[:-2]
            if len(token) > 1 and token.replace("’", "'").casefold() not in STOP:
                found.append(token)
        elif kind == "hangul":
            # `100으로`, `30분마다`: a particle, or what is counted and one.
            token = _korean(token, 0 if match.start() == end else 2)
            if len(token) > 1 and token not in STOP:
                found.append(token)
        elif kind == "han":
            parts = _GLUE.split(token) if len(token) > 4 else [token]
            found += [part for part in parts if len(part) > 1 and part not in STOP]
        else:
            found.append(token)
    return found


def _korean(word: str, least: int) -> str:
    """The word without its particle, where that leaves so many syllables; empty for
    the verb endings of small talk."""
    if any(word.endswith(ending) for ending in _PREDICATES):
        return ""
    for particle in _PARTICLES:
        if word.endswith(particle) and len(word) - len(particle) >= least:
            return word[: -len(particle)]
    return word


@lru_cache(maxsize=1 << 16)
def same(word: str) -> str:
    """What two spellings of one word share: case, a plural or a verb ending aside."""
    folded = word.casefold().replace("’", "'")
    if folded.isascii() and folded.isalpha():
        for ending, least in (("ies", 6), ("ing", 6), ("ed", 5), ("es", 5), ("s", 4)):
            if (
                folded.endswith(ending)
                and len(folded) >= least
                and not folded.endswith("ss")
            ):
                folded = folded[: -len(ending)]
                break
        if len(folded) > 4 and folded[-1] in "ey":
            folded = folded[:-1]
    return folded


# Signs that somebody reports something that happened, rather than asks or muses.
_REPORT = re.compile(
    r"""\b(?:by\ the\ way|speaking\ of|just\ got|recently|yesterday|ago|i\ remember
        |reminds?\ me|last\ (?:week|month|year|weekend|night|summer|winter|spring|fall
        |time|\w+day)
        |(?:i|we)\ (?:just|already|finally|also|recently|actually)
        |(?:i|we)(?:['’]ve|\ have|['’]d|\ had)\ (?:been|already|just|had|finally|also)
        |(?:i|we)(?:\ \w+)?\ (?:\w{3,}ed|got|went|had|met|spent|bought|made|took|found
        |wrote|read|built|chose|saw|won|lost|ran|gave|began|came|left|paid|sold|told)
        |ich\ habe|wir\ haben|j['’]ai|nous\ avons|hemos|ayer|hier|gestern)\b
      |[았었했였갔왔샀]|ました|した。|[了过]""",
    re.IGNORECASE | re.VERBOSE,
)
_MINE = re.compile(
    r"\b(?:my|our|mein\w*|unser\w*|mon|ma|mes|mi|mis|meu|minha)\b"
    r"|제 |내 |우리 |私の|我的",
    re.I,
)
# People tell facts about themselves in passing.
_ASIDE = re.compile(
    r"\bby the way|\bspeaking of|\bbtw\b|\bincidentally|그런데 |참고로|ちなみに"
    r"|ところで|顺便|übrigens|au fait|por cierto|aliás",
    re.I,
)
_COUNT = re.compile(
    r"\d|\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty"
    r"|forty|fifty|hundred)\b",
    re.I,
)
# The fields of a typed entry that state rather than describe.
_STATES = re.compile(
    r"- (?:decisions?|rule|why|how-to-apply|outcomes?|lessons?|결정|규칙|이유|교훈|결과"
    r"|決定|決定事項|决定|教訓)[:：]",
    re.I,
)
_LABEL = re.compile(r"^- [^\W\d_][\w -]{0,30}[:：] ?", re.M)
_LONG = 500


# Each level weighs the sentences that the one below has weighed.
@lru_cache(maxsize=1 << 13)
def told(sentence: str) -> float:
    """How much a sentence tells of its speaker: facts over questions and musings."""
    weight = 1.0
    if first_person(sentence) and not is_question(sentence):
        weight *= 2
    if _MINE.search(sentence):
        weight *= 2.5
    if _STATES.match(sentence) or _REPORT.search(sentence):
        weight *= 5
    if _ASIDE.search(sentence):
        weight *= 2
    if _COUNT.search(sentence):
        weight *= 2
    return weight


def telling(text: str, limit: int) -> list[tuple[str, int]]:
    """The words that tell most of what was said, each with its tier from 0 to 3.

    The tier is relative to the most telling word of the same text: a talk about one's
    holiday and one about a library both have their tier 0.
    """
    weight: dict[str, float] = {}
    count: Counter[str] = Counter()
    spelt: dict[str, str] = {}
    for part in statements(text) or [text]:
        for line in _FENCE.sub(" ", part)[:4000].split("\n"):
            value = told(line) if _STATES.match(line) else 0.0
            for sentence in sentences(_LABEL.sub("", line)):
                if len(sentence) > _LONG:
                    continue  # a paste, not something somebody said
                worth = max(value, told(sentence))
                lead = True
                for word in words(sentence):
                    key = same(word)
                    count[key] += 1
                    spelt.setdefault(key, word)
                    looks = _looks(word, lead)
                    weight[key] = max(weight.get(key, 0.0), worth * looks)
                    lead = False
    for key in weight:
        weight[key] *= count[key] ** 0.5
    most = max(weight.values(), default=1.0)
    ranked = sorted(weight, key=lambda key: -weight[key])[:limit]
    return [(spelt[key], _tier(weight[key] / most)) for key in ranked]


def _looks(word: str, lead: bool) -> float:
    """Names tell more than other words; a small number alone tells nothing."""
    if word[0].isdigit():
        return 0.5 if len(word) < 3 and word.isdigit() else 1.5
    return 2.0 if word[0].isupper() and not lead else 1.0


def _tier(share: float) -> int:
    return 0 if share >= 0.8 else 1 if share >= 0.5 else 2 if share >= 0.3 else 3


def keywords(text: str, limit: int = 8) -> list[str]:
    """The words that say most about a text, in the order they first stand there."""
    count: Counter[str] = Counter()
    first: dict[str, tuple[int, str]] = {}
    weight: dict[str, float] = {}
    place = 0
    for sentence in sentences(_FENCE.sub(" ", text)):
        lead = True
        for word in words(sentence):
            key = same(word)
            count[key] += 1
            first.setdefault(key, (place, word))
            weight[key] = max(weight.get(key, 0.0), _weight(word, lead))
            lead = False
            place += 1
    ranked = sorted(
        first, key=lambda key: (-weight[key] * (1 + count[key]), first[key][0])
    )
    chosen = sorted(ranked[:limit], key=lambda key: first[key][0])
    return [first[key][1] for key in chosen]


def _weight(word: str, lead: bool) -> float:
    """How telling a word is by its looks: names, numbers and identifiers are."""
    if any(mark in word for mark in "._/@:#+") or (
        word[1:] != word[1:].lower() and not word.isupper()
    ):
        return 2.0
    if word[0].isupper() and not lead:
        return 2.0
    if _NUMBER.search(word):
        return 1.0
    return 1.5 if len(word) > 6 or not word.isascii() else 1.0


# One paste should not outvote the question that it came with.
_ASKED = 600


def topic_of(text: str) -> str:
    """A topic of at most eight words for a conversation: the user's own keywords."""
    said = statements(text) or [text]
    opening = keywords(said[0][:_ASKED], 8)
    if len(opening) < 4 and len(said) > 1:
        opening = keywords("\n".join(part[:_ASKED] for part in said[:4]), 8)
    if opening:
        return " ".join(opening)
    plain = " ".join(said[0].split()[:8])
    return plain[:80].strip() or "conversation"
