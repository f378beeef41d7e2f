"""The camera model against OpenCV's own projection, and back to the plane that a point came from."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from arena_cam.geometry.camera_model import Camera
from arena_cam.geometry.card_pose import CardPose

K = np.array([[900.0, 0.0, 330.0], [0.0, 910.0, 235.0], [0.0, 0.0, 1.0]])
DISTORTIONS = {
    "none": np.zeros(5),
    "barrel": np.array([-0.2, 0.05, 0.0, 0.0, 0.0]),
    "decentred": np.array([0.1, -0.03, 0.004, -0.003, 0.01]),
}
TILTED = np.array([2.8, 0.15, -0.2])
POINTS = np.array([[x, y, z] for x in (-90.0, 0.0, 70.0) for y in (-60.0, 10.0, 55.0) for z in (0.0, 14.0)])


def camera(kind: str) -> Camera:
    return Camera(K, DISTORTIONS[kind], TILTED, np.array([5.0, -8.0, 480.0]))


def test_no_points_are_no_pixels() -> None:
    assert camera("barrel").project(np.zeros((0, 3))).shape == (0, 2)


@pytest.mark.parametrize("kind", DISTORTIONS)
def test_projection_is_that_of_opencv(kind: str) -> None:
    c = camera(kind)
    expected = cv2.projectPoints(POINTS, c.rvec, c.tvec, c.K, c.dist)[0].reshape(-1, 2)
    assert np.allclose(c.project(POINTS), expected, atol=1e-9)


@pytest.mark.parametrize("kind", DISTORTIONS)
def test_a_plane_is_projected_as_its_points_are(kind: str) -> None:
    pose = CardPose.flat(12.0, -7.0, 33.0, 4.0).moved(np.array([0, 0, 0, 0.2, -0.1, 0.0]))
    x, y = np.array([-30.0, 0.0, 31.5]), np.array([44.0, 1.0, -44.0])
    places = np.stack([x, y, np.ones(3)])
    c = camera(kind)
    assert np.allclose(c.project_plane(pose.plane, places).T, c.project(pose.points(x, y)), atol=1e-9)


@pytest.mark.parametrize("kind", DISTORTIONS)
@pytest.mark.parametrize("z_mm", [0.0, 14.0])
def test_a_pixel_leads_back_to_its_point(kind: str, z_mm: float) -> None:
    at_height = POINTS[POINTS[:, 2] == z_mm]
    c = camera(kind)
    assert np.allclose(c.to_plane(c.project(at_height), z_mm), at_height, atol=1e-3)


def test_a_higher_point_moves_away_from_the_point_under_the_camera() -> None:
    c = camera("none")
    under = c.centre_mm * [1.0, 1.0, 0.0]
    low, high = under + np.array([80.0, 0.0, 0.0]), under + np.array([80.0, 0.0, 20.0])
    foot, a, b = c.project(np.array([under, low, high]))
    assert np.linalg.norm(b - foot) > np.linalg.norm(a - foot)


def test_the_camera_stands_where_no_point_has_depth() -> None:
    c = camera("none")
    assert np.allclose(c.to_camera(c.centre_mm[None]), 0.0)


def test_the_scale_is_what_a_millimetre_facing_the_camera_measures() -> None:
    c = Camera(np.diag([800.0, 800.0, 1.0]), np.zeros(5), np.zeros(3), np.array([0.0, 0.0, 400.0]))
    one_mm = np.diff(c.project(np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0]])), axis=0)[0, 0]
    assert c.px_per_mm(np.zeros(3)) == pytest.approx(one_mm)


@pytest.mark.parametrize("kind", DISTORTIONS)
def test_few_points_are_projected_as_many_are(kind: str) -> None:
    """A card's corners go number by number, a grid of points by numpy."""
    seen = camera(kind)
    many = seen.project(POINTS)
    assert len(POINTS) > 8
    assert (
        np.abs(np.concatenate([seen.project(POINTS[n : n + 4]) for n in range(0, len(POINTS), 4)]) - many).max() < 1e-9
    )
    assert np.isnan(seen.project(np.full((1, 3), np.nan))).all()
