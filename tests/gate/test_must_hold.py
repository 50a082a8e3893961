"""What every redactor of agent memory meets, in both directions."""

from __future__ import annotations

import random
import string
from pathlib import Path

import pytest

from hipogit.gate import clean, scan, scan_bytes

PASS = {
    "key rotation": "decided to use API key rotation",
    "policy": "password policy requires 12 characters",
    "count": "token count: 3500",
    "the secret to": "the secret to good compaction is a short index",
    "a header talked about": "we look for -----BEGIN RSA "
    + "PRIVATE KEY----- in files",
    "a header in code": 'if text.startswith("-----BEGIN EC ' + 'PRIVATE KEY-----"):',
}
# Assembled here so that no scanner takes this file for a leak.
BODY = "Zk3Tq9Xv7Lm2Rp8Wd4Ns6Bh1Yc5Gj0Fa"
CATCH = {
    "assigned key": ('api_key = "{}"', "sk-" + BODY),
    "upper-case key": ("API-KEY: {}", BODY),
    "password": ('password = "{}"', "hunter2-" + BODY[:6]),
    "password of words": ('password = "{}"', "correcthorsebattery"),
    "secret": ('secret: "{}"', BODY[:20]),
    "secret of words": ('secret: "{}"', "my-own-value-4711"),
    "openai project": ("{}", "sk-" + "proj-" + BODY),
    "github classic": ("{}", "ghp" + "_" + BODY + "Ab12"),
    "github fine-grained": ("{}", "github" + "_pat_11" + BODY + "_" + BODY),
    "pem header": ("{}", "-----BEGIN RSA " + "PRIVATE KEY-----"),
    "pem header ec": ("{}", "-----BEGIN EC " + "PRIVATE KEY-----"),
    "bearer": ("Authorization: Bearer {}", "eyJ" + BODY),
    "stripe publishable": ("{}", "pk" + "_live_" + BODY[:24]),
}


@pytest.mark.parametrize("text", PASS.values(), ids=PASS)
def test_ordinary_talk_passes(text):
    assert clean(text).text == text


AROUND = ["{}", "- we used {} there\n- and more", "{}\r\nnext"]


@pytest.mark.parametrize(
    "form,secret,around",
    [
        (form, secret, around)
        for form, secret in CATCH.values()
        for around in AROUND
        # A header within a sentence is no key; above, it must pass.
        if not (secret.startswith("-----") and "used" in around)
    ],
)
def test_it_is_caught_and_the_words_around_stay(form, secret, around):
    text = around.format(form.format(secret))
    cleaned = clean(text)
    assert secret not in cleaned.text
    assert cleaned.findings
    before, after = text.split(secret)
    assert cleaned.text.startswith(before)
    assert cleaned.text.endswith(after)
    assert clean(cleaned.text).text == cleaned.text


def test_developer_prose_passes():
    lines = (Path(__file__).parent / "starter" / "prose.txt").read_text().splitlines()
    assert [line for line in lines if scan(line)] == []
    assert scan("\n".join(lines)) == []


def test_findings_have_no_room_for_the_secret():
    secret = CATCH["github classic"][1]
    (finding,) = scan(f"first\ntoken {secret}\n", path="notes.md")
    assert (finding.path, finding.line, finding.end_line) == ("notes.md", 2, 2)
    assert finding.rule == "github-token"
    assert secret not in repr(finding)
    with pytest.raises(AttributeError):
        finding.secret = secret
    with pytest.raises(AttributeError):
        finding.line = 3


def test_every_copy_is_found():
    secret = CATCH["github classic"][1]
    text = f"{secret} {secret}\n{secret}\n- `{secret}`\n"
    assert len(scan(text)) == 4
    assert secret not in clean(text).text


@pytest.mark.parametrize(
    "codec", ["utf-8", "utf-16", "utf-16-le", "utf-16-be", "utf-32"]
)
def test_bytes_of_any_encoding_are_read(codec):
    secret = CATCH["github classic"][1]
    data = f"key is below\r\n{secret}\r\n".encode(codec)
    assert [f.line for f in scan_bytes(data, path="x")] == [2]


def test_bytes_that_are_no_text_are_read():
    secret = CATCH["github classic"][1].encode()
    data = b"\x00\xff\xfe\x80" + bytes(range(256)) + b"\n" + secret + b"\xf0\x28"
    assert [f.rule for f in scan_bytes(data)] == ["github-token"]
    text = data.decode("utf-8", "surrogateescape")
    assert clean(text).text.encode("utf-8", "surrogateescape").startswith(data[:200])


