"""A board of a photograph straightened: its pixels on a grid of millimetres in the board frame."""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.geometry.homography import transformed

Floats = NDArray[np.float64]
Grey = NDArray[np.float32]

EVERY = 4


@dataclass(frozen=True, eq=False)
class StraightBoard:
    """`pixels` (h, w, 3), 0..255, and `inside` (h, w), where the photograph reaches.

    Pixel (column, row) lies at `origin_mm` + (column + 0.5, row + 0.5) / `px_per_mm` in the board frame.
    """

    pixels: Grey
    inside: NDArray[np.bool_]
    origin_mm: Floats
    px_per_mm: float

    def at(self, mm: Floats) -> Floats:
        """Where points (N, 2) of the board frame lie, in columns and rows."""
        return np.asarray((mm - self.origin_mm) * self.px_per_mm - 0.5)


class Halvings:
    """A photograph and its halvings, so that a straightened part is not jagged and no pixel is sampled twice."""

    def __init__(self, image_bgr: NDArray[np.uint8]) -> None:
        self.levels = [image_bgr]
        self.size = np.array([image_bgr.shape[1], image_bgr.shape[0]])

    def level(self, k: int) -> NDArray[np.uint8]:
        while len(self.levels) <= k and min(self.levels[-1].shape[:2]) > 100:
            self.levels.append(np.asarray(cv2.pyrDown(self.levels[-1]), np.uint8))
        return self.levels[min(k, len(self.levels) - 1)]

    def straight(self, px_from_mm: Floats, corners_mm: Floats, px_per_mm: float) -> StraightBoard:
        """What the photograph shows between the corners (top-left and bottom-right, mm) of the board frame."""
        size = np.ceil((corners_mm[1] - corners_mm[0]) * px_per_mm).astype(int)
        half = 0.5 / px_per_mm
        mm_from_cell = np.array(
            [
                [1 / px_per_mm, 0, corners_mm[0, 0] + half],
                [0, 1 / px_per_mm, corners_mm[0, 1] + half],
                [0, 0, 1.0],
            ]
        )
        k = max(0, math.floor(math.log2(max(scale_px_per_mm(px_from_mm) / px_per_mm, 1e-6)) + 0.25))
        image = self.level(k)
        k = min(k, len(self.levels) - 1)
        cell = px_from_mm @ mm_from_cell
        shrunk = np.diag([0.5**k, 0.5**k, 1.0]) @ cell
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        shape = (int(size[0]), int(size[1]))
        pixels = cv2.warpPerspective(image, shrunk, shape, flags=flags, borderMode=cv2.BORDER_REPLICATE)
        return StraightBoard(np.asarray(pixels, np.float32), self._inside(cell, shape), corners_mm[0], px_per_mm)

    def _inside(self, cell: Floats, size: tuple[int, int]) -> NDArray[np.bool_]:
        """Where a grid of `size` (columns, rows) meets the photograph; looked up at every `EVERY`th place."""
        ends = np.array([[0.0, 0.0], [size[0], 0.0], size, [0.0, size[1]]], np.float64)
        depth = ends @ cell[2, :2] + cell[2, 2]
        if (depth * depth[0] > 0).all():
            corners = transformed(cell, ends)
            if (corners >= 0).all() and (corners <= self.size - 1).all():
                return np.ones(size[::-1], bool)
        columns, rows = np.meshgrid(np.arange(0, size[0] + EVERY, EVERY), np.arange(0, size[1] + EVERY, EVERY))
        at = transformed(cell, np.column_stack([columns.ravel(), rows.ravel()]))
        low, high = at.min(axis=1), (self.size - 1 - at).min(axis=1)
        room = np.clip(np.minimum(low, high), -100.0, 100.0).astype(np.float32).reshape(columns.shape)
        wide = cv2.resize(room, None, fx=EVERY, fy=EVERY, interpolation=cv2.INTER_LINEAR)
        # A place that was looked up lies in the middle of the square that it becomes.
        first = EVERY // 2
        return np.asarray(wide[first : first + size[1], first : first + size[0]] >= 0)


def scale_px_per_mm(px_from_mm: Floats, at_mm: tuple[float, float] = (0.0, 0.0)) -> float:
    """Pixels per millimetre at a place of the board: the root of the areas' ratio."""
    points = transformed(px_from_mm, np.array([at_mm, (at_mm[0] + 1.0, at_mm[1]), (at_mm[0], at_mm[1] + 1.0)]))
    return math.sqrt(abs(float(np.linalg.det(np.stack([points[1] - points[0], points[2] - points[0]])))))
