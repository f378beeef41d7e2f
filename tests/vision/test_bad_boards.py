"""Photographs that a reader of boards should not be given: half a board, another set's, a screenshot, 50 megapixels."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from arena_cam.domain.board_readings import BoardReading
from arena_cam.domain.tile_sets import TileSet
from arena_cam.formats.boards.tile_set_toml import read_tile_set
from arena_cam.printing.hexes.set_folder import write_set
from arena_cam.simulation.boards.styles import STYLES
from arena_cam.vision.boards.board_reader import BoardReader
from vision.boards.scenes import flat_board, photographed, table_picture
from vision.boards.straight_views import SOME

MIDDLE = (600.0, 450.0)
LARGE = (8000, 6250)  # 50 megapixels, as some telephones take them
PAGE = (250, 250, 250)


def _named(board: BoardReading) -> dict[str, str]:
    return {cell.cell: cell.tile for cell in board.cells if cell.tile}


@pytest.mark.parametrize("middle_px", [(1150.0, 450.0), (600.0, 20.0)])
def test_half_a_board_is_never_said_surely(
    board_reader: BoardReader, tile_set: TileSet, middle_px: tuple[float, float]
) -> None:
    """What lies outside the picture could be anything."""
    seen = photographed(table_picture(), flat_board(tile_set, 0, SOME), middle_px, turn_deg=10.0, px_per_mm=3.0)
    reading = board_reader.read(seen, "half.jpg")
    assert not reading.sure
    assert reading.doubts


def test_a_board_of_another_set_is_never_said_surely(board_reader: BoardReader, tmp_path: Path) -> None:
    """Tiles of a stranger bear the same numbers: named or not, nobody may be told so without being asked."""
    other = read_tile_set(write_set(tmp_path, replace(STYLES["thin"], colours=("red",))))
    seen = photographed(table_picture(), flat_board(other, 0, SOME), MIDDLE, turn_deg=20.0, px_per_mm=3.0)
    assert not board_reader.read(seen, "another.jpg").sure


def test_a_screenshot_of_a_board_is_read_rightly_or_asked_about(board_reader: BoardReader, tile_set: TileSet) -> None:
    """No lens, no light, even pixels, and bars of a telephone above and below."""
    board = flat_board(tile_set, 0, SOME)
    screen = np.full((1300, 720, 3), PAGE, np.uint8)
    screen[:60] = (40, 40, 40)
    wide = 680
    small = cv2.resize(board, (wide, round(board.shape[0] * wide / board.shape[1])), interpolation=cv2.INTER_AREA)
    screen[200 : 200 + small.shape[0], 20 : 20 + wide] = small
    reading = board_reader.read(np.asarray(screen), "screen.png")
    assert len(reading.boards) == 1
    assert _named(reading.boards[0]) == SOME or not reading.sure


def test_fifty_megapixels_are_read_as_a_small_picture_is(board_reader: BoardReader, tile_set: TileSet) -> None:
    seen = photographed(table_picture(), flat_board(tile_set, 1, SOME), MIDDLE, turn_deg=33.0, px_per_mm=3.0)
    large = np.asarray(cv2.resize(seen, LARGE, interpolation=cv2.INTER_LINEAR), np.uint8)
    (found,) = board_reader.read(large, "large.jpg").boards
    assert found.colour == "blue"
    assert _named(found) == SOME


@pytest.mark.thorough
def test_tiles_without_a_board_are_no_board_said_surely(board_reader: BoardReader, tile_set: TileSet) -> None:
    """A row of tiles on the table, where no board lies."""
    scene = table_picture()
    for k, tile in enumerate(tile_set.tiles[:4]):
        face = np.asarray(cv2.imread(str(tile.image), cv2.IMREAD_UNCHANGED), np.uint8)
        small = cv2.resize(face, (120, 104), interpolation=cv2.INTER_AREA)
        share = small[:, :, 3:] / np.float32(255)
        part = scene[300:404, 150 + 200 * k : 270 + 200 * k]
        part[:] = (part * (1 - share) + small[:, :, :3] * share * 0.85).astype(np.uint8)
    assert not board_reader.read(scene, "tiles.jpg").sure


def test_a_frame_as_large_as_a_board_s_with_nothing_in_it_is_no_board(
    board_reader: BoardReader, tile_set: TileSet
) -> None:
    """A square of the floor between dark joints resembles the print of a board by its frame alone."""
    board = flat_board(tile_set, 0, {})
    inset = board.shape[1] // 24
    board[inset:-inset, inset:-inset] = np.median(board, axis=(0, 1)).astype(np.uint8)
    seen = photographed(table_picture(), board, MIDDLE, turn_deg=20.0, px_per_mm=3.0)
    assert not board_reader.read(seen, "frame.jpg").boards
