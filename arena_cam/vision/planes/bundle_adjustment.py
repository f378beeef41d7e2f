"""The plane, the lens and the places of all cards of a picture at once, from their sides and where their indices are.

Bundle adjustment: a card's size is known, all cards lie in one plane, and one pack has all its indices equally far from
the card's corner. Damped least squares over the focal length, the camera's pose, each card's place and that
distance; residuals of what is no card's side are bounded (Geman and McClure), so that a few do no harm.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from arena_cam.geometry.arrays import Array
from arena_cam.geometry.camera_model import Camera
from arena_cam.geometry.card_pose import CardPose
from arena_cam.vision.kernels.plane_calls import Observed, bundle_residuals
from arena_cam.vision.planes.card_plane import USUAL_FOCAL, pinhole
from arena_cam.vision.planes.side_search import HALVES, SeenSide, find_sides

# How well things are known before sides are looked at (standard deviations): the focal length (natural logarithm), the
# camera's turn (rad) and place (share of its distance), cards' places (mm, rad).
_FOCAL_SD, _TURN_SD, _PLACE_SD, _CARD_SD, _CARD_TURN_SD = 0.12, 0.1, 0.06, 4.0, 0.06
# Of eleven packs measured an index begins 3 to 5.5 mm below the card's border, its middle 4.5 to 8 mm from the side.
INSET_MM, _INSET_SD = (5.8, 4.2), (1.5, 1.0)
_INDEX_SD_MM, _SIDE_SD_PX, _BOUND = 0.8, 0.7, 3.0
# The first search is made twice: a card whose width is not known yet may have half a centimetre to go.
_REACHES_MM = (4.5, 4.5, 2.5, 1.5)
_STEPS = 5
_NO_BETTER = 1e-3  # a step that lowers the sum of squares by a smaller share moves no card by 0.05 mm
_MISSED = 4.0
# Where parameters begin: those of the inset, before them the camera's, and those of the cards.
_INSET_AT, _CARDS_AT = 7, 9


@dataclass(frozen=True, eq=False)
class PlacedCard:
    """Where a card is thought to lie, and the tops (2,) of the indices seen on it, on the plane in mm."""

    pose: CardPose
    index_tops: tuple[Array, ...]


@dataclass(frozen=True, eq=False)
class OutlineFit:
    """The camera, the cards' poses and size (mm), `inset_mm` (2,) of their indices from a corner, and the sides seen
    (their `off_mm` is what the fit leaves)."""

    camera: Camera
    poses: tuple[CardPose, ...]
    card_mm: tuple[float, float]
    inset_mm: Array
    sides: tuple[SeenSide, ...]


def fit_outlines(
    grey: NDArray[np.float32],
    camera: Camera,
    cards: Sequence[PlacedCard],
    card_mm: tuple[float, float],
    widths_mm: Sequence[float] = (),
    *,
    camera_is_known: bool = False,
) -> OutlineFit:
    """The fit that is nearest to `camera` and `cards`; of `widths_mm`, where given, the cards have one."""
    fits = [
        _fitted(grey, _Problem(camera, grey.shape[1::-1], cards, (width, card_mm[1]), held=camera_is_known))
        for width in widths_mm or card_mm[:1]
    ]
    return min(fits, key=lambda fit: fit[0])[1]


def _fitted(grey: NDArray[np.float32], problem: _Problem) -> tuple[float, OutlineFit]:
    """The fit, and its cost: half a side that is not seen costs as much as one seen anywhere else."""
    p = problem.first
    for reach in _REACHES_MM:
        sides = find_sides(grey, problem.camera(p), problem.poses(p), problem.card_mm, reach)
        p = _least_squares(problem.against(sides), p)
    final = problem.camera(p), problem.poses(p)
    sides = find_sides(grey, *final, problem.card_mm, _REACHES_MM[-1])
    off = problem.against(sides).residuals(p) ** 2
    of_halves = off[: 2 * len(sides)].reshape(-1, 2).sum(axis=1)
    cost = np.minimum(of_halves, _MISSED).sum() + off[2 * len(sides) :].sum()
    missed = HALVES * len(problem.cards) - len(sides)
    return float(cost) + _MISSED * missed, OutlineFit(*final, problem.card_mm, problem.inset(p), tuple(sides))


class _Problem:
    """Parameters: log focal (1), camera's rotation vector (3) and place (3), inset (2), cards (3 each)."""

    def __init__(
        self,
        camera: Camera,
        size_px: tuple[int, int],
        cards: Sequence[PlacedCard],
        card_mm: tuple[float, float],
        *,
        held: bool,
    ) -> None:
        self.start, self.size_px, self.cards, self.card_mm, self.held = camera, size_px, cards, card_mm, held
        focal = math.log(float(camera.K[0, 0]) / max(size_px) / USUAL_FOCAL)
        places = [[*card.pose.centre_mm[:2], math.radians(card.pose.angle_deg)] for card in cards]
        self.first = np.concatenate([[focal], camera.rvec, camera.tvec, INSET_MM, np.ravel(places)])
        far = float(np.linalg.norm(camera.tvec))
        of_camera = [_FOCAL_SD, *[_TURN_SD] * 3, *[_PLACE_SD * far] * 3]
        self.sd = np.concatenate([of_camera, _INSET_SD, [_CARD_SD, _CARD_SD, _CARD_TURN_SD] * len(cards)])
        self.mean = self.first.copy()
        if not held:
            self.mean[0] = 0.0
        self._index = [
            (n, camera.project(np.array([[*top, 0.0]]))[0]) for n, c in enumerate(cards) for top in c.index_tops
        ]
        self._at = [_corner_of(cards[n].pose, top) for n, c in enumerate(cards) for top in c.index_tops]
        self._px_per_mm = float(camera.K[0, 0]) / far

    def camera(self, p: Array) -> Camera:
        if self.held:
            return self.start
        return Camera(pinhole(self.size_px, USUAL_FOCAL * math.exp(p[0])), self.start.dist, p[1:4], p[4:7])

    def inset(self, p: Array) -> Array:
        return np.array(p[7:9])

    def poses(self, p: Array) -> tuple[CardPose, ...]:
        places = p[_CARDS_AT:].reshape(-1, 3)
        return tuple(CardPose.flat(float(x), float(y), math.degrees(a)) for x, y, a in places)

    def against(self, sides: Sequence[SeenSide]) -> _Residuals:
        """The residuals of the sides seen, of the indices and of what is known beforehand."""
        half = np.array(self.card_mm) / 2
        corners = np.array([[-1.0, 1.0], [1.0, 1.0], [1.0, -1.0], [-1.0, -1.0]]) * half
        ends = [(corners[side.side], corners[(side.side + 1) % 4]) for side in sides]
        of_sides = [a + t * (b - a) for side, (a, b) in zip(sides, ends, strict=True) for t in side.along]
        index_at = np.array([at for _, at in self._index])
        return _Residuals(
            self,
            local=np.array(of_sides).reshape(-1, 2),
            card=np.array([*(side.card for side in sides for _ in side.along), *(n for n, _ in self._index)], int),
            seen_px=np.concatenate([*(side.seen_px for side in sides), index_at.reshape(-1, 2)]),
            across_px=np.concatenate([np.empty((0, 2)), *(side.across_px for side in sides)]),
            index_at=np.array(self._at).reshape(-1, 2),
            index_sd_px=_INDEX_SD_MM * self._px_per_mm,
        )


