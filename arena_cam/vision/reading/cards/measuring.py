"""How much of a card is visible, and how well a face at a pose explains the visible part, tile by tile."""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from arena_cam.geometry.arrays import Array
from arena_cam.geometry.card_pose import CardPose
from arena_cam.vision.faces.alignment import Alignment
from arena_cam.vision.faces.face_points import FacePoints
from arena_cam.vision.faces.face_tiles import shown_tiles
from arena_cam.vision.faces.light import FLAT, OF_MEAN, PLAIN_RIDGE, plain_residual
from arena_cam.vision.kernels.calls import Sampled, likeness_at
from arena_cam.vision.kernels.view_calls import counted_in_view
from arena_cam.vision.reading.cards.fit import Fit
from arena_cam.vision.reading.cards.known import Known
from arena_cam.vision.reading.cards.scene import COARSE_HALVINGS, COARSE_PX_PER_MM, Scene
from arena_cam.vision.reading.cards.trust import Explained


def in_view(known: Known, pose: CardPose) -> tuple[float, float]:
    """The share (0..1) of a card at `pose` that lies in the picture and that no claim covers, and the share of this
    that differs from the empty table: 1 if there is no picture of the empty table, 0 if no card can have come since the
    last reading."""
    scene, claims = known.scene, known.claims
    places = _spread_over(scene.faces.deck.width_mm, scene.faces.deck.height_mm)
    frame, change = scene.pyramid.levels[0].shape, scene.change
    if scene.fresh is None:
        above = None if change is None else change.above
        counts = counted_in_view(scene.camera, frame, pose, places, (claims.mask, claims.STEP), above)
        if counts is not None:
            return _shares(*counts, places.shape[1])
    pixels = scene.camera.project_plane(pose.plane, places)
    free = (pixels >= 0.0).all(axis=0) & (pixels[0] < frame[1]) & (pixels[1] < frame[0]) & (claims.at(pixels) == 0.0)
    x_mm, y_mm, _ = pose.plane @ places
    if scene.fresh is not None and not scene.fresh.worth_a_guess(pixels, free, x_mm, y_mm):
        return float(free.mean()), 0.0
    if change is None:
        return float(free.mean()), 1.0
    valid, odd = change.within_each((change.table.valid, change.odd), x_mm, y_mm)
    compared = free & valid
    return _shares(int(free.sum()), int(compared.sum()), int((odd & compared).sum()), places.shape[1])


def _shares(free: int, compared: int, odd: int, of: int) -> tuple[float, float]:
    """The shares of the counts of `in_view`; a few points on walls and round them, which are not compared, say nothing
    either way."""
    return free / of, odd / compared if compared > 0.1 * of else 1.0


def on_card(scene: Scene, pose: CardPose) -> Array:
    """Pixels (2, N) spread evenly over a card at `pose`."""
    return scene.camera.project_plane(pose.plane, _spread_over(scene.faces.deck.width_mm, scene.faces.deck.height_mm))


@lru_cache(maxsize=4)
def _spread_over(width_mm: float, height_mm: float) -> Array:
    """Places (3, N) in the card frame: x, y in mm, and 1."""
    x, y = np.meshgrid(_ACROSS * width_mm, _ACROSS * height_mm)
    return np.stack([x.ravel(), y.ravel(), np.ones(x.size)])


_ACROSS = (np.arange(16) + 0.5) / 16 - 0.5


def measure(known: Known, face: int, alignment: Alignment) -> Fit:
    """How much of the face the picture shows, tile by tile, at the scale at which its print shows."""
    nats, shown, enough = tiles_at(known, face, alignment.pose)
    in_view = int(np.count_nonzero(enough))
    share = int(np.count_nonzero(shown)) / max(1, in_view)
    return Fit(face, alignment, share, float(nats.sum()), nats, shown, in_view / enough.size)


def evidence_at(known: Known, face: int, pose: CardPose) -> float:
    """The evidence (nats) that a fit would have at this pose without further alignment."""
    return float(tiles_at(known, face, pose)[0].sum())


def tiles_at(known: Known, face: int, pose: CardPose) -> tuple[Array, NDArray[np.bool_], NDArray[np.bool_]]:
    """Of each tile of a face (T,): what it says for it at `pose`, in nats; whether it shows; whether enough of it is
    in view to say anything.

    A face whose print shows at the fine scale alone is seen there if half of it shows; else at the coarse one: of a
    card that is bent, or lies a part of a stripe off, stripes say nothing, and its tone all the same what it may be."""
    finest = known.scene.points.halvings(face)
    seen = _tiles_at(known, face, pose, finest)
    if finest == COARSE_HALVINGS or seen[1].sum() >= Explained.HALF * max(1, seen[2].sum()):
        return seen
    return _tiles_at(known, face, pose, COARSE_HALVINGS)


def _tiles_at(
    known: Known, face: int, pose: CardPose, halvings: int
) -> tuple[Array, NDArray[np.bool_], NDArray[np.bool_]]:
    """The same at the fine scale halved so often."""
    scene, claims = known.scene, known.claims
    tiles, level = scene.points.tiles(face, halvings), scene.fine_level + halvings
    at = Sampled(scene.pyramid.levels[level], level, scene.camera, pose)
    compiled = tiles.shown_at(at, claims.mask if claims.any else None, claims.STEP)
    if compiled is not None:
        return compiled
    pixels = scene.camera.project_plane(pose.plane, tiles.places)
    seen, inside = scene.pyramid.sample_at(pixels, level)
    covered = claims.at(pixels) == 1.0 if claims.any else None
    good = inside if covered is None else ~covered if inside is None else inside & ~covered
    return shown_tiles(tiles, seen, good)


def likeness(known: Known, face: int, start: CardPose) -> float | None:
    """Nats per point by which a face at its guessed pose explains the picture better than an even grey, at the coarse
    scale, where a right guess matches despite an error of some millimetres and degrees. None if too little is visible.
    """
    scene, claims = known.scene, known.claims
    points, level = scene.points.points(face, COARSE_PX_PER_MM / 2), scene.fine_level + 2
    at = Sampled(scene.pyramid.levels[level], level, scene.camera, start)
    mask = claims.mask if claims.any else None
    left = likeness_at(at, (points.places, points.light), mask, claims.STEP, _LIKENESS_RULES)
    left = _left_in_numpy(known, points, start, level) if left is None else left
    if isinstance(left, float):
        return None
    return 0.5 * math.log((left[1] + _ROUNDING) / (left[0] + _ROUNDING))


def _left_in_numpy(known: Known, points: FacePoints, start: CardPose, level: int) -> tuple[float, float] | float:
    """What the light of a face, and that of an even grey, leave of the picture; NaN where too little is in view."""
    scene = known.scene
    pixels = scene.camera.project_plane(start.plane, points.places)
    seen, inside = scene.pyramid.sample_at(pixels, level)
    weights = 1.0 - known.claims.at(pixels)
    if inside is not None:
        seen, weights = np.where(inside, seen, 0.0), weights * inside
    if weights.mean() < _MOST_IN_VIEW:
        return math.nan
    return plain_residual(points.light, seen, weights), plain_residual(points.light[3:], seen, weights)


_MOST_IN_VIEW, _ROUNDING = 0.5, 2.0  # of a card, for what is seen from afar to mean anything; grey levels squared
_LIKENESS_RULES = np.array([_MOST_IN_VIEW, *PLAIN_RIDGE, OF_MEAN, FLAT])  # as the compiled twin has them
