"""A board of a photograph laid straight: pixels where the homography says, softened rather than jagged."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from arena_cam.vision.boards.straight.straight_board import Halvings, scale_px_per_mm

CORNERS_MM = np.array([[-40.0, -30.0], [40.0, 30.0]])


def turned(degrees: float, px_per_mm: float, middle: tuple[float, float] = (200.0, 150.0)) -> np.ndarray:
    """From millimetres to pixels: turned clockwise, scaled, moved."""
    a = np.radians(degrees)
    c, s = px_per_mm * np.cos(a), px_per_mm * np.sin(a)
    return np.array([[c, -s, middle[0]], [s, c, middle[1]], [0.0, 0.0, 1.0]])


def dotted(px_from_mm: np.ndarray, dots_mm: list[tuple[float, float]]) -> np.ndarray:
    """A grey photograph of 400 by 300 pixels with a soft white dot at each place."""
    picture = np.full((300, 400, 3), 60, np.uint8)
    for x, y in dots_mm:
        at = px_from_mm @ [x, y, 1.0]
        place = np.round(at[:2] / at[2] * 16).astype(int)
        cv2.circle(picture, (int(place[0]), int(place[1])), 5 * 16, (250, 250, 250), -1, cv2.LINE_AA, 4)
    return picture


@pytest.mark.parametrize("degrees", [0.0, 33.0, 190.0])
def test_what_lies_at_a_place_of_the_board_is_seen_there(degrees: float) -> None:
    dots = [(-20.0, -10.0), (15.0, 5.0), (0.0, 20.0)]
    px_from_mm = turned(degrees, 2.5)
    board = Halvings(dotted(px_from_mm, dots)).straight(px_from_mm, CORNERS_MM, 2.0)
    assert board.pixels.shape == (120, 160, 3)
    bright = board.pixels[:, :, 0] > 150
    count, _, _, middles = cv2.connectedComponentsWithStats(bright.astype(np.uint8))
    assert count == 4
    for at in board.at(np.array(dots)):
        assert np.linalg.norm(middles[1:] - at, axis=1).min() < 0.4


def test_a_pixel_lies_half_a_step_from_the_corner() -> None:
    board = Halvings(np.zeros((300, 400, 3), np.uint8)).straight(turned(0.0, 2.0), CORNERS_MM, 2.0)
    assert board.at(np.array([[-40.0, -30.0]])).tolist() == [[-0.5, -0.5]]
    assert board.at(np.array([[-39.75, -29.75]])).tolist() == [[0.0, 0.0]]


def test_beyond_the_photograph_nothing_is_inside() -> None:
    px_from_mm = turned(0.0, 2.5, (60.0, 150.0))  # 24 mm from its left rim
    board = Halvings(np.zeros((300, 400, 3), np.uint8)).straight(px_from_mm, CORNERS_MM, 1.0)
    assert not board.inside[:, :15].any()
    assert board.inside[:, 18:].all()


def test_a_fine_photograph_is_averaged_not_picked_from() -> None:
    """Stripes a pixel wide at 10 px/mm look grey at 1 px/mm."""
    stripes = np.zeros((600, 800, 3), np.uint8)
    stripes[:, ::2] = 240
    board = Halvings(stripes).straight(turned(0.0, 8.0, (400.0, 300.0)), CORNERS_MM / 2, 1.0)
    assert board.pixels == pytest.approx(np.full_like(board.pixels, 120.0), abs=4.0)


def test_halvings_are_made_as_far_as_there_are_pixels() -> None:
    halvings = Halvings(np.zeros((300, 500, 3), np.uint8))
    assert halvings.level(0).shape[:2] == (300, 500)
    assert halvings.level(1).shape[:2] == (150, 250)
    assert min(halvings.level(9).shape[:2]) >= 50
    assert halvings.level(1) is halvings.level(1)


@pytest.mark.parametrize("degrees", [0.0, 77.0])
def test_the_scale_is_that_of_the_homography_at_a_place(degrees: float) -> None:
    assert scale_px_per_mm(turned(degrees, 3.2)) == pytest.approx(3.2)
    steep = np.array([[2.0, 0.0, 200.0], [0.0, 2.0, 150.0], [0.0, 0.002, 1.0]])
    assert scale_px_per_mm(steep, (0.0, 60.0)) < scale_px_per_mm(steep) < scale_px_per_mm(steep, (0.0, -60.0))
