"""An arm is told by its hue from the picture's border on, out of a sleeve as well; cards over the border are none."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from arena_cam.domain.table import Arena
from arena_cam.geometry.arrays import Array
from arena_cam.vision.reading.floor.arm_in_view import arm_in_view, of_picture
from arena_cam.vision.reading.floor.reaching_in import rim_in_view
from arena_cam.vision.reading.floor.table_change import EarlierTable, TableChange
from arena_cam.vision.reading.floor.view_maps import KeptMaps
from vision.small import camera_above, painted

SIZE = (480, 400)
CAMERA = camera_above(1.6, SIZE, tilt_deg=4.0)
ARENA = Arena((200.0, 160.0), 10.0, 6.0)
EMPTY = np.full((400, 480, 3), (90, 110, 120), np.uint8)
STEP, CLAIMS = 4, (400 // 4 + 1, 480 // 4 + 1)
SKIN, SLEEVE, WHITE = (112, 146, 198), (46, 40, 96), (235, 235, 235)
Thing = tuple[Array, tuple[int, int, int]]


def box(left: float, right: float, bottom: float, top: float) -> Array:
    return np.array([[left, top, 0.0], [right, top, 0.0], [right, bottom, 0.0], [left, bottom, 0.0]])


HAND, CUFF = (box(-30.0, 20.0, -20.0, 100.0), SKIN), (box(-35.0, 25.0, 95.0, 200.0), SLEEVE)
CARD = box(0.0, 60.0, -50.0, 10.0), WHITE


def looked(*things: Thing) -> tuple[TableChange, NDArray[np.uint8] | None]:
    """What changed, and the arm, where `things` lie, each over those before."""
    picture = EMPTY.copy()
    for corners, bgr in things:
        picture = painted(picture, np.full((8, 8, 3), bgr, np.uint8), CAMERA, corners)
    table = EarlierTable(EMPTY, CAMERA, ARENA, [], KeptMaps(None))
    now = table.seen(picture, CAMERA)
    change = table.held_against(now, CAMERA)
    return change, arm_in_view(change, now, rim_in_view(change, CLAIMS, STEP), np.ones(3), 3000.0)


def covers(change: TableChange, arm: NDArray[np.uint8], x_mm: float, y_mm: float) -> bool:
    return bool(change.within(arm, np.array([x_mm]), np.array([y_mm]))[0])


def test_a_bare_arm_ends_at_its_edge_on_a_card() -> None:
    change, arm = looked(CARD, (box(-30.0, 20.0, -20.0, 200.0), SKIN))
    assert arm is not None
    assert covers(change, arm, 10.0, 0.0)
    assert covers(change, arm, 0.0, 90.0)
    assert not covers(change, arm, 35.0, 0.0)
    assert not covers(change, arm, 10.0, -35.0)


def test_the_hand_that_comes_out_of_a_sleeve_is_of_the_arm() -> None:
    change, arm = looked(CARD, HAND, CUFF)
    assert arm is not None
    assert covers(change, arm, -5.0, 0.0)
    assert covers(change, arm, -5.0, 112.0)
    assert not covers(change, arm, 35.0, 0.0)


def test_cards_over_the_border_are_no_arm() -> None:
    assert looked((box(-40.0, 40.0, 40.0, 200.0), WHITE), CARD)[1] is None
    assert looked(CARD)[1] is None


def test_a_hand_that_does_not_come_from_the_border_is_not_asked_for() -> None:
    assert looked(CARD, (box(-30.0, 30.0, -40.0, 60.0), SKIN))[1] is None


def test_no_hue_is_asked_for_where_nothing_comes_over_the_rim() -> None:
    change, _ = looked(CARD)
    rim = rim_in_view(change, CLAIMS, STEP)
    assert arm_in_view(change, np.zeros((2, 2, 3), np.uint8), rim, np.ones(3), 3000.0) is None


def test_in_the_picture_an_arm_covers_the_cells_that_show_it() -> None:
    change, arm = looked(HAND, CUFF)
    assert arm is not None
    mask = of_picture(arm, change, CLAIMS, STEP)
    inside, outside = (CAMERA.project(np.array([[x, 0.0, 0.0]]))[0] / STEP for x in (-5.0, 40.0))
    assert mask[round(inside[1]), round(inside[0])] == 1
    assert mask[round(outside[1]), round(outside[0])] == 0
    rows, columns = np.nonzero(mask)
    assert mask[rows.min() + 1 : rows.max(), round(float(np.median(columns)))].all(), "no cell is left out"


def test_what_is_known_to_be_a_thing_is_strange_however_dark_it_is() -> None:
    dark = (34, 42, 46)  # as a deep shadow leaves the table
    change, _ = looked((box(-30.0, 20.0, -40.0, 40.0), dark))
    assert not change.strangers([])
    thing = np.zeros_like(change.odd)
    thing[change.odd > 0] = 1
    assert sum(found.area_mm2 for found, _ in change.with_a_thing(thing).strangers([])) > 3000.0
