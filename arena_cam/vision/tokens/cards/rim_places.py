"""Where near a place the outline of a card is seen best: under many tokens a card's print may be aligned with the wrong
line of words, its straight sides hardly.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from arena_cam.vision.tokens.cards.card_rims import SeenSlopes, tried_outlines
from arena_cam.vision.tokens.view.top_view import TopView, rigid_motion

Floats = NDArray[np.float64]

REACH_MM, STEP_MM = 7.0, 1.0  # a card is found some millimetres from where its few words put it
TURNS = tuple(np.radians((-6.0, -4.0, -2.0, 0.0, 2.0, 4.0, 6.0)))
LEAST_FREE = 12  # points of the rim that must be open to view
APART_MM, MOST_PLACES = 2.5, 3
_WAYS = np.arange(-REACH_MM, REACH_MM + 1e-6, STEP_MM)
_SHIFTS = np.stack(np.meshgrid(_WAYS, _WAYS), axis=-1).reshape(-1, 2)


def rim_places(
    view: TopView, place: Floats, rim: tuple[Floats, Floats], free: NDArray[np.bool_], origin_mm: Floats
) -> list[Floats]:
    """Places (3,) near `place` (x, y in mm, turn in rad) where most of the open rim is an edge, the best first.

    `rim`: points (N, 2) of a card's rim and the ways out there; `free` (h, w) at 1 px/mm from `origin_mm`: where
    neither another card nor a token is known to lie.
    """
    slopes = _slopes(view, place, float(np.abs(rim[0]).max()) * 1.5 + REACH_MM)
    found: list[tuple[float, Floats]] = []
    for turn in TURNS:
        linear = rigid_motion(np.array([0.0, 0.0, place[2] + turn]))[:, :2]
        points, ways = rim[0] @ linear.T + place[:2], rim[1] @ linear.T
        tried = tried_outlines(slopes, (points, ways), _SHIFTS, free, origin_mm)
        share = np.where(tried.count < LEAST_FREE, 0.0, tried.clear)
        found += [
            (float(share[k]), np.array([*(place[:2] + _SHIFTS[k]), place[2] + turn]))
            for k in _highest(share)
            if share[k] > 0
        ]
    kept: list[Floats] = []
    for _, at_mm in sorted(found, key=lambda each: -each[0]):
        if all(np.linalg.norm(at_mm[:2] - other[:2]) > APART_MM for other in kept):
            kept.append(at_mm)
    return kept[:MOST_PLACES]


def _highest(share: Floats) -> NDArray[np.intp]:
    return np.asarray(np.argsort(-share, kind="stable")[: 2 * MOST_PLACES], np.intp)


def _slopes(view: TopView, place: Floats, half_mm: float) -> SeenSlopes:
    """The slopes of a square about the place at 1 px/mm, of the channel that is steepest."""
    size = 2 * round(half_mm) + 1
    origin = np.floor(place[:2] - size / 2)
    return SeenSlopes(*view.slopes_at_mm(origin, size), origin, 1.0)
