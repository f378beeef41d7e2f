"""Where something may have come to lie since the cards known before were read."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

Mask = NDArray[np.bool_]

# Of a card that came nearly all that is in view changed, and a guess is off by a fifth of the card at most; the border
# of one that was found already is no more than a third. Of a card that shows less than this nothing would be said.
LEAST_FRESH, LEAST_FREE = 0.45, 0.12
# A known card of whose place more than this changed may have been covered or moved.
_TOUCHED = 0.1
# A feature speaks for what lies round it: 15 mm, in a picture of two pixels a millimetre.
_NEAR_PX = 30


class FreshPlaces:
    """Pixels of a frame that changed since `known` cards were read."""

    def __init__(self, changed: Mask, image_size: tuple[int, int]) -> None:
        """`changed` (h, w) is a mask of the whole frame, `image_size` (width, height) pixels large, at any scale."""
        scale = changed.shape[1] / image_size[0]
        size = 2 * round(_NEAR_PX * scale) + 1
        self._changed = changed
        self._near = cv2.dilate(changed.astype(np.uint8), np.ones((size, size), np.uint8)) > 0
        self._scale = np.array([[scale], [changed.shape[0] / image_size[1]]])

    def at(self, pixels: NDArray[np.float64]) -> Mask:
        """Whether each pixel (2, N) changed; none outside the frame did."""
        return self._of(self._changed, pixels)

    def near(self, pixels: NDArray[np.float64]) -> Mask:
        """Whether anything changed near each pixel (2, N)."""
        return self._of(self._near, pixels)

    def worth_a_guess(self, pixels: NDArray[np.float64], free: Mask) -> bool:
        """Whether a card that came may lie at pixels (2, N) spread over it, of which those `free` (N,) show it."""
        return bool(free.mean() >= LEAST_FREE and (self.at(pixels) & free).sum() >= LEAST_FRESH * free.sum())

    def touched(self, pixels: NDArray[np.float64]) -> bool:
        """Whether something happened to a known card at pixels (2, N) spread over it."""
        return float(self.at(pixels).mean()) > _TOUCHED

    def _of(self, mask: Mask, pixels: NDArray[np.float64]) -> Mask:
        height, width = mask.shape
        column, row = np.floor((pixels + 0.5) * self._scale).astype(np.intp)
        inside = (column >= 0) & (row >= 0) & (column < width) & (row < height)
        return np.asarray(inside & mask[row.clip(0, height - 1), column.clip(0, width - 1)])
