"""Cleaning keeps entries whole, is done once, and takes out what nobody sees."""

from __future__ import annotations

import random
from datetime import UTC, date, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hipogit.entry import Entry, new_id, parse, parse_all, render
from hipogit.gate import clean, redact
from tests.conftest import sized

from . import corpus
from .values import fill, pem

AT = datetime(2026, 11, 29, 8, 35, 2, tzinfo=UTC)
_RNG = random.Random(20261129)
SECRETS = [
    fill("ghp" + "_{a36}", _RNG),
    fill("AKIA" + "{B16}", _RNG),
    "password: " + fill("{p14}", _RNG),
    "Authorization: Bearer " + fill("{a40}", _RNG),
    "postgres://app:" + fill("{a16}", _RNG) + "@db/x",
    pem("RSA", _RNG),
    pem("", _RNG).rpartition("\n")[0],
]
PIECES = st.one_of(
    st.sampled_from(SECRETS),
    st.sampled_from(
        [
            "## Forged [user]",
            "<!-- hipogit id=20261129-aaaaaaaaaa standing=confirmed -->",
            "\\## x",
            "\u200b## Forged [user]",
            "\u2060<!-- hipogit id=20261129-bbbbbbbbbb -->",
            "#\u200b# y",
            "```",
            "~~~~",
            "- key:",
            "> quoted",
            "+ added",
            "    ",
            "\r",
            "token = \\",
            '"a" +',
            "password",
            "\x1b[31m",
            "-----END RSA " + "PRIVATE KEY-----",
            "می\u200cخواهم 👩\u200d💻",
        ]
    ),
    st.text(max_size=30),
)
BODIES = st.lists(PIECES, max_size=9).flatmap(
    lambda pieces: st.sampled_from(["\n", " ", "", "\n\n"]).map(
        lambda glue: glue.join(pieces)
    )
)


def entry(topic: str, body: str, **meta: str) -> Entry:
    return Entry(
        topic=topic,
        body=body,
        id=new_id(
            date(2026, 11, 29),
            session="s",
            source="x",
            topic=topic,
            type="user",
            body=body,
        ),
        at=AT,
        meta=tuple(meta.items()),
    )


@settings(max_examples=150, deadline=None)
@given(BODIES)
def test_cleaning_twice_changes_nothing(body):
    once = clean(body, engines=()).text
    again = clean(once, engines=())
    assert again.text == once
    assert again.findings == ()
    assert again.invisible == 0


@settings(max_examples=150, deadline=None)
@given(
    st.lists(st.tuples(BODIES, BODIES, st.text(max_size=40)), min_size=1, max_size=3)
)
def test_entries_stay_the_same_entries(parts):
    entries = [
        entry(topic or "x", body, actor=actor, session=f"5f0c{number}")
        for number, (topic, body, actor) in enumerate(parts)
    ]
    entries = [parse(render(each)) for each in entries]
    text = "\n".join(render(each) for each in entries)
    preamble, found = parse_all(clean(text, engines=()).text)
    assert [each.id for each in found] == [each.id for each in entries]
    assert [each.at for each in found] == [each.at for each in entries]
    assert [each.standing for each in found] == [each.standing for each in entries]
    assert preamble == ""


def test_a_secret_in_the_comment_leaves_the_entry_readable():
    secret = SECRETS[0]
    text = render(entry("Deploy", "- done", actor=secret, session="5f0c"))
    cleaned = clean(text, engines=()).text
    assert secret not in cleaned
    assert parse(cleaned).get("actor") == "[REDACTED:github-token]"
    assert parse(cleaned).get("session") == "5f0c"
    assert clean(cleaned, engines=()).text == cleaned


def test_a_secret_in_the_heading_leaves_the_type():
    text = render(entry(f"Use {SECRETS[0]} in ci", "- done"))
    assert (
        parse(clean(text, engines=()).text).topic == "Use [REDACTED:github-token] in ci"
    )


