"""The fixture transcripts, and a reading of one while it is being written."""

from __future__ import annotations

import random
from pathlib import Path

from hipogit.transcripts import Cursor, Reading, Turn, read

ROOT = Path(__file__).parent.parent / "fixtures" / "transcripts"

GROWING = sorted(path.relative_to(ROOT).as_posix() for path in ROOT.rglob("*.jsonl"))
WHOLE = sorted(
    path.relative_to(ROOT).as_posix()
    for pattern in ("*.zst", "*.json")
    for path in ROOT.rglob(pattern)
)


def platform_of(name: str) -> str:
    """The platform a fixture belongs to: its folder."""
    return name.split("/")[0]


def whole(name: str) -> Reading:
    """A fixture read once, its last turn included."""
    return read(platform_of(name), ROOT / name, final=True)


def in_slices(
    platform: str, data: bytes, cuts: list[int], path: Path, final: bool = False
) -> tuple[list[Turn], list[Reading]]:
    """A file that grows from cut to cut, read at each; the cursor goes through JSON.

    `final` says that every reading is one, as if a Stop hook had fired there.
    """
    cursor: Cursor | None = None
    turns: list[Turn] = []
    readings = []
    path.write_bytes(b"")
    for start, end in zip([0, *cuts], [*cuts, len(data)], strict=True):
        with path.open("ab") as file:
            file.write(data[start:end])
        last = end == len(data)
        reading = read(platform, path, cursor, final=final or last)
        cursor = Cursor.from_json(reading.cursor.to_json())
        gone = set(reading.rewound)
        turns = [turn for turn in turns if not gone & {turn.id, turn.continues}]
        turns += reading.turns
        readings.append(reading)
    return turns, readings


def mutated(data: bytes, seed: int) -> bytes:
    """The bytes with some of them changed, dropped, repeated and put in."""
    chance = random.Random(seed)
    changed = bytearray(data)
    for _ in range(chance.randrange(1, 30)):
        at = chance.randrange(len(changed) + 1)
        match chance.randrange(4):
            case 0:
                changed[at : at + 1] = bytes([chance.randrange(256)])
            case 1:
                del changed[at : at + chance.randrange(200)]
            case 2:
                changed[at:at] = bytes(changed[at : at + chance.randrange(200)])
            case _:
                changed[at:at] = chance.choice([b"\n", b'"', b"\x00", b"{", b"\\ud83d"])
    return bytes(changed)


def shuffled(data: bytes, seed: int) -> bytes:
    """The lines of a transcript in another order, some of them twice."""
    chance = random.Random(seed)
    lines = data.split(b"\n")
    picked = chance.choices(lines, k=len(lines) + 5)
    return b"\n".join(picked) + b"\n"


def random_cuts(seed: int, size: int, number: int = 9) -> list[int]:
    """Places at which a file of that size is cut, in order."""
    chance = random.Random(seed)
    return sorted(chance.randrange(size + 1) for _ in range(number))
