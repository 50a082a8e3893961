"""Writing commits: objects first, the ref last.

One `fast-import` writes all blobs, trees and commits of a transaction. Measured for one
append: `git add && git commit` 1.0, GitPython's index 1.5, seven plumbing calls 0.9,
fast-import 0.5. It writes them under a staging ref, and `update-ref` then moves the
branch by compare-and-swap and drops the staging ref in one transaction. The new objects
are reachable, or held by a .keep, at every instant, so a `git gc --prune=now` beside
us cannot eat them.
"""

from __future__ import annotations

import os
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from . import access
from .errors import GitFailed, Moved
from .plumbing import Git, decode, encode

# As git says it, whose messages are asked for in English.
_DENIED = ("Permission denied", "Read-only file system", "Operation not permitted")
_PACKS = 24  # our own packs, before they are put together into one


class Draft(NamedTuple):
    """A commit to be written: files by path (None deletes), message, author date."""

    changes: Mapping[str, str | None]
    message: str
    at: datetime


class Identity(NamedTuple):
    """Who stands as author and committer, and whether git knew."""

    name: str
    mail: str
    known: bool


def identity(git: Git) -> Identity:
    """The user's git identity, or a stand-in where git has none."""
    found = git.settings(r"^(user|author)\.(name|email)$")
    name = found.get("author.name") or found.get("user.name") or ""
    mail = found.get("author.email") or found.get("user.email") or ""
    known = bool(name and mail)
    return Identity(
        _plain(name) or "hipogit", _plain(mail) or "hipogit@localhost", known
    )


def write(
    git: Git,
    drafts: Sequence[Draft],
    parent: str | None,
    who: Identity,
    now: datetime,
    *,
    sign: bool = False,
) -> Staged:
    """Write the commits, each on the one before, and hold them under a staging ref."""
    stage = f"refs/hipogit/stage/{os.getpid()}-{os.urandom(6).hex()}"
    stream = _stream(drafts, parent, who, now, stage)
    folder = git.common / "hipogit"
    began = time.time()
    try:
        out = git.run(
            "fast-import",
            "--quiet",
            "--done",
            "--date-format=raw-permissive",
            f"--export-pack-edges={folder / 'packs'}",
            input=stream,
        )
    except GitFailed as problem:
        sweep(git)
        unkeep(git, began)
        if (place := access.blocked(git.common)) or _denied(problem.output):
            raise access.refusal(place or git.common) from problem
        if "No such file" in problem.output:
            # `git prune` takes half-written packs of others along: write it again.
            raise Moved("the pack was pruned while it was written") from problem
        raise
    commits = tuple(decode(out).split())
    staged = Staged(git, stage, commits)
    return _signed(staged, drafts, parent, who, now) if sign else staged


class Staged(NamedTuple):
    """Commits that are written but not yet on the branch."""

    git: Git
    stage: str
    commits: tuple[str, ...]

    def move(self, ref: str, old: str | None, reason: str) -> None:
        """Move the ref from exactly `old` to the last commit.

        Raises Moved when somebody else moved it first; nothing is left behind then.
        """
        new, none = self.commits[-1], "0" * len(self.commits[-1])
        lines = [f"update {ref}\0{new}\0{old or none}\0", f"delete {self.stage}\0\0"]
        done = self.git.attempt(
            "update-ref", "-m", f"hipogit: {reason}", "-z", "--stdin",
            input=encode("".join(lines)),
        )  # fmt: skip
        if done.returncode == 0:
            return
        said = decode(done.stderr).strip()
        self.git.attempt("update-ref", "-d", self.stage)
        # It says that it cannot lock the ref then, as if somebody else held it.
        if _denied(said):
            place = access.blocked(self.git.common) or self.git.common
            raise access.refusal(place)
        if "reference already exists" in said or "but expected" in said:
            raise Moved(f"{ref} moved while it was written to")
        if "unable to resolve" in said or "cannot lock ref" in said:
            # A deleted branch, a lock held by a pack-refs beside us: read again.
            raise Moved(f"{ref} could not be moved: {said}")
        raise GitFailed(f"{ref} could not be moved", output=said)


def tidy(git: Git) -> None:
    """Put our small packs together once there are many. Never raises.

    Without this each checkpoint adds a pack, and fifty make git repack on its own.
    """
    edges = git.common / "hipogit" / "packs"
    try:
        lines = edges.read_bytes().splitlines()
    except OSError:
        return
    if len(lines) < _PACKS:
        return
    packs = [Path(decode(line.rpartition(b": ")[0])) for line in lines]
    packs = [git.common / pack for pack in dict.fromkeys(packs)]
    ours = [pack for pack in packs if pack.exists()]
    names = b"".join(encode(pack.name) + b"\n" for pack in ours)
    base = git.common / "objects" / "pack" / "pack"
    with suppress(GitFailed, OSError):
        if ours:
            made = git.run(
                "pack-objects", "-q", "--stdin-packs", str(base), input=names
            )
            kept = {f"pack-{name}" for name in decode(made).split()}
            for pack in ours:
                if kept and pack.stem not in kept:
                    _remove(pack)
        edges.unlink()
    sweep(git)


