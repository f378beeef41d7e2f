"""A whole table: what lies together, whose it is, and what lies on it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from arena_cam.formats.dilemmas.dilemma_line import dilemmas_in_words, dilemmas_to_json
from arena_cam.vision.tokens import token_table
from arena_cam.vision.tokens.cards.card_reader import CardReader, SeenTable
from arena_cam.vision.tokens.cards.card_search import LaidCard
from arena_cam.vision.tokens.discs import token_trust
from arena_cam.vision.tokens.discs.missed_tokens import SecondLook
from arena_cam.vision.tokens.discs.token_search import SeenDisc
from arena_cam.vision.tokens.final_names import Namer
from arena_cam.vision.tokens.left_over import Leftovers
from arena_cam.vision.tokens.stack_picture import StackSearch
from arena_cam.vision.tokens.token_table import TokenTableReader
from vision.tokens.scenes import laid, small_set


@pytest.fixture(scope="module")
def reader() -> TokenTableReader:
    return TokenTableReader(small_set())


def test_a_dilemma_with_its_tokens_and_its_owner(reader: TokenTableReader) -> None:
    cards = [("p-1", (100.0, 110.0, 0.0)), ("n-2", (164.0, 110.0, 0.0))]
    tokens = [("yes", (95.0, 90.0, 0.4)), ("no", (150.0, 125.0, 2.0)), ("yes", (259.0, 40.0, 0.0))]
    photograph = laid(cards, [*tokens, ("red", (50.0, 110.0, 0.0))])
    reading = reader.read(photograph, "p.jpg")
    line = dilemmas_to_json(reading)
    (dilemma,) = line["dilemmas"]
    assert (dilemma["positive"], dilemma["negative"], dilemma["neutral"]) == ("p-1", "n-2", None)
    assert dilemma["tokens"] == {"yes": 1, "no": 1, "super_yes": 0, "super_no": 0, "hidden": 0}
    assert dilemma["owner"] == "red"
    assert line["elsewhere"] == {"yes": 1}
    assert "p-1 + n-2: 1 yes, 1 no" in dilemmas_in_words(reading)
    head, of_it, elsewhere = dilemmas_in_words(reading, "fr").splitlines()
    assert head == f"p.jpg: 1 dilemme{'' if reading.sure else ' - pas sûr'}"
    assert "p-1 + n-2: 1 oui, 1 non" in of_it
    assert elsewhere == "  ailleurs : 1 oui"


def test_what_looks_like_a_token_is_told_with_where_it_is_seen(reader: TokenTableReader) -> None:
    """Counted or not: the trust in tokens is fitted to it."""
    cards = [("p-1", (100.0, 110.0, 0.0)), ("n-2", (164.0, 110.0, 0.0))]
    found = reader.candidates(laid(cards, [("yes", (95.0, 90.0, 0.4)), ("no", (150.0, 125.0, 2.0))]))
    assert {disc.kind for disc, _, _ in found} >= {0, 1}
    for disc, at, radius in found:
        if token_trust.is_token(disc):
            assert min(np.linalg.norm(at - 3.0 * np.array(true)) for true in ((95.0, 90.0), (150.0, 125.0))) < 4.0
            assert radius == pytest.approx(36.0, rel=0.05)
            assert disc.lead is not None
    assert reader.candidates(np.full((200, 300, 3), 90, np.uint8)) == []


def test_a_card_without_its_partner_is_asked_about_with_less_confidence(reader: TokenTableReader) -> None:
    """The partner that is not seen may bear a token."""
    (dilemma,) = reader.read(laid([("p-1", (100.0, 110.0, 0.0))], [("yes", (95.0, 90.0, 0.4))]), "p.jpg").dilemmas
    assert (dilemma.positive, dilemma.negative) == ("p-1", None)
    assert "partner_unseen" in [doubt.code for doubt in dilemma.doubts]
    assert dilemma.confidence <= 0.65


def _compared(*given: Any) -> list[SeenDisc]:
    """The tokens, those of one kind likelier shadows."""
    return [replace(token, over_scene=-5.0) if token.kind == 1 else token for token in given[-1]]


def test_what_is_likelier_a_shadow_is_asked_about_and_not_counted(
    reader: TokenTableReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Cards and other tokens in shade explain it better, though not by so much that it is none."""
    monkeypatch.setattr(token_table, "compared_with_scene", _compared)
    cards = [("p-1", (60.0, 110.0, 0.0)), ("n-2", (124.0, 110.0, 0.0))]
    picture = laid(cards, [("yes", (55.0, 90.0, 0.4)), ("no", (120.0, 90.0, 0.4)), ("no", (240.0, 60.0, 0.0))])
    reading = reader.read(picture, "p.jpg")
    (dilemma,) = reading.dilemmas
    assert [token.kind for token in dilemma.tokens] == ["yes"]
    assert [doubt.code for doubt in dilemma.doubts] == ["something_unknown"]
    assert [token.kind for token in reading.elsewhere] == ["no"], "of the cloth nothing is known that would explain it"


