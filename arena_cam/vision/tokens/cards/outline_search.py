"""Where a card may lie beside another that nothing but its outline tells: a rectangle of known size, turn by turn.

An edge speaks for the sides that it may be a part of (a Hough transform of known shape: Ballard, "Generalizing the
Hough transform to detect arbitrary shapes", Pattern Recognition 1981). What other cards and tokens cover speaks neither
for nor against a side.
"""

from __future__ import annotations

import math
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.vision.tokens.cards.partner_search import peaks
from arena_cam.vision.tokens.cards.print_votes import Place
from arena_cam.vision.tokens.cards.table_claims import Claims
from arena_cam.vision.tokens.view.table_view import NOTHING_SEEN
from arena_cam.vision.tokens.view.top_view import TopView

Floats = NDArray[np.float64]
Grey = NDArray[np.float32]

TURN_STEP = np.radians(4.0)  # half a step turns the far end of a side of 90 mm by 1.6 mm
# px/mm at which sides are looked for, a quarter of the pixels of 1 px/mm. Of each square the steepest edge is kept: a
# side is so found a millimetre on both sides of its place, half a step and the blur of an edge.
SCALE = 0.5
FULL_STEP = 24.0  # grey levels between both sides of a side: more proves no more
ALONG = 0.92  # cosine of an edge's turn against its side: 23 degrees
CLAIMED_MM = 5  # about what is claimed: an edge there is its own
MARGIN_MM = 6
LEAST_OPEN, LEAST_SIDE = 0.35, 0.45  # of an outline that is open to view; of what is open that is an edge
PEAKS, APART_MM, MOST_PLACES = 2, 10.0, 8


def outlined_places(
    view: TopView, claims: Claims, size_mm: tuple[float, float], about: tuple[Floats, float]
) -> list[Place]:
    """Places with middles within `about` (middle in mm, reach in mm) about which an outline of a card of that size is
    seen, the best first, each both ways up."""
    middle, reach = about
    half = reach + float(np.hypot(*size_mm)) / 2 + MARGIN_MM
    table = _edges(view, claims, middle, half)
    found: list[tuple[float, Floats]] = []
    for turn in np.arange(0.0, np.pi, TURN_STEP):
        found += _at_turn(table, size_mm, float(turn), reach)
    places: list[Floats] = []
    for _, place in sorted(found, key=lambda each: -each[0]):
        if all(np.linalg.norm(place[:2] - other[:2]) > APART_MM or _apart(place, other) for other in places):
            places.append(place)
    at = [np.array([*(place[:2] + middle), place[2]]) for place in places[:MOST_PLACES]]
    return [Place(each + np.array([0.0, 0.0, way]), 0, (), NOTHING_SEEN) for each in at for way in (0.0, np.pi)]


def _apart(place: Floats, other: Floats) -> bool:
    return bool(abs((place[2] - other[2] + np.pi / 2) % np.pi - np.pi / 2) > 2.5 * TURN_STEP)


def _edges(view: TopView, claims: Claims, middle: Floats, half: float) -> Grey:
    """Slopes in grey levels over 2 mm at SCALE about `middle`, along x and y, and 1 where it is free: (h, w, 3)."""
    size = 4 * round(half / 2) + 2  # an odd number of squares of 2 mm
    origin = middle - size / 2
    slopes = np.stack(view.slopes_at_mm(origin, size))
    affine = view.square_mm(origin)
    inside = cv2.warpAffine(view.inside.astype(np.uint8), affine, (size, size), flags=cv2.WARP_INVERSE_MAP)
    taken = claims.about(origin, size, 1.0) | (inside == 0)
    near = cv2.dilate(taken.astype(np.uint8), np.ones((CLAIMED_MM, CLAIMED_MM), np.uint8))
    slopes *= near == 0
    squares = slopes.reshape(2, size // 2, 2, size // 2, 2).transpose(1, 3, 0, 2, 4).reshape(size // 2, size // 2, 2, 4)
    steepest = np.square(squares).sum(axis=2).argmax(axis=2)[..., None, None]
    free = cv2.resize((near == 0).astype(np.float32), (size // 2, size // 2), interpolation=cv2.INTER_AREA)
    return np.concatenate([np.take_along_axis(squares, steepest, axis=3)[..., 0], free[..., None]], axis=-1)


def _at_turn(table: Grey, size_mm: tuple[float, float], turn: float, reach: float) -> list[tuple[float, Floats]]:
    """The best outlines of that turn (rad): the share of what is open that is an edge, and x, y (mm from the middle of
    what is looked at), turn."""
    side = len(table)
    c, s = np.cos(turn), np.sin(turn)
    linear = np.array([[c, -s], [s, c]])  # from the turned picture, about its middle, to the table
    affine = np.column_stack([linear, np.full(2, (side - 1) / 2) - linear @ np.full(2, (side - 1) / 2)])
    how = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    both = np.eye(3)  # a slope turns with the picture, and what is free stays
    both[:2, :2] = linear.T
    # Each channel by itself: numpy takes three times as long over every third number.
    turned = cv2.transform(cv2.warpAffine(table, affine, (side, side), flags=how), both)
    *sides, there = (np.asarray(each, np.float32) for each in cv2.split(turned))
    squares = [each * each for each in sides]
    steep = ALONG**2 * (squares[0] + squares[1])
    # Middles are wanted within reach alone: what is summed up is moved there.
    first = (side - 1) // 2 - math.ceil(reach * SCALE)
    last = side - first
    seen, open_ = (np.zeros((last - first, last - first), np.float32) for _ in range(2))
    width, height = (round(each * SCALE) for each in size_mm)
    for axis, length, away in ((0, height, width), (1, width, height)):
        edge = np.minimum(np.abs(sides[axis]) / FULL_STEP, 1.0) * (squares[axis] > steep) * there
        along = (length, 1) if axis else (1, length)
        for each, total in ((edge, seen), (there, open_)):
            sums = cv2.boxFilter(each, -1, along, normalize=False, borderType=cv2.BORDER_CONSTANT)
            for aside in (-(away // 2), away - away // 2):
                moved, kept = slice(first + aside, last + aside), slice(first, last)
                total += sums[moved, kept] if axis else sums[kept, moved]
    share = np.where(open_ > LEAST_OPEN * 2 * (width + height), seen / np.maximum(open_, 1.0), 0.0)
    return _peaks(np.asarray(share, np.float32), linear, turn, reach * SCALE)


def _peaks(share: Grey, linear: Floats, turn: float, reach: float) -> list[tuple[float, Floats]]:
    middle = (len(share) - 1) / 2
    share[_beyond(len(share), reach)] = 0.0  # in pixels, here
    out = []
    for value, row, column in peaks(share, PEAKS, LEAST_SIDE, round(APART_MM * SCALE)):
        at = linear @ np.array([column - middle, row - middle]) / SCALE
        out.append((value, np.array([*at, turn])))
    return out


@lru_cache(maxsize=4)
def _beyond(side: int, reach: float) -> NDArray[np.bool_]:
    """(side, side): which pixels lie farther from the middle."""
    away = np.arange(side) - (side - 1) / 2
    return np.asarray(np.hypot(away, away[:, None]) > reach)
