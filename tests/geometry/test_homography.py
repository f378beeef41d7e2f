"""Points through a homography, against worked figures."""

from __future__ import annotations

import numpy as np
import pytest

from arena_cam.geometry.homography import transformed


def test_points_are_divided_by_their_depth() -> None:
    homography = np.array([[2.0, 0.0, 1.0], [0.0, 3.0, -1.0], [0.5, 0.0, 1.0]])
    assert transformed(homography, np.array([[0.0, 0.0], [2.0, 1.0]])) == pytest.approx(
        np.array([[1.0, -1.0], [2.5, 1.0]])
    )


def test_the_inverse_leads_back() -> None:
    homography = np.array([[1.1, 0.2, 30.0], [-0.1, 0.9, 12.0], [1e-3, -2e-3, 1.0]])
    points = np.array([[3.0, 4.0], [-20.0, 15.0], [60.0, -7.0]])
    assert transformed(np.linalg.inv(homography), transformed(homography, points)) == pytest.approx(points)


def test_no_points_are_no_points() -> None:
    assert transformed(np.eye(3), np.zeros((0, 2))).shape == (0, 2)
