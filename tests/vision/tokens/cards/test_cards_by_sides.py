"""A card is told where its sides are seen, either way up, and a partner by hardly more than those."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
import pytest
from numpy.typing import NDArray

from arena_cam.vision.tokens.cards import cards_by_sides
from arena_cam.vision.tokens.cards.card_groups import NEGATIVE, POSITIVE
from arena_cam.vision.tokens.cards.card_search import CardSearch, LaidCard
from arena_cam.vision.tokens.cards.cards_by_sides import SidedCards
from arena_cam.vision.tokens.cards.print_votes import Place
from arena_cam.vision.tokens.cards.table_claims import Claims
from arena_cam.vision.tokens.view.slid_faces import FaceSlider, SlidFaces
from arena_cam.vision.tokens.view.table_view import NOTHING_SEEN
from arena_cam.vision.tokens.view.top_view import TopView, rigid_motion
from vision.tokens.scenes import RADIUS_MM, laid, small_prints, view_of

TRUE = (160.0, 110.0, 0.1)


@dataclass(frozen=True)
class Disc:
    middle: NDArray[np.float64]
    radius_mm: float


def sided() -> SidedCards:
    prints = small_prints()
    return SidedCards(CardSearch(prints), FaceSlider(prints))


def place(x: float, y: float, turn: float) -> Place:
    return Place(np.array([x, y, turn]), 0, (), NOTHING_SEEN)


def looked_at(view: TopView, name: str, at: tuple[float, float, float]) -> LaidCard:
    prints = small_prints()
    face = prints.names.index(name)
    return CardSearch(prints).looked_at(view, rigid_motion(np.array(at)), face, 9, Claims(view, prints.size_mm))


@pytest.mark.parametrize("taken_for", [(160.0, 110.0, 0.1 + math.pi), (156.0, 115.0, 0.17)])
def test_a_card_taken_for_another_upside_down_or_aside_is_told_in_its_place(
    taken_for: tuple[float, float, float],
) -> None:
    view = view_of(laid([("n-1", TRUE)]))
    wrong = looked_at(view, "x-1", taken_for)
    told = sided().told_again(view, wrong, Claims(view, small_prints().size_mm))
    assert small_prints().names[told.face] == "n-1"
    assert np.linalg.norm(told.middle - TRUE[:2]) < 1.0
    assert abs(told.turn - TRUE[2]) < 0.03
    assert told.score > wrong.score


def test_a_card_that_is_well_seen_stays_as_it_is() -> None:
    view = view_of(laid([("n-1", TRUE)]))
    card = replace(looked_at(view, "n-1", TRUE), ink=0.95)
    assert sided().told_again(view, card, Claims(view, small_prints().size_mm)) is card


def test_a_card_whose_own_face_leads_plainly_in_its_place_is_looked_for_nowhere_else(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def unasked(*_: object) -> list[NDArray[np.float64]]:
        raise AssertionError

    view = view_of(laid([("n-1", TRUE)]))
    card = replace(looked_at(view, "n-1", (TRUE[0] + 1.0, TRUE[1] - 1.0, TRUE[2])), ink=0.5)
    monkeypatch.setattr(cards_by_sides, "rim_places", unasked)
    told = sided().told_again(view, card, Claims(view, small_prints().size_mm))
    assert told.face == card.face
    assert np.linalg.norm(told.middle - TRUE[:2]) < 0.8
    monkeypatch.setattr(cards_by_sides, "PLAINLY_TOLD", np.inf)
    with pytest.raises(AssertionError):
        sided().told_again(view, card, Claims(view, small_prints().size_mm))


def test_the_sides_tell_the_place_within_half_a_millimetre() -> None:
    view = view_of(laid([("n-1", TRUE)]))
    claims = Claims(view, small_prints().size_mm)
    at, nats = sided().by_sides(view, np.array([161.5, 108.5, 0.1 + math.radians(2.0)]), claims.map == 0)
    assert np.linalg.norm(at[:2] - TRUE[:2]) < 0.8
    assert abs(at[2] - TRUE[2]) < math.radians(1.1)
    assert nats > 3.0
    cloth = sided().by_sides(view, np.array([60.0, 110.0, 0.1]), claims.map == 0)[1]
    assert cloth < 0.0
    assert sided().by_sides(view, np.array(TRUE), claims.map < 0)[1] < 0.0, "nothing is open"


def test_a_partner_of_which_tokens_hide_all_words_is_told_by_its_sides() -> None:
    middles = [(x, y) for x in (140.0, 161.0, 180.0) for y in (92.0, 111.0, 126.0)]
    tokens = [("no", (*at, 0.4)) for at in middles]
    view = view_of(laid([("p-1", (80.0, 110.0, 0.0)), ("n-1", TRUE)], tokens))
    known = looked_at(view, "p-1", (80.0, 110.0, 0.0))
    claims = Claims(view, small_prints().size_mm, [known], [Disc(np.array(at), RADIUS_MM) for at in middles])
    guesses = [place(250.0, 110.0, 0.0), place(161.5, 109.0, 0.12), place(80.0, 110.0, 0.0)]
    card = sided().partner(view, known, NEGATIVE, guesses, claims)
    assert card is not None
    assert np.linalg.norm(card.middle - TRUE[:2]) < 1.5
    assert small_prints().kinds[card.face] == NEGATIVE


def test_bare_cloth_and_a_card_of_the_other_kind_are_no_partner() -> None:
    view = view_of(laid([("p-1", (80.0, 110.0, 0.0)), ("p-2", TRUE)]))
    known = looked_at(view, "p-1", (80.0, 110.0, 0.0))
    claims = Claims(view, small_prints().size_mm, [known])
    assert sided().partner(view, known, NEGATIVE, [place(250.0, 110.0, 0.0)], claims) is None
    assert sided().partner(view, known, NEGATIVE, [place(*TRUE)], claims) is None
    assert sided().partner(view, known, POSITIVE, [place(*TRUE)], claims) is not None


FAN = {"p-1": (95.0, 108.0, -0.06), "n-1": (141.0, 111.0, 0.02), "x-1": (185.0, 112.0, 0.1)}


@pytest.mark.parametrize("order", [("n-1", "p-1", "x-1"), ("p-1", "n-1", "x-1"), ("x-1", "n-1", "p-1")])
@pytest.mark.parametrize("way", [0.0, math.pi])
def test_the_middle_card_of_a_fan_lies_between_the_others_beneath_both_or_over_one(
    order: tuple[str, ...], way: float
) -> None:
    """Of a card that it covers the paper is the same: taken for that one's it had a strip too narrow to be told."""
    places = {**FAN, "n-1": (*FAN["n-1"][:2], FAN["n-1"][2] + way)}
    view = view_of(laid([(name, places[name]) for name in order]))
    pair = looked_at(view, "p-1", FAN["p-1"]), looked_at(view, "x-1", FAN["x-1"])
    told = sided().amid(view, pair, NEGATIVE, pair, [])
    assert told is not None
    card, nats = told
    assert np.linalg.norm(card.middle - FAN["n-1"][:2]) < 1.5
    assert abs(math.remainder(card.turn - FAN["n-1"][2], math.pi)) < math.radians(2.0)
    assert small_prints().kinds[card.face] == NEGATIVE
    assert card.by_sides
    claims = Claims(view, small_prints().size_mm, pair)
    elsewhere = [place(150.0, 190.0, 0.0), place(60.0, 60.0, 0.0)]
    assert sided().partner(view, pair[0], NEGATIVE, elsewhere, claims, (card, nats)) is card


