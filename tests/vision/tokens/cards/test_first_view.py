"""Which view of the table to begin with."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from arena_cam.vision.printed.keypoints import Matches, of_photograph
from arena_cam.vision.tokens.cards import first_view
from arena_cam.vision.tokens.cards.card_search import CardSearch
from arena_cam.vision.tokens.view.table_view import TableView
from vision.tokens.scenes import PX_PER_MM, SIZE_MM, laid, small_prints

FOCAL = 765.0
CARDS = [("p-2", (70.0, 110.0, 0.1)), ("n-1", (145.0, 110.0, 0.0)), ("p-1", (240.0, 110.0, -0.1))]


@cache
def picture() -> NDArray[np.uint8]:
    return laid(CARDS)


@cache
def matches() -> Matches:
    return small_prints().keypoints().matches(of_photograph(picture(), 1300))


@cache
def search() -> CardSearch:
    return CardSearch(small_prints())


def from_above() -> TableView:
    """The view that `laid` draws: PX_PER_MM, straight from above."""
    middle = (np.array(picture().shape[1::-1]) - 1) / 2
    place = np.array([*(-(middle + 0.5) / PX_PER_MM), FOCAL / PX_PER_MM])
    return TableView(FOCAL, middle, 0.0, np.eye(3), place)


def test_the_true_view_is_clear_and_has_the_cards_where_they_lie() -> None:
    found = first_view.looked_at(picture(), from_above(), matches(), search())
    assert found.is_clear
    middles = np.array([motion[:, 2] for motion in found.motions[:3]])
    for _, at in CARDS:
        assert np.linalg.norm(middles - at[:2], axis=1).min() < 3.0


def test_a_view_that_no_face_shows_is_told_where_many_keypoints_of_two_cards_agree(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Tokens cover the faces, but not what their keypoints need."""
    monkeypatch.setattr(first_view, "CLEAR", 1.1)
    found = first_view.looked_at(picture(), from_above(), matches(), search())
    assert not found.is_clear
    assert found.is_told
    one = np.flatnonzero(np.linalg.norm(matches().px / PX_PER_MM - CARDS[0][1][:2], axis=1) < 50.0)
    alone = matches().only(np.isin(np.arange(len(matches().mm)), one))
    assert not first_view.looked_at(picture(), from_above(), alone, search()).is_told


def test_no_more_is_looked_at_than_tells_that_a_view_shows_cards(monkeypatch: pytest.MonkeyPatch) -> None:
    looks: list[bool] = []
    roughly = CardSearch.roughly

    def noted(*args: Any) -> tuple[float, NDArray[np.float64]]:
        looks.append(True)
        return roughly(*args)

    monkeypatch.setattr(CardSearch, "roughly", noted)
    nearer = replace(from_above(), place=from_above().place * 0.8)
    for told, camera, shown, most in (
        (13, from_above(), True, 0),
        (999, from_above(), True, 2),
        (999, nearer, False, 14),
    ):
        monkeypatch.setattr(first_view, "TOLD", told)
        looks.clear()
        assert first_view.shows_cards(picture(), camera, matches(), search()) is shown
        assert len(looks) <= most


def test_more_speaks_for_the_true_view_than_for_a_nearer_one() -> None:
    true = from_above()
    nearer = replace(true, place=true.place * 0.8)
    looked = [first_view.looked_at(picture(), view, matches(), search()).proof for view in (true, nearer)]
    assert looked[0] > 1.5 * looked[1]


def test_a_view_with_nothing_in_it_has_only_its_outlines() -> None:
    far = replace(from_above(), place=from_above().place * 20.0)
    found = first_view.looked_at(picture(), far, matches(), search(), outlines=10.0)
    assert not found.is_clear
    assert found.proof < 0.2


def test_outlines_tell_a_view_in_which_cards_have_their_size() -> None:
    views = first_view.by_outlines(picture(), matches(), search())
    best = max(views, key=lambda view: view.proof).camera
    sides = []
    for _, (x, y, turn) in CARDS:
        across = np.array([[x, y], [x + np.cos(turn), y + np.sin(turn)]]) * PX_PER_MM - 0.5
        first, second = best.to_mm(across)
        sides.append(float(np.linalg.norm(second - first)) * SIZE_MM[0])
    assert np.abs(np.array(sides) / SIZE_MM[0] - 1.0).max() < 0.08
