"""The pose of a card's outline, whatever is printed on the card: its four sides are followed in the picture.

At many points of the outline the picture is searched, across the side, for the steepest change of colour. The pose that
brings the outline there is found by least squares, without the points that disagree (C. Harris and C. Stennett, "RAPID:
a video rate object tracker", BMVC 1990; T. Drummond and R. Cipolla, "Real-time visual tracking of complex structures",
PAMI 24, 2002, for the robust weights). Of a nearly blank card the outline is most of what is visible.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from arena_cam.geometry.arrays import Array, Mask
from arena_cam.geometry.card_pose import CardPose
from arena_cam.vision.kernels.calls import Looks, SeenFloor, outlined
from arena_cam.vision.reading.cards.claims import Claims
from arena_cam.vision.reading.cards.fit import Fit, Outline
from arena_cam.vision.reading.cards.fitting import COVERED_PRIOR
from arena_cam.vision.reading.cards.known import Known
from arena_cam.vision.reading.cards.scene import Scene
from arena_cam.vision.reading.floor.table_change import VIEW_PX_PER_MM

_SPACING_MM = 4.0  # of the points along the sides: nearer ones see the same pixels
_STEP_MM = 0.25  # of what is sampled across a side
_APART_MM = 0.75  # the change of colour is taken over this much: half a millimetre of blur, on either side
# How far a side is looked for, iteration by iteration: of a card that lies flat, and of one that leans, which is seen
# some millimetres beside where it is guessed.
NEAR_MM, FAR_MM = (2.5, 1.75, 1.25, 1.0, 1.0), (5.0, 3.5, 2.5, 1.5, 1.0, 1.0)
_FAINT = 8.0  # grey levels, over all channels: a change that noise alone makes
# How far a point of the outline is seen from where it is: cut edges are 0.3 mm thick and throw a line of shadow.
_SD_MM = 0.4
_TUKEY = 4.685
_BESIDE_MM = 0.6  # by which an edge may be beside the outline, and be its own
_NEAR_MM = 0.8  # of an aligned outline an edge is seen no farther off
# Nats that a point of the outline says for a card, with an edge there and without; see `rectangles`.
_EDGE_NATS, _NO_EDGE_NATS, _BARE_NATS = 0.6, -0.35, -1.2
_INSIDE_MM, _OUTSIDE_MM = 2.0, 4.0  # from a side: where another card would hide it, where bare floor may be seen
_LITTLE = 1e-4  # information about each step where too few points are in view to tell it
_LOST = 20.0  # mm: no step that leads so far is towards a card
# All of these, in the order of the compiled twin.
_RULES = np.array([round(2 * _APART_MM / _STEP_MM), _STEP_MM, _FAINT, _SD_MM, _TUKEY, _INSIDE_MM, _OUTSIDE_MM])
_RULES = np.append(_RULES, (_BESIDE_MM, _EDGE_NATS, _NO_EDGE_NATS, _BARE_NATS, _LOST))
# The mean is taken over 7 mm along a side: stripes that are to be seen are 0.5 to 3 mm apart, and of none much is left.
# So many samples each way, and how far apart: nearer ones see the same pixels.
_ALONG, _ALONG_MM = 3, 1.0
_AT_A_POINT, _AS_A_MEAN = (np.append(_RULES, (along, _ALONG_MM)) for along in (0, _ALONG))


def fit_outline(
    scene: Scene,
    start: CardPose,
    claims: Claims,
    prior: Array,
    reaches_mm: Sequence[float] = NEAR_MM,
    *,
    through_print: bool = False,
) -> Outline:
    """The outline aligned from a start. `prior` (6, 6) is the information about the start; `reaches_mm` gives the
    search distance of each step. Sides that `claims` cover are not used. `through_print` follows what changes of the
    mean along a side: a side is straight, and fine print that runs to it at an angle, which may change by more than the
    card's edge does, is even in that."""
    prior, reaches_mm = prior + _LITTLE * np.eye(6), tuple(reaches_mm)
    found = _compiled(scene, start, claims, prior, reaches_mm, through_print)
    return found or _in_numpy(scene, start, claims, prior, reaches_mm, through_print)


