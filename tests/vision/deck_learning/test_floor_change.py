"""What lies on the arena's floor: painted there at a known place, in a known light."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from arena_cam.camera.frame import Image
from arena_cam.domain.table import Arena
from arena_cam.vision.deck_learning.floor_change import EmptyFloor
from vision.small import blotches, camera_above, painted

CAMERA = camera_above(1.6, (420, 340), tilt_deg=8.0)
ARENA = Arena((200.0, 150.0), 15.0, 6.0)
FLOOR = np.clip(100 + 0.12 * np.mgrid[0:340, 0:420][1], 0, 255)[..., None].repeat(3, axis=2).astype(np.uint8)


@pytest.fixture(scope="module")
def empty() -> EmptyFloor:
    return EmptyFloor(FLOOR, CAMERA, ARENA)


def with_thing(
    picture: Image, face: Image, x_mm: float, y_mm: float, angle_deg: float, size_mm: tuple[float, float]
) -> Image:
    turn = np.radians(angle_deg)
    half = np.array([[-1, 1], [1, 1], [1, -1], [-1, -1]]) * np.array(size_mm) / 2
    rotation = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    at = half @ rotation.T + (x_mm, y_mm)
    return painted(picture, face, CAMERA, np.column_stack([at, np.zeros(4)]))


def even(bgr: tuple[int, int, int]) -> Image:
    return np.full((40, 40, 3), bgr, np.uint8)


def noisy(picture: Image, seed: int = 0) -> Image:
    noise = np.random.default_rng(seed).normal(0, 2.0, picture.shape)
    return np.asarray(np.clip(picture + noise, 0, 255), np.uint8)


def test_an_empty_floor_has_nothing_on_it(empty: EmptyFloor) -> None:
    assert empty.things(FLOOR, CAMERA) == []
    assert empty.things(noisy(FLOOR), CAMERA) == []


@pytest.mark.parametrize(
    "gain", [(0.6, 0.6, 0.6), (1.3, 1.3, 1.3), (0.9, 1.0, 1.15)], ids=["darker", "brighter", "warmer"]
)
def test_another_exposure_lays_nothing_there(empty: EmptyFloor, gain: tuple[float, float, float]) -> None:
    assert empty.things(np.clip(FLOOR * np.array(gain), 0, 255).astype(np.uint8), CAMERA) == []


def test_a_white_card_is_seen_in_another_exposure(empty: EmptyFloor) -> None:
    picture = with_thing(FLOOR, even((235, 235, 235)), 10.0, 5.0, 0.0, (63.0, 88.0))
    (thing,) = empty.things((0.6 * picture).astype(np.uint8), CAMERA)
    assert thing.centre_mm == pytest.approx((10.0, 5.0), abs=1.0)


def test_a_soft_shadow_is_no_thing(empty: EmptyFloor) -> None:
    shade = np.ones(FLOOR.shape[:2])
    shade[100:200, 150:260] = 0.9  # of the picture's values: four fifths of the light
    shaded = FLOOR * cv2.GaussianBlur(shade, (0, 0), 5)[..., None]
    assert empty.things(shaded.astype(np.uint8), CAMERA) == []


@pytest.mark.parametrize(("x_mm", "y_mm", "angle_deg"), [(0.0, 0.0, 0.0), (30.0, -20.0, 25.0), (-40.0, 15.0, -60.0)])
def test_a_card_is_measured_where_it_lies(empty: EmptyFloor, x_mm: float, y_mm: float, angle_deg: float) -> None:
    picture = noisy(with_thing(FLOOR, even((230, 235, 240)), x_mm, y_mm, angle_deg, (63.0, 88.0)))
    (thing,) = empty.things(picture, CAMERA)
    assert thing.centre_mm == pytest.approx((x_mm, y_mm), abs=1.0)
    assert sorted(thing.sides_mm) == pytest.approx([63.0, 88.0], abs=3.5)
    assert thing.area_mm2 == pytest.approx(63.0 * 88.0, rel=0.06)
    short = thing.angle_deg if thing.sides_mm[0] < thing.sides_mm[1] else thing.angle_deg + 90.0
    assert (short - angle_deg + 90.0) % 180.0 - 90.0 == pytest.approx(0.0, abs=1.0)


def test_a_card_as_light_as_the_floor_is_seen_by_its_colour(empty: EmptyFloor) -> None:
    (thing,) = empty.things(with_thing(FLOOR, even((90, 120, 160)), 10.0, 5.0, 0.0, (63.0, 88.0)), CAMERA)
    assert thing.centre_mm == pytest.approx((10.0, 5.0), abs=1.0)


def test_a_face_with_fields_like_the_floor_is_one_thing(empty: EmptyFloor) -> None:
    (thing,) = empty.things(with_thing(FLOOR, blotches(2), 0.0, 0.0, 10.0, (63.0, 88.0)), CAMERA)
    assert thing.area_mm2 > 0.85 * 63.0 * 88.0


def test_the_largest_comes_first(empty: EmptyFloor) -> None:
    picture = with_thing(FLOOR, even((20, 20, 160)), 70.0, 40.0, 0.0, (25.0, 30.0))
    picture = with_thing(picture, even((230, 235, 240)), -30.0, 0.0, 0.0, (63.0, 88.0))
    large, small = empty.things(picture, CAMERA)
    assert large.centre_mm[0] < 0 < small.centre_mm[0]


@pytest.mark.parametrize(("side_mm", "count"), [(8.0, 0), (13.0, 0), (22.0, 1)])
def test_a_crumb_is_no_thing(empty: EmptyFloor, side_mm: float, count: int) -> None:
    picture = with_thing(FLOOR, even((20, 20, 160)), 0.0, 0.0, 0.0, (side_mm, side_mm))
    assert len(empty.things(picture, CAMERA)) == count


def test_what_lies_beside_the_arena_does_not_count(empty: EmptyFloor) -> None:
    assert empty.things(with_thing(FLOOR, even((20, 20, 160)), 0.0, 98.0, 0.0, (150.0, 12.0)), CAMERA) == []
