"""The cells of the small picture that a card covers, and which cards cover the place of another."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.domain.lies import Lie
from arena_cam.geometry.arrays import Mask
from arena_cam.vision.watching.stillness import CELL_PX, CellMask

# Places are drawn eight times finer than cells: in steps of about 2 mm, the least sliver of a card that shows.
FINER = 8


class Places:
    """Draws the places of lies on a grid over a picture whose pixels are `px_per_cell` to a cell."""

    def __init__(self, shape: tuple[int, int], px_per_cell: float) -> None:
        """`shape` is (rows, columns) of the cells; `px_per_cell` the full picture's pixels across one cell."""
        self.shape = shape
        self._px_per_step = px_per_cell / FINER

    @classmethod
    def of(cls, shape: tuple[int, int], picture_width_px: int, small_width_px: int) -> Places:
        return cls(shape, CELL_PX * picture_width_px / small_width_px)

    def fine(self, lie: Lie) -> Mask:
        """The card's outline, filled, on the fine grid (8 x rows, 8 x columns)."""
        mask = np.zeros((self.shape[0] * FINER, self.shape[1] * FINER), np.uint8)
        # Four more bits for the corners; pixel centres are at whole numbers on both grids.
        corners = (np.asarray(lie.corners_px, np.float64) + 0.5) / self._px_per_step - 0.5
        cv2.fillConvexPoly(mask, np.round(corners * 16).astype(np.int32), 1, shift=4)
        return mask.astype(bool)

    def cells(self, mask: Mask, share: float = 0.5) -> CellMask:
        """Cells of which at least `share` is in the fine `mask`."""
        return np.asarray(self.shares(mask) >= share)

    def shares(self, mask: Mask) -> NDArray[np.float32]:
        size = (self.shape[1], self.shape[0])
        return np.asarray(cv2.resize(mask.astype(np.float32), size, interpolation=cv2.INTER_AREA), np.float32)

    def union(self, lies: Iterable[Lie]) -> Mask:
        mask = np.zeros((self.shape[0] * FINER, self.shape[1] * FINER), bool)
        for lie in lies:
            mask |= self.fine(lie)
        return mask

    def share_free(self, lie: Lie, above: Sequence[Lie]) -> float:
        """The share of the card's place that none of `above` covers."""
        place = self.fine(lie)
        total = int(place.sum())
        return float((place & ~self.union(above)).sum()) / total if total else 0.0

    def overlap(self, one: Lie, other: Lie) -> float:
        """Intersection over union of two outlines."""
        a, b = self.fine(one), self.fine(other)
        union = int((a | b).sum())
        return int((a & b).sum()) / union if union else 0.0

    def directly_on(self, upper: Lie, lower: Lie, between: Sequence[Lie]) -> bool:
        """Whether `upper` overlaps `lower` somewhere with none of `between` in between."""
        overlap = self.fine(upper) & self.fine(lower) & ~self.union(between)
        # A step or two are within the drawing's own error.
        return int(overlap.sum()) > 2
