"""The pieces of a mask: where each lies, how large it is, and where its middle is."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.geometry.arrays import Array
from arena_cam.vision.kernels.calls import boxes_of


@dataclass(frozen=True, eq=False)
class Components:
    """The number of the piece of each pixel, `labels` (H, W). Of each piece (N) its first column and row, width, height
    and area in pixels, `boxes` (N, 5), and the mean of its columns and of its rows, `middles` (N, 2). The first, number
    0, is what is in no piece: its rows say nothing."""

    labels: NDArray[np.int32]
    boxes: NDArray[np.int32]
    middles: Array

    @property
    def areas(self) -> NDArray[np.int32]:
        """How many pixels (N,) each piece has."""
        return self.boxes[:, cv2.CC_STAT_AREA]


def components(mask: NDArray[np.uint8], connectivity: int = 8) -> Components:
    """The pieces of a mask (H, W): pixels that touch by their sides, and by their corners if `connectivity` is 8.

    OpenCV measures what is in no piece, too, point by point: on a view of the table that takes ten times as long as to
    number the pieces.
    """
    count, numbered = cv2.connectedComponents(mask, connectivity=connectivity)
    labels = np.asarray(numbered, np.int32)
    measured = boxes_of(labels, count)
    if measured is not None:
        boxes, sums = measured
        return Components(labels, boxes, sums / np.maximum(boxes[:, 4:], 1))
    _, _, stats, centres = cv2.connectedComponentsWithStats(mask, connectivity=connectivity)
    return Components(labels, np.asarray(stats, np.int32), np.asarray(centres, np.float64))


def part_round(mask: NDArray[np.uint8], by_px: int) -> tuple[slice, slice] | None:
    """The rows and columns of a mask (H, W) in which it is set, and so many more each way; None where it is nowhere."""
    left, top, wide, high = cv2.boundingRect(mask)
    if not wide:
        return None
    return slice(max(top - by_px, 0), top + high + by_px), slice(max(left - by_px, 0), left + wide + by_px)