@pytest.mark.parametrize("apart", [(70.0, 215.0), (95.0, 157.0)])
def test_between_cards_that_lie_apart_or_side_by_side_lies_none(apart: tuple[float, float]) -> None:
    left, right = ((x, 110.0, 0.0) for x in apart)
    view = view_of(laid([("p-1", left), ("x-1", right)]))
    pair = looked_at(view, "p-1", left), looked_at(view, "x-1", right)
    assert sided().amid(view, pair, NEGATIVE, pair, []) is None


@pytest.mark.parametrize(("name", "covered", "found"), [("x-1", 9, True), ("x-1", 0, True), ("p-2", 0, False)])
def test_a_third_card_is_a_neutral_one_however_many_tokens_lie_on_it(name: str, covered: int, found: bool) -> None:
    middles = [(x, y) for x in (140.0, 161.0, 180.0) for y in (92.0, 111.0, 126.0)][:covered]
    view = view_of(laid([("p-1", (80.0, 110.0, 0.0)), (name, TRUE)], [("no", (*at, 0.4)) for at in middles]))
    known = looked_at(view, "p-1", (80.0, 110.0, 0.0))
    claims = Claims(view, small_prints().size_mm, [known], [Disc(np.array(at), RADIUS_MM) for at in middles])
    guesses = [place(250.0, 110.0, 0.0), place(161.5, 109.0, 0.12), place(80.0, 110.0, 0.0)]
    cards = sided().thirds(view, known, guesses, [known], claims)
    assert [small_prints().names[card.face] for card in cards] == ["x-1"] * found
    assert all(np.linalg.norm(card.middle - TRUE[:2]) < 1.5 for card in cards)


def test_a_third_card_of_which_tokens_hide_all_words_lies_there_as_well(monkeypatch: pytest.MonkeyPatch) -> None:
    """Missed, its tokens lay on nothing, and its dilemma was sure; tokens beside bare cloth make no card."""
    middles = [(x, y) for x in (140.0, 161.0, 180.0) for y in (92.0, 111.0, 126.0)]
    discs = [Disc(np.array(at), RADIUS_MM) for at in middles]
    looked = CardSearch.looked_at
    monkeypatch.setattr(CardSearch, "looked_at", lambda *asked: replace(looked(*asked), ink=0.0))
    monkeypatch.setattr(SlidFaces, "lead", lambda *_: 0.0)
    for third, count in (([("x-1", TRUE)], 1), ([], 0)):
        picture = laid([("p-1", (80.0, 110.0, 0.0)), *third], [("no", (*at, 0.4)) for at in middles])
        view = view_of(picture)
        known = looked_at(view, "p-1", (80.0, 110.0, 0.0))
        claims = Claims(view, small_prints().size_mm, [known], discs)
        cards = sided().thirds(view, known, [place(161.5, 109.0, 0.12)], [known], claims)
        assert [card.by_sides for card in cards] == [True] * count
