"""What can be scanned for secrets: files, the index, a revision, all of history.

Each source gives pieces one at a time, so memory holds one blob however many there are.
"""

from __future__ import annotations

import os
from collections.abc import Container, Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from .errors import Usage
from .plumbing import Git, decode


class Piece(NamedTuple):
    """Something to scan: where it is, what it holds, which object it is (if one).

    With `names` it is the names of those files instead, each with the object it
    stands in; `trees` are the objects that hold no other names.
    """

    path: str
    data: bytes
    oid: str = ""
    names: Sequence[tuple[str, str]] = ()
    trees: Sequence[str] = ()


# Names that are scanned at once: a scan has a price of its own.
_BATCH = 400


def named(items: Iterable[tuple[str, str]]) -> Iterator[Piece]:
    """The paths (each with an object id or nothing) as pieces of their own."""
    batch: list[tuple[str, str]] = []
    for item in items:
        batch.append(item)
        if len(batch) == _BATCH:
            yield Piece("", b"", names=batch)
            batch = []
    if batch:
        yield Piece("", b"", names=batch)


def stdin(data: bytes) -> Iterator[Piece]:
    """Standard input as one piece."""
    yield Piece("-", data)


def files(paths: Sequence[str], cwd: Path) -> Iterator[Piece]:
    """Files as they stand on disk. In a folder inside a repository: what git tracks or
    would add; elsewhere everything but `.git`. A file that is named is always read."""
    seen: list[tuple[str, str]] = []
    for piece in _files(paths, cwd):
        seen.append((piece.path, ""))
        yield piece
    yield from named(seen)


def _files(paths: Sequence[str], cwd: Path) -> Iterator[Piece]:
    for name in paths:
        path = cwd / name
        if path.is_symlink() or not path.exists():
            if not path.is_symlink():
                raise Usage(f"there is no file {name}", hint="hipogit scan --help")
            # git stores the target's name, not what it leads to.
            yield Piece(name, os.fsencode(path.readlink()))
        elif path.is_dir():
            for below in _below(path):
                shown = os.path.normpath(os.path.join(name, below))  # noqa: PTH118
                if (piece := _read(path / below, shown)) is not None:
                    yield piece
        elif (piece := _read(path, name)) is not None:
            yield piece


def _read(path: Path, shown: str) -> Piece | None:
    if path.is_symlink():
        return Piece(shown, os.fsencode(path.readlink()))
    if not path.is_file():
        return None  # a socket, a pipe, a submodule; reading a pipe would never end
    return Piece(shown.replace(os.sep, "/"), path.read_bytes())


def _below(folder: Path) -> Iterator[str]:
    try:
        git = Git.discover(folder)
    except Usage:
        git = None
    if git is None or git.toplevel is None:
        yield from _walk(folder)
        return
    listed = git.run(
        "ls-files", "-z", "--cached", "--others", "--exclude-standard", cwd=folder
    )
    # A path that is in conflict stands there once per side.
    for name in dict.fromkeys(decode(listed).split("\0")):
        if name and os.path.lexists(folder / name):
            yield name


def _walk(folder: Path) -> Iterator[str]:
    for top, names, inside in os.walk(folder):
        names[:] = sorted(name for name in names if name != ".git")
        for name in sorted(inside):
            yield os.path.relpath(Path(top) / name, folder)


def staged(
    git: Git, paths: Sequence[str], cwd: Path, index: str | None = None
) -> Iterator[Piece]:
    """What the commit being made would add or change.

    `index` is GIT_INDEX_FILE as a hook inherits it: in `git commit -- path` and `-p`
    the commit is made from an index of its own. With paths: these files as the index
    holds them, changed or not.
    """
    env = {}
    if index:
        env["GIT_INDEX_FILE"] = str((cwd / index).resolve())
    if paths:
        items = _indexed(git, env, _within(git, paths, cwd))
    else:
        items = _changed(git, env)
    yield from _blobs(git, items)
    yield from named((path, "") for _, path in items)


def _changed(git: Git, env: dict[str, str]) -> list[tuple[str, str]]:
    base = git.attempt("rev-parse", "--verify", "-q", "HEAD^{tree}", env=env)
    # Before the first commit everything is new.
    empty = git.run("hash-object", "-t", "tree", "--stdin")
    tree = decode(base.stdout if base.returncode == 0 else empty).strip()
    raw = git.run(
        *("diff-index", "--cached", "--raw", "-z", "--no-renames", "--no-abbrev"),
        *("--ignore-submodules=none", tree),
        env=env,
    )
    words = decode(raw).split("\0")
    items = []
    for head, path in zip(words[::2], words[1::2], strict=False):
        _, mode, _, oid, _ = head.split(" ")
        if mode not in ("000000", "160000"):  # deleted; a submodule's commit
            items.append((oid, path))
    return items


def _indexed(git: Git, env: dict[str, str], wanted: set[str]) -> list[tuple[str, str]]:
    raw = git.run("ls-files", "-s", "-z", "--full-name", env=env)
    items = []
    for line in filter(None, decode(raw).split("\0")):
        head, path = line.split("\t", 1)
        mode, oid, _ = head.split(" ")
        if mode != "160000" and _named(path, wanted):
            items.append((oid, path))
    return items


