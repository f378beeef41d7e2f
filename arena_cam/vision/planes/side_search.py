"""Where the sides of cards are seen, near where they are thought: half a side at a time, for cards cover each other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from arena_cam.geometry.arrays import Array
from arena_cam.geometry.camera_model import Camera
from arena_cam.geometry.card_pose import CardPose
from arena_cam.vision.picture.sampling import sample_at

_ROUND_CORNER_MM = 6.0
_STEP_MM, _POINTS = 0.5, 12  # across a side, and along half of it
_TURNS_MM = np.arange(-1.5, 1.51, 0.5)  # by which one end of half a side lies farther out than its middle
_HALVES = ((0.0, 0.5), (0.5, 1.0))
# A side is a step in brightness, averaged along it: of so many grey levels and this part of the light, and more than
# any beside it by this factor. A cloth's weave averages out, and so do the pips near a side.
_LEAST_LEVELS, _LEAST_SHARE, _MORE, _BESIDE_MM = 6.0, 0.04, 1.25, 1.5
_TRUST = 0.7  # of the reach: where a step is looked for first
HALVES = 8  # of a card


@dataclass(frozen=True, eq=False)
class SeenSide:
    """Half a side of a card, as it is seen: two points of it, and what a pose says of them.

    `card` and `side` (0..3, from the top clockwise) number it; `along` (2,): where on the side the points are, 0..1;
    `seen_px` (2, 2): where they are seen; `across_px` (2, 2): the unit vectors in which that says something.
    `off_mm`: how far out they are on average.
    """

    card: int
    side: int
    half: int
    along: Array
    seen_px: Array
    across_px: Array
    off_mm: float


def find_sides(
    grey: NDArray[np.float32], camera: Camera, poses: Sequence[CardPose], card_mm: tuple[float, float], reach_mm: float
) -> list[SeenSide]:
    """The halves of the cards' sides that `grey` (H, W) shows within `reach_mm` of where the poses have them."""
    found: list[SeenSide] = []
    offsets = np.arange(-reach_mm - 2.0, reach_mm + 2.01, _STEP_MM)
    for card, pose in enumerate(poses):
        corners = pose.corners(*card_mm)[:, :2]
        for side, (a, b) in enumerate(zip(corners, np.roll(corners, -1, axis=0), strict=True)):
            found += _of_side(grey, camera, (card, side), a, b, offsets, reach_mm)
    return found


def _of_side(
    grey: NDArray[np.float32],
    camera: Camera,
    number: tuple[int, int],
    a: Array,
    b: Array,
    offsets: Array,
    reach_mm: float,
) -> list[SeenSide]:
    long = float(np.hypot(*(b - a)))
    unit = (b - a) / long
    out = np.array([-unit[1], unit[0]])  # corners run clockwise, so out is to the left
    clear = _ROUND_CORNER_MM / long
    t = np.concatenate([np.linspace(max(s, clear), min(e, 1.0 - clear), _POINTS) for s, e in _HALVES])
    points = a + t[:, None, None] * (b - a) + offsets[None, :, None] * out
    pixels = camera.project(np.column_stack([points.reshape(-1, 2), np.zeros(points.size // 2)]))
    levels = sample_at(grey, pixels.T).reshape(points.shape[:2])
    found = []
    for half in range(len(_HALVES)):
        rows = slice(half * _POINTS, (half + 1) * _POINTS)
        line = _line(levels[rows], offsets, reach_mm)
        if line is None:
            continue
        off, turn = line
        along = t[rows][[1, -2]]
        ends = off + turn * np.linspace(-1.0, 1.0, _POINTS)[[1, -2]]
        at = a + along[:, None] * (b - a) + ends[:, None] * out
        both = camera.project(np.column_stack([np.concatenate([at, at + out]), np.zeros(4)]))
        across = both[2:] - both[:2]
        across /= np.hypot(*across.T)[:, None]
        found.append(SeenSide(*number, half, along, both[:2], across, off))
    return found


def _line(levels: Array, offsets: Array, reach_mm: float) -> tuple[float, float] | None:
    """How far out (mm) the plainest step of `levels` (along, across) is, and how much farther at its end."""
    kept = np.isfinite(levels).all(axis=1)
    if kept.sum() < _POINTS / 2:
        return None
    steps = (levels[:, 2:] - levels[:, :-2])[kept]
    tilt = np.linspace(-1.0, 1.0, _POINTS)[kept]
    columns = np.arange(steps.shape[1])
    shifts = np.round(_TURNS_MM[:, None] * tilt / _STEP_MM).astype(int)
    shifted = np.clip(columns + shifts[:, :, None], 0, len(columns) - 1)
    strength = np.abs(steps[np.arange(len(steps))[:, None], shifted].mean(axis=1))
    middle = offsets[1:-1]
    near = np.abs(middle) <= reach_mm
    likely = strength * np.exp(-0.5 * (middle / (_TRUST * max(reach_mm, 1.0))) ** 2) * near
    turn_at, at = np.unravel_index(int(likely.argmax()), likely.shape)
    peak = float(strength[turn_at, at])
    beside = strength.max(axis=0)[near & (np.abs(middle - middle[at]) > _BESIDE_MM)]
    least = max(_LEAST_LEVELS, _LEAST_SHARE * float(np.nanmax(levels)))
    if peak < least or (len(beside) and peak < _MORE * float(beside.max())):
        return None
    row = strength[turn_at]
    before, after = float(row[at - 1]), float(row[min(at + 1, len(row) - 1)])
    bend = before - 2 * peak + after
    between = 0.5 * (before - after) / bend if bend < 0 else 0.0
    return float(middle[at]) + float(np.clip(between, -0.5, 0.5)) * _STEP_MM, float(_TURNS_MM[turn_at])
