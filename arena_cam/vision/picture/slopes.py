"""How steep a picture is, from its slopes in two directions.

In numpy, each step of which is rounded as IEEE 754 says. cv2.magnitude takes half the time (4 us for 133 by 95 points,
where this takes 8), but where OpenCV has Intel's IPP its first and last four numbers are rounded otherwise when the
result happens to begin in the middle of 32 bytes of memory: the same picture, read again, had slopes that were off by
1e-7 of themselves, and of a name that was as likely as not another fifth digit of the probability.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Slopes = NDArray[np.float32]


def gradient_magnitude(across: Slopes, along: Slopes) -> Slopes:
    """The length (...) of the gradient whose two components are `across` and `along` (...), in their unit."""
    squares = np.square(across)
    squares += np.square(along)
    return np.asarray(np.sqrt(squares, out=squares), dtype=np.float32)
