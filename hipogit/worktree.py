"""The checked-out view of the memory branch: a linked worktree, usually `.hipogit/`.

It is a view: deleting it loses nothing. Local edits in it are kept; where one stands in
the way of a newer tip the view stays behind and says so. The commit it shows is written
down beside it, because the branch moves beneath a checkout and would otherwise look
like reverted files.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from .errors import GitFailed
from .inbox import write_whole
from .plumbing import Git, decode

_UNFILTERED = tuple(
    word
    for key in ("clean=", "smudge=", "required=false")
    for word in ("-c", f"filter.hipogit.{key}")
)


class Edit(NamedTuple):
    """A file that differs from the commit the view shows; text None: deleted."""

    path: str
    text: str | None


class Refresh(NamedTuple):
    """Whether the view shows the tip, and which edits were saved beside it."""

    current: bool
    saved: tuple[str, ...] = ()


class Worktree:
    """The linked worktree of one repository. `path` need not exist."""

    def __init__(self, git: Git, path: Path, admin: Path) -> None:
        self.path = path
        self.admin = admin
        self._git = git.at(admin, path)
        self._shown = git.common / "hipogit" / "shown"

    @property
    def present(self) -> bool:
        """Whether it is checked out and git still knows it."""
        return (self.path / ".git").exists() and (self.admin / "HEAD").exists()

    @property
    def shown(self) -> str | None:
        """The commit it shows, as far as is known."""
        try:
            return self._shown.read_text("ascii").strip() or None
        except (OSError, UnicodeDecodeError):
            return None

    def run(self, *args: str, env: Mapping[str, str] | None = None) -> bytes:
        """What git prints when run in the worktree, wherever the repository moved."""
        place = {"GIT_DIR": str(self.admin), "GIT_WORK_TREE": str(self.path)}
        # What we check out and compare was gated before; a process a file for the
        # clean filter would be felt at every checkpoint.
        plain = ("-c", "filter.hipogit.clean=", "-c", "filter.hipogit.required=false")
        return self._git.run(*plain, *args, cwd=self.path, env={**place, **(env or {})})

    def run_plain(self, *args: str) -> bytes:
        """What git prints with the settings that hold here, its hooks among them."""
        place = {"GIT_DIR": str(self.admin), "GIT_WORK_TREE": str(self.path)}
        return self._git.run(*args, cwd=self.path, env=place, settings=False)

    def head(self) -> str | None:
        """The commit its HEAD stands on."""
        try:
            return decode(self.run("rev-parse", "-q", "--verify", "HEAD")).strip()
        except GitFailed:
            return None

    def attach(self, ref: str) -> None:
        """Put it back on the branch; `refresh` brings it to the tip."""
        self.mark_shown(decode(self.run("rev-parse", "HEAD")).strip())
        self.run("symbolic-ref", "HEAD", ref)

    def refresh(
        self,
        tip: str,
        clear: Callable[[str], str] | None = None,
        *,
        again: bool = False,
    ) -> Refresh:
        """Bring it to the tip, touching only files that changed on the way.

        An edit that stands in the way is kept and the view stays behind; with `clear`
        it is cleaned, saved as `FILE.local`, and the view goes on. `again` after one
        that was killed: the beginning of a file is then no edit.
        """
        if not self.present:
            return Refresh(False)
        shown = self.shown
        if shown == tip:
            return Refresh(True)
        saved: tuple[str, ...] = ()
        try:
            if shown is None:
                self.run("read-tree", tip)
                self.run("checkout-index", "-a", "-q")
            else:
                saved = self._switch(shown, tip, clear, again)
        except (GitFailed, OSError):
            return Refresh(False)
        self.mark_shown(tip)
        return Refresh(True, saved)

    def reset(self, tip: str) -> None:
        """Make it show exactly the tip; edits are overwritten.

        Only where nobody else can be at work in it: a lock there is a dead one.
        """
        (self.admin / "index.lock").unlink(missing_ok=True)
        self.run("read-tree", "--reset", "-u", tip)
        write_whole(self._shown, tip + "\n")

    def staged(self, commit: str) -> bool:
        """Whether its index holds just what a commit does."""
        try:
            self.run("diff-index", "--cached", "--quiet", commit)
        except GitFailed:
            return False
        return True

    def mark_shown(self, tip: str) -> None:
        """Write down that git itself brought it to this commit."""
        write_whole(self._shown, tip + "\n")

    def edits(self) -> list[Edit]:
        """Files added, changed or deleted by hand, against the commit shown.

        Files git is told to ignore are left out, and so is what is no file.
        """
        if not self.present:
            return []
        out = decode(
            self.run("status", "--porcelain=v1", "-z", "-uall", "--no-renames")
        )
        found = []
        for item in out.split("\0"):
            path = item[3:]
            if not path:
                continue
            file = self.path / path
            if file.is_symlink() or (file.exists() and not file.is_file()):
                continue
            text = decode(file.read_bytes()) if file.exists() else None
            found.append(Edit(path, text))
        return found

    def _switch(
        self, shown: str, tip: str, clear: Callable[[str], str] | None, again: bool
    ) -> tuple[str, ...]:
        try:
            self.run("read-tree", "-m", "-u", shown, tip)
            return ()
        except GitFailed:
            saved = self._make_way(shown, tip, clear, again)
            self.run("read-tree", "-m", "-u", shown, tip)
            return saved

    def _make_way(
        self, shown: str, tip: str, clear: Callable[[str], str] | None, again: bool
    ) -> tuple[str, ...]:
        # Touched but unchanged files look edited until their stat is read anew.
        with suppress(GitFailed):
            self.run("update-index", "-q", "--refresh")
        out = self.run("diff-tree", "-r", "-z", "--no-renames", shown, tip)
        fields = decode(out).split("\0")
        saved = []
        for about, path in zip(fields[::2], fields[1::2], strict=False):
            _, mode, old, new, _ = about.split(" ")
            file = self.path / path
            if not file.is_file() or file.is_symlink():
                continue
            data = file.read_bytes()
            if again and self._git.blob_id(data) not in (old, new):
                whole = self.run("cat-file", "blob", new) if int(new, 16) else b""
                if whole.startswith(data):
                    write_whole(file, decode(whole))
                    data = whole
            if self._git.blob_id(data) == new:
                # An edit that was committed as it stands is no edit any more.
                self.run("update-index", "--add", "--cacheinfo", f"{mode},{new},{path}")
            elif clear and self._git.blob_id(data) != old:
                aside = file.with_name(f"{file.name}.local")
                write_whole(aside, clear(decode(data)), durable=True)
                with suppress(GitFailed):
                    self.run("checkout-index", "-f", "-u", "-q", "--", path)
                if file.is_file() and self._git.blob_id(file.read_bytes()) != old:
                    file.unlink()  # never in the index: it would block the new one
                saved.append(f"{path}.local")
        return tuple(saved)


def create(git: Git, path: Path, ref: str, tip: str) -> Worktree:
    """Check the branch out at a folder that does not exist yet or is empty."""
    branch = ref.removeprefix("refs/heads/")
    git.run("worktree", "add", "-q", "--no-checkout", str(path), branch)
    worktree = _remembered(git, path)
    worktree.reset(tip)
    return worktree


def adopted(git: Git, path: Path, ref: str) -> Worktree | None:
    """A worktree of the branch that stands at a folder and that nobody remembers.

    One that a killed `create` left half made is taken away.
    """
    link = str(path / ".git")
    for admin in (git.common / "worktrees").glob("*"):
        if os.path.normpath(admin / _line_of(admin / "gitdir")) != link:
            continue
        making = _line_of(admin / "locked").startswith("initializing")
        if making or not (admin / "HEAD").exists():
            shutil.rmtree(admin)
            (path / ".git").unlink(missing_ok=True)
            return None
        head = git.attempt("--git-dir", str(admin), "symbolic-ref", "-q", "HEAD")
        if not (path / ".git").exists() or decode(head.stdout).strip() != ref:
            return None
        worktree = _remembered(git, path)
        if (admin / "index").exists():  # made and checked out by hand
            tip = worktree.head()
            worktree.mark_shown(tip or "")
        return worktree
    return None


def _remembered(git: Git, path: Path) -> Worktree:
    said = git.run("rev-parse", "--absolute-git-dir", cwd=path, env={})
    admin = Path(decode(said).removesuffix("\n"))
    remember(git, path, admin)
    return Worktree(git, path, admin)


def remember(git: Git, path: Path, admin: Path) -> None:
    """Write down where the view lies, relative so that a moved repository finds it."""
    lines = [os.path.relpath(path, git.common), admin.name]
    write_whole(git.common / "hipogit" / "view", "\n".join([*map(_line, lines), ""]))


def find(git: Git) -> Worktree | None:
    """The repository's view, present or not; None when it was set up without one."""
    try:
        raw = (git.common / "hipogit" / "view").read_bytes()
    except OSError:
        return None
    path, admin, *_ = [*decode(raw).split("\n"), "", ""]
    if not path or not admin:
        return None
    place = Path(os.path.normpath(git.common / _unline(path)))
    return Worktree(git, place, git.common / "worktrees" / admin)


def forget(git: Git) -> None:
    """Remove the view and every trace of it in the repository."""
    view = find(git)
    if view is None:
        return
    if view.path.exists():
        git.attempt("worktree", "remove", "--force", str(view.path))
    git.attempt("worktree", "prune")
    for name in ("view", "shown"):
        with suppress(OSError):
            (git.common / "hipogit" / name).unlink()


def _line_of(path: Path) -> str:
    try:
        return decode(path.read_bytes()).removesuffix("\n")
    except OSError:
        return ""


def _line(text: str) -> str:
    return text.replace("%", "%25").replace("\n", "%0A")


def _unline(text: str) -> str:
    return text.replace("%0A", "\n").replace("%25", "%")
