"""Whether a cell's drawn outline is seen, so that nothing lies over it."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.vision.boards.cells.tile_alignment import PX_PER_MM

Grey = NDArray[np.float32]
Mask = NDArray[np.bool_]

BAND_MM = 3.0  # outside of what is compared of a tile: its own rim, the outline of its cell, and some paper
LEAST_FREE = 0.5  # share of a side's band that tiles beside it leave to be seen
LEAST_SIDES = 2


def outline_alike(expected: Grey, seen: Grey, mask: Mask, hidden: Mask) -> float:
    """The correlation of the print along that of a cell's four slanting sides where it is seen worst; 0 where fewer
    than two are in view.

    Takes the board's print and the photograph in the box of a tile (h, w, 3), the part of it where tiles are compared
    (h, w), and what the tiles beside it hide (h, w).
    """
    away = cv2.distanceTransform(np.asarray(~mask, np.uint8), cv2.DIST_L2, 3)
    band = (away > 0) & (away < BAND_MM * PX_PER_MM)
    height, width = mask.shape
    told = []
    for rows in (slice(0, height // 2), slice(height - height // 2, height)):
        for columns in (slice(0, width // 4), slice(width - width // 4, width)):
            side, free = band[rows, columns], ~hidden[rows, columns]
            use = side & free
            if np.count_nonzero(use) >= LEAST_FREE * np.count_nonzero(side):
                told.append(_correlation(expected[rows, columns][use], seen[rows, columns][use]))
    return min(told) if len(told) >= LEAST_SIDES else 0.0


def _correlation(printed: Grey, seen: Grey) -> float:
    """Of pixels (N, 3), each channel without its mean."""
    a, b = (each - each.mean(axis=0) for each in (printed, seen))
    return float((a * b).sum() / max(float(np.linalg.norm(a) * np.linalg.norm(b)), 2.0 * len(a)))
