"""What a picture shows beside the cards found: corners of a card, and paper."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from arena_cam.domain.doubts import Doubt, Side
from arena_cam.domain.lies import Lie, ring_mm
from arena_cam.geometry.arrays import Array
from arena_cam.geometry.card_pose import CardPose
from arena_cam.vision.photographs.indexed.leftovers import (
    Patch,
    lone_card,
    paper_beside,
    places_at_corners,
    side_of,
    stranger_at,
    without_cloth,
)
from arena_cam.vision.planes.outline_corners import Corners
from vision.planes.photographed import CAMERA, CARD_MM, SIZE, ground, outline_px
from vision.small import lie, painted_at

KNOWN, MISSED = CardPose.flat(-55.0, 5.0, 10.0), CardPose.flat(50.0, -15.0, -35.0)
HALF_MM = (110.0, 90.0)
BELOW_MIDDLE = np.array([-34.0, 34.0, 34.0, -34.0]), np.array([0.0, 0.0, -46.0, -46.0])  # half a card (mm)


def corners_of(*outlines: Array) -> Corners:
    at = np.concatenate(outlines)
    before = np.concatenate([np.roll(o, 1, axis=0) for o in outlines])
    after = np.concatenate([np.roll(o, -1, axis=0) for o in outlines])
    sides = np.stack([at, after], axis=1)
    return Corners(at, before, after, sides, sides)


# The corners that a picture of a card missed shows.
SEEN = [corners_of(outline_px(MISSED))]


def lying(pose: CardPose) -> Lie:
    a, b, c, d = ((float(x), float(y)) for x, y in outline_px(pose))
    return replace(lie("card-0"), corners_px=(a, b, c, d))


def papers(*poses: CardPose, level: int = 225) -> np.ndarray:
    picture = ground()
    for pose in poses:
        picture = painted_at(picture, np.full((8, 8, 3), level, np.uint8), outline_px(pose))
    return picture


def test_the_corners_of_a_missed_card_say_where_it_lies() -> None:
    places = places_at_corners([corners_of(outline_px(KNOWN), outline_px(MISSED))], CAMERA, CARD_MM, [lying(KNOWN)])
    assert places
    apart = [float(np.hypot(*(place.centre_mm - MISSED.centre_mm)[:2])) for place in places]
    best = places[int(np.argmin(apart))]
    assert min(apart) < 0.5
    assert abs(best.R[:, 0] @ MISSED.R[:, 0]) > 0.999
    assert all(np.hypot(*(place.centre_mm - KNOWN.centre_mm)[:2]) > 8.0 for place in places)


def test_one_corner_leaves_both_formats_open() -> None:
    outline = outline_px(MISSED)
    one = Corners(outline[:1], outline[3:], outline[1:2], np.empty((0, 2, 2)), np.empty((0, 2, 2)))
    places = places_at_corners([one], CAMERA, CARD_MM, [])
    assert len(places) == 2
    assert min(float(np.hypot(*(place.centre_mm - MISSED.centre_mm)[:2])) for place in places) < 0.5
    assert abs(places[0].R[:, 0] @ places[1].R[:, 0]) < 0.01  # a quarter turn between them


@pytest.mark.parametrize("explained", [True, False])
def test_corners_of_known_cards_are_explained(explained: bool) -> None:
    places = places_at_corners([corners_of(outline_px(KNOWN))], CAMERA, CARD_MM, [lying(KNOWN)] if explained else [])
    assert (places == []) is explained


def test_corners_that_are_not_square_or_too_long_are_no_card_s() -> None:
    slanted = MISSED.corners(*CARD_MM) + np.outer([20.0, 20.0, -20.0, -20.0], MISSED.R[:, 0])
    assert places_at_corners([corners_of(CAMERA.project(slanted))], CAMERA, CARD_MM, []) == []
    long = CAMERA.project(MISSED.corners(CARD_MM[0], 1.3 * CARD_MM[1]))
    assert places_at_corners([corners_of(long)], CAMERA, CARD_MM, []) == []
    assert places_at_corners([], CAMERA, CARD_MM, []) == []


def test_a_table_full_of_corners_gives_two_dozen_places_at_most() -> None:
    outlines = [outline_px(CardPose.flat(20.0 * n, 11.0 * m, 9.0 * n)) for n in range(-5, 6) for m in range(-3, 4)]
    assert len(places_at_corners([corners_of(*outlines)], CAMERA, CARD_MM, [])) == 24


def test_paper_that_no_card_explains_is_told_with_its_area_and_place() -> None:
    picture = papers(KNOWN, MISSED)
    (patch,) = paper_beside(picture, CAMERA, HALF_MM, [outline_px(KNOWN)], SEEN)
    assert (patch.x_mm, patch.y_mm) == pytest.approx((50.0, -15.0), abs=2.0)
    assert patch.area_mm2 == pytest.approx(63 * 88, rel=0.1)


def test_paper_away_from_the_cards_without_a_right_angle_is_the_cloth_s() -> None:
    picture = papers(KNOWN, MISSED)
    assert paper_beside(picture, CAMERA, HALF_MM, [outline_px(KNOWN)], []) == []
    beside = CardPose.flat(KNOWN.centre_mm[0] + 50.0, KNOWN.centre_mm[1], 0.0)
    touching = paper_beside(papers(KNOWN, beside), CAMERA, HALF_MM, [outline_px(KNOWN)], [])
    assert len(touching) == 1


def test_print_on_a_little_paper_counts_as_paper() -> None:
    """Of a king's corner 69 mm2 were blank round its index and its frame: a picture without that king was sure."""
    picture, white = papers(KNOWN), np.full((8, 8, 3), 225, np.uint8)
    for off in (0.0, 4.0):
        square = CardPose.flat(KNOWN.centre_mm[0] - 5.0 + off, -50.0 - off, 0.0)
        picture = painted_at(picture, white, CAMERA.project(square.corners(6.4, 6.4)))
    (patch,) = paper_beside(picture, CAMERA, HALF_MM, [outline_px(KNOWN)], [])
    assert 60.0 < patch.area_mm2 < 70.0


