"""A token is no print of the card that it lies on; what only looked like one is."""

from __future__ import annotations

import cv2
import numpy as np

from arena_cam.vision.printed.print_light import PLAIN, PrintLight
from arena_cam.vision.tokens.cards.card_reader import SeenTable
from arena_cam.vision.tokens.cards.card_search import CardSearch, LaidCard
from arena_cam.vision.tokens.discs.token_search import SeenDisc
from arena_cam.vision.tokens.print_or_token import CardPrint, light_on_cards
from arena_cam.vision.tokens.view.set_prints import SetPrints
from arena_cam.vision.tokens.view.table_view import TableView
from arena_cam.vision.tokens.view.top_view import TopView, rigid_motion
from vision.tokens.scenes import PX_PER_MM, laid, small_prints, small_set, view_of

CAMERA = TableView(1.0, np.zeros(2), 0.0, np.eye(3), np.array([0.0, 0.0, 1.0]))
TABLE = SeenTable(
    CAMERA,
    view_of(laid([("p-1", (110.0, 110.0, 0.0))], [("no", (110.0, 120.0, 0.0)), ("yes", (118.0, 126.0, 1.0))])),
    [LaidCard(rigid_motion(np.array([110.0, 110.0, 0.0])), 0, PLAIN, np.ones((90, 60), bool), 1.0, 1.0, 9)],
)


def disc(x: float, y: float) -> SeenDisc:
    return SeenDisc(0, np.array([x, y]), 12.0, 0.6, 0.7, 1.0, 0.1, 0.3)


def test_print_is_told_from_tokens() -> None:
    card_print = CardPrint(CardSearch(small_prints()), TABLE)
    top, below = disc(118.0, 126.0), disc(110.0, 120.0)
    assert not card_print.explains(top, [below])
    assert not card_print.explains(below, [top])
    assert card_print.explains(disc(100.0, 85.0), [top, below])


def test_what_others_cover_wholly_is_not_called_print() -> None:
    card_print = CardPrint(CardSearch(small_prints()), TABLE)
    assert not card_print.explains(disc(118.5, 126.0), [disc(118.0, 126.0)])


def test_on_a_dark_card_a_dark_token_is_told_by_its_figure() -> None:
    """All its colours are as near to the print as a blurred card may be off."""
    dark = view_of(laid([("p-1", (110.0, 110.0, 0.0))], [("no", (110.0, 120.0, 0.0))]))
    dark = TopView(np.asarray(dark.pixels * 0.1, np.float32), dark.inside, dark.origin_mm, dark.px_per_mm)
    light = PrintLight(np.array([[0.1, 0, 0]] * 3), np.zeros((3, 3)))
    card = LaidCard(rigid_motion(np.array([110.0, 110.0, 0.0])), 0, light, np.ones((90, 60), bool), 1.0, 1.0, 9)
    card_print = CardPrint(CardSearch(small_prints()), SeenTable(CAMERA, dark, [card]))
    there, words = (card_print.there(disc(110.0, y), []) for y in (120.0, 80.0))
    assert there is not None
    assert words is not None
    assert there.alike < 0.5 < words.alike


def test_a_disc_beneath_the_same_others_is_looked_at_once() -> None:
    card_print = CardPrint(CardSearch(small_prints()), TABLE)
    top, below, aside = disc(118.0, 126.0), disc(110.0, 120.0), disc(200.0, 120.0)
    there = card_print.there(below, [top])
    assert there is not None
    assert card_print.there(disc(110.0, 120.0), [aside, top]) is there
    assert card_print.there(below, []) is not there


def test_a_printed_seal_has_a_rim_of_its_own_whatever_the_light() -> None:
    prints = SetPrints(small_set())
    face = prints.cards(1.0).faces[0]
    assert not CardPrint(CardSearch(prints), TABLE).has_rim(np.array([110.0, 110.0]), 12.0)
    cv2.circle(face, (29, 44), 11, (60.0, 160.0, 150.0), -1)
    seal = CardPrint(CardSearch(prints), TABLE)
    assert seal.has_rim(np.array([110.0, 110.0]), 12.0)
    assert not seal.has_rim(np.array([116.0, 110.0]), 12.0)  # a token half on it
    assert not seal.has_rim(np.array([110.0, 110.0]), 20.0)
    assert not seal.has_rim(np.array([210.0, 110.0]), 12.0)
    face[:, ::6] = 0.0  # stripes are edges everywhere, and all round no circle
    assert not CardPrint(CardSearch(prints), TABLE).has_rim(np.array([97.0, 130.0]), 12.0)


def test_paper_is_as_bright_as_its_light_and_in_a_shadow_as_much_darker_as_that_is() -> None:
    picture = laid([("p-1", (110.0, 110.0, 0.0))])
    picture[:, : round(110.0 * PX_PER_MM)] = picture[:, : round(110.0 * PX_PER_MM)] // 2
    table = SeenTable(CAMERA, view_of(picture), TABLE.cards)
    on_paper, in_shadow, on_cloth = [135.0, 86.0], [85.0, 86.0], [20.0, 20.0]
    light = light_on_cards(CardSearch(small_prints()), table, np.array([on_paper, in_shadow, on_cloth]))
    assert np.allclose(light[:2], [1.0, 0.5], atol=0.05)
    assert np.isnan(light[2])
