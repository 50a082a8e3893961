"""The verbs put memory right, in one commit each, and refuse what makes no sense."""

from __future__ import annotations

import shlex

import pytest
from conftest import git, hipogit
from story import ANN, Memory

from hipogit import correct
from hipogit.correct import Who
from hipogit.entry import Entry
from hipogit.errors import HipogitError

STORY = """
    2026-03-02 rate limit [project]  decided: token bucket with bursts
    2026-03-04 rate limit [project]  decided: sliding window per key
    2026-11-29 deploy  decided: deploy from the main branch alone
"""
OLD, NEW, DEPLOY = (
    "2026-03-02 rate limit",
    "2026-03-04 rate limit",
    "2026-11-29 deploy",
)
PIPE = Who(via="pipe")


def plain(entry: Entry) -> tuple[str, str, str, str]:
    return (entry.topic, entry.body, entry.type, entry.standing)


def test_a_retracted_decision_leaves_the_week(memory: Memory) -> None:
    memory.story(STORY)
    done = memory.retract(OLD, "measured wrong")
    memory.compact()
    assert "token bucket" not in memory.everything_readable()
    assert "token bucket" in memory.history(OLD)
    assert "memory/weekly/2026-W10.md" in done.rebuilt
    entry = memory.entry(OLD)
    assert entry.topic == "(retracted)" and entry.rev == 1
    assert entry.body == "Retracted on 2026-11-29 by Ann: measured wrong"
    message = git(memory.repo, "log", "-1", "--format=%B", done.commit)
    assert "Hipogit-Action: retract\n" in message
    assert f"Hipogit-Entry: {entry.id}\n" in message
    assert "Hipogit-Reason: measured wrong\n" in message
    assert "Hipogit-Reopened: 2026-W10\n" in message


def test_a_successor_takes_the_place_in_one_commit(memory: Memory) -> None:
    memory.story(STORY)
    before = memory.commits()
    done = memory.supersede(OLD, "- decided: leaky bucket")
    assert memory.commits() == before + 1
    (new,) = done.made
    old = memory.entry(OLD)
    assert old.get("successor") == new.id and old.topic == "(superseded)"
    assert memory.entry(new.id).get("supersedes") == old.id
    text = memory.everything_readable()
    assert "token bucket" not in text and "leaky bucket" in text


def test_a_chain_of_successors_collapses_to_the_newest(memory: Memory) -> None:
    memory.story(STORY)
    first = memory.id(OLD)
    second = memory.supersede(first, "- decided: leaky bucket").made[0].id
    third = memory.supersede(second, "- decided: no limit at all").made[0].id
    assert memory.entry(first).get("successor") == third
    assert third in memory.entry(first).body
    assert memory.entry(third).get("supersedes") == f"{second}+{first}"
    with pytest.raises(HipogitError, match="superseded by") as refused:
        memory.supersede(first, "- decided: something else")
    assert refused.value.hint == f"hipogit supersede {third}"


def test_a_dispute_marks_and_a_confirmation_lifts_it(memory: Memory) -> None:
    memory.story(STORY)
    memory.dispute(DEPLOY, "the new pipeline differs")
    disputed = memory.entry(DEPLOY)
    assert (disputed.standing, disputed.get("because")) == (
        "disputed",
        "the new pipeline differs",
    )
    assert "[disputed] deploy from the main branch" in memory.files()["memory/ROOT.md"]
    memory.confirm(DEPLOY, Who(actor="Bo", via="pipe"))
    entry = memory.entry(DEPLOY)
    assert entry.standing == "confirmed" and entry.rev == 2
    assert entry.get("confirmed-by") == "Bo" and entry.get("confirmed-via") == "pipe"
    assert not entry.get("because")
    assert "[disputed]" not in memory.everything_readable()


@pytest.mark.parametrize("verb", ["retract", "dispute", "supersede"])
def test_restore_undoes_exactly(memory: Memory, verb: str) -> None:
    memory.story(STORY)
    memory.confirm(OLD)
    before = memory.entry(OLD)
    if verb == "supersede":
        new = memory.supersede(OLD, "- decided: leaky bucket").made[0]
        memory.retract(new.id)
    else:
        getattr(memory, verb)(OLD)
    memory.restore(OLD)
    after = memory.entry(OLD)
    assert after.rev > before.rev
    assert after.with_meta(rev=str(before.rev)) == before


