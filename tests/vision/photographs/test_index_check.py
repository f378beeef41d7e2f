"""Indices as a second witness to names: they agree, contradict, or belong to no card found."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from arena_cam.domain.doubts import Doubt
from arena_cam.domain.lies import Lie
from arena_cam.geometry.arrays import Array
from arena_cam.geometry.card_pose import CardPose
from arena_cam.vision.faces.deck_faces import DeckFaces
from arena_cam.vision.faces.picture_cache import PictureCache
from arena_cam.vision.indices.index_finder import CARDS, SeenIndex
from arena_cam.vision.photographs.index_check import (
    IndexCheck,
    IndexNames,
    beneath,
    check_indices,
    has_indices,
)
from arena_cam.vision.photographs.indexed.indexed_cards import pose_on_floor
from vision.photographs.indexed.test_indexed_cards import index
from vision.small import camera_above, lie

CAMERA = camera_above(2.0, (480, 400), tilt_deg=15.0)
CARD_MM = (63.0, 88.0)
HERE, AWAY = CardPose.flat(-30.0, 5.0, 20.0), CardPose.flat(300.0, 0.0, 20.0)


@pytest.fixture(scope="module")
def names(pack: DeckFaces) -> IndexNames:
    return IndexNames(pack)


def test_how_a_deck_s_indices_are_read_is_kept_for_the_next_start(
    pack: DeckFaces, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It takes seconds for 52 faces, and depends on nothing but their pictures and the reader's weights."""
    cache = PictureCache(tmp_path)
    first = IndexNames(DeckFaces(pack.deck, cache))
    seen = read_as("7S", 0.9)
    said = [first.likelihood(name, seen) for name in pack.names]
    monkeypatch.setattr(IndexNames, "_own", lambda *_: pytest.fail("read again"))
    again = IndexNames(DeckFaces(pack.deck, cache))
    assert [again.likelihood(name, seen) for name in pack.names] == said
    assert max(said) > 0.8


def test_only_the_faces_that_are_asked_for_are_read(pack: DeckFaces, monkeypatch: pytest.MonkeyPatch) -> None:
    """Fifty-two take as long as two pictures."""
    read = list[str]()

    def own(_: IndexNames, name: str) -> Array:
        read.append(name)
        return np.zeros(52)

    monkeypatch.setattr(IndexNames, "_own", own)
    names = IndexNames(DeckFaces(pack.deck))
    assert not names.may_be("AS", read_as("AS", 0.9))
    assert not names.may_be("AS", read_as("7S", 0.9))
    assert read == ["AS"]


def lying(card: str, pose: CardPose = HERE) -> Lie:
    a, b, c, d = ((float(x), float(y)) for x, y in CAMERA.project(pose.corners(*CARD_MM)))
    return replace(lie(card), corners_px=(a, b, c, d))


def read_as(card: str, probability: float, pose: CardPose = HERE, sign: float = 1.0) -> SeenIndex:
    others = np.zeros(52)
    others[CARDS.index(card)] = probability
    return replace(index(card, pose, sign), probability=probability, others=others)


def checked(names: IndexNames, *indices: SeenIndex, card: str = "AS") -> IndexCheck:
    return check_indices([lying(card)], indices, CAMERA, CARD_MM, names)


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_an_index_that_says_so_too_agrees(names: IndexNames, sign: float) -> None:
    check = checked(names, read_as("AS", 0.99, sign=sign))
    assert check.agreed == {"AS"}
    assert not check.wrong
    assert not check.doubted
    assert not check.left


def test_one_that_surely_says_otherwise_makes_the_name_wrong(names: IndexNames) -> None:
    check = checked(names, read_as("KD", 0.99))
    assert (check.wrong, check.doubted, check.agreed) == ({"AS": "KD"}, {}, frozenset())


def test_a_little_less_surely_it_is_a_doubt_and_less_than_that_nothing(names: IndexNames) -> None:
    assert checked(names, read_as("KD", 0.9)).doubted == {"AS": "KD"}
    check = checked(names, read_as("KD", 0.7))
    assert (check.wrong, check.doubted, check.left) == ({}, {}, ())


def test_an_index_that_agrees_outweighs_another_card_s_over_the_other_corner(names: IndexNames) -> None:
    check = checked(names, read_as("KD", 0.99), read_as("AS", 0.99, sign=-1.0))
    assert check.wrong == {}
    assert check.agreed == {"AS"}


