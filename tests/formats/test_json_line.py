"""Lines of JSON are read as strictly as RFC 8259 has them, quickly or slowly to the same result."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena_cam.formats.json_line import BadLine, read_object, read_objects

TEXT = st.text(max_size=12)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**40), 2**40) | st.floats(allow_nan=False, allow_infinity=False) | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=8,
)
LONG = 6000 * "9"  # digits
OBJECTS = st.dictionaries(TEXT, VALUES, max_size=4)


@given(st.lists(OBJECTS, max_size=5), st.booleans())
def test_what_was_written_is_read(objects: list[dict[str, Any]], ascii_only: bool) -> None:
    """Colons in strings, objects within objects, no line at all: whichever way they are read."""
    lines = [json.dumps(each, ensure_ascii=ascii_only) for each in objects]
    try:
        content = "\n".join(lines).encode()
    except UnicodeEncodeError:  # half a surrogate pair is no text
        return
    found = read_objects(content)
    assert found.bad is None
    assert list(found.objects) == objects
    assert list(found.numbers) == list(range(1, len(objects) + 1))


@given(OBJECTS, st.sampled_from(["", " ", "\t\r"]), st.integers(0, 3))
def test_lines_of_white_space_count_and_say_nothing(value: dict[str, Any], blank: str, before: int) -> None:
    content = "\n".join([*[blank] * before, json.dumps(value), blank]).encode()
    found = read_objects(content)
    assert (list(found.objects), list(found.numbers), found.bad) == ([value], [before + 1], None)


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ('{"a": 1, "a": 2}', "the key 'a' stands twice"),
        ('{"b": {"a": 1, "a": 2}}', "the key 'a' stands twice"),
        ('{"a:": 1, "a:": 1}', "stands twice"),
        ('{"a": NaN}', "NaN is no number"),
        ('{"a": -Infinity}', "-Infinity is no number"),
        ("[1, 2]", "one JSON object"),
        ("7", "one JSON object"),
        ('{"a": 1} {"b": 2}', "this is not JSON"),
        ("{'a': 1}", "at character 2"),
        ('{"a": 1,}', "this is not JSON"),
        ('{"a": "\t"}', "this is not JSON"),
        ("\ufeff{}", "this is not JSON"),
    ],
)
@pytest.mark.parametrize("place", [0, 2])
def test_the_first_bad_line_is_told_and_what_stands_before_it_is_kept(line: str, why: str, place: int) -> None:
    good = ['{"n": 1}', '{"n": 2}']
    lines = [*good[:place], line, '{"n": 3}', "also bad"]
    found = read_objects("\n".join(lines).encode())
    assert found.bad is not None
    assert found.bad.line == place + 1
    assert why in str(found.bad)
    assert [each["n"] for each in found.objects] == [1, 2][:place]


@pytest.mark.parametrize("line", ['{"a": 1, "a": 2}', '{"a": NaN}', "[]", "{", ""])
def test_a_line_by_itself_is_refused_for_the_same(line: str) -> None:
    with pytest.raises(BadLine):
        read_object(line)


def test_a_line_that_is_not_utf_8_is_blamed_itself() -> None:
    found = read_objects(b'{"a": 1}\n{"b": "\xff"}\n{"c": 3}')
    assert found.bad is not None
    assert (found.bad.line, list(found.objects)) == (2, [{"a": 1}])
    assert "UTF-8" in str(found.bad)


@pytest.mark.parametrize("sign", ["", "-"])
def test_a_number_with_thousands_of_digits_is_read_as_too_large(sign: str) -> None:
    """Python refuses to convert it: it must be refused by whoever checks the range, not by a traceback."""
    value = read_object(f'{{"a": {sign}{LONG}}}')["a"]
    assert abs(value) >= 10**400
    assert (value < 0) is (sign == "-")
    with pytest.raises(BadLine, match="not JSON"):
        read_object(f'{{"a": {LONG}, }}')


@pytest.mark.parametrize("opening", ["[", '{"a":'])
def test_what_is_nested_too_deeply_is_refused(opening: str) -> None:
    depth = 200_000
    found = read_objects(('{"a":' + opening * depth).encode())
    assert found.bad is not None
    assert found.bad.line == 1
