"""Print in shade: each sample may be as dark as suits it, but must keep its colour.

Beneath a veil, too: a lamp's reflection adds the same light to dark and bright print. In grey levels that is no gain
and offset, for what sends little light back is raised most.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from arena_cam.vision.kernels.colour_calls import shaded
from arena_cam.vision.picture.channels import greatest, summed
from arena_cam.vision.tokens.discs.lit_discs import CURVE

Floats = NDArray[np.float64]
Numbers = NDArray[np.floating[Any]]

MISTAKE = 40.0  # grey levels: no sample speaks louder
# Of the light that white paper sends back: what a reflection adds, beneath which print is still seen; and what a
# shadow, which keeps a room's light, leaves of each sample, or a slant adds.
VEILS = np.array([0.0, 0.02, 0.04, 0.07, 0.1, 0.14, 0.19, 0.25, 0.32, 0.4])
LEAST_LIGHT, MOST_LIGHT = 0.3, 1.2
DARK = 0.1  # of full grey: darker, a step of light is taken for no more grey levels than there


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


def off_veiled(seen: Numbers, printed: Numbers, white: Numbers, veils: Numbers = VEILS) -> Floats:
    """(V, N): the same of print (N, 3), 0..255, where `white` (3,) is what white paper sends back of full grey, beneath
    each of the veils: in light, which adds up."""
    paper = np.maximum(white, 0.0) ** CURVE
    print_, light = (np.maximum(each / 255.0, 0.0) ** CURVE for each in (printed, seen))
    print_, veil = print_ * paper, veils[:, None, None] * paper
    steep = np.maximum(seen / 255.0, DARK) ** (2.0 - 2.0 * CURVE)  # grey levels a step of light, squared
    weighted = steep * print_
    shade = summed(weighted * (light - veil)) / np.maximum(summed(weighted * print_), 1e-9)
    shown = np.clip(shade, LEAST_LIGHT, MOST_LIGHT)[..., None] * print_ + veil
    off = greatest(np.abs(255.0 * shown ** (1.0 / CURVE) - seen))
    return np.asarray(np.minimum(off, MISTAKE), np.float64)
