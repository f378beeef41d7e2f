"""An arm is told from cards: by its size, by where it comes from, and by what lies on the floor."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from arena_cam.domain.table import Arena
from arena_cam.geometry.arrays import Array
from arena_cam.vision.reading.floor.reaching_in import (
    _across_walls,
    _things,
    arm_reaching_in,
    beside_arm,
    has_shape_of_card,
)
from arena_cam.vision.reading.floor.table_change import EarlierTable
from arena_cam.vision.reading.floor.view_maps import KeptMaps
from vision.small import camera_above, painted

SIZE = (480, 400)
CAMERA = camera_above(1.6, SIZE, tilt_deg=4.0)
ARENA = Arena((200.0, 160.0), 10.0, 6.0)
EMPTY = np.full((400, 480, 3), (90, 110, 120), np.uint8)
STEP, CARD_MM2 = 4, 40.0 * 60.0
NOTHING = np.zeros((400 // STEP + 1, 480 // STEP + 1), np.uint8)
SKIN, WHITE = (140, 170, 230), (240, 240, 240)


def box(left: float, right: float, bottom: float, top: float) -> Array:
    return np.array([[left, top, 0.0], [right, top, 0.0], [right, bottom, 0.0], [left, bottom, 0.0]])


def seen(
    *things: tuple[Array, tuple[int, int, int]], outlines: tuple[Array, ...] = (), card_mm2: float = CARD_MM2
) -> bool:
    picture = EMPTY.copy()
    for corners, bgr in things:
        picture = painted(picture, np.full((8, 8, 3), bgr, np.uint8), CAMERA, corners)
    change = EarlierTable(EMPTY, CAMERA, ARENA, [], KeptMaps(None)).look(picture, CAMERA)
    return arm_reaching_in(change, NOTHING, STEP, card_mm2, outlines) is not None


ARM = box(-40.0, 20.0, -20.0, 200.0), SKIN  # from beyond the far border to the middle of the floor
CARD_IN_VIEW = box(-20.0, 20.0, -50.0, 10.0), WHITE


def test_an_arm_reaches_in() -> None:
    assert seen(ARM)


def test_the_sleeve_and_the_fingers_suffice_where_the_hand_looks_like_the_table() -> None:
    sleeve, fingers = (box(-40.0, 20.0, 95.0, 200.0), SKIN), (box(-30.0, 10.0, -20.0, 15.0), SKIN)
    assert seen(sleeve, fingers, card_mm2=1000.0)
    assert not seen(sleeve, card_mm2=1000.0), "the floor is as it was: what lies beside it may be looked for"


def test_a_dark_sleeve_leads_to_the_hand_and_a_shadow_beside_a_card_is_no_sleeve() -> None:
    dark = (34, 42, 46)  # as a deep shadow leaves the table
    assert seen((box(-40.0, 20.0, 40.0, 200.0), dark), (box(-40.0, 20.0, -20.0, 42.0), SKIN))
    assert not seen((box(-40.0, 20.0, 95.0, 200.0), dark), CARD_IN_VIEW)


def test_what_is_no_darker_than_a_shadow_and_ends_before_the_rim_is_no_sleeve() -> None:
    """The shadow of a card that lay over the wall, and a heap that it touched, were taken for an arm."""
    dark, heap = (34, 42, 46), (box(-40.0, 20.0, -20.0, 42.0), WHITE)
    assert seen((box(-40.0, 20.0, 40.0, 200.0), dark), heap)
    assert not seen((box(-40.0, 20.0, 40.0, 110.0), dark), heap)


@pytest.mark.parametrize(
    "things",
    [
        [CARD_IN_VIEW],
        [CARD_IN_VIEW, (box(30.0, 70.0, -40.0, 20.0), WHITE), (box(10.0, 50.0, -60.0, 0.0), WHITE)],
        [(box(-20.0, 20.0, 55.0, 115.0), WHITE), CARD_IN_VIEW],
    ],
    ids=["a card", "a heap", "one over the wall"],
)
def test_cards_do_not_reach_in(things: list[tuple[Array, tuple[int, int, int]]]) -> None:
    assert not seen(*things)


def test_who_stands_beside_an_arena_that_is_known_does_not_reach_in() -> None:
    """A card that glare makes unlike itself is no stranger: then the frame may be sure, and all is looked for."""
    outline = CAMERA.project(np.vstack([CARD_IN_VIEW[0]]))
    beside = box(-60.0, 60.0, 100.0, 200.0), SKIN
    assert seen(beside, CARD_IN_VIEW)
    assert not seen(beside, CARD_IN_VIEW, outlines=(outline,))


def test_what_lies_apart_from_an_arm_is_told_by_its_shape() -> None:
    apart, fingers = (box(50.0, 90.0, -60.0, 0.0), WHITE), (box(-60.0, -45.0, -60.0, -40.0), SKIN)
    picture = EMPTY.copy()
    for corners, bgr in (ARM, apart, fingers):
        picture = painted(picture, np.full((8, 8, 3), bgr, np.uint8), CAMERA, corners)
    change = EarlierTable(EMPTY, CAMERA, ARENA, [], KeptMaps(None)).look(picture, CAMERA)
    arm = arm_reaching_in(change, NOTHING, STEP, CARD_MM2, ())
    assert arm is not None
    things = [thing for thing, _ in beside_arm(change, arm).strangers(())]
    assert [has_shape_of_card(thing, CARD_MM2) for thing in sorted(things, key=lambda t: t.centre_mm)] == [False, True]


@pytest.mark.parametrize("corner", [(150, 101), (1, 3), (380, 470)])
def test_the_things_of_a_part_are_those_of_the_whole_view(corner: tuple[int, int]) -> None:
    change = EarlierTable(EMPTY, CAMERA, ARENA, [], KeptMaps(None)).look(EMPTY, CAMERA)
    left = np.zeros(change.odd.shape, np.uint8)
    for down, across in ((0, 0), (3, 2), (12, 40), (29, 7)):
        rows, columns = ((begin + off, begin + off + 6) for begin, off in zip(corner, (down, across), strict=True))
        left[slice(*rows), slice(*columns)] = 1
    size = _across_walls(change)
    closed = np.asarray(cv2.morphologyEx(left, cv2.MORPH_CLOSE, np.ones((size, size), np.uint8)), np.uint8)
    whole = left | (closed & (1 - change.table.valid))
    _, labels = cv2.connectedComponents(cv2.dilate(whole, np.ones((5, 5), np.uint8)))
    assert np.array_equal(_things(left, change), np.where(whole > 0, labels, 0))
    assert not _things(np.zeros_like(left), change).any()
