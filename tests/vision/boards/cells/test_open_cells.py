"""An empty cell's outline, seen or covered."""

from __future__ import annotations

import cv2
import numpy as np

from arena_cam.vision.boards.cells.open_cells import outline_alike

NONE = np.zeros((70, 80), bool)


def mask() -> np.ndarray:
    """Where tiles are compared, in a box of 80 by 70 pixels."""
    out = np.zeros((70, 80), np.uint8)
    cv2.fillPoly(out, [np.array([[4, 35], [22, 4], [58, 4], [76, 35], [58, 66], [22, 66]], np.int32)], 1)
    return out > 0


def outline(paper: tuple[float, float, float] = (220.0, 230.0, 235.0)) -> np.ndarray:
    """A cell's printed outline, just outside of that."""
    out = np.empty((70, 80, 3), np.float32)
    out[:] = paper
    points = np.array([[0, 35], [20, 0], [60, 0], [79, 35], [60, 69], [20, 69]], np.int32)
    cv2.polylines(out, [points], True, (60.0, 50.0, 50.0), 2, cv2.LINE_AA)
    return out


def test_an_outline_is_seen_in_any_light() -> None:
    assert outline_alike(outline(), np.asarray(outline() * (0.5, 0.6, 0.8) + 20.0, np.float32), mask(), NONE) > 0.9


def test_one_side_that_is_covered_is_enough() -> None:
    hand = outline()
    hand[:35, :20] = (70.0, 90.0, 150.0)
    assert outline_alike(outline(), hand, mask(), NONE) < 0.3


def test_sides_that_tiles_hide_are_not_asked_for() -> None:
    hand, hidden = outline(), NONE.copy()
    hand[:35, :20] = (70.0, 90.0, 150.0)
    hidden[:35, :20] = True
    assert outline_alike(outline(), hand, mask(), hidden) > 0.9
    hidden[:, :20] = hidden[:35] = True
    assert outline_alike(outline(), hand, mask(), hidden) == 0.0


def test_plain_paper_has_no_outline() -> None:
    assert outline_alike(outline(), np.full((70, 80, 3), 180.0, np.float32), mask(), NONE) < 0.3
