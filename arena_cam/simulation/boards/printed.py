"""A set of boards and tiles as things that can be laid and photographed, from its folder."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.domain.errors import BadPicture
from arena_cam.domain.tile_sets import TileSet
from arena_cam.simulation.boards.photographs import PrintedSet
from arena_cam.simulation.messages import SimulatedTrouble

ANY_COLOUR = "board"  # what a board is called whose colour is not said


def printed_set(tile_set: TileSet) -> PrintedSet:
    """The pictures of a set whose boards are all of one size. Raises BadPicture for one that cannot be read."""
    first = tile_set.boards[0]
    return PrintedSet(
        {tile.id: _picture(tile.image) for tile in tile_set.tiles},
        {board.colour or ANY_COLOUR: _picture(board.image)[:, :, :3] for board in tile_set.boards},
        {board.colour or ANY_COLOUR: _picture(board.back) for board in tile_set.boards if board.back is not None},
        (tile_set.width_mm, tile_set.height_mm),
        (first.width_mm, first.height_mm),
        dict(first.cells_mm),
    )


def _picture(file: Path) -> NDArray[np.uint8]:
    image = cv2.imread(str(file), cv2.IMREAD_UNCHANGED)
    if image is None or image.ndim != 3:
        raise BadPicture(SimulatedTrouble.PRINT_UNREADABLE(), about=file)
    return np.asarray(image, np.uint8)
