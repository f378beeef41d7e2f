"""A tile's shift and turn in its cell, and how alike the tiles are to what lies there."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from arena_cam.vision.boards.cells import tile_alignment
from arena_cam.vision.boards.cells.tile_alignment import Placed, TileAlignment, patch
from arena_cam.vision.boards.straight.prints import TileGrid
from arena_cam.vision.boards.straight.straight_board import StraightBoard

PX = tile_alignment.PX_PER_MM
SIDE = 80


def grid() -> TileGrid:
    """Three prints of blotches, told apart everywhere."""
    faces = []
    for seed in range(3):
        noise = np.random.default_rng(seed).normal(128.0, 60.0, (12, 12, 3)).astype(np.float32)
        faces.append(cv2.resize(noise, (SIDE, SIDE), interpolation=cv2.INTER_CUBIC))
    return TileGrid(PX, np.stack(faces), np.ones((SIDE, SIDE), bool))


def board_with(face: np.ndarray, shift_mm: tuple[float, float], turn_deg: float) -> StraightBoard:
    """A grey board of 100 mm whose middle is the origin, with the print lying there, dimmer than it was printed."""
    size = round(100 * PX)
    m = np.array(cv2.getRotationMatrix2D(((SIDE - 1) / 2, (SIDE - 1) / 2), -turn_deg, 1.0), np.float64)
    m[:, 2] += np.array(shift_mm) * PX + (size - 1) / 2 - (SIDE - 1) / 2
    laid = cv2.warpAffine(face, m, (size, size), borderMode=cv2.BORDER_CONSTANT, borderValue=(128, 128, 128))
    return StraightBoard(laid * np.float32(0.7) + 20, np.ones((size, size), bool), np.array([-50.0, -50.0]), PX)


@pytest.mark.parametrize(("shift", "turn"), [((0.0, 0.0), 0.0), ((1.2, -0.8), 4.0), ((-1.0, 1.4), -3.0)])
def test_a_tile_is_found_to_a_tenth_of_a_millimetre(shift: tuple[float, float], turn: float) -> None:
    tiles = TileAlignment(grid())
    board = board_with(tiles.face(1), shift, turn)
    placed = tiles.aligned(board, np.zeros(2), 1, Placed(np.round(shift), 0.0))
    assert placed.shift_mm == pytest.approx(shift, abs=0.1)
    assert np.degrees(placed.turn_rad) == pytest.approx(turn, abs=0.3)


def test_another_tile_does_not_lead_astray() -> None:
    tiles = TileAlignment(grid())
    start = Placed(np.array([1.0, 0.0]), 0.0)
    placed = tiles.aligned(board_with(tiles.face(1), (1.0, 0.0), 0.0), np.zeros(2), 2, start)
    assert np.abs(placed.shift_mm - start.shift_mm).max() <= tile_alignment.MOST_LOST_MM


def test_the_tile_that_lies_there_is_the_most_alike_in_any_light() -> None:
    tiles = TileAlignment(grid())
    alike = tiles.alike(board_with(tiles.face(2), (0.0, 0.0), 0.0), np.zeros(2), Placed(np.zeros(2), 0.0))
    assert int(alike.argmax()) == 2
    assert alike[2] > 0.99
    assert np.delete(alike, 2).max() < 0.6


def test_plain_paper_is_like_no_tile() -> None:
    tiles = TileAlignment(grid())
    plain = StraightBoard(np.full((200, 200, 3), 90, np.float32), np.ones((200, 200), bool), np.full(2, -50.0), PX)
    assert np.abs(tiles.alike(plain, np.zeros(2), Placed(np.zeros(2), 0.0))).max() < 0.05


def test_a_patch_is_cut_out_as_the_tile_lies() -> None:
    face = grid().faces[0]
    seen = patch(board_with(face, (2.0, 1.0), 0.0), np.zeros(2), Placed(np.array([2.0, 1.0]), 0.0), face.shape)
    assert np.abs(seen - (face * 0.7 + 20))[2:-2, 2:-2].max() < 1.0


def test_a_tile_the_wrong_way_round_is_compared_turned() -> None:
    tiles = TileAlignment(grid())
    assert np.abs(tiles.face(0, 180)[2:-2, 2:-2] - tiles.face(0)[::-1, ::-1][2:-2, 2:-2]).mean() < 1.0


@pytest.mark.parametrize("by", [0.98, 1.0, 1.025])
def test_a_print_that_was_learned_too_small_or_too_large_is_told_its_size(by: float) -> None:
    tiles = TileAlignment(grid())
    board = board_with(tiles.scaled(by).face(1), (0.0, 0.0), 0.0)
    told, said = tiles.larger(board, np.zeros(2), 1, Placed(np.zeros(2), 0.0))
    assert told == pytest.approx(by - 1.0, abs=0.006)
    assert said > 0.0
