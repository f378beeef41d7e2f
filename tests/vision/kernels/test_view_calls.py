"""What is compiled about a card's places in view answers as its twin in numpy does."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from dataclasses import replace

import cv2
import numpy as np
import pytest

from arena_cam.geometry.card_pose import CardPose
from arena_cam.vision.faces.deck_faces import DeckFaces
from arena_cam.vision.kernels import view_calls
from arena_cam.vision.kernels.calls import details
from arena_cam.vision.kernels.library import computing_with
from arena_cam.vision.reading.cards.known import Known, seen_at
from arena_cam.vision.reading.cards.measuring import in_view
from arena_cam.vision.reading.floor.floor_texture import FloorGrain
from arena_cam.vision.reading.floor.table_change import _even_light
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


def test_the_even_light_of_a_view_is_the_same(library: ctypes.CDLL) -> None:
    """With a card on it that is no light, and a border that is not asked."""
    y, x = np.meshgrid(np.linspace(-1.0, 1.0, 40), np.linspace(-1.0, 1.0, 60), indexing="ij")
    plane = np.stack([0.1 + 0.05 * x, 0.02 * y - 0.1 * x * x, 0.07 * x * y], axis=2)
    few = (plane + np.random.default_rng(1).normal(0.0, 0.01, plane.shape)).astype(np.float32)
    few[10:20, 10:30] += 1.0
    bare = np.zeros(few.shape[:2], bool)
    bare[3:] = True
    answers = []
    for each in (library, None):
        with computing_with(each):
            answers.append(_even_light(few, bare))
    assert np.abs(answers[0] - answers[1]).max() < 1e-4
    assert np.abs(answers[0] - plane).max() < 0.02
    assert not _even_light(few, np.zeros_like(bare)).any()


def test_what_is_more_than_the_floor_s_grain_counts_the_same(library: ctypes.CDLL) -> None:
    random = np.random.default_rng(2)
    level = random.uniform(2.2, 5.4, (50, 130)).astype(np.float32)
    inside = np.zeros(level.shape, np.uint8)
    inside[:, 40:] = 1
    grain = FloorGrain.of(level * np.float32(0.02), inside, 1.0)
    ratio = random.normal(0.0, 0.02, level.shape).astype(np.float32)
    grain = replace(grain, level=level)
    detail = random.integers(0, 60, level.shape).astype(np.uint8)
    answers = []
    for each in (library, None):
        with computing_with(each):
            answers.append(grain.plain(ratio, detail, (0.8, 1.7)))
    assert np.array_equal(answers[0], answers[1])
    assert set(np.unique(answers[0])) == {0, 4, 5}


def test_nothing_is_asked_of_details_beyond_the_picture(library: ctypes.CDLL) -> None:
    values = np.random.default_rng(3).normal(0.0, 0.05, (60, 200)).astype(np.float32)
    asked = np.zeros(values.shape, bool)
    asked[20:30, 100:110] = True
    with computing_with(library):
        whole, part = details(values, 11, 256.0), details(values, 11, 256.0, asked)
    assert whole is not None
    assert part is not None
    assert np.array_equal(part[asked], whole[asked])
    assert not part[:, :48].any()


@pytest.mark.parametrize("as_floats", [True, False])
@pytest.mark.parametrize("first", [(20.3, 15.7), (-30.0, 60.0)])
def test_a_table_is_seen_from_above_as_opencv_sees_it(
    library: ctypes.CDLL, samples_exactly: bool, first: tuple[float, float], as_floats: bool
) -> None:
    """Beyond the photograph's border, too, and in whole grey levels; the rim of a view that ends between two nodes."""
    grain = np.random.default_rng(8).integers(0, 256, (160, 200, 3), np.uint8)
    image = np.asarray(cv2.GaussianBlur(grain, (0, 0), 2.0), np.uint8)
    x, y = np.meshgrid(np.arange(0.0, 107.0, 16.0), np.arange(0.0, 77.0, 16.0))
    bent = 0.002 * x * y
    nodes = np.stack([1.3 * x + 0.2 * y + bent + first[0], 1.2 * y - 0.1 * x + first[1]], axis=-1).astype(np.float32)
    with computing_with(library):
        found = view_calls.seen_from_above(image, nodes, (61, 91), as_floats=as_floats)
    assert found is not None
    between = np.array([[1 / 16, 0, 0], [0, 1 / 16, 0]])
    maps = cv2.warpAffine(nodes, between, (91, 61), flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP)
    twin = cv2.remap(image, maps, None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)  # type: ignore[call-overload]
    pixels, inside = found
    assert pixels.dtype == (np.float32 if as_floats else np.uint8)
    assert np.array_equal(inside, cv2.inRange(maps, (0.0, 0.0), (199.0, 159.0)) > 0)
    assert np.array_equal(pixels, np.rint(pixels))
    off = np.abs(pixels.astype(np.float64) - twin)
    assert off.max() <= (1.0 if samples_exactly else 4.0)
    if samples_exactly:  # where what is seen lies just between two grey levels
        assert (off > 0).mean() < 1e-3
