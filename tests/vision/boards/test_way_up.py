"""A board that lies turned against the place it was looked at."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from arena_cam.geometry.homography import transformed
from arena_cam.vision.boards.placing import PlacedBoard
from arena_cam.vision.boards.way_up import better_way_up, tiles_turned, turned_by


def with_turns(plain: PlacedBoard, turns: list[int]) -> PlacedBoard:
    """The board with its first tiles turned so, and its other cells empty."""
    left = list(turns)
    cells = []
    for cell in plain.cells:
        if cell.best.tile is None or not left:
            cells.append(replace(cell, best=replace(cell.best, tile=None, turned_deg=0)))
        else:
            cells.append(replace(cell, best=replace(cell.best, turned_deg=left.pop(0))))
    assert not left
    return replace(plain, cells=tuple(cells), matches=tuple(replace(m, turned_alike=0.1) for m in plain.matches))


@pytest.mark.parametrize(
    ("turns", "degrees"),
    [([], 0), ([0, 0], 0), ([120], 120), ([120, 120, 120], 120), ([180, 0], 180), ([180, 0, 0], 0), ([60, 120, 0], 60)],
)
def test_tiles_that_are_turned_alike_tell_of_their_board(plain: PlacedBoard, turns: list[int], degrees: int) -> None:
    assert tiles_turned(with_turns(plain, turns)) == degrees


def test_turned_tiles_tell_of_their_board_though_their_cells_were_taken_for_empty(plain: PlacedBoard) -> None:
    none = with_turns(plain, [])
    matches = [replace(m, turned_alike=0.8, turned=(3, 180)) if k < 2 else m for k, m in enumerate(none.matches)]
    assert tiles_turned(replace(none, matches=tuple(matches))) == 180


def test_a_board_is_turned_clockwise_as_pictures_show_it() -> None:
    about = np.array([5.0, -3.0])
    turned = turned_by(np.diag([2.0, 2.0, 1.0]), 90.0, about)
    np.testing.assert_allclose(transformed(turned, np.array([[5.0, -3.0], [15.0, -3.0]])), [[10.0, -6.0], [10.0, 14.0]])


def test_tiles_tell_which_way_up_a_board_lies_unless_its_print_does(plain: PlacedBoard) -> None:
    first, turned = with_turns(plain, [120, 120]), with_turns(plain, [0, 0])
    assert better_way_up(first, turned) is turned
    assert better_way_up(first, replace(turned, print_alike=first.print_alike - 0.3)) is first
    assert better_way_up(first, with_turns(plain, [60, 60])) is first


def test_a_frame_that_looks_the_same_either_way_up_does_not_say_which_it_is(plain: PlacedBoard) -> None:
    first, turned = with_turns(plain, [180, 180]), with_turns(plain, [0, 0])
    worse = replace(turned, print_alike=first.print_alike - 0.3)
    assert better_way_up(first, worse, (0.3, 0.9)) is worse
    assert better_way_up(first, turned, (0.9, 0.3)) is first
    assert better_way_up(first, worse, (None, 0.9)) is first
