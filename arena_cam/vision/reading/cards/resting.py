"""How a card lies: physical hypotheses compared by how well they agree with the aligned pose.

Alignment leaves a pose and the information (inverse covariance) that the pixels give about it; near its optimum the
photometric misfit is quadratic in the pose. So each hypothesis - flat at this height, leaning on that wall, over it,
out on the table - is the same misfit plus the physics of contact as further residuals, minimised in the six parameters
of the pose; no pixel is touched again. Their minima are compared as likelihoods.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from arena_cam.domain.doubts import Doubt
from arena_cam.domain.lies import Hypothesis, HypothesisFit, Landing
from arena_cam.domain.messages import Message
from arena_cam.domain.table import Arena
from arena_cam.geometry.arrays import Array
from arena_cam.geometry.card_pose import CardPose
from arena_cam.vision.faces.alignment import Alignment

# The pixels' own information is too proud: residuals are correlated, cards are bent by a millimetre or two, lenses are
# not quite as calibrated. These systematic deviations (mm, mm, mm, rad, rad, rad) are added to the covariance, after
# the statistical part is widened by _WIDENED. Measured on rendered tables: flat cards in full view scatter by 0.4 deg
# in tilt, 0.6 mm in height and 0.08 mm in the plane, whatever their contrast.
_SYSTEMATIC = np.array([0.12, 0.12, 0.7, math.radians(0.55), math.radians(0.55), math.radians(0.06)])
_WIDENED = 3.0

FLAT_LIMIT_DEG = 3.0  # the contract's: flat is under 3, diagonal 4 or more
LEAN_LIMIT_DEG = 4.0
_SMALL_OVERHANG_MM = 4.0
# Cards lie flat on cards too, and a card over the edges of others is tilted by up to two or three degrees.
_FLAT_TILT = math.radians(0.9)  # standard deviation
_FLAT_HEIGHT_MM, _FLAT_HEIGHT_SD_MM = 0.8, 1.0
_CONTACT_SD_MM = 0.8
_WALLS = (
    (Hypothesis.EAST_WALL, 0, 1.0),
    (Hypothesis.WEST_WALL, 0, -1.0),
    (Hypothesis.NORTH_WALL, 1, 1.0),
    (Hypothesis.SOUTH_WALL, 1, -1.0),
)
_LEANS = frozenset(name for name, _, _ in _WALLS)


@dataclass(frozen=True, eq=False)
class Resting:
    """The verdict on one card: its landing with probabilities, the pose under the best hypothesis, and its doubt.

    `overhang_mm` is how far the card reaches over the inner boundary (negative: inside), `inside_mm` how far its most
    inward point lies inside it; `borderline` is what a person might argue about, None if nothing, and
    `arguable` whether people would, had they the measurement.
    """

    landing: Landing
    probabilities: tuple[tuple[Landing, float], ...]
    pose: CardPose
    tilt_deg: float
    tilt_sd_deg: float
    overhang_mm: float
    inside_mm: float
    fits: tuple[HypothesisFit, ...]
    borderline: Message | None
    arguable: bool


@dataclass(frozen=True, eq=False)
class _Candidate:
    name: Hypothesis
    pose: CardPose
    chi2: float
    covariance: Array
    log_likelihood: float


def judge_resting(aligned: Alignment, arena: Arena, width_mm: float, height_mm: float, radius_mm: float) -> Resting:
    """Compares the hypotheses for a card as it was aligned."""
    pose = aligned.pose
    doubt = np.linalg.inv(aligned.information + 1e-9 * np.eye(6))
    known = np.linalg.inv(doubt * _WIDENED**2 + np.diag(_SYSTEMATIC**2))
    wanted = doubt @ aligned.pull
    size = _Size(width_mm, height_mm, radius_mm)
    candidates = [
        _constrained(name, pose, known, wanted, residuals, prior)
        for name, residuals, prior in _hypotheses(pose, arena, size)
    ]
    top = max(c.log_likelihood for c in candidates)
    weights = np.array([math.exp(c.log_likelihood - top) for c in candidates])
    weights /= weights.sum()
    shares = [_landing_of(candidate, arena, size) for candidate in candidates]
    totals = dict.fromkeys(Landing, 0.0)
    for of_one, weight in zip(shares, weights, strict=True):
        for landing, share in of_one.items():
            totals[landing] += float(weight) * share
    best = candidates[int(np.argmax(weights))]
    tilt_sd = _tilt_sd(best)
    overhang, inside = overhang_mm(best.pose, arena, size), inside_mm(best.pose, arena, size)
    ranked = tuple(sorted(totals.items(), key=lambda item: -item[1]))
    fits = tuple(
        HypothesisFit(
            c.name,
            max(of_one.items(), key=lambda item: item[1])[0],
            c.pose.tilt_deg,
            aligned.rms,
            c.log_likelihood - top,
        )
        for c, of_one in sorted(zip(candidates, shares, strict=True), key=lambda pair: -pair[0].log_likelihood)
    )
    return Resting(
        ranked[0][0],
        ranked,
        best.pose,
        best.pose.tilt_deg,
        tilt_sd,
        overhang,
        inside,
        fits,
        _borderline(best.pose, ranked[0][0], overhang, inside, arena, _BOUNDARY_SD_MM) or _unheld(candidates, best),
        _borderline(best.pose, ranked[0][0], overhang, inside, arena, -_MEASURED_MM) is not None,
    )


@dataclass(frozen=True)
class _Size:
    width_mm: float
    height_mm: float
    radius_mm: float


# The contacts of a hypothesis at a pose, in standard deviations (m,), and their derivative by a step of it (m, 6).
_Residuals = Callable[[CardPose], tuple[Array, Array]]


def _hypotheses(pose: CardPose, arena: Arena, size: _Size) -> list[tuple[Hypothesis, _Residuals, float]]:
    """(name, contact residuals in standard deviations, log prior) of everything that is possible where the card is."""
    found: list[tuple[Hypothesis, _Residuals, float]] = []
    overhang, inside = overhang_mm(pose, arena, size), inside_mm(pose, arena, size)

    if overhang < 8.0:
        found.append((Hypothesis.FLAT, _level(_FLAT_HEIGHT_MM, _FLAT_HEIGHT_SD_MM, _FLAT_TILT), 0.0))
    if inside < 6.0:
        found.append((Hypothesis.ON_TABLE, _level(arena.table_z_mm + 0.6, 1.0, _FLAT_TILT), 0.0))
    for name, axis, sign in _WALLS:
        reach = float((sign * _outline(pose, size)[:, axis]).max()) - arena.inner_mm[axis] / 2
        if reach > -8.0 and inside > -arena.wall_thickness_mm - 25.0:
            found.append((name, _leaning(axis, sign, arena, size), -1.0))
    if overhang > 4.0:
        found.append((Hypothesis.ACROSS_WALL, _level(arena.wall_height_mm + 0.4, 1.0, _FLAT_TILT), -2.0))
    # whatever else can hold a card up: other leaning cards, two walls, a bent corner
    found.append((Hypothesis.FREE, _level(8.0, 12.0, 0.25), -3.5))
    return found


def _level(height_mm: float, height_sd_mm: float, tilt_sd: float) -> _Residuals:
    """A card at about this height of its middle, about as level as `tilt_sd` (rad) says."""

    def residuals(p: CardPose) -> tuple[Array, Array]:
        nx, ny, nz = p.R[:, 2]
        here = np.array([(p.centre_mm[2] - height_mm) / height_sd_mm, nx / tilt_sd, ny / tilt_sd])
        jacobian = np.zeros((3, 6))
        jacobian[0, 2] = 1.0 / height_sd_mm
        # a turn by w takes the normal n to n + w x n
        jacobian[1, 4:] = nz / tilt_sd, -ny / tilt_sd
        jacobian[2, 3], jacobian[2, 5] = -nz / tilt_sd, nx / tilt_sd
        return here, jacobian

    return residuals


_STEPS = np.diag([0.05, 0.05, 0.05, 1e-3, 1e-3, 1e-3])  # mm, rad: for derivatives by differences


def _leaning(axis: int, sign: float, arena: Arena, size: _Size) -> _Residuals:
    """Contact of a card that leans on one wall: its lowest corner is down, and the wall's inner top edge touches its
    plane; where its raised border ends short of the wall's top it touches the wall's face instead."""
    wall = arena.inner_mm[axis] / 2

    def contacts(p: CardPose) -> Array:
        corners = p.corners(size.width_mm, size.height_mm)
        outer = corners[np.argmax(sign * corners[:, axis])]
        low = corners[np.argmin(corners[:, 2])]
        beyond = sign * low[axis] > wall
        floor = arena.table_z_mm if beyond else 0.0
        down = (low[2] - floor - 0.5) / _CONTACT_SD_MM
        reach = sign * outer[axis] - wall
        if reach >= 0.0:
            # height of the card's plane above the wall's top edge, at the middle of what reaches over it
            normal = p.R[:, 2]
            at = outer.copy()
            at[axis] = sign * (wall + (arena.wall_thickness_mm if beyond else 0.0))
            height = p.centre_mm[2] - (normal[0] * (at[0] - p.centre_mm[0]) + normal[1] * (at[1] - p.centre_mm[1])) / (
                normal[2] if abs(normal[2]) > 1e-6 else 1e-6
            )
            return np.array([down, (height - arena.wall_height_mm - 0.2) / _CONTACT_SD_MM])
        return np.array([down, reach / _CONTACT_SD_MM])

    def residuals(p: CardPose) -> tuple[Array, Array]:
        here = contacts(p)
        return here, np.stack([(contacts(p.moved(step)) - here) / step.sum() for step in _STEPS], axis=1)

    return residuals


def _constrained(
    name: Hypothesis, pose: CardPose, known: Array, wanted: Array, residuals: _Residuals, prior: float
) -> _Candidate:
    """The most likely pose under a hypothesis: Gauss-Newton on the aligned pose's quadratic and the contacts.

    `known` (6, 6) is the pixels' information about a step from `pose`, `wanted` (6,) the step they would take alone.
    """
    step = np.zeros(6)
    jacobian = np.zeros((1, 6))
    for _ in range(6):
        here, jacobian = residuals(pose.moved(step))
        normal = known + jacobian.T @ jacobian
        change = -np.linalg.solve(normal, known @ (step - wanted) + jacobian.T @ here)
        step = step + change
        if (np.abs(change) < 0.05 * _STEPS.sum(axis=0)).all():
            break
    here, _ = residuals(pose.moved(step))
    chi2 = float((step - wanted) @ known @ (step - wanted) + here @ here)
    normal = known + jacobian.T @ jacobian
    # The evidence of a hypothesis: its best likelihood times how much of the pose's room it fills (Laplace).
    room = 0.5 * (np.linalg.slogdet(known)[1] - np.linalg.slogdet(normal)[1])
    width = 0.5 * float(np.linalg.slogdet(jacobian @ jacobian.T + 1e-12 * np.eye(len(jacobian)))[1])
    # heavy tails: a hypothesis is not ruled out by more than a bent card or a bad reflection could do
    likelihood = -0.5 * 12.0 * math.log1p(chi2 / 12.0)
    doubt = np.asarray(np.linalg.inv(normal), dtype=np.float64)
    return _Candidate(name, pose.moved(step), chi2, doubt, likelihood + room + _tamed(width) + prior)


def _tamed(width: float) -> float:
    """The prior density of a hypothesis's contacts, in a common unit (tenths of radians and centimetres)."""
    return width - math.log(10.0) * 2.0


