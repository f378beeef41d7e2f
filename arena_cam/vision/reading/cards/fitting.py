"""From a guess to a fitted card: alignment from coarse to fine, from every way a card could rest there, and a measure
of how much of the face is visible."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from arena_cam.geometry.arrays import Array
from arena_cam.geometry.card_pose import CardPose
from arena_cam.vision.faces.alignment import FLAT_MOTION, Alignment, Picture, Plan, align
from arena_cam.vision.faces.face_points import FacePoints
from arena_cam.vision.reading.cards.fit import Fit, Outline
from arena_cam.vision.reading.cards.known import Known, seen_at
from arena_cam.vision.reading.cards.leaning import _lies_flat, hangs, is_sunk, leaning_starts
from arena_cam.vision.reading.cards.measuring import measure
from arena_cam.vision.reading.cards.scene import COARSE_HALVINGS, FINE_PX_PER_MM, Scene
from arena_cam.vision.reading.cards.trust import Explained, Nats

# A start is a physical hypothesis (flat, or leaning on a wall): alignment may correct its height and tilt by what
# contact leaves open. The prior hardly touches a card in full view, whose pixels determine both a hundred times better.
# What lies mostly under other cards is held closer to its start: its few pixels determine little, and cards above press
# it flat.
# Standard deviations: 4 mm and 0.08 rad; 1 mm and 0.025 rad.
START_PRIOR = np.diag([0.0, 0.0, 4.0**-2, 0.08**-2, 0.08**-2, 0.0])
COVERED_PRIOR = np.diag([0.0, 0.0, 1.0, 0.025**-2, 0.025**-2, 0.0])
_COVERED_BELOW = 0.6  # share of alignment points in view
# From afar, where a card is a few dozen points, its pose may be this far from the start: 15 mm up, 0.35 rad.
_AFAR_PRIOR = np.diag([0.0, 0.0, 15.0**-2, 0.35**-2, 0.35**-2, 0.0])

# Scales are halvings of the fine one. The coarse scale's pixel is two of the picture's, and the fine one goes on from
# there; what that finds is good to a tenth of a pixel. So many iterations are enough for most; what begins near its
# place and is still on its way then has three times as many.
SLIDE = Plan(1, motion=FLAT_MOTION, iterations=8, converged_px=0.1)
COARSE = Plan(
    1, prior=START_PRIOR, covered_prior=COVERED_PRIOR, covered_below=_COVERED_BELOW, iterations=8, converged_px=0.12
)
CLOSE = replace(COARSE, patience=3)
FINE = replace(COARSE, halvings=0, iterations=10, patience=3, converged_px=0.03, tolerant=True)
AFAR = (Plan(3, prior=_AFAR_PRIOR, converged_px=0.4), Plan(2, prior=_AFAR_PRIOR, converged_px=0.2))


def laid_into(known: Known, face: int, outline: Outline, plan: Plan | None = None) -> Fit:
    """A face placed in an outline and aligned as far as the outline allows. `plan` says how (default COARSE). If the
    print is evidence enough, the last alignment is of the print alone."""
    plan = COARSE if plan is None else plan
    held = _aligned(known, face, outline.pose, _held(plan, outline))
    fit = measure(known, face, held)
    if fit.evidence < SAYS_ENOUGH_NATS:
        return replace(fit, alignment=outline.joined(held), outline=outline)
    free = measure(known, face, _aligned(known, face, held.pose, plan))
    if free.worth < fit.worth or is_turned_from(outline.pose, free.pose):
        return replace(fit, alignment=outline.joined(held), outline=outline)
    return replace(free, outline=outline)


def is_turned_from(outline: CardPose, pose: CardPose) -> bool:
    """Whether the tilts of a face and of its outline differ by more than the errors of both."""
    return float(outline.R[:, 2] @ pose.R[:, 2]) < float(np.cos(np.radians(_TURNED_DEG)))


_TURNED_DEG = 5.0


SAYS_ENOUGH_NATS = 90.0


def _held(plan: Plan, outline: Outline) -> Plan:
    """A plan for an alignment that starts from an outline, with the outline as prior."""
    assert plan.prior is not None
    assert plan.covered_prior is not None
    held = outline.information
    flat = plan.covered_prior if outline.pose.tilt_deg < _FLAT_DEG else plan.prior
    return replace(plan, prior=flat + held, covered_prior=plan.covered_prior + held)


_FLAT_DEG = 3.0


def fit_coarse(known: Known, face: int, start: CardPose, *, close: bool = False, likely: bool = False) -> Fit:
    """The best alignment at the coarse scale, from flat and, where that leaves much open, from leaning on a wall.

    What is claimed by other cards has no say. `close`: the start is thought to be good to a millimetre
    or two, height and tilt too; if that proves right nothing else is tried. `likely`: so much spoke for the start
    that leaning poses are tried even where a flat one says nothing for itself.
    """
    if close:
        fit = fit_close(known, face, start)
        if fit.explained > Explained.ALL or _is_plainly_flat(known.scene, fit):
            return fit
    best = near_then_free(known, face, start)
    if _is_plainly_flat(known.scene, best) or (best.evidence < Nats.WORTH_LEANING and not likely):
        return best
    for lean in leaning_starts(known.scene, best.pose if best.explained > Explained.HALF else start):
        fit = near_then_free(known, face, lean)
        # cards mostly lie flat: a leaning pose has to explain more, not as much by another route
        ahead = FLAT_FIRST if _lies_flat(known.scene, best.pose) else 1.0
        if fit.worth > ahead * best.worth:
            best = fit
    in_view_tiles = best.uncovered * best.tiles.size
    if best.explained < Explained.UNCLEAR and (likely or best.evidence > Nats.WORTH_AFAR_A_TILE * in_view_tiles):
        fit = near_then_free(known, face, _from_afar(known, face, start))
        if fit.worth > FLAT_FIRST * best.worth:
            best = fit
    return best


def fit_close(known: Known, face: int, start: CardPose) -> Fit:
    """The alignment at the coarse scale from a pose that is good to a millimetre or two, height and tilt too."""
    return measure(known, face, _aligned(known, face, start, CLOSE))


def near_then_free(known: Known, face: int, start: CardPose) -> Fit:
    """Slides a face to its best place in its plane, then lets it tilt if the picture supports it there."""
    first = slide(known, face, start)
    if not is_hopeful(first):
        return first
    second = measure(known, face, _aligned(known, face, first.pose, COARSE))
    return second if second.evidence >= first.evidence and _is_possible(known.scene, second) else first


def is_hopeful(fit: Fit) -> bool:
    """Whether a face slid to its best place says as much a tile as one that is there, and flat."""
    return fit.evidence >= Nats.HOPEFUL_A_TILE * fit.uncovered * fit.tiles.size


def slide(known: Known, face: int, start: CardPose) -> Fit:
    """The alignment at the coarse scale within the plane of `start`."""
    return measure(known, face, _aligned(known, face, start, SLIDE))


def _aligned(known: Known, face: int, start: CardPose, plan: Plan) -> Alignment:
    """A face aligned by a plan, on the pixels of it that are visible; by one for the coarse scale at that at which its
    print shows."""
    scene = known.scene
    if plan.halvings == COARSE_HALVINGS and scene.points.halvings(face) < COARSE_HALVINGS:
        plan = replace(plan, halvings=0)
    points = scene.points.points(face, FINE_PX_PER_MM / 2**plan.halvings)
    picture = Picture(scene.pyramid, scene.fine_level, scene.camera)
    return align(picture, points, start, plan, _uncovered_weights(known, points, start))


def _is_possible(scene: Scene, fit: Fit) -> bool:
    """False where a card would have to reach through the floor, or to hang in the air to show a part of its face."""
    if is_sunk(scene, fit.pose):
        return False
    return fit.explained > Explained.UNCLEAR or not hangs(scene, fit.pose)


def _from_afar(known: Known, face: int, start: CardPose) -> CardPose:
    """Alignment from a quarter and half of the coarse scale. A steep card seen from above is displaced and
    foreshortened by more than alignment at the coarse scale can bridge."""
    pose = start
    for plan in AFAR:
        pose = _aligned(known, face, pose, plan).pose
    return pose


# A pose that is not flat has to be worth so many times as much: cards mostly lie flat.
FLAT_FIRST = 1.25


def _is_plainly_flat(scene: Scene, fit: Fit) -> bool:
    return fit.explained > Explained.PLAINLY and _lies_flat(scene, fit.pose)


def fit_fine(known: Known, face: int, start: CardPose) -> Fit:
    """The alignment at the fine scale from a coarse one. It is repeated from its own result if that is far from the
    start, because the prior is meant to bridge what the pixels leave open, not to hold the pose back."""
    for _ in range(_MOST_STARTS):
        found = _aligned(known, face, start, FINE)
        turned = float(np.degrees(np.arccos(np.clip(found.pose.R[:, 2] @ start.R[:, 2], -1.0, 1.0))))
        if turned < _FAR_DEG:
            break
        start = found.pose
    return measure(known, face, found)


def fit_held_flat(known: Known, face: int, start: CardPose) -> Fit:
    """The alignment at the fine scale of a card that others press flat: see `COVERED_PRIOR`."""
    return measure(known, face, _aligned(known, face, start, replace(FINE, prior=COVERED_PRIOR)))


_MOST_STARTS = 3
_FAR_DEG = 2.5


def _uncovered_weights(known: Known, points: FacePoints, pose: CardPose) -> Array | None:
    if not known.claims.any:
        return None
    weights = seen_at(known, pose, points.places)[1]
    covered = float(weights.sum())
    return weights if 40 < covered < len(weights) else None
