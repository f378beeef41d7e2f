"""Tiles fitted together: alike and in place where single outlines are rough; their common size is good to 3 %."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from arena_cam.vision.board_learning.hexagon_plane import fitted_together
from arena_cam.vision.board_learning.hexagons import unit_hexagon

WIDTH = 120.0
VIEW = np.array([[1.0, 0.06, 10.0], [-0.04, 0.94, 20.0], [1.2e-4, -0.8e-4, 1.0]])  # a table seen somewhat askew
GROUND, INK, PAPER = (70, 96, 120), (30, 34, 36), (240, 240, 236)


def seen(points: np.ndarray) -> np.ndarray:
    return np.asarray(cv2.perspectiveTransform(points.reshape(-1, 1, 2), VIEW)[:, 0])


def table(*, rim: float = 0.02, shadow: float = 0.0) -> tuple[np.ndarray, np.ndarray]:
    """A picture of nine tiles with an ink line of `rim` widths, their shadows, and their true corners (9, 6, 2)."""
    rng = np.random.default_rng(3)
    picture = np.full((600, 640, 3), GROUND, np.uint8)
    true = []
    for k in range(9):
        turn = rng.uniform(-0.05, 0.05)
        turned = unit_hexagon() @ np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
        corners = turned * WIDTH + [130 + 160 * (k % 3), 120 + 150 * (k // 3)] + rng.uniform(-4, 4, 2)
        true.append(seen(corners))
        middle = corners.mean(axis=0)
        inner = middle + (corners - middle) * (1 - rim / 0.433)
        for outline, colour in (
            (corners + shadow, tuple(0.6 * c for c in GROUND)),
            (corners, INK),
            (inner, PAPER),
            (middle + (corners - middle) * 0.3, (60, 40, 200)),
        ):
            cv2.fillConvexPoly(picture, np.round(seen(outline) * 16).astype(np.int32), colour, cv2.LINE_AA, 4)
    return cv2.GaussianBlur(picture, (0, 0), 0.7), np.array(true)


def rough(true: np.ndarray) -> np.ndarray:
    return np.asarray(true + np.random.default_rng(5).normal(0, 1.5, true.shape))


def test_a_few_are_left_as_they_are() -> None:
    picture, true = table()
    assert fitted_together(picture, true[:0], unit_hexagon()).shape == true[:0].shape
    assert (fitted_together(picture, true[:3], unit_hexagon()) == true[:3]).all()


def shapes_off(fitted: np.ndarray, true: np.ndarray) -> tuple[np.ndarray, float]:
    """How far corners (N, 6) are off in pixels but for a common size, and by what share that is wrong."""
    middles = fitted.mean(axis=1, keepdims=True)
    away, wanted = fitted - middles, true - true.mean(axis=1, keepdims=True)
    size = float((away * wanted).sum() / (away * away).sum())
    return np.linalg.norm(middles + size * away - true, axis=2), abs(size - 1.0)


@pytest.mark.parametrize(("rim", "shadow", "off_px"), [(0.0, 0.0, 0.6), (0.02, 0.0, 0.6), (0.02, 3.0, 1.7)])
def test_rough_outlines_become_alike(rim: float, shadow: float, off_px: float) -> None:
    picture, true = table(rim=rim, shadow=shadow)
    before, _ = shapes_off(rough(true), true)
    after, size = shapes_off(fitted_together(picture, rough(true), unit_hexagon()), true)
    assert np.median(before) > 1.5
    assert np.median(after) < off_px  # of 120 pixels; three are a millimetre of 40
    assert after.max() < 3.0
    assert size < 0.03


def test_one_outline_at_a_printed_line_is_found_out() -> None:
    picture, true = table(rim=0.03)
    wrong = rough(true)
    wrong[4] = true[4].mean(axis=0) + (true[4] - true[4].mean(axis=0)) * 0.93
    after, size = shapes_off(fitted_together(picture, wrong, unit_hexagon()), true)
    assert after[4].max() < 1.5
    assert size < 0.06  # all are cut at their line's inner edge
