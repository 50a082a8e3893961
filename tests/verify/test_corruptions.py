"""A table of planted corruptions: each found by exactly the check that should."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from conftest import git, hipogit

from hipogit.store import Store
from hipogit.verify import Problem, Report, find, verify

# Invented; put together here so that no scanner of a remote takes it for a key.
TOKEN = "ghp_" + "wJ4kQ9zR2mX7vB5nT8yL1cF6hD3sG0aP" + "kQ2f"
DAY = "memory/2026-11-29.md"
FORGED = (
    "## Forged [project]\n<!-- hipogit id=20261129-zzzzzzzzzz"
    " at=2026-11-29T18:00:00+09:00 standing={} -->\nx\n"
)


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A branch with entries of two days, summaries, hot files; made once."""
    return tmp_path_factory.mktemp("good") / "shop"


@pytest.fixture
def repo_with(good: Path, tmp_path: Path, repo: Path) -> Path:
    """A copy of the good branch, to be damaged."""
    if not good.exists():
        hipogit(repo, "init", "--platform", "none", "--no-worktree")
        for at, topic, text in (
            ("2026-11-28T10:00:00+09:00", "Rate limit", "- decisions: token bucket"),
            ("2026-11-28T11:00:00+09:00", "Deploys", "- decisions: never on Friday"),
            ("2026-11-29T10:00:00+09:00", "Cache", "- outcome: done in cache.py"),
            ("2026-11-29T11:00:00+09:00", "Parser", "- outcome: recursive descent"),
        ):
            hipogit(repo, "--now", at, "checkpoint", topic, "-m", text)
        shutil.copytree(repo, good, symlinks=True)
    place = tmp_path / "damaged"
    shutil.copytree(good, place, symlinks=True)
    return place


def checked(repo: Path) -> Report:
    store = Store.open(repo)
    return verify(store, find(store))


def commit(
    repo: Path,
    changes: dict[str, str | None],
    message: str = "by hand",
    parents: tuple[str, ...] = ("hipogit/memory",),
    mode: str = "100644",
) -> str:
    """Put a commit on the branch that hipogit did not make."""
    index = repo / ".git" / "planted-index"
    env = {"GIT_INDEX_FILE": str(index)}

    def run(*args: str, input: str | None = None) -> str:
        raw = input.encode("utf-8", "surrogateescape") if input is not None else None
        done = subprocess.run(
            ["git", *args], cwd=repo, env={**os.environ, **env}, check=True,
            capture_output=True, input=raw,
        )  # fmt: skip
        return done.stdout.decode().strip()

    run("read-tree", parents[0])
    lines = []
    for path, text in changes.items():
        if text is None:
            lines.append(f"0 {'0' * 40}\t{path}")
        else:
            # What stands at the path of a submodule is a commit.
            oid = text if mode == "160000" else run(
                "hash-object", "-w", "--stdin", input=text)  # fmt: skip
            lines.append(f"{mode} {oid}\t{path}")
    run("update-index", "-z", "--index-info", input="\0".join([*lines, ""]))
    above = [word for parent in parents for word in ("-p", parent)]
    made = run("commit-tree", run("write-tree"), *above, input=message)
    run("update-ref", "refs/heads/hipogit/memory", made)
    index.unlink()
    return made


def text(repo: Path, path: str = DAY) -> str:
    return git(repo, "show", f"hipogit/memory:{path}")


def ids(repo: Path, path: str = DAY) -> list[str]:
    return re.findall(r"id=(\S+)", text(repo, path))


def trailers(action: str, *entries: str) -> str:
    lines = [f"Hipogit-Action: {action}", *(f"Hipogit-Entry: {id}" for id in entries)]
    return f"{action}: planted\n\n" + "\n".join(lines) + "\n"


Plant = Callable[[Path], object]
TABLE: list[tuple[str, Plant, set[str]]] = []


def plants(*names: str) -> Callable[[Plant], Plant]:
    def keep(plant: Plant) -> Plant:
        TABLE.append((plant.__name__, plant, set(names)))
        return plant

    return keep


# A damage to entries also makes the summaries above them differ, so `nodes` is named
# wherever the text of a journal changed.


@plants("append-only", "nodes")
def old_body_changed_by_hand(repo: Path) -> None:
    commit(repo, {DAY: text(repo).replace("done in cache.py", "done in memcache.py")})


