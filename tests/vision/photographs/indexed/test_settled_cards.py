"""What sides, corners and the height of indices say of cards of any pack."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from arena_cam.geometry.card_pose import CardPose
from arena_cam.vision.indices.index_finder import CARDS, SeenIndex
from arena_cam.vision.photographs.indexed.indexed_cards import IndexedCard
from arena_cam.vision.photographs.indexed.settled_cards import (
    apart,
    as_high,
    as_high_in_view,
    halves_in_view,
    halves_seen,
    has_uneven_ends,
    height_of_indices,
    scale_by_twins,
    sides_unseen,
    unexplained_outlines,
    unfounded,
    weighed_by_outline,
    without_print,
)
from arena_cam.vision.planes.outline_corners import Corners
from vision.indices.cards import first_halves
from vision.small import camera_above, painted

CARD_MM = (63.0, 88.0)


def index(card: str, pose: CardPose, sign: float = 1.0, high: float = 15.0, p: float = 0.95) -> SeenIndex:
    """The index of a card at a pose in its top left corner, or with -1 in the opposite one."""
    top, bottom = pose.points(np.array([-26.0, -26.0]) * sign, np.array([39.8, 39.8 - high]) * sign)[:, :2]
    others = np.zeros(52)
    others[CARDS.index(card)] = p
    return SeenIndex(card, p, top, bottom, others)


def card(
    name: str, pose: CardPose, sides: float, *, cornered: bool = True, high: float = 15.0, p: float = 0.95
) -> IndexedCard:
    seen = index(name, pose, 1.0, high, p)
    return IndexedCard(name, pose, (seen,), seen.others, cornered, halves=first_halves(sides))


KING, NINE = card("KS", CardPose.flat(-80.0, 0.0, 0.0), 4.0), card("9H", CardPose.flat(0.0, 0.0, 40.0), 3.0)


def test_a_card_with_its_outline_is_surer_and_a_mark_without_one_is_none() -> None:
    there, no_sides = weighed_by_outline([KING, card("4S", CardPose.flat(90.0, 0.0, 0.0), 0.5, cornered=False)], None)
    assert there.probability > 0.99
    assert no_sides.probability < 0.5


def test_an_index_of_another_height_is_no_index_of_this_pack() -> None:
    height = height_of_indices([KING, NINE])
    assert height == pytest.approx(15.0)
    assert height_of_indices([KING]) is None
    low = card("4S", CardPose.flat(90.0, 0.0, 0.0), 3.0, high=8.0)
    assert [i.card for i in as_high([KING.indices[0], low.indices[0]], height)] == ["KS"]
    assert weighed_by_outline([low], height)[0].probability < weighed_by_outline([low], 8.0)[0].probability


def test_an_index_part_of_whose_suit_is_covered_is_lower_and_yet_one() -> None:
    """An eight's suit lay half beneath a jack: no card was missed, and what was read was sure."""
    pose = CardPose.flat(90.0, 0.0, 0.0)
    for high, p, seen in ((12.0, 0.995, True), (12.0, 0.95, False), (8.0, 0.995, False), (20.5, 0.995, False)):
        mark = index("8D", pose, high=high, p=p)
        assert not as_high([mark], 16.5)
        assert bool(as_high_in_view([mark], 16.5)) == seen
    assert as_high_in_view([mark], None) == [mark]


def test_both_ends_of_a_card_that_seem_too_near_say_how_large_the_plane_is() -> None:
    pose = CardPose.flat(10.0, 5.0, 30.0)
    ends = [index("KS", pose), index("KS", pose, -1.0)]
    cards = [IndexedCard("KS", pose, (end,), end.others, True) for end in ends]
    shrunk = [
        IndexedCard("KS", pose, (SeenIndex("KS", 0.95, i.top * 0.6, i.bottom * 0.6, i.others),), i.others, True)
        for i in ends
    ]
    assert scale_by_twins(cards, 88.0) == pytest.approx(1.0, abs=0.01)
    assert scale_by_twins(shrunk, 88.0) == pytest.approx(1 / 0.6, abs=0.02)
    assert scale_by_twins([KING, NINE], 88.0) is None
    (one,) = [IndexedCard("KS", pose, (cards[0].indices[0], shrunk[1].indices[0]), cards[0].probabilities, True)]
    assert (scale_by_twins([one], 88.0) or 0.0) > 1.1


def test_ends_that_bear_their_indices_unlike_far_from_them_are_on_another_plane() -> None:
    """Narrow cards were read on a plane on which they were wide: there they are a centimetre too short."""
    pose = CardPose.flat(10.0, 5.0, 30.0)
    first, last = index("7C", pose), index("7C", pose, -1.0)
    up = pose.R[:2, 1]
    for off, uneven in ((0.0, False), (2.5, False), (9.0, True)):
        end = SeenIndex("7C", 0.95, last.top - off * up, last.bottom - off * up, last.others)
        assert has_uneven_ends(IndexedCard("7C", pose, (first, end), first.others, True), CARD_MM) == uneven
    assert not has_uneven_ends(IndexedCard("7C", pose, (first,), first.others, True), CARD_MM)


