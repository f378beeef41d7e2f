"""What is known of a frame grows card by card; what was known before stays as it was."""

from __future__ import annotations

import numpy as np

from arena_cam.vision.faces.deck_faces import DeckFaces
from arena_cam.vision.reading.cards.known import Known, claim_tiles
from vision.scenes import CAMERA, HERE, fit_at, known_of, scene_of
from vision.small import HEIGHT_MM


def test_of_nothing_only_what_is_no_card_is_claimed(faces: DeckFaces) -> None:
    paper = np.array([[10.0, 10.0], [60.0, 10.0], [60.0, 60.0], [10.0, 60.0]])
    known = Known.nothing_of(scene_of(faces), [paper])
    assert known.claims.at(np.array([[30.0, 200.0], [30.0, 200.0]])).tolist() == [1.0, 0.0]
    assert known.taken == ()
    assert not Known.nothing_of(scene_of(faces)).claims.any


def test_a_card_in_full_view_is_claimed_whole_and_taken(faces: DeckFaces) -> None:
    before = known_of(faces, ("card-1", HERE))
    after = before.plus(fit_at(before, 1, HERE), 1)
    on_card = CAMERA.project(HERE.points(np.array([0.0, 29.0, -29.0]), np.array([0.0, 41.0, -41.0]))).T
    assert after.claims.at(on_card).tolist() == [1.0, 1.0, 1.0]
    assert after.taken == (1,)
    assert not before.claims.any, "what was known before does not change"
    assert before.plus(fit_at(before, 1, HERE), None).taken == ()


def test_of_a_card_partly_covered_only_what_shows_is_claimed(faces: DeckFaces) -> None:
    hand = np.zeros((400, 480, 3), np.uint8)
    y = int(CAMERA.project(HERE.centre_mm[None])[0, 1])
    hand[y:] = np.random.default_rng(4).integers(20, 250, hand[y:].shape)
    known = Known.nothing_of(scene_of(faces, ("card-1", HERE), over=hand))
    claims = known.claims.copy()
    claim_tiles(claims, known.scene, fit_at(known, 1, HERE))
    top, bottom = CAMERA.project(HERE.points(np.zeros(2), np.array([HEIGHT_MM / 2 - 8, -HEIGHT_MM / 2 + 8])))
    assert claims.at(np.array([top, bottom]).T).tolist() == [1.0, 0.0]
