"""Paper, where a pose says that a card lies."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from arena_cam.camera.frame import Image
from arena_cam.geometry.arrays import Array
from arena_cam.geometry.camera_model import Camera
from arena_cam.geometry.card_pose import CardPose
from arena_cam.vision.photographs.indexed.papers import SeenPlace, is_same_paper, places_among
from arena_cam.vision.planes.card_plane import CardPlane, camera_over, pinhole

SIZE = (480, 480)
CARD_MM = (63.0, 88.0)
POSE = CardPose.flat(20.0, 0.0, 0.0)


def straight_down() -> Camera:
    K = pinhole(SIZE)
    plane = CardPlane(np.array([0.0, 0.0, 2.0 / float(K[0, 0])]), 0.0)
    return camera_over(plane, K, np.zeros(5), np.array([239.5, 239.5]))


def card_at(pose: CardPose) -> Image:
    """A white card on a cloth with a weave."""
    cloth = np.random.default_rng(4).normal(90, 12, (*SIZE, 3))
    outline = straight_down().project(pose.corners(*CARD_MM))
    cv2.fillConvexPoly(cloth, np.round(outline).astype(np.int32), (235.0, 240.0, 244.0))
    return np.asarray(np.clip(cloth, 0, 255), np.uint8)


def place(view: Image, pose: CardPose, covered: Sequence[Array] = (), size: tuple[float, float] = CARD_MM) -> SeenPlace:
    return SeenPlace(view, straight_down(), pose, size, covered)


def test_paper_is_told_from_cloth() -> None:
    view = card_at(POSE)
    paper = place(view, POSE).paper()
    cloth = place(view, CardPose.flat(-80.0, 0.0, 0.0)).paper()
    assert is_same_paper(0.7 * paper, paper)
    assert not is_same_paper(cloth, paper)
    assert not is_same_paper(paper * [0.5, 1.0, 1.0], paper)


def test_round_a_mark_is_paper_in_any_shade_or_cloth() -> None:
    mark, size = CardPose.flat(-80.0, 0.0, 0.0), (5.0, 7.0)
    outline = np.round(straight_down().project(mark.corners(*CARD_MM))).astype(np.int32)
    for colour, is_paper in (((235, 240, 244), True), ((160, 163, 167), True), ((165, 190, 205), False)):
        view = np.asarray(cv2.fillConvexPoly(card_at(POSE), outline, colour), np.uint8)
        paper = place(view, POSE).paper()
        assert place(view, mark, size=size).is_paper_round([paper]) == is_paper


def test_a_white_card_is_paper_and_a_cloth_is_not() -> None:
    view = card_at(POSE)
    paper = place(view, POSE).paper()
    assert place(view, POSE).paper_share(paper) > 0.95
    assert place(view, CardPose.flat(-80.0, 0.0, 0.0)).paper_share(paper) < 0.05


def test_what_lies_beyond_the_picture_is_not_seen() -> None:
    view, far = card_at(POSE), CardPose.flat(400.0, 0.0, 0.0)
    assert not place(view, far).paper().any()
    assert place(view, far).paper_share(np.full(3, 240.0)) == 1.0


def with_print(view: Image, half_mm: tuple[float, float]) -> Image:
    """A card with print of two colours to so far from its middle."""
    outline = straight_down().project(POSE.corners(2 * half_mm[0], 2 * half_mm[1]))
    inked = view.copy()
    cv2.fillConvexPoly(inked, np.round(outline).astype(np.int32), (190.0, 170.0, 215.0))
    return inked


def test_a_back_is_printed_where_every_face_is_blank() -> None:
    blank, court, back = card_at(POSE), with_print(card_at(POSE), (22.0, 35.0)), with_print(card_at(POSE), (28.0, 40.5))
    papers = [place(blank, POSE).paper()]
    said = [place(view, POSE).is_printed_to_rim(papers) for view in (blank, court, back)]
    assert said == [False, False, True]


def test_of_a_back_that_is_covered_too_much_nothing_is_said() -> None:
    view, camera = with_print(card_at(POSE), (28.0, 40.5)), straight_down()
    paper = [place(card_at(POSE), POSE).paper()]
    over = [camera.project(CardPose.flat(POSE.centre_mm[0] - 20.0, 0.0, 0.0).corners(*CARD_MM))]
    corner = [camera.project(CardPose.flat(POSE.centre_mm[0] - 50.0, -70.0, 0.0).corners(*CARD_MM))]
    assert not place(view, POSE, over).is_printed_to_rim(paper)
    assert place(view, POSE, corner).is_printed_to_rim(paper)


def test_what_other_cards_show_is_no_paper_of_this_one() -> None:
    """All that is its own of a place half on a card is cloth. Where little is its own, all counts."""
    camera, view = straight_down(), card_at(POSE)
    outline = camera.project(POSE.corners(*CARD_MM))
    beside, within = CardPose.flat(-10.0, 0.0, 0.0), CardPose.flat(10.0, 0.0, 0.0)
    paper = place(view, POSE).paper()
    assert is_same_paper(place(view, beside).paper(), paper)
    assert not is_same_paper(place(view, beside, [outline]).paper(), paper)
    assert is_same_paper(place(view, within, [outline]).paper(), paper)


def test_a_face_is_blank_along_its_sides_and_a_cloth_is_not() -> None:
    """In a shadow, too; where other cards leave little of its sides it may be a face."""
    camera, view, cloth = straight_down(), card_at(POSE), CardPose.flat(-80.0, 0.0, 0.0)
    view[:, :140] = (70, 90, 110)
    paper = place(view, POSE).paper()
    assert place(view, POSE).is_blank_along_sides(paper)
    assert place((0.6 * view).astype(np.uint8), POSE).is_blank_along_sides(paper)
    assert not place(view, cloth).is_blank_along_sides(paper)
    over = camera.project(CardPose.flat(-80.0, 20.0, 90.0).corners(*CARD_MM))
    assert place(view, cloth, [over]).is_blank_along_sides(paper)


def test_a_card_whose_part_is_not_there_has_a_bare_side() -> None:
    """A card lies there whole; of a torn one, or one thought to lie two centimetres farther, a side shows the cloth."""
    camera, view = straight_down(), card_at(POSE)
    paper = place(view, POSE).paper()
    assert not place(view, POSE).has_bare_side(paper)
    assert place(view, CardPose.flat(20.0, 20.0, 0.0)).has_bare_side(paper)
    torn = np.array(view)
    beyond = POSE.points(np.array([-40.0, 40.0, 40.0, -40.0]), np.array([-4.0, 8.0, -60.0, -60.0]))
    cv2.fillConvexPoly(torn, np.round(camera.project(beyond)).astype(np.int32), (90.0, 90.0, 90.0))
    assert place(torn, POSE).has_bare_side(paper)


def test_half_a_card_ends_early_on_a_cloth_that_is_as_light_as_paper_in_a_shade() -> None:
    """A whole one does not, nor one whose far half is in the shade of a hand, nor where another card may hide it."""
    camera, card = straight_down(), card_at(POSE)
    rows = np.indices(SIZE)[0]
    cloth = np.where(card > 200, card, np.random.default_rng(5).normal(160, 4, card.shape)).astype(np.uint8)
    paper = place(cloth, POSE).paper()
    assert not place(cloth, POSE).ends_early(paper)
    shade = (cloth * np.where(rows > 250, 0.68, 1.0)[..., None]).astype(np.uint8)
    assert not place(shade, POSE).ends_early(paper)
    torn = np.where((rows > 250)[..., None] & (cloth > 200), 160, cloth).astype(np.uint8)
    assert not place(torn, POSE).has_bare_side(paper), "in a shade, paper would be so dark"
    assert place(torn, POSE).ends_early(paper)
    over = camera.project(CardPose.flat(20.0, -44.0, 90.0).corners(88.0, 100.0))
    assert not place(torn, POSE, [over]).ends_early(paper)


def test_half_a_card_ends_early_on_pale_linen() -> None:
    """A third of its pixels are as light and as grey as paper in a shade, so a mark beside a card was a sure card."""
    card = card_at(POSE)
    linen = np.random.default_rng(6).normal((152.0, 168.0, 186.0), 5.0, card.shape)
    cloth = np.clip(np.where(card > 200, card, linen), 0, 255).astype(np.uint8)
    paper = place(cloth, POSE).paper()
    assert not place(cloth, POSE).ends_early(paper)
    assert place(cloth, CardPose.flat(20.0, 25.0, 0.0)).ends_early(paper)


def test_a_side_that_another_card_may_hide_is_not_bare() -> None:
    camera, further = straight_down(), CardPose.flat(20.0, 20.0, 0.0)
    view = card_at(POSE)
    paper = place(view, POSE).paper()
    over = camera.project(CardPose.flat(20.0, 80.0, 90.0).corners(*CARD_MM))
    assert place(view, further).has_bare_side(paper)
    hidden = [camera.project(CardPose.flat(20.0, 55.0, 90.0).corners(*CARD_MM)), over]
    assert not place(view, further, hidden).has_bare_side(paper)


def test_a_card_is_unlike_the_cloth_round_it_and_the_cloth_is_not() -> None:
    """A back has none of the paper either; what tells it from a cloth is that the cloth ends there."""
    view = with_print(card_at(POSE), (28.0, 40.5))
    assert place(view, POSE).likeness_outside() < 0.05
    cloth, beyond = CardPose.flat(-70.0, 0.0, 20.0), CardPose.flat(400.0, 0.0, 0.0)
    assert place(view, cloth).likeness_outside() > 0.8
    assert place(view, beyond).likeness_outside() == 1.0, "of what is not seen nothing is said"
    looks_as_round_it = [place(view, pose).is_as_outside() for pose in (POSE, cloth, beyond)]
    assert looks_as_round_it == [False, True, False]


def test_a_chequered_cloth_is_like_itself() -> None:
    rows, columns = np.indices(SIZE)
    dark = (rows // 18 + columns // 18) % 2 == 0
    view = np.where(dark[..., None], (40, 40, 160), (225, 230, 232)).astype(np.uint8)
    assert place(view, POSE).likeness_outside() > 0.8


def test_of_cards_that_lie_over_each_other_each_may_be_hidden_by_the_others_alone() -> None:
    poses = [POSE, CardPose.flat(30.0, 10.0, 40.0), CardPose.flat(-60.0, 0.0, 0.0)]
    outlines = [straight_down().project(pose.corners(*CARD_MM)) for pose in poses]
    places = places_among(card_at(POSE), straight_down(), poses, CARD_MM)
    assert [place.pose for place in places] == poses
    for n, each in enumerate(places):
        np.testing.assert_array_equal(each.covered_px, [outlines[m] for m in range(3) if m != n])