def test_restoring_beside_a_standing_successor_asks(memory: Memory) -> None:
    memory.story(STORY)
    new = memory.supersede(OLD, "- decided: leaky bucket").made[0].id
    tip = memory.tip()
    with pytest.raises(correct.Asks) as asked:
        memory.restore(OLD)
    assert asked.value.rivals == (new,) and "--instead" in asked.value.hint
    assert memory.tip() == tip
    memory.restore(OLD, instead=True)
    assert memory.entry(OLD).standing == "stated"
    assert memory.entry(new).get("successor") == memory.id(OLD)
    with pytest.raises(correct.Asks):
        memory.restore(new)
    memory.restore(new, instead=True)
    assert memory.entry(OLD).get("successor") == new
    assert "token bucket" not in memory.everything_readable()


def test_copies_are_listed_and_taken_out_when_asked(memory: Memory) -> None:
    memory.story(STORY)
    claim = "deploy from the main branch alone"
    again = memory.say("habits", f"- note: {claim}\n- outcome: written on the wall")
    only = memory.say("echo", f"- decided: {claim}")
    view = memory.repo / ".hipogit"
    (view / "WORKING.md").write_text(f"# Working\n\n- {claim}\n- keep this line\n")
    (view / "knowledge").mkdir()
    (view / "knowledge" / "deploy.md").write_text(f"We {claim}. Then we rest.\n")
    git(view, "add", "-A")
    git(view, "commit", "-q", "-m", "notes")
    done = memory.retract(DEPLOY)
    assert {(c.path, c.id) for c in done.copies} == {
        ("WORKING.md", ""),
        ("knowledge/deploy.md", ""),
        ("memory/2026-11-29.md", again),
        ("memory/2026-11-29.md", only),
    }
    assert claim in memory.everything_readable()
    memory.restore(DEPLOY)
    before = memory.commits()
    memory.retract(DEPLOY, copies=True)
    assert memory.commits() == before + 1
    assert claim not in memory.everything_readable()
    assert memory.files()["WORKING.md"] == "# Working\n\n- keep this line\n"
    assert "Then we rest" in memory.files()["knowledge/deploy.md"]
    assert memory.entry(again).body == "- outcome: written on the wall"
    assert memory.entry(only).standing == "retracted"


def test_what_a_successor_still_says_is_no_copy(memory: Memory) -> None:
    memory.story(
        "2026-11-29 cache  decided: keep entries for an hour; why: cheap to refill"
    )
    memory.say("other", "- why: cheap to refill")
    done = memory.supersede(
        "2026-11-29 cache", "- decided: keep for a day\n- why: cheap to refill"
    )
    assert not done.copies


def test_feedback_binds_what_it_corrects(memory: Memory) -> None:
    memory.story(STORY)
    before = memory.commits()
    rule = memory.draft(
        "deploys",
        "- rule: deploy from release tags\n- why: audits\n- how-to-apply: always",
        type="feedback",
    )
    done = correct.say(
        memory.store, [rule], ANN, memory.now, corrects=[memory.id(DEPLOY)]
    )
    assert memory.commits() == before + 1
    entry = memory.entry(DEPLOY)
    assert entry.standing == "disputed" and entry.get("corrected-by") == done.entry.id
    assert done.entry.get("corrects") == entry.id
    root = memory.files()["memory/ROOT.md"]
    assert "deploy from release tags" in root.split("## Active Context")[0]


