"""Tells slow creeping from flicker: a card that slides down the wall by a hair a frame is not at rest yet.

Between two pictures the displacement of each place is estimated by least squares (Lucas and Kanade, "An iterative image
registration technique", IJCAI 1981, one step). Flicker along edges, however strong, has no common direction; creeping,
however slow, has. The F statistic compares what the displacement explains with what it leaves.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.vision.watching.stillness import CELL_PX, CellMask, CellPicture, Cells, cell_means

# A place is 3 x 3 cells.
PLACE_CELLS = 3
PLACE_PX = (PLACE_CELLS * CELL_PX) ** 2
# F above which a displacement is real. Neighbouring pixels are not independent (lens, JPEG: about one in ten is), so
# this is an F of about 5 between honest samples, a chance of one in a hundred at one place; `LEAST_PLACES` must agree.
SIGNIFICANT_F = 50.0
LEAST_PLACES = 4
# A drift slower than this between the two pictures (pixels of the small picture, about 0.02 mm) changes no ruling.
LEAST_DRIFT_PX = 0.01
# Frames needed: the mean of the first two is compared with that of the last two.
FRAMES = 5
# Variance of rounding, so that two equal pictures do not divide by zero.
ROUNDING = 1 / 12


def creeping(pictures: Sequence[CellPicture], where: CellMask) -> bool:
    """Whether anything in the cells `where` crept over the last five `pictures` (fewer: unknown, so False)."""
    if len(pictures) < FRAMES:
        return False
    first = (pictures[-5].pixels + pictures[-4].pixels) * np.float32(0.5)
    last = (pictures[-2].pixels + pictures[-1].pixels) * np.float32(0.5)
    drift_px, certainty = displacement(first, last)
    real = (certainty > SIGNIFICANT_F) & (drift_px > LEAST_DRIFT_PX) & where
    return int(real.sum()) >= LEAST_PLACES


def displacement(first: NDArray[np.float32], second: NDArray[np.float32]) -> tuple[Cells, Cells]:
    """Length in pixels and F statistic of the displacement round each cell, two arrays (rows, columns) of cells."""
    mean = (first + second) * np.float32(0.5)
    gx = cv2.Sobel(mean, cv2.CV_32F, 1, 0, scale=1 / 8)
    gy = cv2.Sobel(mean, cv2.CV_32F, 0, 1, scale=1 / 8)
    change = second - first
    # What is smooth over a cell is light.
    change -= cv2.blur(change, (CELL_PX + 1, CELL_PX + 1))
    xx, xy, yy = _sum(gx * gx), _sum(gx * gy), _sum(gy * gy)
    xt, yt, tt = _sum(gx * change), _sum(gy * change), _sum(change * change)
    # Damped a little: an edge alone does not say how far it slides along itself.
    damping = 1e-3 * (xx + yy) + 1
    determinant = (xx + damping) * (yy + damping) - xy * xy
    dx = ((yy + damping) * xt - xy * yt) / determinant
    dy = ((xx + damping) * yt - xy * xt) / determinant
    explained = np.maximum(xt * dx + yt * dy, 0)
    left = np.maximum(tt - explained, 0) / (PLACE_PX - 2) + ROUNDING
    return np.hypot(dx, dy).astype(np.float32), (explained / 2 / left).astype(np.float32)


def _sum(pixels: NDArray[np.float32]) -> Cells:
    """Sums over places of 3 x 3 cells, one for each cell in their middle."""
    means = cv2.blur(cell_means(pixels), (PLACE_CELLS, PLACE_CELLS), borderType=cv2.BORDER_REPLICATE)
    return np.asarray(means * PLACE_PX, np.float32)
