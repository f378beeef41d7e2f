"""The arm that reaches in over the picture's border, by its own colour: what it covers of cards is not in view.

Light and the roundness of an arm change how bright it is, and hardly its hue. What comes in over the border is a sleeve
or skin, and out of a sleeve comes skin: each goes on as far as its hue does, to its own edge.
"""

from __future__ import annotations

from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.geometry.arrays import Array
from arena_cam.vision.picture.channels import summed
from arena_cam.vision.picture.components import components
from arena_cam.vision.picture.robust import median
from arena_cam.vision.reading.floor.floor_comparison import logarithms
from arena_cam.vision.reading.floor.table_change import VIEW_PX_PER_MM, TableChange
from arena_cam.vision.reading.floor.view import GUESS_HEIGHT_MM, widened

Grid = NDArray[np.float32]
Mask = NDArray[np.uint8]
Numbers = NDArray[np.intp]

# Logarithms of grey levels. A hue may differ by so much within one cloth or skin, or three times as much as it does for
# half of what is seen of it at the border; skin reddens towards the finger tips.
_HUE, _SKIN_HUE, _SCATTERS = 0.07, 0.09, 3.0
# A round arm is less than half as bright at its sides as in its middle (0.36 darker), and a little brighter nowhere.
_DARKER, _BRIGHTER = 0.5, 0.3
_EDGE = 0.16  # within 3 mm: two things meet there, or folds and shading would be as steep as an edge
_WALLS = 0.1  # walls are compared with the empty picture, where the camera may have moved by a little
# Of human skin red to green and green to blue, in white light: melanin and blood take blue most, then green.
_SKIN_RED, _SKIN_GREEN = (0.11, 0.6), (0.045, 0.5)
_STEP = 0.045
_LEAST_SEED_MM2, _LEAST_SKIN_MM2 = 100.0, 60.0
_CUFF_MM = 9.0  # the edge and the shadow of a sleeve's end
_FINGER_MM = 7.0  # what is thinner is no part of a hand: print of that hue, the edges of walls
_RIM_MM = 2.0  # of the arm: its hue is mixed with that of what lies beneath


def arm_in_view(change: TableChange, view: NDArray[np.uint8], rim: Mask, white: Array, least_mm2: float) -> Mask | None:
    """Where (H, W) an arm larger than `least_mm2` covers table and arena in the `view` (H, W, 3) of a picture whose
    `white` (3,) has that colour; None where none comes in over the picture's `rim` (H, W)."""
    at_rim = np.asarray(rim & change.odd, np.uint8)
    if cv2.countNonZero(at_rim) < _LEAST_SEED_MM2 * VIEW_PX_PER_MM**2:
        return None  # as in most pictures: no hue need be asked for
    seen = _Seen(change, logarithms(view), white)
    seeds = at_rim & seen.even
    found = components(seeds)
    arms = [
        seen.from_seed(np.flatnonzero(found.labels == label), _HUE)
        for label in range(1, len(found.areas))
        if found.areas[label] >= _LEAST_SEED_MM2 * VIEW_PX_PER_MM**2
    ]
    if not arms:
        return None
    at_border, hue = max(arms, key=lambda arm: cv2.countNonZero(arm[0]))
    skin = at_border if _is_skin(*hue) else seen.skin_beside(at_border)
    if not _is_there(skin, change):
        return None
    whole = at_border | skin
    size = (round(_FINGER_MM * VIEW_PX_PER_MM),) * 2
    ellipse = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, size)
    closed = cv2.morphologyEx(whole, cv2.MORPH_CLOSE, ellipse)
    arm = widened(np.asarray(cv2.morphologyEx(closed, cv2.MORPH_OPEN, ellipse), np.uint8), _RIM_MM, VIEW_PX_PER_MM)
    return arm if cv2.countNonZero(arm) > least_mm2 * VIEW_PX_PER_MM**2 else None


def _is_there(skin: Mask, change: TableChange) -> bool:
    """Whether what has the hue of skin (H, W) is as large as a hand's part, and shows something that the empty table
    does not, and no soft shadow either: what came over the border without a hand are cards."""
    compared = skin & change.table.valid
    area = cv2.countNonZero(compared)
    return area > _LEAST_HAND_MM2 * VIEW_PX_PER_MM**2 and cv2.countNonZero(compared & change.odd) > _ODD * area


# Three fingers. Of 70 hands on drawn pictures all but two, which lay on wood of their own hue, showed 0.2 or more, dark
# ones on wood least; cards in shade and a floor in soft shadow show none.
_LEAST_HAND_MM2, _ODD = 2500.0, 0.15


