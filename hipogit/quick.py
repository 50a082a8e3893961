"""Memory's tip for hooks: found, read and handed on without an import that is felt.

`plumbing` needs subprocess, which alone costs a hook as much as the interpreter. Here
the repository is found by walking up, one `git cat-file --batch` reads the files asked
for, and work that takes longer goes to a process of its own.
"""

# Importing pathlib would be felt at every turn.
# ruff: noqa: PTH100, PTH109, PTH111, PTH112, PTH113, PTH118, PTH120, PTH123

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

DEFAULT_BRANCH = "hipogit/memory"

# Variables of git's that describe the user's machine rather than one repository; every
# other GIT_* is dropped, those of `git rev-parse --local-env-vars` among them.
_KEPT = (
    "GIT_ALLOW_PROTOCOL",
    "GIT_CEILING_DIRECTORIES",
    "GIT_CONFIG_GLOBAL",
    "GIT_CONFIG_NOSYSTEM",
    "GIT_CONFIG_SYSTEM",
    "GIT_DISCOVERY_ACROSS_FILESYSTEM",
    "GIT_EXEC_PATH",
    "GIT_PROXY_COMMAND",
    "GIT_PROXY_SSL_CAINFO",
    "GIT_SSH",
    "GIT_SSH_COMMAND",
    "GIT_SSH_VARIANT",
    "GIT_SSL_CAINFO",
    "GIT_SSL_CAPATH",
    "GIT_SSL_NO_VERIFY",
)

_SETTINGS = (
    # Writing a ref, adding a worktree and even `status` fire hooks of the user's.
    ("core.hooksPath", os.devnull),
    ("core.fsmonitor", "false"),
    ("commit.gpgSign", "false"),
    ("core.quotePath", "false"),
    # One checkpoint writes a handful of objects. Kept as a pack they carry a .keep
    # until the ref has moved, so `git gc --prune=now` beside us cannot eat them.
    ("fastimport.unpackLimit", "1"),
    # A shared sparse pattern of the user's must not hide files of the memory.
    ("core.sparseCheckout", "false"),
    ("gc.auto", "0"),
)
OPTIONS = tuple(word for key, value in _SETTINGS for word in ("-c", f"{key}={value}"))


def environment(extra: Mapping[str, str] | None = None) -> dict[str, str]:
    """A clean environment for one git process, with these variables set."""
    env = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("GIT_") or name in _KEPT
    }
    env.update(
        GIT_OPTIONAL_LOCKS="0",
        GIT_TERMINAL_PROMPT="0",
        # A replace ref would let somebody change what an object id stands for.
        GIT_NO_REPLACE_OBJECTS="1",
        # Nor may a graft file of the clone's give a commit other parents.
        GIT_GRAFT_FILE=os.devnull,
        GIT_PAGER="cat",
        LC_ALL="C",
    )
    env.update(extra or {})
    return env


class Place:
    """A repository with memory: its common git folder, and the worktree we are in."""

    __slots__ = ("common", "top")

    def __init__(self, common: str, top: str) -> None:
        self.common = common
        self.top = top

    @property
    def local(self) -> str:
        """The folder of what is kept beside the branch."""
        return self.common + "/hipogit"


def find(cwd: str) -> Place | None:
    """The repository a folder lies in, when memory was set up there.

    A submodule without a memory of its own belongs to the repository around it, a
    folder in no repository to the one that was `lent` to it.
    """
    folder = os.path.realpath(cwd)
    alone = True
    while True:
        common = _git_folder(folder)
        if common:
            alone = False
            if os.path.isdir(common + "/hipogit"):
                return Place(common, folder) if _allowed(folder, common) else None
            if "/modules/" not in common:
                return None
        parent = os.path.dirname(folder)
        if parent == folder:
            return _lent_place(cwd) if alone else None
        folder = parent


