"""What each format of the report looks like, and that programs can read it."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from pathlib import Path

import jsonschema
import pytest

from hipogit import __version__
from hipogit.verify import Check, Problem, Report
from hipogit.verify.report import FORMATS, render

SCHEMA = Path(__file__).parent.parent / "gate" / "schema" / "sarif-2.1.0.json"
COMMIT = "0123456789abcdef0123456789abcdef01234567"
BAD = Report(
    COMMIT,
    (
        Check("entries", "journals hold entries in form"),
        Check(
            "append-only",
            "only corrections change what stands",
            (
                Problem(
                    "a checkpoint changes 20261129-abc234",
                    "hipogit history 20261129-abc234",
                    COMMIT,
                    "memory/2026-11-29.md",
                    7,
                ),
            ),
        ),
        Check(
            "files",
            "plain files",
            (Problem("it holds 50% <&> a conflict", "git status", path="a, b:c.md"),),
        ),
    ),
    12,
    3456,
)
GOOD = Report(COMMIT, (Check("entries", "journals hold entries in form"),), 1, 2)
ODD = Report(
    COMMIT,
    (
        Check(
            "files",
            "plain",
            (
                Problem(
                    "'x\x01\x1b[31m\udcff\u202e' \ufffe ]]> is no id\n::stop::",
                    "a\x00b",
                    COMMIT,
                    'new\nline "quoted" \udcfe\x01.md',
                    3,
                ),
            ),
        ),
    ),
    1,
    2,
)


def test_text() -> None:
    assert render(BAD, "text") == (
        "ok    entries: journals hold entries in form\n"
        "FAIL  append-only: only corrections change what stands\n"
        "      0123456789ab:memory/2026-11-29.md:7:"
        " a checkpoint changes 20261129-abc234\n"
        "      hint: hipogit history 20261129-abc234\n"
        "FAIL  files: plain files\n"
        "      a, b:c.md: it holds 50% <&> a conflict\n"
        "      hint: git status\n"
        "0123456789ab: NOT good, 12 commits looked at\n"
    )
    assert render(GOOD, "text").endswith(": good, 1 commit looked at\n")


def test_json() -> None:
    assert json.loads(render(BAD, "json")) == {
        "ok": False,
        "rev": COMMIT,
        "commits": 12,
        "checks": [
            {"name": "entries", "ok": True, "problems": []},
            {
                "name": "append-only",
                "ok": False,
                "problems": [
                    {
                        "sentence": "a checkpoint changes 20261129-abc234",
                        "hint": "hipogit history 20261129-abc234",
                        "commit": COMMIT,
                        "path": "memory/2026-11-29.md",
                        "line": 7,
                    }
                ],
            },
            {
                "name": "files",
                "ok": False,
                "problems": [
                    {
                        "sentence": "it holds 50% <&> a conflict",
                        "hint": "git status",
                        "commit": "",
                        "path": "a, b:c.md",
                        "line": 0,
                    }
                ],
            },
        ],
    }


def test_github() -> None:
    assert render(BAD, "github") == (
        "::error title=hipogit append-only,file=memory/2026-11-29.md,line=7::"
        "a checkpoint changes 20261129-abc234 in 0123456789ab."
        " Hint: hipogit history 20261129-abc234\n"
        "::error title=hipogit files,file=a%2C b%3Ac.md::"
        "it holds 50%25 <&> a conflict. Hint: git status\n"
    )
    assert render(GOOD, "github") == ""


def test_junit() -> None:
    assert render(BAD, "junit") == (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<testsuite name="hipogit verify" tests="3" failures="2" errors="0">\n'
        '<testcase classname="hipogit" name="entries">\n'
        "</testcase>\n"
        '<testcase classname="hipogit" name="append-only">\n'
        '<failure message="a checkpoint changes 20261129-abc234">'
        "0123456789ab:memory/2026-11-29.md:7: a checkpoint changes 20261129-abc234\n"
        "  Hint: hipogit history 20261129-abc234</failure>\n"
        "</testcase>\n"
        '<testcase classname="hipogit" name="files">\n'
        '<failure message="it holds 50% &lt;&amp;&gt; a conflict">'
        "a, b:c.md: it holds 50% &lt;&amp;&gt; a conflict\n"
        "  Hint: git status</failure>\n"
        "</testcase>\n"
        "</testsuite>\n"
    )


def test_sarif() -> None:
    sarif = json.loads(render(BAD, "sarif"))
    (run,) = sarif["runs"]
    assert sarif["version"] == "2.1.0"
    assert run["tool"]["driver"] == {
        "name": "hipogit verify",
        "version": __version__,
        "rules": [
            {
                "id": check.name,
                "shortDescription": {"text": check.about},
                "defaultConfiguration": {"level": "error"},
            }
            for check in BAD.checks
        ],
    }
    assert run["results"] == [
        {
            "ruleId": "append-only",
            "level": "error",
            "message": {
                "text": "a checkpoint changes 20261129-abc234 (in 0123456789ab)."
                " Hint: hipogit history 20261129-abc234"
            },
            "locations": [
                {
                    "physicalLocation": {
                        "artifactLocation": {"uri": "memory/2026-11-29.md"},
                        "region": {"startLine": 7},
                    }
                }
            ],
            "properties": {"commit": COMMIT},
        },
        {
            "ruleId": "files",
            "level": "error",
            "message": {"text": "it holds 50% <&> a conflict. Hint: git status"},
            "locations": [
                {"physicalLocation": {"artifactLocation": {"uri": "a%2C%20b%3Ac.md"}}}
            ],
        },
    ]


@pytest.mark.parametrize("report", [GOOD, BAD, ODD], ids=["good", "bad", "odd"])
def test_programs_can_read_each_format(report: Report) -> None:
    schema = json.loads(SCHEMA.read_text("utf-8"))
    jsonschema.validate(json.loads(render(report, "sarif")), schema)
    suite = ET.fromstring(render(report, "junit"))
    failed = [case.get("name") for case in suite if case.find("failure") is not None]
    assert failed == [check.name for check in report.checks if not check.ok]
    assert suite.get("failures") == str(len(failed))
    problems = sum(len(check.problems) for check in report.checks)
    lines = render(report, "github").splitlines()
    assert len(lines) == problems
    assert all(line.startswith("::error title=") for line in lines)


@pytest.mark.parametrize("form", FORMATS)
def test_hostile_text_neither_breaks_a_terminal_nor_an_encoding(form: str) -> None:
    said = render(ODD, form)
    said.encode("utf-8")
    assert not {"\x00", "\x01", "\x1b", "\u202e"} & set(said)
