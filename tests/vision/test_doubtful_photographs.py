"""Whole photographs of cards that may not be told surely: of one name twice, of another deck; and of one face down."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np

from arena_cam.domain.doubts import Doubt
from arena_cam.domain.lies import Face, Reading
from arena_cam.geometry.card_pose import CardPose
from arena_cam.simulation.things.ordinary_pack import draw_face, random_style
from arena_cam.vision.faces.deck_faces import BACK, DeckFaces
from arena_cam.vision.photographs.ordinary_reader import OrdinaryReader
from arena_cam.vision.photographs.singly.single_cards import SingleCardReader
from vision.planes.photographed import CAMERA, ground, photograph
from vision.small import blotches, camera_above, frame, painted, small_deck, with_card

LOW, APART = CardPose.flat(-60.0, 0.0, 10.0), CardPose.flat(65.0, -20.0, -130.0)


def test_of_a_deck_that_is_known(tmp_path: Path) -> None:
    faces = DeckFaces(small_deck(tmp_path, [blotches(seed) for seed in range(4)], back=True))
    reading = SingleCardReader(faces).read(frame(photograph(faces.deck, ("card-0", LOW), ("card-0", APART))))
    assert isinstance(reading, Reading)
    assert Doubt.SEEN_TWICE in [why.sentence for why in reading.doubts]
    assert not reading.sure


def test_of_any_ordinary_pack(tmp_path: Path) -> None:
    pack = small_deck(tmp_path, [draw_face(random_style(12), "TH")])
    size = (720, 560)
    picture = np.full((size[1], size[0], 3), (60, 90, 40), np.uint8)
    for pose in (LOW, APART):
        picture = with_card(picture, pack, "card-0", camera_above(2.6, size, tilt_deg=12.0), pose)
    reading = OrdinaryReader().read(frame(cv2.GaussianBlur(picture, (0, 0), 0.5).astype(np.uint8)))
    assert isinstance(reading, Reading)
    assert sorted(lie.key for lie in reading.lies) == ["TH", "TH'"]
    assert not reading.sure
    assert Doubt.SEEN_TWICE in [why.sentence for why in reading.doubts]


def test_a_card_face_down_has_a_key_for_a_name_and_one_of_another_deck_none(tmp_path: Path) -> None:
    faces = DeckFaces(small_deck(tmp_path, [blotches(seed) for seed in range(4)], back=True))
    back = np.clip(faces.grid(2.0).bgr_of(faces.names.index(BACK)), 0, 255).astype(np.uint8)
    picture = painted(ground(), back, CAMERA, APART.corners(63.0, 88.0))
    picture = painted(picture, blotches(77), CAMERA, LOW.corners(63.0, 88.0))
    reading = SingleCardReader(faces).read(frame(picture))
    assert isinstance(reading, Reading)
    down = [lie for lie in reading.lies if lie.face is Face.DOWN]
    assert [(lie.key, lie.card) for lie in down] == [("?1", None)]
    assert not [lie for lie in reading.lies if lie.sure and lie.face is Face.UP]
