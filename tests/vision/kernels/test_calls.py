"""Arrays go into compiled functions and come back: answers that are known, and None where nothing is compiled."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator

import numpy as np
import pytest

from arena_cam.geometry.card_pose import CardPose
from arena_cam.vision.kernels.calls import CutFace, Sampled, aligned, best_off, named, nearest, print_light, tiles_shown
from arena_cam.vision.kernels.library import computing_with
from vision.small import camera_above

HERE = CardPose.flat(8.0, -5.0, 31.0, 0.3)
SEEN = Sampled(np.full((120, 160), 90.0, np.float32), 1, camera_above(1.0, (320, 240)), HERE)


@pytest.fixture
def _compiled(library: ctypes.CDLL) -> Iterator[None]:
    with computing_with(library):
        yield


def test_a_pose_in_one_row_is_the_pose() -> None:
    row = SEEN.flat_pose
    assert row.shape == (12,)
    assert np.array_equal(row[:9].reshape(3, 3), HERE.R)
    assert row[9:].tolist() == [8.0, -5.0, 0.3]


def test_a_picture_of_a_pyramid_s_level_is_told_with_its_size_and_scale() -> None:
    address, height, width, scale, camera = SEEN.arguments
    assert (height, width, scale) == (120, 160, 0.5)
    assert address == SEEN.picture.ctypes.data
    assert camera == SEEN.camera.flat.ctypes.data  # kept by the camera: it outlives the call


@pytest.mark.usefixtures("_compiled")
@pytest.mark.parametrize("count", [1, 3, 4])
def test_the_nearest_words_are_those_with_the_fewest_other_bits(count: int) -> None:
    random = np.random.default_rng(1)
    words, known = (random.integers(0, 256, (n, 32)).astype(np.uint8) for n in (7, 40))
    known[11] = words[3]  # one is there itself
    found = nearest(words, known, count)
    assert found is not None
    distance, number = found
    bits = np.unpackbits(words[:, None] ^ known[None], axis=2).sum(axis=2)
    assert np.array_equal(distance, np.sort(bits, axis=1)[:, :count])
    assert np.array_equal(np.take_along_axis(bits, number.astype(np.intp), axis=1), distance)
    assert (distance[3, 0], number[3, 0]) == (0, 11)


@pytest.mark.usefixtures("_compiled")
def test_words_that_are_a_part_of_an_array_are_taken_as_they_read() -> None:
    wide = np.random.default_rng(2).integers(0, 256, (5, 64)).astype(np.uint8)
    part = wide[:, ::2]
    found = nearest(part, np.ascontiguousarray(part[::-1]), 1)
    assert found is not None
    assert found[0].ravel().tolist() == [0] * 5
    assert found[1].ravel().tolist() == [4, 3, 2, 1, 0]


@pytest.mark.usefixtures("_compiled")
@pytest.mark.parametrize(("count", "known"), [(0, 9), (3, 2), (5, 9), (1, 0)])
def test_more_than_there_are_or_than_is_compiled_for_is_left_to_others(count: int, known: int) -> None:
    words = np.zeros((2, 32), np.uint8)
    assert nearest(words, np.zeros((known, 32), np.uint8), count) is None


@pytest.mark.usefixtures("_compiled")
def test_a_face_in_its_own_light_misses_nothing_but_what_lies_on_it() -> None:
    random = np.random.default_rng(3)
    faces = random.uniform(20, 230, (4, 3, 400)).astype(np.float32)
    light = np.column_stack([np.ones(400), random.uniform(-1, 1, (400, 2))])
    seen = 0.8 * faces[1].T.astype(np.float64) + light @ np.array([[4.0], [9.0], [-5.0]])
    seen[:20] = 255.0
    off = best_off((faces, None), seen, np.r_[np.zeros(20), np.ones(380)], light, np.ones(3), 1e-6)
    assert off is not None
    assert off[20:].max() < 0.5
    assert np.median(off[:20]) > 10.0


@pytest.mark.usefixtures("_compiled")
def test_faces_of_another_type_or_order_are_the_same_faces() -> None:
    random = np.random.default_rng(4)
    faces = random.uniform(20, 230, (3, 3, 100)).astype(np.float32)
    light, seen = np.ones((100, 3)), random.uniform(20, 230, (100, 3))
    straight = best_off((faces, None), seen, np.ones(100), light, np.ones(3), 1.0)
    turned = best_off((np.asfortranarray(faces), None), np.asfortranarray(seen), np.ones(100), light, np.ones(3), 1.0)
    assert straight is not None
    assert turned is not None
    assert np.array_equal(straight, turned)


@pytest.mark.usefixtures("_compiled")
@pytest.mark.parametrize("points", [slice(None, None, 3), slice(None, None, -3), slice(1, None, 2)])
def test_some_faces_and_points_are_read_where_they_lie(points: slice) -> None:
    """Every so many of a grid's points, from either end, as copies of them."""
    random = np.random.default_rng(5)
    seen, weight = random.uniform(20, 230, (300, 3))[points], random.uniform(0.0, 1.0, 300)[points]
    faces, light = random.uniform(20, 230, (5, 3, len(seen))).astype(np.float32), np.ones((len(seen), 3))
    light[:, 1:] = random.uniform(-1, 1, (len(seen), 2))
    these, rules = np.array([3, 0]), np.ones(12)
    there, copied = ((faces, these), seen, weight), ((faces[these], None), seen.copy(), weight.copy())
    off = [best_off(of, at, by, light, np.ones(3), 1.0) for of, at, by in (there, copied)]
    names = [named(of, at, by, light, np.ones(3), 2.0, rules) for of, at, by in (there, copied)]
    assert off[0] is not None
    assert names[0] is not None
    assert np.array_equal(off[0], np.asarray(off[1]))
    assert np.array_equal(names[0], np.asarray(names[1]))


@pytest.mark.usefixtures("_compiled")
def test_tiles_numbered_in_another_type_are_left_to_others() -> None:
    small = CutFace(np.ones((3, 4)), np.ones((6, 4)), np.zeros(4, np.int32), np.ones(1), np.zeros(1, bool), 1.0)
    assert tiles_shown(SEEN, small, None, 1, np.zeros(8)) is None


def test_without_a_library_every_call_says_so() -> None:
    points = np.ones((3, 4)), np.ones((6, 4)), np.ones((10, 4)), np.ones(4)
    cut = CutFace(np.ones((3, 4)), np.ones((6, 4)), np.zeros(4, np.intp), np.ones(1), np.zeros(1, bool), 1.0)
    words = np.zeros((3, 32), np.uint8)
    with computing_with(None):
        assert aligned(SEEN, points, None, np.eye(6), None, np.zeros(4), np.zeros(4)) is None
        assert tiles_shown(SEEN, cut, None, 1, np.zeros(8)) is None
        assert (
            best_off(
                (np.ones((1, 3, 4), np.float32), None), np.ones((4, 3)), np.ones(4), np.ones((4, 3)), np.ones(3), 1.0
            )
            is None
        )
        rows = np.ones((4, 3), np.float32)
        row = np.ones(4)
        assert print_light(rows, rows, (row, row), np.ones((3, 2)), np.ones(2), np.ones(6), np.ones(3)) is None
        assert nearest(words, words, 1) is None
