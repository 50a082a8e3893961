"""JSON and Markdown files of other people: changed and given back to the byte."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hipogit.errors import Usage
from hipogit.platforms import jsonspan
from hipogit.platforms.blockfile import Block, content
from hipogit.platforms.edits import Made, Trace, digest, undone
from hipogit.platforms.jsonfile import HookFile, commands

PATH = Path("/src/shop/.claude/settings.json")
GROUP = {"hooks": [{"type": "command", "command": "hipogit hook x stop", "timeout": 9}]}
ENTRIES = (("SessionStart", GROUP), ("Stop", GROUP))
EDIT = HookFile(PATH, ENTRIES)
FLAT = HookFile(
    PATH, (("stop", {"command": "hipogit hook cursor stop"}),), base={"version": 1}
)


def trace(made: Made, created: bool = False) -> Trace:
    return Trace("f", digest(made.data), created, made.spans, made.filled)


SETTINGS = {
    "empty-object": b"{}",
    "empty-object-line": b"{\n}\n",
    "blanks": b"{  }\n",
    "empty-file": b"",
    "only-newline": b"\n",
    "flat": b'{"model": "opus", "env": {"A": "1"}}',
    "two-spaces": b'{\n  "model": "opus",\n  "env": {\n    "A": "1"\n  }\n}\n',
    "four-spaces": b'{\n    "b": 1,\n    "a": [1, 2]\n}',
    "tabs": b'{\n\t"b": 1,\n\t"hooks": {\n\t\t"Stop": []\n\t}\n}\n',
    "crlf": b'{\r\n  "b": 1,\r\n  "hooks": {}\r\n}\r\n',
    "bom": b'\xef\xbb\xbf{\n  "b": "\xed\x95\x9c"\n}\n',
    "comments": b'// mine\n{\n  "b": 1, // one\n  /* two */ "c": 2 // last\n}\n//',
    "comment-only": b"{\n  // nothing yet\n}\n",
    "comment-inline": b"{ /* nothing */ }",
    "trailing-comma": b'{\n  "b": [\n    1,\n  ],\n}\n',
    "trailing-comma-comment": b'{\n  "b": 1, // last\n}\n',
    "odd": b'{"a":1\n,   "hooks"  :{"Stop":[{"hooks":[]}]\n}, "z":{}}',
    "foreign-hooks": (
        b'{\n  "hooks": {\n    "Stop": [\n      {"hooks": [{"type": "command",'
        b' "command": "say done"}]}\n    ],\n    "PreToolUse": []\n  },\n  "z": 1\n}\n'
    ),
    "foreign-last": (
        b'{\n  "z": 1,\n  "hooks": {\n    "PreToolUse": [],\n    "Stop": [\n      {\n'
        b'        "hooks": [] // none\n      }\n    ]\n  }\n}\n'
    ),
    "look-alike": b'{"x": "hipogit hook y", "hooks": {"Stop": [{"command": "a"}]}}',
}


def data_of(raw: bytes) -> dict[str, object]:
    text = raw.decode()
    found = jsonspan.parse(text, "f").data if text.strip("\ufeff \t\r\n") else {}
    assert isinstance(found, dict)
    return found


@pytest.mark.parametrize("edit", [EDIT, FLAT], ids=["grouped", "flat"])
@pytest.mark.parametrize("old", SETTINGS.values(), ids=SETTINGS)
def test_settings_come_back_to_the_byte(edit: HookFile, old: bytes) -> None:
    made = edit.install(old)
    assert edit.intact(made.data)
    assert commands(made.data, "f") == [
        "hipogit hook cursor stop" if edit is FLAT else "hipogit hook x stop"
    ] * len(edit.entries)
    assert undone(made.data, trace(made)) == old
    assert made.data.count(b"\r\n") == made.data.count(b"\n") or b"\r\n" not in old
    before, after = data_of(old), data_of(made.data)
    kept = [key for key in after if key in before]
    assert kept == list(before), "foreign keys stay, in their order"
    assert all(after[k] == v for k, v in before.items() if k != "hooks")


@pytest.mark.parametrize("old", SETTINGS.values(), ids=SETTINGS)
def test_settings_edited_since_lose_ours_and_keep_the_edit(old: bytes) -> None:
    made = EDIT.install(old)
    edited = made.data + b"\n"
    left = EDIT.remove(edited, trace(made))
    assert b"hipogit hook x" not in left
    assert data_of(left) == data_of(old)


@pytest.mark.parametrize("old", SETTINGS.values(), ids=SETTINGS)
def test_strict_json_stays_strict_json(old: bytes) -> None:
    try:
        json.loads(old.decode("utf-8-sig") or "{}")
    except ValueError:
        return
    made = EDIT.install(old)
    whole = json.loads(made.data.decode("utf-8-sig"))
    assert whole["hooks"]["Stop"][-1] == GROUP


def test_without_a_record_only_boxes_that_ours_filled_alone_go() -> None:
    old = SETTINGS["foreign-hooks"]
    left = EDIT.remove(EDIT.install(old).data)
    assert left == old
    assert data_of(EDIT.remove(EDIT.install(b'{"a": 1}').data)) == {"a": 1}


def test_an_entry_that_was_changed_is_put_right() -> None:
    made = EDIT.install(b"{}")
    changed = made.data.replace(b'"timeout": 9', b'"timeout": 30000', 1)
    assert not EDIT.intact(changed)
    assert EDIT.renew(changed).data == made.data


def test_an_entry_moved_into_a_foreign_group_is_found_there() -> None:
    old = (
        b'{"hooks": {"Stop": [{"matcher": "", "hooks": [{"command": "a"},'
        b' {"command": "hipogit hook x stop"}]}]}}'
    )
    left = data_of(EDIT.remove(old))
    stop = {"matcher": "", "hooks": [{"command": "a"}]}
    assert left == {"hooks": {"Stop": [stop]}}


BROKEN = {
    "cut": b'{"a": 1',
    "text": b"hello",
    "list": b"[]",
    "old-list": b'[{"event": "session_start"}]',
    "twice": b'{"hooks": {}, "hooks": {}}',
    "twice-deep": b'{"a": {"b": 1, "b": 2}}',
    "utf-16": '{"a": 1}'.encode("utf-16"),
    "latin-1": b'{"a": "\xe9"}',
    "hooks-list": b'{"hooks": []}',
    "event-object": b'{"hooks": {"Stop": {}}}',
    "two-values": b"{}{}",
    "no-comma": b'{"a": 1 "b": 2}',
    "single-quotes": b"{'a': 1}",
    "open-comment": b"{} /* ",
    "deep": b'{"a":' + b"[" * 5_000,
    "bad-escape": b'{"a": "\\x"}',
    "no-value": b'{"a": , "b": 1}',
}


@pytest.mark.parametrize("old", BROKEN.values(), ids=BROKEN)
def test_what_cannot_be_changed_safely_is_refused_by_name(old: bytes) -> None:
    with pytest.raises(Usage) as caught:
        EDIT.install(old)
    assert str(PATH) in caught.value.sentence
    assert "nothing was changed" in caught.value.hint


def test_a_refusal_names_the_line() -> None:
    with pytest.raises(Usage, match="line 3"):
        EDIT.install(b'{\n  "a": 1,\n  b\n}')


LEAF = st.none() | st.booleans() | st.integers() | st.floats(-1e9, 1e9) | st.text()
TREE = st.recursive(
    LEAF,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3)
    ),
    max_leaves=8,
)


@settings(max_examples=150)
@given(
    st.dictionaries(st.text(), TREE, max_size=4),
    st.sampled_from([None, 0, 1, 3, "\t"]),
    st.booleans(),
    st.sampled_from([{}, {"Stop": []}, {"Stop": [{"hooks": [{"command": "a"}]}]}]),
)
def test_any_settings_survive_a_round_trip(tree, indent, crlf, hooks) -> None:
    tree = {**tree, "hooks": hooks}
    text = json.dumps(tree, indent=indent, ensure_ascii=False)
    old = text.replace("\n", "\r\n" if crlf else "\n").encode("utf-8", "replace")
    made = EDIT.install(old)
    assert EDIT.intact(made.data)
    assert undone(made.data, trace(made)) == old
    assert data_of(EDIT.remove(made.data, trace(made))) == data_of(old)


BLOCK = Block(Path("/src/shop/CLAUDE.local.md"), "Memory:\n@.hipogit/memory/ROOT.md")
NOTES = {
    "empty": b"",
    "newline": b"\n",
    "text": b"# Mine\n\n- a\n",
    "no-final-newline": b"# Mine",
    "blank-end": b"# Mine\n\n\n",
    "crlf": b"# Mine\r\n- a\r\n",
    "bom": b"\xef\xbb\xbf# Mine\n",
    "korean": "# 규칙\n".encode(),
}


@pytest.mark.parametrize("old", NOTES.values(), ids=NOTES)
def test_notes_come_back_to_the_byte(old: bytes) -> None:
    made = BLOCK.install(old)
    assert made.data.startswith(old)
    assert BLOCK.intact(made.data)
    assert undone(made.data, trace(made)) == old
    assert (b"\r\n" in old) == (b"\r\n<!-- hipogit:end -->\r\n" in made.data)


@pytest.mark.parametrize("old", NOTES.values(), ids=NOTES)
def test_a_block_that_was_renewed_comes_out_to_the_byte(old: bytes) -> None:
    made = BLOCK.install(old)
    other = Block(BLOCK.path, "other\nlines\nthan before").renew(made.data)
    assert b"than before" in other.data
    assert not BLOCK.intact(other.data)
    assert BLOCK.remove(other.data, trace(made)) == old


def test_a_block_stays_where_it_was_moved_to() -> None:
    made = BLOCK.install(b"# Mine\n")
    moved = made.data + b"\n# Later\n"
    other = Block(BLOCK.path, "new").renew(moved).data
    assert other.decode().index("new") < other.decode().index("# Later")
    assert BLOCK.remove(moved) == b"# Mine\n\n# Later\n"


def test_the_blocks_content_can_be_read() -> None:
    made = BLOCK.install(b"# Mine\n")
    assert content(made.data.decode(), BLOCK.path) == BLOCK.text
    assert content("# Mine\n", BLOCK.path) is None


@pytest.mark.parametrize(
    "old",
    [
        b"<!-- hipogit:start -->\n",
        b"<!-- hipogit:end -->\n",
        b"<!-- hipogit:end -->\n<!-- hipogit:start -->\n",
        b"<!-- hipogit:start -->\n<!-- hipogit:end -->\n" * 2,
        b"\xff\xfe# Mine",
    ],
    ids=["start", "end", "turned", "two", "utf-16"],
)
def test_a_block_that_is_no_pair_is_refused_by_name(old: bytes) -> None:
    for act in (BLOCK.install, BLOCK.remove, BLOCK.renew):
        with pytest.raises(Usage, match=r"CLAUDE\.local\.md"):
            act(old)
