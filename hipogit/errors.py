"""Failures that a person can act on: a sentence that names the thing, and a hint.

The command line prints them as `error: …` and `hint: …` and leaves with `exit`.
"""

from __future__ import annotations


class HipogitError(Exception):
    """A failure with a sentence, a hint to act on and an exit code."""

    exit = 3

    def __init__(self, sentence: str, *, hint: str = "") -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.hint = hint


class Refused(HipogitError):
    """The request was understood and declined: a finding, a failed check."""

    exit = 1


class Usage(HipogitError):
    """The request or the configuration is wrong; nothing was written."""

    exit = 2


class NotSetUp(Usage):
    """There is no repository, or it has no memory branch yet."""

    @classmethod
    def no_branch(cls, name: str = "") -> NotSetUp:
        """For a repository without its memory branch, named where it is known."""
        named = f" {name}" if name else ""
        return cls(f"there is no memory branch{named} here", hint="hipogit init")


class GitFailed(HipogitError):
    """Git itself failed; `output` holds what it said on stderr."""

    def __init__(self, sentence: str, *, hint: str = "", output: str = "") -> None:
        super().__init__(sentence, hint=hint)
        self.output = output


class Moved(HipogitError):
    """The ref moved between reading and writing; the caller reads again."""


class ReadOnly(HipogitError):
    """The repository's git directory cannot be written from here."""
