"""Outside of the boxes the picture shows the empty table, and markers are not looked for."""

from __future__ import annotations

import numpy as np
import pytest

from arena_cam.domain.table import Arena
from arena_cam.vision.reading.floor.changed_boxes import changed_boxes
from arena_cam.vision.reading.floor.table_change import EarlierTable
from arena_cam.vision.reading.floor.view_maps import KeptMaps
from vision.small import camera_above, painted

SIZE = (480, 400)
CAMERA = camera_above(1.6, SIZE, tilt_deg=4.0)
ARENA = Arena((160.0, 120.0), 10.0, 6.0)
RNG = np.random.default_rng(2)
EMPTY = np.clip(120.0 + RNG.normal(0.0, 2.0, (SIZE[1], SIZE[0], 3)), 0, 255).astype(np.uint8)


def boxes(picture: np.ndarray, half_mm: tuple[float, float] | None = None) -> list[tuple[int, int, int, int]]:
    change = EarlierTable(EMPTY, CAMERA, ARENA, [], KeptMaps(None), half_mm).look(picture, CAMERA)
    return changed_boxes(change, picture.shape)


def thing(x_mm: float, y_mm: float, side_mm: float, picture: np.ndarray = EMPTY) -> np.ndarray:
    a = side_mm / 2
    corners = np.array([[x_mm - a, y_mm + a, 0.0], [x_mm + a, y_mm + a, 0.0], [x_mm + a, y_mm - a, 0.0]])
    corners = np.vstack([corners, [[x_mm - a, y_mm - a, 0.0]]])
    return painted(picture, np.full((8, 8, 3), 30, np.uint8), CAMERA, corners)


def hold(found: list[tuple[int, int, int, int]], x_mm: float, y_mm: float) -> bool:
    """Whether one of the boxes holds a place on the floor."""
    ((x, y),) = CAMERA.project(np.array([[x_mm, y_mm, 0.0]]))
    return any(left + 15 < x < right - 15 and top + 15 < y < bottom - 15 for left, top, right, bottom in found)


def test_the_empty_table_has_none_noise_and_shade_or_not() -> None:
    noisy = np.clip(EMPTY + RNG.normal(0.0, 2.0, EMPTY.shape), 0, 255).astype(np.uint8)
    assert boxes(noisy) == []


@pytest.mark.parametrize("side_mm", [6.0, 60.0])
@pytest.mark.parametrize("place", [(0.0, 0.0), (-50.0, 30.0), (120.0, 90.0)])
def test_a_marker_or_a_card_lies_in_one(place: tuple[float, float], side_mm: float) -> None:
    found = boxes(thing(*place, side_mm))
    assert len(found) == 1
    assert hold(found, *place)
    assert not hold(found, -place[0] or 100.0, -place[1] or -80.0)


def test_what_lies_apart_has_a_box_of_its_own() -> None:
    assert len(boxes(thing(120.0, 90.0, 20.0, thing(-100.0, -60.0, 20.0)))) == 2


def test_where_nothing_is_compared_a_wall_goes_with_what_lies_beside_it() -> None:
    beside = 80.0 - 15.0  # the strip along the wall begins 7 mm inside it
    assert hold(boxes(thing(beside, 0.0, 12.0)), 92.0, 0.0)


def test_a_view_smaller_than_the_picture_tells_nothing_of_the_rest() -> None:
    assert boxes(EMPTY, (100.0, 80.0)) == [(0, 0, *SIZE)]
