"""The view from straight above: what it reaches, and where its pixels lie in the picture."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from arena_cam.vision.reading.floor.view import (
    GUESS_HEIGHT_MM,
    FloorView,
    drawn_from_above,
    floor_view_map,
    reach_of_view,
    widened,
)
from vision.small import camera_above


def test_a_pixel_shows_its_place_in_the_world() -> None:
    view = FloorView(np.zeros((10, 10), np.uint8), 2.0, -100.0, 80.0)
    x, y = view.world(np.array([0.0, 200.0]), np.array([0.0, 40.0]))
    assert (x.tolist(), y.tolist()) == ([-100.0, 0.0], [80.0, 60.0])


@pytest.mark.parametrize(
    ("px_per_mm", "expected"),
    [
        (2.0, (159.75, 119.75)),  # all that the picture shows
        (8.0, (80.0, 65.0)),  # of a camera too near: the arena and a little round it
        (0.25, (520.0, 478.0)),  # of one far up: as far as cards roll
    ],
)
def test_the_reach_is_what_the_picture_shows_of_the_table(px_per_mm: float, expected: tuple[float, float]) -> None:
    size = (640, 480) if px_per_mm > 1 else (320, 240)
    reach = reach_of_view(camera_above(px_per_mm, size), size, (100.0, 70.0))
    assert reach == pytest.approx(expected, abs=0.5)


@pytest.mark.parametrize("tilt_deg", [0.0, 20.0])
def test_every_pixel_comes_from_where_its_place_is_seen(tilt_deg: float) -> None:
    camera = camera_above(2.0, (640, 480), tilt_deg=tilt_deg)
    places = floor_view_map(camera, (100.0, 60.0), 1.5)
    assert places.shape == (180, 300, 2)
    for column, row in ((0, 0), (151, 87), (290, 170)):
        world = np.array([[column / 1.5 - 100.0, 60.0 - row / 1.5, GUESS_HEIGHT_MM]])
        assert places[row, column] == pytest.approx(camera.project(world)[0], abs=0.1)


def test_outlines_drawn_together_are_those_drawn_one_by_one_and_wider_by_as_much_as_asked() -> None:
    camera = camera_above(1.6, (480, 400), tilt_deg=4.0)
    upright = np.array([[-30.0, 25.0, 0.0], [10.0, 25.0, 0.0], [10.0, -35.0, 0.0], [-30.0, -35.0, 0.0]])
    outlines = [camera.project(upright), camera.project(upright[:, [1, 0, 2]] * (-1.0, 1.0, 1.0))]
    view = camera, (100.0, 80.0), 1.0, (160, 200)
    one, other = (drawn_from_above([outline], *view, 3.0) for outline in outlines)
    assert (drawn_from_above(outlines, *view, 3.0) == np.maximum(one, other)).all()
    rows, columns = np.nonzero(one)
    assert (rows.min(), rows.max(), columns.min(), columns.max()) == (80 - 28, 80 + 38, 100 - 33, 100 + 13)
    assert not drawn_from_above([], *view, 3.0).any()


@pytest.mark.parametrize("by_mm", [3.0, 31.0, 33.0, 108.0])
def test_a_mask_is_widened_by_as_much_however_far(by_mm: float) -> None:
    mask = (np.random.default_rng(3).random((90, 140)) < 0.0005).astype(np.uint8)
    mask[0, 0] = 1
    size = 2 * round(by_mm) + 1
    assert np.array_equal(widened(mask, by_mm, 1.0), cv2.dilate(mask, np.ones((size, size), np.uint8)))
