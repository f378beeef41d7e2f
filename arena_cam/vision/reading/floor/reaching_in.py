"""What reaches in over the picture's border while something unknown lies on the arena's floor: an arm, and no card.

Where a thing larger than a card, that no card found explains, comes in over the picture's border, people are at work.
With something unknown on the floor the frame is not sure while that lasts, and what hand and shadow hide cannot be
told: so nothing more need be looked for.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.geometry.arrays import Array
from arena_cam.vision.reading.floor.table_change import VIEW_PX_PER_MM, TableChange

Mask = NDArray[np.uint8]

# More than a card that hangs over the border and a wall: such a thing is larger than any one card.
_CARDS = 1.2
# So much on the floor is told as a stranger, and is more than what fine alignment may still explain.
_ON_FLOOR_MM2 = 400.0
_BORDER_MM = 22.0  # a dark sleeve ends somewhere before the picture does
_JOINED_MM = 2.0  # pieces so near each other are one


def hand_reaches_in(
    change: TableChange, claimed: Mask, step: int, card_mm2: float, outlines_px: Sequence[Array]
) -> bool:
    """Whether something larger than a card of `card_mm2` reaches in from the picture's border, and something unknown
    lies on the arena's floor. `claimed`, a mask in 1/`step` of the picture, says where cards were found, `outlines_px`
    (4, 2) how they lie."""
    left = change.unexplained(claimed, step)
    surely = np.asarray(left & change.sure, dtype=np.uint8)
    on_floor = np.asarray(surely & change.inside, dtype=np.uint8)
    if cv2.countNonZero(on_floor) < _ON_FLOOR_MM2 * VIEW_PX_PER_MM**2:
        return False
    border, least = _border(change, claimed.shape, step), _CARDS * card_mm2
    # a dark sleeve is no darker than a shadow: it counts where it leads to what is on the floor
    if not _is_arm(surely, border, least, change) and not _is_arm(left, border, least, change, on_floor):
        return False
    return sum(thing.area_mm2 for thing, _ in change.strangers(outlines_px)) > _ON_FLOOR_MM2


def _is_arm(left: Mask, border: Mask, least_mm2: float, change: TableChange, leads_to: Mask | None = None) -> bool:
    """Whether a thing of `least_mm2` comes over the border, and `leads_to` enough of what is set there, if given."""
    at_border = (left & border) > 0
    if not at_border.any():
        return False
    whole = np.asarray(left | _over_walls(left, change), dtype=np.uint8)
    _, labels = cv2.connectedComponents(_widened(whole, _JOINED_MM))
    labels[whole == 0] = 0
    for label in np.unique(labels[at_border]):
        thing = (labels == label).view(np.uint8)
        large = cv2.countNonZero(thing) > least_mm2 * VIEW_PX_PER_MM**2
        if large and (leads_to is None or cv2.countNonZero(thing & leads_to) > _ON_FLOOR_MM2 * VIEW_PX_PER_MM**2):
            return True
    return False


def _over_walls(left: Mask, change: TableChange) -> Mask:
    """What is not compared with the empty table, walls above all, between things on both sides of it."""
    size = 2 * round(change.table.strip_mm * VIEW_PX_PER_MM / 2) + 3
    closed = cv2.morphologyEx(left, cv2.MORPH_CLOSE, np.ones((size, size), np.uint8))
    return np.asarray(np.asarray(closed, np.uint8) & (1 - change.table.valid), dtype=np.uint8)


def _border(change: TableChange, shape: tuple[int, ...], step: int) -> Mask:
    """The rim of the picture, and of the view, as seen from above."""
    rim = np.ones(shape, np.uint8)
    rim[1:-2, 1:-2] = 0  # the last row and column may be of cells that are only begun
    seen = change.table.of_claims(rim, step, change.camera)
    seen[[0, -1]] = seen[:, [0, -1]] = 1
    return _widened(seen, _BORDER_MM)


def _widened(mask: Mask, by_mm: float) -> Mask:
    size = 2 * round(by_mm * VIEW_PX_PER_MM) + 1
    return np.asarray(cv2.dilate(mask, np.ones((size, size), np.uint8)), dtype=np.uint8)
