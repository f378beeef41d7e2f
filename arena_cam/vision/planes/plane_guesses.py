"""Where the plane of a photograph's cards may be, the likeliest first; and photographs too small to ask."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush

import numpy as np

from arena_cam.camera.frame import Frame
from arena_cam.domain.doubts import Doubt
from arena_cam.domain.lies import Unreadable
from arena_cam.geometry.arrays import Array
from arena_cam.vision.planes.card_plane import CardPlane, find_planes, most_support
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

    def is_like(self, other: PlaneGuess) -> bool:
        """Whether two planes come to the same once they are fitted."""
        return not _differ(self.plane, other.plane)


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
    return [guess for guess, _ in planes_in_turn(found, K, [card_mm])]


def planes_in_turn(
    found: Sequence[Corners], K: Array, sizes_mm: Sequence[tuple[float, float]]
) -> Iterator[tuple[PlaneGuess, tuple[float, float]]]:
    """The same of cards of any of these sizes, with the size, where planes of one size are unlike each other: each is
    sought when it is asked for, among those corners only that may support a plane better than any found so far."""
    left = [(corners, number, size) for size in range(len(sizes_mm)) for number, corners in enumerate(found)]
    left.sort(key=lambda each: most_support(each[0]))
    waiting: list[tuple[float, int, int, int, PlaneGuess]] = []
    kept: list[tuple[PlaneGuess, int]] = []
    while len(kept) < _MOST_PLANES:
        while left and (not waiting or most_support(left[-1][0]) >= -waiting[0][0]):
            corners, number, size = left.pop()
            middle = np.median(corners.at, axis=0) if len(corners.at) else np.zeros(2)
            for n, plane in enumerate(find_planes(corners, K, sizes_mm[size])):
                heappush(waiting, (-plane.support, size, number, n, PlaneGuess(plane, middle)))
        if not waiting or -waiting[0][0] < _LEAST_SUPPORT:
            return
        *_, size, _, _, guess = heappop(waiting)
        if not any(guess.is_like(other) for other, of in kept if of == size):
            kept.append((guess, size))
            yield guess, sizes_mm[size]


def _differ(a: CardPlane, b: CardPlane) -> bool:
    turn = np.degrees(np.arccos(min(1.0, float(a.normal @ b.normal) * a.distance_mm * b.distance_mm)))
    return bool(turn > _ALIKE_DEG or abs(np.log(a.distance_mm / b.distance_mm)) > _ALIKE_SCALE)