def _outline(pose: CardPose, size: _Size) -> Array:
    """Points (N, 3) round the card's outline, corners rounded: the middles of the corner circles, to be widened by the
    radius in whatever direction is asked for; here only the farthest points along each axis matter."""
    return pose.points(*_round_outline(size))


@lru_cache(maxsize=4)  # of one deck, mostly
def _round_outline(size: _Size) -> tuple[Array, Array]:
    """x and y (N,) of `_outline` in the card frame."""
    r = size.radius_mm
    x, y = size.width_mm / 2 - r, size.height_mm / 2 - r
    angles = np.arange(16) * (np.pi / 8)
    cx = (np.array([-x, x, x, -x])[:, None] + r * np.cos(angles)).ravel()
    cy = (np.array([y, y, -y, -y])[:, None] + r * np.sin(angles)).ravel()
    return cx, cy


def overhang_mm(pose: CardPose, arena: Arena, size: _Size) -> float:
    """How far the card reaches over the inner boundary, seen from above; negative inside."""
    outline = np.abs(_outline(pose, size)[:, :2])
    return float((outline - np.array(arena.inner_mm) / 2).max())


def inside_mm(pose: CardPose, arena: Arena, size: _Size) -> float:
    """How far the card's most inward point lies inside the inner boundary; negative: wholly outside."""
    points = np.abs(pose.points(*_all_over(size))[:, :2])
    return float((np.array(arena.inner_mm) / 2 - points).min(axis=1).max())


