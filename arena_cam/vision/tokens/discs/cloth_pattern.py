"""Whether what looks round is the pattern of the cloth: a check or a stripe is seen elsewhere on it, too.

A set has one disc of each colour, so that what is about a disc is seen once. A pattern repeats, and seen from above all
its repetitions are alike.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.vision.tokens.view.top_view import TopView

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]

# In radii: what is compared about a middle, with its rim and some cloth, and how far off a pattern repeats at most.
ABOUT, REACH = 1.3, 6.0
PX_PER_MM = 1.0  # of what is compared
# Correlation of two places of one pattern. In 40 photographs 30 of 33 places of a check cloth that looked round and lay
# apart from all pieces had 0.93 and more, others beside a card 0.59 to 0.83, and 25 veins of marble at most 0.74.
REPEATED = 0.9
# Of what is compared so much must be bare cloth: a card beside the place is seen once, and would tell of no pattern.
LEAST_BARE = 0.5


def is_repeated(view: TopView, middle: Floats, radius_mm: float, others: Sequence[Floats], bare: Mask) -> bool:
    """Whether what lies about a place (2,) lies elsewhere nearby, too, and not about one of the `others` (2,). What
    cards and tokens hide of the cloth, all but the view's `bare` pixels (h, w), is compared with nothing."""
    scale, side = PX_PER_MM / view.px_per_mm, round(ABOUT * radius_mm * PX_PER_MM)
    reach = REACH * radius_mm * np.array([[-1.0, -1.0], [1.0, 1.0]])
    low, high = np.clip(np.round(view.at(middle + reach)).astype(int), 0, np.array(view.inside.shape[::-1]))
    if not (high > low).all():
        return False
    pixels = view.pixels[low[1] : high[1], low[0] : high[0]]
    nearby = np.asarray(cv2.resize(pixels, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.float32)
    places = (view.at(np.array([middle, *others])) - low) * scale - side
    column, row = np.round(places[0]).astype(int).tolist()
    if min(column, row) < 0 or row + 2 * side >= nearby.shape[0] or column + 2 * side >= nearby.shape[1]:
        return False
    there = nearby[row : row + 2 * side + 1, column : column + 2 * side + 1]
    hidden = (~bare[low[1] : high[1], low[0] : high[0]]).astype(np.float32)
    hidden = np.asarray(cv2.resize(hidden, nearby.shape[1::-1], interpolation=cv2.INTER_AREA), np.float32)
    compared = (hidden[row : row + 2 * side + 1, column : column + 2 * side + 1] == 0.0).astype(np.float32)
    if compared.mean() < LEAST_BARE:
        return False
    alike = cv2.matchTemplate(nearby, there, cv2.TM_CCOEFF_NORMED, mask=None if compared.all() else compared)
    alike[~np.isfinite(alike)] = -1.0  # where nothing varies
    for x, y in np.round(places).astype(int).tolist():  # itself, and what is known to lie there
        cv2.circle(alike, (x, y), round(radius_mm * PX_PER_MM), -1.0, -1)
    return bool(alike.max() > REPEATED)