def test_ends_unlike_far_from_the_card_s_sides_are_on_another_plane_too() -> None:
    """A plane that made cards narrower by a quarter was plain: each had two sides along its print."""
    pose = CardPose.flat(10.0, 5.0, 30.0)
    first, last = index("7C", pose), index("7C", pose, -1.0)
    across = pose.R[:2, 0]
    for off, uneven in ((0.0, False), (2.5, False), (9.0, True), (-9.0, True)):
        end = SeenIndex("7C", 0.95, last.top + off * across, last.bottom + off * across, last.others)
        assert has_uneven_ends(IndexedCard("7C", pose, (first, end), first.others, True), CARD_MM) == uneven
    other_corner = SeenIndex("7C", 0.95, first.top + 52.0 * across, first.bottom + 52.0 * across, first.others)
    four = IndexedCard("7C", pose, (first, other_corner, last), first.others, True)
    assert not has_uneven_ends(four, CARD_MM)


def test_print_on_a_card_is_no_card() -> None:
    print_on_it = card("4S", CardPose.flat(-62.0, -25.0, 0.0), 1.5, p=0.6)
    over_it = card("4S", CardPose.flat(-62.0, -25.0, 0.0), 4.0, p=0.6)
    assert [c.card for c in without_print([KING, print_on_it], CARD_MM)] == ["KS"]
    assert [c.card for c in without_print([KING, over_it], CARD_MM)] == ["KS", "4S"]


def test_a_faint_mark_is_print_of_a_card_whose_sides_are_seen_where_it_would_hide_them() -> None:
    """Art of a king was an ace with 0.3: it lay over the king, and the king's side showed beneath it."""
    turned = CardPose.flat(-68.0, -12.0, 12.0)
    beneath, hidden = (replace(KING, halves=frozenset(of)) for of in (((0, 0), (1, 1), (3, 1)), ((0, 0), (3, 1))))
    for king, p, there in ((beneath, 0.3, False), (beneath, 0.6, True), (hidden, 0.3, True)):
        mark = card("AS", turned, 4.0, p=p)
        assert [c.card for c in without_print([king, mark], CARD_MM)] == (["KS", "AS"] if there else ["KS"])
    with_another = replace(card("AS", turned, 4.0, p=0.3), indices=(*mark.indices, index("AS", turned, -1.0)))
    assert len(without_print([beneath, with_another], CARD_MM)) == 2


def test_a_card_without_a_name_is_found_by_its_outline() -> None:
    camera, pose = camera_above(2.0, (480, 400)), CardPose.flat(20.0, 10.0, 25.0)
    outline = camera.project(pose.corners(*CARD_MM))
    grey = np.full((400, 480), 80.0, np.float32)
    cv2.fillConvexPoly(grey, np.round(outline).astype(np.int32), (235.0,))
    before, after = np.roll(outline, 1, axis=0), np.roll(outline, -1, axis=0)
    corners = [Corners(outline, before, after, np.stack([outline, after], 1), np.stack([outline, after], 1))]
    seen = unexplained_outlines(grey, camera, CARD_MM, corners, [], [])
    (found,) = apart(outline.pose for outline in seen if outline.has_margin)
    assert np.abs(found.centre_mm - pose.centre_mm)[:2].max() < 1.5
    assert apart([found, pose]) == [found], "places of one card"
    assert apart([found], [pose]) == []
    assert unexplained_outlines(grey, camera, CARD_MM, corners, [outline], []) == []
    assert halves_seen(grey, camera, found, CARD_MM) == halves_in_view(grey, camera, found, CARD_MM) == 8
    assert halves_in_view(grey[:, :300], camera, found, CARD_MM) < 8
    assert halves_seen(np.full_like(grey, 80.0), camera, found, CARD_MM) == 0
    assert unexplained_outlines(np.full_like(grey, 80.0), camera, CARD_MM, corners, [], []) == []


CAMERA = camera_above(2.0, (720, 560))


def test_a_faint_mark_has_a_name_only_where_paper_of_its_own_is_seen() -> None:
    """On a bare cloth, or where other cards lie, its corner and sides are the cloth's or theirs."""
    cloth = np.full((560, 720, 3), (60, 90, 40), np.uint8)
    there, covering = CardPose.flat(0.0, 0.0, 10.0), CardPose.flat(4.0, 2.0, 10.0)
    paper = painted(cloth, np.full((88, 63, 3), 235, np.uint8), CAMERA, there.corners(*CARD_MM))
    faint, plain = card("JD", there, 3.5, p=0.4), card("JD", there, 3.5, p=0.9)
    king = card("KS", covering, 4.0, p=1.0)
    for picture, cards, marks in (
        (cloth, [], set()),
        (cloth, [faint], {0}),
        (cloth, [plain], set()),
        (paper, [faint], set()),
        (paper, [king, faint], {1}),
    ):
        assert unfounded(picture, CAMERA, cards, CARD_MM) == marks


def test_a_side_under_another_card_is_not_missed_and_one_in_the_open_is() -> None:
    low = card("KS", CardPose.flat(0.0, 0.0, 0.0), 2.5)  # upper, right and half of the lower side
    beside, over = (card("9H", CardPose.flat(x, -5.0, 0.0), 4.0) for x in (-80.0, -40.0))
    assert sides_unseen([low], CARD_MM) == [1.5]
    assert sides_unseen([low, beside], CARD_MM) == [1.5, 0.0]
    assert sides_unseen([low, over], CARD_MM) == [0.0, 0.0]
    assert sides_unseen([], CARD_MM) == []
