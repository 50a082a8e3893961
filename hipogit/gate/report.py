"""Findings for people, programs and CI. None of them ever holds the secret.

SARIF is version 2.1.0 (OASIS); the workflow commands are GitHub's `::error` lines.
"""

from __future__ import annotations

import json

from .allow import advice

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from .finding import Finding

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
FORMATS = ("text", "json", "sarif", "github")


def render(
    format: str,
    findings: Sequence[Finding],
    commits: Sequence[str],
    *,
    scanned: int,
    version: str = "",
) -> str:
    """The report in one of FORMATS. `commits` names, finding by finding, the commit or
    object it was seen in (empty in a working tree)."""
    pairs = list(zip(findings, commits, strict=True))
    if format == "json":
        return _json(pairs, scanned)
    if format == "sarif":
        return _sarif(pairs, version)
    if format == "github":
        return "".join(_annotation(*pair) for pair in pairs)
    return "".join(_line(*pair) for pair in pairs) + (_ADVICE if pairs else "")


_ADVICE = """\
fix: take it out, and change it wherever it is used
allow, if it is no secret: end the line with a comment `# hipogit: allow-secret`,
or add its fingerprint (hg1-…) to gate.allow in hipogit.toml
"""


def _line(finding: Finding, commit: str) -> str:
    where = f"{plain(finding.path) or '-'}:{finding.line}"
    if finding.end_line > finding.line:
        where += f"-{finding.end_line}"
    if commit:
        where = f"{commit[:12]}:{where}"
    mark = finding.fingerprint or "too short for a fingerprint"
    return f"{where}: {finding.rule} ({mark})\n"


def _json(pairs: Sequence[tuple[Finding, str]], scanned: int) -> str:
    findings = [
        {
            "path": finding.path,
            "line": finding.line,
            "end_line": finding.end_line,
            "rule": finding.rule,
            "fingerprint": finding.fingerprint,
            "commit": commit or None,
        }
        for finding, commit in pairs
    ]
    return json.dumps({"findings": findings, "scanned_bytes": scanned}) + "\n"


def _sarif(pairs: Sequence[tuple[Finding, str]], version: str) -> str:
    rules = sorted({finding.rule for finding, _ in pairs})
    driver: dict[str, Any] = {
        "name": "hipogit",
        "rules": [
            {
                "id": rule,
                "shortDescription": {"text": f"Secret: {rule.replace('-', ' ')}"},
                "help": {
                    "text": "Take it out, change it where it is used, or allow it."
                },
                "defaultConfiguration": {"level": "error"},
                "properties": {"tags": ["security"], "security-severity": "8.0"},
            }
            for rule in rules
        ],
    }
    if version:
        driver["version"] = version
    run: dict[str, Any] = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "results": [_result(rules, *pair) for pair in pairs],
    }
    report = {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}
    return json.dumps(report, indent=2) + "\n"


def _result(rules: Sequence[str], finding: Finding, commit: str) -> dict[str, Any]:
    from urllib.parse import quote

    path = finding.path.encode("utf-8", "surrogateescape") or b"-"
    seen = f" in {commit[:12]}" if commit else ""
    result: dict[str, Any] = {
        "ruleId": finding.rule,
        "ruleIndex": rules.index(finding.rule),
        "level": "error",
        "message": {"text": f"{finding.rule}{seen}: {advice(finding)}"},
        "locations": [
            {
                "physicalLocation": {
                    "artifactLocation": {"uri": quote(path)},
                    "region": {
                        "startLine": finding.line,
                        "endLine": finding.end_line,
                    },
                }
            }
        ],
    }
    if finding.fingerprint:
        result["partialFingerprints"] = {"hipogit/v1": finding.fingerprint}
    if commit:
        result["properties"] = {"commit": commit}
    return result


def _annotation(finding: Finding, commit: str) -> str:
    path = escaped(finding.path, ",:")
    rule = escaped(finding.rule, ",:")
    seen = f" in {commit[:12]}" if commit else ""
    said = escaped(f"{finding.rule}{seen}: {advice(finding)}")
    return (
        f"::error file={path},line={finding.line},endLine={finding.end_line},"
        f"title=hipogit {rule}::{said}\n"
    )


def escaped(text: str, more: str = "") -> str:
    """Text inside a workflow command: its own signs as percent escapes."""
    for sign in "%\r\n" + more:
        text = text.replace(sign, f"%{ord(sign):02X}")
    return plain(text)


def plain(text: str) -> str:
    """A path on a terminal: no control characters, nothing that cannot be printed."""
    shown = text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    return "".join(c if c.isprintable() else "?" for c in shown)
