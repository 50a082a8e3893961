"""The index is a cache: whatever happens to it, answers stay those of the tip."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

from hipogit.recall import index, stamp
from hipogit.recall.answer import recall
from hipogit.recall.search import search
from hipogit.store import Store
from tests.conftest import git

from .conftest import Memory, entry

WORDS = ("bucket", "limit", "queue", "cache", "token", "retry", "shard", "latency")


def _fill(memory: Memory, days: int = 6) -> None:
    chance = random.Random(7)
    for day in range(1, days + 1):
        memory.write(
            *(
                entry(
                    f"2026-11-{day:02}",
                    f"{chance.choice(WORDS)} {chance.choice(WORDS)}",
                    f"- decisions: use {chance.choice(WORDS)} {n} for "
                    f"{chance.choice(WORDS)}\n"
                    f"- outcome: done in {chance.choice(WORDS)}",
                )
                for n in range(4)
            )
        )


def _answers(store: Store) -> list[object]:
    def ask(opened: index.Index) -> list[object]:
        found: list[object] = [search(opened, word, most=50) for word in WORDS]
        for word in WORDS:
            recalled = recall(opened, f"why {word} and {WORDS[0]}?")
            found.append([item.as_json() for item in recalled.items])
        return found

    return index.using(store, ask)


def test_the_index_follows_the_tip(memory: Memory) -> None:
    first = entry("2026-11-01", "Rate limit", "- decisions: token bucket")
    memory.write(first)
    assert index.using(memory.store, lambda ix: search(ix, "bucket"))
    memory.write(entry("2026-11-02", "Queue", "- decisions: redis streams"))
    assert index.using(memory.store, lambda ix: search(ix, "redis"))[0].topic == "Queue"
    assert index.using(memory.store, lambda ix: search(ix, "bucket"))


def test_same_tip_same_answers_whatever_the_order_of_indexing(
    memory: Memory, tmp_path: Path
) -> None:
    _fill(memory, 3)
    _answers(memory.store)
    _fill(memory, 6)  # days 1 to 3 say the same again, 4 to 6 are new
    grown = _answers(memory.store)
    git(tmp_path, "clone", "-q", "--mirror", str(memory.path), "other.git")
    other = Store.open(tmp_path / "other.git")
    assert _answers(other) == grown
    index.discard(memory.store.local)
    assert _answers(memory.store) == grown


@pytest.mark.parametrize(
    "harm", ["delete", "truncate", "flip", "empty", "stamp", "junk"]
)
def test_harm_to_the_index_changes_no_answer(memory: Memory, harm: str) -> None:
    _fill(memory)
    before = _answers(memory.store)
    chance = random.Random(harm)
    for _ in range(8):
        path = stamp.path(memory.store.local)
        data = bytearray(path.read_bytes())
        if harm == "delete":
            path.unlink()
        elif harm == "truncate":
            path.write_bytes(data[: chance.randrange(len(data))])
        elif harm == "flip":
            data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
            path.write_bytes(data)
        elif harm == "empty":
            path.write_bytes(b"")
        elif harm == "junk":
            path.write_bytes(chance.randbytes(5000))
        else:
            (memory.store.local / f"index-{stamp.FORMAT}.stamp").write_text("x y z")
        assert _answers(memory.store) == before


def test_a_rewritten_history_is_indexed_anew(memory: Memory) -> None:
    kept = memory.write(entry("2026-11-01", "Kept", "- decisions: alpha"))
    memory.write(entry("2026-11-02", "Gone", "- decisions: secretive beta"))
    assert index.using(memory.store, lambda ix: search(ix, "beta"))
    git(memory.path, "update-ref", memory.store.ref, kept)
    git(memory.path, "reflog", "expire", "--expire=now", "--all")
    git(memory.path, "gc", "-q", "--prune=now")
    assert not index.using(memory.store, lambda ix: search(ix, "beta"))
    assert index.using(memory.store, lambda ix: search(ix, "alpha"))


def test_what_was_withdrawn_is_not_even_in_the_file(memory: Memory) -> None:
    said = entry("2026-11-01", "Vendor", "- decisions: we trust zanzibarcorp")
    memory.write(said, entry("2026-11-01", "Other", "- decisions: something else"))
    assert index.using(memory.store, lambda ix: search(ix, "zanzibarcorp"))
    gone = entry("2026-11-01", "(retracted)", "Withdrawn.", standing="retracted")
    memory.write(type(gone)(**{**_parts(gone), "id": said.id}))
    assert not index.using(
        memory.store, lambda ix: search(ix, "zanzibarcorp OR other")
    )[1:]
    assert not index.using(
        memory.store, lambda ix: recall(ix, "do we trust zanzibarcorp?")
    ).items
    assert not _holding(memory, b"zanzibarcorp")


def _holding(memory: Memory, word: bytes) -> list[Path]:
    """The files beside the branch in which a word stands, as bytes."""
    files = [path for path in memory.store.local.rglob("*") if path.is_file()]
    return [path for path in files if word in path.read_bytes().lower()]


def test_no_byte_of_a_long_history_keeps_what_was_withdrawn(memory: Memory) -> None:
    """Nor once many updates have spread words over many parts of the index."""
    gone = entry("2026-11-03", "Vendor", "- decisions: we trust Zanzibarcorp")
    node = "---\ntype: weekly\n---\n\nZanzibarcorp is trusted.\n"
    week = "memory/weekly/2026-W45.md"
    memory.write(gone, files={week: node})
    for day in range(1, 20):
        memory.write(entry(f"2026-11-{day:02}", f"Zebra {day}", "- decisions: go on"))
        index.refresh(memory.store)
    assert _holding(memory, b"zanzibarcorp")
    tombstone = entry("2026-11-03", "(retracted)", "x", standing="retracted")
    tombstone = type(tombstone)(**{**_parts(tombstone), "id": gone.id})
    memory.write(tombstone, files={week: node.replace("Zanzibarcorp", "Nobody")})
    index.refresh(memory.store)
    assert not _holding(memory, b"zanzibarcorp")
    assert not _holding(memory, b"zanzibar")
    assert index.using(memory.store, lambda ix: search(ix, "zebra", most=50))[18:]


READER = """
import sys
sys.path += sys.argv[2:]
from pathlib import Path
from hipogit.store import Store
from tests.recall.test_index import _answers
store = Store.open(Path("."))
for _ in range(int(sys.argv[1])):
    print(repr(_answers(store)) == Path("want").read_text("utf-8"), flush=True)
