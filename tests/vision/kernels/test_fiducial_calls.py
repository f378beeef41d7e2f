"""What is compiled about the fiducials' print answers as its twin in numpy does."""

from __future__ import annotations

import ctypes

import cv2
import numpy as np
import pytest

from arena_cam.geometry.camera_model import Camera
from arena_cam.vision.kernels.fiducial_calls import prints_seen
from arena_cam.vision.kernels.library import computing_with
from arena_cam.vision.table.pose import TablePoseFinder
from vision.small import camera_above, empty_table, small_table

TABLE = small_table()
CAMERA = camera_above(tilt_deg=6.0, size=TABLE.image_size)


@pytest.mark.parametrize("shift_px", [0, 30, 60])
def test_the_camera_ends_in_the_same_place(library: ctypes.CDLL, shift_px: int, samples_exactly: bool) -> None:
    """Shifted, a fiducial lies in the picture in part only, or not at all."""
    picture = np.roll(empty_table(TABLE, CAMERA), -shift_px, axis=1)
    picture[:, picture.shape[1] - shift_px :] = 120
    noisy = np.clip(picture + np.random.default_rng(6).normal(0.0, 3.0, picture.shape), 0, 255).astype(np.uint8)
    grey = np.asarray(cv2.cvtColor(noisy, cv2.COLOR_BGR2GRAY), np.uint8)
    cameras: list[Camera] = []
    for each in (library, None):
        with computing_with(each):
            seen = TablePoseFinder(TABLE).find(grey)
        assert seen is not None
        cameras.append(seen.camera)
    off = 1e-6 if samples_exactly else 1e-2
    assert np.allclose(cameras[0].tvec, cameras[1].tvec, atol=off)
    assert np.allclose(cameras[0].rvec, cameras[1].rvec, atol=off / 100.0)


def test_without_a_library_numpy_does() -> None:
    nothing = np.zeros((3, 0)), np.zeros(0), np.zeros((2, 0))
    with computing_with(None):
        assert prints_seen(np.zeros((4, 4), np.float32), CAMERA, 0.0, np.zeros(1, np.int64), nothing, 0.9, 3.0) is None
