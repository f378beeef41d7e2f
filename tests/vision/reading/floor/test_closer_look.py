"""What looks out close beside cards: what is brighter than the bare floor is told, shadows of any colour are not."""

from __future__ import annotations

import numpy as np

from arena_cam.domain.table import Arena
from arena_cam.vision.reading.floor.closer_look import CloserLook
from arena_cam.vision.reading.floor.table_change import EarlierTable
from arena_cam.vision.reading.floor.view_maps import KeptMaps
from vision.small import camera_above, painted

SIZE = (480, 400)
CAMERA = camera_above(1.7, SIZE, tilt_deg=4.0)
ARENA = Arena((200.0, 160.0), 10.0, 6.0)
RNG = np.random.default_rng(1)
EMPTY = np.clip(np.full((400, 480, 3), (90, 110, 120)) + RNG.normal(0, 1.5, (400, 480, 3)), 0, 255).astype(np.uint8)
WHITE = (220, 225, 230)


def box(left: float, right: float, bottom: float, top: float) -> np.ndarray:
    """Corners (4, 3) of an upright rectangle on the floor, mm."""
    return np.array([[left, top, 0.0], [right, top, 0.0], [right, bottom, 0.0], [left, bottom, 0.0]])


def laid(picture: np.ndarray, corners: np.ndarray, bgr: tuple[int, int, int]) -> np.ndarray:
    return painted(picture, np.full((8, 8, 3), bgr, np.uint8), CAMERA, corners)


UPPER, RIGHT = box(-60.0, 0.0, 0.0, 40.0), box(4.0, 60.0, -30.0, 30.0)
CARDS = [CAMERA.project(corners) for corners in (UPPER, RIGHT)]


def beside(picture: np.ndarray, *, with_cards: bool = True) -> tuple[float, list[int]] | None:
    """The area (mm2) that looks out beside the two cards, which are painted first, and the cards that it may touch."""
    if with_cards:
        picture = laid(laid(picture, UPPER, WHITE), RIGHT, (60, 60, 160))
    change = EarlierTable(EMPTY, CAMERA, ARENA, [], KeptMaps(None)).look(picture, CAMERA)
    found = CloserLook(EMPTY, CAMERA, ARENA).bright_beside(picture, change, CARDS)
    return (found[0].area_mm2, found[1]) if found is not None else None


def test_cards_alone_leave_nothing() -> None:
    assert beside(EMPTY) is None


def test_a_corner_beneath_two_cards_that_the_blurred_comparison_does_not_see_is_told() -> None:
    with_corner = laid(EMPTY, box(-3.0, 4.0, -6.0, 10.0), WHITE)
    whole = laid(laid(with_corner, UPPER, WHITE), RIGHT, (60, 60, 160))
    change = EarlierTable(EMPTY, CAMERA, ARENA, [], KeptMaps(None)).look(whole, CAMERA)
    assert change.strangers(CARDS) == []
    found = beside(with_corner)
    assert found is not None
    assert 10.0 < found[0] < 30.0
    assert found[1] == [0, 1]


def test_shadows_of_any_colour_leave_nothing() -> None:
    shade = EMPTY.copy()
    dark = laid(np.full_like(EMPTY, 255), box(-66.0, 70.0, -36.0, 46.0), (0, 0, 0))[:, :, 0] == 0
    shade[dark] = (shade[dark] * (0.7, 0.4, 0.3)).astype(np.uint8)
    assert beside(shade) is None


def test_a_bow_of_a_curled_card_is_thinner_than_a_part_of_another() -> None:
    assert beside(laid(EMPTY, box(-50.0, -10.0, -2.6, 20.0), WHITE)) is None


def test_other_light_is_nothing() -> None:
    lit = np.clip(EMPTY * 1.4, 0, 255).astype(np.uint8)
    assert beside(lit) is None


def test_nothing_is_asked_where_no_card_lies() -> None:
    change = EarlierTable(EMPTY, CAMERA, ARENA, [], KeptMaps(None)).look(EMPTY, CAMERA)
    assert CloserLook(EMPTY, CAMERA, ARENA).bright_beside(EMPTY, change, []) is None
