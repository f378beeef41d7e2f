"""A board photographed from straight above, its place known: for the tests of what is told of it."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from arena_cam.domain.tile_sets import TileSet
from arena_cam.vision.boards.straight.prints import SetPrints
from arena_cam.vision.boards.straight.straight_board import Halvings
from vision.boards.scenes import Lying, flat_board, photographed, table_picture

PX_PER_MM = 3.0
MIDDLE = (600.0, 450.0)
SOME = {"A1": "9-4-7", "B2": "1-3-2", "C3": "5-8-6", "C5": "9-8-7", "D4": "1-4-6", "E1": "5-3-7", "E3": "9-3-2"}


def picture(
    tile_set: TileSet, cells: Mapping[str, str], which: int = 0, lying: Mapping[str, Lying] | None = None
) -> NDArray[np.uint8]:
    board = flat_board(tile_set, which, cells, lying)
    return photographed(table_picture(), board, MIDDLE, turn_deg=0.0, px_per_mm=PX_PER_MM)


def px_from_mm(prints: SetPrints, which: int = 0) -> NDArray[np.float64]:
    """Where that picture shows the board frame."""
    middle = prints.corners_mm[which].mean(axis=0)
    at = np.array(MIDDLE) - PX_PER_MM * middle
    return np.array([[PX_PER_MM, 0.0, at[0]], [0.0, PX_PER_MM, at[1]], [0.0, 0.0, 1.0]])


def photograph(
    tile_set: TileSet, cells: Mapping[str, str], which: int = 0, lying: Mapping[str, Lying] | None = None
) -> Halvings:
    return Halvings(picture(tile_set, cells, which, lying))


def full(tile_set: TileSet) -> dict[str, str]:
    """A tile in every cell, no tile twice."""
    cells = [cell for cell, _ in tile_set.boards[0].cells_mm]
    names = [tile.id for tile in tile_set.tiles]
    return {cell: names[(7 * k) % 27] for k, cell in enumerate(cells)}
