"""Whatever people and agents do to a memory, the branch verifies clean."""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from conftest import git, sized
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from story import ANN, Memory

from hipogit import correct, cycle, edits, importer
from hipogit.cli import main
from hipogit.errors import HipogitError
from hipogit.flat import memory_md
from hipogit.journal import Journal
from hipogit.periods import journal_day
from hipogit.verify import find, verify

DAYS = ["2026-11-02", "2026-11-09", "2026-11-28", "2026-11-29"]
WORDS = ("queue", "limit", "token", "cache", "index", "retry", "schema", "export")


class Walk:
    """Random work on one memory; what was said is remembered by id."""

    def __init__(self, repo: Path, seed: int) -> None:
        self.rng = random.Random(seed)
        self.memory = Memory(repo)
        self.ids: list[str] = []
        self.said = 0

    # --- what can be done

    def say(self) -> None:
        topic = " ".join(self.rng.sample(WORDS, 2))
        self.said += 1
        text = f"- decisions: claim number {self.said * 7919} about the {topic}"
        self.ids.append(self.memory.say(topic, text, day=self.rng.choice(DAYS)))

    def say_a_copy(self) -> None:
        entry = self.memory.entry(self.rng.choice(self.ids))
        if not entry.withdrawn:
            self.ids.append(self.memory.say(f"again {len(self.ids)}", entry.body,
                                            day=self.rng.choice(DAYS)))  # fmt: skip

    def supersede(self) -> None:
        self.said += 1
        done = self.memory.supersede(
            self.rng.choice(self.ids), f"- decisions: rather number {self.said * 7919}",
            day=DAYS[-1],
        )  # fmt: skip
        self.ids.append(done.entry.id)

    def retract(self) -> None:
        self.memory.retract(self.rng.choice(self.ids), copies=self.rng.random() < 0.5)

    def dispute(self) -> None:
        self.memory.dispute(self.rng.choice(self.ids))

    def confirm(self) -> None:
        self.memory.confirm(self.rng.choice(self.ids))

    def restore(self) -> None:
        gone = [id for id in self.ids if self.memory.entry(id).withdrawn]
        if gone:
            self.memory.restore(self.rng.choice(gone), instead=True)

    def note_a_copy(self) -> None:
        entry = self.memory.entry(self.rng.choice(self.ids))
        path = self.view / "SCRATCHPAD.md"
        path.write_text(path.read_text() + f"\n{entry.body}\n")
        edits.absorb(self.memory.store, self.memory.now)

    def edit_in_the_view(self) -> None:
        path = self.view / f"memory/{self.rng.choice(DAYS)}.md"
        if path.exists():
            path.write_text(path.read_text().replace("claim", "statement", 1))
            edits.absorb(self.memory.store, self.memory.now)

    def type_by_hand(self) -> None:
        path = self.view / f"memory/{DAYS[-1]}.md"
        text = path.read_text() if path.exists() else f"# {DAYS[-1]}\n"
        self.said += 1
        path.write_text(f"{text}\n## typed {self.said}\n- rule: tabs {self.said}\n")
        if self.rng.random() < 0.5:
            git(self.view, "add", "-A")
            git(self.view, "-c", "core.hooksPath=/dev/null", "-c",
                "filter.hipogit.clean=", "-c", "filter.hipogit.required=false",
                "commit", "-qm", "by hand")  # fmt: skip
        edits.settle(self.memory.store, self.memory.now)
        edits.absorb(self.memory.store, self.memory.now)

    def summarise(self) -> None:
        node = self.rng.choice(["2026-W48", "2026-11", "2026-11-29"])
        word = self.rng.choice(WORDS)
        text = f"# {node}\n\n- what mattered most in these days was the {word} of all\n"
        cycle.store_summary(self.memory.store, node, text, self.memory.now)

    def dissolve(self) -> None:
        main(["-C", str(self.memory.repo), "dissolve", "2026-W48"])

    def condense(self) -> None:
        main(["-C", str(self.memory.repo), "condense", "2026-W48"])

    def bring_in_days(self) -> None:
        self.said += 1
        folder = self.memory.repo.parent / f"days-{self.said}"
        folder.mkdir()
        (folder / "2026-11-10.md").write_text(
            f"# Day\n\n## Old {self.said}\n\n- decisions: kept from elsewhere\n"
        )
        importer.markdown(self.memory.store, folder, self.memory.now)

    def bring_in_a_flat_file(self) -> None:
        self.said += 1
        file = self.memory.repo.parent / f"MEMORY-{self.said}.md"
        file.write_text(f"# Memory\n\n## Likes {self.said}\n\n- tabs over spaces\n")
        memory_md(self.memory.store, file, self.memory.now)

    def compact(self) -> None:
        self.memory.compact()

    def later(self) -> None:
        if self.memory.now.month == 11:
            self.memory.later(days=self.rng.choice([1, 3, 9]))

    def join(self) -> None:
        """Two lines of work, joined entry by entry in a merge made by hand."""
        store, before = self.memory.store, self.memory.tip()
        self.say()
        ours = self.memory.tip()
        git(self.memory.repo, "update-ref", store.ref, before)
        store.view.refresh(before)
        self.say()
        with store.snapshot() as theirs, store.snapshot(ours) as other:
            changes = {}
            for path in sorted({*theirs.paths("memory/2"), *other.paths("memory/2")}):
                day = journal_day(path)
                assert day
                mine = Journal.parse(day, theirs.read(path) or "")
                joined = mine.add(Journal.parse(day, other.read(path) or "").entries)
                changes[path] = joined.render()
        for path, text in changes.items():
            (self.view / path).parent.mkdir(exist_ok=True)
            (self.view / path).write_text(text)
        git(self.view, "-c", "core.hooksPath=/dev/null", "add", "-A")
        tree = git(self.view, "write-tree").strip()
        made = git(self.view, "commit-tree", tree, "-p", self.memory.tip(), "-p", ours,
                   "-m", "Merge of two lines").strip()  # fmt: skip
        git(self.memory.repo, "update-ref", store.ref, made)
        store.view.mark_shown(made)
        edits.settle(store, self.memory.now)

    # --- looking

    @property
    def view(self) -> Path:
        found = self.memory.store.view
        assert found
        return found.path

    def take(self, step: str) -> bool:
        """Do it, if it can be done now: to restore what stands is refused, rightly."""
        if not self.ids:
            self.say()
        before = self.memory.tip()
        with suppress(HipogitError):
            getattr(self, step)()
        return self.memory.tip() != before

    def check(self, what: object) -> None:
        store = self.memory.store
        report = verify(store, find(store))
        assert report.ok, (what, [p for c in report.checks for p in c.problems])

    def check_from_nothing(self, what: object) -> None:
        (self.memory.store.local / "verified.json").unlink(missing_ok=True)
        self.check(what)


