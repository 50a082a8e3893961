"""The one door to git.

Every process of ours starts from a clean environment: a hook inherits GIT_DIR,
GIT_INDEX_FILE and author dates from the commit that started it, and a memory commit
made with those lands on the user's branch. No hook, monitor, signing program or prompt
of the user's runs beneath us. Objects and refs are read through `cat-file --batch` and
`for-each-ref`, so sha256 and reftable repositories work.
"""

from __future__ import annotations

import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from . import access, credentials
from .errors import GitFailed, NotSetUp
from .objects import Object, Objects, TreeItem, command, decode, encode
from .quick import environment

__all__ = ["Git", "Object", "Objects", "TreeItem", "decode", "encode"]

TIME_LIMIT = 120.0  # seconds; a git that waits longer hangs on something


class Git:
    """One repository: where it lies, and a way to run git in it."""

    def __init__(
        self,
        dir: Path,
        common: Path,
        toplevel: Path | None,
        hash: str = "sha1",
        hold: int | None = None,
    ) -> None:
        self.dir = dir
        self.common = common
        self.toplevel = toplevel
        self.hash = hash
        self._hold = hold

    @classmethod
    def discover(cls, cwd: Path, git_dir: Path | None = None) -> Git:
        """The repository that holds a folder, as git finds it.

        `git_dir` names it outright (bare dotfiles). An inherited GIT_DIR is ignored.
        Raises NotSetUp when there is none or git refuses it.
        """
        if not cwd.is_dir():
            raise NotSetUp(f"{cwd} is not a folder", hint="name an existing one: -C")
        env = {"GIT_DIR": str(git_dir.resolve())} if git_dir else None
        words = ["--show-object-format", "--is-bare-repository"]
        places = ["--absolute-git-dir", "--git-common-dir", "--show-toplevel"]
        done = _process(
            ["rev-parse", "--path-format=absolute", *words, *places], cwd, env=env
        )
        lines = decode(done.stdout).split("\n")
        if done.returncode and len(lines) < 5:
            raise _not_found(cwd, done.stderr)
        hash, bare = lines[:2]
        if len(lines) == 6 - bool(done.returncode):
            found = lines[2:-1]
        else:  # a path with a newline in it: ask for each alone
            found = [_path(cwd, word, env) for word in places[: 2 if bare else 3]]
        top = Path(found[2]) if len(found) > 2 and not done.returncode else None
        return cls(Path(found[0]), Path(found[1]), top, hash)

    def run(
        self,
        *args: str,
        input: bytes = b"",
        cwd: Path | None = None,
        env: Mapping[str, str] | None = None,
        timeout: float = TIME_LIMIT,
        settings: bool = True,
    ) -> bytes:
        """What git prints. Raises GitFailed with its first words when it fails.

        Without `settings` the user's own hold, hooks included.
        """
        done = self.attempt(
            *args, input=input, cwd=cwd, env=env, timeout=timeout, settings=settings
        )
        if done.returncode:
            said = decode(done.stderr).strip()
            first = said.split("\n", 1)[0].removeprefix("fatal: ")
            raise GitFailed(
                f"git {_verb(args)} failed: {first or f'exit {done.returncode}'}",
                output=said,
            )
        return done.stdout

    def attempt(
        self,
        *args: str,
        input: bytes = b"",
        cwd: Path | None = None,
        env: Mapping[str, str] | None = None,
        timeout: float = TIME_LIMIT,
        settings: bool = True,
    ) -> subprocess.CompletedProcess[bytes]:
        """The finished process, failed or not. Raises GitFailed past the limit."""
        place = {"GIT_DIR": str(self.dir)} if cwd is None else {}
        where = cwd or self.toplevel or self.dir
        given = {**place, **(env or {})}
        # Hooks and daemons of the user's would go on holding what they are given.
        hold = self._hold if settings else None
        return _process([*args], where, input, given, timeout, settings, hold)

    def lines(self, *args: str) -> Iterator[bytes]:
        """What git prints, line by line while it runs: for lists of any length.

        Raises GitFailed at the end when git failed.
        """
        process = subprocess.Popen(
            command([*args]),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=self.toplevel or self.dir,
            env=environment({"GIT_DIR": str(self.dir)}),
        )
        assert process.stdout
        try:
            for line in process.stdout:
                yield line.removesuffix(b"\n")
        except GeneratorExit:
            process.kill()
            raise
        finally:
            process.stdout.close()
            code = process.wait()
        if code:
            raise GitFailed(f"git {args[0]} failed: exit {code}", hint="git fsck")

    def text(self, *args: str) -> str:
        """What git prints, as text without the final newline."""
        return decode(self.run(*args)).removesuffix("\n")

    def at(self, dir: Path, toplevel: Path | None) -> Git:
        """The same repository seen from another of its worktrees."""
        return Git(dir, self.common, toplevel, self.hash, self._hold)

    def holding(self, handle: int | None) -> Git:
        """The same, whose processes keep a file open (and a lock on it held) too."""
        return Git(self.dir, self.common, self.toplevel, self.hash, handle)

    @contextmanager
    def objects(self) -> Iterator[Objects]:
        """A `cat-file --batch` process to read objects from."""
        reader = Objects(self)
        try:
            yield reader
        finally:
            reader.close()

    def refs(self, *patterns: str) -> dict[str, str]:
        """Object ids by full ref name."""
        lines = self.run("for-each-ref", "--format=%(objectname) %(refname)", *patterns)
        pairs = (line.split(" ", 1) for line in decode(lines).splitlines())
        return {name: oid for oid, name in pairs}

    def settings(self, pattern: str) -> dict[str, str]:
        """Configuration values whose key matches, the last one of each."""
        done = self.attempt("config", "-z", "--get-regexp", pattern)
        found = {}
        for item in decode(done.stdout).split("\0"):
            key, _, value = item.partition("\n")
            if key:
                found[key] = value
        return found

    def blob_id(self, data: bytes) -> str:
        """The object id these bytes have as a blob, without writing it."""
        import hashlib

        head = b"blob %d\0" % len(data)
        return hashlib.new(self.hash, head + data, usedforsecurity=False).hexdigest()

    def union(self, mine: str, base: str, theirs: str) -> str:
        """Both sides of a text that was changed twice; where they meet, both stand.

        Raises ReadOnly.
        """
        folder = self.common / "hipogit" / "join"
        texts = {"mine": mine, "base": base, "theirs": theirs}
        files = [folder / name for name in texts]
        try:
            folder.mkdir(exist_ok=True)
            for file, text in zip(files, texts.values(), strict=True):
                file.write_bytes(encode(text))
            return decode(
                self.run("merge-file", "-p", "--union", "-q", *map(str, files))
            )
        except OSError as problem:
            raise access.refusal(folder, problem) from None
        finally:
            with suppress(OSError):
                for file in files:
                    file.unlink(missing_ok=True)
                folder.rmdir()

    def remotes(self) -> dict[str, str]:
        """URLs by the name of the remote, as the configuration has them."""
        from git.config import GitConfigParser

        found = {}
        with GitConfigParser([str(self.common / "config")], read_only=True) as parser:
            for section in parser.sections():
                kind, _, name = section.partition(" ")
                if kind == "remote" and parser.has_option(section, "url"):
                    found[name.strip('"')] = str(parser.get_value(section, "url"))
        return found