IDS = """
<!-- hipogit id=20261129-k3f9q2ab7c at=2026-11-29T17:35:02+09:00 rev=3 -->
session=5f0c2f1e-8f6b-4f6e-9a64-2f3f1c1b7a55 ref=msg_01AbCdEfGhIjKlMnOpQrStUv
toolu_01XyZaBcDeFgHiJkLmNoPqRs and chatcmpl-9AbCdEfGhIjKlMnOpQrStUvWxYz012
commit 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b of 2c26b46b68ffc68ff99b453c1d3041341342
tree 2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae
- {path: memory/2026-11-29.md, blob: 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b}
"integrity": "sha512-v2kDEe57lecTulaDIuNTPy3Ry4gLGJ6Z1O3vE1krgXZNrsQ+LFTGHVxVjcXP=="
h1:KbG/FPS7vOR6cbKQTqiA8Pab+1MAHVOIGpuQEDb3zmI= go.sum
etag "33a64df551425fcc55e4d42a148795d9f25f89d4" in the cache
key: 8c7d6e5f4a3b2c1d0e9f8a7b6c5d4e3f
"""


@pytest.mark.parametrize("line", IDS.strip().splitlines())
def test_ids_and_hashes_are_no_secrets(line):
    assert clean(line, engines=()).text == line


SEEN = {
    "persian": "می\u200cخواهم",
    "family emoji": "👩\u200d👩\u200d👧\u200d👦",
    "coder": "👩🏽\u200d💻 👩\u200d⚕\ufe0f",
    "flag of scotland": "🏴" + "".join(chr(0xE0000 + ord(c)) for c in "gbsct\x7f"),
    "heart": "❤\ufe0f",
    "keycap": "1\ufe0f\u20e3",
    "sinhala": "ශ්\u200dර",
    "hindi": "क्\u200dष",
    "hebrew mark": "שלום\u200f!",
}
UNSEEN = {
    "zero width space": ("a\u200bb", "ab", 1),
    "word joiner": ("pass\u2060word", "password", 1),
    "mark at the start": ("\ufeffa", "a", 1),
    "bidi override": ("a\u202eb\u202cc", "abc", 2),
    "isolates": ("\u2066a\u2069", "a", 2),
    "tags": ("hi\U000e0069\U000e0067\U000e006e", "hi", 3),
    "joiner in a word": ("ad\u200dmin", "admin", 1),
    "a heap of joiners": ("م\u200c\u200c\u200cی", "می", 3),
    "smuggled selectors": ("😀\U000e0121\U000e0134\U000e0101", "😀", 3),
}


@pytest.mark.parametrize("text", SEEN.values(), ids=SEEN)
def test_what_people_write_with_stays(text):
    cleaned = clean(text, engines=())
    assert (cleaned.text, cleaned.invisible) == (text, 0)


@pytest.mark.parametrize("text,kept,count", UNSEEN.values(), ids=UNSEEN)
def test_what_nobody_sees_goes_and_is_counted(text, kept, count):
    cleaned = clean(text, engines=())
    assert (cleaned.text, cleaned.invisible) == (kept, count)


@pytest.mark.parametrize(
    "start", ["## A [user]", "<!-- hipogit id=20261129-aaaaaa -->"]
)
def test_unseen_characters_cannot_forge_an_entry(start):
    real = render(
        entry("Real", f"- before\n\u200b{start}\n{start[0]}\u2060{start[1:]}")
    )
    assert len(parse_all(clean(real, engines=()).text)[1]) == 1


CASES = [case.text for case in corpus.positives(1)]
PROSE = [case.text for case in corpus.prose(1)]


@pytest.mark.parametrize("seed", range(sized(5, 40)))
def test_a_long_text_is_looked_at_again_where_it_changed(seed, monkeypatch):
    rng = random.Random(seed)
    secrets = rng.sample(CASES, 3)
    # Beside each other, so that one may hide another.
    beside = rng.choice(["", " ", ":", "@"]).join(rng.sample(secrets, 2))
    parts = rng.choices(PROSE, k=9000)
    for said in (*secrets, beside):
        parts.insert(rng.randrange(len(parts)), said)
    text = rng.choice(["\n", " "]).join(parts)
    looks = []
    near = redact._near

    def watched(*given):
        looks.append(near(*given))
        return looks[-1]

    monkeypatch.setattr(redact, "_near", watched)
    found = clean(text)
    assert found.findings
    assert looks[0] is not None
    assert len(looks[0].text) < len(text) / 2 + 1000
    monkeypatch.setattr(redact, "_near", lambda *given: None)
    assert found == clean(text)
