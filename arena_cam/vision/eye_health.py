"""Says when a picture cannot show anything: black, white, or the same to the last bit for too long."""

from __future__ import annotations

import zlib

import numpy as np
from numpy.typing import NDArray

# A lit table in any room, underexposed by three stops, is brighter than this (grey levels).
BLACK_LEVEL = 12.0
WHITE_LEVEL = 243.0
# A picture with anything in it differs by more than this between its darkest and brightest twentieth.
LEAST_SPREAD = 8.0
# No sensor repeats a picture bit for bit; a stuck driver does. This leaves room for a doubled frame or two.
FROZEN_S = 1.5


class EyeHealth:
    """Looks at small grey pictures one after another and says what is wrong with them."""

    def __init__(self) -> None:
        self._fingerprint: int | None = None
        self._since_s = 0.0

    def trouble(self, luma: NDArray[np.uint8], time_s: float) -> str:
        """Why nothing can be seen, in plain English; "" if all is well."""
        return _exposure_trouble(luma) or self._frozen(luma, time_s)

    def _frozen(self, luma: NDArray[np.uint8], time_s: float) -> str:
        fingerprint = zlib.crc32(luma.tobytes())
        if fingerprint != self._fingerprint:
            self._fingerprint, self._since_s = fingerprint, time_s
            return ""
        if time_s - self._since_s < FROZEN_S:
            return ""
        return "the picture is frozen: the camera repeats the same one; unplug it and plug it in again"


def _exposure_trouble(luma: NDArray[np.uint8]) -> str:
    # Every eighth pixel of every eighth row tells as much as all of them.
    sample = np.sort(luma[::8, ::8], axis=None)
    dark, bright = float(sample[len(sample) // 20]), float(sample[-1 - len(sample) // 20])
    if bright < BLACK_LEVEL:
        return "the picture is black; take the cap off the lens or switch on a light"
    if dark > WHITE_LEVEL:
        return "the picture is white; there is too much light, or the exposure is too long"
    if bright - dark < LEAST_SPREAD:
        return "the picture shows nothing but one shade of grey; something covers the lens, or it is out of focus"
    return ""
