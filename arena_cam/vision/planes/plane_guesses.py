"""Where the plane of a photograph's cards may be, the likeliest first; and photographs too small to ask."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from arena_cam.camera.frame import Frame
from arena_cam.domain.doubts import Doubt
from arena_cam.domain.lies import Unreadable
from arena_cam.geometry.arrays import Array
from arena_cam.vision.planes.card_plane import CardPlane, find_planes
from arena_cam.vision.planes.outline_corners import Corners

_SMALLEST_PHOTOGRAPH_PX = 40  # a card of this height shows no index
_MOST_PLANES = 4
_LEAST_SUPPORT = 2.5
_ALIKE_DEG, _ALIKE_SCALE = 5.0, 0.05


@dataclass(frozen=True, eq=False)
class PlaneGuess:
    """A plane, and a pixel in the middle of what speaks for it."""

    plane: CardPlane
    middle_px: Array


def too_small(frame: Frame) -> Unreadable | None:
    """What is wrong with a photograph too small to tell a card in; None for a larger one."""
    height, width = frame.image_bgr.shape[:2]
    if min(height, width) >= _SMALLEST_PHOTOGRAPH_PX:
        return None
    return Unreadable(
        frame.name,
        frame.time_s,
        (Doubt.SMALL_PHOTOGRAPH(size=f"{width} x {height}"),),
        Doubt.LARGER_PHOTOGRAPH(least_px=_SMALLEST_PHOTOGRAPH_PX),
    )


def likeliest_planes(found: Sequence[Corners], K: Array, card_mm: tuple[float, float]) -> list[PlaneGuess]:
    """The planes with most support, each unlike those before."""
    guesses = [
        PlaneGuess(plane, np.median(corners.at, axis=0))
        for corners in found
        for plane in find_planes(corners, K, card_mm)
    ]
    kept: list[PlaneGuess] = []
    for guess in sorted(guesses, key=lambda g: -g.plane.support):
        if guess.plane.support < _LEAST_SUPPORT or len(kept) == _MOST_PLANES:
            break
        if all(_differ(guess.plane, other.plane) for other in kept):
            kept.append(guess)
    return kept


def _differ(a: CardPlane, b: CardPlane) -> bool:
    turn = np.degrees(np.arccos(min(1.0, float(a.normal @ b.normal) * a.distance_mm * b.distance_mm)))
    return bool(turn > _ALIKE_DEG or abs(np.log(a.distance_mm / b.distance_mm)) > _ALIKE_SCALE)
