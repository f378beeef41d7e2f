"""The compiled comparisons of round prints' colours; None where nothing is compiled, or it failed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from arena_cam.geometry.arrays import Array, Mask
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
    (3, N) are seen (3, N). `rules` (4,) are a row of numbers, in the order of the compiled twin."""
    library = compiled()
    if library is None or not len(weights):
        return None
    rows = [np.ascontiguousarray(each, np.float64) for each in (prints, seen, weights, tint, rules)]
    trusted, found = np.empty(len(weights)), np.empty(4)
    done = library.arena_token_light(
        *(ptr(rows[0]), ptr(rows[1]), ptr(rows[2]), len(weights), ptr(rows[3]), ptr(rows[4])),
        *(ptr(trusted), ptr(found)),
    )
    return found if done else None


def outside(middles: Array, offsets: Array, first: NDArray[np.int64], circles: Array, reach: float) -> Mask | None:
    """(N, M): which samples at `offsets` (M, 2) from middles (N, 2) lie outside circles (K, 3), middle and radius of
    each, `reach` times as large: for each middle those from its number in `first` (N + 1,) on."""
    library = compiled()
    if library is None:
        return None
    middles, offsets, circles = (np.ascontiguousarray(each, np.float64) for each in (middles, offsets, circles))
    found = np.empty((len(middles), len(offsets)), bool)
    library.arena_outside(
        *(ptr(middles), len(middles), ptr(offsets), len(offsets), ptr(first), ptr(circles), reach, ptr(found))
    )
    return found


@dataclass(frozen=True, eq=False)
class ShadesTold:
    """Of N faces of M samples what is `seen` and `printed` (N, M, 3), and `told` (2 N, M): how much each sample says of
    the shade, and after these that times the shade."""

    seen: Grey
    printed: Grey
    told: Grey


def shades_told(
    samples: Grey,
    open_: Mask,
    polar: Grey,
    turned: tuple[NDArray[np.intp], NDArray[np.intp]],
    lights: tuple[Grey, Grey],
    between: tuple[float, float],
) -> ShadesTold | None:
    """Of samples (N, R, A, 3) in the print's light that are `open_` (N, R, A). `polar` (K, R, A, 3): the prints;
    `turned`: which of them each face has, and by how many samples it is turned (N,); `lights` (N, 2, 3): gain and
    offset of each print, and of the samples; `between` which a shade lies."""
    library = compiled()
    if library is None:
        return None
    samples, polar, *lit = (np.ascontiguousarray(each, np.float32) for each in (samples, polar, *lights))
    open_, shape = np.ascontiguousarray(open_), np.array(polar.shape[1:3], np.int64)
    which, turn = (np.ascontiguousarray(each, np.int64) for each in turned)
    count, size = len(samples), int(shape.prod())
    found = ShadesTold(*(np.empty(of, np.float32) for of in ((count, size, 3), (count, size, 3), (2 * count, size))))
    library.arena_shades_told(
        *(ptr(samples), ptr(open_), count, ptr(shape), ptr(polar), ptr(which), ptr(turn), *map(ptr, lit)),
        *(*between, ptr(found.seen), ptr(found.printed), ptr(found.told)),
    )
    return found


def stack_left(
    shown: ShadesTold, smooth: Grey, open_: Mask, at: tuple[Array, Array, Array], left: tuple[Grey, Array], most: float
) -> Array | None:
    """(N, 3): of the faces how much is known, and the means over that of what is left so far and with each face, each
    sample counted up to `most`. `smooth` (2 N, M): what is `told` about each sample; `at`: middles (N, 2), where
    samples lie from there (M, 2), and their area (M,); `left` (h, w) so far, with a cell a mm from the first (2,)."""
    library = compiled()
    if library is None:
        return None
    smooth, so_far = (np.ascontiguousarray(each, np.float32) for each in (smooth, left[0]))
    open_, found = np.ascontiguousarray(open_), np.empty((len(shown.seen), 3))
    middles, offsets, area, origin = (np.ascontiguousarray(each, np.float64) for each in (*at, left[1]))
    library.arena_stack_left(
        *(ptr(shown.seen), ptr(shown.printed), ptr(smooth), ptr(open_), *shown.seen.shape[:2]),
        *(ptr(middles), ptr(offsets), ptr(area), ptr(so_far), *so_far.shape, ptr(origin), most, ptr(found)),
    )
    return found
