"""What is compiled about overlaps answers as its twin in numpy does."""

from __future__ import annotations

import ctypes
from dataclasses import replace

import numpy as np
import pytest

from arena_cam.geometry.arrays import Array
from arena_cam.vision.faces.deck_faces import DeckFaces
from arena_cam.vision.faces.light import lit_face, robust_lights
from arena_cam.vision.kernels import overlap_calls
from arena_cam.vision.kernels.library import computing_with
from arena_cam.vision.kernels.overlap_calls import LaidFace, placed_tiles
from arena_cam.vision.reading.cards.known import Known
from arena_cam.vision.reading.cards.placed_face import _RULES, PlacedFace, _compared, place_face
from arena_cam.vision.reading.cards.stacking import _laid, _ratio, _ratio_in_shade, _ratio_relit, overlaps
from vision.scenes import HERE, known_of, moved
from vision.small import blotches, small_deck


@pytest.fixture(scope="module")
def faces(tmp_path_factory: pytest.TempPathFactory) -> DeckFaces:
    return DeckFaces(small_deck(tmp_path_factory.mktemp("deck"), [blotches(seed) for seed in range(3)]))


def _two_cards(
    faces: DeckFaces, shift: tuple[float, float, float]
) -> tuple[Known, list[PlacedFace], tuple[LaidFace, LaidFace], Array]:
    """A card and another beside it, as the picture has them; and pixels (N, 2) about both."""
    poses = HERE, moved(HERE, *shift)
    known = known_of(faces, ("card-1", poses[0]), ("card-2", poses[1]))
    placed = [place_face(known, face, pose) for face, pose in zip((1, 2), poses, strict=True)]
    a, b = (_laid(known.scene, each) for each in placed)
    assert a is not None
    assert b is not None
    corners = np.concatenate([each.outline_px for each in placed])
    pixels = np.random.default_rng(5).uniform(corners.min(axis=0) - 3.0, corners.max(axis=0) + 3.0, (3000, 2))
    return known, placed, (a, b), pixels


@pytest.mark.parametrize("shift", [(20.0, 10.0, 50.0), (58.0, 0.0, 0.0), (0.0, 40.0, 200.0), (-3.0, 2.0, 90.0)])
def test_the_picture_tells_the_upper_card_by_the_same_everywhere(
    library: ctypes.CDLL, faces: DeckFaces, shift: tuple[float, float, float], samples_exactly: bool
) -> None:
    known, placed, (a, b), pixels = _two_cards(faces, shift)
    answers = []
    for each in (library, None):
        with computing_with(each):
            ratio = _ratio(known.scene, pixels, known.scene.sample_bgr(pixels.T), a, b)
            answers.append((ratio, overlaps(known.scene, placed, [1.0, 1.0])))
    (fast, (pairs, order)), (exact, (exact_pairs, exact_order)) = answers
    assert np.array_equal(np.isfinite(fast), np.isfinite(exact))
    told = np.isfinite(exact)
    assert told.sum() > 100
    assert np.abs(fast[told] - exact[told]).max() < (1e-3 if samples_exactly else 0.5)
    assert order == exact_order
    assert [pair.nats for pair in pairs] == pytest.approx([pair.nats for pair in exact_pairs], rel=1e-3)


@pytest.mark.parametrize("shift", [(20.0, 10.0, 50.0), (58.0, 0.0, 0.0)])
def test_either_card_may_lie_in_a_shadow(
    library: ctypes.CDLL, faces: DeckFaces, shift: tuple[float, float, float], samples_exactly: bool
) -> None:
    known, _, (a, b), pixels = _two_cards(faces, shift)
    seen = 0.7 * known.scene.sample_bgr(pixels.T)
    ratio = _ratio(known.scene, pixels, seen, a, b)
    those = np.isfinite(ratio)
    answers = []
    for each in (library, None):
        with computing_with(each):
            answers.append(_ratio_in_shade(known.scene, (pixels, seen), a, b, 0.25, those))
    assert those.sum() > 100
    assert np.abs(answers[0] - answers[1]).max() < (1e-3 if samples_exactly else 0.5)
    assert np.abs(answers[0] - 0.25 * ratio[those]).max() > 0.01


