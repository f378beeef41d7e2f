"""What the indices of a picture say on one plane, and how much speaks for it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from arena_cam.geometry.card_pose import CardPose
from arena_cam.vision.indices.index_finder import CARDS, SeenIndex
from arena_cam.vision.photographs.on_plane import IndexPlace, OnPlane
from arena_cam.vision.photographs.ordinary_reader import OrdinaryReader, most_sensible
from arena_cam.vision.photographs.overlapping import Order
from vision.indices.cards import first_halves
from vision.photographs.ordinary_pictures import (
    APART,
    CAMERA,
    LOST,
    LOW,
    RIGHT_HALVES,
    SIZE,
    at_corner,
    indexed,
)


def test_a_faint_mark_beside_cards_that_fit_says_nothing_against_the_plane_but_a_plain_one_does() -> None:
    cards = [indexed(name, 1.0, pose, cornered=True, sides=4.0) for name, pose in (("AS", LOW), ("KD", APART))]
    for probability, fits in ((0.6, True), (0.95, False)):
        mark = indexed("JD", probability, CardPose.flat(0.0, 90.0, 5.0), cornered=False, sides=1.5)
        found = OnPlane(CAMERA, (63.0, 88.0), [*cards, mark], IndexPlace())
        assert (found.is_settled, found.is_plain) == (fits, fits)


def test_sides_that_other_cards_hide_leave_nothing_open_and_sides_in_the_open_and_doubtful_names_do() -> None:
    whole = indexed("KD", 1.0, LOW, cornered=True, sides=4.0)
    ends = replace(whole, indices=whole.indices * 2)
    apart, beneath = (CardPose.flat(LOW.centre_mm[0] + x, LOW.centre_mm[1], LOW.angle_deg) for x in (150.0, 35.0))
    for place, probability, nothing in ((apart, 1.0, False), (beneath, 1.0, True), (beneath, 0.95, False)):
        low = replace(indexed("AS", probability, place, cornered=True, sides=2.0), halves=frozenset(RIGHT_HALVES))
        found = OnPlane(CAMERA, (63.0, 88.0), [ends, low], IndexPlace(), order=Order((), [(0, 1)], []))
        assert (found.leaves_nothing_open, found.is_plain) == (nothing, False)
    assert not replace(found, order=Order((), [], [(0, 1)])).leaves_nothing_open


def test_no_plane_is_asked_after_one_that_two_whole_cards_tell_and_all_cards_are_said_surely_on() -> None:
    """A seven whose sides a dim light hid kept a right plane from being plain: seven more came to the same one."""
    cards = [indexed(name, 1.0, at, cornered=True, sides=4.0) for name, at in (("AS", LOW), ("KD", APART))]
    ends = [replace(card, indices=card.indices * 2) for card in cards]
    dim = indexed("7H", 1.0, CardPose.flat(0.0, 90.0, 5.0), cornered=False, sides=2.0)
    found = OnPlane(CAMERA, (63.0, 88.0), [*ends, dim], IndexPlace(), order=Order((), [], []))
    assert (found.leaves_nothing_open, found.may_say_all) == (False, True)
    doubtful = indexed("7H", 0.95, dim.pose, cornered=False, sides=2.0)
    for other in (
        replace(found, cards=[*ends, doubtful]),
        replace(found, cards=[ends[0], cards[1], dim]),
        replace(found, bare=frozenset([2])),
        replace(found, order=Order((), [], [(0, 1)])),
        replace(found, lost=(at_corner(LOW),)),
    ):
        assert not other.may_say_all


def test_a_mark_with_a_bare_side_says_nothing_against_a_plane_on_which_cards_are_whole() -> None:
    cards = [indexed(name, 1.0, pose, cornered=True, sides=4.0) for name, pose in (("AS", LOW), ("KD", APART))]
    mark = indexed("JD", 0.95, CardPose.flat(0.0, 60.0, 50.0), cornered=False, sides=2.5)
    for bare, whole in ((2, True), (0, False)):
        found = OnPlane(CAMERA, (63.0, 88.0), [*cards, mark], IndexPlace(), bare=frozenset([bare]))
        assert found.has_whole_cards == whole


def test_print_of_the_cards_read_is_no_card_that_another_plane_must_explain() -> None:
    king = indexed("KD", 1.0, LOW, cornered=True, sides=4.0)
    marks = (indexed(name, 0.99, at, cornered=True, sides=2.0) for name, at in (("KH", LOW), ("3S", APART)))
    print_, other = (replace(mark, indices=(at_corner(mark.pose),)) for mark in marks)
    read = OnPlane(CAMERA, (63.0, 88.0), [king], IndexPlace())
    for more, explained in (((), True), ((print_,), True), ((other,), False), ((print_, other), False)):
        assert read.explains(replace(read, cards=[king, *more])) == explained


@pytest.mark.parametrize(("probability", "there"), [(0.999, True), (0.95, False)])
def test_two_certain_ends_of_one_card_are_a_card_though_no_side_is_seen(probability: float, there: bool) -> None:
    """As of black cards on a black one."""
    pose, ends = CardPose.flat(0.0, 0.0, 20.0), []
    others = np.zeros(len(CARDS))
    others[CARDS.index("AH")] = probability
    for sign in (1.0, -1.0):
        top, bottom = pose.points(np.array([-25.7, -25.7]) * sign, np.array([39.8, 27.0]) * sign)[:, :2]
        ends.append(SeenIndex("AH", probability, top, bottom, others))
    even = np.full((SIZE[1], SIZE[0], 3), 230, np.uint8)
    found = OrdinaryReader().on_plane(even, [], CAMERA, (63.0, 88.0), indices=ends)
    assert [card.card for card in found.cards] == (["AH"] if there else [])


def test_a_card_whose_ends_are_uneven_settles_no_plane() -> None:
    cards = [indexed(name, 1.0, pose, cornered=True, sides=4.0) for name, pose in (("AS", LOW), ("KD", APART))]
    right = OnPlane(CAMERA, (63.0, 88.0), cards, IndexPlace())
    uneven = replace(right, uneven=1)
    assert (right.is_plain, right.is_settled, right.is_certain) == (True, True, True)
    assert (uneven.is_plain, uneven.is_settled, uneven.is_certain) == (False, False, False)
    assert uneven.worth < right.worth


def test_a_plane_on_which_a_side_is_bare_is_not_plain() -> None:
    cards = [indexed(name, 1.0, pose, cornered=True, sides=4.0) for name, pose in (("AS", LOW), ("KD", APART))]
    found = OnPlane(CAMERA, (63.0, 88.0), cards, IndexPlace())
    bare = replace(found, bare=frozenset({0}))
    assert found.is_plain
    assert not bare.is_plain
    assert bare.worth < found.worth


def test_an_index_read_with_certainty_that_no_card_bears_speaks_against_a_plane() -> None:
    """Three indices lost on a plane of another size did not, and the picture was asked about."""
    cards = [indexed(name, 1.0, pose, cornered=True, sides=3.0) for name, pose in (("AS", LOW), ("KD", APART))]
    found = OnPlane(CAMERA, (63.0, 88.0), cards, IndexPlace())
    wider = replace(found, cards=[replace(card, halves=first_halves(3.5)) for card in cards])
    certain = replace(at_corner(LOW), probability=0.999)
    assert most_sensible([wider, found]) is wider
    assert most_sensible([replace(wider, lost=(certain,)), found]) is found
    assert replace(wider, lost=(replace(certain, probability=0.95),)).worth == wider.worth


def test_two_cards_both_ends_and_three_sides_tell_the_plane_but_one_of_them_or_one_end_does_not() -> None:
    ends = indexed("AS", 1.0, LOW, cornered=True, sides=3.0), indexed("KD", 1.0, APART, cornered=True, sides=3.0)
    first, second = (replace(card, indices=card.indices * 2) for card in ends)
    told = OnPlane(CAMERA, (63.0, 88.0), [first, second], IndexPlace())
    assert told.is_told
    assert not replace(told, cards=[first]).is_told
    assert not replace(told, cards=[first, ends[1]]).is_told
    assert not replace(told, lost=(LOST,)).is_told
