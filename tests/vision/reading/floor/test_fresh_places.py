"""Where a card may have come to lie since others were read."""

from __future__ import annotations

import numpy as np
import pytest

from arena_cam.domain.table import Arena
from arena_cam.vision.reading.floor.fresh_places import FreshPlaces
from arena_cam.vision.reading.floor.table_change import EarlierTable
from arena_cam.vision.reading.floor.view_maps import KeptMaps
from vision.small import camera_above, painted

SIZE = (320, 240)
CAMERA = camera_above(1.0, SIZE)
RIGHT = np.array([[False, True]])  # the right half of the frame changed
X, Y = (axis.ravel() for axis in np.meshgrid(np.linspace(-30.0, 30.0, 12), np.linspace(-40.0, 40.0, 12)))


def spread(x_mm: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Pixels (2, N) and places (N,), (N,) spread over a card with its middle at (x_mm, 0)."""
    world = np.stack([X + x_mm, Y, np.zeros_like(X)], axis=1)
    return CAMERA.project(world).T, X + x_mm, Y


ALL = np.ones_like(X, bool)


def test_outside_the_frame_nothing_changed() -> None:
    everywhere = FreshPlaces(np.ones((3, 4), bool), SIZE)
    assert not everywhere.at(np.array([[-5.0, 400.0, 10.0], [10.0, 10.0, -7.0]])).any()
    assert everywhere.at(np.array([[0.0, 319.0], [0.0, 239.0]])).all()


def test_each_pixel_is_in_its_cell_of_the_mask() -> None:
    assert FreshPlaces(RIGHT, SIZE).at(np.array([[10.0, 158.0, 162.0], [5.0, 120.0, 120.0]])).tolist() == [
        False,
        False,
        True,
    ]


@pytest.mark.parametrize("scale", [1, 20])
def test_near_is_within_fifteen_millimetres_at_two_pixels_each(scale: int) -> None:
    mask = np.zeros((240 // scale, 320 // scale), bool)
    mask[:, 200 // scale :] = True
    near = FreshPlaces(mask, SIZE).near(np.array([[120.0, 180.0, 210.0], [120.0, 120.0, 120.0]]))
    assert near.tolist() == [False, True, True]


@pytest.mark.parametrize(("x_mm", "worth"), [(-80.0, False), (-20.0, False), (0.0, True), (80.0, True)])
def test_a_guess_is_worth_it_where_about_half_of_what_shows_changed(x_mm: float, worth: bool) -> None:
    assert FreshPlaces(RIGHT, SIZE).worth_a_guess(spread(x_mm)[0], ALL, *spread(x_mm)[1:]) is worth


def test_of_a_card_that_hardly_shows_nothing_is_guessed() -> None:
    pixels, x, y = spread(80.0)
    sliver = x > x.max() - 1.0  # one column of twelve
    assert not FreshPlaces(RIGHT, SIZE).worth_a_guess(pixels, sliver, x, y)


@pytest.mark.parametrize(("x_mm", "touched"), [(-80.0, False), (-34.0, False), (-20.0, True)])
def test_a_known_card_is_touched_where_a_tenth_of_its_place_changed(x_mm: float, touched: bool) -> None:
    assert FreshPlaces(RIGHT, SIZE).touched(spread(x_mm)[0]) is touched


FLOOR = np.full((240, 320, 3), 100, np.uint8)
ARENA = Arena((240.0, 180.0), 10.0, 5.0)
BEFORE = EarlierTable(FLOOR, CAMERA, ARENA, [], KeptMaps(None))


def with_white(x_mm: float, width_mm: float) -> np.ndarray:
    corners = np.array([[x_mm, 40, 0], [x_mm + width_mm, 40, 0], [x_mm + width_mm, -40, 0], [x_mm, -40, 0.0]])
    return painted(FLOOR, np.full((8, 8, 3), 230, np.uint8), CAMERA, corners)


@pytest.mark.parametrize(("came", "worth"), [(False, False), (True, True)])
def test_a_card_mostly_covered_came_only_if_what_shows_looks_otherwise(came: bool, worth: bool) -> None:
    pixels, x, y = spread(60.0)
    shows = x > 70.0
    since = BEFORE.look(with_white(65.0, 30.0) if came else FLOOR, CAMERA)
    assert FreshPlaces(RIGHT, SIZE, since).worth_a_guess(pixels, shows, x, y) is worth


def test_all_is_explained_once_what_changed_is_claimed() -> None:
    nothing = np.zeros((61, 81), np.uint8)
    assert not FreshPlaces(RIGHT, SIZE).all_explained(nothing, 4), "without the earlier picture nobody knows"
    fresh = FreshPlaces(RIGHT, SIZE, BEFORE.look(with_white(40.0, 40.0), CAMERA))
    assert not fresh.all_explained(nothing, 4)
    claimed = nothing.copy()
    claimed[:, 48:62] = 1  # pixels 192 to 248: 32 to 88 mm
    assert fresh.all_explained(claimed, 4)


def test_what_looks_otherwise_where_nothing_changed_since_is_old() -> None:
    fresh = FreshPlaces(RIGHT, SIZE, BEFORE.look(with_white(-90.0, 40.0), CAMERA))
    assert fresh.all_explained(np.zeros((61, 81), np.uint8), 4)


def test_a_frame_that_is_held_against_two_pictures_is_seen_from_above_once() -> None:
    """Of a read among known cards two views of the same frame took a tenth of the time."""
    picture, other = with_white(65.0, 30.0), EarlierTable(with_white(0.0, 20.0), CAMERA, ARENA, [], KeptMaps(None))
    held, alone = other.held_against(BEFORE.seen(picture, CAMERA), CAMERA), other.look(picture, CAMERA)
    assert held.odd.any()
    assert all(
        np.array_equal(getattr(held, part), getattr(alone, part)) for part in ("odd", "sure", "plain", "unchanged")
    )
