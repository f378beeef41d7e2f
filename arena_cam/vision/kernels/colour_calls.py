"""The compiled comparisons of round prints' colours; None where nothing is compiled, or it failed."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from arena_cam.geometry.arrays import Array
from arena_cam.vision.kernels.library import compiled, ptr

Grey = NDArray[np.float32]


def lit_discs(
    seen: Grey, weight: Array, prints: Grey, turn: NDArray[np.intp], white: Array, rules: Array
) -> Array | None:
    """(N, K, 4): share explained, cost, details and gloss of K prints, given as light (K, R, A, 3), that are turned by
    `turn` (N, K) samples, of what is `seen` (N, R, A, 3) with weights (N, R, A) of sum 1. `white` (3,): what white
    paper sends back; `rules` (14,) are a row of numbers, in the order of the compiled twin."""
    library = compiled()
    if library is None:
        return None
    kinds, rings, angles, _ = prints.shape
    seen, prints = np.ascontiguousarray(seen, np.float32), np.ascontiguousarray(prints, np.float32)
    weight, white, rules = (np.ascontiguousarray(each, np.float64) for each in (weight, white, rules))
    turn, shape = np.ascontiguousarray(turn, np.int64), np.array([rings, angles, kinds], np.int64)
    found = np.empty((len(seen), kinds, 4))
    done = library.arena_lit_discs(
        *(ptr(seen), ptr(weight), len(seen), ptr(shape), ptr(prints), ptr(turn)),
        *(ptr(white), ptr(rules), ptr(found)),
    )
    return found if done else None


def shaded(seen: Array, printed: Array, shades: Array, most: float) -> Array | None:
    """(N,): by how many grey levels colours (N, 3) differ from print (N, 3) in the best of the shades, `most` at
    most."""
    library = compiled()
    if library is None:
        return None
    seen, printed, shades = (np.ascontiguousarray(each, np.float64) for each in (seen, printed, shades))
    found = np.empty(len(seen))
    library.arena_off_shaded(ptr(seen), ptr(printed), len(seen), ptr(shades), len(shades), most, ptr(found))
    return found


def token_light(prints: Array, seen: Array, weights: Array, tint: Array, rules: Array) -> Array | None:
    """(4,): the gain of each channel, and the share of full light, times `tint` (3,), added to all, in which prints
    (N, 3) are seen (N, 3). `rules` (4,) are a row of numbers, in the order of the compiled twin."""
    library = compiled()
    if library is None or not len(prints):
        return None
    rows = [np.ascontiguousarray(each, np.float64) for each in (prints, seen, weights, tint, rules)]
    trusted, found = np.empty(len(prints)), np.empty(4)
    done = library.arena_token_light(
        *(ptr(rows[0]), ptr(rows[1]), ptr(rows[2]), len(prints), ptr(rows[3]), ptr(rows[4])),
        *(ptr(trusted), ptr(found)),
    )
    return found if done else None