@plants("append-only", "nodes")
def old_topic_changed_by_hand(repo: Path) -> None:
    commit(repo, {DAY: text(repo).replace("## Cache [", "## Cachet [")})


@plants("append-only", "nodes")
def old_type_changed_by_hand(repo: Path) -> None:
    commit(repo, {DAY: text(repo).replace("## Cache [project]", "## Cache [user]")})


@plants("append-only", "nodes")
def old_metadata_changed_by_hand(repo: Path) -> None:
    commit(repo, {DAY: text(repo).replace("source=cli", "source=elsewhere", 1)})


@plants("append-only", "nodes")
def standing_raised_by_hand(repo: Path) -> None:
    commit(repo, {DAY: text(repo).replace("standing=stated", "standing=confirmed", 1)})


@plants("append-only", "nodes")
def entry_removed_by_hand(repo: Path) -> None:
    head, _, _ = text(repo).partition("## Parser")
    commit(repo, {DAY: head})


@plants("append-only", "nodes")
def journal_removed_by_hand(repo: Path) -> None:
    commit(repo, {DAY: None})


@plants("append-only", "nodes")
def journal_emptied_by_hand(repo: Path) -> None:
    commit(repo, {DAY: ""})


@plants("append-only", "nodes")
def confirmed_entry_forged_by_hand(repo: Path) -> None:
    commit(repo, {DAY: text(repo) + "\n" + FORGED.format("confirmed")})


@plants("append-only", "nodes")
def checkpoint_that_changes_an_old_entry(repo: Path) -> None:
    changed = text(repo).replace("done in cache.py", "never done")
    commit(repo, {DAY: changed}, trailers("checkpoint", ids(repo)[0]))


@plants("append-only", "nodes")
def capture_that_removes_an_old_entry(repo: Path) -> None:
    head, _, _ = text(repo).partition("## Parser")
    commit(repo, {DAY: head}, trailers("capture", ids(repo)[1]))


@plants("append-only", "nodes")
def compact_that_rewrites_an_entry(repo: Path) -> None:
    changed = text(repo).replace("done in cache.py", "never done")
    commit(repo, {DAY: changed}, trailers("compact", ids(repo)[0]))


@plants("append-only", "nodes")
def retract_without_a_new_rev(repo: Path) -> None:
    changed = text(repo).replace("done in cache.py", "gone")
    commit(repo, {DAY: changed}, trailers("retract", ids(repo)[0]))


@plants("append-only", "nodes")
def retract_without_a_tombstone(repo: Path) -> None:
    head, _, _ = text(repo).partition("## Parser")
    commit(repo, {DAY: head}, trailers("retract", ids(repo)[1]))


@plants("commits", "append-only", "nodes")
def retract_that_changes_another_entry(repo: Path) -> None:
    first, second = ids(repo)
    changed = text(repo).replace("done in cache.py", "gone")
    changed = changed.replace("recursive descent", "gone too")
    commit(repo, {DAY: changed}, trailers("retract", first))
    assert second


@plants("commits", "nodes")
def checkpoint_that_names_no_entry(repo: Path) -> None:
    commit(repo, {DAY: text(repo) + "\n" + FORGED.format("stated")},
           trailers("checkpoint"))  # fmt: skip


@plants("commits")
def checkpoint_that_names_what_it_did_not_add(repo: Path) -> None:
    commit(repo, {}, trailers("checkpoint", "20261129-aaaaaaaaaa"))


@plants("commits")
def action_there_is_not(repo: Path) -> None:
    commit(repo, {}, trailers("improve"))


@plants("entries", "nodes")
def entry_without_an_id(repo: Path) -> None:
    commit(repo, {DAY: text(repo) + "\n## Typed [user]\nI like tabs\n"})


@plants("entries", "nodes")
def entry_with_an_id_that_is_none(repo: Path) -> None:
    planted = FORGED.format("stated").replace("20261129-zzzzzzzzzz", "nonsense")
    commit(repo, {DAY: text(repo) + "\n" + planted}, trailers("checkpoint", "nonsense"))


