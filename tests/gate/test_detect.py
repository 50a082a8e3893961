"""detect-secrets as second engine: what it adds, and what it must never cost."""

from __future__ import annotations

import random
import string
import subprocess
import sys
import time
from collections.abc import Iterator
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hipogit.gate import detect, shapes
from hipogit.gate.detect import BREAK, SIZE, STEP
from hipogit.gate.detect_checks import entropic, quoted
from hipogit.gate.detect_rows import ROWS

ENGINE = detect.DetectSecrets()
ALNUM = string.ascii_letters + string.digits


def some(alphabet: str, size: int, seed: int = 7) -> str:
    chosen = random.Random(seed * 1000 + size)
    return "".join(chosen.choice(alphabet) for _ in range(size))


HEX = "0123456789abcdef"
CAUGHT = {
    "artifactory-token": f"artifactory AKC{some(ALNUM, 70)}",
    "aws-access-key": f"id AKIA{some(string.ascii_uppercase, 16)} was used",
    "aws-secret": f"aws_secret_key = '{some(ALNUM, 40)}'",
    "azure-storage-key": f"AccountName=x;AccountKey={some(ALNUM, 86)}==;E=y",
    "url-credentials": f"postgres://app:{some(ALNUM, 16)}@db.invalid/shop",
    "cloudant-key": f"cloudant_password = {some(HEX, 64)}",
    "discord-bot-token": f"MTIzNDU2Nzg5MDEyMzQ1Njc4.{some(ALNUM, 6)}.{some(ALNUM, 27)}",
    "github-token": f"use gh{'p'}_{some(ALNUM, 36)} here",
    "gitlab-token": f"glpat-{some(ALNUM, 20)}",
    "ibm-cloud-key": f"ibm_cloud_api_key: {some(ALNUM, 44)}",
    "ibm-cos-key": f"cos_secret_access_key = {some(HEX, 48)}",
    "jwt": f"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.{some(ALNUM, 43)}",
    "mailchimp-key": f"{some(HEX, 32)}-us12",
    "npm-token": f"//registry.invalid/:_authToken=npm_{some(ALNUM, 36)}",
    "openai-key": f"sk-{some(ALNUM, 20)}T3Blbk{'FJ'}{some(ALNUM, 20)}",
    "private-key": "\n-----BEGIN RSA " + "PRIVATE KEY-----",
    "pypi-token": f"pypi-AgEIcHlwaS5vcmc{some(ALNUM, 120)}",
    "sendgrid-key": f"SG.{some(ALNUM, 22)}.{some(ALNUM, 43)}",
    "slack-token": f"xox{'b'}-254748599938-215145648214-{some(ALNUM, 24)}",
    "slack-webhook": "https://hooks.slack.com/services/"
    f"T0{some(HEX, 8).upper()}/B0{some(HEX, 8).upper()}/{some(ALNUM, 24)}",
    "softlayer-key": f"softlayer_api_key: '{some(HEX, 64)}'",
    "square-secret": f"sq0csp-{some(ALNUM, 43)}",
    "stripe-key": f"sk_li{'ve'}_{some(ALNUM, 24)}",
    "telegram-bot-token": f"bot 123456780:{some(ALNUM, 35)}",
    "twilio-key": f"SK{some(HEX, 32)}",
    "quoted-credential": f'"db_password": "{some(ALNUM, 18)}"',
    "quoted-token": f"session_token = '{some(ALNUM, 40)}'",
}


@pytest.mark.parametrize("name", CAUGHT)
def test_every_plugin_gives_its_opinion(name: str) -> None:
    text = f"first line\n- note: {CAUGHT[name]}\nlast line\n"

    assert list(detect.windows(text))
    assert ENGINE.spans(text)


