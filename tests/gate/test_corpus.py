"""The gate against the corpus, at the shares it promises. `bench.gate` prints them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from hipogit import gate
from tests.gate import corpus
from tests.gate.corpus.measure import flagged, scores


@pytest.fixture(scope="module")
def positives():
    return scores(corpus.positives(2))


def share(found) -> float:
    return sum(s.covered for s in found) / sum(s.cases for s in found)


def missed(found) -> str:
    return "\n".join(case.text for score in found for case in score.missed)


def test_it_is_ten_times_the_starter_set() -> None:
    starter = (Path(__file__).parent / "starter" / "prose.txt").read_text("utf-8")

    assert len(list(corpus.prose())) >= 10 * len(starter.strip().splitlines())
    assert len(list(corpus.wrapped())) >= 10 * 9
    assert len({case.family for case in corpus.positives(1)}) >= 90
    assert [*corpus.positives(1)] == [*corpus.positives(1)]


def test_recall_over_the_families(positives) -> None:
    named = [s for family, s in positives.items() if not family.startswith("more-")]

    assert share(named) >= 0.95, missed(named)
    for family, score in positives.items():
        if not family.startswith("more-"):
            assert score.recall >= 0.80, f"{family}: {missed([score])}"


def test_recall_over_everything_else(positives) -> None:
    others = [s for family, s in positives.items() if family.startswith("more-")]

    assert share(others) >= 0.75, missed(others)


def test_what_is_found_in_them_is_the_secret(positives) -> None:
    findings = sum(score.findings for score in positives.values())

    assert sum(score.right for score in positives.values()) >= 0.99 * findings


def test_wrapped_secrets_are_covered() -> None:
    found = list(scores(corpus.wrapped(3)).values())

    assert share(found) >= 0.90, missed(found)


def test_hard_negatives_stay() -> None:
    total, wrong = flagged(corpus.negatives())

    assert len(wrong) <= 0.01 * total, [case.text for case in wrong]


def test_prose_stays() -> None:
    total, wrong = flagged(corpus.prose())

    assert len(wrong) <= 0.005 * total, [case.text for case in wrong]


@pytest.mark.slow
@pytest.mark.skipif("HIPOGIT_DATA" not in os.environ, reason="needs HIPOGIT_DATA")
def test_real_notes_stay() -> None:
    size = count = 0
    for path in Path(os.environ["HIPOGIT_DATA"]).rglob("*.md"):
        data = path.read_bytes()
        size += len(data)
        count += len(gate.scan_bytes(data))

    assert count <= 0.3 * size / 1e6
