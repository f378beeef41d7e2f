"""The compiled functions of straight sides seen from above, with arrays in and arrays out; None where nothing is
compiled."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.geometry.arrays import Array
from arena_cam.vision.kernels.library import compiled, ptr

Mask = NDArray[np.uint8]


@dataclass(frozen=True, eq=False)
class FloorAbove:
    """The floor from above: pixel (column, row) shows (left_mm + column / px_per_mm, top_mm - row / px_per_mm). Masks
    (H, W): where it is `bare`, where that is `known`, where a found card is `claimed` to be seen."""

    left_mm: float
    top_mm: float
    px_per_mm: float
    bare: Mask
    known: Mask
    claimed: Mask

    @property
    def row(self) -> Array:
        return np.array([self.left_mm, self.top_mm, self.px_per_mm])


Slopes = NDArray[np.float32]


def sloping(bgr: Mask, every: int, within: tuple[slice, slice]) -> tuple[Slopes, Slopes, Slopes] | None:
    """How steep a picture (H, W, 3) is, right and down (H, W), in the channel that is steepest there, in levels a
    pixel: told `within` these rows and columns, anything elsewhere; and how steep it is altogether at `every` so many
    pixels both ways of all of it."""
    library = compiled()
    if library is None or min(bgr.shape[:2]) < 3:
        return None
    channels, (height, width) = [np.ascontiguousarray(each) for each in cv2.split(bgr)], bgr.shape[:2]
    right, down = (np.empty((height, width), np.float32) for _ in range(2))
    some = np.empty((-(-height // every), -(-width // every)), np.float32)
    part = np.array([end for each in within for end in (each.start, each.stop)], np.int64)
    done = library.arena_sloping(*map(ptr, channels), height, width, every, ptr(part), ptr(right), ptr(down), ptr(some))
    return (right, down, some) if done else None


def sides_said(
    floor: FloorAbove,
    slopes: tuple[NDArray[np.float32], NDArray[np.float32], float],
    places: Array,
    sides: tuple[Array, Array],
    offs_mm: Array,
    rules: Array,
) -> Array | None:
    """The evidence (N,), in nats, of the sides of cards at `places` (N, 3): x, y (mm) and direction (deg). `slopes`:
    how steep the view is, right and down (H, W), and what noise does. `sides` are places (S, 2) along a card's sides
    and the directions outwards there (S, 2); `offs_mm` (O,): where a side is looked for, across it; `rules` is a row of
    numbers in the order of the compiled twin."""
    library = compiled()
    if library is None:
        return None
    right, down, faint = slopes
    rows = [np.ascontiguousarray(part, np.float64) for part in (*sides, offs_mm, rules)]
    flat, view, nats = _directed(places), floor.row, np.empty(len(places))
    masks = [np.ascontiguousarray(mask) for mask in (right, down, floor.claimed, floor.bare)]
    done = library.arena_sides(
        *(*map(ptr, masks), *right.shape, ptr(view), ptr(flat), len(flat), ptr(rows[0]), ptr(rows[1]), len(rows[0])),
        *(ptr(rows[2]), len(rows[2]), faint, ptr(rows[3]), ptr(nats)),
    )
    return nats if done else None


def bare_under(floor: FloorAbove, places: Array, points: Array) -> tuple[NDArray[np.int64], NDArray[np.int64]] | None:
    """Of the `points` (P, 2) of cards at `places` (N, 3) how many (N,) are seen, and how many of these (N,) show bare
    floor."""
    library = compiled()
    if library is None:
        return None
    flat, view, points = _directed(places), floor.row, np.ascontiguousarray(points, np.float64)
    masks = [np.ascontiguousarray(mask) for mask in (floor.known, floor.claimed, floor.bare)]
    seen, bare = np.empty(len(flat), np.int64), np.empty(len(flat), np.int64)
    done = library.arena_bare_under(
        *(*map(ptr, masks), *floor.bare.shape, ptr(view), ptr(flat), len(flat), ptr(points), len(points)),
        *(ptr(seen), ptr(bare)),
    )
    return (seen, bare) if done else None


def _directed(places: Array) -> Array:
    """Places (N, 4): x, y, and cosine and sine of the direction."""
    angle = np.radians(places[:, 2])
    return np.stack([places[:, 0], places[:, 1], np.cos(angle), np.sin(angle)], axis=1)


def lying_alone(ends: Array, most: int, near_mm: float, beyond_mm: float) -> NDArray[np.int64] | None:
    """The numbers of the segments `ends` (N, 2, 2), the longest first, that lie on none taken before, within `near_mm`
    across it and `beyond_mm` of its ends; `most` of them."""
    library = compiled()
    if library is None:
        return None
    ends, kept = np.ascontiguousarray(ends), np.empty(most, np.int64)
    lengths = np.hypot(*(ends[:, 1] - ends[:, 0]).T)
    count = library.arena_once(ptr(ends), ptr(lengths), len(ends), most, near_mm, beyond_mm, ptr(kept))
    return kept[:count] if count >= 0 else None
