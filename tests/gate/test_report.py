"""Reports: every format names the place and the way out, none holds the secret."""

from __future__ import annotations

import json
import random
import string
from pathlib import Path

import jsonschema
import pytest

from hipogit import gate
from hipogit.gate.report import FORMATS, render

# As published with the npm package @microsoft/jest-sarif.
SCHEMA = Path(__file__).parent / "schema" / "sarif-2.1.0.json"

chosen = random.Random(3)
TOKEN = f"gh{'p'}_" + "".join(
    chosen.choice(string.ascii_letters + string.digits) for _ in range(36)
)
BODY = "\n".join(
    "".join(chosen.choice(string.ascii_letters) for _ in range(64)) for _ in range(3)
)
PEM = f"-----BEGIN {'PRIVATE'} KEY-----\n{BODY}\n-----END {'PRIVATE'} KEY-----"
TEXT = f'one\nuse {TOKEN}\n{PEM}\npassword = "k7!fQ2x"\n'
PATHS = ["notes.md", "with space,comma:colon.md", "bad\udcff\n\x1b[31m.md", ""]


def report(format: str, path: str, commit: str = "") -> str:
    findings = gate.scan(TEXT, path=path)
    assert len(findings) == 3
    return render(format, findings, [commit] * 3, scanned=99, version="0.1.0")


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("path", PATHS)
def test_no_report_holds_a_secret_or_breaks_the_terminal(
    format: str, path: str
) -> None:
    text = report(format, path, "a" * 40)

    for secret in (TOKEN, "k7!fQ2x", *BODY.split("\n")):
        assert secret not in text
    assert "\x1b" not in text
    text.encode("utf-8")


def test_text_names_place_rule_fingerprint_and_way_out() -> None:
    lines = report("text", "notes.md").splitlines()

    assert lines[0].startswith("notes.md:2: github") and "hg1-" in lines[0]
    assert lines[1].startswith("notes.md:3-7: ")
    assert lines[2].startswith("notes.md:8: ") and "too short" in lines[2]
    assert "hipogit: allow-secret" in lines[4] and "gate.allow" in lines[5]
    assert report("text", "", "b" * 40).startswith("bbbbbbbbbbbb:-:2: ")


def test_json_has_the_stable_keys() -> None:
    data = json.loads(report("json", "notes.md"))

    assert set(data) == {"findings", "scanned_bytes"}
    assert set(data["findings"][0]) == {
        "path",
        "line",
        "end_line",
        "rule",
        "fingerprint",
        "commit",
    }
    assert [(f["line"], f["end_line"]) for f in data["findings"]] == [
        (2, 2),
        (3, 7),
        (8, 8),
    ]


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("commit", ["", "c" * 40])
def test_sarif_is_valid(path: str, commit: str) -> None:
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    sarif = json.loads(report("sarif", path, commit))

    jsonschema.validate(sarif, schema)
    run = sarif["runs"][0]
    for result in run["results"]:
        assert (
            run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"]
            == (result["ruleId"])
        )
    empty = json.loads(render("sarif", [], [], scanned=0))
    jsonschema.validate(empty, schema)


def test_an_annotation_is_one_command_a_line() -> None:
    lines = report("github", "with space,comma:colon.md").splitlines()

    assert len(lines) == 3
    assert lines[0].startswith(
        "::error file=with space%2Ccomma%3Acolon.md,line=2,endLine=2,title=hipogit "
    )
    assert len(report("github", "bad\n::stop-commands::x").splitlines()) == 3
