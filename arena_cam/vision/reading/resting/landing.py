"""How a card lies: physical hypotheses compared by how well they agree with the aligned pose.

Alignment leaves a pose and the information (inverse covariance) that the pixels give about it; near its optimum the
photometric misfit is quadratic in the pose. So each hypothesis - flat at this height, leaning on that wall, over it,
out on the table - is the same misfit plus the physics of contact as further residuals, minimised in the six parameters
of the pose; no pixel is touched again. Their minima are compared as likelihoods.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from arena_cam.domain.doubts import Doubt
from arena_cam.domain.lies import Hypothesis, HypothesisFit, Landing
from arena_cam.domain.messages import Message
from arena_cam.domain.table import Arena
from arena_cam.geometry.card_pose import CardPose
from arena_cam.vision.faces.alignment import Alignment
from arena_cam.vision.reading.resting.contacts import BOUNDARY_SD_MM, LEANS, Candidate, compared
from arena_cam.vision.reading.resting.overhang import CardSize, inside_mm, overhang_mm

FLAT_LIMIT_DEG = 3.0  # the contract's: flat is under 3, diagonal 4 or more
LEAN_LIMIT_DEG = 4.0
_SMALL_OVERHANG_MM = 4.0
_FLAT_HEIGHT_MM, _FLAT_HEIGHT_SD_MM = 0.8, 1.0


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


def judge_resting(aligned: Alignment, arena: Arena, width_mm: float, height_mm: float, radius_mm: float) -> Resting:
    """Compares the hypotheses for a card as it was aligned."""
    size = CardSize(width_mm, height_mm, radius_mm)
    candidates = compared(aligned, arena, size)
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
    unheld = _unheld(candidates, best)
    if unheld is not None:
        totals |= _evenly(totals)
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
        _borderline(best.pose, ranked[0][0], overhang, inside, arena, BOUNDARY_SD_MM) or unheld,
        _borderline(best.pose, ranked[0][0], overhang, inside, arena, -_MEASURED_MM) is not None,
    )


def _cumulative(x: float) -> float:
    return 0.5 * math.erfc(-x / math.sqrt(2.0))


def diagonal_limit_mm(arena: Arena) -> float:
    """How far over the inner boundary a diagonal card may reach: midway in the range that people would argue about."""
    return (min(_SMALL_OVERHANG_MM, arena.wall_thickness_mm) + arena.wall_thickness_mm + _SMALL_OVERHANG_MM) / 2


_MEASURED_MM = 0.15  # to which overhangs are measured where the tray is as its description says
# A card from outside that reaches in by no more than this barely lies on the wall.
_BARELY_INSIDE_MM = 8.0


def _landing_of(candidate: Candidate, arena: Arena, size: CardSize) -> dict[Landing, float]:
    """Shares of the four landings under one hypothesis, from where its pose puts the card and the doubt about that."""
    pose = candidate.pose
    overhang, inside = overhang_mm(pose, arena, size), inside_mm(pose, arena, size)
    sd = math.hypot(BOUNDARY_SD_MM, math.sqrt(max(candidate.covariance[0, 0], candidate.covariance[1, 1])))
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


def _tilt_sd(candidate: Candidate) -> float:
    """The standard deviation of the tilt, degrees: of turns about the axis about which the card is tilted. What leaves
    open how it is turned about the other, as the edge of a wall does on which one corner lies, hardly changes how steep
    it is. Of a card that is nearly level any turn tilts it."""
    turn = candidate.covariance[3:5, 3:5]
    (a, b), (_, d) = turn.tolist()
    widest = math.degrees(math.sqrt(max((a + d) / 2 + math.hypot((a - d) / 2, b), 0.0)))  # the greater eigenvalue
    nx, ny, _ = candidate.pose.R[:, 2]
    steep = math.hypot(nx, ny)
    if candidate.pose.tilt_deg < LEAN_LIMIT_DEG or steep == 0.0:
        return widest
    about = np.array([-ny, nx]) / steep
    return math.degrees(math.sqrt(max(float(about @ turn @ about), 0.0)))


def _unheld(candidates: list[Candidate], best: Candidate) -> Message | None:
    """The doubt about a card that is tilted where there is nothing to lean on; None for any other."""
    by_wall = any(candidate.name in LEANS for candidate in candidates)
    if best.name is not Hypothesis.FREE or by_wall or best.pose.tilt_deg < FLAT_LIMIT_DEG:
        return None
    return Doubt.TILTED_WITHOUT_WALL(tilt_deg=round(best.pose.tilt_deg, 1))


def _evenly(totals: dict[Landing, float]) -> dict[Landing, float]:
    """Flat and diagonal made equally likely: a tilt that nothing holds up says that the print is another, or lies
    elsewhere, and nothing about how the card lies."""
    half = (totals[Landing.FLAT] + totals[Landing.DIAGONAL]) / 2
    return {Landing.DIAGONAL: half, Landing.FLAT: half}


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
