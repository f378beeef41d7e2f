"""Print in shade: each sample may be as dark as suits it, but must keep its colour."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from arena_cam.vision.kernels.colour_calls import shaded
from arena_cam.vision.picture.channels import greatest

Floats = NDArray[np.float64]

MISTAKE = 40.0  # grey levels: no sample speaks louder


def off_shaded(seen: Floats, printed: Floats, shades: Floats) -> Floats:
    """(N,): by how many grey levels colours (N, 3) differ from print (N, 3) in the best of the shades, MISTAKE at
    most."""
    compiled = shaded(seen, printed, shades, MISTAKE)
    if compiled is not None:
        return compiled
    best = np.full(len(seen), MISTAKE)
    for shade in shades:
        best = np.minimum(best, greatest(np.abs(seen - shade * printed)))
    return best