def test_all_explained_leaves_nothing() -> None:
    assert paper_beside(papers(KNOWN, MISSED), CAMERA, HALF_MM, [outline_px(KNOWN), outline_px(MISSED)], SEEN) == []
    assert paper_beside(papers(KNOWN), CAMERA, HALF_MM, [], SEEN) == []  # no paper is known to compare with


def test_what_is_darker_or_coloured_is_no_paper() -> None:
    dark = painted_at(papers(KNOWN), np.full((8, 8, 3), 130, np.uint8), outline_px(MISSED))
    assert paper_beside(dark, CAMERA, HALF_MM, [outline_px(KNOWN)], SEEN) == []
    red = np.full((8, 8, 3), (150, 150, 255), np.uint8)
    assert (
        paper_beside(painted_at(papers(KNOWN), red, outline_px(MISSED)), CAMERA, HALF_MM, [outline_px(KNOWN)], SEEN)
        == []
    )


def test_a_light_table_is_no_patch_and_a_thin_stripe_neither() -> None:
    light = painted_at(np.full_like(ground(), 225), np.full((8, 8, 3), 225, np.uint8), outline_px(KNOWN))
    assert paper_beside(light, CAMERA, HALF_MM, [outline_px(KNOWN)], SEEN) == []
    stripe = CAMERA.project(MISSED.corners(4.0, 80.0))
    picture = painted_at(papers(KNOWN), np.full((8, 8, 3), 225, np.uint8), stripe)
    assert paper_beside(picture, CAMERA, HALF_MM, [outline_px(KNOWN)], SEEN) == []


