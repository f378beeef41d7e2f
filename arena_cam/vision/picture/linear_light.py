"""Pictures as linear light: what adds up where light falls on light, and scales with exposure. sRGB values do neither.

Source of the curve: IEC 61966-2-1 (sRGB).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Linear = NDArray[np.float32]  # (..., 3), 0 to 1 of what the picture can hold


def linear_light(bgr: NDArray[np.uint8]) -> Linear:
    """A picture (..., 3) of sRGB values as linear light, 0..1."""
    value = np.arange(256) / 255.0
    table = np.where(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4).astype(np.float32)
    return np.asarray(table[bgr], np.float32)


def srgb(light: Linear) -> NDArray[np.uint8]:
    """Linear light (..., 3) as sRGB values; what is beyond white is clipped."""
    light = np.clip(light, 0.0, 1.0)
    value = np.where(light <= 0.0031308, 12.92 * light, 1.055 * np.maximum(light, 1e-9) ** (1 / 2.4) - 0.055)
    return np.asarray(np.round(value * 255.0), np.uint8)
