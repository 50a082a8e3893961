"""Scanning: every view of a text, every rule, one list of findings."""

from __future__ import annotations

from . import http, pem, tokens, torn, views
from .assign import assignments
from .encoded import encoded
from .finding import Finding
from .http import calls, requests
from .literals import Literals
from .names import SHAPES, STEMS
from .pem import bodies, keys
from .repeats import shortened
from .views import flatten
from .whole import whole

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from .literals import Places
    from .seam import Allow, Engine

    Span = tuple[int, int, str]


def scan(
    text: str,
    *,
    path: str = "",
    allow: Allow | None = None,
    engines: Sequence[Engine] | None = None,
) -> list[Finding]:
    """Every secret in the text, in order."""
    if engines is None:
        from .engines import default

        engines = default()
    if short := shortened(text):
        spans = short.spans(_all_spans(short.text, engines))
    else:
        spans = _all_spans(text, engines)
    return list(_findings(text, path, merged(spans), allow))


def _all_spans(text: str, engines: Sequence[Engine]) -> list[Span]:
    spans = whole(text, merged(own_spans(text)))
    # What we found already is no reason to load another engine.
    rest = blanked(text, spans) if engines else ""
    for engine in engines:
        # In what is left: taken to its end once more, ours would take the next line.
        spans += whole(rest, merged(list(engine.spans(rest))))
    return merged(spans)


def _findings(
    text: str, path: str, spans: list[Span], allow: Allow | None
) -> Iterator[Finding]:
    line, counted = 1, 0
    top = bottom = -1  # of the line in `lines`
    lines = ""
    for start, end, rule in spans:
        # Counted on from the last one: from the top each time, a text of nothing but
        # secrets would cost its square. For the same reason a line is cut out once.
        line += text.count("\n", counted, start)
        counted = start
        secret = _bare(text[start:end])
        if allow is None:
            from .fingerprint import fingerprint as unsalted

            fingerprint = unsalted(secret)
        else:
            if not top <= start <= end <= bottom:
                top = text.rfind("\n", 0, start) + 1
                bottom = text.find("\n", end)
                bottom = bottom if bottom >= 0 else len(text)
                before = text[text.rfind("\n", 0, top - 1) + 1 : top] if top else "\n"
                lines = before + text[top:bottom]
                if "\n" in text[start:end]:
                    bottom = -1  # several lines: not those of the next one
            if allow.allows(rule, secret, lines):
                continue
            fingerprint = allow.fingerprint(secret)
        yield Finding(
            path=path,
            line=line,
            end_line=line + text.count("\n", start, end),
            rule=rule,
            fingerprint=fingerprint,
            start=start,
            end=end,
        )


def _bare(secret: str) -> str:
    """The secret as it would be typed: no colours, breaks or unseen characters."""
    view = views.visible(secret, flatten(secret))
    return "".join((view.text if view else secret).split())


def blanked(text: str, spans: list[Span]) -> str:
    """The text with blanks in place of these spans; offsets and lines stay."""
    pieces, at = [], 0
    for start, end, _ in merged(spans):
        inside = text[start:end].split("\n")
        pieces += [text[at:start], "\n".join(" " * len(line) for line in inside)]
        at = end
    return "".join(pieces) + text[at:]


def own_spans(text: str) -> list[Span]:
    """What our own rules see, in any view of the text; spans may overlap."""
    flat = flatten(text)
    view = views.visible(text, flat)
    if view is None:
        return _seen(text, flat)
    # The raw text is looked at too: a cut must not glue a token to its neighbour.
    return [*view.spans(_seen(view.text, flatten(view.text))), *_seen(text, flat)]


def _seen(text: str, flat: str) -> list[Span]:
    places = _WORDS.places(flat, low := flat.lower())
    spans = _direct(text, flat, low, places)
    if view := torn.joined(flat, spans, places):
        spans.extend(view.spans(_looked_at(view.text)))
    if view := views.unescaped(flat):
        spans.extend(view.spans(_looked_at(view.text, decode=False)))
    return spans


_WORDS = Literals(
    (*STEMS, *http.WORDS, *pem.WORDS, *tokens.WORDS, *torn.WORDS),
    fold=True,
    shapes=SHAPES,
)


def _decoded(text: str) -> list[Span]:
    flat = flatten(text)
    low = flat.lower()
    return _direct(text, flat, low, _WORDS.places(flat, low), decode=False)


def _looked_at(flat: str, *, decode: bool = True) -> list[Span]:
    low = flat.lower()
    return _direct(flat, flat, low, _WORDS.places(flat, low), decode=decode)


def _direct(
    text: str, flat: str, low: str, places: Places, *, decode: bool = True
) -> list[Span]:
    long_runs, blocks = tokens.runs(flat, flat.encode("ascii"))
    spans = [
        *tokens.tokens(flat, sorted([*long_runs, *blocks]), places),
        *calls(flat, long_runs),
        *keys(flat, places),
        *bodies(flat, blocks),
        *requests(flat, places),
        *assignments(text, flat, low, places),
    ]
    if decode and blocks:
        spans.extend(encoded(flat, blocks, _decoded))
    return spans


# From names that say least to those that say more; a family's own name says most.
_VAGUE = (
    "detect-",
    "generic-",
    "password",
    "http-",
    "cli-",
    "curl-",
    "uri-",
    "vendor-",
)


def _says(rule: str) -> int:
    for rank, prefix in enumerate(_VAGUE):
        if rule.startswith(prefix):
            return rank
    return len(_VAGUE)


def merged(spans: list[Span]) -> list[Span]:
    """Overlapping spans as one, under the name that says most."""
    result: list[Span] = []
    for start, end, rule in sorted(spans):
        if end <= start:
            continue
        if result and start < result[-1][1]:
            top, bottom, name = result[-1]
            old, new = _says(name), _says(rule)
            if new > old or (new == old and end - start > bottom - top):
                name = rule
            result[-1] = (top, max(bottom, end), name)
        else:
            result.append((start, end, rule))
    return result