def _compiled(
    scene: Scene, start: CardPose, claims: Claims, prior: Array, reaches_mm: tuple[float, ...], mean: bool = False
) -> Outline | None:
    """`_in_numpy`, compiled; None where that cannot be. Without reaches the outline is judged where it is."""
    change = scene.change
    bare, half_mm = (None, (0.0, 0.0)) if change is None else (change.unchanged, change.table.half_mm)
    frame = scene.pyramid.levels[0].shape
    seen = SeenFloor(
        *(scene.bgr, scene.fine_level, scene.camera, (frame[0], frame[1])),
        *(claims.mask, claims.STEP, bare, (*half_mm, VIEW_PX_PER_MM)),
    )
    found = outlined(seen, _outline(scene), start, prior, _looks(reaches_mm), _AS_A_MEAN if mean else _AT_A_POINT)
    return None if found is None else Outline(*found)


@lru_cache(maxsize=8)
def _looks(reaches_mm: tuple[float, ...]) -> Looks:
    """Where the sides are looked for at these reaches, and in the end to judge what is found."""
    steps = [_steps(reach) for reach in (*reaches_mm, _NEAR_MM)]
    bell = [_bell(across, reach) for across, reach in zip(steps, (*reaches_mm, _NEAR_MM), strict=True)]
    padded = [np.pad(part, (0, len(across) - len(part))) for part, across in zip(bell, steps, strict=True)]
    return Looks(np.concatenate(steps), np.concatenate(padded), np.array([len(across) for across in steps], np.int64))


def _steps(reach_mm: float) -> Array:
    """The places (S,), across a side, that are sampled to find it within a distance."""
    return np.arange(-reach_mm - _APART_MM, reach_mm + _APART_MM + 1e-6, _STEP_MM)


_GAP = round(2 * _APART_MM / _STEP_MM)  # steps over which a change is taken


