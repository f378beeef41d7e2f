"""What tiles hide of the board beside them."""

from __future__ import annotations

import numpy as np
import pytest

from arena_cam.vision.boards.straight.straight_board import StraightBoard
from arena_cam.vision.boards.straight.tile_cover import TileCover, covered, hexagon, moved


def test_what_lies_between_a_tiles_face_and_its_foot_is_covered() -> None:
    board = StraightBoard(np.zeros((40, 60, 3), np.float32), np.ones((40, 60), bool), np.zeros(2), 1.0)
    square = np.array([[10, 10], [15, 10], [20, 10], [20, 20], [15, 20], [10, 20]], float)
    mask = covered(board, square[None], square[None] + [12.0, 0.0], 1.0)
    assert mask[15, 10:32].all()
    assert not mask[15, 36:].any()
    assert not covered(board, square[:0].reshape(0, 6, 2), square[:0].reshape(0, 6, 2), 1.0).any()


def test_a_tile_hides_of_its_neighbours_cell_what_its_side_covers_and_shades_some_more() -> None:
    faces = np.stack([hexagon((40.0, 34.64), np.array([0.0, -36.0]))])
    feet = faces - [0.0, 3.0]
    over, beside = TileCover((7,), moved(np.eye(3), faces), feet).over(3, np.zeros(2), (72, 82), 2.0)
    rows = (np.arange(72) - 35.5) / 2.0
    assert over[rows < -18.0][:, 41].all(), "the face reaches to 18.7 mm above the middle"
    assert not over[rows > -17.0].any()
    assert beside[rows < -13.5][:, 41].all()
    assert not beside[rows > -12.0].any()


def test_a_tile_hides_nothing_of_its_own_cell_nor_of_one_far_away() -> None:
    face = np.stack([hexagon((40.0, 34.64), np.zeros(2))])
    cover = TileCover((3,), face, face)
    for cell, at in ((3, np.zeros(2)), (9, np.array([200.0, 0.0]))):
        assert not any(mask.any() for mask in cover.over(cell, at, (72, 82), 2.0))


def test_the_outline_of_a_turned_tile_turns() -> None:
    assert hexagon((40.0, 34.64), np.array([1.0, 2.0]))[0] == pytest.approx([21.0, 2.0])
    assert hexagon((40.0, 34.64), np.zeros(2), np.pi / 2)[0] == pytest.approx([0.0, 20.0])