@pytest.mark.parametrize("shift", [(20.0, 10.0, 50.0), (58.0, 0.0, 0.0), (0.0, 40.0, 200.0)])
def test_either_card_is_as_bright_as_suits_the_picture_best(
    library: ctypes.CDLL, faces: DeckFaces, shift: tuple[float, float, float], samples_exactly: bool
) -> None:
    """Where the pixels of one are taken for brighter ones than they are, by as much as light may be off, or by more."""
    poses = HERE, moved(HERE, *shift)
    known = known_of(faces, ("card-1", poses[0]), ("card-2", poses[1]))
    placed = [place_face(known, face, pose) for face, pose in zip((1, 2), poses, strict=True)]
    corners = np.concatenate([each.outline_px for each in placed])
    pixels = np.random.default_rng(5).uniform(corners.min(axis=0) - 3.0, corners.max(axis=0) + 3.0, (3000, 2))
    across = (pixels - pixels.mean(axis=0)) / 80.0
    for brighter in (1.0, 1.05, 1.2):
        a, b = (_laid(known.scene, each) for each in placed)
        assert a is not None
        assert b is not None
        a = replace(a, light=a.light * brighter)
        seen = known.scene.sample_bgr(pixels.T)
        those = np.isfinite(_ratio(known.scene, pixels, seen, a, b))
        answers = []
        for each in (library, None):
            with computing_with(each):
                answers.append(_ratio_relit(known.scene, (pixels, across, seen), a, b, 0.25, those))
        assert those.sum() > 100
        assert np.abs(answers[0] - answers[1]).max() < (1e-3 if samples_exactly else 0.5)
        assert np.abs(answers[0] - 0.25 * _ratio(known.scene, pixels, seen, a, b)[those]).max() > 0.01


def test_without_a_library_numpy_does(faces: DeckFaces) -> None:
    known = known_of(faces, ("card-1", HERE))
    laid = _laid(known.scene, place_face(known, 1, HERE))
    assert laid is not None
    with computing_with(None):
        assert overlap_calls.compared(np.zeros((1, 2)), np.zeros((1, 3)), laid, laid, np.zeros(13)) is None
        places, rules = (np.zeros((1, 2)), np.zeros((1, 2))), (np.zeros(13), np.zeros(4))
        assert overlap_calls.relit(places, np.zeros((1, 3)), laid, laid, rules) is None


@pytest.mark.parametrize("in_view", [1.0, 0.4, 0.0])
def test_the_light_on_a_face_is_the_same(library: ctypes.CDLL, in_view: float) -> None:
    rng = np.random.default_rng(7)
    places = np.stack([*rng.uniform(-40.0, 40.0, (2, 211)), np.ones(211)])
    values = rng.uniform(20.0, 235.0, (3, 211)).astype(np.float32)
    seen = 0.7 * values * (1.0 + places[0] / 200.0) + 15.0 + rng.normal(0.0, 5.0, values.shape)
    seen[:, places[1] > 15.0] = 90.0  # something lies there
    weight = (places[0] < 80.0 * in_view - 40.0).astype(float)
    with computing_with(library):
        found = robust_lights(values, places, seen, weight, np.full(3, 0.6))
    with computing_with(None):
        expected = robust_lights(values, places, seen, weight, np.full(3, 0.6))
    np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("tone", [0.0, 0.35])
@pytest.mark.parametrize("hidden", [0.0, 0.4, 1.0])
def test_what_of_a_face_shows_it_is_told_alike(library: ctypes.CDLL, tone: float, hidden: float) -> None:
    """Where a part is covered, a stranger lies on it, and some of it has another ink."""
    rng = np.random.default_rng(8)
    places = np.stack([*rng.uniform(-30.0, 30.0, (2, 1200)), np.ones(1200)])
    face = rng.uniform(0.0, 255.0, (3, 1200)).astype(np.float32)
    light = np.array(
        [[0.8, 0.02, 0.01, -5.0, 2.0, 0.0], [0.7, 0.0, 0.0, 3.0, 0.0, 1.0], [0.9, 0.0, 0.03, 0.0, 0.0, 0.0]]
    )
    tile = ((places[0] + 30.0) // 12.01 * 5 + (places[1] + 30.0) // 12.01).astype(np.intp)
    seen = 0.9 * lit_face(face, places, light).T + rng.normal(0.0, 4.0, (1200, 3))
    seen[places[0] > 18.0] = rng.uniform(0.0, 255.0, 3)
    seen[places[1] > 18.0] += (30.0, -10.0, 0.0)
    asked = rng.random(1200) >= hidden
    given = (face, places, light), seen, asked, (tile, 25), np.full(3, 3.0**-0.5), np.array([*_RULES, tone])
    with computing_with(library):
        fast, exact = placed_tiles(*given), _compared(*given)
    assert fast is not None
    assert fast[0] == pytest.approx(exact[0])
    for compiled, twin in zip(fast[1:], exact[1:], strict=True):
        assert np.array_equal(compiled, twin)
    assert exact[1].any() == (hidden < 1.0)
    assert exact[4].any() == (hidden < 1.0)
