"""What can hold a card up, as residuals of its pose, and the most likely pose under each hypothesis.

A hypothesis (flat at this height, leaning on that wall, over it, out on the table) is the photometric misfit, which is
quadratic near its optimum, plus the physics of contact as further residuals. Their sum is minimised in the six
parameters of the pose by Gauss-Newton; no pixel is touched again.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from arena_cam.domain.lies import Hypothesis
from arena_cam.domain.table import Arena
from arena_cam.geometry.arrays import Array
from arena_cam.geometry.card_pose import CardPose
from arena_cam.vision.faces.alignment import Alignment
from arena_cam.vision.kernels.resting_calls import rested
from arena_cam.vision.reading.resting.overhang import CardSize, inside_mm, outline_xy, overhang_mm, round_outline

# The pixels' own information is too proud: residuals are correlated, cards are bent by a millimetre or two, lenses are
# not quite as calibrated. These systematic deviations (mm, mm, mm, rad, rad, rad) are added to the covariance, after
# the statistical part is widened by _WIDENED. Measured on rendered tables: flat cards in full view scatter by 0.4 deg
# in tilt, 0.6 mm in height and 0.08 mm in the plane, whatever their contrast.
_SYSTEMATIC = np.array([0.12, 0.12, 0.7, math.radians(0.55), math.radians(0.55), math.radians(0.06)])
_WIDENED = 3.0
# Cards lie flat on cards too, and a card over the edges of others is tilted by up to two or three degrees.
_FLAT_TILT = math.radians(0.9)  # standard deviation
_FLAT_HEIGHT_MM, _FLAT_HEIGHT_SD_MM = 0.8, 1.0
_CONTACT_SD_MM = 0.8
_OFF_FLOOR_MM, _OFF_WALL_MM = 0.5, 0.2  # a sheet's own height, and what a bent one keeps off
_SETTLED = 0.05  # of the steps that derivatives are taken by
_TAIL = 12.0  # degrees of freedom of a hypothesis's misfit
# A stiff card lies on the whole edge of the wall that it reaches over, so that it does not slope along the wall. Of 245
# leaning cards of 28 tables, their contacts solved, three in four sloped by 0.0 degrees and nine in ten by 0.6 at most.
_ALONG_WALL = math.radians(1.2)
_AGAINST_FACE = math.radians(20.0)  # of one that a wall's face holds up, at a corner
# A tray's inner size is measured by hand, to about half a millimetre, and so is what reaches over its wall.
BOUNDARY_SD_MM = 0.8
_WALLS = (
    (Hypothesis.EAST_WALL, 0, 1.0),
    (Hypothesis.WEST_WALL, 0, -1.0),
    (Hypothesis.NORTH_WALL, 1, 1.0),
    (Hypothesis.SOUTH_WALL, 1, -1.0),
)
LEANS = frozenset(name for name, _, _ in _WALLS)


@dataclass(frozen=True, eq=False)
class Candidate:
    """A hypothesis at its most likely pose: its misfit, the covariance (6, 6) of the pose, and its log-likelihood."""

    name: Hypothesis
    pose: CardPose
    chi2: float
    covariance: Array
    log_likelihood: float


class _Residuals(Protocol):
    """The contacts of a hypothesis."""

    @property
    def numbers(self) -> tuple[float, ...]:
        """What tells the compiled twin which contacts these are."""

    def __call__(self, p: CardPose, slopes: bool = True) -> tuple[Array, Array]:
        """The contacts at a pose, in standard deviations (m,), and their derivative by a step of it (m, 6): zeros if
        the `slopes` are not asked for."""


def compared(aligned: Alignment, arena: Arena, size: CardSize) -> list[Candidate]:
    """The most likely pose under every hypothesis that is possible where the card was aligned."""
    pose = aligned.pose
    doubt = np.linalg.inv(aligned.information + 1e-9 * np.eye(6))
    of_pixels = np.linalg.inv(doubt * _WIDENED**2 + np.diag(_SYSTEMATIC**2))
    known = of_pixels + _near_what_shows(size)
    wanted = np.linalg.solve(known, of_pixels @ doubt @ aligned.pull)
    hypotheses = _hypotheses(pose, arena, size)
    found = rested(pose, known, wanted, [each.numbers for each in hypotheses], _rules(arena, size), outline_xy(size))
    if found is None:
        return [_constrained(physics, pose, known, wanted) for physics in hypotheses]
    return [
        Candidate(physics.name, at, chi2, doubt, likelihood + _tamed(0.0) + physics.prior)
        for physics, (at, chi2, likelihood, doubt) in zip(hypotheses, found, strict=True)
    ]


def _near_what_shows(size: CardSize) -> Array:
    """The information (6, 6) that what is seen of a card is a part of it: its middle is within half a diagonal of where
    that shows, whichever part it may be. A strip between other cards says no more of the way along itself."""
    sd = math.hypot(size.width_mm, size.height_mm) / math.sqrt(12.0)
    return np.diag([sd**-2.0, sd**-2.0, 0.0, 0.0, 0.0, 0.0])


def _rules(arena: Arena, size: CardSize) -> Array:
    """The tray, the card and the constants, in the order of the compiled twin."""
    tray = (*arena.inner_mm, arena.wall_height_mm, arena.wall_thickness_mm, arena.table_z_mm)
    held = (_CONTACT_SD_MM, _ALONG_WALL, _AGAINST_FACE, BOUNDARY_SD_MM, _OFF_FLOOR_MM, _OFF_WALL_MM)
    return np.array([*tray, size.width_mm, size.height_mm, *held, *_STEPS.sum(axis=0), _SETTLED, _TAIL])


@dataclass(frozen=True, slots=True)
class _Physics:
    """A hypothesis: the `contacts` that hold the card, its log `prior`, and the `limit` that it does not pass, if there
    is one: residuals that are 0 as long as it keeps away."""

    name: Hypothesis
    contacts: _Residuals
    prior: float
    limit: _BetweenTheWalls | None = None

    @property
    def numbers(self) -> tuple[float, ...]:
        """The hypothesis but for its prior, in the order of the compiled twin."""
        return *self.contacts.numbers, float(self.limit is not None)


def _hypotheses(pose: CardPose, arena: Arena, size: CardSize) -> list[_Physics]:
    """Everything that is possible where the card is."""
    found: list[_Physics] = []
    overhang, inside = overhang_mm(pose, arena, size), inside_mm(pose, arena, size)
    outline = round_outline(pose, size)
    if overhang < 8.0:
        level = _Level(_FLAT_HEIGHT_MM, _FLAT_HEIGHT_SD_MM, _FLAT_TILT)
        found.append(_Physics(Hypothesis.FLAT, level, 0.0, _BetweenTheWalls(arena, size)))
    if inside < 6.0:
        found.append(_Physics(Hypothesis.ON_TABLE, _Level(arena.table_z_mm + 0.6, 1.0, _FLAT_TILT), 0.0))
    for name, axis, sign in _WALLS:
        reach = float((sign * outline[:, axis]).max()) - arena.inner_mm[axis] / 2
        if reach > -8.0 and inside > -arena.wall_thickness_mm - 25.0:
            found.append(_Physics(name, _Leaning(axis, sign, arena, size), -1.0))
    if overhang > 4.0:
        across = _Level(arena.wall_height_mm + 0.4, 1.0, _FLAT_TILT)
        found.append(_Physics(Hypothesis.ACROSS_WALL, across, -2.0))
    # whatever else can hold a card up: other leaning cards, two walls, a bent corner
    found.append(_Physics(Hypothesis.FREE, _Level(8.0, 12.0, 0.25), -3.5))
    return found


@dataclass(frozen=True, slots=True)
class _BetweenTheWalls:
    """A card that lies on the floor does not reach into a wall."""

    arena: Arena
    size: CardSize

    def __call__(self, p: CardPose, slopes: bool = True) -> tuple[Array, Array]:
        here = self._into(p)
        asked = here > 0.0 and slopes
        slope = [(self._into(p.moved(step)) - here) / step.sum() for step in _STEPS] if asked else np.zeros(6)
        return np.array([here]), np.array([slope])

    def _into(self, p: CardPose) -> float:
        return max(0.0, overhang_mm(p, self.arena, self.size)) / BOUNDARY_SD_MM


@dataclass(frozen=True, slots=True)
class _Level:
    """A card at about this height of its middle, about as level as `tilt_sd` (rad) says."""

    height_mm: float
    height_sd_mm: float
    tilt_sd: float

    @property
    def numbers(self) -> tuple[float, ...]:
        return 0.0, self.height_mm, self.height_sd_mm, self.tilt_sd, 0.0, 0.0

    def __call__(self, p: CardPose, slopes: bool = True) -> tuple[Array, Array]:
        nx, ny, nz = p.R[:, 2]
        tilt_sd = self.tilt_sd
        here = np.array([(p.centre_mm[2] - self.height_mm) / self.height_sd_mm, nx / tilt_sd, ny / tilt_sd])
        jacobian = np.zeros((3, 6))
        if not slopes:
            return here, jacobian
        jacobian[0, 2] = 1.0 / self.height_sd_mm
        # a turn by w takes the normal n to n + w x n
        jacobian[1, 4:] = nz / tilt_sd, -ny / tilt_sd
        jacobian[2, 3], jacobian[2, 5] = -nz / tilt_sd, nx / tilt_sd
        return here, jacobian


_STEPS = np.diag([0.05, 0.05, 0.05, 1e-3, 1e-3, 1e-3])  # mm, rad: for derivatives by differences


@dataclass(frozen=True, slots=True)
class _Leaning:
    """Contact of a card that leans on one wall, across `axis` towards `sign`: its lowest corner is down, and the wall's
    inner top edge lies in its plane; where its raised border ends short of the wall's top it touches the wall's face
    instead."""

    axis: int
    sign: float
    arena: Arena
    size: CardSize

    @property
    def numbers(self) -> tuple[float, ...]:
        return 1.0, 0.0, 0.0, 0.0, float(self.axis), self.sign

    def __call__(self, p: CardPose, slopes: bool = True) -> tuple[Array, Array]:
        here = self._contacts(p)
        if not slopes:
            return here, np.zeros((len(here), 6))
        return here, np.stack([(self._contacts(p.moved(step)) - here) / step.sum() for step in _STEPS], axis=1)

    def _contacts(self, p: CardPose) -> Array:
        arena, axis, sign = self.arena, self.axis, self.sign
        wall, along = arena.inner_mm[axis] / 2, 1 - axis
        corners = p.corners(self.size.width_mm, self.size.height_mm)
        outer = corners[np.argmax(sign * corners[:, axis])]
        low = corners[np.argmin(corners[:, 2])]
        beyond = sign * low[axis] > wall
        floor = arena.table_z_mm if beyond else 0.0
        down = (low[2] - floor - _OFF_FLOOR_MM) / _CONTACT_SD_MM
        reach = sign * outer[axis] - wall
        if reach < 0.0:
            return np.array([down, reach / _CONTACT_SD_MM, p.R[along, 2] / _AGAINST_FACE])
        # height of the card's plane above the wall's top edge, at the middle of what reaches over it
        at = outer.copy()
        at[axis] = sign * (wall + (arena.wall_thickness_mm if beyond else 0.0))
        upright = p.R[2, 2] if abs(p.R[2, 2]) > 1e-6 else 1e-6
        height = p.centre_mm[2] - float(p.R[:2, 2] @ (at - p.centre_mm)[:2]) / upright
        above = (height - arena.wall_height_mm - _OFF_WALL_MM) / _CONTACT_SD_MM
        return np.array([down, above, p.R[along, 2] / _ALONG_WALL])


def _constrained(physics: _Physics, pose: CardPose, known: Array, wanted: Array) -> Candidate:
    """The most likely pose under a hypothesis: Gauss-Newton on the aligned pose's quadratic, contacts and limit.

    `known` (6, 6) is the pixels' information about a step from `pose`, `wanted` (6,) the step they would take alone.
    """
    step = np.zeros(6)
    held = jacobian = np.zeros((1, 6))
    for _ in range(6):
        here, held, jacobian = _all_residuals(physics, pose.moved(step))
        normal = known + jacobian.T @ jacobian
        change = -np.linalg.solve(normal, known @ (step - wanted) + jacobian.T @ here)
        step = step + change
        if (np.abs(change) < _SETTLED * _STEPS.sum(axis=0)).all():
            break
    here, _, _ = _all_residuals(physics, pose.moved(step), slopes=False)
    chi2 = float((step - wanted) @ known @ (step - wanted) + here @ here)
    normal = known + jacobian.T @ jacobian
    # The evidence of a hypothesis: its best likelihood times how much of the pose's room it fills (Laplace).
    room = 0.5 * (np.linalg.slogdet(known)[1] - np.linalg.slogdet(normal)[1])
    width = 0.5 * float(np.linalg.slogdet(held @ held.T + 1e-12 * np.eye(len(held)))[1])
    # heavy tails: a hypothesis is not ruled out by more than a bent card or a bad reflection could do
    likelihood = -0.5 * _TAIL * math.log1p(chi2 / _TAIL)
    doubt = np.asarray(np.linalg.inv(normal), dtype=np.float64)
    log_likelihood = likelihood + room + _tamed(width) + physics.prior
    return Candidate(physics.name, pose.moved(step), chi2, doubt, log_likelihood)


def _all_residuals(physics: _Physics, pose: CardPose, slopes: bool = True) -> tuple[Array, Array, Array]:
    """The residuals of contacts and limit at a pose, the contacts' derivative (m, 6), and that of all (n, 6)."""
    here, held = physics.contacts(pose, slopes)
    if physics.limit is None:
        return here, held, held
    beyond, slope = physics.limit(pose, slopes)
    return np.concatenate([here, beyond]), held, np.concatenate([held, slope])


def _tamed(width: float) -> float:
    """The prior density of a hypothesis's contacts, in a common unit (tenths of radians and centimetres)."""
    return width - math.log(10.0) * 2.0
