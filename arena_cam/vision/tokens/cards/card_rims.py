"""Whether a card ends where it is said to: along its rim the picture must change."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from arena_cam.vision.tokens.view.top_view import TopView

Floats = NDArray[np.float64]

STEP_MM, ASIDE_MM = 3.0, 1.5
CHANGE = 16.0  # grey levels between both sides of a rim: noise of a blurred pixel is 2 to 4
LEAST_POINTS = 8


def rim_points(size_mm: tuple[float, float], corner_mm: float) -> tuple[Floats, Floats]:
    """Points (N, 2) along the straight parts of a card's rim, in mm from its middle, and the ways out (N, 2) there."""
    points, ways = [], []
    for axis in (0, 1):
        half, across = size_mm[axis] / 2 - corner_mm - 1.0, size_mm[1 - axis] / 2
        along = np.arange(-half, half + 1e-6, STEP_MM)
        for side in (-1.0, 1.0):
            both = (along, np.full_like(along, side * across))
            points.append(np.column_stack(both if axis == 0 else both[::-1]))
            way = np.array([0.0, side]) if axis == 0 else np.array([side, 0.0])
            ways.append(np.tile(way, (len(along), 1)))
    return np.concatenate(points), np.concatenate(ways)


def rim_share(
    view: TopView, motion: Floats, rim: tuple[Floats, Floats], free: NDArray[np.bool_], origin_mm: Floats
) -> float:
    """The share of the rim's free points at which the picture changes; 1 where hardly any is free.

    `free` (h, w) at 1 px/mm from `origin_mm`: where neither another card nor a token is known to lie.
    """
    points, ways = rim
    sides = []
    usable = np.ones(len(points), bool)
    for aside in (-ASIDE_MM, ASIDE_MM):
        mm = (points + aside * ways) @ motion[:, :2].T + motion[:, 2]
        at = np.round(view.at(mm)).astype(int)
        last = np.array(view.inside.shape[::-1]) - 1
        usable &= ((at >= 0) & (at <= last)).all(axis=1)
        at = np.clip(at, 0, last)
        cell = np.clip(np.round(mm - origin_mm - 0.5).astype(int), 0, np.array(free.shape[::-1]) - 1)
        usable &= view.inside[at[:, 1], at[:, 0]] & free[cell[:, 1], cell[:, 0]]
        sides.append(view.pixels[at[:, 1], at[:, 0]])
    if np.count_nonzero(usable) < LEAST_POINTS:
        return 1.0
    change = np.abs(sides[0] - sides[1]).max(axis=1)[usable]
    return float((change > CHANGE).mean())
