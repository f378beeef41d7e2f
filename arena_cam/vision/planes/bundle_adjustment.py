"""The plane, the lens and the places of all cards of a picture at once, from their sides and where their indices are.

Bundle adjustment: a card's size is known, all cards lie in one plane, and one pack has all its indices equally far from
the card's corner. Damped least squares over the focal length, the camera's pose, each card's place and that
distance; residuals of what is no card's side are bounded (Geman and McClure), so that a few do no harm.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from arena_cam.geometry.arrays import Array
from arena_cam.geometry.camera_model import Camera
from arena_cam.geometry.card_pose import CardPose
from arena_cam.vision.planes.card_plane import USUAL_FOCAL, pinhole
from arena_cam.vision.planes.side_search import HALVES, SeenSide, find_sides

# How well things are known before sides are looked at (standard deviations): the focal length (natural logarithm), the
# camera's turn (rad) and place (share of its distance), cards' places (mm, rad).
_FOCAL_SD, _TURN_SD, _PLACE_SD, _CARD_SD, _CARD_TURN_SD = 0.12, 0.1, 0.06, 4.0, 0.06
# Of eleven packs measured an index begins 3 to 5.5 mm below the card's border, its middle 4.5 to 8 mm from the side.
INSET_MM, _INSET_SD = (5.8, 4.2), (1.5, 1.0)
_INDEX_SD_MM, _SIDE_SD_PX, _BOUND = 0.8, 0.7, 3.0
_REACHES_MM = (4.5, 2.5, 1.5)
_STEPS = 5
_MISSED = 4.0


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
    """The fit, and its cost: half a side that is not seen costs as much as one seen somewhere else."""
    p = problem.first
    for reach in _REACHES_MM:
        sides = find_sides(grey, problem.camera(p), problem.poses(p), problem.card_mm, reach)
        p = _least_squares(partial(problem.residuals, sides=sides), p)
    final = problem.camera(p), problem.poses(p)
    sides = find_sides(grey, *final, problem.card_mm, _REACHES_MM[-1])
    off = problem.residuals(p, sides)
    missed = HALVES * len(problem.cards) - len(sides)
    return float(off @ off) + _MISSED * missed, OutlineFit(*final, problem.card_mm, problem.inset(p), tuple(sides))


class _Problem:
    """Parameters: log focal (1), camera's rotation vector (3) and place (3), inset (2), cards (3 each)."""

    _CARDS_AT = 9

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
        self._upper = [_is_upper(cards[n].pose, top) for n, c in enumerate(cards) for top in c.index_tops]
        self._px_per_mm = float(camera.K[0, 0]) / far

    def camera(self, p: Array) -> Camera:
        if self.held:
            return self.start
        return Camera(pinhole(self.size_px, USUAL_FOCAL * math.exp(p[0])), self.start.dist, p[1:4], p[4:7])

    def inset(self, p: Array) -> Array:
        return np.array(p[7:9])

    def poses(self, p: Array) -> tuple[CardPose, ...]:
        places = p[self._CARDS_AT :].reshape(-1, 3)
        return tuple(CardPose.flat(float(x), float(y), math.degrees(a)) for x, y, a in places)

    def residuals(self, p: Array, sides: Sequence[SeenSide]) -> Array:
        places = p[self._CARDS_AT :].reshape(-1, 3)
        half = np.array(self.card_mm) / 2
        corners = np.array([[-1.0, 1.0], [1.0, 1.0], [1.0, -1.0], [-1.0, -1.0]]) * half
        local, of = [], []
        for side in sides:
            a, b = corners[side.side], corners[(side.side + 1) % 4]
            local += [a + t * (b - a) for t in side.along]
            of += [side.card, side.card]
        inset = corners[0] + np.array([p[7], -p[8]])
        for (card, _), upper in zip(self._index, self._upper, strict=True):
            local.append(inset if upper else -inset)
            of.append(card)
        seen = np.concatenate([*(side.seen_px for side in sides), *(at[None] for _, at in self._index)])
        at = self.camera(p).project(_world(np.array(local), places[of]))
        count = 2 * len(sides)
        across = np.concatenate([side.across_px for side in sides]) if sides else np.empty((0, 2))
        by_side = ((at[:count] - seen[:count]) * across).sum(axis=1) / _SIDE_SD_PX
        by_index = (at[count:] - seen[count:]).ravel() / (_INDEX_SD_MM * self._px_per_mm)
        return np.concatenate([_bounded(by_side), _bounded(by_index), (p - self.mean) / self.sd])


def _world(local: Array, places: Array) -> Array:
    c, s = np.cos(places[:, 2]), np.sin(places[:, 2])
    x = places[:, 0] + c * local[:, 0] - s * local[:, 1]
    y = places[:, 1] + s * local[:, 0] + c * local[:, 1]
    return np.column_stack([x, y, np.zeros(len(x))])


def _bounded(residuals: Array) -> Array:
    return np.asarray(residuals / np.sqrt(1.0 + (residuals / _BOUND) ** 2))


def _is_upper(pose: CardPose, top: Array) -> bool:
    return bool((np.array([*top, 0.0]) - pose.centre_mm) @ pose.R[:, 1] > 0)


def _least_squares(residuals: Callable[[Array], Array], first: Array) -> Array:
    """The parameters with the least sum of squares near `first`, with Levenberg's damping."""
    step = np.full(len(first), 1e-3)
    step[:4] = 1e-5
    p, damping = first, 1e-3
    here = residuals(p)
    for _ in range(_STEPS):
        jacobian = np.stack([(residuals(p + d) - here) / d.sum() for d in np.diag(step)], axis=1)
        normal = jacobian.T @ jacobian
        normal[np.diag_indices_from(normal)] *= 1.0 + damping
        change = -np.linalg.solve(normal, jacobian.T @ here)
        there = residuals(p + change)
        if there @ there < here @ here:
            p, here, damping = p + change, there, damping * 0.2
        else:
            damping = max(damping, 1e-6) * 10.0
    return p
