"""Our own set of boards and tiles: no two tiles alike, cells where deck.toml says, pages that exist."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pypdfium2
import pytest

from arena_cam.printing.hexes.art import TILES, board_face, cells_mm, default_mark, tile_back, tile_face
from arena_cam.printing.hexes.sheets import OWN, print_set
from arena_cam.printing.pdf import Sheets


def test_there_are_27_tiles_each_with_its_own_face() -> None:
    faces = [tile_face(OWN, tile, default_mark(tile)).astype(int) for tile in TILES]
    least = min(np.abs(a - b).mean() for k, a in enumerate(faces) for b in faces[:k])
    assert len(faces) == 27
    assert least > 2.0


def test_twelve_tiles_bear_a_sun() -> None:
    assert sum(default_mark(tile) == "sun" for tile in TILES) == 12


def test_a_tile_is_transparent_outside_its_hexagon_and_nowhere_else() -> None:
    alpha = tile_face(OWN, "9-4-7", "sun")[:, :, 3] / 255.0
    assert alpha.mean() == pytest.approx(0.75, abs=0.01)  # a hexagon's share of its bounding box
    assert alpha[2, 2] == 0.0
    assert alpha[alpha.shape[0] // 2, alpha.shape[1] // 2] == 1.0


def test_cells_are_drawn_where_the_set_says() -> None:
    board = cv2.cvtColor(board_face(OWN, "blue"), cv2.COLOR_BGR2HSV)[:, :, 1]
    px = board.shape[1] / OWN.board_mm[0]
    inside = [board[round((y - 8) * px), round(x * px)] for x, y in cells_mm(OWN).values()]
    assert min(inside) > board[round(40 * px), round(12 * px)] + 15  # tinted, the board beside them is not


def test_backs_differ_by_colour() -> None:
    backs = [tile_back(OWN, colour)[:, :, :3].astype(int) for colour in OWN.colours]
    assert len(backs) == 6
    assert min(np.abs(a - b).mean() for k, a in enumerate(backs) for b in backs[:k]) > 15


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_a_player_needs_three_pages(paper: str, tmp_path: Path) -> None:
    pages = Sheets(paper)
    print_set(pages, "en", ("boards",))
    pages.save(tmp_path / "boards.pdf")
    assert len(pypdfium2.PdfDocument(tmp_path / "boards.pdf")) == 6