PASSES = """\
password policy requires 12 characters, one digit and no reuse
the tool said "password" and then "secret" and stopped
`api_key` and 'token' are names, so is "client_secret_2026-11"
const token = process.env["SLACK_BOT_TOKEN_2"] ?? "";
password: "${DB_PASSWORD_1}"
secret = "<generated-on-first-boot-1>"
"secret_sha256": "2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae"
AWS_ACCESS_KEY_ID=AKIAIOSFODNN7EXAMPLE
postgres://user:password@localhost:5432/shop
https://hooks.slack.com/services/T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX
the account is ACd41d8cd98f00b204e9800998ecf8427e
cache key: node-modules-linux-x64-8c7d6e5f4a3b2c1d0e9f8a7b6c5d4e3f
"integrity": "sha512-v2kDEe57lecTulaDIuNTPy3Ry4gLGJ6Z1O3vE1krgXZNrsQ+LFTGHVxVjcXPs17=="
the file begins with BEGIN RSA PRIVATE KEY, then base64
session 0b9f6a4e-7d7c-4c38-9f53-1a6e5d2b8c11 ended
APARTMENTS and APACHE2LICENSE are words
if (password == "Correct-Horse") log("authToken", "auth-token-v2")
"""


@pytest.mark.parametrize("line", PASSES.splitlines())
def test_ordinary_lines_get_no_opinion(line: str) -> None:
    assert ENGINE.spans(line) == []


def test_a_secret_is_found_each_time_it_stands_there() -> None:
    token = f"gh{'o'}_{some(ALNUM, 36)}"
    text = f"{token}\n{token} {token}\n"

    spans = ENGINE.spans(text)

    assert [text[start:end] for start, end, _ in spans] == [token] * 3


