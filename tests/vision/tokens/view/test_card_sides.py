"""A card's sides are found near where a view has them, and its corners where they meet."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from arena_cam.vision.tokens.view.card_sides import Sides, bare_sides, seen_corners
from arena_cam.vision.tokens.view.top_view import TopView, rigid_motion

Floats = NDArray[np.float64]

SIZE_MM, PX_PER_MM, FINER = (56.0, 86.0), 2.0, 4
TABLE_MM = (140, 160)
BARE = Sides(SIZE_MM, 3.0, np.ones(4, bool))
TRUE = np.array([70.0, 80.0, 0.2])
HALF = np.array(SIZE_MM) / 2
CORNERS = np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]]) * HALF


def _view(ground: int, paper: int, line: int | None = None) -> TopView:
    """A card of one grey level on a table of another, seen with four samples a pixel; about it a `line` of 1 mm."""
    scale = PX_PER_MM * FINER
    picture = np.full((round(TABLE_MM[1] * scale), round(TABLE_MM[0] * scale)), ground, np.uint8)
    for size, level in ((SIZE_MM[0] + 2.0, line), (SIZE_MM[0], paper)):
        if level is not None:
            corners = CORNERS + np.sign(CORNERS) * (size - SIZE_MM[0]) / 2
            motion = rigid_motion(TRUE)
            at = (corners @ motion[:, :2].T + motion[:, 2]) * scale - 0.5
            cv2.fillConvexPoly(picture, np.round(at * 16).astype(np.int32), level, cv2.LINE_AA, 4)
    small = cv2.resize(picture, None, fx=1 / FINER, fy=1 / FINER, interpolation=cv2.INTER_AREA)
    small = cv2.GaussianBlur(small, (0, 0), 0.8)
    pixels = np.asarray(np.dstack([small] * 3), np.float32)
    return TopView(pixels, np.ones(small.shape, bool), np.zeros(2), PX_PER_MM)


def _free() -> NDArray[np.bool_]:
    return np.ones(TABLE_MM[::-1], bool)


def _on_table(mm: Floats, place: Floats) -> Floats:
    motion = rigid_motion(place)
    return np.asarray(mm @ motion[:, :2].T + motion[:, 2])


def test_corners_are_seen_where_the_card_lies_not_where_it_was_thought() -> None:
    thought = TRUE + np.array([1.2, -0.9, 0.012])
    mm, seen = seen_corners(_view(70, 220), rigid_motion(thought), BARE, _free(), np.zeros(2))
    assert len(mm) == 4
    assert np.abs(_on_table(seen, thought) - _on_table(mm, TRUE)).max() < 0.25


def test_a_card_seen_too_small_is_told_by_all_its_corners() -> None:
    """In a wrong view all of a card may look smaller than it is: its corners say by how much."""
    motion = rigid_motion(TRUE)
    motion[:, :2] *= 1.03
    mm, seen = seen_corners(_view(70, 220), motion, BARE, _free(), np.zeros(2))
    assert np.abs(seen * 1.03 - mm).max() < 0.15


def test_a_side_under_other_things_makes_no_corner() -> None:
    free = _free()
    free[:60] = False  # about the upper side
    mm, _ = seen_corners(_view(70, 220), rigid_motion(TRUE), BARE, free, np.zeros(2))
    assert sorted(map(tuple, np.sign(mm).tolist())) == [(-1.0, 1.0), (1.0, 1.0)]


def test_white_on_white_ends_where_the_dark_line_about_it_begins() -> None:
    mm, seen = seen_corners(_view(205, 215, line=90), rigid_motion(TRUE), BARE, _free(), np.zeros(2))
    assert len(mm) == 4
    assert np.abs(seen - mm).max() < 0.5  # the outer edge of the line lies a millimetre off


def test_paper_in_the_colour_of_the_table_has_no_sides() -> None:
    mm, seen = seen_corners(_view(200, 200), rigid_motion(TRUE), BARE, _free(), np.zeros(2))
    assert mm.shape == seen.shape == (0, 2)


def test_sides_along_which_a_line_is_printed_are_left_out() -> None:
    sides = Sides(SIZE_MM, 3.0, np.array([False, True, True, True]))
    mm, _ = seen_corners(_view(70, 220), rigid_motion(TRUE), sides, _free(), np.zeros(2))
    assert sorted(map(tuple, np.sign(mm).tolist())) == [(-1.0, 1.0), (1.0, 1.0)]


@pytest.mark.parametrize(("at_mm", "bare"), [(2, False), (12, True)])
def test_a_line_printed_beside_a_side_makes_it_none_of_the_bare_ones(at_mm: int, bare: bool) -> None:
    face = np.full((86, 56, 3), 240.0, np.float32)
    face[at_mm : at_mm + 2, 4:-4] = 60.0
    face[30:34, 0:6:2] = 60.0  # a few words do not make a line
    assert bare_sides(face, 1.0).tolist() == [bare, True, True, True]
