"""Where a new card may lie: the pixels that changed since the last reading."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.geometry.arrays import Array, Mask
from arena_cam.vision.reading.floor.table_change import TableChange

# Of a card that came nearly all that is in view changed, and a guess is off by a fifth of the card at most; the border
# of one that was found already is no more than a third. Of a card that shows less than this nothing would be said.
LEAST_FRESH, LEAST_FREE = 0.45, 0.12
# A known card of whose place more than this changed may have been covered or moved.
_TOUCHED = 0.1
# A feature speaks for what lies round it: 15 mm, in a picture of two pixels a millimetre.
_NEAR_PX = 30
# What changed is known in cells as large as a third of a card: round one that came they reach beyond it, and there a
# card beneath it is guessed. It came, too, only if what would be seen of it looks otherwise than before and by more
# than a shadow: all of it on the floor, and a fifth of it at least of a pale card on a pale one.
_MOSTLY_COVERED, _LEAST_OTHERWISE = 0.5, 0.2


class FreshPlaces:
    """Pixels of a frame that changed since the `known` cards were read."""

    def __init__(self, changed: Mask, image_size: tuple[int, int], since: TableChange | None = None) -> None:
        """`changed` (h, w) is a mask of the whole frame, `image_size` (width, height) pixels large, at any scale.

        `since` is the frame held against the picture in which they were read, where that is at hand.
        """
        scale = changed.shape[1] / image_size[0]
        size = 2 * round(_NEAR_PX * scale) + 1
        self._changed = changed
        self._near = cv2.dilate(changed.astype(np.uint8), np.ones((size, size), np.uint8)) > 0
        self._scale = np.array([[scale], [changed.shape[0] / image_size[1]]])
        self._since = since

    def at(self, pixels: Array) -> Mask:
        """Whether each pixel (2, N) changed; none outside the frame did."""
        return self._of(self._changed, pixels)

    def near(self, pixels: Array) -> Mask:
        """Whether anything changed near each pixel (2, N)."""
        return self._of(self._near, pixels)

    def worth_a_guess(self, pixels: Array, free: Mask, x_mm: Array, y_mm: Array) -> bool:
        """Whether a new card may lie at pixels (2, N) and places (N,) spread over it, of which those `free` (N,) are
        visible."""
        if free.mean() < LEAST_FREE or (self.at(pixels) & free).sum() < LEAST_FRESH * free.sum():
            return False
        if self._since is None or free.mean() > _MOSTLY_COVERED:
            return True
        known = free & self._since.within(self._since.table.valid, x_mm, y_mm)
        otherwise = known & self._since.within(self._since.odd, x_mm, y_mm)
        return bool(otherwise.sum() >= _LEAST_OTHERWISE * known.sum())

    def all_explained(self, claimed: NDArray[np.uint8], step: int) -> bool:
        """Whether all changed pixels are claimed, in a mask in 1/step of the frame."""
        if self._since is None:
            return False
        size = claimed.shape[::-1]
        unchanged = cv2.resize(1 - self._changed.astype(np.uint8), size, interpolation=cv2.INTER_NEAREST)
        return self._since.all_explained(np.maximum(claimed, np.asarray(unchanged, np.uint8)), step)

    def touched(self, pixels: Array) -> bool:
        """Whether something happened to a known card at pixels (2, N) spread over it."""
        return float(self.at(pixels).mean()) > _TOUCHED

    def _of(self, mask: Mask, pixels: Array) -> Mask:
        height, width = mask.shape
        column, row = np.floor((pixels + 0.5) * self._scale).astype(np.intp)
        inside = (column >= 0) & (row >= 0) & (column < width) & (row < height)
        return np.asarray(inside & mask[row.clip(0, height - 1), column.clip(0, width - 1)])
