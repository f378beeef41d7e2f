"""The camera over a plane of cards is found from the cards' own corners."""

from __future__ import annotations

import numpy as np
import pytest

from arena_cam.geometry.camera_model import Camera
from arena_cam.geometry.card_pose import CardPose
from arena_cam.vision.planes.card_plane import CardPlane, camera_over, find_planes, pinhole
from arena_cam.vision.planes.outline_corners import Corners
from arena_cam.vision.planes.plane_fit import SeenCard, fit_camera

SIZE, CARD_MM = (1280, 720), (63.0, 88.0)
K = pinhole(SIZE)
MIDDLE = np.array([640.0, 360.0])


def camera(tilt_deg: float, way_deg: float, distance_mm: float = 600.0) -> Camera:
    """A camera that looks at the origin from a distance, tilted one way."""
    slope, way = np.tan(np.radians(tilt_deg)), np.radians(way_deg)
    normal = np.array([slope * np.cos(way), slope * np.sin(way), 1.0])
    return camera_over(CardPlane(normal / np.linalg.norm(normal) / distance_mm, 0.0), K, np.zeros(5), MIDDLE)


def outline(over: Camera, x: float, y: float, turn: float) -> np.ndarray:
    return over.project(CardPose.flat(x, y, turn).corners(*CARD_MM))


def corners_of(outlines: list[np.ndarray]) -> Corners:
    """What whole outlines show: each corner, its neighbours, each side."""
    at = np.concatenate(outlines)
    before = np.concatenate([np.roll(o, 1, axis=0) for o in outlines])
    after = np.concatenate([np.roll(o, -1, axis=0) for o in outlines])
    sides = np.stack([at, after], axis=1)
    return Corners(at, before, after, sides, sides)


def turn_between_deg(a: Camera, b: Camera) -> float:
    return float(np.degrees(np.arccos(np.clip(a.R[:, 2] @ b.R[:, 2], -1.0, 1.0))))


@pytest.mark.parametrize(("tilt", "way"), [(0.0, 0.0), (12.0, 40.0), (30.0, 250.0), (42.0, 120.0)])
def test_two_outlines_tell_the_plane_and_the_scale(tilt: float, way: float) -> None:
    true = camera(tilt, way)
    seen = [outline(true, -60.0, 10.0, 15.0), outline(true, 50.0, -20.0, -40.0)]
    best = find_planes(corners_of(seen), K, CARD_MM)[0]
    found = camera_over(best, K, np.zeros(5), MIDDLE)
    assert turn_between_deg(found, true) < 2.0
    assert found.px_per_mm(np.zeros(3)) == pytest.approx(true.px_per_mm(np.zeros(3)), rel=0.02)


def test_a_picture_without_corners_has_no_plane() -> None:
    none = np.empty((0, 2))
    assert find_planes(Corners(none, none, none, np.empty((0, 2, 2)), np.empty((0, 2, 2))), K, CARD_MM) == []


def test_a_plane_six_degrees_off_is_fitted_to_the_cards() -> None:
    true, start = camera(20.0, 70.0), camera(26.0, 70.0)
    seen = [SeenCard(outline(true, x, y, turn), 1.0) for x, y, turn in ((-70, 0, 0), (40, 30, 33), (30, -60, 80))]
    found = fit_camera(start, SIZE, seen, CARD_MM)
    assert turn_between_deg(found, true) < 0.3


def test_without_a_card_the_camera_stays() -> None:
    start = camera(10.0, 0.0)
    assert fit_camera(start, SIZE, [], CARD_MM) is start
