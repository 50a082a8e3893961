"""The gate against its corpus: `python -m bench.gate`.

Prints recall and precision by family, coverage of wrapped secrets, what is flagged
wrongly, and speed, each beside its floor from the same run on the same machine. Exit 1
when a share misses its floor; speeds are only printed. Real Markdown is read from the
folder in HIPOGIT_DATA.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import tempfile
import time
from base64 import b64encode
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from string import ascii_lowercase

from hipogit import gate
from hipogit.gate.engines import Kingfisher, default, thorough
from hipogit.gate.seam import Engine
from tests.gate import corpus
from tests.gate.corpus.measure import Score, flagged, scores

FLOORS = {"recall": 0.95, "family": 0.80, "more": 0.75, "wrapped": 0.90}
CEILINGS = {"negatives": 0.01, "prose": 0.005, "per MB": 0.3}


def main() -> int:
    """Run everything; 1 when a share misses its floor."""
    good = recall()
    good &= wrapped()
    good &= passed()
    good &= markdown()
    speed()
    long_lines()
    own_process()
    return 0 if good else 1


def recall() -> bool:
    """Recall and precision by family."""
    found = scores(corpus.positives())
    good = True
    print(f"{'family':20}{'cases':>7}{'recall':>9}{'precision':>11}")
    for family, score in sorted(found.items()):
        floor = FLOORS["more" if family.startswith("more-") else "family"]
        line = f"{family:20}{score.cases:7}{score.recall:9.1%}{score.precision:11.1%}"
        if score.recall < floor and not family.startswith("more-"):
            good, line = False, f"{line}  below {floor:.0%}"
        print(line)
    named = [s for family, s in found.items() if not family.startswith("more-")]
    others = [s for family, s in found.items() if family.startswith("more-")]
    good &= _share("recall, families named", named, FLOORS["recall"])
    good &= _share("recall, others", others, FLOORS["more"])
    return good


def wrapped() -> bool:
    """Secrets over lines and between signs."""
    found = scores(corpus.wrapped())
    for name, score in found.items():
        if score.recall < 1:
            print(f"  {name}: {score.covered} of {score.cases}")
    return _share("wrapped, fully covered", list(found.values()), FLOORS["wrapped"])


def passed() -> bool:
    """What must stay."""
    good = True
    for name, cases in (("negatives", corpus.negatives()), ("prose", corpus.prose())):
        total, wrong = flagged(cases)
        share, most = len(wrong) / total, CEILINGS[name]
        good &= share <= most
        print(f"{name}: {len(wrong)} of {total} flagged, {share:.2%} (<= {most:.1%})")
    return good


def markdown() -> bool:
    """Findings in real notes that hold no secret."""
    texts = real_texts()
    if not texts:
        print("real Markdown: HIPOGIT_DATA is not set")
        return True
    size = megabytes(texts)
    count = sum(len(gate.scan(text)) for text in texts)
    most = CEILINGS["per MB"]
    print(f"real Markdown: {count} findings in {size:.1f} MB (<= {most} per MB)")
    return count / size <= most


def speed() -> None:
    """Throughput and the processor time of a short text."""
    texts = real_texts() or ["\n".join(case.text for case in corpus.prose())] * 40
    size = megabytes(texts)
    rows: list[tuple[str, Sequence[Engine], int]] = [
        ("own rules", (), 20),
        ("both engines", default(), 3),
    ]
    for name, engines, floor in rows:

        def whole(engines: Sequence[Engine] = engines) -> None:
            for text in texts:
                gate.scan(text, engines=engines)

        whole()  # what is compiled or loaded once
        print(f"{name}: {size / best(whole, 2):.1f} MB/s (>= {floor})")
    small = sample()
    gate.scan(small)
    # The clock of processor time is coarse, hence many at once.
    warm = best(lambda: [gate.scan(small) for _ in range(200)], 5) * 5
    print(f"1 KB in a warm process: {warm:.2f} ms (<= 3)")


def long_lines() -> None:
    """Five megabytes in one line, in milliseconds of processor time; 20 were wanted
    whatever they are. Beside them a native engine, where it is installed."""
    peers = [engine for engine in thorough() if isinstance(engine, Kingfisher)]
    heads = ["own rules", "both", *("Kingfisher" for _ in peers)]
    print(f"{'one line of 5 MB':28}", *(f"{head:>11}" for head in heads))
    for name, text in five_megabytes().items():
        ways = [partial(gate.clean, text, engines=()), partial(gate.clean, text)]
        times = map(spent, [*ways, *(partial(peer.spans, text) for peer in peers)])
        print(f"  {name:26}", *(f"{taken:11.0f}" for taken in times))


def spent(work: Callable[[], object]) -> float:
    """Milliseconds of processor time, once everything is compiled."""
    work()
    taken = []
    for _ in range(3):
        begun = time.process_time()
        work()
        taken.append(time.process_time() - begun)
    return 1000 * min(taken)


def five_megabytes() -> dict[str, str]:
    """Lines of many shapes, of which the later ones never repeat themselves."""
    size, chance = 5_000_000, random.Random(5)
    words = ["".join(chance.choices(ascii_lowercase, k=2 + n % 9)) for n in range(5000)]

    def record() -> str:
        said = [chance.random(), chance.getrandbits(20), *chance.choices(words, k=3)]
        said += [
            " ".join(chance.choices(words, k=6)),
            None,
            f"{chance.getrandbits(128):x}",
        ]
        return json.dumps(dict(zip(chance.sample(words, 8), said, strict=True)))

    lines = {
        "blanks": " " * size,
        "nested quotes": "\"'`\\'" * (size // 5),
        "open values": 'password="' * (size // 10),
        "one sentence": "the token is in the vault. " * (size // 27),
        "base64": b64encode(chance.randbytes(size * 3 // 4)).decode(),
        "hexadecimal": chance.randbytes(size // 2).hex(),
        "words in no order": " ".join(chance.choices(words, k=size // 7)),
        "JSON": ",".join(record() for _ in range(size // 180)),
        "JSON within JSON": json.dumps(",".join(record() for _ in range(size // 200))),
    }
    return {name: line[:size] for name, line in lines.items()}


def own_process() -> None:
    """A process of its own against `python -c pass`, with compiled bytecode."""
    env = {**os.environ, "PYTHONPATH": str(Path(__file__).parent.parent)}
    env.pop("PYTHONDONTWRITEBYTECODE", None)
    with tempfile.TemporaryDirectory() as cache:
        env["PYTHONPYCACHEPREFIX"] = cache

        def run(*args: str) -> None:
            subprocess.run(
                [sys.executable, *args],
                input=sample().encode(), env=env, check=True, capture_output=True,
            )  # fmt: skip

        scan = ("-m", "hipogit", "scan", "--stdin")
        run(*scan)
        bare = best(lambda: [run("-c", "pass") for _ in range(10)], 3)
        whole = best(lambda: [run(*scan) for _ in range(10)], 3)
    print(f"1 KB as its own process: {whole / bare:.1f} x python -c pass (<= 4)")


def best(work: Callable[[], object], times: int) -> float:
    """Seconds of the fastest run."""
    seconds = []
    for _ in range(times):
        before = used()
        work()
        seconds.append(used() - before)
    return min(seconds)


def used() -> float:
    """Processor seconds of this process and of those it started: others that share the
    machine do not count."""
    return sum(os.times()[:4])


def sample() -> str:
    """A kilobyte of ordinary notes."""
    text = ""
    for case in corpus.prose(1):
        # What is flagged wrongly would be reported, which is another path.
        if len(text.encode()) < 1024 and not gate.scan(case.text):
            text += f"- {case.text}"
    return text


def real_texts() -> list[str]:
    """The Markdown below HIPOGIT_DATA."""
    folder = os.environ.get("HIPOGIT_DATA")
    paths = sorted(Path(folder).rglob("*.md")) if folder else []
    return [path.read_text("utf-8", "surrogateescape") for path in paths]


def megabytes(texts: Sequence[str]) -> float:
    """Their size as UTF-8."""
    return sum(len(text.encode("utf-8", "surrogateescape")) for text in texts) / 1e6


def _share(name: str, found: list[Score], floor: float) -> bool:
    cases = sum(score.cases for score in found)
    share = sum(score.covered for score in found) / cases
    findings = sum(score.findings for score in found)
    right = sum(score.right for score in found)
    print(
        f"{name}: {share:.1%} of {cases} (>= {floor:.0%}),"
        f" precision {right / max(findings, 1):.1%}"
    )
    return share >= floor


if __name__ == "__main__":
    sys.exit(main())
