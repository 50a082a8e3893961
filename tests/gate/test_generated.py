"""What hipogit makes of entries can read like a secret; it is gated like them."""

from __future__ import annotations

from pathlib import Path

import pytest

from hipogit.gate import scan
from tests.conftest import git, hipogit

# None of these is a secret where it stands; behind a topic of such a name it is.
ENTRIES = [
    ("database password", "- outcome: Xk9vQ2mR7z is the build that holds\n"),
    ("api token", "- decisions: q8Zr4Tn1Lw6Yp3Vb is the commit we go on from\n"),
    ("client secret", "- outcome: aB3dE6gH9jK2mN5p was the run\n"),
]


@pytest.mark.parametrize("topic,body", ENTRIES)
def test_a_summary_that_reads_like_a_secret_holds_none(
    repo: Path, topic: str, body: str
) -> None:
    hipogit(repo, "init", "--platform", "none")
    hipogit(repo, "checkpoint", input=f"## {topic} [project]\n{body}")
    hipogit(repo, "--now", "2026-12-20T10:00:00Z", "checkpoint", "Later", "-m", "on")

    names = git(repo, "ls-tree", "-r", "--name-only", "hipogit/memory").split()
    for name in names:
        text = git(repo, "show", f"hipogit/memory:{name}")
        assert [f.rule for f in scan(text)] == [], name
    hipogit(repo, "verify")
    hipogit(repo, "compact", "--check")
