"""What reaches in over the picture's border while something unknown lies on the arena's floor: an arm, and no card.

Where a thing larger than a card, that no card found explains, comes in over the picture's border, people are at work.
With something unknown on the floor the frame is not sure while that lasts, and what hand and shadow hide cannot be
told: so nothing more need be looked for. But what lies apart from the arm and has a card's shape is one, most likely.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.geometry.arrays import Array
from arena_cam.vision.picture.components import part_round
from arena_cam.vision.reading.floor.table_change import VIEW_PX_PER_MM, Part, Stranger, TableChange, marked

Mask = NDArray[np.uint8]

# More than a card that hangs over the border and a wall: such a thing is larger than any one card.
ARM_CARDS = 1.2
# So much on the floor is told as a stranger, and is more than what fine alignment may still explain.
_ON_FLOOR_MM2 = 400.0
_BORDER_MM = 22.0  # a dark sleeve ends somewhere before the picture does
# What may be a shadow is a sleeve only if it goes on to the rim. Of 24 hands on pictures of eight drawn decks all that
# were told came within 2 mm of it; the shadow of a card that lay over the wall came within 22, and four cards that
# touched it, one in full view, were taken for an arm.
_RIM_MM = 8.0
_JOINED_MM = 2.0  # pieces so near each other are one


# Nearer to an arm than this lies what is part of it: fingers that look like the floor in between, and their shadows.
_OF_ARM_MM = 18.0
# A card fills the rectangle round it, and at least so much of one must be seen; hands, fingers and sleeves do not.
_FILLS, _OF_CARD = 0.85, 0.5


def arm_reaching_in(
    change: TableChange, claimed: Mask, step: int, card_mm2: float, outlines_px: Sequence[Array]
) -> Mask | None:
    """A view (H, W) of what reaches in from the picture's border, with what is so near that it may belong to it; None
    unless that is larger than a card of `card_mm2` and something unknown lies on the arena's floor. `claimed`, a mask
    in 1/`step` of the picture, says where cards were found, `outlines_px` (4, 2) how they lie."""
    asked = "arm", step, card_mm2, claimed.tobytes(), *(np.asarray(outline).tobytes() for outline in outlines_px)
    return change.once(asked, lambda: _arm_reaching_in(change, claimed, step, card_mm2, outlines_px))


def _arm_reaching_in(
    change: TableChange, claimed: Mask, step: int, card_mm2: float, outlines_px: Sequence[Array]
) -> Mask | None:
    left = change.unexplained(claimed, step)
    surely = np.asarray(left & change.sure, dtype=np.uint8)
    on_floor = np.asarray(surely & change.inside, dtype=np.uint8)
    if cv2.countNonZero(on_floor) < _ON_FLOOR_MM2 * VIEW_PX_PER_MM**2:
        return None
    border = change.table.rim(claimed.shape, step, _BORDER_MM, change.camera)
    least = ARM_CARDS * card_mm2
    # a dark sleeve is no darker than a shadow: it counts where it leads to what is on the floor
    arm = _arm(surely, border, least, change)
    if arm is None:
        rim = rim_in_view(change, claimed.shape, step)
        arm = _arm(left, rim, least, change, on_floor)
    if arm is None or sum(thing.area_mm2 for thing, _ in change.strangers(outlines_px)) <= _ON_FLOOR_MM2:
        return None
    return _widened(_joined_to(arm, left, change), _OF_ARM_MM)


def rim_in_view(change: TableChange, shape: tuple[int, ...], step: int) -> Mask:
    """What lies at the rim of the picture, as the view from above shows it (H, W); `shape` is that of a mask in
    1/`step` of the picture."""
    return change.table.rim(shape, step, _RIM_MM, change.camera)


def beside_arm(change: TableChange, arm: Mask) -> TableChange:
    """The change without what `arm` (H, W) covers."""
    odd, sure, plain = (np.asarray(part & (1 - arm), np.uint8) for part in (change.odd, change.sure, change.plain))
    return replace(change, odd=odd, sure=sure, plain=plain)


def has_shape_of_card(thing: Stranger, card_mm2: float) -> bool:
    """Whether a thing that lies by itself, no larger than a card of `card_mm2`, is shaped as one is."""
    round_mm2 = thing.sides_mm[0] * thing.sides_mm[1]
    return thing.area_mm2 > _OF_CARD * card_mm2 and thing.area_mm2 > _FILLS * round_mm2


def is_of_a_cards_size(thing: Stranger, width_mm: float, height_mm: float) -> bool:
    """Whether a thing is large enough for a card of some size, and fits into one."""
    long, short = sorted((width_mm, height_mm), reverse=True)
    fits = thing.sides_mm[0] < long + _ROUND_A_CARD_MM and thing.sides_mm[1] < short + _ROUND_A_CARD_MM
    return fits and is_large_enough(thing, long * short)


def is_large_enough(thing: Stranger, card_mm2: float) -> bool:
    """Whether a thing may show a card of `card_mm2`, or hide one, by its area. Of a card over a wall the strip along
    that wall, where nothing is compared, hides as much as the floor may show."""
    return thing.area_mm2 + thing.along_walls_mm2 > _OF_A_CARD * card_mm2


# Of a card that lies over a wall, or leans on it, so much is seen beside the wall at least; more than shadows leave.
_OF_A_CARD = 0.1
_ROUND_A_CARD_MM = 8.0  # what is seen of it may have a fringe of shadow; a hand is longer


def _arm(left: Mask, border: Mask, least_mm2: float, change: TableChange, leads_to: Mask | None = None) -> Mask | None:
    """A thing of `least_mm2` that comes over the border, and covers enough of what `leads_to` is set, if given."""
    at_border = (left & border) > 0
    if not at_border.any():
        return None
    labels = _things(left, change)
    for label in np.flatnonzero(np.bincount(labels[at_border])):
        thing = np.asarray(labels == label, dtype=np.uint8)
        large = cv2.countNonZero(thing) > least_mm2 * VIEW_PX_PER_MM**2
        if large and (leads_to is None or cv2.countNonZero(thing & leads_to) > _ON_FLOOR_MM2 * VIEW_PX_PER_MM**2):
            return thing
    return None


def _joined_to(arm: Mask, left: Mask, change: TableChange) -> Mask:
    """All things of `left` that the arm is part of."""
    labels = _things(left, change)
    joined = np.flatnonzero(np.bincount(labels[arm > 0]))
    return np.asarray(marked(labels, joined[joined > 0].tolist()) | (arm > 0), dtype=np.uint8)


def _things(left: Mask, change: TableChange) -> NDArray[np.int32]:
    """The things of a view, a picture of labels, 0 where none is: pieces near each other, or across a wall, are one.
    Only what lies round about anything is looked at: an arm is a part of the view."""
    labels = np.zeros(left.shape, np.int32)
    here = part_round(left, _across_walls(change) + round(_JOINED_MM * VIEW_PX_PER_MM) + 1)
    if here is None:
        return labels
    # pieces are numbered in the order of squares of two pixels a side
    here = slice(here[0].start // 2 * 2, here[0].stop), slice(here[1].start // 2 * 2, here[1].stop)
    whole = np.asarray(left[here] | _over_walls(left[here], change, here), dtype=np.uint8)
    _, found = cv2.connectedComponents(_widened(whole, _JOINED_MM))
    np.multiply(found, whole, out=labels[here])
    return labels


def _over_walls(left: Mask, change: TableChange, here: Part) -> Mask:
    """What is not compared with the empty table, walls above all, between things on both sides of it; of a part of the
    view."""
    size = _across_walls(change)
    closed = cv2.morphologyEx(left, cv2.MORPH_CLOSE, np.ones((size, size), np.uint8))
    return np.asarray(np.asarray(closed, np.uint8) & (1 - change.table.valid[here]), dtype=np.uint8)


def _across_walls(change: TableChange) -> int:
    """How many pixels of the view lie between things on both sides of a wall, at most."""
    return 2 * round(change.table.strip_mm * VIEW_PX_PER_MM / 2) + 3


def _widened(mask: Mask, by_mm: float) -> Mask:
    size = 2 * round(by_mm * VIEW_PX_PER_MM) + 1
    return np.asarray(cv2.dilate(mask, np.ones((size, size), np.uint8)), dtype=np.uint8)
