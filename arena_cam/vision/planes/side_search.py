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
TURNS_MM = np.arange(-1.5, 1.51, 0.5)  # by which one end of half a side lies farther out than its middle
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
    if not poses:
        return []
    sides, offsets = _Sides.of(poses, card_mm), _offsets(reach_mm)
    levels = sides.levels(grey, camera, offsets)
    seen, off, turn = _lines(levels, offsets, reach_mm)
    ends = off[:, None] + turn[:, None] * np.linspace(-1.0, 1.0, _POINTS)[[1, -2]]
    along = sides.t.reshape(-1, _POINTS)[:, [1, -2]]
    two = (len(sides.t), len(_HALVES), 2)
    at = [sides.points(along.reshape(two), ends.reshape(two) + out).reshape(-1, 2, 2)[seen] for out in (0.0, 1.0)]
    pixels, beyond = (camera.project(_on_floor(each)).reshape(-1, 2, 2) for each in at)
    across = (beyond - pixels) / np.linalg.norm(beyond - pixels, axis=2, keepdims=True)
    return [
        SeenSide(int(n) // HALVES, int(n) % HALVES // 2, int(n) % 2, along[n], pixels[k], across[k], float(off[n]))
        for k, n in enumerate(np.flatnonzero(seen))
    ]


def side_strengths(
    grey: NDArray[np.float32], camera: Camera, pose: CardPose, card_mm: tuple[float, float], reach_mm: float
) -> tuple[Array, Array]:
    """Offsets outwards (M,) in mm to `reach_mm` and beyond, and how strong a step `grey` (H, W) shows so far out of
    each half of the card's sides, with one end of it farther out by each of TURNS_MM: (8, 7, M), in steps that are just
    plain; 0 outside the picture."""
    offsets = _offsets(reach_mm)
    levels = _Sides.of([pose], card_mm).levels(grey, camera, offsets)
    kept = np.asarray(np.isfinite(levels).all(axis=2))
    enough = kept.sum(axis=1) >= _POINTS / 2
    return offsets[1:-1], _strengths(levels, kept) * (enough / _least_plain(levels))[:, None, None]


def _offsets(reach_mm: float) -> Array:
    return np.arange(-reach_mm - 2.0, reach_mm + 2.01, _STEP_MM)


@dataclass(frozen=True, eq=False)
class _Sides:
    """The sides of cards: where they begin, `start` (S, 2), the way to their ends, `span` (S, 2), the unit vectors
    outwards, `out` (S, 2), and where on them is looked, `t` (S, 24), 0..1, the first half before the second."""

    start: Array
    span: Array
    out: Array
    t: Array

    @staticmethod
    def of(poses: Sequence[CardPose], card_mm: tuple[float, float]) -> _Sides:
        corners = np.array([pose.corners(*card_mm)[:, :2] for pose in poses])
        span = (np.roll(corners, -1, axis=1) - corners).reshape(-1, 2)
        long = np.hypot(*span.T)
        clear = (_ROUND_CORNER_MM / long)[:, None]
        share = np.linspace(0.0, 1.0, _POINTS)
        t = [(np.maximum(s, clear), np.minimum(e, 1.0 - clear)) for s, e in _HALVES]
        out = np.column_stack([-span[:, 1], span[:, 0]]) / long[:, None]  # corners run clockwise, so out is to the left
        return _Sides(corners.reshape(-1, 2), span, out, np.concatenate([s + share * (e - s) for s, e in t], axis=1))

    def levels(self, grey: NDArray[np.float32], camera: Camera, offsets: Array) -> Array:
        """The grey levels (halves, along, across) at `offsets` (across,) outwards; not finite outside the picture."""
        points = self.points(self.t[:, :, None], offsets[None, None, :])
        return sample_at(grey, camera.project(_on_floor(points)).T).reshape(-1, _POINTS, len(offsets))

    def points(self, t: Array, out_mm: Array) -> Array:
        """Points (S, ..., 2) of each side at `t` along it and so far out; both (S or 1, ...)."""
        start, span, out = (each[:, None, None] for each in (self.start, self.span, self.out))
        return np.asarray(start + t[..., None] * span + out_mm[..., None] * out)


def _on_floor(points: Array) -> Array:
    """Points (N, 3) of the plane from points (..., 2) of it."""
    return np.column_stack([points.reshape(-1, 2), np.zeros(points.size // 2)])


def _lines(levels: Array, offsets: Array, reach_mm: float) -> tuple[NDArray[np.bool_], Array, Array]:
    """For each half of a side (N,) whether a step is plain in its `levels` (N, along, across), how far out (mm) it is,
    and how much farther at its end."""
    kept = np.asarray(np.isfinite(levels).all(axis=2))
    enough = kept.sum(axis=1) >= _POINTS / 2
    strength = _strengths(levels, kept)
    middle, halves = offsets[1:-1], np.arange(len(levels))
    near = np.abs(middle) <= reach_mm
    likely = strength * np.exp(-0.5 * (middle / (_TRUST * max(reach_mm, 1.0))) ** 2) * near
    turn_at, at = np.divmod(likely.reshape(len(levels), -1).argmax(axis=1), len(middle))
    peak = strength[halves, turn_at, at]
    apart = near & (np.abs(middle - middle[at][:, None]) > _BESIDE_MM)
    beside = np.where(apart, strength.max(axis=1), 0.0).max(axis=1)
    least = _least_plain(levels)
    before = strength[halves, turn_at, at - 1]
    after = strength[halves, turn_at, np.minimum(at + 1, len(middle) - 1)]
    bend = before - 2 * peak + after
    between = np.where(bend < 0, 0.5 * (before - after) / np.where(bend < 0, bend, 1.0), 0.0)
    seen = enough & (peak >= least) & (peak >= _MORE * beside)
    return seen, middle[at] + np.clip(between, -0.5, 0.5) * _STEP_MM, TURNS_MM[turn_at]


def _least_plain(levels: Array) -> Array:
    """How many grey levels a step must be to be plain, in each half's `levels` (N, along, across)."""
    return least_step(np.where(np.isfinite(levels), levels, 0.0).max(axis=(1, 2)))


def least_step(lightest: Array | float) -> Array:
    """How many grey levels a step beside so light a side must be to be a sheet's border."""
    return np.asarray(np.maximum(_LEAST_LEVELS, _LEAST_SHARE * lightest))


def _strengths(levels: Array, kept: NDArray[np.bool_]) -> Array:
    """How many grey levels the step is on average along each line that a side may be: (N, turns, across - 2), where
    lines of points that are `kept` (N, along) count."""
    steps = np.where(kept[:, :, None], levels[:, :, 2:] - levels[:, :, :-2], 0.0)
    shifts = np.round(TURNS_MM[:, None] * np.linspace(-1.0, 1.0, _POINTS) / _STEP_MM).astype(int)
    columns = np.arange(steps.shape[2])
    shifted = np.clip(columns + shifts[:, :, None], 0, len(columns) - 1)
    total = steps[:, np.arange(_POINTS)[:, None], shifted].sum(axis=2)
    return np.asarray(np.abs(total) / np.maximum(kept.sum(axis=1), 1)[:, None, None])
