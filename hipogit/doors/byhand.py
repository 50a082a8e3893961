"""The gate in git's hooks of the memory worktree, for what is committed by hand.

The clean filter redacts what `git add` stores and refuses a name that is a secret.
Before a commit the index, the names in it and the people named are looked at once more,
since `git mv`, links and plumbing go past the filter. The message is redacted in place.
"""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from ..plumbing import Git
    from ..sources import Piece


def clean_filter(args: Sequence[str]) -> int:
    """Standard input, gated, on standard output: what `git add` will store."""
    from .. import gate
    from ..plumbing import decode, encode

    text = decode(sys.stdin.buffer.read())
    cleaned = gate.clean(text)
    misnamed = [name for name in args if gate.clean_path(name) != name]
    if cleaned.findings or misnamed:
        # Only now: this runs for each file that git adds, and most hold nothing.
        from pathlib import Path

        from .. import memory
        from ..store import Store

        if allow := memory.allowed(Store.open(Path.cwd())):
            cleaned = gate.clean(text, allow=allow)
            misnamed = [name for name in misnamed if gate.scan(name, allow=allow)]
    if misnamed:
        # Refused here, the name is in no index and no tree.
        _said(f"the name of {gate.clean_path(misnamed[0])} is a secret", _RENAME)
        return 1
    sys.stdout.buffer.write(encode(cleaned.text))
    return 0


_RENAME = "give the file another name, and change the secret where it is used"


def before(args: Sequence[str]) -> int:
    """Refuse a commit whose index, file names or people hold a secret, one with a
    conflict in it, or one that was prepared behind the branch."""
    from pathlib import Path

    from .. import conflict, gate, sources, sweep
    from ..gate.report import plain, render
    from ..plumbing import encode
    from ..store import Store

    here = Path.cwd()
    store = Store.open(here)
    git, view = store.git, store.view
    here_too = view and view.admin.resolve() == git.dir.resolve()
    if view and here_too and view.shown not in (None, store.tip()):
        _said(
            f"{view.path} lies behind {store.branch}:"
            " this commit would undo what came since",
            "hipogit compact takes your edits in and brings it along",
        )
        return 1
    # The index git made for this very commit, which may not be the usual one.
    index = os.environ.get("GIT_INDEX_FILE")
    names: list[str] = []
    torn: list[str] = []

    def pieces() -> Iterator[sources.Piece]:
        for piece in sources.staged(git, (), here, index):
            names.extend(path for path, _ in piece.names)
            if line := _conflict(git, piece):
                torn.append(f"{plain(piece.path)}:{line} holds a conflict")
            yield piece

    found = sweep.sweep(pieces(), lambda: sweep.allowance(git))
    if found.findings:
        nowhere = [""] * len(found.findings)
        said = render("text", found.findings, nowhere, scanned=found.scanned)
        sys.stderr.buffer.write(encode(said))
        bad = [path for path in names if gate.clean_path(path) != path]
        if bad:
            _forget(git, here, index, bad)
        return 1
    if torn:
        _said("; ".join(torn), conflict.HINT)
        return 1
    for who in ("AUTHOR", "COMMITTER"):
        # As git will write it: from the environment, the options or the configuration.
        given = {k: v for k, v in os.environ.items() if k.startswith(f"GIT_{who}_")}
        done = git.attempt("var", f"GIT_{who}_IDENT", env=given, settings=False)
        people = done.stdout.decode("utf-8", "surrogateescape").rpartition(" <")
        if any(gate.scan(part) for part in (people[0], people[2].partition(">")[0])):
            hint = "git config user.name; git config user.email"
            _said(f"the {who.lower()} of this commit holds a secret", hint)
            return 1
    return 0


def _conflict(git: Git, piece: Piece) -> int:
    """The line of a conflict that a commit would bring, or 0."""
    from .. import conflict
    from ..plumbing import decode

    text = decode(piece.data)
    line = conflict.line(text)
    if line or not (found := conflict.line(text, fences=False)):
        return line
    # While a merge is being finished a fence may be torn itself: then only what one of
    # its sides said before is a quotation.
    ends = ("MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD")
    sides = [end for end in ends if (git.dir / end).exists()]
    said = text.split("\n")[found - 1]
    for side in ("HEAD", *sides) if sides else ():
        known = git.attempt("cat-file", "blob", f"{side}:{piece.path}").stdout
        if said in decode(known).split("\n"):
            return 0
    return found if sides else 0


def _forget(git: Git, here: Path, index: str | None, paths: Sequence[str]) -> None:
    """Take refused names out of the index, and the trees out of the object store that
    git wrote from it before it asked us."""
    from ..plumbing import decode

    env = {"GIT_INDEX_FILE": str((here / index).resolve())} if index else {}
    oids = _trees(git, env, paths)
    if (git.dir / "index.lock").exists():
        # `commit -a` and `commit -- path` hold the index; they drop what they made.
        _said("such a name is still staged", f"{_RENAME}, then: git add -A")
    else:
        git.run("update-index", "--force-remove", "-z", "--stdin",
                input="\0".join(paths).encode("utf-8", "surrogateescape") + b"\0",
                env=env)  # fmt: skip
        # The index goes on naming folders it has lost until its trees are made anew.
        git.run("write-tree", env=env)
        _said("no longer staged: what has such a name", _RENAME)
    loose = git.common / "objects"
    # Only what nothing at all reaches: the store is shared with the user's branches.
    lost = decode(git.run("prune", "--expire=now", "--dry-run")).split("\n")
    for oid in {line.partition(" ")[0] for line in lost} & oids:
        (loose / oid[:2] / oid[2:]).unlink(missing_ok=True)


def _trees(git: Git, env: dict[str, str], paths: Sequence[str]) -> set[str]:
    """The trees of this index that hold one of the names."""
    from ..plumbing import decode

    root = decode(git.run("write-tree", env=env)).strip()
    oids = {root}
    for line in decode(git.run("ls-tree", "-r", "-d", "-z", root)).split("\0"):
        head, _, folder = line.partition("\t")
        if any(path.startswith(f"{folder}/") for path in paths if folder):
            oids.add(head.split(" ")[2])
    return oids


def message(args: Sequence[str]) -> int:
    """Redact the message git is about to commit, in the file that holds it."""
    from pathlib import Path

    from .. import gate, memory
    from ..plumbing import decode, encode
    from ..store import Store

    for name in args[:1]:
        text = decode(Path(name).read_bytes())
        cleaned = gate.clean(text)
        if cleaned.findings:
            cleaned = memory.cleaned(Store.open(Path.cwd()), text)
        if cleaned.text != text:
            Path(name).write_bytes(encode(cleaned.text))
        rules = sorted({finding.rule for finding in cleaned.findings})
        if rules:
            sys.stderr.write(f"hipogit: taken out of the message: {', '.join(rules)}\n")
    return 0


def _said(sentence: str, hint: str) -> None:
    sys.stderr.buffer.write(
        f"error: {sentence}\nhint: {hint}\n".encode("utf-8", "surrogateescape")
    )
