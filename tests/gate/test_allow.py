"""Allowing: comments, fingerprints, baselines; and that no plaintext is kept."""

from __future__ import annotations

import hashlib
import json
import random
import string

import pytest

from hipogit import gate
from hipogit.gate.allow import Allowed, Baseline, secrets_baseline
from hipogit.gate.fingerprint import fingerprint, strength

ALNUM = string.ascii_letters + string.digits


def invented(size: int, seed: int = 1) -> str:
    chosen = random.Random(seed)
    return "".join(chosen.choice(ALNUM) for _ in range(size))


TOKEN = f"gh{'p'}_{invented(36)}"
OTHER = f"gh{'p'}_{invented(36, 2)}"

INLINE = [
    f"token = {TOKEN}  # hipogit: allow-secret",
    f"token = {TOKEN}  // hipogit:allow-secret",
    f"- note: {TOKEN} <!-- hipogit: allow-secret -->",
    f"token = {TOKEN}  # pragma: allowlist secret",
    f"token = {TOKEN}  -- pragma: whitelist secret",
    f"token = {TOKEN}  /* pragma: allowlist-secret */",
    f"# pragma: allowlist nextline secret\ntoken = {TOKEN}",
    f"x = 1\n    // pragma: allowlist nextline secret\n    token = {TOKEN}",
]
NOT_INLINE = [
    f"token = {TOKEN}  hipogit: allow-secret",
    f"write `hipogit: allow-secret` behind {TOKEN}",
    f"# hipogit: allow-secret\ntoken = {TOKEN}",
    f"token = {TOKEN}\n# hipogit: allow-secret",
    f"x = 1  # pragma: allowlist nextline secret\ntoken = {TOKEN}",
    f"# pragma: allowlist nextline secret\n\ntoken = {TOKEN}",
    f"token = {TOKEN}  # pragma: allowlist secretary",
]


@pytest.mark.parametrize("text", INLINE)
def test_a_comment_on_the_line_allows_it(text: str) -> None:
    assert gate.scan(text)
    assert gate.scan(text, allow=Allowed()) == []


@pytest.mark.parametrize("text", NOT_INLINE)
def test_a_mark_that_is_no_comment_of_that_line_allows_nothing(text: str) -> None:
    assert gate.scan(text, allow=Allowed())


@pytest.mark.parametrize("text", INLINE)
def test_comments_in_text_from_elsewhere_allow_nothing(text: str) -> None:
    assert TOKEN not in gate.clean(text, allow=Allowed(inline=False)).text


def test_a_fingerprint_allows_its_secret_everywhere_and_no_other() -> None:
    text = f"a {TOKEN}\nb {OTHER}\nc {TOKEN}\n"
    mark = gate.scan(text, allow=Allowed(salt="pepper"))[0].fingerprint

    left = gate.scan(text, allow=Allowed([mark], salt="pepper"))

    assert [finding.line for finding in left] == [2]


def test_a_fingerprint_holds_under_its_own_salt_only() -> None:
    mark = fingerprint(TOKEN, "pepper")

    assert mark != fingerprint(TOKEN, "salt")
    assert gate.scan(TOKEN, allow=Allowed([mark], salt="salt"))


@pytest.mark.parametrize(
    "weak", ["hunter2", "correct horse", "123456", "letmeinplease", invented(9), ""]
)
def test_what_can_be_guessed_gets_no_fingerprint(weak: str) -> None:
    assert strength(weak) < 60
    assert fingerprint(weak) == ""


def test_generated_secrets_get_one() -> None:
    marks = [fingerprint(invented(20, seed)) for seed in range(8)]

    assert all(mark.startswith("hg1-") and len(mark) == 24 for mark in marks)
    assert len(set(marks)) == 8


def test_a_finding_without_a_fingerprint_is_not_allowed_by_an_empty_one() -> None:
    text = 'password = "k7!fQ2x"\n'
    assert gate.scan(text)

    assert gate.scan(text, allow=Allowed(["", "hg1-"]))


def detect_secrets_baseline(path: str, value: str) -> str:
    hashed = hashlib.sha1(value.encode()).hexdigest()
    item = {"type": "GitHub Token", "filename": path, "hashed_secret": hashed}
    return json.dumps({"version": "1.5.0", "results": {path: [item]}})


def test_a_detect_secrets_baseline_allows_in_its_file() -> None:
    hashed = secrets_baseline(detect_secrets_baseline("ci/deploy.md", TOKEN))
    allowed = Allowed(hashed=hashed)
    text = f"a {TOKEN}\nb {OTHER}\n"

    here = gate.scan(text, path="ci/deploy.md", allow=allowed.at("ci/deploy.md"))
    elsewhere = gate.scan(text, path="x.md", allow=allowed.at("x.md"))

    assert [finding.line for finding in here] == [2]
    assert [finding.line for finding in elsewhere] == [1, 2]


def test_it_knows_what_detect_secrets_hashes_of_a_password_and_a_key_block() -> None:
    password = invented(18)
    key = "BEGIN RSA " + "PRIVATE KEY"
    body = "\n".join(invented(64, seed) for seed in range(4))
    for text, value in (
        (f"postgres://app:{password}@db.invalid/shop", password),
        (f'db_password = "{password}"', password),
        (f"-----{key}-----\n{body}\n-----{key.replace('BEGIN', 'END')}-----\n", key),
    ):
        hashed = secrets_baseline(detect_secrets_baseline("a.md", value))
        assert gate.scan(text)
        assert gate.scan(text, allow=Allowed(hashed=hashed).at("a.md")) == []


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"results": 3}', "not json"])
def test_what_is_no_baseline_is_refused(text: str) -> None:
    with pytest.raises(ValueError):
        secrets_baseline(text)


def test_a_baseline_is_sorted_free_of_dates_lines_and_secrets() -> None:
    text = f"b {OTHER}\na {TOKEN}\nagain {TOKEN}\n"
    findings = gate.scan(text, path="notes.md", allow=Allowed(salt="pepper"))

    rendered = Baseline.of(findings, "pepper").render()

    body = [line for line in rendered.splitlines() if not line.startswith("#")]
    assert body == sorted(body) and len(body) == 2
    assert all(line.endswith(" notes.md") for line in body)
    assert TOKEN not in rendered and OTHER not in rendered
    assert Baseline.of(reversed(findings), "pepper").render() == rendered
    again = Baseline.parse(rendered)
    assert again.render() == rendered
    assert gate.scan(text, allow=Allowed(baselines=[again], salt="other")) == []


def test_two_branches_that_add_lines_merge_to_their_union() -> None:
    one, two = ("hg1-b", "jwt", "b.md"), ("hg1-a", "jwt", "a.md")
    left, right = Baseline([one]).render(), Baseline([two]).render()

    union = Baseline.parse(left + right)

    assert union.render() == Baseline([two, one]).render()


def test_damaged_lines_of_a_baseline_allow_nothing() -> None:
    baseline = Baseline.parse("<<<<<<< ours\n\nhg2-x jwt a\n  hg1-y jwt b\n=======\n")

    assert baseline.marks == set()
