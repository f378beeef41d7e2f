"""What tokens cover is nobody's print, and is not taken for a card."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from arena_cam.vision.tokens.cards.table_claims import CARD, ROUND, Claims
from arena_cam.vision.tokens.view.top_view import rigid_motion
from vision.tokens.scenes import SIZE_MM, laid, view_of


@dataclass(frozen=True, eq=False)
class Disc:
    middle: NDArray[np.float64]
    radius_mm: float


def test_a_token_hides_print_but_explains_no_card() -> None:
    claims = Claims(view_of(laid([])), SIZE_MM, covered=[Disc(np.array([100.0, 110.0]), 12.0)])
    there = rigid_motion(np.array([100.0, 110.0, 0.0]))
    assert 0.08 < claims.on(there).mean() < 0.14  # a disc of 13.8 mm on 60 x 90 mm
    assert claims.share(there) == 0.0


def test_about_reads_the_same_map_at_another_scale() -> None:
    claims = Claims(view_of(laid([])), SIZE_MM, covered=[Disc(np.array([100.0, 110.0]), 12.0)])
    about = claims.about(np.array([80.0, 90.0]), 20, 0.5)
    assert about[9:11, 9:11].all()
    assert not about[0].any()
    assert set(np.unique(claims.map)) == {0, ROUND}
    assert CARD != ROUND


@dataclass(frozen=True, eq=False)
class Card:
    motion: NDArray[np.float64]
    explained: NDArray[np.bool_]


def test_claims_that_grow_card_by_card_are_those_of_all_cards_also_where_one_reaches_out_of_the_view() -> None:
    view = view_of(laid([]))
    whole = np.ones((round(SIZE_MM[1]), round(SIZE_MM[0])), bool)
    places = ((100.0, 110.0, 0.4), (5.0, 3.0, 1.0), (-200.0, 0.0, 0.0))
    cards = [Card(rigid_motion(np.array(place)), whole) for place in places]
    disc = Disc(np.array([100.0, 110.0]), 12.0)
    at_once = Claims(view, SIZE_MM, cards, [disc])
    grown = Claims(view, SIZE_MM, (), [disc])
    before = grown.map
    for card in cards:
        grown.add(card)
    assert np.array_equal(grown.map, at_once.map)
    assert not (before == CARD).any()
    assert grown.share(cards[0].motion) > 0.9 - 0.14
    assert 0.0 < grown.share(cards[1].motion) < 0.9


def test_what_is_free_is_told_anew_once_a_card_is_claimed() -> None:
    claims, whole = Claims(view_of(laid([])), SIZE_MM), np.ones((round(SIZE_MM[1]), round(SIZE_MM[0])), bool)
    assert claims.free.all()
    claims.add(Card(rigid_motion(np.array([100.0, 110.0, 0.4])), whole))
    assert np.array_equal(claims.free, claims.map == 0)
    assert not claims.free.all()
    assert claims.free is claims.free
