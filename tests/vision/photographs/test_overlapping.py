"""Which of two cards lies above: its index and its edges are seen in the other."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np

from arena_cam.geometry.card_pose import CardPose
from arena_cam.vision.indices.index_finder import CARDS, SeenIndex
from arena_cam.vision.photographs.indexed.indexed_cards import IndexedCard, without_covered
from arena_cam.vision.photographs.overlapping import Order, overlaps, without_interleaved
from vision.indices.cards import first_halves
from vision.small import camera_above

CARD_MM = (63.0, 88.0)
CAMERA = camera_above(2.0, (480, 480))
LOW, HIGH = CardPose.flat(-15.0, 0.0, 0.0), CardPose.flat(20.0, 10.0, 40.0)


def card(name: str, pose: CardPose, *signs: float) -> IndexedCard:
    """A card with an index in its top left corner, and with -1 in the opposite one."""
    indices = []
    others = np.zeros(52)
    others[CARDS.index(name)] = 0.95
    for sign in signs:
        top, bottom = pose.points(np.array([-26.0, -26.0]) * sign, np.array([39.0, 24.0]) * sign)[:, :2]
        indices.append(SeenIndex(name, 0.95, top, bottom, others))
    return IndexedCard(name, pose, tuple(indices), others, True)


def photograph(*poses: CardPose) -> np.ndarray:
    picture = np.full((480, 480, 3), 60, np.uint8)
    for pose in poses:
        corners = np.round(CAMERA.project(pose.corners(*CARD_MM))).astype(np.int32)
        cv2.fillConvexPoly(picture, corners, (235, 240, 240))
        cv2.polylines(picture, [corners], True, (150, 150, 150), 1)
    return picture


def test_the_card_whose_edges_are_seen_is_the_upper() -> None:
    cards = [card("KS", LOW, 1.0), card("9H", HIGH, -1.0)]
    assert overlaps(photograph(LOW, HIGH), CAMERA, cards, CARD_MM) == ([(1, 0)], [])
    assert overlaps(photograph(HIGH, LOW), CAMERA, cards, CARD_MM) == ([(0, 1)], [])


def test_print_over_a_hidden_side_is_no_edge_and_a_faint_edge_all_along_is_one() -> None:
    """Black on black; the upper card is full of blots but for its margin."""
    picture = np.full((480, 480, 3), 60, np.uint8)
    blots = np.kron(np.random.default_rng(3).integers(25, 160, (160, 160)), np.ones((3, 3), int))
    for pose in (LOW, HIGH):
        sizes = (CARD_MM, (55.0, 80.0))
        corners, within = (np.round(CAMERA.project(pose.corners(*size))).astype(np.int32) for size in sizes)
        cv2.fillConvexPoly(picture, corners, (25, 25, 25))
        cv2.polylines(picture, [corners], True, (22, 22, 22), 1)
    face = cv2.fillConvexPoly(np.zeros((480, 480), np.uint8), within, (1,)) > 0
    picture[face] = blots[face][:, None]
    assert overlaps(picture, CAMERA, [card("KS", LOW), card("9H", HIGH)], CARD_MM) == ([(1, 0)], [])


def test_the_tip_of_a_corner_over_another_s_side_tells_too() -> None:
    """They share 23 mm2. Slivers of 32 to 35 mm2, a side of them off by a millimetre, were silently not told."""
    tip = CardPose.flat(-15.0 + 31.5 + 53.4 - 4.8, 4.0, 45.0)
    cards = [card("KS", LOW, 1.0), card("9H", tip, -1.0)]
    assert overlaps(photograph(LOW, tip), CAMERA, cards, CARD_MM)[0] == [(1, 0)]
    assert overlaps(photograph(tip, LOW), CAMERA, cards, CARD_MM)[0] in ([(0, 1)], []), "never the wrong way round"


def test_where_nothing_is_seen_it_is_asked() -> None:
    plain = np.full((480, 480, 3), 240, np.uint8)
    assert overlaps(plain, CAMERA, [card("KS", LOW, 1.0), card("9H", HIGH, -1.0)], CARD_MM) == ([], [(1, 0)])


def test_what_lies_over_one_lies_over_those_beneath_it() -> None:
    """Each bears its index on the one before; between first and last, which share a strip, nothing tells."""
    cards = [card("KS", CardPose.flat(30.0 * n, 0.0, 0.0), 1.0) for n in range(3)]
    plain = np.full((480, 480, 3), 240, np.uint8)
    assert overlaps(plain, CAMERA, [cards[0], cards[2]], CARD_MM) == ([], [(1, 0)])
    told, untold = overlaps(plain, CAMERA, cards, CARD_MM)
    assert sorted(told) == [(1, 0), (2, 0), (2, 1)]
    assert untold == []
    assert overlaps(plain, CAMERA, cards[::-1], CARD_MM)[1] == []


def test_print_at_a_small_overlap_gives_way_to_the_order_of_the_cards_between() -> None:
    """The last card bears dark print where the corner of the first lies under it, so that an edge seems to be there."""
    first, last = CardPose.flat(-45.0, -30.0, 0.0), CardPose.flat(10.0, 48.0, 0.0)
    picture = photograph(first, CardPose.flat(-20.0, 0.0, 15.0), last)
    corner = np.round(CAMERA.project(first.points(np.array([22.0]), np.array([35.0])))).astype(int)[0]
    poses = (first, CardPose.flat(-20.0, 0.0, 15.0), last)
    cards = [card(name, pose, -1.0) for name, pose in zip(("KS", "9H", "2C"), poses, strict=True)]
    plain = overlaps(picture, CAMERA, cards, CARD_MM)
    assert sorted(plain[0]) == [(1, 0), (2, 0), (2, 1)]
    cv2.rectangle(picture, tuple(corner - 14), tuple(corner + 30), (20, 20, 20), -1)
    assert sorted(overlaps(picture, CAMERA, cards, CARD_MM)[0]) == [(1, 0), (2, 0), (2, 1)]


def test_cards_apart_do_not_overlap() -> None:
    cards = [card("KS", CardPose.flat(-60.0, 0.0, 0.0), 1.0), card("9H", CardPose.flat(60.0, 0.0, 0.0), 1.0)]
    assert overlaps(photograph(), CAMERA, cards, CARD_MM) == ([], [])


def test_an_index_that_another_card_touches_says_nothing() -> None:
    over = CardPose(LOW.R, LOW.points(np.array([26.0]), np.array([-44.0]))[0])
    cards = [card("KS", LOW, 1.0, -1.0), card("9H", over, -1.0)]
    assert [len(c.indices) for c in without_covered(cards, CARD_MM, [(1, 0)])] == [1, 1]
    assert [len(c.indices) for c in without_covered(cards, CARD_MM, [(0, 1)])] == [2, 1]


def test_of_two_sheets_each_over_the_other_one_is_print() -> None:
    """A mark beside a card's own index says that another lies over it, and that one's place is under it."""
    plain = replace(card("6S", LOW, 1.0, -1.0), halves=first_halves(4.0))
    mark = replace(card("9H", CardPose.flat(-37.0, 32.0, 180.0), 1.0), halves=first_halves(1.5))
    assert without_interleaved([mark, plain], CARD_MM) == ([plain], [mark])
    alike, plain = replace(mark, halves=first_halves(3.5)), replace(plain, indices=plain.indices[:1])
    assert without_interleaved([alike, plain], CARD_MM) == ([alike, plain], [])
    assert overlaps(photograph(LOW), CAMERA, [alike, plain], CARD_MM) == ([], [(1, 0)])


def test_a_card_whose_index_is_half_covered_lies_under_the_other() -> None:
    """What is seen of its index ends within the upper card, which may lie a millimetre from where it is thought."""
    upper = replace(card("QC", CardPose.flat(0.0, 0.0, 0.0), 1.0, -1.0), halves=first_halves(4.0))
    low = replace(card("6H", CardPose.flat(-4.0, 12.0, 0.0), 1.0), halves=first_halves(2.0))
    begins = replace(low.indices[0], top=np.array([-30.0, 51.0]), bottom=np.array([-28.0, 41.0]))
    low = replace(low, indices=(begins,))
    assert without_interleaved([low, upper], CARD_MM) == ([low, upper], [])


def test_a_card_with_sides_of_its_own_is_no_print_of_one_the_rim_of_whose_index_it_hides() -> None:
    low = replace(card("6D", CardPose.flat(0.0, 0.0, 0.0), -1.0), halves=first_halves(4.0))
    upper = card("2D", CardPose.flat(-6.0, 0.0, 180.0), 1.0)
    for sides, kept in ((3.0, True), (2.0, False)):
        upper = replace(upper, halves=first_halves(sides))
        assert without_interleaved([low, upper], CARD_MM) == (([low, upper], []) if kept else ([low], [upper]))


def test_what_lies_outside_the_picture_says_nothing() -> None:
    """Most of the overlap is beyond the picture's border."""
    off = [CardPose.flat(x, y + 118.0, turn) for x, y, turn in ((-15.0, 0.0, 0.0), (20.0, 10.0, 40.0))]
    cards = [card("KS", off[0], 1.0), card("9H", off[1], -1.0)]
    assert overlaps(photograph(*off), CAMERA, cards, CARD_MM) == ([(1, 0)], [])
    assert overlaps(photograph(*off[::-1]), CAMERA, cards, CARD_MM) == ([(0, 1)], [])


def test_an_order_serves_the_same_cards_alone() -> None:
    """What is weighed anew is the same card; one that lies, or is named, otherwise is not, nor are fewer."""
    cards = [card("KS", LOW, 1.0), card("9H", HIGH, -1.0)]
    order = Order(tuple(cards), [(1, 0)], [])
    assert order.is_of([replace(cards[0], halves=first_halves(3.0), pips_agree=True), cards[1]])
    assert not order.is_of(cards[:1])
    assert not order.is_of([replace(cards[0], card="QS"), cards[1]])
    assert not order.is_of([replace(cards[0], pose=LOW.half_turned), cards[1]])
    assert not order.is_of([replace(cards[0], indices=()), cards[1]])
