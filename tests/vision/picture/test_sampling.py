"""The picture between its pixels: an even slope is sampled exactly, and nothing is known outside."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from arena_cam.vision.picture.sampling import Pyramid, fixed_map, picture_at, remap, sample_at

X, Y = np.meshgrid(np.arange(40.0), np.arange(30.0))
SLOPE = (2.0 * X + 3.0 * Y).astype(np.float32)
PLACES = np.array([[0.0, 3.25, 38.5, 10.5], [0.0, 7.5, 28.5, 0.125]])


def test_no_places_give_no_samples() -> None:
    assert sample_at(SLOPE, np.zeros((2, 0))).shape == (0,)


def test_a_slope_is_sampled_between_its_pixels() -> None:
    assert np.allclose(sample_at(SLOPE, PLACES), 2.0 * PLACES[0] + 3.0 * PLACES[1], atol=0.15)


def test_colours_are_sampled_each_for_itself() -> None:
    colours = np.stack([SLOPE, SLOPE + 5.0, SLOPE * 0.5], axis=2)
    assert np.allclose(sample_at(colours, PLACES)[:, 1] - sample_at(colours, PLACES)[:, 0], 5.0)


@pytest.mark.parametrize("kind", [np.float32, np.uint8])
@pytest.mark.parametrize("outside", [(-3.0, 5.0), (5.0, -3.0), (42.0, 5.0), (5.0, 33.0)])
def test_outside_the_picture_nothing_is_known(kind: type, outside: tuple[float, float]) -> None:
    at = np.array([outside, (5.0, 5.0)]).T
    seen = sample_at(SLOPE.astype(kind), at)
    assert np.isnan(seen[0])
    assert seen[1] == pytest.approx(25.0, abs=0.5)


def test_more_places_than_opencv_takes_at_once() -> None:
    many = np.tile(PLACES, (1, 20_000))
    assert np.array_equal(sample_at(SLOPE, many), np.tile(sample_at(SLOPE, PLACES), 20_000))


@pytest.mark.parametrize("picture", [SLOPE, SLOPE.astype(np.uint8)])
def test_remap_moves_a_picture_by_whole_pixels_exactly(picture: np.ndarray) -> None:
    places = np.stack([X + 2.0, Y + 1.0], axis=2).astype(np.float32)[:-1, :-2]
    assert np.array_equal(remap(picture, places), picture[1:, 2:])


def test_a_fixed_map_says_the_same_as_the_places() -> None:
    places = np.stack([X * 0.5 + 1.0, Y * 0.5 + 0.25], axis=2).astype(np.float32)
    by_places = cv2.remap(SLOPE, places[..., 0], places[..., 1], cv2.INTER_LINEAR)
    assert np.abs(cv2.remap(SLOPE, *fixed_map(places), cv2.INTER_LINEAR) - by_places).max() < 0.1


def test_a_pyramid_is_sampled_at_the_frames_own_pixels() -> None:
    pyramid = Pyramid.of(SLOPE, 3)
    assert [level.shape for level in pyramid.levels] == [(30, 40), (15, 20), (8, 10)]
    inside = np.array([[20.0, 12.0], [12.0, 16.0]])
    for level in range(3):
        seen, where = pyramid.sample_at(inside, level)
        assert where is None
        assert np.allclose(seen, 2.0 * inside[0] + 3.0 * inside[1], atol=1.0)


def test_a_pyramid_says_which_places_lie_in_the_picture() -> None:
    _, where = Pyramid.of(SLOPE, 1).sample_at(np.array([[20.0, 100.0], [12.0, 16.0]]), 0)
    assert where is not None
    assert where.tolist() == [True, False]


def test_a_picture_in_bytes_is_laid_out_as_the_places_are_and_black_outside() -> None:
    colours = np.stack([SLOPE, SLOPE + 5.0, SLOPE * 0.5], axis=2).astype(np.uint8)
    places = np.stack([X * 0.9 + 0.3, Y * 0.8 + 0.2]).astype(np.float32)
    seen = picture_at(colours, places)
    assert np.array_equal(seen.reshape(-1, 3), sample_at(colours, places.reshape(2, -1).astype(np.float64)))
    beyond = picture_at(colours, places - 10.0)
    assert not beyond[(places < 9.0).any(axis=0)].any()
    assert beyond[(places > 10.0).all(axis=0)].any()
