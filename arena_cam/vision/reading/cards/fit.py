"""How well a face at a pose explains the picture: tile by tile."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from arena_cam.domain.cards import Deck
from arena_cam.geometry.arrays import Array
from arena_cam.geometry.card_pose import CardPose
from arena_cam.vision.faces.alignment import (
    Alignment,
)
from arena_cam.vision.faces.face_tiles import shown_tiles
from arena_cam.vision.reading.cards.claims import Claims
from arena_cam.vision.reading.cards.scene import Scene


@dataclass(frozen=True, eq=False)
class Fit:
    """A face aligned with the picture.

    `uncovered` (0..1) is the share of the face's tiles that lie in the picture and that no other known card claims, and
    `explained` (0..1) the share of those that look as the face does. `evidence` sums, over these tiles, by how many
    nats the face explains the picture better than a patch of even grey; `tiles` (rows, columns) holds it tile by tile,
    and `shown` (rows, columns) is true where the picture shows the face."""

    face: int
    alignment: Alignment
    explained: float
    evidence: float
    tiles: Array
    shown: NDArray[np.bool_]
    uncovered: float

    @property
    def pose(self) -> CardPose:
        return self.alignment.pose

    @property
    def worth(self) -> float:
        """How good a fit it is, to rank fits by: much that is seen, and little that is not as it should be."""
        return self.evidence * self.explained


def same_place(centre_mm: Array, rotation: Array, fit: Fit) -> bool:
    """True where two poses are one card read twice: rigid cards cannot lie within a few millimetres and degrees of each
    other unless one hides the other."""
    gap = float(np.hypot(*(centre_mm[:2] - fit.pose.centre_mm[:2])))
    return gap < 6.0 and abs(float(rotation[:, 0] @ fit.pose.R[:, 0])) > np.cos(np.radians(8.0))


def in_view(scene: Scene, pose: CardPose, claims: Claims) -> tuple[float, float]:
    """The share (0..1) of a card at `pose` that lies in the picture and that no claim covers, and the share of this
    that shows something else than the empty table does: 1 where that is not known, 0 where no card can have come since
    others were read."""
    height, width = scene.pyramid.levels[0].shape
    places = _spread_over(scene.faces.deck)
    pixels = scene.camera.project_plane(pose.plane, places)
    free = (pixels >= 0.0).all(axis=0) & (pixels[0] < width) & (pixels[1] < height) & (claims.at(pixels) == 0.0)
    if scene.fresh is None and scene.change is None:
        return float(free.mean()), 1.0
    x_mm, y_mm, _ = pose.plane @ places
    if scene.fresh is not None and not scene.fresh.worth_a_guess(pixels, free, x_mm, y_mm):
        return float(free.mean()), 0.0
    if scene.change is None:
        return float(free.mean()), 1.0
    known = free & scene.change.within(scene.change.table.valid, x_mm, y_mm)
    odd = known & scene.change.within(scene.change.odd, x_mm, y_mm)
    # a few points on walls and round them, which are not compared, say nothing either way
    return float(free.mean()), float(odd.sum() / known.sum()) if known.sum() > 0.1 * known.size else 1.0


def on_card(scene: Scene, pose: CardPose) -> Array:
    """Pixels (2, N) spread evenly over a card at `pose`."""
    return scene.camera.project_plane(pose.plane, _spread_over(scene.faces.deck))


def _spread_over(deck: Deck) -> Array:
    """Places (3, N) in the card frame: x, y in mm, and 1."""
    x, y = np.meshgrid(_ACROSS * deck.width_mm, _ACROSS * deck.height_mm)
    return np.stack([x.ravel(), y.ravel(), np.ones(x.size)])


_ACROSS = (np.arange(16) + 0.5) / 16 - 0.5


def measure(scene: Scene, face: int, alignment: Alignment, claims: Claims | None = None) -> Fit:
    """How much of the face the picture shows, tile by tile, at the coarse scale."""
    nats, shown, enough = _tiles_at(scene, face, alignment.pose, claims)
    share = float(shown.sum() / max(1, enough.sum()))
    return Fit(face, alignment, share, float(nats.sum()), nats, shown, float(enough.mean()))


def evidence_at(scene: Scene, face: int, pose: CardPose, claims: Claims | None = None) -> float:
    """What a fit would have for its evidence (nats) if it were not aligned any further."""
    return float(_tiles_at(scene, face, pose, claims)[0].sum())


def _tiles_at(
    scene: Scene, face: int, pose: CardPose, claims: Claims | None
) -> tuple[Array, NDArray[np.bool_], NDArray[np.bool_]]:
    tiles = scene.points.tiles(face)
    pixels = scene.camera.project_plane(pose.plane, tiles.places)
    seen, inside = scene.pyramid.sample_at(pixels, scene.fine_level + 1)
    covered = claims.at(pixels) == 1.0 if claims is not None and claims.any else None
    good = inside if covered is None else ~covered if inside is None else inside & ~covered
    return shown_tiles(tiles, seen, good)


def claim_tiles(claims: Claims, scene: Scene, fit: Fit, more: NDArray[np.bool_] | None = None) -> None:
    """Claims the tiles in which the picture shows the fitted face, and `more` (rows, columns) of them: all of the
    card where it is in full view."""
    if fit.explained > 0.93 and fit.uncovered > 0.97:
        half_x, half_y = scene.faces.deck.width_mm / 2 + 0.7, scene.faces.deck.height_mm / 2 + 0.7
        corners = fit.pose.points(np.array([-1, 1, 1, -1]) * half_x, np.array([1, 1, -1, -1]) * half_y)
        claims.add_polygon(scene.camera.project(corners))
        return
    claims.add_cells(scene, fit.pose, fit.shown if more is None else fit.shown | more)
