"""Hexagons are found by their sides alone, on grounds that are in places as light as they are."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from arena_cam.vision.board_learning.hexagon_edges import by_edges, refined, side_steps
from arena_cam.vision.board_learning.hexagons import find_hexagons, unit_hexagon

Floats = NDArray[np.float64]
Image = NDArray[np.uint8]
WIDE = 90.0
PLACES = [(150.0 + 130 * x, 140.0 + 120 * y) for y in range(3) for x in range(4)]
TILE = (205, 225, 232)


def marbled(seed: int = 3) -> Image:
    """A ground (540, 720, 3) whose clouds are as light as a tile in places, with thin dark veins."""
    chance = np.random.default_rng(seed)
    clouds = cv2.GaussianBlur(chance.normal(0, 1, (540, 720)).astype(np.float32), (0, 0), 40)
    share = (clouds - clouds.min()) / (clouds.max() - clouds.min())
    picture = np.array([90, 110, 120]) + share[..., None] * np.array([115, 115, 112])
    ground = np.asarray(np.clip(picture + chance.normal(0, 2, picture.shape), 0, 255), np.uint8)
    for _ in range(6):
        a, b = chance.uniform(0, 720, 2), chance.uniform(0, 540, 2)
        cv2.line(ground, (int(a[0]), int(b[0])), (int(a[1]), int(b[1])), (70, 80, 85), 2, cv2.LINE_AA)
    return ground


def with_tiles(ground: Image, places: list[tuple[float, float]]) -> Image:
    """Tiles with a thin figure each, laid on a ground."""
    picture = ground.copy()
    for x, y in places:
        corners = unit_hexagon() * WIDE + (x, y)
        cv2.fillConvexPoly(picture, np.round(corners * 16).astype(np.int32), TILE, cv2.LINE_AA, 4)
        cv2.circle(picture, (int(x), int(y)), 18, (60, 60, 190), 3, cv2.LINE_AA)
    return picture


def nearest(found: list[Floats], place: tuple[float, float]) -> Floats:
    return min(found, key=lambda corners: float(np.linalg.norm(corners.mean(axis=0) - place)))


@pytest.mark.whole
@pytest.mark.parametrize("turn_deg", [-8.0, pytest.param(8.0, marks=pytest.mark.thorough)])
def test_tiles_on_marble_are_found_turned(turn_deg: float) -> None:
    turn = cv2.getRotationMatrix2D((360, 270), turn_deg, 1.0)
    picture = cv2.warpAffine(with_tiles(marbled(), PLACES), turn, (720, 540), borderMode=cv2.BORDER_REFLECT)
    assert len(find_hexagons(np.asarray(picture, np.uint8))) == len(PLACES)


@pytest.mark.whole
def test_tiles_are_found_on_marble_that_is_as_light_as_they_are() -> None:
    found = find_hexagons(with_tiles(marbled(), PLACES))
    assert len(found) == len(PLACES)
    for tile, place in zip(found, PLACES, strict=True):
        assert np.abs(tile.corners - (unit_hexagon() * WIDE + place)).max() < 1.5


@pytest.mark.whole
def test_size_and_places_are_told_together() -> None:
    found = by_edges(with_tiles(marbled(4), PLACES), unit_hexagon())
    for place in PLACES:
        assert np.abs(nearest(found, place) - (unit_hexagon() * WIDE + place)).max() < 4.0


def test_sides_are_fitted_to_a_fraction_of_a_pixel_and_not_made_up() -> None:
    picture = with_tiles(marbled(5), PLACES[:1])
    true = unit_hexagon() * WIDE + PLACES[0]
    fitted = refined(picture, true + np.array([2.0, -1.5]))
    assert fitted is not None
    assert np.abs(fitted - true).max() < 1.0
    assert refined(np.full((540, 720, 3), 120, np.uint8), true) is None


def test_a_vein_has_the_ground_on_both_sides() -> None:
    ground = np.full((200, 200, 3), 120, np.uint8)
    corners = unit_hexagon() * WIDE + (100.0, 100.0)
    veins = ground.copy()
    cv2.polylines(veins, [np.round(corners).astype(np.int32)], True, (40, 40, 40), 1)
    assert side_steps(veins, corners).max() < 3.0
    assert side_steps(with_tiles(ground, [(100.0, 100.0)]), corners).min() > 50.0


@pytest.mark.parametrize("shape", [(60, 80, 3), (400, 40, 3)])
def test_a_picture_without_tiles_holds_none(shape: tuple[int, int, int]) -> None:
    assert find_hexagons(np.full(shape, 128, np.uint8)) == []
