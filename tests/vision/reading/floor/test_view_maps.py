"""Maps of the view from above are kept while the camera stands still, and serve pictures and masks alike."""

from __future__ import annotations

import weakref

import numpy as np
import pytest

from arena_cam.vision.reading.floor.view_maps import KeptMaps, ViewMaps
from vision.small import camera_above, painted

SIZE = (320, 240)
CAMERA = camera_above(2.0, SIZE, tilt_deg=10.0)
HALF = (60.0, 40.0)
SPOT = np.array([[10.0, 30.0, 0.0], [30.0, 30.0, 0.0], [30.0, 15.0, 0.0], [10.0, 15.0, 0.0]])  # mm


def seen() -> np.ndarray:
    return painted(np.zeros((240, 320), np.uint8), np.full((8, 8), 200, np.uint8), CAMERA, SPOT)


def bright(view: np.ndarray, px_per_mm: float) -> tuple[float, float, float, float]:
    """Left, top, right, bottom (mm) of what is bright in a view."""
    rows, columns = np.nonzero(view > 0.5 * view.max())
    x, y = columns / px_per_mm - HALF[0], HALF[1] - rows / px_per_mm
    return float(x.min()), float(y.max()), float(x.max()), float(y.min())


@pytest.mark.parametrize("px_per_mm", [1.0, 2.0])
def test_a_spot_is_seen_from_above_where_it_lies(px_per_mm: float) -> None:
    view = ViewMaps(CAMERA, HALF, px_per_mm).picture(seen())
    assert bright(view, px_per_mm) == pytest.approx((10, 30, 30, 15), abs=1.5)


def test_a_halving_of_the_picture_gives_the_same_view() -> None:
    half = np.ascontiguousarray(seen()[::2, ::2])
    view = ViewMaps(CAMERA, HALF, 1.0, level=1).picture(half)
    assert bright(view, 1.0) == pytest.approx((10, 30, 30, 15), abs=2.0)


@pytest.mark.parametrize("step", [1, 4])
def test_a_mask_is_seen_from_above_as_its_picture_is(step: int) -> None:
    mask = (seen() > 100).astype(np.uint8)[::step, ::step].copy()
    view = ViewMaps(CAMERA, HALF, 1.0).mask(mask, step)
    assert set(np.unique(view)) == {0, 1}
    assert bright(view, 1.0) == pytest.approx((10, 30, 30, 15), abs=3.0)


@pytest.mark.parametrize(("tilt_deg", "serves"), [(10.0, True), (10.01, True), (13.0, False)])
def test_maps_of_the_reference_serve_a_camera_that_stands_where_it_stood(tilt_deg: float, serves: bool) -> None:
    kept = KeptMaps(CAMERA)
    first = kept.at(CAMERA, HALF, 1.0)
    assert (kept.at(camera_above(2.0, SIZE, tilt_deg=tilt_deg), HALF, 1.0) is first) is serves


def test_another_camera_gets_maps_of_its_own_whatever_was_looked_at_before() -> None:
    other = camera_above(2.0, SIZE, tilt_deg=13.0)
    kept = KeptMaps(CAMERA)
    kept.at(CAMERA, HALF, 1.0)
    spot = painted(np.zeros((240, 320), np.uint8), np.full((8, 8), 200, np.uint8), other, SPOT)
    assert bright(kept.at(other, HALF, 1.0).picture(spot), 1.0) == pytest.approx((10, 30, 30, 15), abs=1.5)


def test_each_view_has_its_own_maps_and_the_oldest_are_let_go() -> None:
    kept = KeptMaps(CAMERA)
    first = kept.at(CAMERA, HALF, 1.0)
    assert kept.at(CAMERA, HALF, 2.0) is not first
    assert kept.at(CAMERA, HALF, 1.0) is first
    for level in range(1, 5):
        kept.at(CAMERA, HALF, 1.0, level)
    assert kept.at(CAMERA, HALF, 1.0) is not first


def test_two_eyes_through_one_camera_do_not_write_into_each_others_view() -> None:
    mine, other = ViewMaps(CAMERA, HALF, 1.0), ViewMaps(camera_above(2.0, SIZE, tilt_deg=10.0), HALF, 1.0)
    view = mine.picture(seen())
    before = view.copy()
    other.picture(np.zeros_like(seen()))
    assert np.array_equal(view, before)


def test_maps_of_a_camera_that_has_moved_on_are_let_go_and_those_of_the_reference_stay() -> None:
    """Where no empty picture fixes the camera, its place and view scatter by frame: megabytes each time."""
    kept = KeptMaps(CAMERA)
    reference = kept.at(CAMERA, HALF, 1.0)
    gone = [weakref.ref(kept.at(camera_above(2.0, SIZE, tilt_deg=13.0 + n), (61.0 + n, 40.0), 1.0)) for n in range(3)]
    assert [each() is None for each in gone] == [True, True, False]
    assert kept.at(CAMERA, HALF, 1.0) is reference


def test_the_picture_s_rim_is_seen_from_above_and_kept() -> None:
    maps = ViewMaps(CAMERA, HALF, 1.0)
    rim = maps.rim((240 // 4, 320 // 4), 4, 5.0)
    edge = np.ones((60, 80), np.uint8)
    edge[1:-2, 1:-2] = 0
    assert rim[[0, -1]].all()
    assert (rim >= maps.mask(edge, 4)).all()
    assert not rim[len(rim) // 2, rim.shape[1] // 2]
    assert maps.rim((60, 80), 4, 5.0) is rim
    assert maps.rim((60, 80), 4, 9.0).sum() > rim.sum()


def test_what_lies_beyond_the_picture_is_known_as_that() -> None:
    """A view wider than the picture is black there."""
    maps = ViewMaps(CAMERA, (3.0 * HALF[0], 3.0 * HALF[1]), 1.0)
    rim, beyond = maps.rim((60, 80), 4, 5.0), maps.rim((60, 80), 4, 5.0, beyond=True)
    shown = maps.mask(np.ones((60, 80), np.uint8), 4)
    assert beyond[shown == 0].all()
    assert not rim[shown == 0].all()
    assert np.array_equal(beyond[shown > 0], rim[shown > 0] | beyond[shown > 0])
    assert not beyond[len(rim) // 2, rim.shape[1] // 2]
