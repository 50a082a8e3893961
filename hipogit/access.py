"""What keeps the repository from being written here, and what a person can do.

A sandbox, a file system that is mounted read-only, files that `sudo` left to another
user and modes are four things; a hint is of use only when it names the right one.
"""

from __future__ import annotations

import errno
import os
import shlex
from contextlib import suppress
from pathlib import Path

from .errors import ReadOnly

_DENIED = (errno.EACCES, errno.EPERM, errno.EROFS)
# What a write to memory needs, the outermost first: it tells of all below it.
_PLACES = (
    "",
    "objects",
    "objects/pack",
    "refs",
    "refs/heads",
    "refs/heads/hipogit",
    "refs/hipogit",
    "logs",
    "logs/refs/heads",
    "logs/refs/heads/hipogit",
    "hipogit",
    "hipogit/lock",
)


def denied(problem: OSError) -> bool:
    """Whether that failed because somebody may not, rather than for another cause."""
    return problem.errno in _DENIED


def blocked(common: Path) -> Path | None:
    """The first place of a repository that a write needs and cannot have, or None."""
    for name in _PLACES:
        path = common / name
        if path.exists() and not os.access(path, os.W_OK):
            return path
    return None


def refusal(path: Path, problem: OSError | None = None) -> ReadOnly:
    """The error for a place that cannot be written, with its cause where one is seen.

    `problem` is what the system said, if it was asked.
    """
    if problem is not None and not denied(problem):
        return ReadOnly(
            f"{path} cannot be written: {problem.strerror}", hint="hipogit doctor"
        )
    while not path.exists() and path != path.parent:
        path = path.parent  # a file that could not be made: its folder is the reason
    why, hint = "", "run it outside the sandbox"
    what = "read" if path.exists() and not os.access(path, os.R_OK) else "written"
    place = shlex.quote(str(path))
    # Neither owners nor modes are told of in this way everywhere.
    with suppress(OSError, AttributeError):
        found = path.stat()
        if os.statvfs(path).f_flag & os.ST_RDONLY:
            why = ": its file system is read-only"
        elif found.st_uid != os.geteuid():
            why = ": it belongs to another user"
            hint = f'sudo chown -R "$(id -un)" {place}'
        elif not os.access(path, os.W_OK):
            hint = f"chmod -R u+rw {place}"
    return ReadOnly(f"{path} cannot be {what} from here{why}", hint=hint)
