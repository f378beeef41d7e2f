"""What differs between two pictures of one table, of a camera that stands still, but for the light on it; and a picture
that shows nothing else, so that only that need be searched."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

_LONGEST_PX = 320
_LEVELS = 9  # grey levels by which a pixel of the small, blurred picture differs where something does
_DIFFER_PX = 5  # so many pixels: a fingertip
# Light is a smooth surface over logarithms of grey levels, of the second degree as in reading.floor.table_change, and
# fitted again without what differs by more than a quarter. A lamp or a shutter doubles or halves it at most.
_LIGHTEST = 255.0
_DARK, _FITS, _OFF_LIGHT, _MOST_LIGHT = 8.0, 3, 0.25, 0.7
# A card differs from its cloth along its sides and print, and not between them where both are white. It is at most an
# eighth of the picture's length from there to where it does: then an index is too small to be read in larger gaps.
_REACH = 1 / 8
_BLURRED = 1 / 10  # of the picture's length: no cloth's pattern is left
_FADES_PX = 9
_MOST_OF_IT = 0.5


def small_grey(image_bgr: NDArray[np.uint8]) -> NDArray[np.int16]:
    """A small, blurred grey picture, for comparison."""
    grey = cv2.cvtColor(image_bgr, cv2.COLOR_BGR2GRAY)
    factor = min(1.0, _LONGEST_PX / max(grey.shape))
    small = cv2.resize(grey, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.blur(small, (3, 3)), np.int16)


def differ(a: NDArray[np.int16], b: NDArray[np.int16]) -> bool:
    """Whether two small pictures differ, by the light, too."""
    return a.shape != b.shape or int((np.abs(a - b) > _LEVELS).sum()) > _DIFFER_PX


def what_differs(now: NDArray[np.int16], bare: NDArray[np.int16]) -> NDArray[np.bool_] | None:
    """Where one small picture (h, w) differs from another of the `bare` table by more than the light does; None where
    nothing does. All of it where they are of two sizes, or the light is another by more than a lamp."""
    if now.shape != bare.shape:
        return np.ones(now.shape, bool)
    ratio = np.log((now + _DARK) / (bare + _DARK))
    light = _smooth(ratio)
    if float(np.abs(light).max()) > _MOST_LIGHT:
        light = np.zeros_like(light)
    lit = np.minimum((bare + _DARK) * np.exp(light), _LIGHTEST + _DARK)
    differs = np.abs(now + _DARK - lit) > _LEVELS * np.exp(np.maximum(light, 0.0))  # in more light noise is larger, too
    return differs if int(differs.sum()) > _DIFFER_PX else None


def _smooth(ratio: NDArray[np.float64]) -> NDArray[np.float64]:
    """The surface of the second degree through most of the points of `ratio` (h, w)."""
    y, x = np.meshgrid(*(np.linspace(-1.0, 1.0, n) for n in ratio.shape), indexing="ij")
    terms = np.stack([np.ones_like(x), x, y, x * x, x * y, y * y], axis=-1)
    asked, values = terms[::4, ::4].reshape(-1, 6), ratio[::4, ::4].ravel()
    factors = np.array([np.median(values), 0.0, 0.0, 0.0, 0.0, 0.0])
    for _ in range(_FITS):
        own = np.abs(values - asked @ factors) < _OFF_LIGHT
        if own.sum() < asked.shape[1]:
            break
        factors = np.linalg.lstsq(asked[own], values[own], rcond=None)[0]
    return np.asarray(terms @ factors)


def is_most(differs: NDArray[np.bool_]) -> bool:
    """Whether so much differs that it is another table, or the camera was knocked."""
    return float(differs.mean()) > _MOST_OF_IT


def reaches_border(differs: NDArray[np.bool_]) -> bool:
    """Whether what differs comes over the border of the picture, as an arm does."""
    return bool(differs[[0, -1]].any() or differs[:, [0, -1]].any())


def shown_alone(image_bgr: NDArray[np.uint8], differs: NDArray[np.bool_]) -> NDArray[np.uint8]:
    """The picture with a card's length round what differs, which is given in a small one; the rest is blurred until no
    pattern is left, and neither has a border."""
    height, width = differs.shape
    reach = 2 * round(_REACH * max(height, width)) + 1
    near = cv2.dilate(differs.astype(np.uint8), cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (reach, reach)))
    share = cv2.blur(near.astype(np.float32), (_FADES_PX, _FADES_PX))
    small = cv2.resize(image_bgr, (width, height), interpolation=cv2.INTER_AREA).astype(np.float32)
    wide = 2 * round(_BLURRED * max(height, width)) + 1
    weight = 1.0 - share[..., None] + np.float32(1e-3)
    lit = cv2.blur(small * weight, (wide, wide)) / cv2.blur(weight, (wide, wide))[..., None]
    smooth = np.asarray(lit, np.float32)
    size = image_bgr.shape[1::-1]
    full, shares = cv2.resize(smooth, size), cv2.resize(share, size)[..., None]
    return np.asarray(np.round(full + (image_bgr - full) * shares), np.uint8)
