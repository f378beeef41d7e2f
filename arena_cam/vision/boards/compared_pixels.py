"""The pixels that tell one board of a set from another: photograph and print, where no tile lies and on tiles."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from arena_cam.vision.boards.cells.matching import CellMatch
from arena_cam.vision.boards.straight.board_colour import Pixels, TilePixels, least_veil
from arena_cam.vision.boards.straight.print_places import PrintPlaces
from arena_cam.vision.boards.straight.prints import SetPrints
from arena_cam.vision.boards.straight.straight_board import StraightBoard

Mask = NDArray[np.bool_]

RIM_MM = 1.5  # of a board that is not compared: the table may show there
EVERY = 3  # one pixel in so many, along x and y, tells one board from another
EVERY_OF_TILES = 17  # of a tile's pixels: enough for the light of the whole board


class ComparedPixels:
    """Takes, of boards of one set that lie straightened, the pixels of which `board_colour` asks whose they are."""

    def __init__(self, prints: SetPrints, places: PrintPlaces) -> None:
        self.prints = prints
        self._places = places

    def print_pixels(self, bare: StraightBoard, filled: Mask, blur_mm: float, *, linear: bool = False) -> Pixels:
        """The photograph where no tile lies, and all boards' prints there; `linear`: in shares of light."""
        free = bare.inside & ~self._places.tile_area(bare, filled)
        y, x = (v * EVERY for v in np.nonzero(free[::EVERY, ::EVERY]))
        at = bare.origin_mm + (np.column_stack([x, y]) + 0.5) / bare.px_per_mm
        prints, there = [], []
        for which in range(len(self.prints.boards)):
            image = self.prints.board(which, bare.px_per_mm, blur_mm, linear=linear)
            place = np.round((at - self.prints.corners_mm[which][0]) * bare.px_per_mm - 0.5).astype(int)
            high = np.array([image.shape[1], image.shape[0]]) - 1
            rim = RIM_MM * bare.px_per_mm
            there.append(((place >= rim) & (place <= high - rim)).all(axis=1))
            place = np.clip(place, 0, high)
            prints.append(image[place[:, 1], place[:, 0]])
        return Pixels(
            bare.pixels[y, x], at, np.stack(prints), np.stack(there), least_veil(self.prints.set.photographed)
        )

    def tile_pixels(
        self, board: StraightBoard, found: tuple[CellMatch, ...], filled: Mask, blur_mm: float
    ) -> TilePixels:
        """Print and photograph of tiles that are recognised."""
        grid = self.prints.tiles(board.px_per_mm, blur_mm)
        height, width = grid.mask.shape
        rows, columns = np.nonzero(grid.mask)
        rows, columns = rows[::EVERY_OF_TILES], columns[::EVERY_OF_TILES]
        parts = [(np.zeros((0, 3), np.float32), np.zeros((0, 3), np.float32), np.zeros((0, 2)))]
        for at, match in [(a, m) for a, m, f in zip(self.prints.cells_mm, found, filled, strict=True) if f]:
            corner = board.at((at + match.shift_mm)[None])[0] - (np.array([width, height]) - 1) / 2
            corner = np.round(corner).astype(int)
            y = np.clip(rows + corner[1], 0, board.pixels.shape[0] - 1)
            x = np.clip(columns + corner[0], 0, board.pixels.shape[1] - 1)
            mm = board.origin_mm + (np.column_stack([x, y]) + 0.5) / board.px_per_mm
            parts.append((grid.faces[match.best][rows, columns], board.pixels[y, x], mm))
        return TilePixels(*(np.concatenate(each) for each in zip(*parts, strict=True)))
