"""A marker whose white rim another card covers is seen once that card is painted white."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from arena_cam.domain.cards import PrintedMarker
from arena_cam.geometry.card_pose import CardPose
from arena_cam.vision.faces.deck_faces import DeckFaces
from arena_cam.vision.picture.markers import find_markers
from arena_cam.vision.reading.cards.scene import PointStore, Scene
from arena_cam.vision.reading.finding.hidden_markers import find_hidden_markers
from vision.scenes import CAMERA, scene_of
from vision.small import marker, painted

UPPER = CardPose.flat(-50.0, 0.0, 0.0)  # its right edge lies at -18.5 mm
NAME = "DICT_4X4_50"


@pytest.fixture
def marked(faces: DeckFaces) -> Scene:
    """A sheet with a marker of 15 mm, of which the upper card covers the left white rim to the print's very edge."""
    deck = replace(faces.deck, cards=(replace(faces.deck.cards[0], markers=(PrintedMarker(NAME, 5, 15.0, 20, 20),)),))
    scene = scene_of(faces)
    sheet = np.full((40, 40, 3), 240, np.uint8)
    around = np.array([[-30, 30, 0], [40, 30, 0], [40, -30, 0], [-30, -30, 0.0]])
    print_ = np.repeat(marker(NAME, 5)[:, :, None], 3, axis=2)
    rim = 15.0 / 6
    at = np.array(
        [[-18.5 - rim, 10 + rim, 0], [-3.5 + rim, 10 + rim, 0], [-3.5 + rim, -5 - rim, 0], [-18.5 - rim, -5 - rim, 0.0]]
    )
    picture = painted(painted(scene.bgr, sheet, CAMERA, around), print_, CAMERA, at)
    picture = painted(picture, np.full((8, 8, 3), 20, np.uint8), CAMERA, UPPER.corners(63.0, 88.0))
    grey = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)
    return replace(scene, bgr=picture, grey=grey, points=PointStore(DeckFaces(deck)))


def test_it_is_not_seen_until_the_card_is_painted_over(marked: Scene) -> None:
    assert find_markers(marked.grey, NAME) == []
    (found,) = find_hidden_markers(marked, [UPPER])
    assert found.id == 5
    middle = CAMERA.project(np.array([[-11.0, 2.5, 0.0]]))[0]
    assert np.abs(found.middle_px - middle).max() < 1.5


def test_what_was_seen_before_is_not_found_again(marked: Scene) -> None:
    (found,) = find_hidden_markers(marked, [UPPER])
    assert find_hidden_markers(replace(marked, markers=(found,)), [UPPER]) == ()


def test_without_cards_or_without_markers_nothing_is_hidden(marked: Scene, faces: DeckFaces) -> None:
    assert find_hidden_markers(marked, []) == ()
    assert find_hidden_markers(replace(marked, points=PointStore(faces)), [UPPER]) == ()
