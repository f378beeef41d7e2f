"""What lies on the floor is told from the floor alone: by its colour, its size, and by no card being there."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from arena_cam.vision.reading.floor.floor_alone import PX_PER_MM, _unlike_the_floor, compared_part, things_on_floor
from vision.small import camera_above

CAMERA = camera_above(2.0, (640, 480))
HALF_MM = (100.0, 75.0)
CARD_MM2 = 63.0 * 88.0
FELT = (70, 90, 60)


def floor(*things: tuple[float, float, float, float, int]) -> NDArray[np.uint8]:
    """The view of an even floor with things (left, bottom, right, top in mm, grey) on it."""
    view = np.full((int(2 * HALF_MM[1] * PX_PER_MM), int(2 * HALF_MM[0] * PX_PER_MM), 3), FELT, np.uint8)
    for left, bottom, right, top, grey in things:
        rows = slice(round((HALF_MM[1] - top) * PX_PER_MM), round((HALF_MM[1] - bottom) * PX_PER_MM))
        view[rows, round((left + HALF_MM[0]) * PX_PER_MM) : round((right + HALF_MM[0]) * PX_PER_MM)] = grey
    return view


CARD = (-40.0, -50.0, 20.0, 35.0, 220)


def told(view: NDArray[np.uint8], *outlines_mm: tuple[float, float, float, float]) -> list[tuple[float, float, float]]:
    """x, y and area of what is told, where cards (left, bottom, right, top in mm) were found."""
    corners = [[(l, t, 0.0), (r, t, 0.0), (r, b, 0.0), (l, b, 0.0)] for l, b, r, t in outlines_mm]  # noqa: E741
    outlines_px = [CAMERA.project(np.array(outline)) for outline in corners]
    found = things_on_floor(view, CAMERA, HALF_MM, CARD_MM2, outlines_px)
    return [(*thing.centre_mm, thing.area_mm2) for thing in found]


def test_an_empty_floor_is_empty() -> None:
    assert told(floor()) == []


def test_a_card_that_was_not_found_is_told_with_its_place_and_size() -> None:
    ((x, y, area),) = told(floor(CARD))
    assert (x, y) == pytest.approx((-10.0, -7.5), abs=1.5)
    assert area == pytest.approx(60.0 * 85.0, rel=0.08)


def test_a_card_that_was_found_is_none_of_them_and_its_shadow_neither() -> None:
    shadow = (-43.0, -54.0, 23.0, 35.0, 35)
    assert told(floor(shadow, CARD), CARD[:4]) == []


def test_what_lies_beside_a_found_card_is_told() -> None:
    ((x, y, _area),) = told(floor(CARD, (35.0, -50.0, 90.0, 35.0, 200)), CARD[:4])
    assert (x, y) == pytest.approx((62.5, -7.5), abs=1.5)


def test_less_than_half_a_card_is_not_noticed() -> None:
    assert told(floor((-40.0, -20.0, 10.0, 20.0, 220))) == []


@pytest.mark.parametrize("kind", ["planks", "light from one side", "noise"])
def test_a_floor_with_a_pattern_of_its_own_is_empty(kind: str) -> None:
    view = floor().astype(np.float64)
    if kind == "planks":
        view[:, (np.arange(view.shape[1]) // 20) % 2 == 0] += 22.0
    elif kind == "light from one side":
        view += np.linspace(-30.0, 30.0, view.shape[1])[None, :, None]
    else:
        view += np.random.default_rng(1).normal(0.0, 12.0, view.shape)
    assert told(np.clip(view, 0, 255).astype(np.uint8)) == []


def test_the_walls_and_their_edges_are_not_looked_at() -> None:
    assert compared_part((200.0, 160.0)) == (96.0, 76.0)


def test_what_is_unlike_the_floor_is_told_by_medians_of_all_its_pixels() -> None:
    view = np.random.default_rng(4).normal((60, 90, 120), (4, 9, 2), (151, 200, 3)).clip(0, 255).astype(np.uint8)
    view[40:80, 50:90] = (99, 90, 120)
    smooth = cv2.GaussianBlur(view, (0, 0), 1.5 * PX_PER_MM).astype(np.float32)
    away = np.abs(smooth - np.median(smooth, axis=(0, 1)))
    wanted = (away > np.maximum(6.0 * np.median(away, axis=(0, 1)), 24.0)).any(axis=2)
    assert np.array_equal(_unlike_the_floor(view), wanted)
    assert 0.0 < wanted.mean() < 0.1
