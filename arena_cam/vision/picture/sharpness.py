"""Notices that a picture lost its finest print, as when the lens hunts for focus: cheap enough for every quiet picture.

It decides nothing. Blur hardly changes how bright a place is, so nobody would look; this says when to look.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

# Print within so many pixels is what the finest print is compared with: light and contrast change both alike.
NEAR_PX = 17
# Of what is usual. Over six recorded rounds it never fell below 0.84, hands included; blur of 4 px (Gaussian, of 960)
# leaves 0.33 to 0.38, and one of 2 px, at which cards are still read, 0.59 to 0.65.
LEAST_KEPT = 0.5
# A picture whose contrast is less than this (grey levels) shows nothing that could be blurred.
LEAST_CONTRAST = 1.0


class Sharpness:
    """Takes small grey pictures one after another."""

    def __init__(self) -> None:
        self._usual: float | None = None

    def lost(self, luma: NDArray[np.uint8]) -> bool:
        """Whether much of the finest print is gone that there was; said once, then this is what is usual."""
        now = fineness(luma)
        if now is None:
            return False
        lost = self._usual is not None and now < LEAST_KEPT * self._usual
        self._usual = now if lost or self._usual is None else max(now, self._usual)
        return lost


def fineness(luma: NDArray[np.uint8]) -> float | None:
    """How strong the finest print of a grey picture (H, W) is beside all print; None where there is hardly any."""
    picture = luma.astype(np.float32)
    contrast = cv2.norm(picture, cv2.boxFilter(picture, -1, (NEAR_PX, NEAR_PX)), cv2.NORM_L1) / picture.size
    if contrast < LEAST_CONTRAST:
        return None
    return cv2.norm(cv2.Laplacian(picture, cv2.CV_32F), cv2.NORM_L1) / picture.size / contrast