@lru_cache(maxsize=4)
def _all_over(size: _Size) -> tuple[Array, Array]:
    """x and y (N,) of points all over a card, its rim included, in the card frame."""
    across = np.linspace(-0.5, 0.5, 12)
    u, v = np.meshgrid(across * size.width_mm, across * size.height_mm)
    return u.ravel(), v.ravel()


def _cumulative(x: float) -> float:
    return 0.5 * math.erfc(-x / math.sqrt(2.0))


def diagonal_limit_mm(arena: Arena) -> float:
    """How far over the inner boundary a diagonal card may reach: midway in the range that people would argue about."""
    return (min(_SMALL_OVERHANG_MM, arena.wall_thickness_mm) + arena.wall_thickness_mm + _SMALL_OVERHANG_MM) / 2


# A tray's inner size is measured by hand, to about half a millimetre, and so is what reaches over its wall.
_BOUNDARY_SD_MM = 0.8
_MEASURED_MM = 0.15  # to which overhangs are measured where the tray is as its description says
# A card from outside that reaches in by no more than this barely lies on the wall.
_BARELY_INSIDE_MM = 8.0


def _landing_of(candidate: _Candidate, arena: Arena, size: _Size) -> dict[Landing, float]:
    """Shares of the four landings under one hypothesis, from where its pose puts the card and the doubt about that."""
    pose = candidate.pose
    overhang, inside = overhang_mm(pose, arena, size), inside_mm(pose, arena, size)
    sd = math.hypot(_BOUNDARY_SD_MM, math.sqrt(max(candidate.covariance[0, 0], candidate.covariance[1, 1])))
    outside = _cumulative(-inside / sd)
    over = (1.0 - outside) * _cumulative((overhang - diagonal_limit_mm(arena)) / (1.5 * sd))
    within = max(0.0, 1.0 - outside - over)
    middle = (FLAT_LIMIT_DEG + LEAN_LIMIT_DEG) / 2
    leaning = _cumulative((pose.tilt_deg - middle) / max(_tilt_sd(candidate), 0.15))
    if candidate.name is Hypothesis.FLAT:
        leaning = min(leaning, 0.02) if pose.tilt_deg < middle else leaning
    return {
        Landing.FLAT: within * (1.0 - leaning),
        Landing.DIAGONAL: within * leaning,
        Landing.EDGE: over,
        Landing.BESIDE: outside,
    }