@dataclass(frozen=True, eq=False)
class _Residuals:
    """What parameters leave of each observation (points of sides, x and y of each index's top), then of what was known.

    `local` (N, 2): points of sides on their card (mm); `card`: the card of each of them, then of each index; `seen_px`
    likewise where they are seen; `across_px` (N, 2): the direction in which a point of a side says something;
    `index_at` (M, 2): in which corner of its card each index is, 1 or -1 to the right and up.
    """

    problem: _Problem
    local: Array
    card: NDArray[np.int_]
    seen_px: Array
    across_px: Array
    index_at: Array
    index_sd_px: float

    def residuals(self, p: Array) -> Array:
        return np.concatenate([self._of_observations(p[None])[0], (p - self.problem.mean) / self.problem.sd])

    def jacobian(self, p: Array, here: Array, step: Array) -> Array:
        """Derivatives of `residuals`, which are `here` at `p`, by differences of `step`.

        An observation knows one card: the same parameter of all cards is moved at once. Of a camera that is held
        nothing is seen.
        """
        columns = np.zeros((len(here), len(p)))
        seen = len(here) - len(p)
        free = np.arange(_INSET_AT if self.problem.held else 0, _CARDS_AT)
        moved = np.tile(p, (len(free) + 3, 1))
        moved[np.arange(len(free)), free] += step[free]
        for k in range(3):
            moved[len(free) + k, _CARDS_AT + k :: 3] += step[_CARDS_AT + k :: 3]
        change = self._of_observations(moved) - here[:seen]
        columns[:seen, free] = (change[: len(free)] / step[free][:, None]).T
        on_card = np.concatenate([self.card[: len(self.local)], np.repeat(self.card[len(self.local) :], 2)])
        for k in range(3):
            column = _CARDS_AT + k + 3 * on_card
            columns[np.arange(seen), column] = change[len(free) + k] / step[column]
        known = (p + step - self.problem.mean) / self.problem.sd
        columns[np.arange(seen, len(here)), np.arange(len(p))] = (known - here[seen:]) / step
        return columns

    def _of_observations(self, rows: Array) -> Array:
        """What each row of parameters (K, P) leaves of the observations: (K, N + 2 M)."""
        found = None if self.problem.start.dist.any() else bundle_residuals(self._observed, rows)
        return np.stack([self._left_by(p) for p in rows]) if found is None else found

    @cached_property
    def _observed(self) -> Observed:
        start, (width, height) = self.problem.start, self.problem.size_px
        held = np.concatenate([start.R.ravel(), start.tvec, start.K[:2].ravel()]) if self.problem.held else None
        middle, half = ((width - 1) / 2, (height - 1) / 2), np.array(self.problem.card_mm) / 2
        rules = np.array([USUAL_FOCAL * max(width, height), *middle, *half, _SIDE_SD_PX, self.index_sd_px, _BOUND])
        places = [
            np.ascontiguousarray(a, np.float64) for a in (self.local, self.seen_px, self.across_px, self.index_at)
        ]
        return Observed(places[0], self.card.astype(np.int64), places[1], places[2], places[3], held, rules)

    def _left_by(self, p: Array) -> Array:
        """The same of one row (P,)."""
        problem, count = self.problem, len(self.local)
        places = p[_CARDS_AT:].reshape(-1, 3)
        half = np.array(problem.card_mm) / 2
        inset = np.array([half[0] - p[7], half[1] - p[8]])
        local = np.concatenate([self.local, self.index_at * inset])
        at = problem.camera(p).project(_world(local, places[self.card]))
        by_side = ((at[:count] - self.seen_px[:count]) * self.across_px).sum(axis=1) / _SIDE_SD_PX
        by_index = (at[count:] - self.seen_px[count:]).ravel() / self.index_sd_px
        return np.concatenate([_bounded(by_side), _bounded(by_index)])


