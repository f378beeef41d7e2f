"""Indices that are seen make cards: one index with a corner, two that are half a turn apart."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from arena_cam.geometry.camera_model import Camera
from arena_cam.geometry.card_pose import CardPose
from arena_cam.simulation.things.ordinary_pack import draw_face, random_style
from arena_cam.vision.indices.index_finder import CARDS, SeenIndex
from arena_cam.vision.photographs.indexed.indexed_cards import as_placed, cards_of, is_on_card, with_pips
from arena_cam.vision.planes.card_plane import CardPlane, camera_over, pinhole
from arena_cam.vision.planes.outline_corners import Corners

CARD_MM = (63.0, 88.0)
NO_CAMERA = Camera(np.eye(3), np.zeros(5), np.zeros(3), np.array([0.0, 0.0, 500.0]))


def index(card: str, pose: CardPose, sign: float = 1.0) -> SeenIndex:
    """The index of a card at a pose in its top left corner, or with -1 in the opposite one."""
    x = np.array([-26.0, -26.0]) * sign
    y = np.array([39.0, 24.0]) * sign
    top, bottom = pose.points(x, y)[:, :2]
    others = np.zeros(52)
    others[CARDS.index(card)] = 0.99
    return SeenIndex(card, 0.99, top, bottom, others)


@pytest.mark.parametrize("turn", [0.0, 50.0, -130.0])
def test_both_indices_of_a_card_make_one_card_in_its_place(turn: float) -> None:
    pose = CardPose.flat(20.0, -10.0, turn)
    cards = cards_of([index("TH", pose), index("TH", pose, -1.0)], [], NO_CAMERA, CARD_MM)
    assert [card.card for card in cards] == ["TH"]
    assert np.abs(cards[0].pose.centre_mm[:2] - [20.0, -10.0]).max() < 1.0
    assert cards[0].probability > 0.95


def test_the_same_index_twice_where_no_card_has_both_makes_two_cards() -> None:
    seen = [index("AS", CardPose.flat(0.0, 0.0, 0.0)), index("AS", CardPose.flat(120.0, 0.0, 0.0))]
    assert len(cards_of(seen, [], NO_CAMERA, CARD_MM)) == 2


def test_an_index_belongs_to_the_card_in_whose_corner_it_is() -> None:
    pose = CardPose.flat(0.0, 0.0, 30.0)
    assert is_on_card(index("5C", pose), pose, CARD_MM)
    assert is_on_card(index("5C", pose, -1.0), pose, CARD_MM)
    assert not is_on_card(index("5C", CardPose.flat(25.0, 0.0, 30.0)), pose, CARD_MM)
    assert not is_on_card(index("5C", CardPose.flat(0.0, 0.0, 75.0)), pose, CARD_MM)


def test_a_card_lies_where_it_is_known_to_be_placed_if_it_bears_its_index_there() -> None:
    """Either way up, for both ends bear one print; a second card of the name stays where it is."""
    place, aside = CardPose.flat(3.0, -2.0, 32.0), CardPose.flat(120.0, 0.0, 30.0)
    (card,) = cards_of([index("5C", CardPose.flat(0.0, 0.0, 30.0))], [], NO_CAMERA, CARD_MM)
    assert as_placed(card, {"5C": place}, CARD_MM).pose is place
    assert as_placed(card, {"5C": place.half_turned}, CARD_MM).pose.centre_mm is not card.pose.centre_mm
    assert float(as_placed(card, {"5C": place.half_turned}, CARD_MM).pose.R[:, 0] @ place.R[:, 0]) > 0.99
    assert as_placed(card, {"5C": aside, "AS": place}, CARD_MM) is card


def test_a_card_may_lie_on_the_other_side_of_its_index() -> None:
    pose = CardPose.flat(20.0, -10.0, 30.0)
    (card,) = cards_of([index("TH", pose)], [], NO_CAMERA, CARD_MM)
    other = replace(card, pose=card.beyond_index)
    assert is_on_card(card.indices[0], card.beyond_index, CARD_MM)
    assert np.hypot(*(other.pose.centre_mm - card.pose.centre_mm)[:2]) > 45.0
    assert other.beyond_index.centre_mm == pytest.approx(card.pose.centre_mm, abs=1e-6)


def test_two_poor_readings_of_one_print_are_no_plain_one() -> None:
    pose = CardPose.flat(0.0, 0.0, 0.0)

    def read(*shares: dict[str, float]) -> bool:
        ends = []
        for sign, share in zip((1.0, -1.0), shares, strict=False):
            others = np.zeros(52)
            for card, p in share.items():
                others[CARDS.index(card)] = p
            ends.append(replace(index("4S", pose, sign), probability=share["4S"], others=others))
        (found,) = cards_of(ends, [], NO_CAMERA, CARD_MM)
        assert found.card == "4S"
        return found.is_plainly_read

    assert read({"4S": 0.98})
    assert not read({"4S": 0.95}), "the only witness of a name must be a better one"
    assert read({"4S": 0.95}, {"4S": 0.6, "4C": 0.3})
    assert not read({"4S": 0.99}, {"4S": 0.9, "9S": 0.07}), "pips do not say which rank it is"
    assert not read({"4S": 0.75}, {"4S": 0.75})
    assert not read({"4S": 0.95}, {"4S": 0.3, "4C": 0.6})


def test_pips_of_another_rank_contradict_an_index_and_a_covered_face_does_not() -> None:
    """On a plane of another scale the outline that an index gives lies amid a larger card's pips."""
    style = random_style(3)
    face = cv2.resize(draw_face(style, "9S"), None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    view = np.full((480, 480, 3), 60, np.uint8)
    top, left = (480 - face.shape[0]) // 2, (480 - face.shape[1]) // 2
    view[top : top + face.shape[0], left : left + face.shape[1]] = face
    K = pinhole((480, 480))
    camera = camera_over(CardPlane(np.array([0.0, 0.0, 3.0 / float(K[0, 0])]), 0.0), K, np.zeros(5), np.full(2, 239.5))
    size, pose = (style.width_mm, style.height_mm), CardPose.flat(0.0, 0.0, 0.0)
    for name, contradict in (("9S", False), ("3S", True), ("QS", False)):
        card = replace(cards_of([index(name, pose)], [], NO_CAMERA, CARD_MM)[0], pose=pose)
        (weighed,) = with_pips([card], view, camera, size, [])
        assert (weighed.card, weighed.pips_contradict) == (name, contradict)
        both = [replace(card, card="KH"), card]
        hidden = with_pips(both, view, camera, size, [(0, 1)])[1]
        assert not hidden.pips_contradict


def test_a_poor_index_says_the_name_where_a_corner_and_the_pips_say_that_a_card_lies_there() -> None:
    """What it may be besides counts, and not that it may be no index."""
    pose = CardPose.flat(0.0, 0.0, 0.0)

    def read(share: dict[str, float], *, pips_agree: bool, cornered: bool = True) -> bool:
        others = np.zeros(len(CARDS))
        for name, p in share.items():
            others[CARDS.index(name)] = p
        seen = replace(index("4C", pose), probability=share["4C"], others=others)
        card = replace(cards_of([seen], [], NO_CAMERA, CARD_MM)[0], pips_agree=pips_agree, cornered=cornered)
        return card.is_plainly_read

    assert read({"4C": 0.55}, pips_agree=True)
    assert not read({"4C": 0.55}, pips_agree=False)
    assert not read({"4C": 0.55}, pips_agree=True, cornered=False)
    assert not read({"4C": 0.55, "AC": 0.2}, pips_agree=True)


def test_a_court_both_of_whose_ends_are_seen_shows_its_picture() -> None:
    """A blurred nine had the look of a queen at both ends, and nine pips between them."""
    pose = CardPose.flat(0.0, 0.0, 0.0)
    others = np.zeros(len(CARDS))
    others[CARDS.index("QC")] = 0.985
    ends = [replace(index("QC", pose, sign), probability=0.985, others=others) for sign in (1.0, -1.0)]
    (queen,) = cards_of(ends, [], NO_CAMERA, CARD_MM)
    assert not queen.is_plainly_read
    assert replace(queen, pips_agree=True).is_plainly_read
    certain = [replace(end, probability=0.999, others=others * 0.999 / 0.985) for end in ends]
    assert cards_of(certain, [], NO_CAMERA, CARD_MM)[0].is_plainly_read
    others[CARDS.index("QS")] = 0.012  # a queen without doubt: only which one is less than certain
    of_suits = [replace(end, others=others) for end in ends]
    assert cards_of(of_suits, [], NO_CAMERA, CARD_MM)[0].is_plainly_read


def right_one(card: str, pose: CardPose) -> SeenIndex:
    """The index in the upper right corner, as packs with one in every corner have it."""
    top, bottom = pose.points(np.array([26.0, 26.0]), np.array([39.0, 24.0]))[:, :2]
    return replace(index(card, pose), top=top, bottom=bottom)


def test_two_indices_side_by_side_are_of_one_card() -> None:
    pose = CardPose.flat(20.0, -10.0, 35.0)
    cards = cards_of([right_one("TH", pose), index("TH", pose)], [], NO_CAMERA, CARD_MM)
    assert [card.card for card in cards] == ["TH"]
    assert np.abs(cards[0].pose.centre_mm[:2] - [20.0, -10.0]).max() < 3.0
    other = CardPose.flat(20.0, -10.0, 50.0)
    assert len(cards_of([right_one("TH", other), index("TH", pose)], [], NO_CAMERA, CARD_MM)) == 2


def corner_at(x: float, y: float, to: tuple[float, float], also: tuple[float, float]) -> Corners:
    """A corner on the plane with its two arms, as a camera straight above sees it."""
    at = np.array([[x, y], [x + to[0], y + to[1]], [x + also[0], y + also[1]]])
    seen = NO_CAMERA.project(np.column_stack([at, np.zeros(3)]))
    none = np.zeros((0, 2, 2))
    return Corners(seen[:1], seen[1:2], seen[2:], none, none)


def test_an_index_at_the_right_is_of_the_card_to_its_left_where_the_pack_has_such() -> None:
    """Another card of the pack says so; then the corner that is seen tells, or the card's other indices do."""
    plain, far = CardPose.flat(-120.0, 0.0, 0.0), CardPose.flat(40.0, 0.0, 0.0)
    pack = [index("TH", plain), right_one("TH", plain)]
    upper_right = corner_at(40.0 + 31.5, 44.0, (-40.0, 0.0), (0.0, -40.0))
    seen = cards_of([*pack, right_one("5C", far)], [upper_right], NO_CAMERA, CARD_MM)
    assert {card.card: card.cornered for card in seen} == {"TH": False, "5C": True}
    assert np.abs(seen[1].pose.centre_mm[:2] - far.centre_mm[:2]).max() < 1.0
    low_right = index("5C", far, -1.0)
    for both in ([right_one("5C", far), low_right], [low_right, right_one("5C", far)]):
        card = cards_of([*pack, *both], [upper_right], NO_CAMERA, CARD_MM)[-1]
        assert (card.card, len(card.indices)) == ("5C", 2)
        assert np.abs(card.pose.centre_mm[:2] - far.centre_mm[:2]).max() < 3.0
    alone = cards_of([right_one("5C", far)], [upper_right], NO_CAMERA, CARD_MM)
    assert not alone[0].cornered
