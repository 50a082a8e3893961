"""A report of `verify` for people, programs and CI.

SARIF is version 2.1.0 (OASIS), the workflow commands are GitHub's `::error` lines, and
JUnit is the form that CI servers read as test results.
"""

from __future__ import annotations

import json
from typing import Any
from xml.sax.saxutils import escape, quoteattr

from .. import __version__
from ..counted import counted
from ..gate.report import SCHEMA, escaped, plain
from ..plumbing import encode
from . import Report
from .problem import Check, Problem

FORMATS = ("text", "json", "sarif", "github", "junit")


def render(report: Report, format: str) -> str:
    """The report in one of FORMATS."""
    return {
        "text": _text,
        "json": _json,
        "sarif": _sarif,
        "github": _github,
        "junit": _junit,
    }[format](report)


def _text(report: Report) -> str:
    lines = []
    for check in report.checks:
        lines.append(f"{'ok  ' if check.ok else 'FAIL'}  {check.name}: {check.about}")
        for problem in check.problems:
            where = f"{problem.where}: " if problem.where else ""
            lines.append(f"      {plain(where + problem.sentence)}")
            if problem.hint:
                lines.append(f"      hint: {plain(problem.hint)}")
    cut = ", in a shallow clone: git fetch --unshallow tells more" if report.cut else ""
    lines.append(
        f"{report.rev[:12]}: {'good' if report.ok else 'NOT good'},"
        f" {counted(report.commits, 'commit')} looked at{cut}"
    )
    return "\n".join(lines) + "\n"


def _json(report: Report) -> str:
    return json.dumps(
        {
            "ok": report.ok,
            "rev": report.rev,
            "commits": report.commits,
            "checks": [
                {
                    "name": check.name,
                    "ok": check.ok,
                    "problems": [_fields(problem) for problem in check.problems],
                }
                for check in report.checks
            ],
        }
    )


def _fields(problem: Problem) -> dict[str, object]:
    return {
        "sentence": problem.sentence,
        "hint": problem.hint,
        "commit": problem.commit,
        "path": problem.path,
        "line": problem.line,
    }


def _sarif(report: Report) -> str:
    driver = {
        "name": "hipogit verify",
        "version": __version__,
        "rules": [
            {
                "id": check.name,
                "shortDescription": {"text": check.about},
                "defaultConfiguration": {"level": "error"},
            }
            for check in report.checks
        ],
    }
    results = [
        _result(check, problem) for check in report.checks for problem in check.problems
    ]
    run = {"tool": {"driver": driver}, "results": results}
    whole = {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}
    return json.dumps(whole, indent=2) + "\n"


def _result(check: Check, problem: Problem) -> dict[str, Any]:
    from urllib.parse import quote

    seen = f" (in {problem.commit[:12]})" if problem.commit else ""
    found: dict[str, Any] = {
        "ruleId": check.name,
        "level": "error",
        "message": {"text": plain(f"{problem.sentence}{seen}. {_hint(problem)}")},
    }
    if problem.path:
        place: dict[str, Any] = {
            "artifactLocation": {"uri": quote(encode(problem.path))}
        }
        if problem.line:
            place["region"] = {"startLine": problem.line}
        found["locations"] = [{"physicalLocation": place}]
    if problem.commit:
        found["properties"] = {"commit": problem.commit}
    return found


def _hint(problem: Problem) -> str:
    return f"Hint: {problem.hint}" if problem.hint else ""


def _github(report: Report) -> str:
    lines = []
    for check in report.checks:
        for problem in check.problems:
            fields = [f"title={escaped(f'hipogit {check.name}', ':,')}"]
            if problem.path:
                fields.append(f"file={escaped(problem.path, ':,')}")
            if problem.line:
                fields.append(f"line={problem.line}")
            seen = f" in {problem.commit[:12]}" if problem.commit else ""
            text = escaped(f"{problem.sentence}{seen}. {_hint(problem)}")
            lines.append(f"::error {','.join(fields)}::{text}\n")
    return "".join(lines)


def _junit(report: Report) -> str:
    failed = sum(not check.ok for check in report.checks)
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<testsuite name="hipogit verify" tests="{len(report.checks)}"'
        f' failures="{failed}" errors="0">',
    ]
    for check in report.checks:
        lines.append(f'<testcase classname="hipogit" name={quoteattr(check.name)}>')
        if check.problems:
            text = "\n".join(
                f"{p.where + ': ' if p.where else ''}{p.sentence}\n  {_hint(p)}"
                for p in check.problems
            )
            first = quoteattr(_xml(check.problems[0].sentence))
            lines.append(f"<failure message={first}>{escape(_xml(text))}</failure>")
        lines.append("</testcase>")
    return "\n".join([*lines, "</testsuite>", ""])


def _xml(text: str) -> str:
    # XML 1.0 has no place for control characters or lone surrogates.
    return "".join(c if c in "\n\t" or c.isprintable() else "?" for c in text)
