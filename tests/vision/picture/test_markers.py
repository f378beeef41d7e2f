"""Square markers are found where they are, to a fraction of a pixel, and only those that are large enough."""

from __future__ import annotations

import numpy as np
import pytest

from arena_cam.domain.errors import BadInput
from arena_cam.vision.picture.markers import (
    SeenMarker,
    boxes_round,
    dictionary_named,
    find_markers,
    find_markers_in,
    find_markers_near,
)
from vision.small import marker

NAME = "DICT_4X4_50"


def sheet(*placed: tuple[int, int, int], module_px: int = 5) -> np.ndarray:
    """A white sheet with markers (number, left, top), their white rim included."""
    picture = np.full((200, 260), 255, np.uint8)
    for number, left, top in placed:
        print_ = marker(NAME, number, module_px)
        picture[top : top + len(print_), left : left + len(print_)] = print_
    return picture


def test_an_even_sheet_has_none() -> None:
    assert find_markers(sheet(), NAME) == []


def test_markers_are_found_with_their_numbers_and_corners() -> None:
    seen = {each.id: each for each in find_markers(sheet((7, 20, 30), (31, 150, 90)), NAME)}
    assert set(seen) == {7, 31}
    left, top, side = 20 + 5, 30 + 5, 6 * 5
    expected = np.array([[left, top], [left + side, top], [left + side, top + side], [left, top + side]]) - 0.5
    assert np.abs(seen[7].corners_px - expected).max() < 1.0
    assert np.allclose(seen[7].middle_px, expected.mean(axis=0), atol=0.5)


def test_a_marker_upside_down_begins_at_its_own_first_corner() -> None:
    upright = sheet((7, 100, 60))
    (seen,) = find_markers(np.ascontiguousarray(upright[::-1, ::-1]), NAME)
    assert np.argmin(seen.corners_px.sum(axis=1)) == 2


def test_markers_smaller_than_asked_for_are_left_alone() -> None:
    small = sheet((7, 100, 60), module_px=3)  # 18 px a side
    assert len(find_markers(small, NAME, smallest_px=10)) == 1
    assert find_markers(small, NAME, smallest_px=40) == []


def test_only_the_neighbourhood_of_where_they_are_thought_to_be_is_searched() -> None:
    picture = sheet((7, 20, 30), (31, 150, 90))
    thought = np.array([[25.0, 35.0], [55.0, 35.0], [55.0, 65.0], [25.0, 65.0]]) + 4.0
    (near,) = find_markers_near(picture, NAME, [thought])
    (anywhere,) = [each for each in find_markers(picture, NAME) if each.id == 7]
    assert near.id == 7
    assert np.abs(near.corners_px - anywhere.corners_px).max() < 0.3


@pytest.mark.parametrize("shift", [(-500.0, 0.0), (240.0, 180.0)])
def test_a_place_outside_the_picture_holds_no_marker(shift: tuple[float, float]) -> None:
    thought = np.array([[25.0, 35.0], [55.0, 35.0], [55.0, 65.0], [25.0, 65.0]]) + shift
    assert find_markers_near(sheet((7, 20, 30)), NAME, [thought]) == []


@pytest.mark.parametrize("name", ["", "DICT_9X9_7", "4X4_50", "imread"])
def test_a_dictionary_that_opencv_lacks_is_refused_by_name(name: str) -> None:
    with pytest.raises(BadInput, match=f"no marker dictionary '{name}'"):
        dictionary_named(name)


def test_the_middle_is_that_of_the_corners() -> None:
    assert np.allclose(SeenMarker(0, np.array([[0, 0], [4, 0], [4, 2], [0, 2.0]])).middle_px, [2.0, 1.0])


def test_in_a_box_round_it_a_marker_is_found_as_in_the_whole_picture() -> None:
    picture = sheet((7, 20, 30), (31, 150, 90))
    whole = {each.id: each for each in find_markers(picture, NAME)}
    for number, seen in whole.items():
        (found,) = find_markers_in(picture, NAME, boxes_round([seen.corners_px], (200, 260)))
        assert found.id == number
        assert np.array_equal(found.corners_px, seen.corners_px)
    assert find_markers_in(picture, NAME, []) == []
    assert find_markers_in(picture, NAME, [(0, 0, 10, 10)]) == []


def square(x: float, y: float, side: float = 10.0) -> np.ndarray:
    return np.array([[x, y], [x + side, y], [x + side, y + side], [x, y + side]])


def test_boxes_that_would_overlap_are_one() -> None:
    apart = boxes_round([square(20, 20), square(120, 20)], (200, 260), rim_px=5)
    assert apart == [(15, 15, 36, 36), (115, 15, 136, 36)]
    assert boxes_round([square(20, 20), square(120, 20), square(34, 24, 90)], (200, 260), 5) == [(15, 15, 136, 120)]


def test_boxes_end_where_the_picture_does() -> None:
    assert boxes_round([square(-8, 195), square(400, 400)], (200, 260), rim_px=5) == [(0, 190, 8, 200)]
    assert boxes_round([square(10, 10, 180)], (200, 260)) == [(0, 0, 260, 200)]