def windows(text: str) -> Iterator[tuple[int, int]]:
    """All windows of a text: its lines, and the longer ones cut by a grid."""
    first = 0
    for stop in [
        *(match.span() for match in BREAK.finditer(text)),
        (len(text), 0),
    ]:
        last = stop[0]
        if last - first <= SIZE:
            yield first, last
        else:
            for k in range(max(0, first - SIZE) // STEP, last // STEP + 1):
                if k * STEP < last and k * STEP + SIZE > first:
                    yield (
                        max(k * STEP, first),
                        min(k * STEP + SIZE, last),
                    )
        first = stop[1]


def everything(text: str) -> set[tuple[int, int, str]]:
    """What all plugins give on all windows after our checks: no hint, no shortcut."""
    plugins = detect.load()
    found: set[tuple[int, int, str]] = set()
    for first, last in windows(text):
        for index in range(len(ROWS)):
            found.update(detect._row(plugins, text, first, last, index))
    offset = 0
    for line in text.split("\n"):
        for pattern, group in detect.keyword_patterns().items():
            for match in pattern.finditer(line):
                if quoted(line, *match.span(group)):
                    start, end = match.span(group)
                    found.add((offset + start, offset + end, "quoted-credential"))
        for name in ("HexHighEntropyString", "Base64HighEntropyString"):
            plugin = plugins[name]
            for match in plugin.regex.finditer(line):
                start, end = match.span(2)
                strength = plugin.calculate_shannon_entropy(match.group(2))
                if strength > plugin.entropy_limit and entropic(line, start, end):
                    found.add((offset + start, offset + end, "quoted-token"))
        offset += len(line) + 1
    return found


WORDS = """
password secret api_key token aws cloudant softlayer cl_pass sl_key ibm cos paſſword
toKen cloud_iam SECRET_ACCESS_KEY = : := => == != ; , . @ :// / - _ ' " ` [ ] ( ) { } $
< > xoxb- -us1 SK eyJ AKC APF BEGIN -----BEGIN npm_ /:_authToken= glpat- k_live_ SG.
T3BlbkFJ İ ı é ٣ //
"""
ALPHABETS = [HEX, ALNUM, ALNUM + "-_", string.digits, string.ascii_lowercase]
PIECES = st.one_of(
    st.sampled_from(WORDS.split()),
    st.sampled_from([" ", "\n", "\t", " " * 30, "\r\n"]),
    st.sampled_from(sorted(CAUGHT.values())),
    st.builds(
        some,
        st.sampled_from(ALPHABETS),
        st.sampled_from([1, 3, 6, 8, 16, 20, 24, 27, 32, 40, 43, 44, 48, 64, 88]),
        st.integers(0, 5),
    ),
)
TEXTS = st.lists(PIECES, max_size=14).map("".join)


def check_the_proof(text: str) -> None:
    found = everything(text)
    rules = {span for span in found if not span[2].startswith("quoted-")}
    for least in (1, len(text) + 1):  # with a sweep, and hint by hint
        with patch.multiple(shapes, SMALL=least, LARGE=least):
            if not list(detect.windows(text)):
                assert not found
            # And the hints lose nothing of what is there.
            assert rules <= set(ENGINE.spans(text))


def check_that_both_ways_agree(text: str) -> None:
    given = []
    for least in (1, len(text) + 1):
        with patch.multiple(shapes, SMALL=least, LARGE=least):
            given.append(ENGINE.spans(text))
    assert given[0] == given[1]


@settings(max_examples=150, deadline=None)
@given(TEXTS)
def test_a_sweep_finds_what_the_hints_find(text: str) -> None:
    check_that_both_ways_agree(text)
    check_that_both_ways_agree(text.replace("\n", " " * 30) * 3)


@pytest.mark.parametrize("shape", ["blanks", "blanks and keys", "words", "token heads"])
def test_a_sweep_finds_it_in_odd_lines(shape: str) -> None:
    check_that_both_ways_agree(SHAPES[shape])


@settings(max_examples=150, deadline=None)
@given(TEXTS)
def test_what_is_not_needed_would_have_found_nothing(text: str) -> None:
    check_the_proof(text)


@pytest.mark.slow
@settings(max_examples=250, deadline=None)
@given(TEXTS)
def test_the_proof_at_full_size(text: str) -> None:
    check_the_proof(text)


@settings(max_examples=40, deadline=None)
@given(TEXTS, st.integers(500, 2500))
def test_the_proof_holds_on_long_lines(text: str, size: int) -> None:
    filler = (some(ALNUM, 6) + " ") * (size // 7)

    check_the_proof(filler + text.replace("\n", " ") + filler)


def test_prose_does_not_import_detect_secrets() -> None:
    program = (
        "import sys; from hipogit.gate.detect import DetectSecrets\n"
        "DetectSecrets().spans('password policy requires 12 characters, `api_key`')\n"
        "print('detect_secrets' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )

    assert done.stdout == "False\n"


def test_requests_is_neither_loaded_nor_left_replaced() -> None:
    program = (
        "import sys; from hipogit.gate.detect import load\n"
        "load(); print('detect_secrets' in sys.modules, 'requests' in sys.modules)\n"
        "import requests; print(requests.get.__name__)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )

    assert done.stdout == "True False\nget\n"


SHAPES = {
    "blanks": "password =" + " " * 5000 + "'" + some(ALNUM, 20) + "'",
    "blanks and keys": ("key" + " " * 23) * 300 + some(ALNUM, 44),
    "nested quotes": "secret = " + "'\"`" * 3000,
    "words": "password" * 2000 + "='" + some(ALNUM, 20) + "'",
    "token heads": "eyJ" * 5000 + "." + some(ALNUM, 20),
    "sk": "sk-" * 3000 + some(ALNUM, 20) + "T3BlbkFJ" + some(ALNUM, 20),
    "slashes": "//" * 4000 + "/:_authToken=npm_" + some(ALNUM, 36),
    "dots": "a." * 8000,
    "schemes": "://a:" * 4000 + "@",
}


@pytest.mark.parametrize("shape", SHAPES)
def test_no_shape_of_line_is_more_than_linear(shape: str) -> None:
    def seconds(text: str) -> float:
        before = time.process_time()
        ENGINE.spans(text)
        return time.process_time() - before

    ENGINE.spans(SHAPES[shape])
    one = min(seconds(SHAPES[shape]) for _ in range(3))
    eight = min(seconds(" ".join([SHAPES[shape]] * 8)) for _ in range(2))

    # Quadratic growth would be 64 times; the constant is for the clock's grain.
    assert eight < 24 * one + 0.05