def test_an_index_of_no_card_found_is_left(names: IndexNames) -> None:
    check = checked(names, read_as("KD", 0.95, AWAY), read_as("7S", 0.7, AWAY))
    assert [each.card for each in check.left] == ["KD"]


def test_an_index_within_a_card_that_prints_none_there_is_another_card_s() -> None:
    """A four that the deck lacks was surely called the two whose pips lie as two of its own, half a card aside."""
    aside = read_as("4H", 0.95, CardPose.flat(-12.0, 2.0, 20.0))
    lies = [lying("2H"), lying("3H", AWAY), replace(lying("?1"), card=None)]
    assert beneath([aside], lies, CAMERA, CARD_MM) == {"2H"}
    assert beneath([], lies, CAMERA, CARD_MM) == frozenset()


def test_a_card_face_down_has_no_name_to_contradict(names: IndexNames) -> None:
    down = replace(lying("?1"), card=None)
    check = check_indices([down], [read_as("KD", 0.95)], CAMERA, CARD_MM, names)
    assert check.wrong == {}
    assert [each.card for each in check.left] == ["KD"]


def test_a_face_s_own_index_is_read_as_that_face(names: IndexNames, pack: DeckFaces) -> None:
    for name in pack.names:
        assert names.may_be(name, read_as(name, 0.9))
        assert names.faces_of(read_as(name, 0.9))[0] == name
    assert not names.may_be("AS", read_as("KD", 0.9))
    assert names.faces_of(read_as("2C", 0.9)) == []  # the deck has none


def test_only_a_deck_named_like_an_ordinary_pack_has_indices(pack: DeckFaces, faces: DeckFaces) -> None:
    assert has_indices(pack.deck)
    assert not has_indices(faces.deck)
    joker = replace(pack.deck.cards[0], id="joker")
    assert has_indices(replace(pack.deck, cards=(*pack.deck.cards, joker)))
    assert not has_indices(replace(pack.deck, cards=(joker,)))


@pytest.mark.parametrize("turn", [0.0, 120.0, -70.0])
def test_the_pose_on_the_floor_is_that_of_the_corners(turn: float) -> None:
    true = CardPose.flat(-30.0, 25.0, turn)
    found = pose_on_floor(CAMERA, CAMERA.project(true.corners(*CARD_MM)))
    assert found.centre_mm[:2] == pytest.approx(true.centre_mm[:2], abs=1e-6)
    assert found.R[:, 0] == pytest.approx(true.R[:, 0], abs=1e-6)


def test_a_name_is_face_and_index_together(names: IndexNames) -> None:
    doubted = replace(
        lying("AS"),
        identity_probability=0.9,
        other_names=(("2S", 0.1),),
        sure=False,
        doubts=(Doubt.OTHER_CARD(card_other="2S"),),
    )
    told = names.told(doubted, [read_as("AS", 0.99)])
    assert told.sure
    assert told.identity_probability > 0.99
    assert not names.told(doubted, [read_as("KD", 0.99)]).sure
    assert names.told(doubted, []) is doubted


def test_an_index_that_says_otherwise_makes_a_sure_name_doubtful(names: IndexNames) -> None:
    known = replace(lying("AS"), identity_probability=0.999, other_names=(("2S", 0.001),))
    if "2S" in names.faces_of(read_as("2S", 0.99)):
        assert not names.told(known, [read_as("2S", 0.99)]).sure
    assert names.told(known, [read_as("AS", 0.99)]).identity_probability >= 0.999


def test_what_is_owned_is_kept_by_card(names: IndexNames) -> None:
    mark = read_as("AS", 0.99)
    assert checked(names, mark).owned == {"AS": (mark,)}


def test_indices_printed_in_light_ink_are_read_as_the_deck_prints_them(pack: DeckFaces, black_pack: DeckFaces) -> None:
    white, black = IndexNames(pack), IndexNames(black_pack)
    assert (white.on_black, black.on_black) == (False, True)
    for names in (white, black):
        assert names.likelihood("5C", read_as("5C", 0.99)) > 0.9
        assert names.likelihood("5C", read_as("7S", 0.99)) < 0.1
