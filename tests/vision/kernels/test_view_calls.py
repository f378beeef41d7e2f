"""What is compiled about a card's places in view answers as its twin in numpy does."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator

import numpy as np
import pytest

from arena_cam.geometry.card_pose import CardPose
from arena_cam.vision.faces.deck_faces import DeckFaces
from arena_cam.vision.kernels import view_calls
from arena_cam.vision.kernels.library import computing_with
from arena_cam.vision.reading.cards.known import Known, seen_at
from arena_cam.vision.reading.cards.measuring import in_view
from arena_cam.vision.reading.floor.view import fixed_view_map, nearest_view_map
from vision.scenes import BESIDE, CAMERA, HERE, SIZE, fit_at, scene_of
from vision.small import blotches, small_deck


@pytest.fixture(scope="module")
def faces(tmp_path_factory: pytest.TempPathFactory) -> DeckFaces:
    return DeckFaces(small_deck(tmp_path_factory.mktemp("deck"), [blotches(seed) for seed in range(3)]))


def anywhere() -> Iterator[CardPose]:
    """Poses over the table and beyond the picture's rim, flat and tilted."""
    numbers = np.random.default_rng(3)
    for _ in range(40):
        x, y, degrees = numbers.uniform((-140.0, -120.0, 0.0), (140.0, 120.0, 360.0))
        yield CardPose.flat(x, y, degrees, 0.3).moved(np.append(np.zeros(3), numbers.normal(0.0, 0.1, 3)))


@pytest.mark.parametrize("with_empty", [True, False])
def test_as_much_is_in_view_of_a_card(library: ctypes.CDLL, faces: DeckFaces, with_empty: bool) -> None:
    scene = scene_of(faces, ("card-1", HERE), ("card-2", BESIDE), with_empty=with_empty)
    bare = Known.nothing_of(scene)
    for known in (bare, bare.plus(fit_at(bare, 1, HERE), 1)):
        for pose in (HERE, BESIDE, *anywhere()):
            answers = []
            for each in (library, None):
                with computing_with(each):
                    answers.append(in_view(known, pose))
            assert answers[0] == answers[1]


@pytest.mark.parametrize(("half_mm", "px_per_mm"), [((100.0, 60.0), 1.5), ((101.3, 77.7), 1.0), ((3.0, 2.0), 2.0)])
def test_a_view_lies_at_the_same_pixels(library: ctypes.CDLL, half_mm: tuple[float, float], px_per_mm: float) -> None:
    answers = []
    for each in (library, None):
        with computing_with(each):
            whole, parts = fixed_view_map(CAMERA, half_mm, px_per_mm, 0.5)
            fine = whole * 32 + np.stack([parts & 31, parts >> 5], axis=2)
            answers.append((fine, nearest_view_map(CAMERA, half_mm, px_per_mm, 0.25)))
    for fast, exact in zip(*answers, strict=True):
        off = np.abs(fast.astype(int) - exact)
        assert off.max() <= 1  # where it lies half-way
        assert off.mean() < 0.001


def test_places_are_seen_at_the_same_pixels_and_under_the_same_claims(library: ctypes.CDLL, faces: DeckFaces) -> None:
    bare = Known.nothing_of(scene_of(faces, ("card-1", HERE)))
    places = bare.scene.points.names.rough_places
    for known in (bare, bare.plus(fit_at(bare, 1, HERE), 1)):
        for pose in (HERE, BESIDE, *anywhere()):
            answers = []
            for each in (library, None):
                with computing_with(each):
                    answers.append(seen_at(known, pose, places))
            (fast, free), (exact, exactly_free) = answers
            assert np.abs(fast - exact).max() < 1e-9
            assert np.array_equal(free, exactly_free)


def test_without_a_library_numpy_does(faces: DeckFaces) -> None:
    known = Known.nothing_of(scene_of(faces))
    claims, places = (known.claims.mask, known.claims.STEP), np.zeros((3, 1))
    with computing_with(None):
        assert view_calls.counted_in_view(CAMERA, SIZE[::-1], HERE, places, claims, None) is None
        assert view_calls.seen_at(CAMERA, HERE, places, claims) is None
