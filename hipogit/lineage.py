"""Whether a commit is one of memory's: a branch can be set to anything.

`git update-ref refs/heads/hipogit/memory main` makes the memory branch show code, and
what is written next would stand on the history of the code.
"""

from __future__ import annotations

from .errors import Refused
from .plumbing import Git, Objects, decode
from .record import ACTIONS, Record

_OURS = b"filter=hipogit"  # in the .gitattributes that `init` writes


def require(git: Git, objects: Objects, tip: str | None, branch: str) -> None:
    """Nothing, or Refused when this tip of the branch is none of memory's.

    Costs one object more from a process that runs already; only a tip that a person
    made and that lost our attributes is followed back to where it began.
    """
    if tip is not None and not _at_a_glance(objects, tip) and foreign(git, tip):
        raise Refused(sentence(branch, tip), hint="hipogit doctor --fix")


def sentence(branch: str, tip: str) -> str:
    """What is wrong with a branch that was set to something else."""
    return f"{branch} stands at {tip[:12]}, which is no commit of memory"


def foreign(git: Git, tip: str) -> str:
    """A commit the history of this tip begins with that is no beginning of memory;
    empty when there is none. Where a shallow clone ends nobody can say."""
    done = git.attempt(
        "-c", "log.showSignature=false",
        "log", "-z", "--max-parents=0", "--encoding=UTF-8", "--format=%H%n%B", tip,
    )  # fmt: skip
    ends = cut(git)
    for item in filter(None, decode(done.stdout).split("\0")):
        oid, _, message = item.partition("\n")
        if oid not in ends and not _ours(message):
            return oid
    return ""


def cut(git: Git) -> frozenset[str]:
    """The commits where a shallow clone ends: their parents are not here."""
    try:
        return frozenset((git.common / "shallow").read_text("ascii").split())
    except OSError:
        return frozenset()


def _at_a_glance(objects: Objects, tip: str) -> bool:
    commit = objects.read(tip)
    if commit is None:
        return True  # unreadable, which is told elsewhere
    if _ours(decode(commit.data.partition(b"\n\n")[2])):
        return True
    attributes = objects.read(f"{tip}:.gitattributes")
    return attributes is not None and _OURS in attributes.data


def _ours(message: str) -> bool:
    record = Record.parse(message)
    return record is not None and record.action in ACTIONS
