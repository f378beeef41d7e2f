"""Faces recognised by their keypoints say where cards may lie, with their size and turn."""

from __future__ import annotations

import numpy as np
import pytest

from arena_cam.geometry.card_pose import CardPose
from arena_cam.geometry.homography import transformed
from arena_cam.vision.faces.deck_faces import DeckFaces
from arena_cam.vision.planes.face_features import FaceFeatures
from vision.planes.photographed import CARD_MM, ground, outline_px, photograph

HALF = np.array(CARD_MM) / 2
CORNERS_MM = np.array([[-1.0, 1.0], [1.0, 1.0], [1.0, -1.0], [-1.0, -1.0]]) * HALF
LEFT, RIGHT = CardPose.flat(-60.0, 10.0, 15.0), CardPose.flat(55.0, -15.0, -130.0)


@pytest.fixture(scope="module")
def features(faces: DeckFaces) -> FaceFeatures:
    return FaceFeatures(faces)


def test_the_best_guesses_are_the_cards_in_their_places(features: FaceFeatures, faces: DeckFaces) -> None:
    guesses = features.guesses(photograph(faces.deck, ("card-0", LEFT), ("card-2", RIGHT)), most=8)
    for face, pose in ((0, LEFT), (2, RIGHT)):
        of_face = [guess for guess in guesses if guess.face == face]
        assert of_face
        off = transformed(of_face[0].px_from_mm, CORNERS_MM) - outline_px(pose)
        assert np.abs(off).max() < 10.0  # an affinity for a card seen 15 degrees from the side


def test_where_it_was_recognised_is_on_the_card_and_where_it_is_seen(features: FaceFeatures, faces: DeckFaces) -> None:
    hidden = photograph(faces.deck, ("card-0", LEFT))
    hidden[200:] = 60
    best = features.guesses(hidden, most=3)[0]
    assert best.face == 0
    assert best.seen_mm is not None
    assert (np.abs(best.seen_mm) <= HALF + 1.0).all()
    at = transformed(best.px_from_mm, best.seen_mm)
    assert at[:, 1].max() < 205.0


def test_no_two_guesses_are_one_place_and_no_more_come_than_are_asked_for(
    features: FaceFeatures, faces: DeckFaces
) -> None:
    picture = photograph(faces.deck, ("card-0", LEFT), ("card-2", RIGHT))
    guesses = features.guesses(picture)
    assert len(features.guesses(picture, most=2)) == 2
    middles = np.array([transformed(guess.px_from_mm, CORNERS_MM) for guess in guesses])
    for n, one in enumerate(middles):
        size = np.linalg.norm(one[0] - one[2])
        assert all(np.linalg.norm(one - other, axis=1).max() > 0.02 * size for other in middles[:n])


def test_a_mirrored_card_is_none(features: FaceFeatures, faces: DeckFaces) -> None:
    picture = photograph(faces.deck, ("card-0", LEFT))
    right = max(len(g.seen_mm) for g in features.guesses(picture) if g.seen_mm is not None)
    mirrored = [
        len(g.seen_mm) for g in features.guesses(np.ascontiguousarray(picture[:, ::-1])) if g.seen_mm is not None
    ]
    assert max(mirrored, default=0) < 0.5 * right


def test_an_even_picture_has_none(features: FaceFeatures) -> None:
    assert features.guesses(np.full((300, 400, 3), 128, np.uint8)) == []
    assert [g for g in features.guesses(ground()) if g.votes > 6] == []
