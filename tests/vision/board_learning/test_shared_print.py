"""Tiles whose pictures were cut out askew are moved onto each other by what their numbers share."""

from __future__ import annotations

import itertools

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from arena_cam.vision.board_learning.shared_print import shared_moves

Image = NDArray[np.uint8]
Floats = NDArray[np.float64]
PX = 4.0
WIDE, HIGH = 160, 138
NUMBERS = np.array(list(itertools.product((1, 5, 9), (3, 4, 8), (2, 6, 7))))
WAYS = np.radians([-90.0, 30.0, 150.0])


def face(numbers: tuple[int, ...], move: Floats, light: float = 1.0) -> Image:
    """A tile with a bar and a figure a number, drawn shifted by mm and turned by radians."""
    middle = np.array([(WIDE - 1) / 2, (HIGH - 1) / 2])
    picture = np.full((HIGH, WIDE, 3), 225, np.uint8)
    for way, number in zip(WAYS, numbers, strict=True):
        along = np.array([np.cos(way + move[2]), np.sin(way + move[2])])
        ends = [np.round((middle + PX * move[:2] + reach * along) * 16).astype(int) for reach in (-60, 60)]
        grey = 20 * int(number)
        a, b = ((int(x), int(y)) for x, y in ends)
        cv2.line(picture, a, b, (grey, 255 - grey, 128), 12, cv2.LINE_AA, 4)
        x, y = (middle + PX * move[:2] + 45 * along).astype(int)
        cv2.putText(picture, str(number), (int(x) - 9, int(y) + 9), cv2.FONT_HERSHEY_SIMPLEX, 0.9, (20, 20, 20), 2)
    alpha = np.full((HIGH, WIDE, 1), 255, np.uint8)
    return np.dstack([(picture * light).astype(np.uint8), alpha])


@pytest.mark.parametrize("numbers", [NUMBERS, NUMBERS[::-1]], ids=["in order", "the other way round"])
def test_tiles_cut_out_askew_are_told_how(numbers: NDArray[np.intp]) -> None:
    rng = np.random.default_rng(5)
    moves = np.column_stack([rng.normal(0, 0.3, (27, 2)), rng.normal(0, np.radians(0.8), 27)])
    faces = [
        face(tuple(n), move, light) for n, move, light in zip(numbers, moves, rng.uniform(0.5, 1, 27), strict=True)
    ]
    left = shared_moves(faces, numbers, PX) - (moves - np.median(moves, axis=0))
    left = left - left.mean(axis=0)
    assert left[:, :2].std() < 0.12
    assert np.degrees(left[:, 2]).std() < 0.3


def test_tiles_that_lie_straight_stay_there() -> None:
    faces = [face(tuple(n), np.zeros(3)) for n in NUMBERS]
    assert np.abs(shared_moves(faces, NUMBERS, PX)).max() < 0.08


def test_tiles_without_print_stay_there() -> None:
    plain = np.full((HIGH, WIDE, 4), 255, np.uint8)
    assert shared_moves([plain] * 27, NUMBERS, PX) == pytest.approx(np.zeros((27, 3)))
