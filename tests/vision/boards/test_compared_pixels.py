"""What is compared to tell one board from another: its print where no tile lies, and the tiles that are recognised."""

from __future__ import annotations

import numpy as np

from arena_cam.domain.tile_sets import TileSet
from arena_cam.vision.boards.cells import matching
from arena_cam.vision.boards.compared_pixels import ComparedPixels
from arena_cam.vision.boards.placing import PlacedBoard
from arena_cam.vision.boards.straight.print_places import PrintPlaces
from arena_cam.vision.boards.straight.prints import SetPrints
from vision.boards.straight_views import SOME, photograph, px_from_mm

BOX = np.array([[-130.0, -130.0], [130.0, 130.0]])
BLUR_MM = 0.4


def test_print_is_compared_where_no_tile_lies_and_tiles_where_they_lie(
    plain: PlacedBoard, prints: SetPrints, tile_set: TileSet
) -> None:
    compared = ComparedPixels(prints, PrintPlaces(prints, BOX))
    board = photograph(tile_set, SOME).straight(px_from_mm(prints), BOX, matching.PX_PER_MM)
    filled = np.array([name in SOME for name in prints.cell_names])
    bare = compared.print_pixels(board, filled, BLUR_MM)
    tiles = prints.cells_mm[filled]
    assert len(bare.seen) > 1000
    # No pixel of the board's print lies within the tiles' inner circle.
    away = np.linalg.norm(bare.at_mm[:, None] - tiles, axis=2).min(axis=1)
    assert away.min() > 0.3 * prints.set.height_mm
    # The photograph shows the first board: its print is nearer to what is seen than the second's.
    there = bare.there.all(axis=0)
    off = np.abs(bare.prints[:, there] - bare.seen[there]).mean(axis=(1, 2))
    assert off[0] < off[1]

    lain = compared.tile_pixels(board, plain.matches, filled, BLUR_MM)
    assert len(lain.prints) == len(lain.seen) == len(lain.at_mm) > 0
    assert np.linalg.norm(lain.at_mm[:, None] - tiles, axis=2).min(axis=1).max() < 0.6 * prints.set.width_mm
    assert np.corrcoef(lain.prints.ravel(), lain.seen.ravel())[0, 1] > 0.7


def test_a_board_without_tiles_has_no_pixels_of_tiles(plain: PlacedBoard, prints: SetPrints, tile_set: TileSet) -> None:
    compared = ComparedPixels(prints, PrintPlaces(prints, BOX))
    board = photograph(tile_set, {}).straight(px_from_mm(prints), BOX, matching.PX_PER_MM)
    none = np.zeros(len(prints.cell_names), bool)
    assert len(compared.tile_pixels(board, plain.matches, none, BLUR_MM).seen) == 0
