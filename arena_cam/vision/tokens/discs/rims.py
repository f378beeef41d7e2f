"""Where round things of a known size may lie: each edge votes for the two middles that it may be the rim of.

A Hough transform by gradient (Kimme, Ballard and Sklansky, "Finding circles by an array of accumulators", CACM 1975).
"""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.vision.tokens.view.top_view import TopView

Floats = NDArray[np.float64]
Grey = NDArray[np.float32]

LEAST_SLOPE, FULL_SLOPE = 14.0, 60.0  # grey levels per pixel of an edge that votes, and of one with a full vote
LEAST_RIM = 0.16  # of the rim that must vote: a token a third seen shows as much of it
APART_MM = 2.5


class Edges:
    """The edges of a top view: places (N, 2) in its pixels, unit slopes (N, 2), and weights (N,)."""

    def __init__(self, view: TopView, least_slope: float = LEAST_SLOPE, full_slope: float = FULL_SLOPE) -> None:
        self.view = view
        soft = cv2.GaussianBlur(view.pixels, (0, 0), 0.9)
        dx = cv2.Sobel(soft, cv2.CV_32F, 1, 0, scale=0.25)
        dy = cv2.Sobel(soft, cv2.CV_32F, 0, 1, scale=0.25)
        size = dx * dx + dy * dy
        strongest = size.argmax(axis=2)[..., None]
        dx, dy = (np.take_along_axis(each, strongest, axis=2)[..., 0] for each in (dx, dy))
        size = np.sqrt(np.take_along_axis(size, strongest, axis=2)[..., 0])
        thick = cv2.dilate(size, np.ones((3, 3), np.uint8))
        rows, columns = np.nonzero((size > least_slope) & (size > 0.6 * thick) & view.inside)
        self.at = np.column_stack([columns, rows]).astype(np.float64)
        slope = size[rows, columns]
        self.way = np.column_stack([dx[rows, columns] / slope, dy[rows, columns] / slope])
        self.weight = np.minimum(slope / full_slope, 1.0)

    def circles(self, radius_mm: float) -> tuple[Floats, Floats]:
        """Middles (N, 2) in mm of circles of that radius, and the shares (N,) of their rims that vote, best first."""
        radius = radius_mm * self.view.px_per_mm
        height, width = self.view.inside.shape
        votes = np.zeros((height // 2 + 1) * (width // 2 + 1), np.float64)
        for sign in (1.0, -1.0):
            middle = np.round((self.at + sign * radius * self.way) / 2).astype(np.intp)
            good = (middle >= 0).all(axis=1) & (middle[:, 0] <= width // 2) & (middle[:, 1] <= height // 2)
            cells = middle[good, 1] * (width // 2 + 1) + middle[good, 0]
            votes += np.bincount(cells, self.weight[good], minlength=len(votes))
        board: Any = cv2.GaussianBlur(votes.reshape(height // 2 + 1, width // 2 + 1).astype(np.float32), (0, 0), 1.1)
        board *= 2 * np.pi * 1.1**2 / (2 * np.pi * radius)
        side = 2 * round(APART_MM * self.view.px_per_mm / 4) + 1
        peak = (board >= cv2.dilate(board, np.ones((side, side), np.uint8))) & (board > LEAST_RIM)
        rows, columns = np.nonzero(peak)
        order = np.argsort(-board[rows, columns], kind="stable")
        rows, columns = rows[order], columns[order]
        mm = self.view.origin_mm + (np.column_stack([columns, rows]) * 2 + 0.5) / self.view.px_per_mm
        return np.asarray(mm), board[rows, columns].astype(np.float64)
