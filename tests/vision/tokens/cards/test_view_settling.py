"""A view that is wrong far from its cards is set right by how they look in it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from arena_cam.vision.tokens.cards import view_settling
from arena_cam.vision.tokens.cards.card_search import CardSearch, LaidCard
from arena_cam.vision.tokens.cards.table_claims import Claims, Round
from arena_cam.vision.tokens.cards.view_settling import (
    all_over,
    as_print,
    card_grid,
    carried,
    moved_mm,
    settled_view,
)
from arena_cam.vision.tokens.view.card_sides import seen_corners
from arena_cam.vision.tokens.view.table_view import TableView, fit_table
from arena_cam.vision.tokens.view.top_view import TopView, rigid_motion, top_view
from vision.tokens.scenes import PX_PER_MM, SIZE_MM, laid, small_prints

Floats = NDArray[np.float64]

SIZE_PX = (900, 660)
# Straight above the middle of the picture, whose upper left corner is the table's origin.
FOCAL = 0.85 * max(SIZE_PX)
TRUE = TableView(FOCAL, np.array([449.5, 329.5]), 0.0, np.eye(3), np.array([-149.8, -109.8, FOCAL / PX_PER_MM]))
LAID = {"p-2": (70.0, 90.0, 0.1), "n-1": (220.0, 130.0, 0.3)}


def _askew() -> TableView:
    turn = np.asarray(cv2.Rodrigues(np.array([0.03, -0.02, 0.0]))[0], np.float64)
    return replace(TRUE, rotation=turn @ TRUE.rotation)


def _laid_askew(
    search: CardSearch, wrong: TableView, places: Mapping[str, tuple[float, float, float]]
) -> tuple[TopView, list[LaidCard]]:
    """The table in a wrong view, and the cards where their middles are seen in it."""
    view = top_view(laid(list(places.items())), wrong, np.array([[0.0, 0.0], [300.0, 220.0]]), 2.0)
    cards = []
    for name, place in places.items():
        at = wrong.to_mm(TRUE.to_px(np.array([place[:2]])))[0]
        motion = rigid_motion(np.array([*at, place[2]]))
        cards.append(search.looked_at(view, motion, small_prints().names.index(name), 20, Claims(view, SIZE_MM)))
    return view, cards


def test_cards_seen_askew_set_the_view_right() -> None:
    wrong, search = _askew(), CardSearch(small_prints())
    view, cards = _laid_askew(search, wrong, LAID)
    cards = [replace(search.as_seen(view, card)) for card in cards]
    after = settled_view(search, wrong, view, cards, SIZE_PX)
    assert moved_mm(TRUE, after, all_over(SIZE_PX)) < 0.4 * moved_mm(TRUE, wrong, all_over(SIZE_PX))


def test_sides_set_right_what_a_few_words_leave_open(monkeypatch: pytest.MonkeyPatch) -> None:
    """Print that tells next to nothing of a card's size leaves its view as wrong as it is; corners set it right, but
    for those that are another thing's. Where most are, nothing is set right."""
    three = {**LAID, "p-1": (145.0, 112.0, 0.05)}
    wrong, search = _askew(), CardSearch(small_prints())
    view, cards = _laid_askew(search, wrong, three)
    monkeypatch.setattr(view_settling, "_as_it_looks", lambda _search, _view, card, _covered: card)
    found, rng = seen_corners, np.random.default_rng(3)

    def off_mm(sd: float, astray: Callable[[Floats], Floats]) -> float:
        def seen(view: TopView, motion: Floats, *asked: Any) -> tuple[Floats, Floats]:
            mm, there = found(view, motion, *asked)
            return mm, there + astray(motion[:, 2] + np.zeros((len(mm), 2)))

        monkeypatch.setattr(CardSearch, "print_sd", lambda _self, _card: sd)
        monkeypatch.setattr(view_settling, "seen_corners", seen)
        return moved_mm(TRUE, settled_view(search, wrong, view, cards, SIZE_PX), all_over(SIZE_PX))

    by_print = off_mm(0.0, lambda at: 0.0 * at)
    assert off_mm(1.0, lambda at: 0.0 * at) < 0.3 * by_print
    assert off_mm(1.0, lambda at: 3.0 * ((np.arange(len(at)) == 1) & (at[:, 0] < 100.0))[:, None]) < 0.5 * by_print
    assert off_mm(1.0, lambda at: rng.uniform(-6.0, 6.0, at.shape)) == by_print


