"""Points through a homography."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def transformed(homography: Floats, points: Floats) -> Floats:
    """`points` (N, 2) through `homography` (3, 3)."""
    mapped = np.asarray(points, np.float64) @ homography[:, :2].T + homography[:, 2]
    return np.asarray(mapped[:, :2] / mapped[:, 2:3])