@plants("entries", "nodes")
def entry_of_another_day(repo: Path) -> None:
    planted = FORGED.format("stated").replace("id=20261129", "id=20261128")
    commit(repo, {DAY: text(repo) + "\n" + planted},
           trailers("checkpoint", "20261128-zzzzzzzzzz"))  # fmt: skip


@plants("entries", "nodes")
def entry_that_stands_twice(repo: Path) -> None:
    body = text(repo)
    once = body[body.index("## Parser") :]
    commit(repo, {DAY: body + "\n" + once})


@plants("entries", "nodes")
def entry_with_a_standing_there_is_not(repo: Path) -> None:
    commit(repo, {DAY: text(repo) + "\n" + FORGED.format("stated").replace(
        "standing=stated", "standing=certain")},
        trailers("checkpoint", "20261129-zzzzzzzzzz"))  # fmt: skip


@plants("entries", "nodes")
def entry_without_a_time(repo: Path) -> None:
    planted = re.sub(r" at=\S+", "", FORGED.format("stated"))
    commit(repo, {DAY: text(repo) + "\n" + planted},
           trailers("checkpoint", "20261129-zzzzzzzzzz"))  # fmt: skip


@plants("entries", "nodes")
def entries_out_of_order(repo: Path) -> None:
    body = text(repo)
    head, first, second = re.split(r"(?=^## )", body, flags=re.MULTILINE)
    commit(repo, {DAY: head + second + "\n" + first})


@plants("entries", "nodes")
def retracted_entry_whose_text_still_stands(repo: Path) -> None:
    id = ids(repo)[0]
    changed = text(repo).replace("standing=stated", "standing=retracted rev=1", 1)
    changed = changed.replace("done in cache.py", "done in cache.py\n- decisions: x")
    commit(repo, {DAY: changed}, trailers("retract", id))


@plants("nodes")
def root_edited(repo: Path) -> None:
    commit(repo, {"memory/ROOT.md": text(repo, "memory/ROOT.md") + "- planted\n"})


@plants("nodes")
def daily_edited(repo: Path) -> None:
    path = "memory/daily/2026-11-28.md"
    commit(repo, {path: text(repo, path).replace("token bucket", "leaky bucket")})


@plants("nodes")
def daily_missing(repo: Path) -> None:
    commit(repo, {"memory/daily/2026-11-28.md": None})


@plants("nodes")
def weekly_missing(repo: Path) -> None:
    commit(repo, {"memory/weekly/2026-W48.md": None})


@plants("nodes")
def monthly_with_a_changed_status(repo: Path) -> None:
    path = "memory/monthly/2026-11.md"
    commit(repo, {path: text(repo, path).replace('"tentative"', '"fixed"', 1)})


@plants("nodes")
def node_of_a_day_that_is_not(repo: Path) -> None:
    made = text(repo, "memory/daily/2026-11-28.md").replace("2026-11-28", "2026-11-20")
    commit(repo, {"memory/daily/2026-11-20.md": made})


@plants("nodes")
def checksum_forged_with_the_text(repo: Path) -> None:
    from hipogit.node import Node

    path = "memory/daily/2026-11-28.md"
    node = Node.parse(text(repo, path).replace("token bucket", "leaky bucket"))
    assert node
    commit(repo, {path: node.sealed().render()})


@plants("nodes")
def root_missing(repo: Path) -> None:
    commit(repo, {"memory/ROOT.md": None})


@plants("nodes")
def topic_shards_missing(repo: Path) -> None:
    names = git(repo, "ls-tree", "-r", "--name-only", "hipogit/memory",
                "memory/topics/").split()  # fmt: skip
    root = text(repo, "memory/ROOT.md")
    commit(repo, {**dict.fromkeys(names), "memory/ROOT.md": re.sub(
        r"(?m)^- .*\n", "", root)})  # fmt: skip


@plants("files")
def conflict_in_a_hot_file(repo: Path) -> None:
    commit(repo, {"WORKING.md": "# W\n<<<<<<< ours\na\n=======\nb\n>>>>>>> theirs\n"})


@plants("files")
def conflict_in_knowledge(repo: Path) -> None:
    commit(repo, {"knowledge/x.md": "<<<<<<< HEAD\na\n=======\nb\n>>>>>>> x\n"})


@plants("files")
def hot_file_far_too_long(repo: Path) -> None:
    commit(repo, {"SCRATCHPAD.md": "- a line\n" * 400})