def test_squares_of_a_chequered_cloth_are_its_pattern_and_a_lone_one_is_not() -> None:
    beside = CAMERA.project(CardPose.flat(KNOWN.centre_mm[0], KNOWN.centre_mm[1] - 55.0, 10.0).corners(14.0, 14.0))
    white = np.full((8, 8, 3), 225, np.uint8)
    lone = painted_at(papers(KNOWN), white, beside)
    chequered = lone
    for n in range(10):
        at = CardPose.flat(10.0 + 22.0 * (n % 5), -20.0 + 30.0 * (n // 5), 10.0)
        chequered = painted_at(chequered, white, CAMERA.project(at.corners(14.0, 14.0)))
    said = [
        paper_beside(view, CAMERA, HALF_MM, [outline_px(KNOWN)], [corners_of(beside)]) for view in (lone, chequered)
    ]
    assert [len(patches) for patches in said] == [1, 0]


def test_a_patch_of_marble_without_straight_sides_is_none_and_a_card_on_it_is_one() -> None:
    """Where the table looks like paper elsewhere, too, what touches a card is told by its sides."""
    marble = papers(KNOWN)
    for x in (20.0, 45.0, 70.0):
        at = CAMERA.project(np.array([[x, 55.0, 0.0]])).ravel().round().astype(int)
        cv2.circle(marble, (int(at[0]), int(at[1])), 16, (225, 225, 225), -1)
    wavy, card = marble.copy(), marble.copy()
    for dx, dy in ((-36, 62), (-14, 62), (-25, 72), (-36, 84), (-14, 84)):
        at = (
            CAMERA.project(np.array([[KNOWN.centre_mm[0] + dx + 25.0, -float(dy) + 12.0, 0.0]]))
            .ravel()
            .round()
            .astype(int)
        )
        cv2.circle(wavy, (int(at[0]), int(at[1])), 17, (225, 225, 225), -1)
    beside = CAMERA.project(CardPose.flat(KNOWN.centre_mm[0] + 5.0, -62.0, 10.0).corners(40.0, 45.0))
    card = painted_at(card, np.full((8, 8, 3), 225, np.uint8), beside)
    said = [paper_beside(view, CAMERA, HALF_MM, [outline_px(KNOWN)], []) for view in (wavy, card)]
    assert [len(patches) for patches in said] == [0, 1]
    felt = np.where((np.abs(marble.astype(int) - papers(KNOWN)) > 0).any(axis=2, keepdims=True), ground(), wavy)
    assert len(paper_beside(felt.astype(np.uint8), CAMERA, HALF_MM, [outline_px(KNOWN)], [])) == 1


def test_a_patch_without_straight_sides_that_is_larger_than_the_chequers_of_a_cloth_is_a_card() -> None:
    """The print of a king lay along its rim, on a chequered cloth: it was left out, and the picture was sure."""
    cloth = papers(KNOWN)
    for x in (20.0, 45.0, 70.0):
        chequer = CAMERA.project(CardPose.flat(x, 55.0, 10.0).corners(16.0, 16.0))
        cloth = painted_at(cloth, np.full((8, 8, 3), 225, np.uint8), chequer)
    for dx, dy in ((-11.0, -50.0), (11.0, -50.0), (0.0, -60.0), (-11.0, -72.0), (11.0, -72.0)):
        ((x, y),) = CAMERA.project(np.array([[KNOWN.centre_mm[0] + dx, dy, 0.0]])).round().astype(int).tolist()
        cv2.circle(cloth, (x, y), 17, (225, 225, 225), -1)
    assert len(paper_beside(cloth, CAMERA, HALF_MM, [outline_px(KNOWN)], [])) == 1


def test_a_patch_where_a_card_would_look_as_the_cloth_round_it_is_cloth() -> None:
    """A light patch with a right angle, but too small for a card, of a cloth that is full of such."""
    cloth = ground(60)
    for x in range(0, SIZE[0], 24):
        cloth[:, x : x + 8] = 200
    alone, touching = Patch(700.0, 50.0, -15.0, alone=True), Patch(700.0, 50.0, -15.0)
    both = [alone, touching]
    known = [outline_px(KNOWN)]
    assert without_cloth(both, cloth, CAMERA, CARD_MM, SEEN, known) == [touching]
    assert without_cloth(both, papers(MISSED), CAMERA, CARD_MM, SEEN, known) == both
    assert without_cloth(both, cloth, CAMERA, CARD_MM, [], known) == both, "no corner says where a card would lie"


def test_the_largest_patch_comes_first() -> None:
    corner = CAMERA.project(CardPose.flat(0.0, 70.0, 0.0).corners(20.0, 15.0))
    picture = painted_at(papers(KNOWN, MISSED), np.full((8, 8, 3), 225, np.uint8), corner)
    seen = [*SEEN, corners_of(corner)]
    areas = [patch.area_mm2 for patch in paper_beside(picture, CAMERA, HALF_MM, [outline_px(KNOWN)], seen)]
    assert len(areas) == 2
    assert areas == sorted(areas, reverse=True)


@pytest.mark.parametrize(
    ("x", "y", "side"),
    [
        (0, 0, Side.MIDDLE),
        (90, 0, Side.RIGHT),
        (-90, 90, Side.FAR_LEFT),
        (0, -90, Side.NEAR),
        (41, -41, Side.NEAR_RIGHT),
    ],
)
def test_a_place_is_told_by_its_side(x: float, y: float, side: Side) -> None:
    assert side_of(x, y) is side


def test_what_is_unknown_is_told_with_a_ring_round_it_in_the_picture() -> None:
    thing = stranger_at(CAMERA, 90.0, -15.0, 900.0)
    assert dict(thing.doubt.params) == {"side": Side.RIGHT, "area_cm2": 9.0}
    assert (thing.centre_mm, thing.area_mm2) == (None, 900.0)
    off = CAMERA.to_plane(np.array(thing.ring_px))[:, :2] - (90.0, -15.0)
    assert np.hypot(*off.T) == pytest.approx(ring_mm(900.0), abs=0.01)


def test_a_light_cloud_of_a_marble_has_no_border_and_a_sheet_of_that_light_has() -> None:
    """Where a cloud grows darker than paper may be it ends for who asks that alone."""
    height, width = ground().shape[:2]
    x, y = np.meshgrid(np.arange(width), np.arange(height))
    at = outline_px(MISSED).mean(axis=0)
    cloud = 155.0 + 60.0 * np.exp(-(np.hypot(x - at[0], y - at[1]) ** 2) / (2 * 60.0**2))
    marble = np.repeat(cloud.astype(np.uint8)[..., None], 3, axis=2)
    sheet = painted_at(np.full_like(marble, 155), np.full((8, 8, 3), 200, np.uint8), outline_px(MISSED))
    for table, seen in ((marble, 0), (sheet, 1)):
        picture = painted_at(table, np.full((8, 8, 3), 225, np.uint8), outline_px(KNOWN))
        assert len(paper_beside(picture, CAMERA, HALF_MM, [outline_px(KNOWN)], SEEN)) == seen


def test_a_whole_card_that_nothing_names_is_told_and_a_place_on_the_cloth_is_not() -> None:
    there, nothing, torn = papers(MISSED), papers(), papers(MISSED)
    cv2.fillConvexPoly(torn, np.round(CAMERA.project(MISSED.points(*BELOW_MIDDLE))).astype(np.int32), (60, 60, 60))
    found = [lone_card(view, [CAMERA], CARD_MM, SEEN) for view in (there, nothing, torn)]
    assert [thing is not None for thing in found] == [True, False, False]
    assert found[0] is not None
    assert found[0].doubt.sentence is Doubt.STRANGER
    assert found[0].area_mm2 == 63.0 * 88.0
