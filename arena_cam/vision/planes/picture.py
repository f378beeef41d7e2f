"""A photograph made ready for looking at cards in it: a pyramid, and patches of it straightened by a homography.

A card's place is a homography `px_from_mm` (3, 3) from its card frame (millimetres from the card's middle, x right and
y up on the card upright) to the photograph's pixels, (0, 0) the centre of the top-left pixel.
"""

from __future__ import annotations

import math

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.camera.frame import Image
from arena_cam.geometry.homography import transformed
from arena_cam.vision.faces.deck_faces import FaceGrid

Homography = NDArray[np.float64]
Points = NDArray[np.float64]


def scale_px_per_mm(px_from_mm: Homography) -> float:
    """Pixels per millimetre at the card's middle: the root of the areas' ratio. 0 where the homography folds over."""
    h = px_from_mm / px_from_mm[2, 2]
    a = h[:2, :2] - np.outer(h[:2, 2], h[2, :2])
    # The card frame's y runs up, the picture's down: an unmirrored card has a negative determinant.
    return math.sqrt(max(-float(np.linalg.det(a)), 0.0))


def mm_from_cell(grid: FaceGrid) -> Homography:
    """From the grid's (column, row) to millimetres in the card frame."""
    height, width = grid.mask.shape
    x0, y0 = float(grid.x_mm[0, 0]), float(grid.y_mm[0, 0])
    dx = (float(grid.x_mm[0, -1]) - x0) / (width - 1)
    dy = (float(grid.y_mm[-1, 0]) - y0) / (height - 1)
    return np.array([[dx, 0.0, x0], [0.0, dy, y0], [0.0, 0.0, 1.0]])


class Picture:
    """A photograph and its pyramid, each level half the one before."""

    def __init__(self, image_bgr: Image) -> None:
        self.image_bgr = image_bgr
        self.height, self.width = image_bgr.shape[:2]
        self._levels = [image_bgr]
        while min(self._levels[-1].shape[:2]) > 100:
            self._levels.append(np.asarray(cv2.pyrDown(self._levels[-1]), np.uint8))

    def patch(self, px_from_mm: Homography, grid: FaceGrid) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
        """The photograph straightened onto `grid`: (H, W, 3) in 0..255 and (H, W) true where it is in the picture."""
        ratio = scale_px_per_mm(px_from_mm) / grid.px_per_mm
        level = min(max(round(math.log2(max(ratio, 1e-6))), 0), len(self._levels) - 1)
        size = grid.mask.shape[::-1]
        cell = px_from_mm @ mm_from_cell(grid)
        # pyrDown keeps pixel (0, 0) in place: level n's pixel i is the photograph's pixel i * 2^n.
        shrunk = np.diag([0.5**level, 0.5**level, 1.0]) @ cell
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        patch = cv2.warpPerspective(self._levels[level], shrunk, size, flags=flags, borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(patch, np.float32), self._inside(cell, size)

    def _inside(self, cell: Homography, size: tuple[int, int]) -> NDArray[np.bool_]:
        width, height = size
        ends = np.array([[0, 0], [width - 1, 0], [width - 1, height - 1], [0, height - 1]], np.float64)
        if self._holds(transformed(cell, ends)).all():  # the common case: a homography keeps a rectangle convex
            return np.ones((height, width), np.bool_)
        columns, rows = np.meshgrid(np.arange(width), np.arange(height))
        where = transformed(cell, np.stack([columns.ravel(), rows.ravel()], axis=1))
        return self._holds(where).reshape(height, width)

    def _holds(self, where: Points) -> NDArray[np.bool_]:
        """Which points (N, 2) lie in the photograph."""
        last = np.array([self.width - 1, self.height - 1])
        return np.asarray(((where >= 0) & (where <= last)).all(axis=1))
