"""Which of a few inks is thin print drawn in? By the hue of all of it together.

Sensors and JPEG keep colour at half the scale of light: a thin line shows it pale and beside its place, and point by
point blue, green and violet are the same grey. But what blur takes from a line it gives to the paper beside it, and the
mean over all of the print keeps its hue, however pale. It is the regression of what is seen on what is drawn, both
against the paper round about.
"""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.geometry.arrays import Array
from arena_cam.vision.faces.softness import LUMA, Faces, Softly
from arena_cam.vision.picture.robust import medians

_ROUND_ABOUT = (9, 9)  # points of the grid, of 1.5 a millimetre, over which paper is even; twice
_TILE = 12  # points: what is wrong with the light is wrong over as much, and each tile is one witness
_FEWEST_TILES = 4
# Grey levels of paper, as drawn, in its darkest channel: of darker ground nobody knows the light as well.
_BRIGHT = 100.0
# Of the contrast of light, that of colour is kept by so much: of a line of 0.3 mm a fifth was.
_PALE = 0.1, 1.3
# Of the colour seen, by which camera and print may render an ink otherwise: blue stood out at an angle of 17 degrees.
_TONE = 0.3
_LEAST_SD = 0.004  # of colour, as a share of the contrast drawn


def told_by_hue(view: Softly, best: int) -> Array:
    """The log-likelihoods (K,) of the faces of a view, by the hue of the print of which face `best` tells where it is.
    They are naught where the ground is dark or too little print is in view: then it says nothing."""
    shown = view.weight > 0
    nothing = np.zeros(len(view.faces))
    if not shown.any():
        return nothing
    paper = medians(view.faces[best][shown])
    if paper.min() < _BRIGHT:
        return nothing
    print_ = _against_paper(view.faces[best], shown) @ LUMA
    seen, sd = _regressed(_against_paper(np.asarray(view.seen, np.float32), shown), print_, shown)
    if not np.isfinite(sd):
        return nothing
    light = medians(view.seen[shown]) / paper  # in it grey print is no greyer than paper
    drawn = np.matmul(weights_of_print(print_, shown).ravel(), view.faces.reshape(len(view.faces), -1, 3))
    bright = max(float(light @ LUMA), 1e-3)
    return np.array([-0.5 * _misfit2(seen * bright / np.maximum(light, 1e-3), ink, sd) for ink in drawn])


def _misfit2(seen: Array, ink: Array, sd: float) -> float:
    """By how many standard deviations, squared, the colour `seen` (3,) is off that of an `ink` (3,) as pale as suits it
    best."""
    hue, own = seen - seen @ LUMA, ink - ink @ LUMA
    kept = max(float(seen @ LUMA) / max(float(ink @ LUMA), 1e-6), 0.0)
    pale = float(np.clip(hue @ own / max(float(own @ own), 1e-9), _PALE[0] * kept, _PALE[1] * kept))
    return float(((hue - pale * own) ** 2).sum() / (sd**2 + (_TONE * np.linalg.norm(hue)) ** 2))


def _against_paper(picture: Faces, shown: NDArray[np.bool_]) -> Faces:
    """By how many levels a picture (H, W, 3) stands out from what is `shown` (H, W) round about; 0 elsewhere."""
    inside = shown.astype(np.float32)
    even, share = (_evenly(part) for part in (picture * inside[:, :, None], inside))
    return np.asarray((picture - even / np.maximum(share, 1e-3)[:, :, None]) * inside[:, :, None], np.float32)


def weights_of_print(print_: Faces, shown: NDArray[np.bool_]) -> Faces:
    """By what points (H, W) of a picture count for how much its contrast with the paper round about varies with the
    `print_` (H, W), where it is `shown` (H, W): both are sums of the picture's points, and so is their product. Two
    dozen faces are asked about a card, and none of them is held against its paper by itself."""
    inside, by = shown.astype(np.float32), np.asarray(print_, np.float32)
    by_share = by * inside / np.maximum(_evenly(inside), 1e-3)
    down, across = (_running_means(length) for length in shown.shape)
    weights = inside * (by - down.T @ by_share @ across)
    return np.asarray(weights / max(float((by.astype(np.float64) ** 2).sum()), 1e-9), np.float32)


@lru_cache(maxsize=4)
def _running_means(length: int) -> Faces:
    """What `_evenly` mixes of each point (columns) along a line of some length into each other one (rows)."""
    size = (1, _ROUND_ABOUT[1])
    return np.asarray(cv2.blur(cv2.blur(np.eye(length, dtype=np.float32), size), size), np.float32)


def _evenly(values: Faces) -> Faces:
    return np.asarray(cv2.blur(cv2.blur(values, _ROUND_ABOUT), _ROUND_ABOUT), np.float32)


def _regressed(stands_out: Faces, print_: Faces, shown: NDArray[np.bool_]) -> tuple[Array, float]:
    """By how much each channel of what `stands_out` (H, W, 3) varies with the `print_` (H, W), and the standard
    deviation of its hue, by how much tiles of the card differ; infinite where few show print."""
    rows, columns = np.nonzero(shown)
    tile = (rows // _TILE) * (shown.shape[1] // _TILE + 1) + columns // _TILE
    by, values = print_[shown].astype(np.float64), stands_out[shown].astype(np.float64)
    power = np.bincount(tile, by * by)
    of_tiles = np.stack([np.bincount(tile, by * channel) for channel in values.T], axis=1)
    whole = max(float(power.sum()), 1e-9)
    slope = of_tiles.sum(axis=0) / whole
    off = of_tiles - power[:, None] * slope
    off -= (off @ LUMA)[:, None]
    if whole < _LEAST_PRINT or np.count_nonzero(power > _LEAST_SHARE * whole) < _FEWEST_TILES:
        return slope, np.inf
    return slope, max(float(np.sqrt((off**2).sum()) / whole), _LEAST_SD)


# Of the print a tile with less is no witness; and as squared grey levels so much is ten points of pale print.
_LEAST_SHARE, _LEAST_PRINT = 0.02, 4000.0
