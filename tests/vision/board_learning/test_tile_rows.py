"""Tiles in rows on a patterned table: one that was not found by its sides is found where it is due."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from arena_cam.vision.board_learning.hexagons import unit_hexagon
from arena_cam.vision.board_learning.tile_rows import completed

Image = NDArray[np.uint8]
Floats = NDArray[np.float64]

WIDE = 90.0
PLACES = [(170.0 + 125 * x + 2 * y, 110.0 + 108 * y - 3 * x) for y in range(3) for x in range(5)][:13]


def granite() -> Image:
    """A ground of grains as large as what is printed on tiles, 900 x 480."""
    grain = cv2.GaussianBlur(np.random.default_rng(3).normal(0, 1, (480, 900, 1)), (0, 0), 4.0)
    return np.asarray(np.clip(np.array([120, 128, 132]) + 300.0 * grain[..., None], 0, 255), np.uint8)


def tile(number: int) -> Image:
    """A face of the set: a ring and a cross that all share, and a disc of its own."""
    face = np.full((78, 90, 3), (214, 236, 240), np.uint8)
    cv2.line(face, (10, 39), (80, 39), (60, 50, 190), 9)
    cv2.line(face, (45, 5), (45, 73), (150, 80, 40), 9)
    cv2.circle(face, (45, 39), 20, (40, 40, 40), 3)
    cv2.circle(face, (22 + 45 * (number % 2), 20 + 38 * (number // 2 % 2)), 8, (20, 30 * number % 255, 60), -1)
    return face


def lying() -> tuple[Image, list[Floats]]:
    picture, corners = granite(), []
    for k, (x, y) in enumerate(PLACES):
        at = unit_hexagon() * WIDE + np.array([x, y])
        inside = np.zeros(picture.shape[:2], np.uint8)
        cv2.fillConvexPoly(inside, np.round(at).astype(np.int32), 255)
        move = np.array([[1.0, 0.0, x - 44.5], [0.0, 1.0, y - 38.5]])
        face = cv2.warpAffine(tile(k), move, (900, 480), borderMode=cv2.BORDER_REPLICATE)
        picture[inside > 0] = face[inside > 0]
        corners.append(at)
    return picture, corners


def test_what_is_missing_in_the_rows_is_found_and_what_lies_in_none_is_left_out() -> None:
    picture, corners = lying()
    seen = [each for k, each in enumerate(corners) if k not in (1, 5, 6, 12)]
    stray = unit_hexagon() * WIDE + np.array([820.0, 420.0])
    found = completed(picture, [*seen, stray], unit_hexagon())
    middles = np.array(sorted(tuple(each.mean(axis=0)) for each in found))
    expected = np.array(sorted(tuple(each.mean(axis=0)) for each in corners))
    assert len(middles) == len(PLACES)
    assert middles == pytest.approx(expected, abs=2.5)


def test_a_spot_of_the_table_in_a_row_is_no_tile() -> None:
    picture, corners = lying()
    beyond = unit_hexagon() * WIDE + (np.array(PLACES[4]) + [120.0, -3.0])
    found = completed(picture, [*corners, beyond], unit_hexagon())
    assert len(found) == len(PLACES)


def test_a_few_tiles_in_no_rows_stay_as_they_were_found() -> None:
    picture, corners = lying()
    few = [corners[0], corners[7], corners[9]]
    assert completed(picture, few, unit_hexagon()) == few
