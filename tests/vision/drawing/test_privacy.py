"""What lies round the tray is hidden, and all of it where nobody knows where the tray is."""

from __future__ import annotations

import numpy as np

from arena_cam.domain.lies import TablePose
from arena_cam.vision.drawing.privacy import HIDDEN, arena_only
from vision.small import camera_above, small_table

TABLE = small_table()
CAMERA = camera_above(size=TABLE.image_size)
POSE = TablePose((float(CAMERA.rvec[0]), float(CAMERA.rvec[1]), float(CAMERA.rvec[2])), (0.0, 0.0, 500.0), 0.1, (1, 2))
PICTURE = np.random.default_rng(0).integers(0, 255, (480, 640, 3)).astype(np.uint8)


def at(x_mm: float, y_mm: float, z_mm: float = 15.0) -> tuple[int, int]:
    """(row, column) of a point."""
    x, y = np.rint(CAMERA.project(np.array([[x_mm, y_mm, z_mm]]))[0]).astype(int)
    return int(y), int(x)


def test_without_a_pose_nothing_is_shown() -> None:
    assert (arena_only(PICTURE, TABLE, None) == HIDDEN).all()


def test_the_tray_is_shown_up_to_its_rim_and_nothing_beyond() -> None:
    shown = arena_only(PICTURE, TABLE, POSE)
    half = TABLE.arena.inner_mm[0] / 2 + TABLE.arena.wall_thickness_mm
    for x_mm in (-half + 2, 0.0, half - 2):
        assert (shown[at(x_mm, 0.0)] == PICTURE[at(x_mm, 0.0)]).all()
    for x_mm in (-half - 2, half + 2):
        assert (shown[at(x_mm, 0.0)] == HIDDEN).all()


def test_the_picture_itself_stays_as_it_was() -> None:
    before = PICTURE.copy()
    arena_only(PICTURE, TABLE, POSE)
    assert np.array_equal(PICTURE, before)
