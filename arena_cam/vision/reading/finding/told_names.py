"""Names a card whose outline or print gives its pose, by the points at which the likeliest faces differ."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from arena_cam.geometry.arrays import Array
from arena_cam.geometry.card_pose import CardPose
from arena_cam.vision.faces.name_points import NAMES_PX_PER_MM
from arena_cam.vision.faces.telling import Softly, is_said_in_full, told_apart
from arena_cam.vision.reading.cards.face_comparison import Identity
from arena_cam.vision.reading.cards.fit import Fit, Outline
from arena_cam.vision.reading.cards.fitting import fit_coarse, laid_into
from arena_cam.vision.reading.cards.known import Known
from arena_cam.vision.reading.cards.naming import compared
from arena_cam.vision.reading.cards.trust import NATS_A_MARKER, InView

_BEHIND_NATS = 60.0  # of names that were not told apart: none that is may be less likely


def named_in_place(known: Known, fit: Fit, outline: Outline | None) -> tuple[Fit, Identity]:
    """The name of a card whose `outline` gives its pose, or else its print, either way up, by the points at which the
    likeliest faces differ."""
    ways = (fit.pose, fit.pose.half_turned)
    seen = [compared(known, pose) for pose in ways]
    likely = _worth_telling(known, [at.log_likelihood for at in seen])
    if not likely:
        return fit, seen[0]
    told = _told(known, fit.pose, likely)
    told -= told.max()
    likelihood = np.full(len(seen[0].log_likelihood), float(told.max()) - _BEHIND_NATS)
    for (face, _), nats in zip(likely, told, strict=True):
        likelihood[face] = max(likelihood[face], nats)
    face, turned = likely[int(np.argmax(told))]
    likelier = [way for (other, way), nats in zip(likely, told, strict=True) if other == face and nats > -_EITHER_WAY]
    fits = {way: _fitted(known, fit, outline, face, way) for way in likelier}
    turned = max(fits, key=lambda way: fits[way].worth)
    again = fits[turned]
    top, say = float(likelihood.max()), min(1.0, fit.uncovered / InView.TELLING)  # a part may be that of another face
    return again, Identity(top + (likelihood - top) * say, seen[turned].points)


_EITHER_WAY = 2.0  # nats: many a face is the same both ways up but for a fine detail; the alignment then tells better


def _fitted(known: Known, fit: Fit, outline: Outline | None, face: int, turned: int) -> Fit:
    """A face in the place of a fit, upright (0) or turned (1): by its `outline`, or else by its print."""
    if (face, turned) == (fit.face, 0):
        return fit
    pose = fit.pose.half_turned if turned else fit.pose
    if outline is None:
        return fit_coarse(known, face, pose, close=True)
    return laid_into(known, face, outline.towards(pose))


def _worth_telling(known: Known, likelihoods: Sequence[Array]) -> list[tuple[int, int]]:
    """The faces, upright (0) or turned (1), to be compared at the points where they differ: those that lead over the
    whole card, and those that look most like these. A small figure decides, which hardly counts over the whole card."""
    nearest, best = known.scene.points.names.nearest, max(float(nats.max()) for nats in likelihoods)
    chosen = []
    for turned, nats in enumerate(likelihoods):
        leaders = [face for face in np.argsort(-nats)[:_LEADERS] if nats[face] > best - _TOLD_NATS]
        faces = {int(face) for leader in leaders for face in nearest[leader][:_LIKE_THEM]}
        chosen += [(face, turned) for face in sorted(faces) if face not in known.taken]
    return chosen


_LEADERS, _LIKE_THEM, _TOLD_NATS = 2, 11, 150.0  # how far behind a leader may be that is worth telling


_BESIDE_SD_MM = 0.5  # by which an outline may be beside its card
# What lies so near another card's edge says nothing: the edge is known to half a millimetre, it throws a line of shadow
# as wide, and the picture is seen softly. Of a figure hidden but for its foot the shadow made another figure.
_BESIDE_OTHERS = np.ones((5, 5), np.uint8)  # points of the grid: 1.3 mm
_RIGHT_MM, _UP_MM = np.array([[1.0], [0.0], [0.0]]), np.array([[0.0], [1.0], [0.0]])
_STEPS_MM = (-1.0, -0.5, 0.0, 0.5, 1.0)
_BESIDE_MM = [(0.0, 0.0), *((x, y) for x in _STEPS_MM for y in _STEPS_MM if x or y)]


def _by_rounds(view: Softly, white_ratio: Array) -> Array:
    """Compares all faces of a view, then again those that are left. The fewer there are, the fewer are the points at
    which they differ, and the better is the light known at all other points. If there are still too many points for
    each to have its say, each face is compared with the best alone."""
    nats, alive = np.zeros(len(view.faces)), np.arange(len(view.faces))
    for _ in range(_MOST_ROUNDS):
        told = told_apart(view, white_ratio, alive)
        nats[alive] = told - told.max()
        kept = alive[nats[alive] > -_OUT_NATS]
        if len(kept) in (1, len(alive)):
            break
        alive = kept
    return nats - nats.max() if is_said_in_full(view, alive) else _by_duels(view, white_ratio, nats)


_MOST_ROUNDS, _OUT_NATS = 4, 12.0  # a face so far behind is not asked again


def _by_duels(view: Softly, white_ratio: Array, nats: Array) -> Array:
    """The likelihoods `nats` (K,) with the likeliest faces each compared with the best alone: of ten faces that differ
    in one figure most points at which any two differ say nothing about two of them."""
    rivals = [int(face) for face in np.argsort(-nats, kind="stable")[:_MOST_RIVALS] if nats[face] > -_OUT_NATS]
    best = rivals[0]
    for _ in range(_MOST_CHANGES if len(rivals) > 2 else 0):
        for rival in rivals:
            if rival != best:
                against = told_apart(view, white_ratio, np.array([best, rival]))
                nats[rival] = against[1] - against[0]
        nats[best] = 0.0
        ahead = max(rivals, key=lambda face: nats[face])
        if ahead == best:
            break
        best = ahead
    return np.asarray(nats - nats.max())


_MOST_RIVALS, _MOST_CHANGES = 8, 3


def _told(known: Known, pose: CardPose, likely: Sequence[tuple[int, int]]) -> Array:
    """How well each of some faces (K,), upright (0) or turned (1), explains the points at which they differ."""
    scene = known.scene
    grid = scene.faces.grid(NAMES_PX_PER_MM)
    places = np.stack([grid.x_mm.ravel(), grid.y_mm.ravel(), np.ones(grid.x_mm.size)]).astype(np.float64)
    shape = grid.mask.shape
    here = scene.camera.project_plane(pose.plane, places)
    free = known.claims.at(here) == 0.0
    rightwards, upwards = (scene.camera.project_plane(pose.plane, places + way) - here for way in (_RIGHT_MM, _UP_MM))
    pictures = []
    for right, up in _BESIDE_MM:
        seen = scene.sample_bgr(here + right * rightwards + up * upwards)
        free &= np.isfinite(seen[:, 0])
        pictures.append((-0.5 * (right**2 + up**2) / _BESIDE_SD_MM**2, np.nan_to_num(seen).reshape(*shape, 3)))
    faces = np.stack([grid.bgr_of(face)[::-1, ::-1] if turned else grid.bgr_of(face) for face, turned in likely])
    clear = cv2.erode(free.reshape(shape).astype(np.uint8), _BESIDE_OTHERS) > 0
    weight = (clear & grid.inner).astype(np.float64)
    told = _by_rounds(Softly.of(faces, pictures[0][1], weight, pictures[1:]), scene.white_ratio)
    marks = [scene.markers_in_place(way) for way in (pose, pose.half_turned)]
    return told + NATS_A_MARKER * np.array([marks[turned].get(face, 0) for face, turned in likely])