def _tilt_sd(candidate: _Candidate) -> float:
    turn = candidate.covariance[3:5, 3:5]
    return float(np.degrees(np.sqrt(max(np.linalg.eigvalsh(turn)[-1], 0.0))))


def _unheld(candidates: list[_Candidate], best: _Candidate) -> Message | None:
    """The doubt about a card that is tilted where there is nothing to lean on; None for any other."""
    by_wall = any(candidate.name in _LEANS for candidate in candidates)
    if best.name is not Hypothesis.FREE or by_wall or best.pose.tilt_deg < FLAT_LIMIT_DEG:
        return None
    return Doubt.TILTED_WITHOUT_WALL(tilt_deg=round(best.pose.tilt_deg, 1))


def _borderline(
    pose: CardPose, landing: Landing, overhang: float, inside: float, arena: Arena, doubt: float
) -> Message | None:
    """What a person might argue about; None if nothing. The range in which people argue is widened by `doubt` (mm)."""
    low = min(_SMALL_OVERHANG_MM, arena.wall_thickness_mm)
    high = arena.wall_thickness_mm + _SMALL_OVERHANG_MM
    if landing in (Landing.DIAGONAL, Landing.EDGE) and low - doubt < overhang < high + doubt and inside > 12.0:
        return Doubt.LEANING_OR_OVER(reach_mm=round(overhang))
    touches = -5.0 - doubt < inside < _BARELY_INSIDE_MM + 5.0 * doubt
    if landing in (Landing.EDGE, Landing.BESIDE) and touches:
        return Doubt.OVER_OR_BESIDE(reach_mm=round(inside))
    near = 0.25 * doubt
    if landing in (Landing.FLAT, Landing.DIAGONAL) and FLAT_LIMIT_DEG - near < pose.tilt_deg < LEAN_LIMIT_DEG + near:
        return Doubt.FLAT_OR_LEANING(tilt_deg=round(pose.tilt_deg, 1))
    return None