REFUSALS = {
    "unknown": ("retract 20261129-zzzz --reason x", 2, "no entry has an id"),
    "no id at all": ("retract nonsense --reason x", 2, "no entry has an id"),
    "no such day": ("retract 20261399-aaaa --reason x", 2, "no entry has an id"),
    "ambiguous": ("retract 20261129- --reason x", 2, "begins the ids of 6"),
    "no reason": ("retract {deploy}", 2, "needs its reason"),
    "blank reason": ("dispute {deploy} --reason ' '", 2, "needs its reason"),
    "retracted twice": ("retract {gone} --reason x", 1, "retracted already"),
    "confirming it": ("confirm {gone} --as Ann", 1, "retracted already"),
    "disputing it": ("dispute {gone} --reason x", 1, "retracted already"),
    "superseding it": ("supersede {gone} T -m x", 1, "retracted already"),
    "disputed twice": ("dispute {doubt} --reason x", 1, "disputed already"),
    "restoring what stands": ("restore {deploy} --as A", 1, "nothing to restore"),
    "nobody there": ("confirm {deploy}", 2, "nobody is at a terminal"),
    "nobody restores": ("restore {gone}", 2, "nobody is at a terminal"),
    "project for feedback": ("supersede {rule} -t project -m x", 2, "is feedback"),
    "feedback without rule": ("supersede {rule} -m x", 2, "lacks rule"),
    "says nothing": ("supersede {deploy} -m ' '", 2, "says nothing"),
    "says it again": (
        "retract {deploy} --reason 'Deploy from the main branch alone is bad'",
        2,
        "the reason repeats",
    ),
    "without the dot": (
        "retract {moved} --reason 'It was moved to frankfurt last week, they said'",
        2,
        "the reason repeats",
    ),
    "as short as it was": (
        "retract {short} --reason 'PORT 7041!'",
        2,
        "the reason repeats",
    ),
}


@pytest.mark.parametrize(
    ("words", "code", "said"), REFUSALS.values(), ids=REFUSALS.keys()
)
def test_what_makes_no_sense_is_refused_and_nothing_written(
    refusing: tuple[Memory, dict[str, str]], words: str, code: int, said: str
) -> None:
    memory, names = refusing
    before = memory.tip()
    told = hipogit(memory.repo, *shlex.split(words.format(**names)), code=code)
    assert told.startswith("error: ") and said in told and "hint: " in told
    assert memory.tip() == before
    assert not list((memory.repo / ".git/hipogit").rglob("spool/*"))
    if said.startswith("begins"):
        assert all(id in told for id in names.values())


@pytest.fixture(scope="module")
def refusing(tmp_path_factory: pytest.TempPathFactory) -> tuple[Memory, dict[str, str]]:
    import subprocess

    repo = tmp_path_factory.mktemp("refusing")
    subprocess.run(["git", "init", "-q", str(repo)], check=True)
    memory = Memory(repo)
    memory.story(STORY)
    names = {
        "deploy": memory.id(DEPLOY),
        "gone": memory.say("echo", "said once"),
        "doubt": memory.say("doubt", "said twice"),
        "moved": memory.say("move", "- note: it was  moved to Frankfurt last week."),
        "short": memory.say("short", "- port 7041"),
        "rule": memory.say(
            "rule", "- rule: be kind\n- why: w\n- how-to-apply: h", type="feedback"
        ),
    }
    memory.retract(names["gone"])
    memory.dispute(names["doubt"])
    return memory, names


def test_a_tool_call_never_confirms(memory: Memory) -> None:
    memory.story(STORY)
    with pytest.raises(HipogitError, match="a tool call cannot confirm"):
        memory.confirm(DEPLOY, Who(actor="Ann", via="mcp"))
    with pytest.raises(HipogitError, match="a tool call cannot confirm"):
        correct.restore(
            memory.store, memory.id(DEPLOY), Who("A", via="mcp"), memory.now
        )


def test_a_confirmation_off_a_terminal_says_so(memory: Memory) -> None:
    memory.story(STORY)
    hipogit(memory.repo, "confirm", memory.id(DEPLOY)[:13], "--as", "Bo")
    entry = memory.entry(DEPLOY)
    assert (entry.get("confirmed-by"), entry.get("confirmed-via")) == ("Bo", "pipe")
    message = git(memory.repo, "log", "-1", "--format=%B", "hipogit/memory")
    assert "Hipogit-Actor: Bo\n" in message and "Hipogit-Via: pipe\n" in message


def test_reasons_go_through_the_gate(memory: Memory) -> None:
    memory.story(STORY)
    key = "AKIA" + "QYLPMN5HFIQR7XYA"
    memory.retract(DEPLOY, f"it leaked {key}")
    assert key not in git(memory.repo, "log", "--format=%B", "-p", "hipogit/memory")


def test_an_edit_in_the_way_of_a_correction_lies_beside_it(memory: Memory) -> None:
    memory.story(STORY)
    daily = memory.repo / ".hipogit/memory/daily/2026-11-29.md"
    daily.write_text(daily.read_text() + "my own words\n")
    done = memory.retract(DEPLOY)
    assert done.saved == ("memory/daily/2026-11-29.md.local",)
    assert not daily.exists()