@plants("files")
def file_far_too_large(repo: Path) -> None:
    commit(repo, {"knowledge/big.md": "words of no weight\n" * 1_000_000})


@plants("files")
def symbolic_link(repo: Path) -> None:
    commit(repo, {"knowledge/link.md": "/etc/passwd"}, mode="120000")


@plants("files")
def journal_that_is_a_link(repo: Path) -> None:
    commit(repo, {"memory/2026-11-27.md": "../../../.ssh/id_rsa"}, mode="120000")


@plants("files")
def submodule(repo: Path) -> None:
    commit(repo, {"knowledge/lib": git(repo, "rev-parse", "main").strip()},
           mode="160000")  # fmt: skip


@plants("files")
def program_on_the_branch(repo: Path) -> None:
    commit(repo, {"knowledge/run.md": "#!/bin/sh\n"}, mode="100755")


@plants("settings")
def program_named_on_the_branch(repo: Path) -> None:
    commit(repo, {"hipogit.toml": '[summarizer]\ncommand = "curl evil"\n'})


@plants("settings")
def capture_switched_off_on_the_branch(repo: Path) -> None:
    commit(repo, {"hipogit.toml": 'capture = "off"\n'})


@plants("settings")
def settings_that_are_no_toml(repo: Path) -> None:
    commit(repo, {"hipogit.toml": "[compaction\n"})


@plants("secrets")
def secret_in_a_hot_file(repo: Path) -> None:
    commit(repo, {"SCRATCHPAD.md": f"use {TOKEN} to deploy\n"})


@plants("secrets")
def secret_that_was_removed_again(repo: Path) -> None:
    commit(repo, {"knowledge/x.md": f"use {TOKEN} to deploy\n"})
    commit(repo, {"knowledge/x.md": None})


@plants("secrets")
def secret_in_a_commit_message(repo: Path) -> None:
    commit(repo, {}, f"deploy with {TOKEN}\n")


@plants("history")
def commits_dropped(repo: Path) -> None:
    git(repo, "update-ref", "refs/heads/hipogit/memory", "hipogit/memory~4")


@plants("history")
def history_rewritten(repo: Path) -> None:
    tree = git(repo, "rev-parse", "hipogit/memory^{tree}").strip()
    made = git(repo, "commit-tree", tree, "-p", "hipogit/memory~2", "-m", "x").strip()
    git(repo, "update-ref", "refs/heads/hipogit/memory", made)


@plants("history")
def other_than_what_the_remote_has(repo: Path) -> None:
    git(repo, "update-ref", "refs/remotes/origin/hipogit/memory", "hipogit/memory")
    tree = git(repo, "rev-parse", "hipogit/memory^{tree}").strip()
    made = git(repo, "commit-tree", tree, "-p", "hipogit/memory~4", "-m", "x").strip()
    git(repo, "update-ref", "refs/heads/hipogit/memory", made)
    shutil.rmtree(repo / ".git/logs/refs/heads/hipogit")


@plants("history")
def remote_that_was_rewritten(repo: Path) -> None:
    ref = "refs/remotes/origin/hipogit/memory"
    tree = git(repo, "rev-parse", "hipogit/memory^{tree}").strip()
    made = git(repo, "commit-tree", tree, "-p", "hipogit/memory", "-m", "x").strip()
    git(repo, "update-ref", "--create-reflog", ref, made)
    git(repo, "update-ref", ref, "hipogit/memory")


@plants("merges")
def merge_that_lost_an_entry(repo: Path) -> None:
    base, ours = "hipogit/memory", text(repo)
    side = commit(repo, {DAY: ours + "\n" + FORGED.format("stated")},
                  trailers("checkpoint", "20261129-zzzzzzzzzz"))  # fmt: skip
    git(repo, "update-ref", "refs/heads/hipogit/memory", f"{base}~1")
    other = commit(repo, {"knowledge/y.md": "y\n"})
    commit(repo, {}, "merge", (other, side))


