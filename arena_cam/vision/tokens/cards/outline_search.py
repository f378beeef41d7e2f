"""Where a card may lie beside another that nothing but its outline tells: a rectangle of known size, turn by turn.

An edge speaks for the sides that it may be a part of (a Hough transform of known shape: Ballard, "Generalizing the
Hough transform to detect arbitrary shapes", Pattern Recognition 1981). What other cards and tokens cover speaks neither
for nor against a side.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.vision.kernels.card_calls import sums_along_sides
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


@dataclass(frozen=True, eq=False)
class _Edges:
    """Squares of a table at SCALE: `slopes` (h, w, 2) in grey levels over 2 mm along x and y, and how much is `free`
    (h, w), 0..1."""

    slopes: Grey
    free: Grey


def _edges(view: TopView, claims: Claims, middle: Floats, half: float) -> _Edges:
    """The squares of 2 mm about `middle`, as far as `half` (mm)."""
    size = 4 * round(half / 2) + 2  # an odd number of squares of 2 mm
    origin = middle - size / 2
    affine = view.square_mm(origin)
    inside = cv2.warpAffine(view.inside.astype(np.uint8), affine, (size, size), flags=cv2.WARP_INVERSE_MAP)
    taken = claims.about(origin, size, 1.0) | (inside == 0)
    near = cv2.dilate(taken.astype(np.uint8), np.ones((CLAIMED_MM, CLAIMED_MM), np.uint8))
    there = (near == 0).astype(np.float32)
    along, down = (each * there for each in view.slopes_at_mm(origin, size))
    free = cv2.resize(there, (size // 2, size // 2), interpolation=cv2.INTER_AREA)
    return _Edges(steepest_of_squares(along, down), np.asarray(free, np.float32))


def steepest_of_squares(along: Grey, down: Grey) -> Grey:
    """(h, w, 2) of slopes (2h, 2w) along x and down y: the steepest of each square of four, of equal ones the first."""
    steep = along * along + down * down
    best, most = np.stack([along[::2, ::2], down[::2, ::2]], axis=-1), steep[::2, ::2]
    for rows, columns in ((0, 1), (1, 0), (1, 1)):
        of = slice(rows, None, 2), slice(columns, None, 2)
        better = steep[of] > most
        most = np.where(better, steep[of], most)
        for channel, slopes in enumerate((along, down)):
            best[..., channel][better] = slopes[of][better]
    return best


def _at_turn(table: _Edges, size_mm: tuple[float, float], turn: float, reach: float) -> list[tuple[float, Floats]]:
    """The best outlines of that turn (rad): the share of what is open that is an edge, and x, y (mm from the middle of
    what is looked at), turn."""
    size = width, height = round(size_mm[0] * SCALE), round(size_mm[1] * SCALE)
    within = math.ceil(reach * SCALE)
    seen_px = 2 * (within + width // 2) + 3, 2 * (within + height // 2) + 3  # as far as sides of such outlines reach
    c, s = np.cos(turn), np.sin(turn)
    linear = np.array([[c, -s], [s, c]])  # from the turned picture, about its middle, to the table
    middle = (np.array(seen_px) - 1) / 2
    affine = np.column_stack([linear, np.full(2, (len(table.free) - 1) / 2) - linear @ middle])
    how = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    turned = np.asarray(cv2.warpAffine(table.slopes, affine, seen_px, flags=how), np.float32)
    least = LEAST_OPEN * 2 * (width + height)
    # Where nothing but table lies hardly a turn has so much of an edge. What is open need not be known then.
    if sums_of_sides(turned, None, linear, size, within).max() < LEAST_SIDE * least:
        return []
    free = np.asarray(cv2.warpAffine(table.free, affine, seen_px, flags=how), np.float32)
    seen, open_ = sums_of_sides(turned, free, linear, size, within), sums_of_sides(None, free, linear, size, within)
    share = np.where(open_ > least, seen / np.maximum(open_, 1.0), 0.0)
    return _peaks(np.asarray(share, np.float32), linear, turn, reach * SCALE)


def sums_of_sides(slopes: Grey | None, free: Grey | None, linear: Floats, size: tuple[int, int], within: int) -> Grey:
    """Sums along sides, as `along_sides`, of the steps in the directions of `linear` of slopes (h, w, 2), times `free`
    (h, w), if it is given; without slopes those of `free`."""
    compiled = sums_along_sides(slopes, free, linear, (FULL_STEP, ALONG**2), (*size, 2 * within + 1))
    if compiled is not None:
        return compiled
    if slopes is None:
        assert free is not None
        return along_sides([free, free], size, within)
    # Each channel by itself: numpy takes three times as long over every other number.
    sides = cv2.split(cv2.transform(slopes, linear.T))
    squares = [each * each for each in sides]
    steep = ALONG**2 * (squares[0] + squares[1])
    edges = [
        np.asarray(np.minimum(np.abs(each) / FULL_STEP, 1.0) * (square > steep), np.float32)
        for each, square in zip(sides, squares, strict=True)
    ]
    return along_sides(edges if free is None else [edge * free for edge in edges], size, within)


def along_sides(edges: Sequence[Grey], size: tuple[int, int], within: int) -> Grey:
    """Sums (2 within + 1, 2 within + 1) along the sides of upright outlines of that size (px) about each middle: of
    `edges` across x the left and right sides, of those across y the upper and lower ones, (h, w) each."""
    across, down = edges
    kept, (width, height) = 2 * within + 1, size
    row, column = height // 2 + 1, width // 2 + 1  # of the first middle
    left, right = column - width // 2, column + width - width // 2
    upper, lower = row - height // 2, row + height - height // 2
    upright = across[:, left : left + kept] + across[:, right : right + kept]
    level = down[upper : upper + kept] + down[lower : lower + kept]
    sums = [
        cv2.boxFilter(each, -1, along, normalize=False, borderType=cv2.BORDER_CONSTANT)
        for each, along in ((upright, (1, height)), (level, (width, 1)))
    ]
    return np.asarray(sums[0][row : row + kept] + sums[1][:, column : column + kept], np.float32)


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
