"""The optional third engine, where it is installed."""

from __future__ import annotations

import random
import string
import sys
from pathlib import Path

import pytest

from hipogit.gate import engines

ALNUM = string.ascii_letters + string.digits


def test_without_it_the_thorough_engines_are_the_default(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # A name that is None in sys.modules cannot be found: as if it were not installed.
    monkeypatch.setitem(sys.modules, "kingfisher_sdk", None)

    assert list(engines.thorough()) == list(engines.default())


@pytest.mark.slow
def test_its_spans_count_characters(tmp_path: Path) -> None:
    pytest.importorskip("kingfisher_sdk")
    chosen = random.Random(5)
    token = f"gh{'p'}_" + "".join(chosen.choice(ALNUM) for _ in range(36))
    text = f"é 日本 \udcff token {token}\n"

    engine = engines.thorough(tmp_path / "rules")[-1]

    assert isinstance(engine, engines.Kingfisher)
    assert [text[start:end] for start, end, _ in engine.spans(text)] == [token]
