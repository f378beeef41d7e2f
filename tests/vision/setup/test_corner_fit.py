"""The corner where four squares meet is found to a tenth of a pixel, and none where there is none."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from arena_cam.vision.setup.corner_fit import fit_corner

FINER = 8


def chequered(x: float, y: float, turn_deg: float = 0.0, noise: float = 0.0) -> np.ndarray:
    """Four squares that meet at pixel (x, y), blurred as by a lens."""
    size = 64
    row, column = (np.mgrid[0 : size * FINER, 0 : size * FINER] + 0.5) / FINER - 0.5
    a = np.radians(turn_deg)
    u, v = (column - x) * np.cos(a) + (row - y) * np.sin(a), (row - y) * np.cos(a) - (column - x) * np.sin(a)
    fine = np.where((u > 0) == (v > 0), 210.0, 40.0)
    small = cv2.GaussianBlur(cv2.resize(fine, (size, size), interpolation=cv2.INTER_AREA), (0, 0), 0.8)
    noisy = small + np.random.default_rng(1).normal(0, noise, small.shape)
    return np.asarray(np.clip(np.rint(noisy), 0, 255), np.uint8)


def scale(turn_deg: float) -> np.ndarray:
    """Pixels for each millimetre along the board's axes: two."""
    a = np.radians(turn_deg)
    return 2.0 * np.array([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]])


@pytest.mark.parametrize("turn_deg", [0.0, 17.0, -40.0])
@pytest.mark.parametrize("off", [(0.0, 0.0), (1.0, -0.8)])
def test_a_corner_is_found_from_a_pixel_away(turn_deg: float, off: tuple[float, float]) -> None:
    true = np.array([31.37, 29.81])
    found = fit_corner(chequered(true[0], true[1], turn_deg), true + off, scale(turn_deg), 4.0)
    assert found is not None
    assert np.abs(found - true).max() < 0.08


def test_noise_moves_it_by_hundredths() -> None:
    true = np.array([31.37, 29.81])
    found = fit_corner(chequered(true[0], true[1], 10.0, noise=3.0), true + 0.5, scale(10.0), 4.0)
    assert found is not None
    assert np.abs(found - true).max() < 0.1


@pytest.mark.parametrize("start", [(3.0, 30.0), (30.0, 61.0), (-20.0, 30.0)])
def test_a_window_that_leaves_the_picture_says_nothing(start: tuple[float, float]) -> None:
    assert fit_corner(chequered(30.0, 30.0), np.array(start), scale(0.0), 4.0) is None


def test_a_corner_too_far_from_where_it_was_thought_is_none() -> None:
    assert fit_corner(chequered(37.0, 36.0), np.array([30.0, 30.0]), scale(0.0), 4.0) is None
