"""Cleaning: secrets become `[REDACTED:rule]`, unseen characters go, entries stay."""

from __future__ import annotations

from .finding import Cleaned, Finding
from .invisible import unneeded
from .lazy import Lazy
from .scanner import flatten, scan
from .views import View, edited, unseen_in, without

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from .seam import Allow, Engine

# Taking one secret out may bare another (`a:b@` beside a token), hence more than one
# look; each adds markers, and a marker is never a finding, so it ends by itself.
_LOOKS = 5
_STARTS = Lazy(r"\\*(?:## |<!-- hipogit )")


class _Nothing:
    """Allows nothing and makes no fingerprints: those are slow on purpose, and whoever
    only cleans a text has no use for them."""

    def allows(self, rule: str, secret: str, line_text: str) -> bool:
        return False

    def fingerprint(self, secret: str) -> str:
        return ""


NOTHING = _Nothing()


def clean(
    text: str,
    *,
    path: str = "",
    allow: Allow | None = None,
    engines: Sequence[Engine] | None = None,
) -> Cleaned:
    """The text as it may be stored, what was taken out, and how much was unseen."""
    findings: list[Finding] = []
    invisible = 0
    trail: list[View] = []
    if unseen_in(text, flatten(text)):
        cuts = unneeded(text)
        if cuts:
            invisible = sum(end - start for start, end in cuts)
            trail.append(View(_harmless(text, cuts)))
            text = trail[-1].text
    for _ in range(_LOOKS):
        found = scan(text, path=path, allow=allow or NOTHING, engines=engines)
        if not found:
            break
        findings.extend(_traced(finding, trail) for finding in found)
        trail.append(View(_redacted(text, found)))
        text = trail[-1].text
    return Cleaned(text, tuple(findings), invisible)


def _traced(finding: Finding, trail: list[View]) -> Finding:
    """The finding with its offsets in the text that was given."""
    start, end = finding.start, finding.end
    for view in reversed(trail):
        start, end = view.back(start, end)
    return Finding(
        finding.path,
        finding.line,
        finding.end_line,
        finding.rule,
        finding.fingerprint,
        start,
        end,
    )


def _harmless(text: str, cuts: list[tuple[int, int]]) -> Iterator[tuple[str, int, int]]:
    """The text without the cuts. A line that only now would open an entry or pose as
    our comment gets a backslash, or unseen characters could forge one."""
    edits = [(start, end, "") for start, end in cuts]
    for top in {text.rfind("\n", 0, start) + 1 for start, _ in cuts}:
        bottom = text.find("\n", top)
        line = text[top : bottom if bottom >= 0 else len(text)]
        inside = [(a - top, b - top) for a, b in cuts if top <= a < top + len(line)]
        seen = "".join(piece for piece, _, _ in without(line, inside))
        if top == 0:
            # A byte order mark is no disguise: editors put one before a heading.
            line = line.removeprefix("\ufeff")
        if _STARTS.match(seen) and not _STARTS.match(line):
            edits.append((top, top, "\\"))
    return edited(text, edits)


def _redacted(text: str, found: list[Finding]) -> Iterator[tuple[str, int, int]]:
    edits = []
    for finding in found:
        mark = f"[REDACTED:{finding.rule}]"
        if text.startswith("<!-- hipogit ", text.rfind("\n", 0, finding.start) + 1):
            # Brackets would make the comment unreadable and the entry lose its id.
            mark = f"%5BREDACTED:{finding.rule}%5D"
        edits.append((finding.start, finding.end, mark))
    return edited(text, edits)
