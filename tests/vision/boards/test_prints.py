"""A set's tiles and boards as arrays, and where its cells lie."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from arena_cam.domain.errors import BadPicture
from arena_cam.domain.tile_sets import TileSet
from arena_cam.vision.boards.prints import SetPrints


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


def with_first_tile(tile_set: TileSet, file: Path) -> TileSet:
    return replace(tile_set, tiles=(replace(tile_set.tiles[0], image=file), *tile_set.tiles[1:]))


def test_what_is_transparent_takes_the_colour_beside_it(tile_set: TileSet, tmp_path: Path) -> None:
    """A red disc on nothing: its rim must not darken when it is made smaller."""
    picture = np.zeros((90, 104, 4), np.uint8)
    cv2.circle(picture, (52, 45), 40, (0, 0, 220, 255), -1)
    file = tmp_path / "disc.png"
    cv2.imwrite(str(file), picture)
    face = SetPrints(with_first_tile(tile_set, file)).tile_face(0)
    assert (face[:, :, 2] == 220).all()


def test_a_grey_picture_serves_as_well(tile_set: TileSet, tmp_path: Path) -> None:
    file = tmp_path / "grey.png"
    cv2.imwrite(str(file), np.full((90, 104), 77, np.uint8))
    assert (SetPrints(with_first_tile(tile_set, file)).tile_face(0) == 77).all()


@pytest.mark.parametrize("content", [None, b"", b"no picture at all"])
def test_a_picture_that_cannot_be_read_is_named_with_the_remedy(
    tile_set: TileSet, tmp_path: Path, content: bytes | None
) -> None:
    file = tmp_path / "torn.png"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(BadPicture, match=r"torn\.png.*copy it again"):
        SetPrints(with_first_tile(tile_set, file))
