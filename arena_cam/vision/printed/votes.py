"""Which matches of keypoints to try first: those that many others agree with on where the print's middle is."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from arena_cam.vision.printed.keypoints import Matches


def worth_trying(
    matches: Matches, left: NDArray[np.bool_], bin_mm: float, most: int, weights: NDArray[np.float64] | None = None
) -> NDArray[np.intp]:
    """At most `most` of the matches `left` (N,), those of the fullest bins first, one match a bin.

    A bin holds matches that put the print's middle into one square of `bin_mm` (by their own scale), with a turn in the
    same eighth of a circle and a scale in the same half octave: a Hough transform over similarities (Lowe, "Distinctive
    image features from scale-invariant keypoints", IJCV 2004, section 7.3). `weights` (N,): what each match says; all
    the same without them.
    """
    usable = np.flatnonzero(left)
    if not len(usable):
        return usable
    which = _bins(matches, bin_mm)[usable]
    say = None if weights is None else weights[usable]
    weight = np.bincount(which, say)[which] + matches.alike[usable]
    order = np.argsort(-weight, kind="stable")
    last = len(order)
    nth = np.full(int(which.max()) + 1, last)
    nth[which[order[::-1]]] = np.arange(last)[::-1]  # the first of each bin is written last
    return np.asarray(usable[order[np.sort(nth[nth < last])]][:most], np.intp)


@lru_cache(maxsize=2)  # of the matches of a photograph those that are left are asked for a dozen times
def _bins(matches: Matches, bin_mm: float) -> NDArray[np.intp]:
    """(N,): the number of the bin that each match is in."""
    middle = matches.px - np.einsum("nij,nj->ni", matches.affine, matches.mm)
    octave = np.round(2 * np.log2(np.maximum(matches.scale, 1e-3)))
    cell = bin_mm * 2.0 ** (octave / 2)
    keys = np.column_stack([np.floor(middle / cell[:, None]), octave, np.floor(matches.turn / (np.pi / 4))])
    return np.asarray(np.unique(_numbered(keys), return_inverse=True)[1].reshape(-1), np.intp)


def _numbered(rows: NDArray[np.float64]) -> NDArray[np.float64]:
    """(N,): a number for each different row of whole numbers (N, K), in the rows' order; numbers sort ten times as fast
    as rows. Rows too far apart for that are numbered by sorting them."""
    rows = rows - rows.min(axis=0)
    sides = rows.max(axis=0) + 1.0
    if not np.prod(sides) < 2.0**52:  # more than such numbers can tell
        return np.unique(rows, axis=0, return_inverse=True)[1].reshape(-1).astype(np.float64)
    number = rows[:, 0]
    for column, side in zip(rows.T[1:], sides[1:], strict=True):
        number = number * side + column
    return np.asarray(number)
