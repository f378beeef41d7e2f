"""What is known of one frame while its cards are being found: one value that every step takes and returns."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from arena_cam.geometry.arrays import Array
from arena_cam.geometry.card_pose import CardPose
from arena_cam.vision.faces.deck_faces import BACK
from arena_cam.vision.kernels import view_calls
from arena_cam.vision.reading.cards.claims import Claims
from arena_cam.vision.reading.cards.fit import Fit
from arena_cam.vision.reading.cards.scene import Scene
from arena_cam.vision.reading.cards.trust import Explained, InView


@dataclass(frozen=True, eq=False)
class Known:
    """The frame's `scene`; `claims`, the pixels known to show a card or a thing that is no card; and `taken`, the faces
    known to lie elsewhere (a deck has each card once).

    Claims are filled before they become part of this value, and never change afterwards.
    """

    scene: Scene
    claims: Claims
    taken: tuple[int, ...] = ()

    @staticmethod
    def nothing_of(scene: Scene, no_cards_px: Sequence[Array] = ()) -> Known:
        """No card is known; only the outlines (4, 2) of things that are no cards are claimed."""
        claims = Claims.none_in(scene)
        for outline in no_cards_px:
            claims.add_polygon(outline)
        return Known(scene, claims)

    def plus(self, fit: Fit, face: int | None) -> Known:
        """With the tiles claimed in which the picture shows a fitted card, and its `face` taken, if there is one."""
        claims = self.claims.copy()
        claim_tiles(claims, self.scene, fit)
        return replace(self, claims=claims, taken=self.taken if face is None else (*self.taken, face))

    def beneath(self, pose: CardPose, face: int | None) -> Known:
        """Of what lies beneath a card at `pose`: all of it is claimed, and its `face` taken, if there is one."""
        claims = self.claims.copy()
        claim_whole(claims, self.scene, pose)
        return replace(self, claims=claims, taken=self.taken if face is None else (*self.taken, face))


def seen_at(known: Known, pose: CardPose, places: Array) -> tuple[Array, Array]:
    """The pixels (2, N) of `places` (3, N; x, y in mm, and 1) on a card at a pose, and 1.0 (N,) where nothing claimed
    covers them, else 0.0."""
    scene, claims = known.scene, known.claims
    compiled = view_calls.seen_at(scene.camera, pose, places, (claims.mask, claims.STEP) if claims.any else None)
    if compiled is not None:
        return compiled
    pixels = scene.camera.project_plane(pose.plane, places)
    return pixels, 1.0 - claims.at(pixels) if claims.any else np.ones(places.shape[1])


def only_once(scene: Scene, faces: Iterable[int]) -> tuple[int, ...]:
    """Those of some faces seen elsewhere that no other card can show: all but the back, of which a deck has as many as
    cards."""
    return tuple(face for face in faces if scene.faces.names[face] != BACK)


def claim_tiles(claims: Claims, scene: Scene, fit: Fit, more: NDArray[np.bool_] | None = None) -> None:
    """Claims the tiles in which the picture shows the fitted face, and `more` (rows, columns). A card in full view is
    claimed as a whole."""
    if fit.explained > Explained.ALL and fit.uncovered > InView.WHOLE:
        claim_whole(claims, scene, fit.pose)
        return
    claims.add_cells(scene, fit.pose, fit.shown if more is None else fit.shown | more)


def claim_whole(claims: Claims, scene: Scene, pose: CardPose) -> None:
    """Claims all of a card at `pose`."""
    half_x, half_y = scene.faces.deck.width_mm / 2 + FRINGE_MM, scene.faces.deck.height_mm / 2 + FRINGE_MM
    corners = pose.points(np.array([-1, 1, 1, -1]) * half_x, np.array([1, 1, -1, -1]) * half_y)
    claims.add_polygon(scene.camera.project(corners))


FRINGE_MM = 0.7  # the blur of a card's edge reaches beyond it
