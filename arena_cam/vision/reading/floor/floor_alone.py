"""What lies on the arena's floor and is none of the cards found, told without a picture of the empty arena.

The floor is what most of the inside shows: its colour is the median, its pattern and the light across it are the
spread about that. What is unlike it by much more and lies apart from every card found is something unknown: a hand, or
cards of another deck, or face down where the deck has no back. This is coarser than a comparison with the empty arena:
less than half a card, and what has the floor's colour, is not noticed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.geometry.arrays import Array
from arena_cam.geometry.camera_model import Camera
from arena_cam.vision.picture.channels import greatest
from arena_cam.vision.picture.robust import counted_median
from arena_cam.vision.reading.floor.table_change import Stranger
from arena_cam.vision.reading.floor.view import drawn_from_above, widened

Mask = NDArray[np.uint8]

PX_PER_MM = 1.0
_WALLS_MM = 4.0  # so far from a wall its shadow and the blur of its edge reach
_CARDS_MM = 6.0  # round a card that was found, its shadow and what its pose is off by
# Unlike the floor is what is farther from its median colour than that many times the floor's spread, and than so many
# grey levels: a median absolute deviation is 0.67 standard deviations, and of a floor of one colour it is next to none.
_SPREADS, _LEVELS = 6.0, 24.0
_OPENED_MM = 5.0  # fringes and specks that are thinner are no part of a thing
_OF_CARD = 0.5  # of a card at least, for light that falls through a window and a glossy spot are smaller, mostly


def things_on_floor(
    view: NDArray[np.uint8], camera: Camera, half_mm: tuple[float, float], card_mm2: float, outlines_px: Sequence[Array]
) -> list[Stranger]:
    """Things of half a card of `card_mm2` or more on the floor, apart from the cards found.

    `view` (H, W, 3), PX_PER_MM fine, shows the floor `half_mm` from its middle each way, from above; `outlines_px`
    (4, 2) are the cards in the whole picture that `camera` took.
    """
    odd = _unlike_the_floor(view)
    odd &= 1 - _cards(outlines_px, camera, half_mm, odd.shape)
    size = round(_OPENED_MM * PX_PER_MM)
    odd = np.asarray(cv2.morphologyEx(odd, cv2.MORPH_OPEN, np.ones((size, size), np.uint8)), np.uint8)
    contours, _ = cv2.findContours(odd, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    things = (_thing(contour, number, half_mm) for number, contour in enumerate(contours, 1))
    return [thing for thing in things if thing.area_mm2 > _OF_CARD * card_mm2]


def compared_part(inner_mm: tuple[float, float]) -> tuple[float, float]:
    """How far from the middle (mm) the floor of an arena of `inner_mm` is looked at: not where its walls' edges are."""
    return inner_mm[0] / 2 - _WALLS_MM, inner_mm[1] / 2 - _WALLS_MM


def _unlike_the_floor(view: NDArray[np.uint8]) -> Mask:
    """Where (H, W) the view (H, W, 3) shows a colour that the floor has nowhere."""
    smooth = cv2.GaussianBlur(view, (0, 0), 1.5 * PX_PER_MM)
    levels, unlike = np.arange(256.0), np.empty((1, 256, 3), np.uint8)
    for channel in range(3):
        counts = cv2.calcHist([smooth], [channel], None, [256], [0, 256]).ravel()
        away = np.abs(levels - counted_median(levels, counts))
        unlike[0, :, channel] = away > max(_SPREADS * counted_median(away, counts), _LEVELS)
    return greatest(np.asarray(cv2.LUT(smooth, unlike), np.uint8))


def _cards(outlines_px: Sequence[Array], camera: Camera, half: tuple[float, float], shape: tuple[int, ...]) -> Mask:
    """Where (H, W) of the view cards were found, with what is round them."""
    drawn = drawn_from_above(outlines_px, camera, half, PX_PER_MM, shape, 0.0)
    return widened(drawn, _CARDS_MM, PX_PER_MM)


def _thing(contour: NDArray[Any], number: int, half: tuple[float, float]) -> Stranger:
    """The thing within a contour of the view."""
    (column, row), sides_px, _ = cv2.minAreaRect(contour)
    short, long = sorted(side / PX_PER_MM for side in sides_px)
    centre = column / PX_PER_MM - half[0], half[1] - row / PX_PER_MM
    return Stranger(cv2.contourArea(contour) / PX_PER_MM**2, centre, number, (long, short))
