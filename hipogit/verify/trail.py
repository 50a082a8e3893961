"""Checks of the trail: what each commit says and does, one after the other."""

from __future__ import annotations

from collections.abc import Iterable

from .. import conflict
from ..periods import journal_day
from ..record import ACTIONS
from .changes import Commit
from .journals import Change, Journals
from .problem import Check, Problem

# Actions that may change entries that stand: those they name.
_CORRECTIONS = frozenset(
    ["supersede", "retract", "dispute", "confirm", "restore", "purge", "edit", "adopt"]
)
_ADDING = frozenset({"checkpoint", "capture", "import"})
_SILENT = frozenset({"compact", "summarize", "init"})


class Trail:
    """Takes commits oldest first and keeps what is wrong with them."""

    def __init__(self, journals: Journals) -> None:
        self._journals = journals
        self._trailers: list[Problem] = []
        self._appended: list[Problem] = []
        self._merged: list[Problem] = []
        # Entries changed by a commit of a person's, until one of ours records it.
        self._by_hand: dict[str, Problem] = {}
        # Journals with a conflict, until a commit has none of it any more.
        self._conflicts: dict[str, Problem] = {}

    def take(self, commit: Commit) -> None:
        """Look at a commit; its journals are at hand."""
        self._conflict(commit)
        if len(commit.parents) > 1:
            self._merge(commit)
            return
        changes = [
            change
            for file in commit.files
            if journal_day(file.path)
            for change in self._journals.changes(file)
        ]
        if commit.record is None:
            self._hand_made(commit, changes)
        else:
            self._recorded(commit, changes)

    def checks(self) -> list[Check]:
        """What was found, check by check."""
        return [
            Check(
                "commits",
                "what a commit says of itself is what it did",
                tuple(self._trailers),
            ),
            Check(
                "append-only",
                "only corrections change what stands, and only what they name",
                (*self._appended, *self._by_hand.values()),
            ),
            Check(
                "merges",
                "no merge lost an entry or left a conflict in a journal",
                (*self._merged, *self._conflicts.values()),
            ),
        ]

    def _conflict(self, commit: Commit) -> None:
        for file in commit.files:
            path = file.path
            if not journal_day(path) or not (
                path in self._conflicts or not commit.record
            ):
                continue
            text = self._journals.text(file)
            if not commit.record and (line := conflict.line(text)):
                sentence = "a commit by hand left a conflict"
                self._conflicts[path] = Problem(
                    sentence, conflict.HINT, commit.oid, path, line
                )
            elif not conflict.line(text, escaped=True):
                # Taken up by us the markers are text, and a conflict all the same.
                self._conflicts.pop(path, None)

    def _recorded(self, commit: Commit, changes: list[Change]) -> None:
        record = commit.record
        assert record
        named = set(record.entries)
        if record.action not in ACTIONS:
            self._trailers.append(
                _problem(commit, f"{record.action!r} is no action", "hipogit log")
            )
            return
        for change in changes:
            id = _id(change)
            if id not in named:
                self._trailers.append(
                    _problem(
                        commit,
                        f"it {_did(change)} {id} without naming it",
                        f"hipogit history {id}",
                        change,
                    )
                )
            elif change.before is not None and record.action in _ADDING | _SILENT:
                self._appended.append(
                    _problem(
                        commit,
                        f"a {record.action} {_did(change)} {id}",
                        f"hipogit history {id}",
                        change,
                    )
                )
        for id in named:
            self._by_hand.pop(id, None)
        if record.action in _ADDING:
            # One that stood before is told of above.
            met = {_id(change) for change in changes}
            for id in record.entries:
                if id not in met:
                    self._trailers.append(
                        _problem(commit, f"it names {id}, which it did not add", "")
                    )
        self._corrections(commit, changes)

    def _corrections(self, commit: Commit, changes: Iterable[Change]) -> None:
        record = commit.record
        assert record
        if record.action not in _CORRECTIONS - {"adopt", "edit"}:
            return
        for change in changes:
            before, after = change.before, change.after
            if before and after and after.rev <= before.rev:
                self._appended.append(
                    _problem(
                        commit,
                        f"{after.id} was corrected without raising its rev",
                        f"hipogit history {after.id}",
                        change,
                    )
                )
            if before and after is None and record.action != "purge":
                self._appended.append(
                    _problem(
                        commit,
                        f"a {record.action} left no tombstone for {before.id}",
                        f"hipogit restore {before.id}",
                        change,
                    )
                )

    def _hand_made(self, commit: Commit, changes: list[Change]) -> None:
        what = "merge" if len(commit.parents) > 1 else "commit by hand"
        for change in changes:
            id = _id(change)
            if change.before is not None:
                self._by_hand[id] = _problem(
                    commit,
                    f"a {what} {_did(change)} {id} and nothing recorded it",
                    "hipogit compact",
                    change,
                )
            elif change.after and change.after.standing not in ("stated", "captured"):
                self._by_hand[id] = _problem(
                    commit,
                    f"a {what} gave {id} the standing {change.after.standing}",
                    f"hipogit dispute {id} --reason …",
                    change,
                )

    def _merge(self, commit: Commit) -> None:
        parents = len(commit.parents)
        differ: dict[str, list[Change]] = {}
        for file in commit.files:
            if not journal_day(file.path):
                continue
            for change in self._journals.changes(file):
                differ.setdefault(_id(change), []).append(change)
                if change.before is not None and change.after is None:
                    parent = commit.parents[file.parent]
                    self._merged.append(
                        _problem(
                            commit,
                            f"the merge lost {change.before.id} of {parent[:12]}",
                            f"hipogit restore {change.before.id}",
                            change,
                        )
                    )
        # What no parent said was not joined but made up.
        news = [
            next((one for one in changes if one.before), changes[0])
            for changes in differ.values()
            if len(changes) == parents and changes[0].after
        ]
        self._hand_made(commit, news)


def _problem(
    commit: Commit, sentence: str, hint: str, change: Change | None = None
) -> Problem:
    path, line = (change.path, change.line) if change else ("", 0)
    return Problem(sentence, hint or "hipogit log", commit.oid, path, line)


def _id(change: Change) -> str:
    found = change.after or change.before
    assert found
    return found.id


def _did(change: Change) -> str:
    if change.before is None:
        return "adds"
    return "removes" if change.after is None else "changes"
