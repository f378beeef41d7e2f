"""A reflection is told from a board's own print by cells that are printed alike."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from arena_cam.vision.board_learning.cell_lattice import lattice
from arena_cam.vision.board_learning.hexagons import unit_hexagon
from arena_cam.vision.board_learning.reflections import cell_light, without_reflection
from arena_cam.vision.picture.linear_light import linear_light, srgb

Image = NDArray[np.uint8]
BOARD, PX, PITCH = (190.0, 200.0), 3.0, 36.0
CELLS = lattice(PITCH) + np.array(BOARD) / 2


def board(ink: tuple[int, int, int]) -> Image:
    """A brown board with outlines and tints of an ink."""
    picture = np.full((round(BOARD[1] * PX), round(BOARD[0] * PX), 3), (60, 80, 110), np.uint8)
    for at in CELLS:
        points = np.round((unit_hexagon() * 40.0 + at) * PX * 16).astype(np.int32)
        cv2.fillPoly(picture, [points], tuple(c // 2 + 60 for c in ink), cv2.LINE_AA, 4)
        cv2.polylines(picture, [points], True, ink, 3, cv2.LINE_AA, 4)
    return picture


def lobe(height: float, at: tuple[float, float]) -> NDArray[np.float32]:
    """The light that a lamp's reflection about (x, y) mm adds, (h, w)."""
    x, y = np.meshgrid((np.arange(round(BOARD[0] * PX)) + 0.5) / PX, (np.arange(round(BOARD[1] * PX)) + 0.5) / PX)
    return np.asarray(height * np.exp(-((x - at[0]) ** 2 + (y - at[1]) ** 2) / (2 * 75.0**2)), np.float32)


@pytest.mark.parametrize("ink", [(40, 40, 190), (30, 30, 34)], ids=["red", "black"])
@pytest.mark.parametrize("at", [(40.0, 60.0), (150.0, 190.0)], ids=["top left", "low right"])
def test_most_of_a_reflection_is_taken_away(ink: tuple[int, int, int], at: tuple[float, float]) -> None:
    printed = linear_light(board(ink))
    seen = srgb(0.8 * printed + lobe(0.1, at)[:, :, None])
    left = linear_light(without_reflection(seen, CELLS, PITCH, BOARD)) - 0.8 * printed
    assert np.abs(left.mean(axis=2)).max() < 0.06
    assert np.abs(left.mean(axis=2)).mean() < 0.35 * lobe(0.1, at).mean()


def test_a_board_whose_light_only_falls_off_stays_as_it_is() -> None:
    falling = np.linspace(1.0, 0.6, round(BOARD[0] * PX), dtype=np.float32)[None, :, None]
    seen = srgb(linear_light(board((40, 40, 190))) * falling)
    np.testing.assert_array_equal(without_reflection(seen, CELLS, PITCH, BOARD), seen)


def test_gain_and_veil_of_cells_are_told_apart() -> None:
    rng = np.random.default_rng(3)
    printed = rng.uniform(0.05, 0.6, (200, 3))
    gain, veil = np.array([1.0, 0.9, 1.1, 1.0]), np.array([0.0, 0.05, 0.02, 0.1])
    light = cell_light(gain[:, None, None] * printed + veil[:, None, None])
    assert light.veil == pytest.approx(veil, abs=0.004)
    assert light.gain / light.gain[0] == pytest.approx(gain, abs=0.02)
