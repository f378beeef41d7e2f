"""The 19 cells of a board are found by their outlines, drawn or tinted, faint or strong."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from arena_cam.vision.board_learning.cell_lattice import find_cells, lattice
from arena_cam.vision.board_learning.hexagons import unit_hexagon

Image = NDArray[np.uint8]
PX = 4.0
BOARD, TILE = (200.0, 210.0), (40.0, 34.64)


def board(pitch_mm: float, aside_mm: tuple[float, float], *, line: int | None, tint: bool) -> Image:
    """A pale board whose middle cell lies `aside_mm` from its middle; `line`: grey level of outlines."""
    picture = np.full((round(BOARD[1] * PX), round(BOARD[0] * PX), 3), 230, np.uint8)
    for at in lattice(pitch_mm) + np.array(BOARD) / 2 + aside_mm:
        points = np.round((unit_hexagon() * 41.0 + at) * PX * 16).astype(np.int32)
        if tint:
            cv2.fillPoly(picture, [points], (200, 215, 230), cv2.LINE_AA, 4)
        if line is not None:
            cv2.polylines(picture, [points], True, (line, line, line), 2, cv2.LINE_AA, 4)
    cv2.putText(picture, "TITLE", (20, 60), cv2.FONT_HERSHEY_DUPLEX, 1.5, (30, 30, 160), 3)
    return picture


@pytest.mark.parametrize(
    ("pitch_mm", "aside_mm", "line", "tint"),
    [(37.0, (0.0, 0.0), 90, False), (36.0, (4.0, -6.0), 200, False), (37.5, (-3.0, 8.0), None, True)],
    ids=["lines", "faint lines", "tinted"],
)
def test_cells_are_found_to_a_thirtieth_of_their_width(
    pitch_mm: float, aside_mm: tuple[float, float], line: int | None, tint: bool
) -> None:
    found = find_cells(board(pitch_mm, aside_mm, line=line, tint=tint), BOARD, TILE)
    assert found is not None
    true = lattice(pitch_mm) + np.array(BOARD) / 2 + aside_mm
    assert np.linalg.norm(found.cells_mm - true, axis=1).max() < 1.3


def test_a_board_without_outlines_has_no_cells() -> None:
    assert find_cells(board(37.0, (0.0, 0.0), line=None, tint=False), BOARD, TILE) is None


def test_cells_larger_than_the_board_are_none() -> None:
    assert find_cells(board(37.0, (0.0, 0.0), line=90, tint=False), BOARD, (70.0, 60.6)) is None


def test_the_middle_of_the_lattice_is_its_tenth_cell() -> None:
    cells = lattice(37.0)
    assert cells.shape == (19, 2)
    assert cells[9] == pytest.approx([0.0, 0.0])
    assert cells[8] == pytest.approx([0.0, -37.0])
