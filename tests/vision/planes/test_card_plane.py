"""The plane that corners of cards lie in, among false corners too; and the camera over it."""

from __future__ import annotations

import numpy as np
import pytest

from arena_cam.geometry.arrays import Array
from arena_cam.geometry.camera_model import Camera
from arena_cam.geometry.card_pose import CardPose
from arena_cam.vision.planes.card_plane import (
    USUAL_FOCAL,
    CardPlane,
    camera_over,
    find_planes,
    pinhole,
    reach_of_picture,
)
from arena_cam.vision.planes.outline_corners import Corners
from vision.small import camera_above

SIZE, CARD_MM = (1280, 720), (63.0, 88.0)
K = pinhole(SIZE)
MIDDLE = np.array([700.0, 300.0])


def plane(tilt_deg: float, way_deg: float, distance_mm: float = 600.0) -> CardPlane:
    slope, way = np.tan(np.radians(tilt_deg)), np.radians(way_deg)
    normal = np.array([slope * np.cos(way), slope * np.sin(way), 1.0])
    return CardPlane(normal / np.linalg.norm(normal) / distance_mm, 0.0)


def corners_of(outlines: list[Array]) -> Corners:
    at = np.concatenate(outlines)
    before = np.concatenate([np.roll(o, 1, axis=0) for o in outlines])
    after = np.concatenate([np.roll(o, -1, axis=0) for o in outlines])
    sides = np.stack([at, after], axis=1)
    return Corners(at, before, after, sides, sides)


def seen(camera: Camera, *places: tuple[float, float, float]) -> list[Array]:
    return [camera.project(CardPose.flat(*place).corners(*CARD_MM)) for place in places]


def test_a_pinhole_is_as_wide_as_it_is_told() -> None:
    wide = pinhole((800, 600), 0.5)
    assert wide[0, 0] == wide[1, 1] == 400.0
    assert pinhole((600, 800))[0, 0] == USUAL_FOCAL * 800
    assert wide[:2, 2].tolist() == [399.5, 299.5]


@pytest.mark.parametrize(("tilt", "way"), [(0.0, 0.0), (20.0, 30.0), (40.0, 200.0)])
def test_the_camera_over_a_plane_sees_its_origin_where_it_should(tilt: float, way: float) -> None:
    camera = camera_over(plane(tilt, way), K, np.zeros(5), MIDDLE)
    assert camera.project(np.zeros((1, 3)))[0] == pytest.approx(MIDDLE)
    assert camera.centre_mm[2] == pytest.approx(600.0)  # the plane's distance
    up = camera.project(np.array([[0.0, 10.0, 0.0]]))[0] - MIDDLE
    assert up[1] < 0.0  # y runs up in the picture
    assert np.linalg.det(camera.R) == pytest.approx(1.0)
    assert plane(tilt, way).tilt_deg == pytest.approx(tilt)


def test_its_floor_is_the_plane() -> None:
    true = plane(25.0, 110.0)
    camera = camera_over(true, K, np.zeros(5), MIDDLE)
    floor = np.array([[0.0, 0.0, 0.0], [100.0, 30.0, 0.0], [-40.0, 80.0, 0.0]])
    assert camera.to_camera(floor) @ true.normal == pytest.approx(np.ones(3))


@pytest.mark.parametrize("tilt", [0.0, 15.0, 35.0])
def test_false_corners_among_true_ones_are_outvoted(tilt: float) -> None:
    true = plane(tilt, 60.0)
    camera = camera_over(true, K, np.zeros(5), MIDDLE)
    random = np.random.default_rng(2)
    true_ones = corners_of(seen(camera, (-70.0, 10.0, 15.0), (50.0, -20.0, -40.0), (-20.0, 90.0, 75.0)))
    at = random.uniform([0, 0], SIZE, (10, 2))
    arms = [at + random.uniform(-90, 90, (10, 2)) for _ in range(2)]
    false_sides = np.stack([at, arms[0]], axis=1)
    mixed = Corners(
        np.concatenate([true_ones.at, at]),
        np.concatenate([true_ones.before, arms[0]]),
        np.concatenate([true_ones.after, arms[1]]),
        np.concatenate([true_ones.whole, false_sides]),
        np.concatenate([true_ones.sides, false_sides]),
    )
    best = find_planes(mixed, K, CARD_MM)[0]
    assert best.distance_mm == pytest.approx(true.distance_mm, rel=0.03)
    turn = np.degrees(np.arccos(min(1.0, float(best.normal @ true.normal) * best.distance_mm * true.distance_mm)))
    assert turn < 3.0


def test_planes_come_by_their_support_and_each_is_another() -> None:
    camera = camera_over(plane(20.0, 30.0), K, np.zeros(5), MIDDLE)
    planes = find_planes(corners_of(seen(camera, (-50.0, 0.0, 10.0))), K, CARD_MM)
    assert 1 < len(planes) <= 4  # one card alone leaves it open which of its sides is the long one
    supports = [found.support for found in planes]
    assert supports == sorted(supports, reverse=True)
    for n, one in enumerate(planes):
        for other in planes[:n]:
            cosine = float(one.normal @ other.normal) * one.distance_mm * other.distance_mm
            turn = np.degrees(np.arccos(min(1.0, cosine)))
            assert turn > 6.0 or abs(np.log(one.distance_mm / other.distance_mm)) > 0.06


def test_two_cards_have_more_support_than_one() -> None:
    camera = camera_over(plane(20.0, 30.0), K, np.zeros(5), MIDDLE)
    one = find_planes(corners_of(seen(camera, (-50.0, 0.0, 10.0))), K, CARD_MM)[0]
    two = find_planes(corners_of(seen(camera, (-50.0, 0.0, 10.0), (60.0, 0.0, 70.0))), K, CARD_MM)[0]
    assert two.support > 1.5 * one.support


def test_cards_too_small_to_read_have_no_plane() -> None:
    camera = camera_over(plane(0.0, 0.0, 6000.0), K, np.zeros(5), MIDDLE)
    assert find_planes(corners_of(seen(camera, (-50.0, 0.0, 10.0))), K, CARD_MM) == []


def test_the_picture_reaches_as_far_as_the_camera_sees() -> None:
    assert reach_of_picture(camera_above(2.0, (401, 201)), (401, 201)) == pytest.approx((100.0, 50.0))
    assert max(reach_of_picture(camera_above(0.1, (4001, 2001)), (4001, 2001))) == 420.0
    steep = camera_above(0.5, (401, 201), tilt_deg=80.0)
    assert reach_of_picture(steep, (401, 201)) == (420.0, 420.0)  # its upper rim is above the horizon