def _bell(steps: Array, reach_mm: float) -> Array:
    """How likely (S - gap,) the side is at each place where a change can be told."""
    return np.asarray(np.exp(-0.5 * (steps[_GAP // 2 : len(steps) - _GAP + _GAP // 2] / reach_mm) ** 2))


def _in_numpy(
    scene: Scene, start: CardPose, claims: Claims, prior: Array, reaches_mm: tuple[float, ...], mean: bool = False
) -> Outline:
    pose, total = start, np.zeros(6)
    normal = prior
    for reach in reaches_mm:
        off, strength, _, jacobian = _followed(scene, pose, claims, reach, mean)
        weight = strength / (strength + _FAINT)
        seen = np.abs(off[strength > _FAINT])
        scale = max(_SD_MM, 1.4826 * float(np.median(seen))) if len(seen) else _SD_MM
        u = np.clip(np.abs(off) / (_TUKEY * scale), 0.0, 1.0)
        weight = weight * (1.0 - u * u) ** 2 / _SD_MM**2
        normal = (jacobian * weight[:, None]).T @ jacobian
        step = np.asarray(np.linalg.solve(normal + prior, (jacobian * weight[:, None]).T @ off - prior @ total), float)
        if not np.abs(step).max() < _LOST:
            break
        pose, total = pose.moved(step), total + step
    nats, shown = _said(scene, pose, claims, mean)
    return Outline(pose, normal, nats, shown)


def outline_at(scene: Scene, pose: CardPose, claims: Claims) -> Outline:
    """What the picture shows of a card's sides at a pose as it is: nothing is followed, and its `information` says that
    each millimetre and radian is known to one."""
    return _compiled(scene, pose, claims, np.eye(6), ()) or _in_numpy(scene, pose, claims, np.eye(6), ())


def has_no_sides(scene: Scene, pose: CardPose, claims: Claims) -> bool:
    """Whether the picture shows no edges where a card at a pose would have its uncovered sides."""
    return outline_at(scene, pose, claims).nats < _NO_SIDES_NATS


# Nearly as many points without an edge as with one: of a card in its place nine in ten show one.
_NO_SIDES_NATS = -1.5


def lacks_sides(known: Known, fit: Fit, others: Claims | None = None) -> bool:
    """Whether a card would have a piece of its sides in view, beside tiles that show its face, of which the picture
    does not show enough there or right beside: its print may fit and the card lies elsewhere. A flower of eight petals
    looks the same an eighth of a turn on. `others` is where all other cards lie, if that is known: see `_shown_if_due`.
    """
    scene, claims = known.scene, _beside_its_face(known, fit)
    if outline_at(scene, fit.pose, claims).shown >= _SHOWN_IN_PLACE:
        return False
    places, normals = _outline(scene)
    if int((~_covered(scene, fit.pose, places, normals, claims)).sum()) < _POINTS_OF_A_SIDE:
        return False
    if others is not None and _shown_if_due(scene, fit.pose, claims, others) >= _SHOWN_IN_PLACE:
        return False
    beside = fit_outline(scene, fit.pose, claims, COVERED_PRIOR)
    off_mm = float(np.hypot(*(beside.pose.centre_mm - fit.pose.centre_mm)[:2]))
    turned = float(beside.pose.R[:, 0] @ fit.pose.R[:, 0]) < np.cos(np.radians(_OFF_PRINT_DEG))
    return beside.shown < _SHOWN_IN_PLACE or off_mm > _OFF_PRINT_MM or turned


def shows_sides(known: Known, fit: Fit) -> bool:
    """Whether the picture shows enough of a card's sides right where it lies, so that it does not lack them. Nothing is
    followed: what is known of no more than the card's own place is asked."""
    return outline_at(known.scene, fit.pose, _beside_its_face(known, fit)).shown >= _SHOWN_IN_PLACE


def _beside_its_face(known: Known, fit: Fit) -> Claims:
    """What is claimed, and the tiles of a card that do not show its face."""
    claims = known.claims.copy()
    claims.add_cells(known.scene, fit.pose, ~fit.shown)
    return claims


# Of 740 cards found by their print, of 24 decks, that had a piece of 30 mm in view all but the three misnamed ones
# showed 0.73 and more of it, two under a hand the least; two of the misnamed ones 0.47 and 0.66. A dark one over others
# showed 0.70 where its print lay, and 0.84 of sides 0.6 mm and 0.7 degrees off; sides of the misnamed lay 11 mm and 3
# degrees off.
_SHOWN_IN_PLACE, _POINTS_OF_A_SIDE = 0.7, 8
_OFF_PRINT_MM, _OFF_PRINT_DEG = 2.0, 1.5


def _shown_if_due(scene: Scene, pose: CardPose, claims: Claims, others: Claims) -> float:
    """The share (0..1) of the uncovered sides of a card that show an edge, but for those of which none is due: beyond
    them lies one of the `others`, in the colour that the card has there itself. White on white a cut edge is seen where
    its shadow falls, and no more: of a card in full view with seven shapes, on two white ones, half of the sides showed
    no edge, and it was hardly seen. 0 where too few are left.

    Where it does, the cut edge is a dark line between two alike, and the steepest change is on one of its flanks: of a
    card with six shapes, on two white ones, all sides were seen in their place, and taken to be half a millimetre off.
    """
    off, strength, hidden, _ = _followed(scene, pose, claims, _NEAR_MM)
    places, normals = _outline(scene)
    within, beyond = (_levels(scene, pose, places + way * _INSIDE_MM * normals) for way in (-1.0, 1.0))
    alike = np.abs(within - beyond).sum(axis=1) < _SAME_COLOUR
    lines = [_levels(scene, pose, places + way * normals) for way in _ON_THE_LINE_MM]
    apart = [np.minimum(*(np.abs(on - side).sum(axis=1) for side in (within, beyond))) for on in lines]
    is_line = alike & (np.max(apart, axis=0) > _LINE)
    edge = np.where(is_line, 1.0, _edges(off, strength))
    over_others = others.at(_pixels(scene, pose, places + _OUTSIDE_MM * normals)) > 0.0
    due = ~hidden & ~(over_others & alike & ~is_line)
    return float(edge[due].mean()) if int(due.sum()) >= _POINTS_OF_A_SIDE else 0.0


# Grey levels, over all channels. Of 45 points without an edge over other cards, of three cards found rightly on
# path-traced pictures, none differed by more than 14.
_SAME_COLOUR = 15.0
# A line is seen where it is looked for, and differs from either side by so much: of that card they did by 100 and more.
_ON_THE_LINE_MM, _LINE = (-0.25, 0.0, 0.25), 60.0


def _pixels(scene: Scene, pose: CardPose, places: Array) -> Array:
    """Where the picture shows (2, N) some places (N, 2) in a card's plane."""
    return scene.camera.project_plane(pose.plane, np.concatenate([places.T, np.ones((1, len(places)))]))


def _levels(scene: Scene, pose: CardPose, places: Array) -> Array:
    """The grey levels (N, 3) that the picture shows at some places (N, 2) in a card's plane; 0 beyond it."""
    return np.asarray(np.nan_to_num(scene.sample_bgr(_pixels(scene, pose, places))), np.float64)


def _edges(off: Array, strength: Array) -> Array:
    """How much (N,), 0 to 1, each point of an outline shows an edge that lies `off` it (mm) and is so strong."""
    seen = np.clip((strength / (strength + _FAINT) - 0.4) / 0.3, 0.0, 1.0)
    return np.asarray(seen * np.exp(-0.5 * (off / _BESIDE_MM) ** 2))


def _said(scene: Scene, pose: CardPose, claims: Claims, mean: bool) -> tuple[float, float]:
    """The evidence (nats) of the sides for a card at a pose, and the share of the uncovered sides that show an edge."""
    off, strength, hidden, _ = _followed(scene, pose, claims, _NEAR_MM, mean)
    places, normals = _outline(scene)
    free = ~hidden
    edge = _edges(off, strength)
    none = np.where(_is_bare(scene, pose, places + _OUTSIDE_MM * normals), _BARE_NATS, _NO_EDGE_NATS)
    nats = np.where(edge > 0.0, edge * _EDGE_NATS + (1.0 - edge) * none, none)
    return float(nats[free].sum()), float(edge[free].mean()) if free.any() else 0.0


def _followed(
    scene: Scene, pose: CardPose, claims: Claims, reach_mm: float, mean: bool = False
) -> tuple[Array, Array, Mask, Array]:
    """For each point of the outline (N,): how far outwards the steepest change of colour lies (mm), how strong it is
    (grey levels), whether it cannot be seen (strength 0: another card covers it, or a part of the range where it is
    looked for lies beyond the picture, whose border is no side), and how far a step of the pose moves the point
    outwards (N, 6). Where it changes at the point, or in the `mean` along the side."""
    places, normals = _outline(scene)
    steps = _steps(reach_mm)
    along = np.arange(-_ALONG, _ALONG + 1) * _ALONG_MM if mean else np.zeros(1)
    beside = along[:, None, None] * np.column_stack([-normals[:, 1], normals[:, 0]])
    at = (beside + places)[:, :, None] + steps[:, None] * normals[:, None]
    flat = np.concatenate([at.reshape(-1, 2).T, np.ones((1, at.size // 2))])
    pixels = scene.camera.project_plane(pose.plane, flat)
    seen = scene.sample_bgr(pixels).reshape(len(along), len(places), len(steps), 3).sum(axis=0)
    hidden = np.isnan(seen).any(axis=(1, 2)) | _covered(scene, pose, places, normals, claims)
    seen = np.nan_to_num(seen)
    change = np.abs(seen[:, _GAP:] - seen[:, :-_GAP]).sum(axis=2) * (1.0 / len(along))
    best = (change * _bell(steps, reach_mm)).argmax(axis=1)
    rows = np.arange(len(places))
    off = steps[_GAP // 2 + best] + _STEP_MM * _peak(change, rows, best)
    strength = np.where(hidden, 0.0, change[rows, best])
    return off, strength, hidden, _moves(scene, pose, places, normals)


def _peak(change: Array, rows: NDArray[np.intp], best: NDArray[np.intp]) -> Array:
    """The sub-sample position (N,), in steps, of the maximum: a parabola through the greatest sample and its
    neighbours."""
    last = change.shape[1] - 1
    before, here, after = (change[rows, (best + k).clip(0, last)] for k in (-1, 0, 1))
    bend = np.minimum(before - 2 * here + after, -1e-6)
    inner = (best > 0) & (best < last)
    return np.where(inner, np.clip(0.5 * (before - after) / bend, -0.5, 0.5), 0.0)


def _moves(scene: Scene, pose: CardPose, places: Array, normals: Array) -> Array:
    """(N, 6): by how much a step of the pose moves each point outwards in the card's plane, as the camera sees it."""
    arm = np.outer(places[:, 0], pose.R[:, 0]) + np.outer(places[:, 1], pose.R[:, 1])
    outward = np.outer(normals[:, 0], pose.R[:, 0]) + np.outer(normals[:, 1], pose.R[:, 1])
    up = pose.R[:, 2]
    ray = pose.centre_mm + arm - scene.camera.centre_mm
    seen = outward - np.outer((ray * outward).sum(axis=1) / (ray @ up), up)
    return np.concatenate([seen, np.cross(arm, seen)], axis=1)


def _covered(scene: Scene, pose: CardPose, places: Array, normals: Array, claims: Claims) -> Mask:
    """A mask (N,) of the outline's points that other cards hide or that lie outside the picture."""
    pixels = _pixels(scene, pose, places - _INSIDE_MM * normals)
    height, width = scene.pyramid.levels[0].shape
    out = (pixels < 0.0).any(axis=0) | (pixels[0] > width - 1) | (pixels[1] > height - 1)
    return np.asarray(out | (claims.at(pixels) > 0.0))


def _is_bare(scene: Scene, pose: CardPose, places: Array) -> Mask:
    """A mask (N,) of the `places` (N, 2) in a card's plane behind which the picture shows the bare floor."""
    if scene.change is None:
        return np.zeros(len(places), dtype=bool)
    world = pose.points(places[:, 0], places[:, 1])
    ray = world - scene.camera.centre_mm
    floor = world - ray * (world[:, 2:] / ray[:, 2:])
    return scene.change.within(scene.change.unchanged, floor[:, 0], floor[:, 1])


def _outline(scene: Scene) -> tuple[Array, Array]:
    deck = scene.faces.deck
    return _points(deck.width_mm, deck.height_mm, deck.corner_radius_mm)


@lru_cache(maxsize=4)
def _points(width_mm: float, height_mm: float, radius_mm: float) -> tuple[Array, Array]:
    """Points (N, 2) along a card's straight sides, card frame, and the directions (N, 2) that lead outwards there."""
    x, y = width_mm / 2, height_mm / 2
    across = np.linspace(radius_mm - x, x - radius_mm, round((2 * (x - radius_mm)) / _SPACING_MM) + 1)
    along = np.linspace(radius_mm - y, y - radius_mm, round((2 * (y - radius_mm)) / _SPACING_MM) + 1)
    places, normals = [], []
    for way in (1.0, -1.0):
        places += [np.column_stack([np.full_like(along, way * x), along])]
        places += [np.column_stack([across, np.full_like(across, way * y)])]
        normals += [np.tile([[way, 0.0]], (len(along), 1)), np.tile([[0.0, way]], (len(across), 1))]
    return np.concatenate(places), np.concatenate(normals)
