"""Values of files that people may have written: each is taken out, or refused in words that name it."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena_cam.domain.errors import BadInput
from arena_cam.formats import checked_values as checked
from arena_cam.formats.wording import told


@pytest.mark.parametrize("missing", [{}, {"size": None}])
def test_a_part_that_is_missing_is_named_with_where(missing: dict[str, Any]) -> None:
    assert checked.part({"size": 0}, "size") == 0
    with pytest.raises(ValueError, match=r"arena\.size is missing"):
        checked.part(missing, "size", "arena.")


def test_what_is_not_given_is_the_default_and_nought_is_given() -> None:
    assert checked.given({"a": 0}, "a", 3.0) == 0
    assert checked.given({"a": None}, "a", 3.0) == 3.0
    assert checked.given({}, "a", 3.0) == 3.0


@given(st.floats(-10, 10) | st.integers(-10, 10))
def test_a_number_within_its_range_is_that_number(value: float) -> None:
    found = checked.number(value, "x", -10, 10)
    assert isinstance(found, float)
    assert found == value


@pytest.mark.parametrize("value", [10.001, -11, math.inf, -math.inf, math.nan, 10**400])
def test_a_number_out_of_its_range_is_told_with_the_range(value: float) -> None:
    with pytest.raises(ValueError, match=r"^x is .*, it must lie between -10 and 10$") as refusal:
        checked.number(value, "x", -10, 10)
    assert len(str(refusal.value)) < 100


@pytest.mark.parametrize("value", [True, "7", None, [1], {}, b"7"])
def test_what_is_no_number_is_shown_shortly(value: Any) -> None:
    with pytest.raises(ValueError, match="^x must be a number, not "):
        checked.number(value, "x", 0, 10)
    with pytest.raises(ValueError, match="^x must be a number") as refusal:
        checked.number("long " * 1000, "x", 0, 10)
    assert len(str(refusal.value)) < 80


@pytest.mark.parametrize("value", [[1, 2], [1, 2, 3, 4], (1, 2, 3), "123", None, {"0": 1}])
def test_a_list_of_another_length_or_no_list_is_refused(value: Any) -> None:
    assert checked.numbers([1, 2.5, 3], "x", 3, 0, 5) == [1.0, 2.5, 3.0]
    with pytest.raises(ValueError, match="x must be a list of 3 numbers"):
        checked.numbers(value, "x", 3, 0, 5)


def test_one_bad_number_spoils_the_list() -> None:
    with pytest.raises(ValueError, match="x is 6, it must lie between 0 and 5"):
        checked.numbers([1, 6, 3], "x", 3, 0, 5)


@pytest.mark.parametrize("value", ["", "   ", "two\nlines", "a\tb", "x" * 81, 7, None, "\u202e"])
def test_a_name_that_cannot_be_shown_in_a_line_is_refused(value: Any) -> None:
    with pytest.raises(ValueError, match="name must be a text of 1 to 80 printable characters"):
        checked.text(value, "name")


@pytest.mark.parametrize("value", ["Ása", "x" * 80, " a "])
def test_a_name_that_can_is_taken_as_it_is(value: str) -> None:
    assert checked.text(value, "name") == value


def test_only_an_object_is_an_object() -> None:
    assert checked.object_({"a": 1}, "it") == {"a": 1}
    wrong: tuple[Any, ...] = ([], None, "a", 3)
    for value in wrong:
        with pytest.raises(ValueError, match="it must be an object"):
            checked.object_(value, "it")


@pytest.mark.parametrize(
    ("name", "count"), [("DICT_4X4_50", 50), ("DICT_7X7_1000", 1000), ("DICT_ARUCO_ORIGINAL", math.inf)]
)
def test_a_dictionary_s_name_tells_how_many_markers_it_has(name: str, count: float) -> None:
    assert checked.markers_in(name) == count


@pytest.mark.parametrize(
    ("language", "said"), [("fr", "size_mm doit être un nombre"), ("is", "size_mm verður að vera tala")]
)
def test_what_is_wrong_is_said_in_every_language(language: str, said: str) -> None:
    with pytest.raises(BadInput) as refused:
        checked.number("wide", "size_mm", 1, 500)
    assert said in told(refused.value.said, language)
