"""The systems that are compared, each as rows of the measure (one a question)."""

from __future__ import annotations

import copy
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable
from datetime import date
from functools import cached_property
from pathlib import Path
from typing import Any

from hipogit import tree
from hipogit.errors import HipogitError
from hipogit.recall import index, semantic, units
from hipogit.recall.answer import recall
from hipogit.store import Store
from hipogit.view import MemoryView

Rows = list[dict[str, Any]]
Results = dict[str, list[dict[str, Any]]]


class Bench:
    """The questions, the measure and a repository that holds the logs."""

    def __init__(
        self,
        proxy: Any,
        data: Any,
        folder: Path,
        budget: int,
        repository: Path | None = None,
    ) -> None:
        self.proxy, self.data, self.budget = proxy, data, budget
        self._folder, self._given = folder, repository

    @cached_property
    def store(self) -> Store:
        """A store with the 91 days imported, as a user would do it."""
        if self._given:
            return Store.open(self._given)
        days, repository = self._folder / "days", self._folder / "repository"
        self.data.export(str(days))
        repository.mkdir()
        subprocess.run(["git", "init", "-q"], cwd=repository, check=True)
        for words in (
            ["init", "--platform", "none"],
            ["--now", "2023-07-05T12:00:00+00:00", "import", "markdown", str(days)],
        ):
            subprocess.run(
                [sys.executable, "-m", "hipogit", *words],
                cwd=repository,
                check=True,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
        shutil.rmtree(days)
        return Store.open(repository)

    @cached_property
    def cloze(self) -> list[dict[str, Any]]:
        """Direct questions: what should be recalled, its answer left out."""
        found = []
        for question in self.data.questions:
            if question["cloze"]:
                direct = copy.copy(question)
                self.data.set_query(direct, question["cloze"])
                found.append(direct)
        return found

    def rows(self, results: Results, questions: Any = None) -> Rows:
        """What the measure says of the results, by question."""
        rows: Rows = self.proxy.p1(
            self.data, questions or self.data.questions, results, [self.budget]
        )
        return rows

    def asked(
        self, meaning: bool, questions: Iterable[dict[str, Any]] | None = None
    ) -> Results:
        """What `hipogit recall` shows for each question."""

        def ask(opened: index.Index) -> Results:
            near: Callable[[str], Any] = lambda asked: None  # noqa: E731
            if meaning:
                model = semantic.encoder()
                near = semantic.Vectors(opened, self.store.local, model).near
            return {
                question["question_id"]: [
                    item.as_json()
                    for item in recall(
                        opened,
                        question["query"],
                        budget=self.budget,
                        near=near(question["query"]),
                    ).items
                ]
                for question in questions or self.data.questions
            }

        return index.using(self.store, ask)


def nothing(bench: Bench) -> Rows:
    """No memory at all."""
    return bench.rows({})


def built_in(name: str) -> Callable[[Bench], Rows]:
    """A plain FTS5 arm of the measure itself."""

    def arm(bench: Bench) -> Rows:
        search = bench.proxy.builtin(bench.data, name)
        questions = bench.data.questions
        return bench.rows({q["question_id"]: search(q["query"]) for q in questions})

    return arm


def vectors_added(bench: Bench) -> Rows | None:
    """BM25 over user turns and MiniLM over user sentences, by reciprocal rank."""
    if not meaning_installed():
        return None
    lexical = bench.proxy.builtin(bench.data, "fts:user")

    def ask(opened: index.Index) -> Results:
        near = semantic.Vectors(opened, bench.store.local, semantic.encoder()).near
        text = dict(opened.rows("select rowid, text from line_text"))
        found: Results = {}
        for question in bench.data.questions:
            closest = near(question["query"])
            lines = sorted(text, key=lambda line: -closest.of(line))[:600]
            score: dict[str, float] = {}
            for ranked in (
                [hit["text"] for hit in lexical(question["query"])],
                [text[line] for line in lines],
            ):
                for place, said in enumerate(ranked):
                    score[said] = score.get(said, 0.0) + 1 / (60 + place)
            order = sorted(score, key=lambda said: -score[said])
            found[question["question_id"]] = [{"text": said} for said in order]
        return found

    return bench.rows(index.using(bench.store, ask))


def words(bench: Bench) -> Rows:
    """hipogit as it is installed by default."""
    return bench.rows(bench.asked(meaning=False))


def meaning(bench: Bench) -> Rows | None:
    """hipogit with its extra `semantic`."""
    return bench.rows(bench.asked(meaning=True)) if meaning_installed() else None


def root(tokens: int) -> Callable[[Bench], Rows]:
    """Only the topic index of a session start, its lines with their days."""

    def arm(bench: Bench) -> Rows:
        text = root_of(bench, tokens).encode()[: tokens * 4].decode("utf-8", "ignore")
        lines = []
        for line in filter(str.strip, text.split("\n")):
            day = re.search(r"\d{4}-\d\d-\d\d", line)
            lines.append({"text": line, "day": day[0] if day else ""})
        return bench.rows({q["question_id"]: lines for q in bench.data.questions})

    return arm


def root_of(bench: Bench, tokens: int) -> str:
    """ROOT of the 91 days at a size, made from the journals alone."""
    with bench.store.snapshot() as snapshot:
        paths = [path for path in snapshot.paths("memory/") if units.day_of(path)]
        view = MemoryView({path: snapshot.read(path) for path in paths})
    settings = tree.TreeSettings(root_tokens=tokens)
    made = tree.compact(view, date(2023, 7, 5), settings)
    return made.changes["memory/ROOT.md"] or ""


def untouched(bench: Bench) -> Rows:
    """A stand-in for hipocampus while no model has summarised.

    Its upper tree then holds placeholders, so what is left is its daily logs: BM25 over
    chunks of 20 lines. The program itself is not run.
    """
    return built_in("fts:chunk20")(bench)


def meaning_installed() -> bool:
    """Whether the extra is there."""
    try:
        semantic.encoder()
    except HipogitError:
        return False
    return True


ARMS: dict[str, Callable[[Bench], Rows | None]] = {
    "no memory": nothing,
    "whole sessions: BM25": built_in("fts:session"),
    "exchanges: BM25": built_in("fts:pair"),
    "user turns: BM25": built_in("fts:user"),
    "user turns + one exchange": built_in("ftsmix"),
    "BM25 + vectors fused": vectors_added,
    "hipogit": words,
    "hipogit[semantic]": meaning,
    "ROOT only: 3000 tokens": root(3000),
    "ROOT only: 10000 tokens": root(10_000),
    "hipocampus without a model": untouched,
}
