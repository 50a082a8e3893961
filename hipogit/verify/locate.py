"""Which commit is to be checked: here, at a remote's copy, or fetched first."""

from __future__ import annotations

from ..errors import GitFailed, NotSetUp
from ..plumbing import decode
from ..store import Store


def find(store: Store, rev: str = "", *, fetch: bool = False) -> str:
    """The commit to check: a revision, the branch, or the remote's copy of it.

    With `fetch` the remote's copy is fetched first; it is what is checked where this
    clone has no branch of its own. Raises NotSetUp naming the command that fetches it.
    """
    git = store.git
    remote = _remote(store)
    if fetch and not rev:
        _fetch(store, remote)
    wanted = [rev] if rev else [store.ref, f"refs/remotes/{remote}/{store.branch}"]
    for name in wanted:
        done = git.attempt("rev-parse", "-q", "--verify", f"{name}^{{commit}}")
        if done.returncode == 0:
            return decode(done.stdout).strip()
    if rev:
        raise NotSetUp(f"there is no revision {rev}", hint="git log --oneline --all")
    if not git.remotes():
        raise NotSetUp(f"there is no branch {store.branch}", hint="hipogit init")
    raise NotSetUp(
        f"this clone has no branch {store.branch}",
        hint=f"git fetch {remote} {store.branch}:{store.branch}, or --fetch",
    )


def absent(store: Store) -> str:
    """Why there is nothing to check and nothing is wrong with that: a sentence that
    names the command which fetches the branch. Empty where there is something, or where
    memory was set up and has to be.
    """
    if (store.local / "branch").exists():
        return ""
    try:
        find(store)
    except NotSetUp as problem:
        return f"{problem.sentence}, so there is nothing to check ({problem.hint})"
    return ""


def _remote(store: Store) -> str:
    """The remote that was named, else `origin`, else the only one that could be."""
    named = store.config().text("remote")
    if named:
        return named
    refs = store.git.refs(f"refs/remotes/*/{store.branch}")
    known = [ref.removeprefix("refs/remotes/").split("/")[0] for ref in refs]
    for names in (known, list(store.git.remotes())):
        if "origin" not in names and len(names) == 1:
            return names[0]
    return "origin"


def _fetch(store: Store, remote: str) -> None:
    git = store.git
    done = git.attempt(
        # Entries may name anything; a submodule among them is none of the clone's.
        "fetch", "-q", "--no-tags", "--no-recurse-submodules", remote,
        f"+{store.ref}:refs/remotes/{remote}/{store.branch}", timeout=600,
    )  # fmt: skip
    if not done.returncode:
        return
    said = decode(done.stderr).strip()
    if "couldn't find remote ref" in said:
        raise NotSetUp(
            f"{remote} has no branch {store.branch}",
            hint=f"git push {remote} {store.branch}, from a clone that has it",
        )
    if remote not in git.remotes():
        raise NotSetUp(f"there is no remote {remote}", hint="git remote add origin URL")
    first = said.split("\n")[0].removeprefix("fatal: ")
    raise GitFailed(
        f"{remote} could not be fetched from: {first}",
        hint=f"git fetch {remote} {store.branch}",
        output=said,
    )