@plants("merges")
def octopus_that_lost_an_entry(repo: Path) -> None:
    base, ours = "hipogit/memory", text(repo)
    tip = git(repo, "rev-parse", base).strip()
    side = commit(repo, {DAY: ours + "\n" + FORGED.format("stated")},
                  trailers("checkpoint", "20261129-zzzzzzzzzz"))  # fmt: skip
    git(repo, "update-ref", f"refs/heads/{base}", tip)
    one = commit(repo, {"knowledge/y.md": "y\n"})
    git(repo, "update-ref", f"refs/heads/{base}", tip)
    two = commit(repo, {"knowledge/z.md": "z\n"})
    commit(repo, {"knowledge/z.md": "z\n"}, "merge", (one, two, side))


@plants("merges")
def merge_that_changed_nothing_of_ours_but_lost_theirs(repo: Path) -> None:
    """Against its first parent such a merge shows no difference at all."""
    base, ours = "hipogit/memory", text(repo)
    tip = git(repo, "rev-parse", base).strip()
    side = commit(repo, {DAY: ours + "\n" + FORGED.format("stated")},
                  trailers("checkpoint", "20261129-zzzzzzzzzz"))  # fmt: skip
    git(repo, "update-ref", f"refs/heads/{base}", tip)
    commit(repo, {}, "merge", (tip, side))


@plants("code-branches")
def memory_on_a_code_branch(repo: Path) -> None:
    (repo / "notes.md").write_text(text(repo))
    git(repo, "add", "notes.md")
    git(repo, "commit", "-q", "-m", "oops")


def test_a_branch_that_is_merely_behind_lost_nothing(repo_with: Path) -> None:
    tip = git(repo_with, "rev-parse", "hipogit/memory").strip()
    git(repo_with, "update-ref", "refs/heads/hipogit/memory", f"{tip}~4")
    shutil.rmtree(repo_with / ".git/logs/refs/heads/hipogit")
    git(repo_with, "update-ref", "refs/remotes/origin/hipogit/memory", tip)
    report = checked(repo_with)
    assert report.ok, [p for check in report.checks for p in check.problems]


def test_the_table_is_long_enough() -> None:
    assert len(TABLE) >= 40


def test_the_good_branch_verifies_clean(repo_with: Path) -> None:
    report = checked(repo_with)
    assert report.ok, [p for check in report.checks for p in check.problems]


@pytest.mark.parametrize(
    ("plant", "names"), [row[1:] for row in TABLE], ids=[row[0] for row in TABLE]
)
def test_a_planted_corruption_is_found_by_its_check(
    repo_with: Path, plant: Plant, names: set[str]
) -> None:
    plant(repo_with)
    report = checked(repo_with)
    assert {check.name for check in report.checks if not check.ok} == names
    for check in report.checks:
        for problem in check.problems:
            assert problem.hint
            assert problem.commit or problem.path
            assert TOKEN not in problem.sentence + problem.hint
            if problem.path.startswith("memory/2") and check.name in ABOUT_ENTRIES:
                assert_heading(repo_with, problem)


ABOUT_ENTRIES = {"entries", "append-only", "commits", "merges"}


def assert_heading(repo: Path, problem: Problem) -> None:
    """The line is that of an entry: as it is, or as it was before it went."""
    rev = problem.commit or "hipogit/memory"
    assert problem.line
    places = [rev, f"{rev}^", f"{rev}^2", f"{rev}^3"]
    seen = []
    for place in places:
        with suppress(subprocess.CalledProcessError):
            seen += git(repo, "show", f"{place}:{problem.path}").split("\n")[
                problem.line - 1 : problem.line
            ]
    assert any(line.startswith("## ") for line in seen), (problem, seen)


def test_a_problem_of_an_entry_names_commit_file_and_line(repo_with: Path) -> None:
    changed = text(repo_with).replace("recursive descent", "a table")
    made = commit(repo_with, {DAY: changed})
    line = changed.split("\n").index("## Parser [project]") + 1
    (found,) = next(
        check.problems
        for check in checked(repo_with).checks
        if check.name == "append-only"
    )
    assert found.where == f"{made[:12]}:{DAY}:{line}"


def test_a_lost_entry_is_said_to_be_of_the_parent_that_had_it(repo_with: Path) -> None:
    merge_that_changed_nothing_of_ours_but_lost_theirs(repo_with)
    parent = git(repo_with, "rev-parse", "hipogit/memory^2").strip()
    problems = [p for c in checked(repo_with).checks for p in c.problems]
    assert [parent[:12] in problem.sentence for problem in problems] == [True]
