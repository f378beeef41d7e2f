"""What the picture shows that the empty table does not: things are, light is not."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from arena_cam.domain.table import Arena
from arena_cam.vision.reading.floor import table_change
from arena_cam.vision.reading.floor.table_change import (
    EarlierTable,
    TableChange,
    _drawn_in,
    _part_of,
    _sides_round,
)
from arena_cam.vision.reading.floor.view_maps import KeptMaps
from vision.small import blotches, camera_above, painted

SIZE = (480, 400)
CAMERA = camera_above(1.6, SIZE, tilt_deg=4.0)
ARENA = Arena((200.0, 160.0), 10.0, 6.0)
RNG = np.random.default_rng(1)
EMPTY = np.clip(np.full((400, 480, 3), (90, 110, 120)) + RNG.normal(0, 1.5, (400, 480, 3)), 0, 255).astype(np.uint8)
STEP = 4
NOTHING = np.zeros((400 // STEP + 1, 480 // STEP + 1), np.uint8)


def box(x: float, y: float, width: float, height: float) -> np.ndarray:
    """Corners (4, 3) of an upright rectangle on the floor with its middle at (x, y), mm."""
    a, b = width / 2, height / 2
    return np.array([[x - a, y + b, 0.0], [x + a, y + b, 0.0], [x + a, y - b, 0.0], [x - a, y - b, 0.0]])


def thing(picture: np.ndarray, corners: np.ndarray, bgr: tuple[int, int, int]) -> np.ndarray:
    return painted(picture, np.full((8, 8, 3), bgr, np.uint8), CAMERA, corners)


def look(picture: np.ndarray) -> TableChange:
    return EarlierTable(EMPTY, CAMERA, ARENA, [], KeptMaps(None)).look(picture, CAMERA)


def test_the_empty_table_differs_nowhere_from_itself() -> None:
    change = look(EMPTY)
    assert not change.odd.any()
    assert change.strangers([]) == []
    assert change.worth_a_look(NOTHING, STEP) is None
    assert change.all_explained(NOTHING, STEP)


def test_the_pieces_that_are_left_are_looked_for_once(monkeypatch: pytest.MonkeyPatch) -> None:
    change = look(thing(EMPTY, box(0.0, 0.0, 60.0, 40.0), (200, 60, 60)))
    joined, asked = cv2.connectedComponents, 0

    def counted(mask: np.ndarray, connectivity: int) -> tuple[int, np.ndarray]:
        nonlocal asked
        asked += 1
        return joined(mask, connectivity=connectivity)

    monkeypatch.setattr(cv2, "connectedComponents", counted)
    assert change.worth_a_look(NOTHING, STEP) is not None
    assert not change.all_explained(NOTHING, STEP)
    assert asked == 1


def test_how_much_of_a_thing_is_told_from_the_floor() -> None:
    here = box(0.0, 0.0, 60.0, 40.0)
    as_the_floor, other = look(EMPTY), look(thing(EMPTY, here, (200, 60, 60)))
    outline = CAMERA.project(here)
    told = other.share_told(outline, [])
    assert told is not None
    assert told > 0.95
    assert as_the_floor.share_told(outline, []) == 0.0
    assert other.share_told(outline, [CAMERA.project(box(0.0, 0.0, 80.0, 60.0))]) is None, "it lies under another"


@pytest.mark.parametrize(
    ("gain", "tint"),
    [(0.6, (1.0, 1.0, 1.0)), (1.4, (1.0, 1.0, 1.0)), (1.0, (0.85, 1.0, 1.1))],
    ids=["dimmer", "brighter", "warmer"],
)
def test_other_light_is_no_change(gain: float, tint: tuple[float, float, float]) -> None:
    lit = np.clip(EMPTY * gain * np.array(tint), 0, 255).astype(np.uint8)
    change = look(lit)
    in_picture = change.table.from_above(np.full_like(EMPTY, 255), CAMERA)[:, :, 0] > np.log(200.0)
    assert change.odd[in_picture].mean() < 0.001


def test_light_that_falls_off_over_the_table_is_no_change() -> None:
    falling = np.linspace(1.2, 0.75, 480)[None, :, None]
    assert look(np.clip(EMPTY * falling, 0, 255).astype(np.uint8)).odd.mean() < 0.005


@pytest.mark.parametrize("share", [0.85, 0.8, 1.12])
def test_cards_hardly_darker_than_the_floor_differ_from_it_and_the_floor_round_them_does_not(share: float) -> None:
    shade = round(share * 90), round(share * 110), round(share * 120)
    dark = thing(thing(EMPTY, box(-30, 10, 63, 88), shade), box(50, -10, 63, 88), shade)
    change = look(dark)
    x, y = change.table.half_mm
    inside = change.changed[round(y) - 30 : round(y) + 10, round(x) - 50 : round(x) - 10]
    between = change.unchanged[round(y) - 30 : round(y) + 30, round(x) + 5 : round(x) + 15]
    assert inside.mean() > 0.9
    assert between.mean() > 0.9


def test_a_soft_shadow_is_no_stranger() -> None:
    shaded = thing(EMPTY, box(20, 10, 50, 40), (58, 70, 78))
    assert look(shaded).strangers([]) == []


@pytest.mark.parametrize("bgr", [(240, 240, 240), (40, 40, 220), (8, 8, 8)], ids=["white", "red", "black"])
def test_a_thing_is_a_stranger_where_it_lies(bgr: tuple[int, int, int]) -> None:
    (seen,) = look(thing(EMPTY, box(30, -20, 24, 18), bgr)).strangers([])
    stranger, near = seen
    assert stranger.centre_mm == pytest.approx((30.0, -20.0), abs=1.5)
    assert stranger.area_mm2 == pytest.approx(24 * 18, rel=0.35)
    assert near == []


def test_two_things_far_apart_are_two_and_two_near_each_other_one() -> None:
    far = thing(thing(EMPTY, box(-75, 0, 15, 15), (240, 240, 240)), box(75, 0, 15, 15), (240, 240, 240))
    near = thing(thing(EMPTY, box(-20, 0, 15, 15), (240, 240, 240)), box(10, 0, 15, 15), (240, 240, 240))
    assert len(look(far).strangers([])) == 2
    ((one, _),) = look(near).strangers([])
    assert one.area_mm2 == pytest.approx(2 * 15 * 15, rel=0.4)
    assert one.centre_mm == pytest.approx((-5.0, 0.0), abs=2.0)


def test_a_card_that_was_found_is_no_stranger_and_what_peeps_out_is_near_it() -> None:
    card = box(0, 0, 63, 88)
    outline = CAMERA.project(card)
    laid = painted(EMPTY, blotches(3), CAMERA, card)
    assert look(laid).strangers([outline]) == []
    peeping = painted(thing(EMPTY, box(38, 0, 30, 20), (240, 240, 240)), blotches(3), CAMERA, card)
    ((stranger, near),) = look(peeping).strangers([outline])
    assert stranger.centre_mm[0] > 32.0
    assert near == [0]


@pytest.mark.parametrize(("x", "hidden_mm2"), [(85.0, 7.0 * 30), (60.0, 0.0)], ids=["over the wall", "beside it"])
def test_what_reaches_the_strip_along_a_wall_goes_on_across_it(x: float, hidden_mm2: float) -> None:
    """The floor ends at x = 100 mm; its last 7 mm are not compared."""
    ((stranger, _),) = look(thing(EMPTY, box(x, 0, 40, 30), (240, 240, 240))).strangers([])
    assert stranger.along_walls_mm2 == pytest.approx(hidden_mm2, rel=0.15)


def test_what_lies_beyond_the_walls_is_no_stranger_but_worth_a_look() -> None:
    change = look(thing(EMPTY, box(130, 0, 20, 40), (240, 240, 240)))
    assert change.strangers([]) == []
    where = change.worth_a_look(NOTHING, STEP)
    assert where is not None
    assert change.within(where, np.array([130.0, -60.0]), np.array([0.0, 0.0])).tolist() == [True, False]


def test_what_is_claimed_is_explained() -> None:
    card = box(10, 5, 63, 88)
    change = look(painted(EMPTY, blotches(3), CAMERA, card))
    assert not change.all_explained(NOTHING, STEP)
    claimed = painted(np.zeros(SIZE[::-1], np.uint8), np.full((8, 8), 255, np.uint8), CAMERA, card)
    mask = np.zeros_like(NOTHING)
    mask[:100, :120] = (claimed > 100)[::STEP, ::STEP]
    assert change.all_explained(mask, STEP)
    assert not change.unexplained(mask, STEP).any()
    assert int(change.unexplained(NOTHING, STEP).sum()) == pytest.approx(63 * 88, rel=0.1)


@pytest.mark.parametrize(("apart_mm", "may"), [(60.0, True), (150.0, False)])
def test_specks_far_from_each_other_are_of_no_one_card(apart_mm: float, may: bool) -> None:
    """Each is 144 mm2; a card that shows both would have to show 250 mm2, and is 108 mm from corner to corner."""
    left, right = (box(way * apart_mm / 2, 0.0, 12.0, 12.0) for way in (-1, 1))
    change = look(thing(thing(EMPTY, left, (240, 240, 240)), right, (240, 240, 240)))
    assert change.may_show(NOTHING, STEP, 108.0, 250.0).any() == may
    assert change.may_show(NOTHING, STEP, 108.0, 100.0).any()


def test_the_bare_floor_is_what_shows_neither_things_nor_walls() -> None:
    change = look(thing(EMPTY, box(30, -20, 24, 18), (240, 240, 240)))
    half = change.table.half_mm
    bare = change.bare((half[0] - 5, half[1] - 5))
    x, y = half[0] - 5, half[1] - 5
    assert bare[round(y), round(x)] == 1
    assert bare[round(y + 20), round(x + 30)] == 0


def test_fiducials_are_not_compared() -> None:
    outline = CAMERA.project(box(130, 0, 25, 25))
    table = EarlierTable(EMPTY, CAMERA, ARENA, [outline], KeptMaps(None))
    assert not table.look(thing(EMPTY, box(130, 0, 20, 20), (240, 240, 240)), CAMERA).odd.any()


def test_the_camera_may_have_moved_since() -> None:
    moved = camera_above(1.6, SIZE, tilt_deg=7.0)
    picture = painted(EMPTY, np.full((8, 8, 3), 240, np.uint8), moved, box(30, -20, 24, 18))
    change = EarlierTable(EMPTY, CAMERA, ARENA, [], KeptMaps(None)).look(picture, moved)
    ((stranger, _),) = change.strangers([])
    assert stranger.centre_mm == pytest.approx((30.0, -20.0), abs=1.5)


def test_what_no_card_explains_is_worked_out_once_for_the_same_claims() -> None:
    """An arm, pieces of cards and whatever is odd are looked for in turn, below the same claims."""
    change = look(thing(EMPTY, box(0.0, 0.0, 63.0, 88.0), (30, 30, 200)))
    left = change.unexplained(NOTHING, STEP)
    assert left.any()
    assert change.unexplained(NOTHING.copy(), STEP) is left
    assert not change.unexplained(np.ones_like(NOTHING), STEP).any()
    assert np.array_equal(change.unexplained(NOTHING, STEP), left)


@pytest.mark.parametrize("x_mm", [0.0, 60.0, 130.0])
def test_what_is_odd_is_looked_at_in_its_part_of_the_view_as_in_all_of_it(
    x_mm: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At the view's rim, too; where a claim reaches into the part from beside it, and where specks are left."""
    picture = thing(EMPTY, box(x_mm, 20.0, 40.0, 30.0), (30, 30, 200))
    picture = thing(picture, box(x_mm - 30.0, 20.0, 6.0, 6.0), (240, 240, 240))
    claimed = painted(
        NOTHING.repeat(STEP, 0).repeat(STEP, 1), np.full((8, 8), 1, np.uint8), CAMERA, box(x_mm, 0, 90, 32)
    )
    claimed = np.ascontiguousarray(claimed[::STEP, ::STEP])

    def asked() -> list[tuple[np.ndarray, np.ndarray | None]]:
        change = look(picture)
        return [(change.unexplained(of, STEP), change.worth_a_look(of, STEP)) for of in (NOTHING, claimed)]

    answers = [asked()]
    monkeypatch.setattr(table_change, "_part_round", lambda *_: (slice(0, None), slice(0, None)))
    answers.append(asked())
    for of_part, of_all in zip(*answers, strict=True):
        assert of_all[0].any()
        assert of_all[1] is not None
        assert all(np.array_equal(one, other) for one, other in zip(of_part, of_all, strict=True))
    assert not np.array_equal(answers[0][0][0], answers[0][1][0])


