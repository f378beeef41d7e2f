"""The first look at cells: which tile lies about where, by normalised correlation at one pixel a millimetre."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.vision.boards.prints import SetPrints
from arena_cam.vision.boards.straight_board import StraightBoard

Floats = NDArray[np.float64]
Grey = NDArray[np.float32]

PX_PER_MM = 1.0
REACH_MM = 6  # a slip of 1.5, a tile's height seen at 45 degrees 2.4, and a place that is not yet fitted
TURNS_DEG = (-60, 60, 120, 180, -120)


@dataclass(frozen=True, eq=False)
class CellMatch:
    """What a cell is like: `alike` (T,) best correlation of each tile, `shift_mm` (2,) of the best one.

    `turned_alike` and `turned`: the best of the tiles turned by 60-degree steps, and which (tile, degrees).
    """

    alike: Grey
    shift_mm: Floats
    turned_alike: float
    turned: tuple[int, int]

    @property
    def best(self) -> int:
        return int(self.alike.argmax())


class Matcher:
    """Compares straightened cells with all tiles of a set."""

    def __init__(self, prints: SetPrints) -> None:
        grid = prints.tiles(PX_PER_MM, blur_mm=0.5)
        self.mask = grid.mask
        self.upright = _normalised(grid.faces[:, self.mask])
        height, width = self.mask.shape
        turned = []
        for degrees in TURNS_DEG:
            m = cv2.getRotationMatrix2D(((width - 1) / 2, (height - 1) / 2), -degrees, 1.0)
            faces = [cv2.warpAffine(f, m, (width, height), borderMode=cv2.BORDER_REPLICATE) for f in grid.faces]
            turned.append(np.stack(faces)[:, self.mask])
        self.turned = _normalised(np.concatenate(turned))

    def match(self, board: StraightBoard, centre_mm: Floats, reach_mm: int = REACH_MM) -> CellMatch:
        """The tile about `centre_mm` (2,) of the board, at most `reach_mm` away in x and y."""
        seen, steps = self._windows(board, centre_mm, reach_mm)
        alike = seen @ self.upright.T
        tile_best = alike.max(axis=0)
        where = int(alike[:, int(tile_best.argmax())].argmax())
        near = np.abs(steps - steps[where]).max(axis=1) <= 1
        turned = seen[near] @ self.turned.T
        best = int(turned.max(axis=0).argmax())
        which = (best % len(self.upright), TURNS_DEG[best // len(self.upright)])
        return CellMatch(tile_best, steps[where].astype(np.float64) + self._rest, float(turned[:, best].max()), which)

    def _windows(self, board: StraightBoard, centre_mm: Floats, reach_mm: int) -> tuple[Grey, NDArray[np.intp]]:
        """Every window (S, pixels) about the centre, normalised, and its shift (S, 2) in mm."""
        height, width = self.mask.shape
        corner = board.at(centre_mm[None])[0] - (np.array([width, height]) - 1) / 2
        first = np.round(corner).astype(int)
        self._rest = (first - corner) / PX_PER_MM
        size = (width + 2 * reach_mm, height + 2 * reach_mm)
        part = _cut(board.pixels, (int(first[0]) - reach_mm, int(first[1]) - reach_mm), size)
        views = np.lib.stride_tricks.sliding_window_view(part, (height, width), axis=(0, 1))
        seen = views.transpose(0, 1, 3, 4, 2)[:, :, self.mask].reshape(-1, int(self.mask.sum()), 3)
        dy, dx = np.mgrid[-reach_mm : reach_mm + 1, -reach_mm : reach_mm + 1]
        return _normalised(seen), np.column_stack([dx.ravel(), dy.ravel()])


def _cut(pixels: Grey, corner: tuple[int, int], size: tuple[int, int]) -> Grey:
    """A part of a picture, whose edge is repeated where the part reaches beyond it."""
    x = np.clip(np.arange(corner[0], corner[0] + size[0]), 0, pixels.shape[1] - 1)
    y = np.clip(np.arange(corner[1], corner[1] + size[1]), 0, pixels.shape[0] - 1)
    return pixels[y[:, None], x[None, :]]


def _normalised(pixels: Grey) -> Grey:
    """(N, P, 3) without each channel's mean, flat, of length 1."""
    out = pixels - pixels.mean(axis=1, keepdims=True)
    flat = out.reshape(len(out), -1)
    flat /= np.maximum(np.linalg.norm(flat, axis=1, keepdims=True), 1e-6 + 4.0 * np.sqrt(flat.shape[1]) * 0.25)
    return np.asarray(flat, np.float32)
