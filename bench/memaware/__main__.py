"""How much of what an agent should know comes back: every arm, with intervals.

    HIPOGIT_DATA=../shared python -m bench.memaware [--arms A,B] [--markdown]

It imports the 91 days into a fresh repository, asks each question as it was asked and
counts the questions whose evidence stands in the first 4,000 tokens shown. The measure
is that of tools/memaware_proxy.py in HIPOGIT_DATA, which asks no model.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import sys
import tempfile
from pathlib import Path
from typing import Any

from . import arms, report


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.memaware")
    parser.add_argument("--data", default=os.environ.get("HIPOGIT_DATA", ""))
    parser.add_argument("--arms", default="")
    parser.add_argument("--budget", type=int, default=4000)
    parser.add_argument("--repository", help="reuse one that holds the 91 days")
    parser.add_argument("--markdown", action="store_true")
    given = parser.parse_args()
    if not given.data:
        parser.error("name the data: --data FOLDER or HIPOGIT_DATA")
    proxy = load(Path(given.data) / "tools" / "memaware_proxy.py")
    data = proxy.Data(str(Path(given.data) / "data" / "memaware"))
    with tempfile.TemporaryDirectory(prefix="memaware-") as folder:
        bench = arms.Bench(
            proxy, data, Path(folder), given.budget,
            Path(given.repository) if given.repository else None,
        )  # fmt: skip
        names = given.arms.split(",") if given.arms else list(arms.ARMS)
        rows = {}
        for name in names:
            print(f"{name} …", file=sys.stderr, flush=True)
            found = arms.ARMS[name](bench)
            if found is not None:
                rows[name] = found
        report.table(rows, markdown=given.markdown)
        report.awareness(bench)
        report.cloze(bench)
        report.silence(bench)
        report.speed(bench)
    return 0


def load(path: Path) -> Any:
    """The measure, as a module."""
    spec = importlib.util.spec_from_file_location("memaware_proxy", path)
    assert spec and spec.loader, f"{path} is no Python file"
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


if __name__ == "__main__":
    sys.exit(main())
