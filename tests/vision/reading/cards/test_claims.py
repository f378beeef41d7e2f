"""Which pixels are known to show a card, at a quarter of the picture's size."""

from __future__ import annotations

import numpy as np
import pytest

from arena_cam.vision.faces.deck_faces import DeckFaces
from arena_cam.vision.reading.cards.claims import Claims
from vision.scenes import HERE, scene_of
from vision.small import HEIGHT_MM, WIDTH_MM

BOX = np.array([[40.0, 20.0], [120.0, 20.0], [120.0, 100.0], [40.0, 100.0]])


def at(claims: Claims, *pixels: tuple[float, float]) -> list[float]:
    return [float(value) for value in claims.at(np.array(pixels, np.float64).T)]


def test_at_first_nothing_is_claimed() -> None:
    claims = Claims(200, 120)
    assert not claims.any
    assert at(claims, (0.0, 0.0), (199.0, 119.0)) == [0.0, 0.0]


def test_a_polygon_is_claimed_and_nothing_beside_it() -> None:
    claims = Claims(200, 120)
    claims.add_polygon(BOX)
    assert claims.any
    assert at(claims, (80.0, 60.0), (44.0, 24.0), (30.0, 60.0), (130.0, 60.0)) == [1.0, 1.0, 0.0, 0.0]


def test_pixels_outside_the_picture_are_as_its_rim() -> None:
    claims = Claims(200, 120)
    claims.add_polygon(np.array([[-10.0, -10.0], [60.0, -10.0], [60.0, 60.0], [-10.0, 60.0]]))
    assert at(claims, (-500.0, -500.0), (5000.0, 5000.0)) == [1.0, 0.0]
    assert at(claims, (float("nan"), float("nan")))[0] in (0.0, 1.0), "what is behind the camera is somewhere"


def test_cells_of_a_card_are_claimed_where_they_lie(faces: DeckFaces) -> None:
    scene = scene_of(faces)
    claims = Claims.none_in(scene)
    upper_half = np.zeros((11, 7), bool)
    upper_half[:5] = True
    claims.add_cells(scene, HERE, upper_half)
    x, y = np.array([0.0, 0.0, -20.0]), np.array([20.0, -20.0, 30.0])
    assert claims.at(scene.camera.project(HERE.points(x, y)).T).tolist() == [1.0, 0.0, 1.0]
    share = claims.mask.sum() * Claims.STEP**2 / scene.camera.px_per_mm(HERE.centre_mm) ** 2
    assert share == pytest.approx(WIDTH_MM * HEIGHT_MM * 5 / 11, rel=0.15)


def test_what_is_freed_is_claimed_no_more() -> None:
    claims = Claims(200, 120)
    claims.add_polygon(BOX)
    claims.free(np.array([[80.0], [60.0]]))
    assert at(claims, (80.0, 60.0), (84.0, 60.0), (92.0, 60.0)) == [0.0, 0.0, 1.0]


def test_claims_are_put_together_and_a_copy_is_its_own() -> None:
    one, other = Claims(200, 120), Claims(200, 120)
    one.add_polygon(BOX)
    kept = one.copy()
    other.add_polygon(BOX + np.array([60.0, 0.0]))
    one.add(other)
    assert at(one, (50.0, 50.0), (170.0, 50.0)) == [1.0, 1.0]
    assert at(kept, (50.0, 50.0), (170.0, 50.0)) == [1.0, 0.0]


def test_each_row_of_cells_is_claimed_by_runs(faces: DeckFaces) -> None:
    scene = scene_of(faces)
    cells = np.random.default_rng(3).random((11, 8)) < 0.5
    together, one_by_one = Claims.none_in(scene), Claims.none_in(scene)
    together.add_cells(scene, HERE, cells)
    for row, column in np.argwhere(cells):
        only = np.zeros_like(cells)
        only[row, column] = True
        one_by_one.add_cells(scene, HERE, only)
    assert together.any
    assert together.mask.any()
    assert (together.mask != one_by_one.mask).sum() < 0.02 * together.mask.sum()  # at rims that rounding meets
    nothing = Claims.none_in(scene)
    nothing.add_cells(scene, HERE, np.zeros_like(cells))
    assert not nothing.any