LONG_FORMS = [
    'signing_key="{}"',
    "SIGNING_KEY={}",
    '"client_secret": "{}"',
    "api_key: {}",
    'password="{}"',
    "token = {}",
    "secret={}&x=1",
    '{{\\"api_key\\": \\"{}\\"}}',
    "- token: `{}`",
    "Authorization: Bearer {}",
    "Cookie: session={}; a=b",
    "curl -u me:{} https://example.invalid",
    "hvs.{}",
    "sntrys_eyJ{}",
    "eyJhbGciOiJIUzI1NiJ9.{}.abcdefghij12",
]


@pytest.mark.parametrize("size", [300, 700, 3_000, 5_000, 12_000, 40_000, 200_000])
@pytest.mark.parametrize("form", LONG_FORMS)
def test_a_secret_goes_whole_however_long_it_is(form, size):
    rng = random.Random(size)
    secret = "".join(rng.choices(string.ascii_letters + string.digits + "_-", k=size))
    cleaned = clean(f"before it\n{form.format(secret)}\nand after\n").text
    assert all(secret[at : at + 12] not in cleaned for at in range(0, size, 12))
    assert cleaned.startswith("before it\n")
    assert cleaned.endswith("\nand after\n")


def test_what_goes_on_behind_a_long_secret_stays():
    secret = "aB3" * 100
    for text, left in (
        (f"token={secret}. Then we went on.", ". Then we went on."),
        (f'{{"token": "{secret}", "id": 7}}', '", "id": 7}'),
    ):
        assert clean(text).text.endswith(left)


WRAPPED = {
    "a YAML block": ("signing_key: |\n  ", "\n  ", "\n"),
    "a folded YAML block": ("api_key: >-\n    ", "\n    ", "\n"),
    "a heredoc": ("export SIGNING_KEY=$(cat <<EOF\n", "\n", "\nEOF\n)\n"),
    "continued": ("SECRET=", "\\\n", "\n"),
    "escaped": ('{"client_secret": "', "\\n", '"}\n'),
    "escaped twice": ('{"a": "{\\"client_secret\\": \\"', "\\\\n", '\\"}"}\n'),
    "parts of strings": ('api_key = ("', '"\n           "', '")\n'),
    "added strings": ("const apiKey = '", "' +\n  '", "';\n"),
    "quoted": ("> token: ", "\n> ", "\n"),
    "a token": ("hvs.", "\n", "\n"),
    "a quoted value": ('PRIVATE_KEY="', "\n", '"\n'),
    "a diff": ("+signing_key: |\n+  ", "\n+  ", "\n"),
}


@pytest.mark.parametrize("lines", [2, 3, 5, 40, 200])
@pytest.mark.parametrize("how", WRAPPED)
def test_a_secret_goes_whole_over_however_many_lines(how, lines):
    head, between, foot = WRAPPED[how]
    rng = random.Random(lines)
    letters = string.ascii_letters + string.digits + "_-"
    parts = ["".join(rng.choices(letters, k=76)) for _ in range(lines - 1)]
    parts.append("".join(rng.choices(letters, k=30)) + "7aB=")
    text = f"before it\n{head}{between.join(parts)}{foot}and then we went on\n"
    cleaned = clean(text).text
    assert [
        part for part in parts if part[:20] in cleaned or part[-20:] in cleaned
    ] == []
    assert cleaned.startswith("before it\n")
    assert cleaned.endswith("and then we went on\n")


def test_what_stands_below_a_secret_stays():
    secret = "aB3dE6gH9jK2" * 5
    for below in (
        "ThisIsOnlyTheNameOfAVeryLongTestCaseThatWasRun",
        "/home/somebody/projects/hipogit/tests/gate/corpus/families",
        "- the next point of the list, in words",
        "https://example.invalid/docs/2026/11/what-we-decided-about-keys",
    ):
        assert below in clean(f"token: {secret}\n{below}\n").text


def test_below_the_last_line_of_a_wrapped_secret_the_text_goes_on():
    letters = string.ascii_letters + string.digits
    parts = ["".join(random.Random(n).choices(letters, k=76)) for n in range(4)]
    said = "signing_key: |\n  " + "\n  ".join((*parts, "aB3dE6gH="))
    assert clean(f"{said}\n  Release2B\n").text.endswith("\n  Release2B\n")
