"""Where round things of a known size may lie: each edge votes for the two middles that it may be the rim of.

A Hough transform by gradient (Kimme, Ballard and Sklansky, "Finding circles by an array of accumulators", CACM 1975).
"""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.vision.kernels.disc_calls import edges, round_votes
from arena_cam.vision.picture.channels import greatest
from arena_cam.vision.tokens.view.top_view import TopView

Floats = NDArray[np.float64]
Grey = NDArray[np.float32]

LEAST_SLOPE, FULL_SLOPE = 14.0, 60.0  # grey levels per pixel of an edge that votes, and of one with a full vote
OF_STEEPEST = 0.6  # of the steepest slope beside it: less is the flank of an edge
LEAST_RIM = 0.16  # of the rim that must vote: a token a third seen shows as much of it
APART_MM = 2.5
RIM_MM, RIM_STEP = 0.8, 12.0  # a disc's rim is sharp: within so far of it on both sides the picture changes
ARC = 5  # of 64 points of a rim: so many are seen as one where a cloth has grain, 4 mm of a disc of 9 mm radius
ABOUT = (1.3, 1.45, 1.6)  # of the radius: circles on the cloth about a disc, of which the calmest is taken
# A rim's sharpest step is so wide, in samples of a quarter of a millimetre, and lies within so many mm on both sides.
STEP, FINE_MM, ACROSS_MM, LEAST_SPAN = 3, 0.25, 3.0, 4.0  # grey levels of noise, below which nothing changes
_SHIFTS_MM = (-1.0, -0.5, 0.0, 0.5, 1.0)
_ASIDE = np.array([[x, y] for x in _SHIFTS_MM for y in _SHIFTS_MM])
_ANGLES = np.arange(64) * (np.pi / 32)
ROUND = np.column_stack([np.cos(_ANGLES), np.sin(_ANGLES)])


def closed_rim(
    view: TopView, middle: Floats, radius_mm: float, arc: int = 1, step: float = RIM_STEP
) -> tuple[Floats, float]:
    """The middle (2,) nearby about which most of a rim is an edge, and how much more of it is than of the cloth.

    Weave, checks and veins have edges, too; the second is a share of what could be more. `arc` as for `changes`; an
    edge is a change by more than `step` grey levels."""
    centres = middle + _ASIDE * (radius_mm / 10.0)
    shares = (changes(view, centres, radius_mm, arc) > step).mean(axis=1)
    best = np.flatnonzero(shares >= shares.max() - 1e-9)
    at = np.asarray(centres[best].mean(axis=0))
    about = min(float((changes(view, at[None], wider * radius_mm, arc) > step).mean()) for wider in ABOUT)
    return at, (float(shares.max()) - about) / max(1.0 - about, 1e-6)


