"""Cleaning: secrets become `[REDACTED:rule]`, unseen characters go, entries stay."""

from __future__ import annotations

from .finding import Cleaned, Finding
from .invisible import plainly, unneeded
from .lazy import Lazy
from .scanner import scan
from .views import View, around, edited, flatten, kept, unseen_in, without

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
        left = plainly(text)
        if left is not None:
            # Where everything was is only asked when something is found.
            invisible = len(text) - len(left)
            if not scan(left, path=path, allow=allow or NOTHING, engines=engines):
                return Cleaned(left, (), invisible)
        if cuts := unneeded(text):
            invisible = sum(end - start for start, end in cuts)
            trail.append(View(_harmless(text, cuts)))
            text = trail[-1].text
    near: View | None = None
    for _ in range(_LOOKS):
        seen = near.text if near else text
        found = scan(seen, path=path, allow=allow or NOTHING, engines=engines)
        if not found:
            break
        if near:
            found = [_moved(finding, near, text) for finding in found]
        findings.extend(_traced(finding, trail) for finding in found)
        edits = _edits(text, found)
        trail.append(View(edited(text, edits)))
        text = trail[-1].text
        # Whoever allows may have to see the whole line.
        near = None if allow else _near(text, edits)
    return Cleaned(text, tuple(findings), invisible)


def clean_path(path: str) -> str:
    """The path as it may be stored or shown. A name may be all that holds a secret."""
    parts, at = [], 0
    for finding in scan(path, allow=NOTHING):
        parts += [path[at : finding.start], f"REDACTED-{finding.rule}"]
        at = finding.end
    return "".join(parts) + path[at:]


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
    inside: dict[int, list[tuple[int, int]]] = {}
    for top, (start, end) in zip(_tops(text, cuts), cuts, strict=True):
        inside.setdefault(top, []).append((start - top, end - top))
    for top, hidden in inside.items():
        # No more of the line than can open an entry, past all that is unseen before it.
        size = 64
        for start, end in hidden:
            if start >= size:
                break
            size += end - start
        line = text[top : top + size].partition("\n")[0]
        hidden = [(start, end) for start, end in hidden if end <= len(line)]
        seen = "".join(piece for piece, _, _ in without(line, hidden))
        if top == 0:
            # A byte order mark is no disguise: editors put one before a heading.
            line = line.removeprefix("\ufeff")
        if _STARTS.match(seen) and not _STARTS.match(line):
            edits.append((top, top, "\\"))
    return edited(text, edits)


def _tops(text: str, places: list[tuple[int, int]]) -> Iterator[int]:
    """Where the line begins that each place is in; places come in order."""
    top = last = 0
    for start, _ in places:
        newline = text.rfind("\n", last, start)
        if newline >= 0:
            top = newline + 1
        last = start
        yield top


def _edits(text: str, found: list[Finding]) -> list[tuple[int, int, str]]:
    edits = []
    places = [(finding.start, finding.end) for finding in found]
    for top, finding in zip(_tops(text, places), found, strict=True):
        mark = f"[REDACTED:{finding.rule}]"
        if text.startswith("<!-- hipogit ", top):
            # Brackets would make the comment unreadable and the entry lose its id.
            mark = f"%5BREDACTED:{finding.rule}%5D"
        edits.append((finding.start, finding.end, mark))
    return edits


def _near(text: str, edits: list[tuple[int, int, str]]) -> View | None:
    """What stands around the marks of a long text, or None for all of it."""
    moved = 0
    marks = []
    for start, end, mark in edits:
        marks.append((start + moved, start + moved + len(mark)))
        moved += len(mark) - (end - start)
    places = around(text, marks)
    if 2 * sum(end - start for start, end in places) > len(text):
        return None
    return View(kept(text, places, []))


def _moved(finding: Finding, view: View, text: str) -> Finding:
    """A finding of the view as one of the text."""
    start, end = view.back(finding.start, finding.end)
    line = text.count("\n", 0, start) + 1
    last = line + text.count("\n", start, end)
    return Finding(
        finding.path, line, last, finding.rule, finding.fingerprint, start, end
    )