def test_a_view_in_which_a_card_fits_nowhere_is_told_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """A small card seen from afar looks nearly the same tilted either way: a second one tells which."""
    search = CardSearch(small_prints())
    view = top_view(laid([]), TRUE, np.array([[0.0, 0.0], [300.0, 220.0]]), 1.0)
    tilt, grid = np.asarray(cv2.Rodrigues(np.array([0.45, 0.0, 0.0]))[0], np.float64), card_grid(SIZE_MM)
    true = replace(TRUE, rotation=tilt, place=np.array([0.0, 0.0, 1200.0]))
    motions = [rigid_motion(np.array(place)) for place in ((0.0, 0.0, 0.1), (280.0, 190.0, 0.3))]
    prints = [as_print(true, grid, motion) for motion in motions]
    wrong = fit_table(prints[:1], SIZE_PX, replace(true, rotation=tilt.T))
    assert wrong is not None
    there = [search.looked_at(view, each.seen_at(wrong), 0, 20, Claims(view, SIZE_MM)) for each in prints]
    cards = [replace(card, ink=1.0, share=1.0) for card in there]

    def as_it_is(search: CardSearch, view: TopView, card: LaidCard, covered: Sequence[Round]) -> LaidCard:
        del search, view, covered
        return card

    monkeypatch.setattr(view_settling, "_as_it_looks", as_it_is)
    after = settled_view(search, wrong, view, cards, SIZE_PX)
    assert moved_mm(true, wrong, all_over(SIZE_PX)) > 100.0
    assert moved_mm(true, after, all_over(SIZE_PX)) < 5.0


def test_where_views_hardly_differ_they_have_not_moved_though_they_do_elsewhere() -> None:
    everywhere = all_over(SIZE_PX)
    here = everywhere[np.linalg.norm(everywhere - np.array([225.0, 165.0]), axis=1) < 160.0]
    assert moved_mm(TRUE, _askew(), here) < 0.5 * moved_mm(TRUE, _askew(), everywhere)


def test_a_card_that_moves_no_more_is_not_aligned_again(monkeypatch: pytest.MonkeyPatch) -> None:
    search, looked, as_seen = CardSearch(small_prints()), list[int](), CardSearch.as_seen
    view = top_view(laid(list(LAID.items())), TRUE, np.array([[0.0, 0.0], [300.0, 220.0]]), 2.0)
    motion = rigid_motion(np.array(LAID["p-2"]))
    card = search.looked_at(view, motion, small_prints().names.index("p-2"), 20, Claims(view, SIZE_MM))
    card = search.as_seen(view, search.as_seen(view, search.as_seen(view, card)))

    def noted(self: CardSearch, view: TopView, card: LaidCard, covered: Sequence[Round] = ()) -> LaidCard:
        looked.append(1)
        return as_seen(self, view, card, covered)

    monkeypatch.setattr(CardSearch, "as_seen", noted)
    settled_view(search, TRUE, view, [card], SIZE_PX)
    assert len(looked) == 1


def test_without_cards_the_view_stays() -> None:
    search = CardSearch(small_prints())
    view = top_view(laid([]), TRUE, np.array([[0.0, 0.0], [300.0, 220.0]]), 1.0)
    assert settled_view(search, TRUE, view, [], SIZE_PX) is TRUE


def test_a_card_is_carried_to_where_the_picture_shows_it() -> None:
    search = CardSearch(small_prints())
    view = top_view(laid([]), TRUE, np.array([[0.0, 0.0], [300.0, 220.0]]), 1.0)
    card = search.looked_at(view, rigid_motion(np.array([100.0, 80.0, 0.2])), 0, 9, Claims(view, SIZE_MM))
    moved = carried([card], TRUE, _askew(), SIZE_MM)[0]
    grid = card_grid(SIZE_MM)
    px = [
        camera.to_px(grid @ each.motion[:, :2].T + each.motion[:, 2])
        for camera, each in ((TRUE, card), (_askew(), moved))
    ]
    assert np.abs(px[0] - px[1]).max() < 8.0
    assert np.allclose(np.linalg.svd(moved.motion[:, :2], compute_uv=False), 1.0)
