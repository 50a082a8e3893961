"""JSON without `json`, and the same values."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hipogit import fastjson

VALUE = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=[]), max_size=20),
    lambda below: (
        st.lists(below, max_size=4) | st.dictionaries(st.text(), below, max_size=4)
    ),
    max_leaves=20,
)


@given(VALUE, st.sampled_from([None, 1]), st.booleans())
def test_what_json_writes_is_read_the_same(value, indent, plain) -> None:
    text = json.dumps(value, indent=indent, ensure_ascii=plain)
    assert fastjson.load(f" \n{text}\t") == json.loads(text)
    assert json.loads(fastjson.dump(value)) == value
    assert fastjson.dump(value) == json.dumps(value)


@given(st.text(max_size=12) | VALUE.map(lambda value: json.dumps(value)[:-1]))
def test_what_json_refuses_is_refused(text) -> None:
    try:
        json.loads(text)
    except ValueError:
        with pytest.raises(ValueError):
            fastjson.load(text)


@pytest.mark.parametrize("text", ["", "{", '{"a"', '"\\u12"', '"a\nb"', "[1,]", "nul"])
def test_it_refuses_without_json_around(text) -> None:
    code = (
        "import sys; from hipogit import fastjson\n"
        "try: fastjson.load(sys.argv[1])\n"
        "except ValueError: print('json' in sys.modules)"
    )
    words = [sys.executable, "-P", "-S", "-c", code, text]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
