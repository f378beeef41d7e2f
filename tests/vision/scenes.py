"""Scenes for the tests of reading: cards painted on an even floor, seen from above at the scale of fine fits."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from arena_cam.camera.frame import Image
from arena_cam.domain.table import Arena
from arena_cam.geometry.camera_model import Camera
from arena_cam.geometry.card_pose import CardPose
from arena_cam.vision.faces.alignment import Alignment
from arena_cam.vision.faces.deck_faces import DeckFaces
from arena_cam.vision.picture.markers import SeenMarker
from arena_cam.vision.picture.sampling import Pyramid
from arena_cam.vision.reading.cards.face_comparison import Identity
from arena_cam.vision.reading.cards.fit import Fit
from arena_cam.vision.reading.cards.known import Known
from arena_cam.vision.reading.cards.measuring import measure
from arena_cam.vision.reading.cards.naming import Found
from arena_cam.vision.reading.cards.scene import PointStore, Scene
from arena_cam.vision.reading.floor.table_change import EarlierTable
from arena_cam.vision.reading.floor.view_maps import KeptMaps
from vision.small import blotches, camera_above, with_card

SIZE = (480, 400)
CAMERA = camera_above(2.0, SIZE, tilt_deg=5.0)
WIDE = Arena((220.0, 180.0), 15.0, 6.0)
FLOOR = np.clip(np.random.default_rng(0).normal(110, 1.5, (SIZE[1], SIZE[0], 3)), 0, 255).astype(np.uint8)
HERE, BESIDE = CardPose.flat(-20.0, 5.0, 20.0, 0.3), CardPose.flat(25.0, -10.0, -65.0, 0.6)


def scene_of(
    faces: DeckFaces,
    *cards: tuple[str, CardPose],
    arena: Arena = WIDE,
    camera: Camera = CAMERA,
    over: Image | None = None,
    markers: Sequence[SeenMarker] = (),
    with_empty: bool = False,
) -> Scene:
    """A scene with these cards, the lowest first; `over` (H, W, 3) hides what it is not black in. `with_empty`: the
    empty table is known."""
    picture = FLOOR
    for card, pose in cards:
        picture = with_card(picture, faces.deck, card, camera, pose)
    if over is not None:
        picture = np.where(over.any(axis=2, keepdims=True), over, picture)
    grey = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)
    pyramid = Pyramid.of(grey.astype(np.float32), 5)
    change = EarlierTable(FLOOR, camera, arena, [], KeptMaps(None)).look(picture, camera) if with_empty else None
    store = PointStore(faces)
    return Scene(grey, pyramid, picture, camera, faces, arena, 0, store, np.ones(3), tuple(markers), change=change)


def known_of(faces: DeckFaces, *cards: tuple[str, CardPose]) -> Known:
    """The same, with nothing known yet."""
    return Known.nothing_of(scene_of(faces, *cards))


def exactly(pose: CardPose) -> Alignment:
    """What an alignment says that found a card at `pose`, to a hundredth of a millimetre."""
    return Alignment(pose, np.diag([1e4] * 3 + [1e8] * 3), 2.0, np.zeros(6))


def fit_at(known: Known, face: int, pose: CardPose) -> Fit:
    return measure(known, face, exactly(pose))


def surely(faces: DeckFaces, face: int, nats: float = 60.0) -> Identity:
    """A comparison in which one face leads all others."""
    likelihood = np.full(len(faces.names), -nats)
    likelihood[face] = 0.0
    return Identity(likelihood, 500)


def found_at(known: Known, face: int, pose: CardPose) -> Found:
    return Found(fit_at(known, face, pose), surely(known.scene.faces, face))


def moved(pose: CardPose, x_mm: float, y_mm: float, turn_deg: float = 0.0) -> CardPose:
    return pose.moved(np.array([x_mm, y_mm, 0.0, 0.0, 0.0, np.radians(turn_deg)]))


def six_and_nine() -> list[Image]:
    """Two faces of one colour that differ by a figure which, upside down, is nearly the other's; and a third."""
    faces = []
    for figure in ("6", "9"):
        face = (blotches(7, cell=60) // 4 + np.array([40, 40, 150], np.uint8)).astype(np.uint8)
        for text, at in ((figure, (70, 240)), (figure, (14, 50))):
            scale = 6.0 if at[1] > 100 else 1.6
            cv2.putText(face, text, at, cv2.FONT_HERSHEY_SIMPLEX, scale, (240, 240, 240), round(3 * scale))
        faces.append(face)
    return [*faces, blotches(8)]
