"""Straight-sided regions of a photograph, from flat drawings with known corners."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from arena_cam.vision.boards.board_outlines import as_large, outlines, outlines_in
from arena_cam.vision.printed.keypoints import reduced

SHEET = np.array([[300.0, 200.0], [760.0, 260.0], [720.0, 700.0], [240.0, 620.0]])


def drawn(corners: np.ndarray, colour: tuple[int, int, int], table: int = 120) -> np.ndarray:
    noise = np.random.default_rng(3).normal(0.0, 2.0, (900, 1200, 1))
    picture = np.full((900, 1200, 3), table, np.uint8)
    cv2.fillPoly(picture, [np.round(corners).astype(np.int32)], colour, cv2.LINE_AA)
    return np.clip(picture + noise, 0, 255).astype(np.uint8)


def nearest(found: list[np.ndarray], corners: np.ndarray) -> float:
    """The worst corner of the outline that fits best, in pixels."""
    away = [np.linalg.norm(np.roll(each, k, axis=0) - corners, axis=1).max() for each in found for k in range(4)]
    return float(min(away, default=np.inf))


@pytest.mark.parametrize("colour", [(250, 250, 250), (20, 20, 20), (120, 150, 100)], ids=["white", "black", "colour"])
def test_a_sheet_is_outlined_whatever_its_colour(colour: tuple[int, int, int]) -> None:
    assert nearest(outlines(drawn(SHEET, colour)), SHEET) < 4.0


def test_a_disc_and_a_triangle_have_no_four_sides() -> None:
    picture = drawn(SHEET[:3], (250, 250, 250))
    cv2.circle(picture, (950, 600), 160, (20, 20, 20), -1)
    assert outlines(picture) == []


def test_corners_run_clockwise() -> None:
    corners = outlines(drawn(SHEET[::-1], (250, 250, 250)))[0]
    assert cv2.contourArea(corners.astype(np.float32), oriented=True) > 0


def test_a_large_photograph_is_outlined_in_its_own_pixels() -> None:
    large = np.asarray(cv2.resize(drawn(SHEET, (250, 250, 250)), None, fx=2.5, fy=2.5), np.uint8)
    assert nearest(outlines(large), (SHEET + 0.5) * 2.5 - 0.5) < 10.0


def test_only_an_outline_of_a_boards_size_may_be_another_board() -> None:
    plane = np.array([[2.0, 0.1, 300.0], [-0.1, 1.8, 200.0], [1e-4, 2e-4, 1.0]])
    sizes = np.array([[200.0, 220.0]])

    def seen(width: float, height: float) -> np.ndarray:
        mm = np.array([[0.0, 0.0], [width, 0.0], [width, height], [0.0, height]]) + np.array([250.0, 30.0])
        return cv2.perspectiveTransform(mm.reshape(-1, 1, 2), plane).reshape(-1, 2)

    assert as_large(seen(205.0, 215.0), plane, sizes)
    assert as_large(seen(215.0, 205.0), plane, sizes)
    assert not as_large(seen(210.0, 297.0), plane, sizes)
    assert not as_large(seen(63.0, 88.0), plane, sizes)


def test_outlines_of_a_reduced_photograph_lie_in_its_own_pixels() -> None:
    large = np.ascontiguousarray(drawn(SHEET, (250, 250, 250)).repeat(2, axis=0).repeat(2, axis=1))
    small, factor = reduced(large, max(large.shape) // 2)
    assert factor == 0.5
    assert nearest(outlines_in(small, factor), 2.0 * SHEET) < 8.0
