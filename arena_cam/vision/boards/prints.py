"""A set prepared for comparison: tiles and boards as arrays in the resolutions that photographs are straightened to."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.domain.errors import BadPicture
from arena_cam.domain.tile_sets import TileSet

Image = NDArray[np.uint8]
Grey = NDArray[np.float32]

RIM_MM = 0.8  # of a tile's print that is left out when it is compared: its cut side and its shadow are there


@dataclass(frozen=True, eq=False)
class TileGrid:
    """All tiles at one resolution: `faces` (T, h, w, 3) of 0..255 and `mask` (h, w), true where print is compared."""

    px_per_mm: float
    faces: Grey
    mask: NDArray[np.bool_]


class SetPrints:
    """The pictures of a set, and where its cells lie.

    The board frame has its origin in the middle of the board's middle cell, x right, y down, in mm. `cells_mm` (19, 2)
    are the cells' middles there, `corners_mm` (B, 4, 2) the corners of each board's picture: top-left, top-right,
    bottom-right, bottom-left. Boards of a set may differ in size, not in how their cells lie to each other.
    """

    def __init__(self, tile_set: TileSet) -> None:
        self.set = tile_set
        self.names = tuple(tile.id for tile in tile_set.tiles)
        self._faces = [read_image(tile.image) for tile in tile_set.tiles]
        self.boards = [np.ascontiguousarray(read_image(board.image)[:, :, :3]) for board in tile_set.boards]
        first = tile_set.boards[0]
        self.cell_names = tuple(name for name, _ in first.cells_mm)
        cells = np.array([[at for _, at in board.cells_mm] for board in tile_set.boards], np.float64)
        middles = cells.mean(axis=1)
        self.cells_mm = cells[0] - middles[0]
        self.sizes_mm = np.array([[board.width_mm, board.height_mm] for board in tile_set.boards])
        unit = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float64)
        self.corners_mm = unit[None] * self.sizes_mm[:, None] - middles[:, None]
        self._grids: dict[tuple[float, float], TileGrid] = {}
        self._boards: dict[tuple[int, float, float], Grey] = {}

    def tiles(self, px_per_mm: float, blur_mm: float = 0.0) -> TileGrid:
        """The tiles at that resolution, softened by a Gaussian of `blur_mm` as a lens does."""
        key = (px_per_mm, round(blur_mm, 2))
        if key not in self._grids:
            width, height = (round(v * px_per_mm) for v in (self.set.width_mm, self.set.height_mm))
            faces = np.stack([_resized(face[:, :, :3], (width, height)) for face in self._faces])
            if key[1] > 0:
                faces = np.stack([cv2.GaussianBlur(face, (0, 0), key[1] * px_per_mm) for face in faces])
            self._grids[key] = TileGrid(px_per_mm, faces, _hexagon_mask(width, height, px_per_mm))
        return self._grids[key]

    def board(self, which: int, px_per_mm: float, blur_mm: float = 0.0) -> Grey:
        """A board's picture (h, w, 3) at that resolution."""
        key = (which, px_per_mm, round(blur_mm, 2))
        if key not in self._boards:
            size = tuple(round(v * px_per_mm) for v in self.sizes_mm[which])
            small = _resized(self.boards[which], (size[0], size[1]))
            if key[2] > 0:
                small = np.asarray(cv2.GaussianBlur(small, (0, 0), key[2] * px_per_mm), np.float32)
            self._boards[key] = small
        return self._boards[key]

    def tile_face(self, which: int) -> Image:
        """A tile's picture (h, w, 3) as it is in the folder."""
        return np.ascontiguousarray(self._faces[which][:, :, :3])


def read_image(file: Path) -> Image:
    """A set's picture (h, w, 3 or 4); where it is transparent it has the colour of the print beside it."""
    try:
        data = np.frombuffer(file.read_bytes(), np.uint8)
        image: Any = cv2.imdecode(data, cv2.IMREAD_UNCHANGED)
    except (OSError, cv2.error):
        image = None
    if image is None or image.dtype != np.uint8:
        raise BadPicture(f"{file}: is no picture that can be read; copy it again")
    if image.ndim == 2:
        image = cv2.cvtColor(image, cv2.COLOR_GRAY2BGR)
    if image.shape[2] == 4:  # what is transparent takes the colour of the print beside it, or edges would darken
        clear = image[:, :, 3] < 128
        if clear.any() and not clear.all():
            solid = cv2.erode((~clear).astype(np.uint8), np.ones((3, 3), np.uint8))
            _, labels = cv2.distanceTransformWithLabels(1 - solid, cv2.DIST_L2, 5, labelType=cv2.DIST_LABEL_PIXEL)
            index = np.zeros(labels.max() + 1, np.intp)
            flat = np.flatnonzero(solid.ravel())
            index[labels.ravel()[flat]] = flat
            image[:, :, :3] = image[:, :, :3].reshape(-1, 3)[index[labels]]
    return np.asarray(image, np.uint8)


def _resized(image: Image, size: tuple[int, int]) -> Grey:
    smaller = size[0] < image.shape[1]
    how = cv2.INTER_AREA if smaller else cv2.INTER_CUBIC
    return np.asarray(cv2.resize(image, size, interpolation=how), np.float32)


def _hexagon_mask(width: int, height: int, px_per_mm: float) -> NDArray[np.bool_]:
    """True inside the hexagon, `RIM_MM` from its sides."""
    x = (np.arange(width) + 0.5 - width / 2) / px_per_mm
    y = (np.arange(height) + 0.5 - height / 2) / px_per_mm
    half = height / px_per_mm / 2 - RIM_MM
    slant = math.sqrt(3) / 2 * np.abs(x)[None, :] + 0.5 * np.abs(y)[:, None]
    return np.asarray((np.abs(y)[:, None] <= half) & (slant <= half))
