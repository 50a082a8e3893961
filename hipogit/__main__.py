"""Start of the program: hooks take the short way in, everything else the command line.

A hook runs at every turn of an agent, and importing click alone costs it three times a
bare interpreter.
"""

from __future__ import annotations

import sys


def main() -> int:
    """Run the command of this process; its exit code."""
    words = sys.argv[1:]
    if words[:1] == ["hook"] and len(words) > 2 and not words[1].startswith("-"):
        return _hook(words[1], words[2], words[3:])
    if words in (["scan", "--stdin"], ["scan", "--stdin", "--redact"]):
        from .doors import stdin

        if stdin.run(redact=len(words) > 2) == 0:
            return 0
    from .cli import main as run

    return run()


def _hook(platform: str, event: str, args: list[str]) -> int:
    if platform != "git":
        from .doors import agent

        return agent.run(platform, event)
    from .doors import git
    from .errors import HipogitError

    try:
        return git.run(event, args)
    except HipogitError as problem:
        sys.stderr.write(f"error: {problem.sentence}\n")
        if problem.hint:
            sys.stderr.write(f"hint: {problem.hint}\n")
        return problem.exit
    except Exception as problem:
        # Nobody foresaw it, so what the command line does then is done here too.
        from .cli.app import trouble

        return trouble(problem, ["hook", "git", event])


if __name__ == "__main__":
    sys.exit(main())
