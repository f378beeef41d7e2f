"""Local features speak for a place, and most of them for its name."""

from __future__ import annotations

import pickle
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from arena_cam.geometry.card_pose import CardPose
from arena_cam.vision.faces.deck_faces import DeckFaces
from arena_cam.vision.faces.picture_cache import PictureCache
from arena_cam.vision.reading.floor.view import GUESS_HEIGHT_MM, FloorView, ViewPart
from arena_cam.vision.reading.guesses.features import FeatureFinder
from arena_cam.vision.reading.guesses.guess import Finder, near, place_at
from vision.small import blotches, camera_above, small_deck, with_card

SCALE = FeatureFinder.PX_PER_MM
SIZE = (300, 270)
CAMERA = camera_above(SCALE, SIZE)
POSE = CardPose.flat(10.0, -5.0, 40.0)


@pytest.fixture(scope="module")
def detailed(tmp_path_factory: pytest.TempPathFactory) -> DeckFaces:
    """Faces with much detail: corners every few millimetres."""
    return DeckFaces(small_deck(tmp_path_factory.mktemp("deck"), [blotches(seed, cell=14) for seed in range(4)]))


@pytest.fixture(scope="module")
def finder(detailed: DeckFaces) -> FeatureFinder:
    return FeatureFinder(detailed)


def view(detailed: DeckFaces, *cards: tuple[str, CardPose]) -> FloorView:
    picture = np.full((270, 300, 3), 110, np.uint8)
    for card, pose in cards:
        picture = with_card(picture, detailed.deck, card, CAMERA, pose)
    grey = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)
    left, top = -(SIZE[0] - 1) / 2 / SCALE, (SIZE[1] - 1) / 2 / SCALE
    return FloorView(grey, SCALE, left, top)


def test_an_even_floor_speaks_for_nothing(detailed: DeckFaces, finder: FeatureFinder) -> None:
    features = finder.look(view(detailed))
    assert finder.find(features, np.ones(len(features.places), bool)) == []


@pytest.mark.parametrize("angle", [0.0, 40.0, -120.0])
def test_a_card_is_the_best_supported_guess(detailed: DeckFaces, finder: FeatureFinder, angle: float) -> None:
    pose = CardPose.flat(10.0, -5.0, angle, GUESS_HEIGHT_MM)
    features = finder.look(view(detailed, ("card-2", pose)))
    best, *_ = finder.find(features, np.ones(len(features.places), bool))
    assert (best.face, best.finder) == (2, Finder.FEATURES)
    assert near(place_at(best.pose), place_at(pose), 3.0, 4.0)


def test_what_was_found_on_a_deck_is_kept_for_the_next_start(
    detailed: DeckFaces, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    faces = DeckFaces(replace(detailed.deck), PictureCache(tmp_path))
    features = FeatureFinder(detailed).look(view(detailed, ("card-2", POSE)))
    everything = np.ones(len(features.places), bool)
    found = pickle.dumps(FeatureFinder(detailed).find(features, everything))
    assert pickle.dumps(FeatureFinder(faces).find(features, everything)) == found
    monkeypatch.setattr(FeatureFinder, "_features_of", None)  # nobody looks again
    assert pickle.dumps(FeatureFinder(faces).find(features, everything)) == found


def test_half_a_card_is_enough(detailed: DeckFaces, finder: FeatureFinder) -> None:
    above = CardPose.flat(45.0, -5.0, 40.0)
    features = finder.look(view(detailed, ("card-2", POSE), ("card-0", above)))
    guesses = finder.find(features, np.ones(len(features.places), bool))
    for face, pose in ((2, POSE), (0, above)):
        assert any(g.face == face and near(place_at(g.pose), place_at(pose), 4.0, 5.0) for g in guesses[:4])


def test_features_that_do_not_count_say_nothing(detailed: DeckFaces, finder: FeatureFinder) -> None:
    features = finder.look(view(detailed, ("card-2", POSE)))
    assert finder.find(features, np.zeros(len(features.places), bool)) == []


def test_only_what_the_mask_shows_is_looked_at(detailed: DeckFaces, finder: FeatureFinder) -> None:
    mask = np.zeros((27, 30), np.uint8)
    mask[:, 15:] = 1
    features = finder.look(view(detailed, ("card-2", POSE)), mask)
    assert len(features.places)
    assert features.places[:, 0].min() >= 149


def test_one_face_may_be_looked_for_more_closely(detailed: DeckFaces, finder: FeatureFinder) -> None:
    features = finder.look(view(detailed, ("card-2", POSE)))
    allowed = np.ones(len(features.places), bool)
    plain, closer = finder.find(features, allowed), finder.find(features, allowed, also=3)
    assert closer[: len(plain)][0].face == plain[0].face
    assert all(guess.face == 3 for guess in closer[len(plain) :])


def test_a_part_of_the_view_shows_the_same_features(detailed: DeckFaces, finder: FeatureFinder) -> None:
    mask = np.zeros((27, 30), np.uint8)
    mask[12:20, 14:23] = 1
    whole = view(detailed, ("card-2", POSE))
    part = ViewPart.round_about(mask, (270, 300), FeatureFinder.ROUND_PX, FeatureFinder.PERIOD_PX)
    assert part.high * part.wide < 0.7 * whole.grey.size
    left, top = whole.left_mm + part.column / SCALE, whole.top_mm - part.row / SCALE
    cut = FloorView(np.ascontiguousarray(whole.grey[part.slices]), SCALE, left, top, part)
    assert np.array_equal(cut.masked(mask), whole.masked(mask)[part.slices])
    of_whole, of_part = finder.look(whole, mask), finder.look(cut, mask)
    begin = np.array([part.column, part.row])
    assert len(of_part.places) > 40
    assert np.allclose(of_part.places + begin, of_whole.places, atol=1e-4)
    everything = np.ones(len(of_whole.places), bool)
    for one, other in zip(finder.find(of_part, everything), finder.find(of_whole, everything), strict=True):
        assert (one.face, one.votes) == (other.face, other.votes)
        assert np.allclose(place_at(one.pose), place_at(other.pose), atol=1e-3)
