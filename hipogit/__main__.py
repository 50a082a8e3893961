"""Start of the program: hooks take the short way in, everything else the command line.

A hook runs at every turn of an agent, and importing click alone costs it three times a
bare interpreter.
"""

from __future__ import annotations

import sys


def main() -> int:
    """Run the command of this process; its exit code."""
    if sys.argv[1:] in (["scan", "--stdin"], ["scan", "--stdin", "--redact"]):
        from .doors import stdin

        if stdin.run(redact=len(sys.argv) > 3) == 0:
            return 0
    from .cli import main as run

    return run()


if __name__ == "__main__":
    sys.exit(main())
