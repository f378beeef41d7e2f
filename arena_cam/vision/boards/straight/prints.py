"""A set prepared for comparison: tiles and boards as arrays in the resolutions that photographs are straightened to."""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.domain.tile_sets import TileSet
from arena_cam.vision.printed import keypoints
from arena_cam.vision.printed.pictures import Image, read_image

Grey = NDArray[np.float32]

TILE_PX_PER_MM, MOST_OF_A_TILE = 2.5, 60  # keypoints are found at this resolution; at most so many in each view
BOARD_PX_PER_MM, MOST_OF_A_BOARD = 1.8, 250
GAMMA = 2.2
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
        self._boards: dict[tuple[int, float, float, bool], Grey] = {}
        self._sharp: dict[tuple[int, float, bool], Grey] = {}  # photographs differ in softness: reduced once for all

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

    def board(self, which: int, px_per_mm: float, blur_mm: float = 0.0, *, linear: bool = False) -> Grey:
        """A board's picture (h, w, 3) at that resolution; `linear`: as shares of light, 0 to 255, mixed as such."""
        key = (which, px_per_mm, round(blur_mm, 2), linear)
        if key not in self._boards:
            small = self._reduced(which, px_per_mm, linear=linear)
            if key[2] > 0:
                small = np.asarray(cv2.GaussianBlur(small, (0, 0), key[2] * px_per_mm), np.float32)
            self._boards[key] = small
        return self._boards[key]

    def _reduced(self, which: int, px_per_mm: float, *, linear: bool) -> Grey:
        key = (which, px_per_mm, linear)
        if key not in self._sharp:
            width, height = (round(v * px_per_mm) for v in self.sizes_mm[which])
            image = linear_light(self.boards[which]) if linear else self.boards[which]
            self._sharp[key] = _resized(image, (width, height))
        return self._sharp[key]

    def tile_face(self, which: int) -> Image:
        """A tile's picture (h, w, 3) as it is in the folder."""
        return np.ascontiguousarray(self._faces[which][:, :, :3])

    def tile_keypoints(self) -> keypoints.PrintKeypoints:
        """The keypoints of all tiles, in mm from a tile's middle."""
        faces = [self.tile_face(k) for k in range(len(self.names))]
        size = np.tile([self.set.width_mm, self.set.height_mm], (len(faces), 1))
        return keypoints.PrintKeypoints(faces, size, np.zeros_like(size), TILE_PX_PER_MM, MOST_OF_A_TILE)

    def board_keypoints(self) -> keypoints.PrintKeypoints:
        """The keypoints of all empty boards, in the board frame."""
        origins = -self.corners_mm.mean(axis=1)
        return keypoints.PrintKeypoints(self.boards, self.sizes_mm, origins, BOARD_PX_PER_MM, MOST_OF_A_BOARD)


def linear_light(values: Image | Grey) -> Grey:
    """Light (...) of 0..255 from pixel values, by the usual gamma: what lenses mix where lines are thin."""
    if values.dtype == np.uint8:  # a set's print has a million pixels of 256 values
        table = linear_light(np.arange(256, dtype=np.float32))
        return np.asarray(cv2.LUT(values, table), np.float32).reshape(values.shape)
    shares = np.asarray(values, np.float32) / np.float32(255.0)
    return np.asarray(np.float32(255.0) * np.maximum(shares, 0) ** np.float32(GAMMA), np.float32)


def _resized(image: Image | Grey, size: tuple[int, int]) -> Grey:
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