STEPS = [
    name for name in vars(Walk) if not name.startswith(("_", "check", "take", "vi"))
]


@settings(
    max_examples=sized(6, 60),
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
@given(
    seed=st.integers(0, 10**6),
    steps=st.lists(st.sampled_from(STEPS), min_size=5, max_size=sized(14, 40)),
)
def test_any_work_verifies(
    tmp_path_factory: pytest.TempPathFactory, seed: int, steps: list[str]
) -> None:
    repo = tmp_path_factory.mktemp("walk") / "shop"
    repo.mkdir()
    git(repo, "init", "-q")
    git(repo, "commit", "-q", "--allow-empty", "-m", "first")
    walk = Walk(repo, seed)
    for number, step in enumerate(steps):
        walk.take(step)
        walk.check((seed, steps[: number + 1]))
    walk.check_from_nothing((seed, steps))


@pytest.mark.parametrize("step", STEPS)
def test_each_kind_of_work_verifies(repo: Path, step: str) -> None:
    walk = Walk(repo, 1)
    for _ in range(4):
        walk.say()
    walk.summarise()
    walk.retract()
    done = []
    for name in (step, "say", step, "later", "compact", "dissolve", step, step):
        done.append(walk.take(name) and name == step)
        walk.check(name)
    walk.check_from_nothing(step)
    assert any(done) or step == "later"


def test_a_long_chain_of_supersessions(repo: Path) -> None:
    walk = Walk(repo, 2)
    walk.say()
    for _ in range(sized(25, 120)):
        done = correct.supersede(
            walk.memory.store, walk.ids[-1],
            walk.memory.draft("Limit", f"- decisions: number {len(walk.ids)}"),
            ANN, walk.memory.now,
        )  # fmt: skip
        walk.ids.append(done.entry.id)
    walk.check_from_nothing("chain")
    walk.memory.restore(walk.ids[0], instead=True)
    walk.check_from_nothing("restored")


def test_copies_in_many_places(repo: Path) -> None:
    walk = Walk(repo, 3)
    body = "- decisions: the token bucket holds exactly one hundred requests"
    ids = [walk.memory.say(f"topic {n}", body, day=day)
           for n, day in enumerate(DAYS * 3)]  # fmt: skip
    path = walk.view / "WORKING.md"
    path.write_text(path.read_text() + f"\n{body}\n")
    edits.absorb(walk.memory.store, walk.memory.now)
    walk.memory.retract(ids[0], copies=True)
    assert "one hundred requests" not in walk.memory.everything_readable()
    walk.check_from_nothing("copies")


Kind = Callable[[Path], list[str]]


def test_a_project_of_the_harness(repo: Path, tmp_path: Path) -> None:
    source = tmp_path / "harness"
    for path, text in {
        "memory/2026-11-01.md": "## Old [project]\n- decisions: kept\n",
        "memory/daily/2026-11-01.md": "---\ntype: daily\n---\n# 2026-11-01\n- kept\n",
        "memory/ROOT.md": "---\ntype: root\n---\n# ROOT\n",
        "SCRATCHPAD.md": "# Scratchpad\n- mine\n",
        "knowledge/x.md": "# X\n",
        "hipocampus.config.json": "{}\n",
    }.items():
        (source / path).parent.mkdir(parents=True, exist_ok=True)
        (source / path).write_text(text)
    walk = Walk(repo, 4)
    main(["-C", str(repo), "import", "harness", str(source)])
    assert "kept" in walk.memory.everything_readable()
    walk.check_from_nothing("harness")
    walk.say()
    walk.check("harness")


@pytest.mark.skipif("HIPOGIT_DATA" not in os.environ, reason="set HIPOGIT_DATA")
def test_ninety_one_real_days(repo: Path) -> None:
    data = Path(os.environ["HIPOGIT_DATA"]) / "data" / "memaware" / "data" / "sessions"
    walk = Walk(repo, 5)
    done = importer.markdown(walk.memory.store, data, walk.memory.now)
    assert done.commits == 91
    walk.check_from_nothing("91 days")
