"""Brings the index up to date in a process of its own, so that nobody waits for it.

python -m hipogit.recall.beside FOLDER
"""

from __future__ import annotations

import sys
from pathlib import Path


def refresh_beside(folder: Path) -> None:
    """Start the process for the repository that holds a folder, and leave it alone."""
    import subprocess

    subprocess.Popen(
        # -P: what lies in the user's folder must not be imported.
        [sys.executable, "-P", "-m", "hipogit.recall.beside", str(folder)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        # A hook's host ends the hook's whole process group when it is done with it.
        start_new_session=True,
    )


def main(words: list[str]) -> int:
    """Refresh the index; 3 when it cannot be done."""
    from ..errors import HipogitError
    from ..store import Store
    from .index import refresh

    try:
        refresh(Store.open(Path(words[0])))
    except HipogitError:
        return 3
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
