"""What was laid first lies beneath the others: who covers whom tells which of several cards it is."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from arena_cam.geometry.card_pose import CardPose
from arena_cam.vision.faces.deck_faces import DeckFaces
from arena_cam.vision.reading.cards.face_comparison import Identity
from arena_cam.vision.reading.cards.known import Known
from arena_cam.vision.reading.cards.lies import FittedCard
from arena_cam.vision.reading.cards.naming import Found, boosted
from arena_cam.vision.reading.cards.stacking import FIRST_NATS, Overlap
from arena_cam.vision.reading.finding import settled_names
from arena_cam.vision.reading.finding.laid_first import named_by_order, nats_of_lying_lowest
from arena_cam.vision.reading.finding.settling import Pile, named_once, settle
from arena_cam.vision.reading.finding.sided_cards import fit_by_sides
from vision.reading.finding.blank_cards import known_of

HERE = CardPose.flat(12.0, -5.0, 20.0)


@pytest.fixture
def known(blank: DeckFaces, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Known:
    monkeypatch.setattr(blank, "are_alike", True)
    nothing = Identity(np.zeros(4), 100)
    monkeypatch.setattr(settled_names, "named_in_place", lambda _, fit, *__: (fit, nothing))
    return known_of(blank, tmp_path, ("card-2", HERE))


def hidden_card(known: Known, face: int, expected: bool = False) -> FittedCard:
    """A card of which nothing tells the name, taken for a `face`; as an `expected` one it is that one most likely."""
    fit = fit_by_sides(known, HERE)
    assert fit is not None
    (card,) = settle(known.scene, [Found(fit, Identity(40.0 * np.eye(4)[fit.face], 100))], ()).cards
    nothing, as_face = Identity(np.zeros(4), 100), replace(card.fit, face=face)
    return replace(card, fit=as_face, identity=boosted(nothing, face) if expected else nothing, expected=expected)


def over(a: int, b: int, nats: float, open_: bool = False) -> Overlap:
    return Overlap(a, b, 900.0, 0.51 if open_ else float(nats > 0.0), nats)


@pytest.mark.parametrize(
    ("pair", "against"),
    [
        (over(0, 1, 500.0), [5.0, 0.0]),
        (over(0, 1, -500.0), [0.0, 5.0]),
        (over(0, 1, 20.0), [2.2, 0.0]),  # hardly told
        (over(0, 1, 500.0, open_=True), [0.0, 0.0]),
        (over(0, 1, -FIRST_NATS), [0.0, 0.0]),  # the picture said nothing: 0 was taken for the lower one
    ],
)
def test_what_is_seen_over_another_card_was_hardly_laid_first(pair: Overlap, against: list[float]) -> None:
    assert nats_of_lying_lowest([], (0,), 2).tolist() == [0.0, 0.0]
    assert nats_of_lying_lowest([pair], (0,), 2) == pytest.approx(-np.array(against), abs=0.1)


@pytest.mark.parametrize("nats", [500.0, -500.0])
def test_of_two_cards_with_hidden_figures_the_lower_one_was_laid_first(known: Known, nats: float) -> None:
    """The upper one had been asked first, and was as likely to be it."""
    cards = [hidden_card(known, 2, expected=True), hidden_card(known, 1)]
    named = named_once(known.scene, Pile(cards, [over(0, 1, nats)], [1, 0] if nats > 0.0 else [0, 1]), [2])
    lower, upper = (1, 0) if nats > 0.0 else (0, 1)
    assert named.cards[lower].fit.face == named.cards[lower].placed.face == 2
    likely = [card.identity.probabilities()[2] for card in named.cards]
    assert likely[lower] > 0.6
    assert likely[upper] < 0.01
    assert named.cards[upper].fit.face != 2
    assert [card.expected for card in named.cards] == [nats < 0.0, False], "the lower one must show itself"


def test_a_card_over_others_keeps_its_name_where_no_other_may_have_it(known: Known) -> None:
    """What seems to lie beneath it may be its own shadow."""
    named, other = hidden_card(known, 2, expected=True), hidden_card(known, 1)
    sure = replace(other, identity=Identity(40.0 * np.eye(4)[1], 100))
    piles = [Pile([named, sure], [over(0, 1, nats)], [0, 1]) for nats in (500.0, -500.0)]
    above, beneath = (named_once(known.scene, pile, [2]).cards[0].identity.probabilities()[2] for pile in piles)
    assert above == beneath > 0.8


def test_the_name_stays_where_nothing_speaks_for_another_card(known: Known) -> None:
    cards = [hidden_card(known, 2, expected=True), hidden_card(known, 1)]
    assert named_by_order(cards, [known, known], 2) == cards
    assert named_by_order(cards, [known, known], 3) == cards
    assert named_by_order([], [], 2) == []