def test_strangers_among_the_same_cards_are_told_once() -> None:
    corners = box(0.0, 0.0, 63.0, 88.0)
    change = look(thing(EMPTY, corners, (30, 30, 200)))
    (stranger, near), *others = change.strangers([])
    assert (others, near) == ([], [])
    assert stranger.sides_mm == pytest.approx((88.0, 63.0), abs=3.0)
    assert change.strangers([]) is change.strangers([])
    assert change.strangers([CAMERA.project(corners)]) == []
    assert len(change.strangers([])) == 1


def test_a_thing_of_which_a_corner_alone_is_beyond_doubt_is_as_large_as_it_is() -> None:
    """A print as pale as the floor hides its grain; of a corner the colour tells."""
    change = look(EMPTY)
    pale, plain = (np.zeros_like(change.odd) for _ in range(2))
    row, column = (side // 2 for side in pale.shape)
    pale[row - 40 : row, column - 30 : column + 30] = 1
    plain[row - 8 : row, column - 30 : column - 22] = 1
    seen = replace(change, odd=pale, sure=pale, plain=plain)
    ((stranger, _),) = seen.strangers([])
    assert stranger.area_mm2 == pytest.approx(40 * 60, rel=0.05)
    assert stranger.sides_mm == pytest.approx((60, 40), abs=2.0)


def test_floor_that_shows_within_a_card_is_found_and_no_shade_is_floor() -> None:
    """A card that is thought to reach 20 mm farther than it does, and one whose end lies in a shade."""
    picture = thing(EMPTY, box(0.0, 0.0, 60.0, 40.0), (200, 60, 60))
    outlines = [CAMERA.project(box(x, 0.0, width, 40.0)) for x, width in ((10.0, 80.0), (0.0, 60.0), (50.0, 40.0))]
    change = look(picture)
    bare_mm2, odd = change.bare_within(outlines[0], [])
    assert bare_mm2 == pytest.approx(16.0 * 36.0, rel=0.25)
    assert odd > 0.9
    assert change.bare_within(outlines[1], []) == (0.0, 1.0)
    assert change.bare_within(outlines[0], outlines[2:])[0] == 0.0, "another card lies there"
    shaded = thing(picture, box(40.0, 0.0, 20.0, 40.0), (63, 77, 84))
    assert look(shaded).bare_within(outlines[0], [])[0] == 0.0


def test_of_several_cards_those_near_a_thing_are_told_by_number() -> None:
    change = look(thing(EMPTY, box(-60.0, 0.0, 30.0, 30.0), (200, 60, 60)))
    cards = [CAMERA.project(box(x, y, 20.0, 30.0)) for x, y in ((60.0, 0.0), (-25.0, 0.0), (-60.0, 30.0))]
    ((_, near),) = change.strangers(cards)
    assert near == [1, 2]
    assert look(EMPTY).strangers(cards) == []


def test_cards_are_drawn_in_a_part_of_the_view_as_in_all_of_it() -> None:
    """Lines that are cut off at a part's rim would be drawn a little otherwise."""
    random, shape = np.random.default_rng(6), (120, 160)
    for _ in range(60):
        places = random.uniform((-20.0, -20.0, 0.0), (180.0, 140.0, 180.0), (4, 3))
        outlines = [cv2.boxPoints(((x, y), (30.0, 45.0), turned)).round().astype(np.int32) for x, y, turned in places]
        whole = np.zeros(shape, np.uint8)
        for outline in outlines[1:]:
            cv2.fillConvexPoly(whole, outline, (1,))
        part = _part_of(outlines[0][None], shape)
        assert np.array_equal(_drawn_in(part, shape, outlines[1:]), whole[part])


@pytest.mark.parametrize("seed", range(6))
def test_the_rectangle_round_a_thing_is_that_round_all_of_its_pixels(seed: int) -> None:
    shape, rng = np.zeros((90, 120), np.uint8), np.random.default_rng(seed)
    for _ in range(2):
        cv2.fillConvexPoly(shape, cv2.convexHull(rng.integers(0, 90, (6, 1, 2)).astype(np.int32)), (1,))
    _, sides, _ = cv2.minAreaRect(np.asarray(cv2.findNonZero(shape), np.float32))
    assert _sides_round(shape > 0) == (max(sides), min(sides))