"""


def test_readers_do_not_notice_a_vandal(memory: Memory) -> None:
    _fill(memory, 3)
    _vandalised(memory, times=12)


@pytest.mark.slow
@pytest.mark.skipif("HIPOGIT_DATA" not in os.environ, reason="needs HIPOGIT_DATA")
def test_readers_of_91_days_do_not_notice_a_vandal(memory: Memory) -> None:
    folder = Path(os.environ["HIPOGIT_DATA"]) / "data/memaware/data/sessions"
    files = {
        f"memory/{path.name}": path.read_text("utf-8") for path in folder.iterdir()
    }
    memory.write(files=dict(files))
    _vandalised(memory, times=6)


def _vandalised(memory: Memory, times: int) -> None:
    """Two processes ask while bytes are flipped, cut off and taken away."""
    want = _answers(memory.store)
    (memory.path / "want").write_text(repr(want), "utf-8")
    readers = [
        subprocess.Popen(
            [sys.executable, "-c", READER, str(times), *sys.path],
            cwd=memory.path,
            stdout=subprocess.PIPE,
            text=True,
        )
        for _ in range(2)
    ]
    chance = random.Random(11)
    path = stamp.path(memory.store.local)
    while any(reader.poll() is None for reader in readers):
        with suppress(OSError):
            size = path.stat().st_size
            harm = chance.choice(("flip", "flip", "cut", "delete"))
            if harm == "delete":
                path.unlink()
            elif harm == "cut":
                os.truncate(path, chance.randrange(size))
            else:
                with path.open("r+b") as file:
                    file.seek(chance.randrange(size))
                    file.write(chance.randbytes(1))
        time.sleep(chance.random() / 10)
    for reader in readers:
        told = reader.communicate()[0].split()
        assert (reader.returncode, told) == (0, ["True"] * times)


def test_a_write_within_a_tick_of_the_clock_is_seen(memory: Memory) -> None:
    """A file system may give two writes one time; the stamp has one of its own."""
    _fill(memory, 2)
    index.refresh(memory.store)
    for _ in range(50):
        path = stamp.path(memory.store.local)
        with path.open("r+b") as file:
            file.seek(100)
            file.write(b"\x07")
        assert stamp.read(memory.store.local) is None
        index.refresh(memory.store)


def _parts(said: object) -> dict[str, object]:
    names = ("topic", "body", "type", "id", "at", "standing", "meta")
    return {name: getattr(said, name) for name in names}


def test_a_folder_that_cannot_be_written_is_searched_in_memory(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    _fill(memory, 2)
    want = _answers(memory.store)
    index.discard(memory.store.local)
    shutil.rmtree(memory.store.local)
    # A file where the folder should be refuses every write, also to root.
    memory.store.local.write_text("in the way")
    assert _answers(memory.store) == want


def test_a_clone_that_wants_no_index_gets_none(memory: Memory) -> None:
    _fill(memory, 2)
    want = _answers(memory.store)
    index.discard(memory.store.local)
    (memory.store.local / "config.toml").write_text("search.index = false\n")
    assert _answers(memory.store) == want
    assert not stamp.files(memory.store.local)


def test_processes_that_index_at_once_all_answer(memory: Memory) -> None:
    _fill(memory)
    code = (
        "from pathlib import Path; from hipogit.store import Store;"
        "from hipogit.recall import index; from hipogit.recall.search import search;"
        "s = Store.open(Path('.'));"
        "print(len(index.using(s, lambda ix: search(ix, 'done', most=99))))"
    )
    running = [
        subprocess.Popen(
            [sys.executable, "-c", code],
            cwd=memory.path,
            stdout=subprocess.PIPE,
            text=True,
        )
        for _ in range(6)
    ]
    assert {process.communicate()[0].strip() for process in running} == {"24"}


def test_a_checkpoint_costs_the_same_however_long_the_history(memory: Memory) -> None:
    _fill(memory, 9)
    index.refresh(memory.store)
    with stamp.lock(memory.store.local, 1):
        old = stamp.read(memory.store.local)
    assert old is not None
    tip = memory.write(entry("2026-11-20", "New", "- decisions: one more"))
    changed = list(index._changes(memory.store, old.tip, tip))
    assert [path for path, _ in changed] == ["memory/2026-11-20.md"]
    index.refresh(memory.store)
    assert index.using(memory.store, lambda ix: search(ix, "one more"))