def lent(cwd: str) -> tuple[str, str]:
    """The work tree around a folder in no repository, and the git folder it goes with.

    By GIT_DIR and GIT_WORK_TREE, or because `hipogit --git-dir D init` was run there:
    dotfiles are kept like that. Two empty texts where there is none.
    """
    folder = os.path.realpath(cwd)
    given = os.environ.get("GIT_DIR", "")
    if given:
        top = os.path.realpath(os.environ.get("GIT_WORK_TREE") or os.getcwd())
        if _within(folder, top) and os.path.isdir(given):
            return top, os.path.realpath(given)
    found = "", ""
    for line in _text(loans()).split("\n"):
        top, _, git_dir = line.partition("\t")
        if git_dir and len(top) > len(found[0]) and _within(folder, top):
            found = top, git_dir
    return found


def loans() -> str:
    """The file that says which folders go with which git folders."""
    home = os.environ.get("XDG_STATE_HOME") or os.path.expanduser("~/.local/state")
    return home + "/hipogit/lent"


def _lent_place(cwd: str) -> Place | None:
    top, git_dir = lent(cwd)
    if not git_dir:
        return None
    common = os.path.realpath(os.path.join(git_dir, _line(git_dir + "/commondir")))
    if not os.path.isdir(common + "/hipogit"):
        return None
    return Place(common, top) if os.lstat(common).st_uid == os.geteuid() else None


def _within(folder: str, top: str) -> bool:
    return folder == top or folder.startswith(top.rstrip("/") + "/")


def _text(path: str) -> str:
    try:
        with open(path, "rb") as file:
            return file.read(1 << 20).decode("utf-8", "surrogateescape")
    except OSError:
        return ""


def _git_folder(folder: str) -> str:
    """The common git folder that stands at a folder; empty when none does."""
    link = folder + "/.git"
    if os.path.isdir(link):
        return link
    target = _line(link).removeprefix("gitdir:").strip()
    if target:
        git_dir = os.path.join(folder, target)
    elif os.path.isfile(folder + "/HEAD") and os.path.isdir(folder + "/objects"):
        git_dir = folder  # a bare repository, or the inside of a .git folder
    else:
        return ""
    return os.path.realpath(os.path.join(git_dir, _line(git_dir + "/commondir")))


def _allowed(folder: str, common: str) -> bool:
    """Whether git would work here: it refuses folders that others own."""
    link = folder + "/.git"
    places = [folder, common, *([link] if os.path.lexists(link) else [])]
    if not os.environ.get("GIT_CEILING_DIRECTORIES"):
        me = os.geteuid()
        if all(os.lstat(place).st_uid == me for place in places):
            return True
    # Settings of the user's may allow it all the same; git knows.
    from pathlib import Path

    from .errors import HipogitError
    from .plumbing import Git

    try:
        return Git.discover(Path(folder)) is not None
    except HipogitError:
        return False


def ref(place: Place) -> str:
    """Full name of the memory branch of a repository."""
    return "refs/heads/" + (_line(place.local + "/branch") or DEFAULT_BRANCH)


def read(place: Place, paths: Sequence[str]) -> tuple[str, list[str | None]] | None:
    """The tip and these files there, from one git process; None without a branch.

    Raises OSError when git cannot be run.
    """
    with _CatFile(place) as git:
        git.ask(f"{ref(place)}^{{commit}}")
        data = _more(git.answers, b"")
        end = data.find(b"\n")
        head = data[:end].split(b" ")
        if len(head) != 3 or head[1] != b"commit":
            return None
        tip = head[0].decode("ascii")
        git.ask(*(f"{tip}:{path}" for path in paths))
        data += git.rest()
    found = _objects(data)
    return (tip, found[1:]) if len(found) == len(paths) + 1 else None


def objects(place: Place, names: Sequence[str]) -> list[str | None]:
    """These objects, from one git process; None for what is missing.

    Raises OSError when git cannot be run.
    """
    with _CatFile(place) as git:
        git.ask(*names)
        return _objects(git.rest())


