"""What is said of a dilemma, once all of it is found: its names, its doubts, how likely its count is right."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from arena_cam.vision.printed.print_light import PLAIN
from arena_cam.vision.tokens import final_names
from arena_cam.vision.tokens.cards.card_groups import CardGroup
from arena_cam.vision.tokens.cards.card_reader import CardReader, SeenTable
from arena_cam.vision.tokens.cards.card_search import LaidCard
from arena_cam.vision.tokens.dilemma_writer import beside_group
from arena_cam.vision.tokens.discs.token_search import SeenDisc
from arena_cam.vision.tokens.final_names import NamedCard, Namer
from arena_cam.vision.tokens.token_table import TokenTableReader
from arena_cam.vision.tokens.view.printed_words import ReadWords
from arena_cam.vision.tokens.view.top_view import rigid_motion
from vision.tokens.scenes import SIZE_MM, Place, laid, small_set


@pytest.fixture(scope="module")
def reader() -> TokenTableReader:
    return TokenTableReader(small_set())


def test_a_card_told_by_its_sides_alone_is_asked_about_with_less_confidence(
    reader: TokenTableReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its partner is seen, and all their tokens: what is said of those is as doubtful as where the card lies."""

    def with_partners(self: CardReader, table: SeenTable, tokens: Sequence[SeenDisc]) -> SeenTable:
        seen = read(self, table, tokens)
        return replace(seen, cards=[replace(card, by_sides=card.face == second) for card in seen.cards])

    read, second = CardReader.with_partners, reader.prints.names.index("n-2")
    picture = laid([("p-1", (60.0, 110.0, 0.0)), ("n-2", (124.0, 110.0, 0.0))], [("yes", (55.0, 90.0, 0.4))])
    (plain,) = reader.read(picture, "p.jpg").dilemmas
    monkeypatch.setattr(CardReader, "with_partners", with_partners)
    (clear,) = reader.read(picture, "p.jpg").dilemmas
    assert clear.doubts == (), "its words are clear"
    assert clear.confidence == pytest.approx(plain.confidence, abs=1e-3)
    monkeypatch.setattr(final_names, "BEYOND_DOUBT", np.inf)
    monkeypatch.setattr(ReadWords, "is_told", False)
    (sided,) = reader.read(picture, "p.jpg").dilemmas
    assert (sided.positive, sided.negative, sided.tokens) == (plain.positive, plain.negative, plain.tokens)
    assert (plain.doubts, [doubt.code for doubt in sided.doubts]) == ((), ["card_unclear"])
    assert sided.confidence == pytest.approx(plain.confidence * 0.8, abs=1e-3)


def test_a_card_of_which_nothing_tells_the_name_has_none(
    reader: TokenTableReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its sides tell that a card lies there, and which tokens are on it: not which card it is."""

    def names(self: Namer, table: SeenTable, cards: Sequence[LaidCard], tokens: Sequence[SeenDisc]) -> list[NamedCard]:
        return [replace(each, told=each.face != second) for each in read(self, table, cards, tokens)]

    read, second = Namer.names, reader.prints.names.index("n-2")
    monkeypatch.setattr(Namer, "names", names)
    picture = laid([("p-1", (60.0, 110.0, 0.0)), ("n-2", (124.0, 110.0, 0.0))], [("yes", (120.0, 90.0, 0.4))])
    (dilemma,) = reader.read(picture, "p.jpg").dilemmas
    assert (dilemma.positive, dilemma.negative, len(dilemma.tokens)) == ("p-1", None, 1)
    assert [doubt.code for doubt in dilemma.doubts] == ["partner_unseen"]
    assert dilemma.confidence == pytest.approx(0.65, abs=0.01)


def test_a_card_that_was_laid_as_one_of_the_other_kind_has_its_partner_as_it_is_named(
    reader: TokenTableReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two cards of one kind are no pair: each would be a dilemma, one of which nobody laid."""

    def with_partners(self: CardReader, table: SeenTable, tokens: Sequence[SeenDisc]) -> SeenTable:
        seen = read(self, table, tokens)
        return replace(
            seen, cards=[replace(card, face=wrong if card.face == true else card.face) for card in seen.cards]
        )

    read, true, wrong = CardReader.with_partners, reader.prints.names.index("n-2"), reader.prints.names.index("p-2")
    monkeypatch.setattr(CardReader, "with_partners", with_partners)
    picture = laid([("p-1", (60.0, 110.0, 0.0)), ("n-2", (124.0, 110.0, 0.0))], [("yes", (55.0, 90.0, 0.4))])
    (dilemma,) = reader.read(picture, "p.jpg").dilemmas
    assert (dilemma.positive, dilemma.negative) == ("p-1", "n-2")


def test_two_names_of_one_kind_in_a_dilemma_are_asked_about(
    reader: TokenTableReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    def names(self: Namer, table: SeenTable, cards: Sequence[LaidCard], tokens: Sequence[SeenDisc]) -> list[NamedCard]:
        return [
            replace(each, face=wrong if each.face == true else each.face) for each in read(self, table, cards, tokens)
        ]

    read, true, wrong = Namer.names, reader.prints.names.index("n-2"), reader.prints.names.index("p-2")
    monkeypatch.setattr(Namer, "names", names)
    picture = laid([("p-1", (60.0, 110.0, 0.0)), ("n-2", (124.0, 110.0, 0.0))])
    (dilemma,) = reader.read(picture, "p.jpg").dilemmas
    assert "partner_unseen" in {doubt.code for doubt in dilemma.doubts}


APART = [("no", (214.0, 60.0, 0.3)), ("yes", (240.0, 62.0, 1.0)), ("yes", (216.0, 88.0, 2.0))]


@pytest.mark.parametrize(
    ("beside", "asked"),
    [
        (APART, False),
        ([*APART, ("no", (243.0, 90.0, 0.7))], True),
        ([("no", (214.0, 60.0, 0.3)), ("yes", (228.0, 66.0, 1.0))], True),
    ],
    ids=["three apart", "four in a card's place", "one on another"],
)
def test_tokens_that_lie_as_on_a_card_beside_a_dilemma_make_it_unsure(
    reader: TokenTableReader, beside: list[tuple[str, Place]], asked: bool
) -> None:
    """Whatever lies beneath them: a neutral card may be as dark as the cloth."""
    (dilemma,) = reader.read(laid([("p-1", (60.0, 110.0, 0.0)), ("n-2", (124.0, 110.0, 0.0))], beside), "p").dilemmas
    assert ("tokens_elsewhere" in {doubt.code for doubt in dilemma.doubts}) is asked


def test_a_stray_token_may_lie_on_a_third_card_in_reach_unless_three_are_known() -> None:
    left, right, third = (
        LaidCard(rigid_motion(np.array([x, 0.0, 0.0])), 0, PLAIN, np.ones((90, 60), bool), 1.0, 1.0, 9)
        for x in (0.0, 64.0, 128.0)
    )
    stray = [np.array([130.0, 10.0]), np.array([300.0, 10.0])]
    assert beside_group(CardGroup(left, right, None), stray, SIZE_MM) == 1
    assert beside_group(CardGroup(left, right, third), stray, SIZE_MM) == 0
