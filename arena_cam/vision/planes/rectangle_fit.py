"""One rectangle of a card's size fitted to what is seen along all its sides at once.

`side_search` asks each half of a side by itself for one plain step. A back has two, its outer side and the inner one of
its rim, 2.5 to 5 mm apart. Only one choice at all four sides makes a rectangle of a card's size, and it is the card.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from arena_cam.geometry.arrays import Array
from arena_cam.geometry.camera_model import Camera
from arena_cam.geometry.card_pose import CardPose
from arena_cam.vision.planes.side_search import TURNS_MM, side_strengths

_REACH_MM = 6.0  # a card laid by one of its corners was off by up to 5 mm at another
_TURNS_DEG = np.arange(-4.0, 4.01, 1.0)
# Half a side is seen from 1 on. A step of more than three times the least that is plain, a frame's, says no more.
_PLAINLY = 3.0
# The size is known to 3 %: a plane fitted to one card is so far off beside it. What a standard deviation costs, and
# what a millimetre or a degree, so that of equal rectangles the nearest is taken; in halves of a side.
_SIZE_SD, _OFF_SIZE, _OFF_MM, _OFF_DEG = 0.03, 1.0, 0.03, 0.01


@dataclass(frozen=True, eq=False)
class FittedRectangle:
    """A card's pose on the floor, the size that it seems to have there, and how many of the eight halves of its sides
    are seen."""

    pose: CardPose
    size_mm: tuple[float, float]
    halves: int


def fit_rectangle(
    grey: NDArray[np.float32], camera: Camera, pose: CardPose, card_mm: tuple[float, float]
) -> FittedRectangle:
    """The rectangle of about `card_mm` near `pose` whose sides `grey` (H, W) shows best."""
    flat = CardPose(pose.R, pose.centre_mm * [1.0, 1.0, 0.0])
    offsets, strengths = side_strengths(grey, camera, flat, card_mm, _REACH_MM)
    fits = [_fit(_turned(strengths, offsets, float(turn), card_mm), offsets, card_mm) for turn in _TURNS_DEG]
    scores = [fit.score - _OFF_DEG * turn**2 for fit, turn in zip(fits, _TURNS_DEG, strict=True)]
    n = int(np.argmax(scores))
    top, right, bottom, left = (float(out) for out in fits[n].out_mm)
    x, y = (flat.centre_mm + flat.R @ np.array([(right - left) / 2, (top - bottom) / 2, 0.0]))[:2]
    turned = CardPose.flat(float(x), float(y), flat.angle_deg + float(_TURNS_DEG[n]))
    return FittedRectangle(turned, (card_mm[0] + right + left, card_mm[1] + top + bottom), fits[n].halves)


@dataclass(frozen=True, eq=False)
class _Fit:
    """How far out (4,) each side lies, how well that fits, and how many halves of sides are seen there."""

    out_mm: Array
    score: float
    halves: int


def _turned(strengths: Array, offsets: Array, turn_deg: float, card_mm: tuple[float, float]) -> Array:
    """How strong a step is where the card is turned by so much and the middle of its side `offsets` (M,) farther out:
    (8, M)."""
    width, height = card_mm
    found = []
    for half, long in enumerate(np.repeat([width, height, width, height], 2)):
        ahead = long / 4 * np.tan(np.radians(turn_deg))  # of the middle of half a side, a quarter of it ahead
        row = strengths[half, np.abs(TURNS_MM - ahead).argmin()]
        found.append(np.interp(offsets + (ahead if half % 2 else -ahead), offsets, row, 0.0, 0.0))
    return np.array(found)


def _fit(strengths: Array, offsets: Array, card_mm: tuple[float, float]) -> _Fit:
    """The best offsets of the four sides of a card turned as it is, opposite ones so far apart as the size says."""
    said = np.minimum(strengths, _PLAINLY)
    score, at = 0.0, np.zeros(4, int)
    for first, apart in ((0, card_mm[1]), (1, card_mm[0])):
        one, other = (said[2 * side] + said[2 * side + 1] for side in (first, first + 2))
        grown = (offsets[:, None] + offsets) / (_SIZE_SD * apart)
        moved = (offsets[:, None] - offsets) / 2
        both = one[:, None] + other - _OFF_SIZE * grown**2 - _OFF_MM * moved**2
        i, j = np.unravel_index(int(both.argmax()), both.shape)
        at[first], at[first + 2] = i, j
        score += float(both[i, j])
    return _Fit(offsets[at], score, int((strengths[np.arange(8), np.repeat(at, 2)] >= 1.0).sum()))
