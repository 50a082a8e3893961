"""Objects of a repository, read through `cat-file --batch`.

Works with every hash and storage of refs that git has.
"""

from __future__ import annotations

import subprocess
from collections.abc import Iterable, Iterator
from types import TracebackType
from typing import IO, TYPE_CHECKING, NamedTuple

from .errors import GitFailed
from .quick import OPTIONS, environment

if TYPE_CHECKING:
    from .plumbing import Git


def decode(raw: bytes) -> str:
    """Text of git's bytes; undecodable ones survive the way back."""
    return raw.decode("utf-8", "surrogateescape")


def encode(text: str) -> bytes:
    """Bytes of a text that `decode` gave."""
    return text.encode("utf-8", "surrogateescape")


class Object(NamedTuple):
    """One object as `cat-file --batch` gives it."""

    oid: str
    type: str
    data: bytes


class TreeItem(NamedTuple):
    """One line of a tree: mode, kind (`blob`, `tree`, `commit`), object id, name."""

    mode: str
    kind: str
    oid: str
    name: str


def command(args: list[str]) -> list[str]:
    """The words of one git process of ours."""
    return ["git", *OPTIONS, *args]


class Objects:
    """Objects by name, from one process that is started at the first read."""

    def __init__(self, git: Git) -> None:
        self._git = git
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Objects:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def read(self, spec: str) -> Object | None:
        """The object a revision names, or None when there is none."""
        return next(iter(self.read_many([spec])))

    def read_many(self, specs: Iterable[str]) -> Iterator[Object | None]:
        """The objects these revisions name, in their order."""
        stdin, stdout = self._pipes()
        for spec in specs:
            if "\n" in spec:
                yield self._by_id(spec)
                continue
            stdin.write(encode(spec) + b"\n")
            stdin.flush()
            yield self._answer(stdout)

    def stream(self, oids: Iterable[str]) -> Iterator[Object | None]:
        """The objects of these ids, in their order, from a process of their own.

        It is told all of them at once and fills whole buffers: for thousands of objects
        that costs half of asking for each.
        """
        import tempfile

        with tempfile.TemporaryFile() as asked:
            count = 0
            for oid in oids:
                asked.write(f"{oid}\n".encode("ascii"))
                count += 1
            asked.seek(0)
            process = subprocess.Popen(
                command(["cat-file", "--batch", "--buffer"]),
                stdin=asked,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                bufsize=1 << 20,
                pipesize=1 << 20,
                cwd=self._git.common,
                env=environment({"GIT_DIR": str(self._git.dir)}),
            )
        assert process.stdout
        try:
            for _ in range(count):
                yield self._answer(process.stdout)
        finally:
            process.stdout.close()
            process.wait()

    def tree(self, spec: str) -> list[TreeItem] | None:
        """The lines of a tree, in git's order; None when there is no such tree."""
        found = self.read(spec)
        if found is None or found.type != "tree":
            return None
        width = 20 if self._git.hash == "sha1" else 32
        items, at, data = [], 0, found.data
        while at < len(data):
            space = data.index(b" ", at)
            nul = data.index(b"\0", space)
            mode = data[at:space].decode("ascii")
            oid = data[nul + 1 : nul + 1 + width].hex()
            kind = {"40000": "tree", "160000": "commit"}.get(mode, "blob")
            items.append(TreeItem(mode, kind, oid, decode(data[space + 1 : nul])))
            at = nul + 1 + width
        return items

    def close(self) -> None:
        """End the process."""
        if self._process:
            for pipe in (self._process.stdin, self._process.stdout):
                assert pipe
                pipe.close()
            self._process.wait()
            self._process = None

    def _by_id(self, spec: str) -> Object | None:
        # The protocol is a line each: a path with a newline needs its id first.
        done = self._git.attempt("rev-parse", "--verify", "-q", spec)
        if done.returncode:
            return None
        return self.read(decode(done.stdout).strip())

    def _pipes(self) -> tuple[IO[bytes], IO[bytes]]:
        if self._process is None:
            self._process = subprocess.Popen(
                command(["cat-file", "--batch"]),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                cwd=self._git.common,
                env=environment({"GIT_DIR": str(self._git.dir)}),
            )
        assert self._process.stdin and self._process.stdout
        return self._process.stdin, self._process.stdout

    def _answer(self, stdout: IO[bytes]) -> Object | None:
        header = stdout.readline()
        if not header:
            raise GitFailed("git cat-file ended early", hint="git fsck")
        if header.endswith((b" missing\n", b" ambiguous\n")):
            return None
        oid, kind, size = header.decode("ascii").split()
        data = stdout.read(int(size))
        stdout.read(1)
        return Object(oid, kind, data)
