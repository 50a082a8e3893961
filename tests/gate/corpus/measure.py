"""What the gate makes of the corpus: shares by family, and the cases it got wrong."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from hipogit import gate
from hipogit.gate.seam import Engine

from . import Case


class Score(NamedTuple):
    """Cases, those fully covered, findings, and findings that touch a secret."""

    cases: int
    covered: int
    findings: int
    right: int
    missed: tuple[Case, ...]

    @property
    def recall(self) -> float:
        return self.covered / self.cases

    @property
    def precision(self) -> float:
        return self.right / self.findings if self.findings else 1.0


def scores(
    cases: Iterable[Case], engines: Sequence[Engine] | None = None
) -> dict[str, Score]:
    """Scores by family. Covered means that no piece of the secret is left."""
    found: dict[str, Score] = {}
    for case in cases:
        cleaned = gate.clean(case.text, engines=engines)
        covered = not any(piece in cleaned.text for piece in case.secrets)
        right = sum(
            any(
                case.text.find(piece) < finding.end
                and finding.start < case.text.rfind(piece) + len(piece)
                for piece in case.secrets
            )
            for finding in cleaned.findings
        )
        old = found.get(case.family, Score(0, 0, 0, 0, ()))
        found[case.family] = Score(
            old.cases + 1,
            old.covered + covered,
            old.findings + len(cleaned.findings),
            old.right + right,
            old.missed if covered else (*old.missed, case),
        )
    return found


def flagged(
    cases: Iterable[Case], engines: Sequence[Engine] | None = None
) -> tuple[int, list[Case]]:
    """How many cases that must stay there are, and those with a finding."""
    total, wrong = 0, []
    for case in cases:
        total += 1
        if gate.scan(case.text, engines=engines):
            wrong.append(case)
    return total, wrong
