"""Cards are found at the places that are tried, named, and not made up."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from arena_cam.vision.tokens.cards import card_search
from arena_cam.vision.tokens.cards.card_search import CardSearch, LaidCard
from arena_cam.vision.tokens.cards.face_alignment import Plan
from arena_cam.vision.tokens.cards.print_votes import Place
from arena_cam.vision.tokens.cards.table_claims import Claims
from arena_cam.vision.tokens.view.table_view import SeenPrint
from arena_cam.vision.tokens.view.top_view import rigid_motion
from vision.tokens.scenes import PX_PER_MM, SIZE_MM, laid, small_prints, view_of

NONE = SeenPrint(np.zeros((0, 2)), np.zeros((0, 2)))


class Token:
    """A round piece far from all cards."""

    middle = np.array([20.0, 20.0])
    radius_mm = 9.0


def place(x: float, y: float, turn: float, *faces: int) -> Place:
    return Place(np.array([x, y, turn]), 8, faces, NONE)


def test_each_card_is_found_once_with_its_name() -> None:
    view = view_of(laid([("p-1", (90.0, 110.0, 0.0)), ("n-2", (160.0, 110.0, 0.1))]))
    tried = [place(90.8, 109.5, 0.01, 0), place(160.6, 110.5, 0.09, 3), place(92.0, 112.0, 0.0, 1)]
    found = CardSearch(small_prints()).search(view, tried)
    assert {small_prints().names[card.face] for card in found} == {"p-1", "n-2"}
    assert len(found) == 2
    assert all(card.ink > 0.8 for card in found)


@pytest.mark.parametrize(("votes", "kept"), [(2, 8), (40, 40)])
def test_a_card_keeps_the_keypoints_that_spoke_for_it_where_fewer_tell_it_again(votes: int, kept: int) -> None:
    """Without them it would be weak, and partners be looked for beside the others."""
    view, search = view_of(laid([("p-1", (90.0, 110.0, 0.0))])), CardSearch(small_prints())
    (card,) = search.search(view, [place(90.8, 109.5, 0.01, 0)])
    weak = replace(card, motion=card.motion + np.array([[0.0, 0.0, 1.0], [0.0, 0.0, 1.0]]), ink=0.4)
    (again,) = search.further(view, [replace(place(90.5, 110.5, 0.0, 0), votes=votes)], [weak], [Token()])
    assert again.score > weak.score
    assert again.votes == kept


def test_an_even_table_is_no_card() -> None:
    assert CardSearch(small_prints()).search(view_of(laid([])), [place(120.0, 110.0, 0.5, 0)]) == []


def test_what_a_card_explains_is_claimed() -> None:
    view = view_of(laid([("x-1", (120.0, 110.0, 0.0))]))
    (card,) = CardSearch(small_prints()).search(view, [place(120.0, 110.0, 0.0, 4)])
    claims = Claims(view, SIZE_MM, [card])
    assert claims.share(card.motion) > 0.9
    away = card.motion + np.array([[0.0, 0.0, 70.0], [0.0, 0.0, 0.0]])
    assert claims.share(away) == pytest.approx(0.0, abs=0.02)


def test_outlines_are_looked_for_only_once_it_is_known_what_lies_on_a_card(monkeypatch: pytest.MonkeyPatch) -> None:
    """A card half of which nothing explains: before tokens are known they may be what hides it."""
    picture, told = laid([("p-1", (90.0, 110.0, 0.0))]), list[bool]()
    picture[int(110 * PX_PER_MM) :, :] = 60
    view, search = view_of(picture), CardSearch(small_prints())
    card = search.looked_at(view, rigid_motion(np.array([90.0, 110.0, 0.0])), 0, 9, Claims(view, SIZE_MM))

    def noted(*_: object) -> list[NDArray[np.float64]]:
        told.append(True)
        return []

    monkeypatch.setattr(card_search, "rim_places", noted)
    search.search(view, [], [card])
    assert told == []
    search.search(view, [], [card], [Token()])
    assert told == [True]


@pytest.mark.parametrize(
    ("moved_mm", "plans"), [(0.1, [card_search.CLOSE]), (1.0, [card_search.CLOSE, card_search.WIDE])]
)
def test_a_card_that_a_close_look_leaves_where_it_lies_is_not_looked_at_widely(
    moved_mm: float, plans: list[tuple[Plan, ...]], monkeypatch: pytest.MonkeyPatch
) -> None:
    picture, told = laid([("p-1", (90.0, 110.0, 0.0))]), list[tuple[Plan, ...]]()
    picture[int(110 * PX_PER_MM) :, :] = 60
    view, search = view_of(picture), CardSearch(small_prints())
    card = search.looked_at(view, rigid_motion(np.array([90.0, 110.0, 0.0])), 0, 9, Claims(view, SIZE_MM))

    def settled(*asked: object) -> LaidCard:
        told.append(asked[-1])  # type: ignore[arg-type]
        return replace(card, motion=card.motion + np.array([[0.0, 0.0, moved_mm], [0.0, 0.0, 0.0]]))

    monkeypatch.setattr(CardSearch, "_settled", settled)
    search.search(view, [], [card])
    assert told == plans
