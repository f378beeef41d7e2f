"""Whether a card ends where it is said to: along its rim the picture must change."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from arena_cam.vision.kernels.card_calls import outline_steps, rim_changes
from arena_cam.vision.tokens.view.top_view import TopView, held

Floats = NDArray[np.float64]
Grey = NDArray[np.float32]
Mask = NDArray[np.bool_]

STEP_MM, ASIDE_MM = 3.0, 1.5
CHANGE = 16.0  # grey levels between both sides of a rim: noise of a blurred pixel is 2 to 4
LEAST_POINTS = 8
FULL_STEP = 24.0  # grey levels a mm across a side: more proves no more


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
    compiled = rim_changes(view.as_compiled, (free, origin_mm), rim, motion, (ASIDE_MM, CHANGE))
    if compiled is not None:
        return compiled[1] / compiled[0] if compiled[0] >= LEAST_POINTS else 1.0
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


@dataclass(frozen=True, eq=False)
class SeenSlopes:
    """Slopes of the table from above, `along` x and `down` y (h, w) in grey levels a pixel, from `origin_mm` on; what
    is `inside` the photograph (h, w): if it is None the slopes at its border go on."""

    along: Grey
    down: Grey
    origin_mm: Floats
    px_per_mm: float
    inside: Mask | None = None


@dataclass(frozen=True, eq=False)
class TriedOutlines:
    """Of S places: `clear` (S,), the mean step across the open outline, each counted up to 1; `steep` (S,), that of
    steps s as s / (1 + s), which tells apart what is all edges; `count` (S,): how many points are open."""

    clear: Floats
    steep: Floats
    count: NDArray[np.int64]


def tried_outlines(
    slopes: SeenSlopes, outline: tuple[Floats, Floats], shifts: Floats, free: Mask, free_origin_mm: Floats
) -> TriedOutlines:
    """An outline, points (N, 2) on the table in mm and the ways out (N, 2) there, moved by each of the `shifts` (S, 2).

    `free` (h, w) at 1 px/mm from `free_origin_mm`: where neither another card nor a token is known to lie."""
    full = FULL_STEP / slopes.px_per_mm  # a pixel
    numbers = np.array([*slopes.origin_mm, slopes.px_per_mm, *free_origin_mm, full])
    compiled = outline_steps((slopes.along, slopes.down, slopes.inside), free, numbers, outline, shifts)
    if compiled is not None:
        return TriedOutlines(*compiled)
    at = outline[0][None] + shifts[:, None]  # (S, N, 2)
    is_open, _ = held(free, at - free_origin_mm - 0.5)
    known, cell = held(slopes.inside, (at - slopes.origin_mm) * slopes.px_per_mm - 0.5, slopes.along.shape)
    is_open &= known
    there = (each[cell[..., 1], cell[..., 0]].astype(np.float64) for each in (slopes.along, slopes.down))
    steps = np.abs(sum(each * way for each, way in zip(there, outline[1].T, strict=True))) / full
    count = is_open.sum(axis=1)
    clear, steep = (
        (each * is_open).sum(axis=1) / np.maximum(count, 1) for each in (np.minimum(steps, 1.0), steps / (1.0 + steps))
    )
    return TriedOutlines(clear, steep, count)
