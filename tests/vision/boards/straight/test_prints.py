"""A set's tiles and boards as arrays, and where its cells lie."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from arena_cam.domain.tile_sets import TileSet
from arena_cam.vision.boards.straight.prints import SetPrints


def test_cells_lie_about_the_middle_one(prints: SetPrints, tile_set: TileSet) -> None:
    assert len(prints.cell_names) == len(prints.cells_mm) == 19
    assert prints.cells_mm.mean(axis=0) == pytest.approx([0.0, 0.0], abs=1e-6)
    middle = int(np.linalg.norm(prints.cells_mm, axis=1).argmin())
    around = np.sort(np.linalg.norm(prints.cells_mm - prints.cells_mm[middle], axis=1))
    assert around[1:7] == pytest.approx(np.full(6, around[1]), rel=0.02)  # six neighbours as far
    board = tile_set.boards[0]
    offset = prints.cells_mm[0] - prints.corners_mm[0, 0]
    assert offset == pytest.approx(dict(board.cells_mm)[prints.cell_names[0]])


def test_a_board_is_as_large_as_it_is_said_to_be(prints: SetPrints, tile_set: TileSet) -> None:
    for which, board in enumerate(tile_set.boards):
        across = prints.corners_mm[which, 2] - prints.corners_mm[which, 0]
        assert across == pytest.approx([board.width_mm, board.height_mm])
        height, width = prints.board(which, 0.5).shape[:2]
        assert (width, height) == (round(board.width_mm * 0.5), round(board.height_mm * 0.5))


@pytest.mark.parametrize("px_per_mm", [1.0, 2.0])
def test_a_tile_is_compared_within_its_hexagon(prints: SetPrints, tile_set: TileSet, px_per_mm: float) -> None:
    grid = prints.tiles(px_per_mm)
    assert len(grid.faces) == len(tile_set.tiles)
    assert grid.mask.shape == grid.faces.shape[1:3]
    height = tile_set.height_mm - 1.6  # less its rim of 0.8 mm all round
    hexagon = np.sqrt(3) / 2 * height**2
    assert grid.mask.sum() / px_per_mm**2 == pytest.approx(hexagon, rel=0.05)
    assert np.array_equal(grid.mask, grid.mask[::-1, ::-1])
    assert not grid.mask[0, 0]


def test_grids_are_made_once_for_each_softness(prints: SetPrints) -> None:
    assert prints.tiles(1.0, 0.5) is prints.tiles(1.0, 0.5)
    sharp, soft = prints.tiles(1.0), prints.tiles(1.0, 1.5)
    assert np.abs(np.diff(soft.faces, axis=2)).mean() < np.abs(np.diff(sharp.faces, axis=2)).mean()
    assert prints.board(0, 1.0, 0.4) is prints.board(0, 1.0, 0.4)


def test_tiles_and_boards_have_keypoints_in_their_own_frames(prints: SetPrints, tile_set: TileSet) -> None:
    few = SetPrints(replace(tile_set, tiles=tile_set.tiles[:3]))
    tiles, boards = few.tile_keypoints(), few.board_keypoints()
    assert set(tiles.face) == {0, 1, 2}
    assert np.abs(tiles.all.xy).max() < max(tile_set.width_mm, tile_set.height_mm)
    assert set(boards.face) == set(range(len(tile_set.boards)))
    corners = prints.corners_mm.reshape(-1, 2)
    assert (boards.all.xy > corners.min(axis=0) - 2).all()
    assert (boards.all.xy < corners.max(axis=0) + 2).all()
