"""The memory branch of one repository: read a snapshot, write commits, move the ref.

The ref is the only truth. A transaction takes the lock, reads one snapshot, lets a pure
function decide, writes objects, moves the ref by compare-and-swap and brings the
checked-out view along. When somebody moved the ref first, it decides anew on what they
wrote; nothing is lost and nothing is written twice.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from . import access, lineage, quick, recovery, worktree, writer
from .config import Config, load
from .errors import HipogitError, Moved, NotSetUp
from .inbox import Ledger, Spool, spools
from .plumbing import Git, Objects, TreeItem, decode, encode
from .record import Record

_TRIES = 20
_PATIENCE = 60.0  # seconds to wait for the lock
_MOMENT = 0.5  # seconds; the gits of a killed writer let go of the lock within it


class Step(NamedTuple):
    """One commit to be: files by path (None deletes) and what it says of itself."""

    changes: Mapping[str, str | None]
    record: Record


class Written(NamedTuple):
    """Commits a transaction put on the branch, first to last, and the tip before.

    `saved` names edits in the view that stood in the way and lie beside it now.
    """

    commits: tuple[str, ...]
    before: str | None
    view_current: bool
    saved: tuple[str, ...] = ()

    @property
    def tip(self) -> str:
        return self.commits[-1]


Clear = Callable[[str], str]
Decide = Callable[["Snapshot"], Sequence[Step] | None]


class Snapshot:
    """The branch as one commit has it, with pending changes laid over it."""

    def __init__(
        self,
        git: Git,
        objects: Objects,
        tip: str | None,
        pending: Mapping[str, str | None] | None = None,
    ) -> None:
        self.tip = tip
        self._git = git
        self._objects = objects
        self._pending = dict(pending or {})
        self._blobs: dict[str, str | None] = {}

    def read(self, path: str) -> str | None:
        """The text of a file, or None when there is none."""
        if path in self._pending:
            return self._pending[path]
        if self.tip is None:
            return None
        found = self._objects.read(f"{self.tip}:{path}")
        if found is None and self._item(path):
            # Not absent but unreadable: a pack went away beneath us. Taking it for
            # absent would write the file anew and lose what it holds.
            raise Moved(f"{path} could not be read", hint="git fsck")
        if found is None or found.type != "blob":
            return None
        self._blobs[path] = found.oid
        return decode(found.data)

    def blob(self, path: str) -> str | None:
        """The object id of a file's content, also of content not yet written."""
        if path in self._pending:
            text = self._pending[path]
            return None if text is None else self._git.blob_id(encode(text))
        if path not in self._blobs and self.read(path) is None:
            return None
        return self._blobs[path]

    def paths(self, prefix: str = "") -> list[str]:
        """Every file whose path begins with the prefix, sorted."""
        folder = prefix.rpartition("/")[0]
        found = set(self._walk(folder)) if self.tip else set()
        for path, text in self._pending.items():
            (found.discard if text is None else found.add)(path)
        return sorted(path for path in found if path.startswith(prefix))

    def with_changes(self, changes: Mapping[str, str | None]) -> Snapshot:
        """The same branch with these files changed as well."""
        pending = {**self._pending, **changes}
        return Snapshot(self._git, self._objects, self.tip, pending)

    def at(self, commit: str) -> Snapshot:
        """The branch as another commit has it."""
        return Snapshot(self._git, self._objects, commit)

    def _walk(self, folder: str) -> Iterator[str]:
        item = self._item(folder)
        stack = [(folder, item)] if item else []
        while stack:
            path, item = stack.pop()
            for child in self._tree(item.oid):
                below = f"{path}/{child.name}" if path else child.name
                if child.kind == "tree":
                    stack.append((below, child))
                elif child.kind == "blob":
                    yield below

    def _item(self, path: str) -> TreeItem | None:
        """What stands at a path, found by walking down; None when nothing does."""
        item = TreeItem("40000", "tree", f"{self.tip}^{{tree}}", "")
        for name in path.split("/") if path else []:
            below = self._tree(item.oid) if item.kind == "tree" else []
            found = next((child for child in below if child.name == name), None)
            if found is None:
                return None
            item = found
        return item

    def _tree(self, spec: str) -> list[TreeItem]:
        items = self._objects.tree(spec)
        if items is None:
            raise Moved(f"the tree {spec} could not be read", hint="git fsck")
        return items


