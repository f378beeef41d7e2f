"""The boundary drawn over a saved picture lies where OpenCV would project it."""

from __future__ import annotations

import cv2
import numpy as np

from arena_cam.domain.table import Arena, Fiducials, Table
from arena_cam.formats.table_json import table_to_json
from arena_cam.web.drawings.boundary import boundary_points

K = ((1150.0, 0.0, 770.0), (0.0, 1148.0, 430.0), (0.0, 0.0, 1.0))
DIST = (0.05, -0.12, 0.001, -0.0007, 0.02)
TABLE = table_to_json(Table((1536, 864), K, DIST, Arena((280.0, 240.0), 15.0, 6.0), Fiducials("DICT_5X5_50", 28.0, {})))
POSE = {"rvec": [3.05, 0.02, -0.1], "tvec": [-2.0, 2.0, 760.0]}


def test_it_agrees_with_opencv() -> None:
    pixels = np.array([[float(v) for v in pair.split(",")] for pair in boundary_points(TABLE, POSE).split()])
    corners = np.array([[-140, -120, 0], [140, -120, 0], [140, 120, 0], [-140, 120, 0]], float)
    expected, _ = cv2.projectPoints(
        corners, np.array(POSE["rvec"]), np.array(POSE["tvec"]), np.array(K), np.array(DIST)
    )
    assert np.abs(pixels[:: len(pixels) // 4] - expected.reshape(-1, 2)).max() < 0.1


def test_no_turn_needs_no_axis() -> None:
    assert boundary_points(TABLE, {"rvec": [0, 0, 0], "tvec": [0, 0, 500]}).startswith("4")


def test_without_a_pose_or_a_table_nothing_is_drawn() -> None:
    assert boundary_points(TABLE, None) == ""
    assert boundary_points(None, POSE) == ""
