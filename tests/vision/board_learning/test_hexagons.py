"""Tiles laid side by side are found, put in reading order and straightened; a board's four sides are found."""

from __future__ import annotations

import math

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from arena_cam.vision.board_learning.hexagons import (
    Hexagon,
    find_hexagons,
    find_rectangle,
    ground_colour,
    in_reading_order,
    moved,
    straight_rectangle,
    straightened,
    unit_hexagon,
)

Image = NDArray[np.uint8]
WIDE = 90.0


def ground(seed: int = 1) -> Image:
    """A dark ground of some grain, 900 x 600."""
    grain = np.random.default_rng(seed).normal(0, 4, (600, 900, 1))
    return np.clip(np.array([60, 70, 50]) + grain, 0, 255).astype(np.uint8)


def with_tiles(places: list[tuple[float, float]], turn_deg: float = 0.0) -> Image:
    """Tiles at those middles, each the redder the later it comes, all turned about the picture's middle."""
    picture = ground()
    c, s = math.cos(math.radians(turn_deg)), math.sin(math.radians(turn_deg))
    turn = np.array([[c, -s], [s, c]])
    for k, at in enumerate(places):
        middle = turn @ (np.array(at) - [450, 300]) + [450, 300]
        corners = unit_hexagon() * WIDE @ turn.T + middle
        colour = (235, 235 - 20 * k, 60 + 20 * k)
        cv2.fillConvexPoly(picture, np.round(corners * 16).astype(np.int32), colour, cv2.LINE_AA, 4)
    return picture


PLACES = [(200.0 + 130 * x + 3 * y, 150.0 + 120 * y - 2 * x) for y in range(3) for x in range(4)]


@pytest.mark.whole
@pytest.mark.parametrize(
    "turn_deg", [pytest.param(0.0, marks=pytest.mark.thorough), 12.0, pytest.param(-15.0, marks=pytest.mark.thorough)]
)
def test_tiles_come_row_by_row_however_the_camera_is_held(turn_deg: float) -> None:
    picture = with_tiles(PLACES, turn_deg)
    found = find_hexagons(picture)
    assert len(found) == 12
    red = [int(picture[round(h.middle[1]), round(h.middle[0]), 2]) for h in found]
    assert red == sorted(red)


@pytest.mark.whole
def test_corners_are_found_to_a_pixel_seen_askew() -> None:
    askew = np.array([[1.0, 0.05, -20], [0.02, 0.95, 10], [0.0, 2.5e-4, 1.0]])
    picture = cv2.warpPerspective(with_tiles(PLACES), askew, (900, 600), borderValue=(60, 70, 50))
    true = cv2.perspectiveTransform((unit_hexagon() * WIDE + PLACES[5]).reshape(-1, 1, 2), askew)[:, 0]
    found = find_hexagons(np.asarray(picture, np.uint8))[5]
    assert np.linalg.norm(found.corners - true, axis=1).max() < 1.2


def test_what_has_not_six_sides_is_no_tile() -> None:
    picture = with_tiles(PLACES[:3])
    cv2.rectangle(picture, (500, 400), (620, 500), (240, 240, 240), -1)
    cv2.circle(picture, (250, 450), 50, (240, 240, 240), -1)
    assert len(find_hexagons(picture)) == 3


def test_an_empty_ground_has_no_tiles_and_no_board() -> None:
    assert find_hexagons(ground()) == []
    assert find_rectangle(ground()) is None
    assert in_reading_order([]) == []


def test_the_ground_is_what_the_rim_shows() -> None:
    assert ground_colour(with_tiles(PLACES)) == pytest.approx([60, 70, 50], abs=2)


def test_a_straightened_tile_is_transparent_outside_its_hexagon() -> None:
    picture = with_tiles([(400.0, 300.0)])
    face = straightened(picture, find_hexagons(picture)[0], 40.0, 4.0)
    assert face.shape == (139, 160, 4)
    assert (face[70, 80, :3] == picture[300, 400]).all()
    assert face[70, 80, 3] == 255
    assert face[1, 1, 3] == 0
    assert (face[:, :, 3] > 127).mean() == pytest.approx(0.75, abs=0.02)


def test_a_board_is_found_and_straightened_the_way_up_it_is_seen() -> None:
    picture = ground()
    corners = np.array([[200, 80], [640, 110], [610, 540], [180, 500]], np.float64)
    cv2.fillConvexPoly(picture, np.round(corners * 16).astype(np.int32), (220, 230, 240), cv2.LINE_AA, 4)
    cv2.circle(picture, (230, 110), 12, (0, 0, 255), -1)  # a mark in the top left corner
    found = find_rectangle(picture)
    assert found is not None
    assert np.abs(found - corners).max() < 1.5
    board = straight_rectangle(picture, found, (180.0, 190.0), 2.0)
    assert board.shape == (380, 360, 3)
    red = (board[:, :, 2].astype(int) - board[:, :, 1]) > 100
    assert np.argwhere(red).mean(axis=0) == pytest.approx([26, 24], abs=8)


def test_a_board_is_found_on_a_chequered_cloth_that_touches_it() -> None:
    squares = (np.indices((600, 900))[0] // 60 + np.indices((600, 900))[1] // 60) % 2
    picture = np.where(squares[:, :, None] == 1, np.array([225, 230, 232]), np.array([40, 45, 175])).astype(np.uint8)
    corners = np.array([[210, 125], [640, 140], [620, 530], [195, 500]], np.float64)
    cv2.fillConvexPoly(picture, np.round(corners * 16).astype(np.int32), (120, 60, 110), cv2.LINE_AA, 4)
    inner = corners.mean(axis=0) + 0.94 * (corners - corners.mean(axis=0))
    cv2.fillConvexPoly(picture, np.round(inner * 16).astype(np.int32), (220, 235, 240), cv2.LINE_AA, 4)
    found = find_rectangle(picture)
    assert found is not None
    assert np.abs(found - corners).max() < 2.5


def test_a_tile_is_moved_as_its_straightened_picture_says() -> None:
    tile = Hexagon(unit_hexagon() * 200.0 + np.array([300.0, 250.0]))
    shifted = moved(tile, np.array([1.0, -2.0, 0.0]), 40.0)
    np.testing.assert_allclose(shifted.corners, tile.corners + np.array([5.0, -10.0]), atol=1e-3)
    turned = moved(tile, np.array([0.0, 0.0, np.pi / 2]), 40.0)
    np.testing.assert_allclose(turned.corners[0], [300.0, 350.0], atol=1e-3)
