"""What history brought: each blob once, with the commit that brought it first."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from ..errors import GitFailed
from ..plumbing import Git, Object
from .changes import Commit


class Blob(NamedTuple):
    """A blob, and where it was met first."""

    oid: str
    path: str
    data: bytes


def each(
    git: Git, commits: Iterable[Commit], wanted: Callable[[str, str], bool]
) -> Iterator[tuple[Commit, list[Blob]]]:
    """The commits, each with the blobs it was the first to bring.

    `wanted` is asked once for each object, by id and path. All of them come from one
    process. Raises GitFailed where one is missing: nobody can vouch for it.
    """
    met: set[str] = set()
    plan: list[tuple[Commit, list[tuple[str, str]]]] = []
    for commit in commits:
        fresh = []
        for file in commit.files:
            if file.new not in met:
                met.add(file.new)
                if file.new.strip("0") and wanted(file.new, file.path):
                    fresh.append((file.new, file.path))
        plan.append((commit, fresh))
    with git.objects() as objects:
        stream = objects.stream(oid for _, fresh in plan for oid, _ in fresh)
        for commit, fresh in plan:
            found = []
            for oid, path in fresh:
                one = present(next(stream), oid, path)
                found.append(Blob(one.oid, path, one.data))
            yield commit, found


def present(found: Object | None, oid: str, path: str) -> Object:
    """The object. Raises GitFailed when this clone lacks it."""
    if found is None:
        raise GitFailed(
            f"this clone lacks {path} as {oid[:12]} has it", hint="hipogit doctor"
        )
    return found