class _CatFile:
    """A `cat-file --batch`, from the first question to its end."""

    def __init__(self, place: Place) -> None:
        self._pid, self._questions, self.answers = _cat_file(place)

    def __enter__(self) -> _CatFile:
        return self

    def __exit__(self, *raised: object) -> None:
        self._no_more()
        os.close(self.answers)
        os.waitpid(self._pid, 0)

    def ask(self, *names: str) -> None:
        """Ask for these objects."""
        _send(self._questions, "".join(f"{name}\n" for name in names))

    def rest(self) -> bytes:
        """All it answers from here on; nothing can be asked any more."""
        self._no_more()
        parts = []
        while part := os.read(self.answers, 1 << 20):
            parts.append(part)
        return b"".join(parts)

    def _no_more(self) -> None:
        if self._questions >= 0:
            os.close(self._questions)
            self._questions = -1


def _cat_file(place: Place) -> tuple[int, int, int]:
    """A `cat-file --batch`: its process, where to ask, where it answers."""
    theirs, ask = os.pipe()
    answers, ours = os.pipe()
    try:
        pid = os.posix_spawnp(
            "git",
            ["git", *OPTIONS, "cat-file", "--batch"],
            environment({"GIT_DIR": place.common}),
            file_actions=[
                (os.POSIX_SPAWN_DUP2, theirs, 0),
                (os.POSIX_SPAWN_DUP2, ours, 1),
                (os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0),
            ],
        )
    except OSError:
        os.close(ask)
        os.close(answers)
        raise
    finally:
        os.close(theirs)
        os.close(ours)
    return pid, ask, answers


def _objects(data: bytes) -> list[str | None]:
    """The contents `cat-file --batch` answered with; None for what is missing."""
    found: list[str | None] = []
    at = 0
    while at < len(data):
        end = data.find(b"\n", at)
        if end < 0:
            raise OSError("git cat-file ended early")
        head = data[at:end]
        at = end + 1
        if head.endswith((b" missing", b" ambiguous")):
            found.append(None)
            continue
        size = int(head.rpartition(b" ")[2])
        found.append(data[at : at + size].decode("utf-8", "surrogateescape"))
        at += size + 1
    return found


def _send(pipe: int, text: str) -> None:
    data = text.encode("utf-8", "surrogateescape")
    while data:
        data = data[os.write(pipe, data) :]


def _more(pipe: int, data: bytes) -> bytes:
    """One whole answer at least; less when the process ended."""
    while True:
        part = os.read(pipe, 1 << 16)
        data += part
        end = data.find(b"\n")
        if not part:
            return data
        if end >= 0:
            size = data[:end].rpartition(b" ")[2]
            if not size.isdigit() or len(data) >= end + 2 + int(size):
                return data


def detach(code: str, args: Sequence[str], data: bytes = b"") -> None:
    """Run Python code of this package in a process that nobody waits for.

    It gets `data` on its standard input. Raises OSError when it cannot be started.
    """
    package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    # Appended, so that what lies beside the package cannot stand in for a module of
    # Python's own; -P for the same reason: the folder we run in is the user's.
    lead = f"import sys; sys.path.append({package!r}); "
    theirs, ours = os.pipe() if data else (-1, -1)
    given = (
        (os.POSIX_SPAWN_DUP2, theirs, 0)
        if data
        else (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0)
    )
    try:
        _spawn(
            [sys.executable, "-P", "-c", lead + code, *args],
            [
                given,
                # A host that reads our output to its end would wait for this process.
                (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0),
                (os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0),
            ],
        )
        if data:
            os.close(theirs)
            theirs = -1
            while data:
                data = data[os.write(ours, data) :]
    finally:
        for pipe in (theirs, ours):
            if pipe >= 0:
                os.close(pipe)


def _spawn(words: list[str], actions: list[tuple[object, ...]]) -> None:
    env = dict(os.environ)
    try:
        # Hosts end the whole group or session of a hook when it is done.
        os.posix_spawn(words[0], words, env, file_actions=actions, setsid=True)
    except NotImplementedError:
        os.posix_spawn(words[0], words, env, file_actions=actions, setpgroup=0)


def _line(path: str) -> str:
    """The text of a file of one line; empty when there is none."""
    try:
        with open(path, "rb") as file:
            return file.read(4096).decode("utf-8", "surrogateescape").strip()
    except (OSError, ValueError):
        return ""