class Store:
    """The memory of one repository."""

    def __init__(self, git: Git, ref: str) -> None:
        self.git = git
        self.ref = ref
        self.local = git.common / "hipogit"

    @classmethod
    def open(cls, cwd: Path, git_dir: Path | None = None) -> Store:
        """The store of the repository that holds a folder.

        Raises NotSetUp when there is no repository. Whether the branch exists is asked
        by `snapshot`.
        """
        git = Git.discover(cwd, git_dir)
        if not git_dir and "modules" in git.common.parts:
            # A submodule without a memory of its own uses that of the repository
            # around it, as its agents' hooks do.
            around = quick.find(str(cwd))
            git = Git.discover(Path(around.top)) if around else git
        store = cls(git, branch_ref(git))
        store.recover()
        return store

    @property
    def branch(self) -> str:
        """Short name of the branch."""
        return self.ref.removeprefix("refs/heads/")

    @property
    def view(self) -> worktree.Worktree | None:
        """The checked-out view, or None when the store was set up without one."""
        return worktree.find(self.git)

    @property
    def ledger(self) -> Ledger:
        """Failures that nobody was there to see."""
        return Ledger(self.local / "ledger.jsonl")

    @property
    def spools(self) -> list[Spool]:
        """Where entries may wait to be committed."""
        view = self.view
        return spools(self.git.common, view.path if view else None)

    def config(self, snapshot: Snapshot | None = None) -> Config:
        """The settings that hold here; those of the branch from the snapshot given."""
        shared = snapshot.read("hipogit.toml") if snapshot else None
        return load(self.local, shared or "")

    @contextmanager
    def snapshot(self, rev: str = "") -> Iterator[Snapshot]:
        """The branch at its tip, or at a revision. Raises NotSetUp without a branch."""
        with self.git.objects() as objects:
            if rev:
                found = objects.read(f"{rev}^{{commit}}")
                tip = found.oid if found else None
            else:
                tip = self._tip(objects)
            if tip is None and rev:
                raise NotSetUp(f"there is no commit {rev}", hint="hipogit log")
            if tip is None:
                raise NotSetUp.no_branch(self.branch)
            yield Snapshot(self.git, objects, tip)

    def _tip(self, objects: Objects) -> str | None:
        found = objects.read(f"{self.ref}^{{commit}}")
        if found is None and self.tip():
            raise Moved(f"the tip of {self.branch} could not be read", hint="git fsck")
        return found.oid if found else None

    def tip(self) -> str | None:
        """The commit at the tip, or None without a branch."""
        return self.git.refs(self.ref).get(self.ref)

    def transact(
        self,
        decide: Decide,
        now: datetime,
        *,
        patience: float = _PATIENCE,
        clear: Clear | None = None,
    ) -> Written | None:
        """Write what `decide` wants on top of the snapshot it is given.

        With `clear` an edit in the view that stands in the way is cleaned by it and
        saved beside the file, so that the view always shows the new tip.

        None when it wants nothing. Raises ReadOnly when the repository cannot be
        written, HipogitError when the lock or the ref could not be had in time.
        """
        with self.lock(patience) as git:
            recovery.recover(git, self.ref, cleared)
            for _ in range(_TRIES):
                with self.git.objects() as objects:
                    try:
                        snapshot = Snapshot(self.git, objects, self._tip(objects))
                        lineage.require(self.git, objects, snapshot.tip, self.branch)
                        steps = decide(snapshot)
                        if not steps:
                            return None
                        sign = self.config(snapshot).flag("sign")
                        return self._write(git, steps, snapshot.tip, now, sign, clear)
                    except Moved:
                        continue
        raise HipogitError(
            f"{self.branch} kept moving while it was written to", hint="try again"
        )

    def recover(self) -> None:
        """Put right what a killed writer left.

        Costs one look at a file where nobody writes; a writer at work is given a
        moment to end.
        """
        if not recovery.needed(self.local):
            return
        from . import publish

        with suppress(HipogitError, OSError):
            with self.lock(_MOMENT) as git:
                recovery.recover(git, self.ref, cleared)
            publish.renew(self)

    @contextmanager
    def lock(self, patience: float = _PATIENCE, name: str = "lock") -> Iterator[Git]:
        """Hold the repository's memory lock. A dead holder never blocks.

        Gives a Git whose processes hold it as long as they run: were their parent
        killed, nobody must take their unfinished work for that of the dead.

        Setting up holds one of another `name`, because it writes to memory itself.
        """
        path = self.local / name
        try:
            self.local.mkdir(exist_ok=True)
            handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
        except OSError as problem:
            place = access.blocked(self.git.common) or self.local
            raise access.refusal(place, problem) from None
        try:
            with _held(handle, path, patience):
                yield self.git.holding(handle if os.name == "posix" else None)
        finally:
            os.close(handle)

    def _write(
        self,
        git: Git,
        steps: Sequence[Step],
        tip: str | None,
        now: datetime,
        sign: bool,
        clear: Clear | None,
    ) -> Written:
        drafts = [
            writer.Draft(step.changes, step.record.message(), step.record.at or now)
            for step in steps
        ]
        who = writer.identity(git)
        recovery.begin(self.local, withdraws=clear is not None)
        staged = writer.write(git, drafts, tip, who, now, sign=sign)
        staged.move(self.ref, tip, steps[0].record.action)
        view = worktree.find(git)
        state = view.refresh(staged.commits[-1], clear) if view else None
        recovery.end(self.local)
        writer.tidy(git)
        return Written(
            staged.commits,
            tip,
            state is not None and state.current,
            state.saved if state else (),
        )


def cleared(text: str) -> str:
    """An edit without its secrets, fit to be saved beside the file it is of."""
    from . import gate

    return gate.clean(text).text


def branch_ref(git: Git) -> str:
    """Full name of the memory branch this clone uses."""
    try:
        name = decode((git.common / "hipogit" / "branch").read_bytes()).strip()
    except OSError:
        name = ""
    return f"refs/heads/{name or quick.DEFAULT_BRANCH}"


@contextmanager
def _held(handle: int, path: Path, patience: float) -> Iterator[None]:
    try:
        import fcntl
    except ImportError:  # no flock on this system
        import filelock

        with filelock.FileLock(f"{path}.held", timeout=patience):
            yield
        return
    end = time.monotonic() + patience
    while True:
        try:
            # The kernel drops it when the holder dies, so no stale lock can block.
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            break
        except BlockingIOError:
            if time.monotonic() > end:
                raise HipogitError(
                    f"{path} has been held by another process for {patience:.0f} s",
                    hint="hipogit doctor",
                ) from None
            time.sleep(0.005 + 0.01 * (os.getpid() % 7) / 7)
    yield
