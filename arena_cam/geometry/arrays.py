"""The array types that rooms pass to each other. Each function documents shapes, units and frames of reference."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Grey = NDArray[np.float32]
Mask = NDArray[np.bool_]