def changes(view: TopView, centres: Floats, radius_mm: float, arc: int = 1) -> Floats:
    """(N, 64): by how many grey levels the picture changes across the points of a circle about each of the `centres`
    (N, 2).

    The mean of `arc` neighbours on one side is compared with that on the other. A cloth's grain changes everywhere, and
    in the mean it is the same on both sides."""
    sides = []
    for aside in (-RIM_MM, RIM_MM):
        seen = _on_circles(view, centres, radius_mm + aside)
        if arc > 1:
            seen = np.mean([np.roll(seen, k, axis=1) for k in range(-(arc // 2), arc // 2 + 1)], axis=0)
        sides.append(seen)
    return np.asarray(greatest(np.abs(sides[1] - sides[0])), np.float64)


def sharpness(view: TopView, middle: Floats, radius_mm: float) -> float:
    """How much of its change within three millimetres of a rim about there (2,) a picture makes in one step: the median
    (0..1) of the rim's points. A piece ends at once, as sharply as the picture shows things; a vein fades."""
    reach = radius_mm + np.arange(-ACROSS_MM, ACROSS_MM + 1e-6, FINE_MM)
    at = view.at((middle + ROUND[:, None] * reach[:, None]).reshape(-1, 2)).astype(np.float32)
    at = at.reshape(len(ROUND), len(reach), 2)
    seen = cv2.remap(view.pixels, at[..., 0], at[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    seen = (np.roll(seen, 1, axis=0) + seen + np.roll(seen, -1, axis=0)) / 3.0
    step = greatest(np.abs(seen[:, STEP:] - seen[:, :-STEP])).max(axis=1)
    span = greatest(seen.max(axis=1) - seen.min(axis=1))
    return float(np.median(step / np.maximum(span, LEAST_SPAN)))


def levels(view: TopView, middle: Floats, radius_mm: float) -> Floats:
    """(64,): the brightest channel of the points of a circle about a place (2,)."""
    return np.asarray(greatest(_on_circles(view, middle[None], radius_mm)[0]), np.float64)


def _on_circles(view: TopView, centres: Floats, radius_mm: float) -> Grey:
    """(N, 64, 3): the picture at the points of a circle about each of the `centres` (N, 2)."""
    mm = centres[:, None] + radius_mm * ROUND
    at = np.round(view.at(mm.reshape(-1, 2))).astype(int).reshape(mm.shape)
    at = np.clip(at, 0, np.array(view.inside.shape[::-1]) - 1)
    return np.asarray(view.pixels[at[..., 1], at[..., 0]])


class Edges:
    """The edges of a top view, `found` (N, 5) row by row: column and row, unit slopes along x and y, and weight."""

    def __init__(self, view: TopView, least_slope: float = LEAST_SLOPE, full_slope: float = FULL_SLOPE) -> None:
        self.view = view
        rules = least_slope, full_slope, OF_STEEPEST
        compiled = edges(view.steepest(), view.inside, rules)
        self.found = _edges(view, *rules) if compiled is None else compiled
        self._circles: dict[float, tuple[Floats, Floats]] = {}
        self._closed: dict[tuple[float, float, float], float] = {}

    def circles(self, radius_mm: float) -> tuple[Floats, Floats]:
        """Middles (N, 2) in mm of circles of that radius, and the shares (N,) of their rims that vote, best first; kept
        for the next time."""
        if radius_mm not in self._circles:
            self._circles[radius_mm] = self._voted(radius_mm)
        return self._circles[radius_mm]

    def closed(self, middle: Floats, radius_mm: float) -> float:
        """How much more of a rim about there is an edge than of the cloth (`closed_rim`); kept for the next time."""
        key = (float(middle[0]), float(middle[1]), radius_mm)
        if key not in self._closed:
            self._closed[key] = closed_rim(self.view, middle, radius_mm)[1]
        return self._closed[key]

    def _voted(self, radius_mm: float) -> tuple[Floats, Floats]:
        radius = radius_mm * self.view.px_per_mm
        height, width = self.view.inside.shape
        shape = height // 2 + 1, width // 2 + 1
        compiled = round_votes(self.found, radius, shape)
        votes = _votes(self.found, radius, shape) if compiled is None else compiled
        board: Any = cv2.GaussianBlur(votes.astype(np.float32), (0, 0), 1.1)
        board *= 2 * np.pi * 1.1**2 / (2 * np.pi * radius)
        side = 2 * round(APART_MM * self.view.px_per_mm / 4) + 1
        peak = (board >= cv2.dilate(board, np.ones((side, side), np.uint8))) & (board > LEAST_RIM)
        rows, columns = np.nonzero(peak)
        order = np.argsort(-board[rows, columns], kind="stable")
        rows, columns = rows[order], columns[order]
        mm = self.view.origin_mm + (np.column_stack([columns, rows]) * 2 + 0.5) / self.view.px_per_mm
        return np.asarray(mm), board[rows, columns].astype(np.float64)


def _edges(view: TopView, least_slope: float, full_slope: float, of_steepest: float) -> Grey:
    """(N, 5): the edges of a view, as Edges holds them."""
    dx, dy, size = view.steepest()
    thick = cv2.dilate(size, np.ones((3, 3), np.uint8))
    rows, columns = np.nonzero((size > least_slope) & (size > of_steepest * thick) & view.inside)
    slope = size[rows, columns]
    way = dx[rows, columns] / slope, dy[rows, columns] / slope
    return np.column_stack([columns, rows, *way, np.minimum(slope / full_slope, 1.0)]).astype(np.float32)


def _votes(found: Grey, radius: float, shape: tuple[int, int]) -> Floats:
    """(rows, columns): the votes of edges (N, 5) for middles of circles of that radius (px) in cells of two pixels."""
    votes = np.zeros(shape[0] * shape[1])
    for sign in (1.0, -1.0):
        middle = np.round((found[:, :2].astype(np.float64) + sign * radius * found[:, 2:4]) / 2).astype(np.intp)
        good = (middle >= 0).all(axis=1) & (middle < shape[::-1]).all(axis=1)
        cells = middle[good, 1] * shape[1] + middle[good, 0]
        votes += np.bincount(cells, found[good, 4], minlength=len(votes))
    return votes.reshape(shape)
