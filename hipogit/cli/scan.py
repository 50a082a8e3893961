"""`scan`: the gate by hand, in hooks and in CI."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import click

from .. import __version__, gate, sources, sweep
from ..errors import NotSetUp, Refused, Usage
from ..gate.allow import Allowed, Baseline
from ..gate.decode import decode, encode
from ..gate.engines import default, thorough
from ..gate.finding import Finding
from ..gate.report import FORMATS, render
from ..plumbing import Git
from .app import App, out, pass_app, printable, say

_KINDS = ("staged", "stdin", "rev", "history", "all_objects")


@click.command()
@click.argument("paths", nargs=-1)
@click.option("--staged", is_flag=True, help="What the commit being made holds.")
@click.option("--stdin", is_flag=True, help="Standard input.")
@click.option("--rev", metavar="REV", default="", help="A commit's files, or A..B.")
@click.option("--history", is_flag=True, help="Every blob any ref or reflog reaches.")
@click.option("--all-objects", is_flag=True, help="Also what nothing reaches.")
@click.option("--redact", is_flag=True, help="Rewrite files or standard input.")
@click.option(
    "--baseline",
    metavar="F",
    default="",
    help="Accepted findings; written when there is no such file.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(FORMATS),
    default="text",
    help="How findings are reported.",
)
@click.option("--json", "as_json", is_flag=True, help="The same as --format json.")
@pass_app
def scan(
    app: App,
    paths: tuple[str, ...],
    staged: bool,
    stdin: bool,
    rev: str,
    history: bool,
    all_objects: bool,
    redact: bool,
    baseline: str,
    form: str,
    as_json: bool,
) -> None:
    """Look for secrets and never print one.

    Exit 1 when something was found. PATHS are files and folders (default: the current
    one); with --staged and --rev they choose among what is there.

    Example: hipogit scan --staged
    """
    chosen = [
        name
        for name, on in zip(
            _KINDS, (staged, stdin, bool(rev), history, all_objects), strict=True
        )
        if on
    ]
    if len(chosen) > 1:
        raise Usage(
            f"--{chosen[0]} and --{chosen[1].replace('_', '-')} cannot be joined",
            hint="hipogit scan --help",
        )
    kind = chosen[0] if chosen else "files"
    if paths and kind in ("stdin", "history", "all_objects"):
        raise Usage(
            f"--{kind.replace('_', '-')} takes no paths", hint="hipogit scan --help"
        )
    git = _git(app, needed=kind not in ("files", "stdin"))
    known = app.cwd / baseline if baseline else None

    def allow() -> Allowed:
        return sweep.allowance(git, known)

    if redact:
        _redact(app, kind, paths, allow)
        return
    whole = kind in ("history", "all_objects")
    engines = default()
    if whole or os.environ.get("CI"):
        engines = thorough(git.common / "hipogit" / "rules" if git else None)
    clean = sweep.Clean.of(git, engines) if whole and git else None
    progress = sweep.counter() if whole else None
    found = sweep.sweep(
        _pieces(app, git, kind, paths, rev, clean),
        allow,
        engines=engines,
        clean=clean,
        progress=progress,
    )
    if progress:
        sys.stderr.write("\r\x1b[K")
    if known and not known.exists():
        _accept(known, found, allow().salt)
        return
    commits = [_commit(git, kind, rev, oid) for oid in found.oids]
    text = render(
        "json" if as_json else form,
        found.findings,
        commits,
        scanned=found.scanned,
        version=__version__,
    )
    if text:
        out(text)
    if not found.findings and form == "text" and not as_json:
        what = "object" if whole else "file"
        plural = "" if found.pieces == 1 else "s"
        read = f"{found.pieces:,} {what}{plural}, {found.scanned:,} bytes"
        say(f"nothing found in {read}")
    if found.findings:
        count = len(found.findings)
        say(f"{count} {'secret' if count == 1 else 'secrets'} found")
        raise click.exceptions.Exit(1)


def _git(app: App, *, needed: bool) -> Git | None:
    try:
        return app.git()
    except NotSetUp:
        if needed:
            raise
        return None


def _pieces(
    app: App,
    git: Git | None,
    kind: str,
    paths: tuple[str, ...],
    rev: str,
    clean: sweep.Clean | None,
) -> Iterator[sources.Piece]:
    if kind == "stdin":
        return sources.stdin(sys.stdin.buffer.read())
    if kind == "files":
        return sources.files(paths or (".",), app.cwd)
    assert git
    if kind == "staged":
        # Only the gate keeps the index a hook was given: it holds this commit.
        index = os.environ.get("GIT_INDEX_FILE")
        return sources.staged(git, paths, app.cwd, index)
    if kind == "rev":
        return sources.revision(git, rev, paths, app.cwd)
    assert clean is not None
    whole = sources.history if kind == "history" else sources.all_objects
    return whole(git, clean)


def _commit(git: Git | None, kind: str, rev: str, oid: str) -> str:
    if git is None or kind in ("files", "stdin", "staged"):
        return ""
    if kind == "rev" and ".." not in rev:
        return git.text("rev-parse", f"{rev}^{{commit}}")
    return sources.introduced(git, oid)


def _accept(path: Path, found: sweep.Found, salt: str) -> None:
    """Write a first baseline of what was found."""
    accepted = Baseline.of(found.findings, salt)
    path.write_text(accepted.render(), "utf-8", "surrogateescape")
    say(f"{len(accepted.lines)} accepted in {path}")
    weak = [finding for finding in found.findings if not finding.fingerprint]
    for finding in weak:
        where = printable(f"{finding.path}:{finding.line}")
        say(f"not accepted: {where} {finding.rule}: too short")
    if weak:
        raise click.exceptions.Exit(1)


def _redact(
    app: App, kind: str, paths: tuple[str, ...], allow: Callable[[], Allowed]
) -> None:
    if kind == "stdin":
        given = sys.stdin.buffer.read()
        cleaned = gate.clean(decode(given), allow=allow())
        data = encode(cleaned.text, like=given)
        if data is None:
            raise Refused(
                "standard input is neither UTF-8, UTF-16 nor UTF-32 as a whole",
                hint="hipogit scan --stdin",
            )
        sys.stdout.buffer.write(data)
        _told("-", cleaned.findings)
        return
    if kind != "files" or not paths:
        raise Usage(
            "--redact needs files to rewrite, or --stdin",
            hint="hipogit scan --redact PATH",
        )
    left = 0
    for piece in sources.files(paths, app.cwd):
        for bad, _ in sweep.misnamed(piece):
            say(f"not redacted: {printable(gate.clean_path(bad))}: it is the name")
            left += 1
        done = sweep.redacted(piece, allow)
        if done is None:
            continue
        path = app.cwd / piece.path
        data = encode(done.text, like=piece.data)
        if path.is_symlink() or data is None:
            shown = printable(gate.clean_path(piece.path))
            say(f"not redacted: {shown} is a link, or not all of it is text")
            left += 1
            continue
        _replace(path, data)
        _told(piece.path, done.findings)
    if left:
        raise click.exceptions.Exit(1)


def _told(path: str, findings: Sequence[Finding]) -> None:
    for finding in findings:
        shown = printable(gate.clean_path(path))
        say(f"redacted: {shown}:{finding.line}: {finding.rule}")


def _replace(path: Path, data: bytes) -> None:
    import shutil

    temporary = path.with_name(f"{path.name}.{os.getpid()}.tmp")
    temporary.write_bytes(data)
    shutil.copymode(path, temporary)
    temporary.replace(path)