def sweep(git: Git) -> None:
    """Drop what killed writers left: staging refs and crash reports of fast-import.

    Call it under the lock: there, every staging ref belongs to a writer that is gone.
    """
    with suppress(GitFailed):
        for ref in git.refs("refs/hipogit/stage"):
            git.run("update-ref", "-d", ref)
    for folder in {git.dir, git.common}:
        for report in folder.glob("fast_import_crash_*"):
            with suppress(OSError):
                if b"refs/hipogit/stage" in report.read_bytes():
                    report.unlink()


def unkeep(git: Git, began: float) -> None:
    """Drop the .keep of packs that a fast-import begun since then left behind."""
    # A failed fast-import leaves its .keep behind, and the next try, which makes a pack
    # of the same name, fails on it.
    for keep in (git.common / "objects" / "pack").glob("pack-*.keep"):
        with suppress(OSError):
            if keep.stat().st_mtime >= began - 1 and b"fast-import" in (
                keep.read_bytes()
            ):
                keep.unlink()


def _remove(pack: Path) -> None:
    # The index goes last: a pack with an index and no data is what readers retry on.
    for suffix in (".rev", ".pack", ".idx"):
        with suppress(FileNotFoundError):
            pack.with_suffix(suffix).unlink()


def _stream(
    drafts: Sequence[Draft],
    parent: str | None,
    who: Identity,
    now: datetime,
    stage: str,
) -> bytes:
    parts: list[bytes] = []
    marks: dict[bytes, int] = {}
    for draft in drafts:
        for text in draft.changes.values():
            if text is not None and (data := encode(text)) not in marks:
                marks[data] = len(marks) + 1
                parts.append(b"blob\nmark :%d\n" % marks[data] + _data(data))
    commits: list[int] = []
    for number, draft in enumerate(drafts, len(marks) + 1):
        author = f"{who.name} <{who.mail}> {_raw(draft.at)}"
        committer = f"{who.name} <{who.mail}> {_raw(now)}"
        parts.append(
            encode(
                f"commit {stage}\nmark :{number}\n"
                f"author {author}\ncommitter {committer}\n"
            )
            + _data(encode(draft.message))
        )
        if not commits and parent:
            parts.append(encode(f"from {parent}\n"))
        for path, text in draft.changes.items():
            if text is None:
                parts.append(encode(f"D {_path(path)}\n"))
            else:
                mark = marks[encode(text)]
                parts.append(encode(f"M 100644 :{mark} {_path(path)}\n"))
        commits.append(number)
    parts += [b"get-mark :%d\n" % number for number in commits]
    return b"".join([*parts, b"done\n"])


def _signed(
    staged: Staged,
    drafts: Sequence[Draft],
    parent: str | None,
    who: Identity,
    now: datetime,
) -> Staged:
    # fast-import cannot sign, so each commit is made again from its tree.
    git = staged.git
    commits: list[str] = []
    for commit, draft in zip(staged.commits, drafts, strict=True):
        env = {
            "GIT_AUTHOR_NAME": who.name,
            "GIT_AUTHOR_EMAIL": who.mail,
            "GIT_AUTHOR_DATE": _raw(draft.at),
            "GIT_COMMITTER_NAME": who.name,
            "GIT_COMMITTER_EMAIL": who.mail,
            "GIT_COMMITTER_DATE": _raw(now),
        }
        above = ["-p", parent] if parent else []
        # A signing agent it starts would hold our lock for ever.
        made = git.holding(None).run(
            "commit-tree", "-S", f"{commit}^{{tree}}", *above,
            input=encode(draft.message), env=env,
        )  # fmt: skip
        parent = decode(made).strip()
        commits.append(parent)
    git.run("update-ref", staged.stage, commits[-1])
    return Staged(git, staged.stage, tuple(commits))


def _data(data: bytes) -> bytes:
    return b"data %d\n" % len(data) + data + b"\n"


def _raw(at: datetime) -> str:
    # git's commits hold no dates before 1970.
    offset = f"{at:%z}"[:5] or "+0000"
    return f"{max(0, int(at.timestamp()))} {offset}"


def _path(path: str) -> str:
    if path.startswith('"') or "\n" in path:
        quoted = path.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
        return f'"{quoted}"'
    return path


def _plain(text: str) -> str:
    return "".join(c for c in text if c not in "<>\n\0").strip()


def _denied(said: str) -> bool:
    return any(word in said for word in _DENIED)
