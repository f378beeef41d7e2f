"""A face is found by trying it everywhere, though most of it is covered."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from arena_cam.geometry.card_pose import CardPose
from arena_cam.vision.faces.deck_faces import DeckFaces
from arena_cam.vision.reading.guesses.everywhere import SearchedFloor, Spectra, search_face
from arena_cam.vision.reading.guesses.guess import Finder, near, place_at
from vision.small import camera_above, with_card

SIZE = (200, 180)
CAMERA = camera_above(1.0, SIZE)
FLOOR = np.full((180, 200, 3), 110, np.uint8)
POSE = CardPose.flat(10.0, -5.0, 40.0)


def floor(picture: np.ndarray, free: np.ndarray | None = None, bare: np.ndarray | None = None) -> SearchedFloor:
    whole, none = np.ones((180, 200), np.uint8), np.zeros((180, 200), np.uint8)
    return SearchedFloor(picture, whole if free is None else free, none if bare is None else bare, -99.5, 89.5)


@pytest.mark.parametrize("covered", [0, 90, 115])
def test_a_card_is_among_the_best_places_though_a_part_is_covered(faces: DeckFaces, covered: int) -> None:
    """Columns up to `covered` are known to show another card; the card reaches from about 50 to 170."""
    picture = with_card(FLOOR, faces.deck, "card-2", CAMERA, POSE)
    free = np.ones((180, 200), np.uint8)
    free[:, :covered] = 0
    guesses = search_face(floor(picture, free), faces, 2)
    assert all(guess.finder is Finder.SEARCH and guess.face == 2 for guess in guesses)
    assert any(near(place_at(guess.pose), place_at(POSE), 4.0, 5.0) for guess in guesses[:2])


def test_another_face_is_a_weaker_guess(faces: DeckFaces) -> None:
    picture = with_card(FLOOR, faces.deck, "card-2", CAMERA, POSE)
    right, wrong = (search_face(floor(picture), faces, face)[0] for face in (2, 1))
    assert right.votes > 2 * wrong.votes


def test_where_the_floor_is_bare_no_card_lies(faces: DeckFaces) -> None:
    picture = with_card(FLOOR, faces.deck, "card-2", CAMERA, POSE)
    bare = np.ones((180, 200), np.uint8)
    assert all(guess.votes == 0.0 for guess in search_face(floor(picture, bare=bare), faces, 2))


def test_bare_floor_far_from_a_card_leaves_its_place_and_its_votes_as_they_were(faces: DeckFaces) -> None:
    picture = with_card(FLOOR, faces.deck, "card-2", CAMERA, POSE)
    bare = np.ones((180, 200), np.uint8)
    bare[30:, 45:175] = 0  # the card reaches from about 50 to 170, and from 40 down to 150
    all_over, here = (search_face(floor(picture, bare=where), faces, 2)[0] for where in (None, bare))
    assert near(place_at(here.pose), place_at(all_over.pose), 0.1, 0.1)
    assert here.votes == pytest.approx(all_over.votes, rel=1e-4)


def test_places_are_distinct_and_no_more_than_asked_for(faces: DeckFaces) -> None:
    picture = with_card(FLOOR, faces.deck, "card-2", CAMERA, POSE)
    guesses = search_face(floor(picture), faces, 2, most=5)
    assert len(guesses) == 5
    places = [place_at(guess.pose) for guess in guesses]
    assert not any(near(a, b, 5.0, 10.0) for i, a in enumerate(places) for b in places[:i])


@pytest.mark.parametrize("shape", [(23, 17), (8, 40)])
def test_by_their_spectra_pictures_are_correlated_as_one_by_one(shape: tuple[int, int]) -> None:
    random = np.random.default_rng(5)
    pictures = [random.normal(size=(61, 73)).astype(np.float32) for _ in range(3)]
    templates = [random.normal(size=shape).astype(np.float32) for _ in range(3)]
    spectra = Spectra.of(pictures)
    sought = [spectra.spectrum(template) for template in templates]
    for numbers in ((0,), (1, 2)):
        for turned in (False, True):
            way = -1 if turned else 1
            alone = [
                cv2.matchTemplate(pictures[n], np.ascontiguousarray(templates[n][::way, ::way]), cv2.TM_CCORR)
                for n in numbers
            ]
            found = spectra.correlated(sought, numbers, shape, turned)
            assert found.shape == alone[0].shape
            assert found == pytest.approx(np.sum(alone, axis=0), abs=1e-3)
