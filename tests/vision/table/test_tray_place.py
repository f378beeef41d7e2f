"""A tray that was pushed or turned among its fiducials is measured by its walls."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from arena_cam.domain.lies import TablePose
from arena_cam.vision.table.tray_place import TrayPlace, TrayShift
from vision.small import camera_above, painted, small_table

TABLE = small_table()
CAMERA = camera_above(size=TABLE.image_size)
POSE = TablePose((float(CAMERA.rvec[0]), float(CAMERA.rvec[1]), float(CAMERA.rvec[2])), (0.0, 0.0, 500.0), 0.1, (1, 2))


def tray(x_mm: float = 0.0, y_mm: float = 0.0, turn_deg: float = 0.0, rim: int = 70) -> np.ndarray:
    """A picture of the tray alone, its walls' upper rim at its true height."""
    picture = np.full((480, 640, 3), 160, np.uint8)
    c, s = np.cos(np.radians(turn_deg)), np.sin(np.radians(turn_deg))
    for beyond, grey in ((TABLE.arena.wall_thickness_mm, rim), (0.0, 120)):
        x, y = (inner / 2 + beyond for inner in TABLE.arena.inner_mm)
        flat = np.array([[-x, y], [x, y], [x, -y], [-x, -y]]) @ np.array([[c, s], [-s, c]]) + [x_mm, y_mm]
        corners = np.column_stack([flat, np.full(4, TABLE.arena.wall_height_mm)])
        picture = painted(picture, np.full((8, 8, 3), grey, np.uint8), CAMERA, corners)
    return picture


@pytest.fixture
def place() -> TrayPlace:
    known = TrayPlace(TABLE)
    assert known.look(tray(), POSE) == TrayShift(0.0, 0.0, 0.0)
    return known


@pytest.mark.parametrize(
    ("x_mm", "y_mm", "turn_deg"),
    [(0.0, 0.0, 0.0), (3.0, 0.0, 0.0), (-2.0, 5.0, 0.0), (0.0, 0.0, 1.5), (4.0, -3.0, -1.0), (0.0, 15.0, 0.0)],
)
def test_a_push_is_measured(place: TrayPlace, x_mm: float, y_mm: float, turn_deg: float) -> None:
    shift = place.look(tray(x_mm, y_mm, turn_deg), POSE)
    assert shift is not None
    assert (shift.x_mm, shift.y_mm) == pytest.approx((x_mm, y_mm), abs=0.25)
    assert shift.turn_deg == pytest.approx(turn_deg, abs=0.15)
    assert shift.far_mm == pytest.approx(np.hypot(x_mm, y_mm), abs=0.25)


def test_light_is_no_push(place: TrayPlace) -> None:
    shift = place.look((tray() * 0.6 + 20).astype(np.uint8), POSE)
    assert shift is not None
    assert shift.far_mm < 0.1


def test_a_sleeve_over_two_places_is_left_out(place: TrayPlace) -> None:
    picture = tray(3.0)
    x, y = CAMERA.project(np.array([[-103.0, 75.0, 15.0]]))[0].astype(int)
    picture[y - 20 : y + 160, x - 60 : x + 60] = 40
    shift = place.look(picture, POSE)
    assert shift is not None
    assert shift.x_mm == pytest.approx(3.0, abs=0.4)


def test_where_no_wall_is_seen_nothing_can_be_told(place: TrayPlace) -> None:
    assert place.look(np.full((480, 640, 3), 120, np.uint8), POSE) is None


def test_walls_like_the_floor_say_nothing_from_the_start() -> None:
    blind = TrayPlace(TABLE)
    even = np.asarray(cv2.GaussianBlur(np.full((480, 640, 3), 120, np.uint8), (3, 3), 0), np.uint8)
    blind.look(even, POSE)
    assert blind.look(tray(3.0), POSE) is None