def _verb(args: Sequence[str]) -> str:
    words = iter(args)
    for word in words:
        if word == "-c":
            next(words)
        else:
            return word
    return ""


def _process(
    args: list[str],
    cwd: Path,
    input: bytes = b"",
    env: Mapping[str, str] | None = None,
    timeout: float = TIME_LIMIT,
    settings: bool = True,
    hold: int | None = None,
) -> subprocess.CompletedProcess[bytes]:
    far = _verb(args) in credentials.REMOTE
    passed = credentials.passed() if far else {}
    try:
        return subprocess.run(
            command(args) if settings else ["git", *args],
            cwd=cwd,
            input=input,
            env=environment({**passed, **(env or {})}),
            capture_output=True,
            timeout=timeout,
            pass_fds=() if hold is None else (hold,),
            # Without a terminal of its own no ssh beneath can ask at one.
            start_new_session=far,
        )
    except FileNotFoundError:
        raise NotSetUp("git is not installed", hint="install git 2.34+") from None
    except subprocess.TimeoutExpired:
        raise GitFailed(
            f"git {_verb(args)} took longer than {timeout:.0f} s", hint="try again"
        ) from None


def _path(cwd: Path, word: str, env: Mapping[str, str] | None) -> str:
    done = _process(["rev-parse", "--path-format=absolute", word], cwd, env=env)
    return decode(done.stdout).removesuffix("\n")


def _not_found(cwd: Path, stderr: bytes) -> NotSetUp:
    said = decode(stderr)
    if "dubious ownership" in said:
        return NotSetUp(
            f"git refuses {cwd}: it belongs to another user",
            hint=f"git config --global --add safe.directory {cwd}",
        )
    if "not a git repository" in said:
        return NotSetUp(f"{cwd} is in no git repository", hint="git init")
    return NotSetUp(
        f"git cannot use {cwd}: {said.strip().removeprefix('fatal: ')}",
        hint="git status",
    )