def revision(git: Git, rev: str, paths: Sequence[str], cwd: Path) -> Iterator[Piece]:
    """Every file of a commit, or with `A..B` every blob those commits brought."""
    if ".." in rev:
        yield from _listed(git, [rev])
        return
    wanted = _within(git, paths, cwd) if paths else set()
    done = git.attempt("rev-parse", "--verify", "-q", f"{rev}^{{tree}}")
    if done.returncode:
        raise Usage(f"there is no revision {rev}", hint="git log --oneline")
    items = []
    raw = git.run("ls-tree", "-r", "-z", "--full-tree", decode(done.stdout).strip())
    for line in filter(None, decode(raw).split("\0")):
        head, path = line.split("\t", 1)
        _, kind, oid = head.split(" ")
        if kind == "blob" and (not wanted or _named(path, wanted)):
            items.append((oid, path))
    yield from _blobs(git, items)
    yield from named((path, oid) for oid, path in items)


def history(git: Git, skip: Container[bytes] = frozenset()) -> Iterator[Piece]:
    """Everything any ref or reflog reaches: each blob once under a path it had, and
    the messages of commits and tags. `skip` holds ids of blobs known to be clean."""
    yield from _listed(git, ["--all", "--reflog"], skip)


def reached(
    git: Git, revs: Sequence[str], skip: Container[bytes] = frozenset()
) -> Iterator[Piece]:
    """Every blob and commit message that revisions reach (`^REV` leaves out)."""
    yield from _listed(git, revs, skip)


def _listed(
    git: Git, revs: Sequence[str], skip: Container[bytes] = frozenset()
) -> Iterator[Piece]:
    def items() -> Iterator[tuple[str, str]]:
        for line in git.lines("rev-list", *revs):
            yield decode(line), f"commit {decode(line)[:12]}"
        if "--all" in revs:
            format = "--format=%(objecttype) %(objectname) %(refname)"
            for line in git.lines("for-each-ref", format):
                kind, oid, name = decode(line).split(" ", 2)
                if kind != "commit":
                    yield oid, name
        # Without the second option git lists the commits that were named as well.
        only = ("--filter=object:type=blob", "--filter-provided-objects")
        for line in git.lines("rev-list", "--objects", *only, *revs):
            oid, _, path = decode(line).partition(" ")
            yield oid, path

    yield from _blobs(git, items(), skip)
    only = ("--filter=object:type=tree", "--filter-provided-objects")
    listed = (decode(line) for line in git.lines("rev-list", "--objects", *only, *revs))
    yield from _trees(git, (line.partition(" ")[::2] for line in listed), skip)


def all_objects(git: Git, skip: Container[bytes] = frozenset()) -> Iterator[Piece]:
    """Every object there is, reachable or not."""

    def items() -> Iterator[tuple[str, str]]:
        format = "--batch-check=%(objectname) %(objecttype)"
        for line in git.lines("cat-file", "--batch-all-objects", format):
            oid, kind = decode(line).split(" ")
            if kind != "tree":
                yield oid, f"{kind} {oid[:12]}"

    def trees() -> Iterator[tuple[str, str]]:
        format = "--batch-check=%(objectname) %(objecttype)"
        for line in git.lines("cat-file", "--batch-all-objects", format):
            oid, kind = decode(line).split(" ")
            if kind == "tree":
                yield oid, f"tree {oid[:12]}"

    yield from _blobs(git, items(), skip)
    yield from _trees(git, trees(), skip)


def _trees(
    git: Git, items: Iterable[tuple[str, str]], skip: Container[bytes]
) -> Iterator[Piece]:
    """The names in these trees, each name once."""
    met: set[bytes] = set()
    names: list[tuple[str, str]] = []
    trees: list[str] = []
    with git.objects() as objects:
        for oid, folder in items:
            if bytes.fromhex(oid) in skip:
                continue
            found = objects.read(oid)
            if found is None or found.type != "tree":
                continue
            trees.append(oid)
            for name in _entries(found.data, len(oid) // 2):
                if name not in met:
                    met.add(name)
                    shown = f"{folder}/{decode(name)}" if folder else decode(name)
                    names.append((shown, oid))
            if len(names) >= _BATCH:
                yield Piece("", b"", names=names, trees=trees)
                names, trees = [], []
    if trees:
        yield Piece("", b"", names=names, trees=trees)


def _entries(data: bytes, width: int) -> Iterator[bytes]:
    """The names in a tree object: `mode name`, a zero byte, the id's bytes."""
    at = 0
    while at < len(data):
        end = data.index(b"\0", at)
        yield data[data.index(b" ", at, end) + 1 : end]
        at = end + 1 + width


def _blobs(
    git: Git, items: Iterable[tuple[str, str]], skip: Container[bytes] = frozenset()
) -> Iterator[Piece]:
    with git.objects() as objects:
        for oid, path in items:
            if bytes.fromhex(oid) in skip:
                continue
            found = objects.read(oid)
            if found is not None and found.type != "tree":
                yield Piece(path or oid, found.data, oid)


def introduced(git: Git, oid: str) -> str:
    """The first commit that had this blob, or nothing when no ref reaches one."""
    done = git.attempt(
        *("log", "--all", "--reflog", "-m", "--format=%H", f"--find-object={oid}")
    )
    commits = decode(done.stdout).split()
    return commits[-1] if commits and not done.returncode else ""


def _within(git: Git, paths: Sequence[str], cwd: Path) -> set[str]:
    """Paths as the user names them, as git names them from the top."""
    top = git.toplevel
    if top is None:
        return {os.path.normpath(path) for path in paths}
    return {
        os.path.relpath((cwd / path).parent.resolve() / (cwd / path).name, top)
        for path in paths
    }


def _named(path: str, wanted: set[str]) -> bool:
    if path in wanted or "." in wanted:
        return True
    return any(path.startswith(f"{folder}/") for folder in wanted)
