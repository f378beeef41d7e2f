"""Photographs of boards: what hides a cell, or leaves it beyond the picture, is known of each."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from arena_cam.printing.hexes.art import cells_mm
from arena_cam.printing.hexes.style import Style
from arena_cam.simulation.boards.photographs import LaidBoard, PrintedSet, unseen_cells
from arena_cam.simulation.rendering.scene import looking_down

STYLE = Style()
PRINTED = PrintedSet({}, {}, {}, (40.0, 34.64), STYLE.board_mm, cells_mm(STYLE))
BOARD = LaidBoard("red", (0.0, 0.0, 0.0), dict.fromkeys(PRINTED.cells_mm))


def unseen(aside_mm: float, hidden: np.ndarray) -> dict[str, Any]:
    """What is not seen of the board by a camera 480 mm above a place `aside_mm` to the right of its middle."""
    K = np.array([[400.0, 0, 240.0], [0, 400.0, 180.0], [0, 0, 1.0]])
    target = np.array([aside_mm, 0.0, 0.0])
    camera = looking_down(K, np.zeros(5), target + np.array([0.0, -5.0, 480.0]), target, 0.0)
    return unseen_cells(camera, PRINTED, BOARD, hidden)


def test_what_is_hidden_is_said_by_cell_as_a_share() -> None:
    hidden = np.zeros((360, 480), bool)
    assert unseen(0.0, hidden) == {"covered_cells": {}, "outside_cells": {}}
    hidden[:, 237:243] = True  # a pencil of 7 mm along the middle column
    covered = unseen(0.0, hidden)["covered_cells"]
    assert set(covered) == {"C1", "C2", "C3", "C4", "C5"}
    assert covered["C3"] == pytest.approx(0.28, abs=0.08)


def test_cells_beyond_the_picture_are_named() -> None:
    outside = unseen(260.0, np.zeros((360, 480), bool))["outside_cells"]
    assert outside["A2"] == 1.0
    assert "E2" not in outside