def test_what_is_hardly_a_token_where_it_is_laid_is_asked_about_on_the_cards_that_it_reaches(
    reader: TokenTableReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Most of it lies on the cloth. But what spoke for it may lie on the card, and the token that this is, too."""
    monkeypatch.setattr(token_table, "compared_with_scene", _compared)
    cards = [("p-1", (60.0, 110.0, 0.0)), ("n-2", (124.0, 110.0, 0.0))]
    reading = reader.read(laid(cards, [("yes", (55.0, 90.0, 0.4)), ("no", (160.0, 90.0, 0.4))]), "p.jpg")
    (dilemma,) = reading.dilemmas
    assert [token.kind for token in dilemma.tokens] == ["yes"]
    assert [doubt.code for doubt in dilemma.doubts] == ["something_unknown"]
    assert reading.elsewhere == ()


def test_an_even_picture_is_asked_about(reader: TokenTableReader) -> None:
    reading = reader.read(np.full((480, 640, 3), 128, np.uint8), "p.jpg")
    assert not reading.sure
    assert [doubt.code for doubt in reading.doubts] == ["no_dilemma"]


def test_a_truer_view_in_which_no_card_is_seen_is_not_taken(
    reader: TokenTableReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    picture = laid([("p-1", (60.0, 110.0, 0.0)), ("n-2", (124.0, 110.0, 0.0))], [("yes", (55.0, 90.0, 0.4))])
    monkeypatch.setattr(CardReader, "truer", lambda *asked: _without_cards(*asked[2:]))
    (dilemma,) = reader.read(picture, "p.jpg").dilemmas
    assert (dilemma.positive, dilemma.negative) == ("p-1", "n-2")


def test_partners_are_looked_for_once_though_the_view_is_settled_anew(
    reader: TokenTableReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[SeenTable] = []
    found = CardReader.with_partners

    def with_partners(self: CardReader, table: SeenTable, tokens: Sequence[SeenDisc]) -> SeenTable:
        told.append(table)
        return found(self, table, tokens)

    picture = laid([("p-1", (60.0, 110.0, 0.0)), ("n-2", (124.0, 110.0, 0.0))], [("yes", (55.0, 90.0, 0.4))])
    monkeypatch.setattr(CardReader, "truer", lambda *asked: asked[2] if asked[3:] else None)
    monkeypatch.setattr(CardReader, "with_partners", with_partners)
    (dilemma,) = reader.read(picture, "p.jpg").dilemmas
    assert (dilemma.positive, dilemma.negative, len(dilemma.tokens)) == ("p-1", "n-2", 1)
    assert len(told) == 1


def test_a_table_whose_cards_are_none_after_all_is_asked_about(
    reader: TokenTableReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    picture = laid([("p-1", (60.0, 110.0, 0.0)), ("n-2", (124.0, 110.0, 0.0))], [("yes", (55.0, 90.0, 0.4))])
    monkeypatch.setattr(CardReader, "with_partners", lambda *asked: replace(asked[1], cards=[]))
    monkeypatch.setattr(CardReader, "truer", lambda *_: None)
    reading = reader.read(picture, "p.jpg")
    assert reading.dilemmas == ()
    assert [doubt.code for doubt in reading.doubts] == ["no_dilemma"]
    assert reader.candidates(picture) == []


def _without_cards(table: SeenTable, covered: Sequence[SeenDisc] = ()) -> SeenTable | None:
    """The table with no card in it, once tokens are known; the first look is left alone."""
    return replace(table, cards=[]) if covered else None


def test_tokens_on_a_card_that_nobody_recognised_make_its_dilemma_unsure(
    reader: TokenTableReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It may be their neutral one, if it lies near: of two such tokens one does."""
    near, far = 70.0, 190.0
    monkeypatch.setattr(
        CardReader, "on_paper", lambda _self, _view, cards, _tokens: [_right_of(cards, each) for each in (near, far)]
    )
    picture = laid([("p-1", (60.0, 110.0, 0.0)), ("n-2", (124.0, 110.0, 0.0))])
    (dilemma,) = reader.read(picture, "p.jpg").dilemmas
    assert [(doubt.code, dict(doubt.params)["count"]) for doubt in dilemma.doubts] == [("tokens_elsewhere", 1)]


def _right_of(cards: list[LaidCard], away: float) -> NDArray[np.float64]:
    """A place so far (mm) from the middle of the right card, away from the left one."""
    left, right = sorted(cards, key=lambda card: card.face)
    way = right.middle - left.middle
    return np.asarray(right.middle + away * way / np.linalg.norm(way))


def test_a_token_at_an_odd_rim_is_compared_with_the_print_it_lies_on(
    reader: TokenTableReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The card's own print is seen there and explains a rim: it is trusted less than its likeness alone says."""

    def at_rims(
        _self: object, _view: object, _lights: object, _known: object, middles: list[Any], _told: object
    ) -> list[SeenDisc]:
        return [SeenDisc(1, middles[0], 12.0, 0.8, 0.9, 0.8, 0.3, 0.8)]

    monkeypatch.setattr(SecondLook, "at_rims", at_rims)
    monkeypatch.setattr(
        TokenTableReader, "_odd", lambda _self, _table, _edges, group, *_: ([group.cards[0].middle], [])
    )
    (dilemma,) = reader.read(laid([("p-1", (60.0, 110.0, 0.0)), ("n-2", (124.0, 110.0, 0.0))]), "p.jpg").dilemmas
    (token,) = dilemma.tokens
    assert token.confidence < token_trust.confidence(SeenDisc(1, np.zeros(2), 12.0, 0.8, 0.9, 0.8, 0.3, 0.8)) - 0.01


@pytest.mark.parametrize(("lead", "counted", "is_asked"), [(0.5, 1, True), (0.05, 0, True), (-0.05, 0, False)])
def test_a_token_is_looked_for_in_a_strip_that_is_like_one(
    reader: TokenTableReader, monkeypatch: pytest.MonkeyPatch, lead: float, counted: int, is_asked: bool
) -> None:
    """What may be one is asked about, and shadows are not."""

    def at_rims(
        _self: object, _view: object, _lights: object, _known: object, middles: list[Any], _told: object
    ) -> list[SeenDisc]:
        return [SeenDisc(1, middle, 12.0, 0.8, 0.9, 0.8, 0.3, 0.8) for middle in middles]

    monkeypatch.setattr(SecondLook, "at_rims", at_rims)
    monkeypatch.setattr(TokenTableReader, "_strip", lambda _self, table, *_: (lead, table.cards[0].middle))
    (dilemma,) = reader.read(laid([("p-1", (60.0, 110.0, 0.0)), ("n-2", (124.0, 110.0, 0.0))]), "p.jpg").dilemmas
    assert len(dilemma.tokens) == counted
    assert ("something_unknown" in [doubt.code for doubt in dilemma.doubts]) == is_asked


@pytest.mark.parametrize(("share", "told"), [(0.9, True), (0.2, False)])
def test_a_token_beneath_others_that_would_lie_beside_the_cards_is_not_asked_about(
    reader: TokenTableReader, monkeypatch: pytest.MonkeyPatch, share: float, told: bool
) -> None:
    """Of a strip at a card's edge most of the token would lie on the cloth, where nothing hides it."""
    asked: list[Any] = []

    def between(_self: object, _ground: object, *_: object) -> list[Any]:
        return [np.array([60.0, 110.0])]

    def token_lead(_search: object, _table: object, _colours: object, at: Any) -> float:
        asked.append(at)
        return -1.0

    monkeypatch.setattr(Leftovers, "between", between)
    monkeypatch.setattr(token_table, "token_lead", token_lead)
    monkeypatch.setattr(token_table, "share_on", lambda *_: share)
    reader.read(laid([("p-1", (60.0, 110.0, 0.0)), ("n-2", (124.0, 110.0, 0.0))]), "p.jpg")
    assert bool(asked) is told


@pytest.mark.parametrize(("moved_mm", "times"), [(2.0, 2), (0.1, 1)])
def test_what_is_left_over_is_asked_about_with_cards_laid_as_named(
    reader: TokenTableReader, monkeypatch: pytest.MonkeyPatch, moved_mm: float, times: int
) -> None:
    asked: list[list[LaidCard]] = []

    def asked_about(_self: object, *now: Any) -> tuple[list[SeenDisc], list[int]]:
        asked.append([card for group in now[2] for card in group.cards])
        return now[4], [2 - len(asked) for _ in now[2]]

    def laid_as_named(_self: object, _table: object, card: LaidCard, _tokens: object) -> LaidCard:
        return replace(card, motion=card.motion + np.array([[0.0, 0.0, moved_mm], [0.0, 0.0, 0.0]]))

    monkeypatch.setattr(TokenTableReader, "_asked_about", asked_about)
    monkeypatch.setattr(Namer, "laid_as_named", laid_as_named)
    (dilemma,) = reader.read(laid([("p-1", (60.0, 110.0, 0.0)), ("n-2", (124.0, 110.0, 0.0))]), "p.jpg").dilemmas
    assert len(asked) == times
    assert all(now.middle[0] == was.middle[0] + moved_mm for was, now in zip(asked[0], asked[-1], strict=True)) == (
        times == 2
    )
    assert ("something_unknown" in [doubt.code for doubt in dilemma.doubts]) == (times == 1)


@pytest.mark.parametrize("like_print", [False, True])
def test_what_stacks_hide_where_nothing_else_is_left_is_asked_about_unless_it_is_like_print(
    reader: TokenTableReader, monkeypatch: pytest.MonkeyPatch, like_print: bool
) -> None:
    asked: list[SeenDisc] = []

    def hidden(_self: StackSearch, tokens: Sequence[SeenDisc], *_: Any) -> SeenDisc:
        asked.append(replace(tokens[0], middle=tokens[0].middle + 20.0))
        return asked[-1]

    def unlike(_self: TokenTableReader, _table: Any, _known: Any, discs: Sequence[SeenDisc]) -> list[SeenDisc]:
        return [] if like_print else [disc for disc in discs if disc in asked]

    monkeypatch.setattr(StackSearch, "hidden", hidden)
    monkeypatch.setattr(TokenTableReader, "_unlike_print", unlike)
    cards = [("p-1", (100.0, 110.0, 0.0)), ("n-2", (164.0, 110.0, 0.0))]
    (dilemma,) = reader.read(laid(cards, [("yes", (95.0, 90.0, 0.4))]), "p.jpg").dilemmas
    assert len(asked) == 1
    assert ("something_unknown" in {doubt.sentence for doubt in dilemma.doubts}) != like_print