def _world(local: Array, places: Array) -> Array:
    c, s = np.cos(places[:, 2]), np.sin(places[:, 2])
    x = places[:, 0] + c * local[:, 0] - s * local[:, 1]
    y = places[:, 1] + s * local[:, 0] + c * local[:, 1]
    return np.column_stack([x, y, np.zeros(len(x))])


def _bounded(residuals: Array) -> Array:
    return np.asarray(residuals / np.sqrt(1.0 + (residuals / _BOUND) ** 2))


def _corner_of(pose: CardPose, top: Array) -> Array:
    """In which corner of a card an index is: 1 or -1 to the right and up, (2,)."""
    local = (np.array([*top, 0.0]) - pose.centre_mm) @ pose.R[:, :2]
    return np.where(local > 0, 1.0, -1.0)


def _least_squares(problem: _Residuals, first: Array) -> Array:
    """The parameters with the least sum of squares near `first`, with Levenberg's damping."""
    step = np.full(len(first), 1e-3)
    step[:4] = 1e-5
    p, damping = first, 1e-3
    here = problem.residuals(p)
    for _ in range(_STEPS):
        jacobian = problem.jacobian(p, here, step)
        normal = jacobian.T @ jacobian
        normal[np.diag_indices_from(normal)] *= 1.0 + damping
        change = -np.linalg.solve(normal, jacobian.T @ here)
        there = problem.residuals(p + change)
        before, after = float(here @ here), float(there @ there)
        if after < before:
            p, here, damping = p + change, there, damping * 0.2
            if before - after < _NO_BETTER * before:
                break
        else:
            damping = max(damping, 1e-6) * 10.0
    return p