def of_picture(arm: Mask, change: TableChange, shape: tuple[int, ...], step: int) -> Mask:
    """An arm (H, W) in a view from above as a mask (h, w) of that `shape` in 1/`step` of the picture. The view is finer
    than that mask: no cell of it is left out."""
    row, column = np.divmod(np.flatnonzero(arm > 0), arm.shape[1])  # in a tenth of the time of np.nonzero
    x_mm, y_mm = column / VIEW_PX_PER_MM - change.table.half_mm[0], change.table.half_mm[1] - row / VIEW_PX_PER_MM
    pixels = change.camera.project(np.stack([x_mm, y_mm, np.full(row.size, GUESS_HEIGHT_MM)], axis=1))
    at = np.round(pixels / step).astype(np.intp)
    inside = (at >= 0).all(axis=1) & (at[:, 0] < shape[1]) & (at[:, 1] < shape[0])
    mask = np.zeros(shape, np.uint8)
    mask[at[inside, 1], at[inside, 0]] = 1
    return np.asarray(cv2.morphologyEx(mask, cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8)), np.uint8)


class _Seen:
    """A view: how `bright` (H, W) it is, where it is `even`, and where something may lie that the empty table does not
    show, `passable`."""

    def __init__(self, change: TableChange, now: Grid, white: Array) -> None:
        """`now` (H, W, 3): the logarithms of the view's levels."""
        self._now, self._of_white = now.reshape(-1, 3), np.log(white)
        self.bright = np.asarray(summed(now) / np.float32(3.0), np.float32)  # 8 ms sooner than a mean over three
        steepness = cv2.morphologyEx(self.bright, cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8))
        self.even: Mask = np.asarray(steepness < _EDGE, np.uint8)
        on_walls = change.table.unlike_on_walls(now, change.light, _WALLS)
        self.passable: Mask = np.asarray((change.changed | on_walls) & self.even, np.uint8)

    def hues(self, at: Numbers) -> tuple[Grid, Grid]:
        """Red to green and green to blue (N,), in white light, of the pixels with the numbers `at` (N,): most of a view
        is never asked about."""
        blue, green, red = self._now.take(at, axis=0).T
        of_white = self._of_white
        return red - green - np.float32(of_white[2] - of_white[1]), green - blue - np.float32(of_white[1] - of_white[0])

    @cached_property
    def _where_passable(self) -> tuple[Numbers, Grid, Grid, Grid]:
        """The numbers of the passable pixels (N,), their hues, and how bright they are."""
        at = np.flatnonzero(self.passable.view(np.bool_))
        return (at, *self.hues(at), self.bright.take(at))

    def from_seed(self, seed: Numbers, most: float) -> tuple[Mask, tuple[float, float]]:
        """What (H, W) goes on from a seed, pixels by their numbers (N,), in its hue, which may differ by `most`, and
        that hue."""
        of_seed = self.hues(seed)
        red, green, bright = (median(of) for of in (*of_seed, self.bright.take(seed)))
        scatter = median(np.maximum(np.abs(of_seed[0] - red), np.abs(of_seed[1] - green)))
        at, reds, greens, lit = self._where_passable
        within = np.maximum(np.abs(reds - red), np.abs(greens - green)) < max(most, _SCATTERS * scatter)
        within &= (lit > bright - _DARKER) & (lit < bright + _BRIGHTER)
        may_be = np.zeros(self.passable.shape, np.uint8)
        may_be.ravel()[at] = within
        labels = np.asarray(cv2.connectedComponents(may_be, connectivity=4)[1], np.int32)
        reached = np.bincount(labels.take(seed), minlength=int(labels.max()) + 1) > 0
        reached[0] = False
        found = np.zeros(self.passable.shape, np.uint8)
        found.ravel()[at] = reached[labels.take(at)]
        return found, (red, green)

    def skin_beside(self, sleeve: Mask) -> Mask:
        """The hand (H, W) that comes out of a sleeve: what goes on in the hue of skin that is seen most beside it."""
        beside = widened(sleeve, _CUFF_MM, VIEW_PX_PER_MM) & (1 - sleeve) & self.passable
        at = np.flatnonzero(beside.view(np.bool_))
        reds, greens = self.hues(at)
        skin = np.asarray(_is_skin(reds, greens), np.bool_)
        if np.count_nonzero(skin) < _LEAST_SKIN_MM2 * VIEW_PX_PER_MM**2:
            return np.zeros_like(sleeve)
        at, reds, greens = at[skin], reds[skin], greens[skin]
        steps = [np.arange(low, high + _STEP, _STEP) for low, high in (_SKIN_RED, _SKIN_GREEN)]
        counts, of_red, of_green = np.histogram2d(reds, greens, bins=steps)
        most = np.unravel_index(int(counts.argmax()), counts.shape)
        red, green = of_red[most[0]] + _STEP / 2, of_green[most[1]] + _STEP / 2
        seed = (np.abs(reds - red) < _STEP) & (np.abs(greens - green) < _STEP)
        return self.from_seed(at[seed], _SKIN_HUE)[0]


def _is_skin(red: float | Grid, green: float | Grid) -> bool | NDArray[np.bool_]:
    reds = (np.asarray(red) > _SKIN_RED[0]) & (np.asarray(red) < _SKIN_RED[1])
    return np.asarray(reds & (np.asarray(green) > _SKIN_GREEN[0]) & (np.asarray(green) < _SKIN_GREEN[1]))
