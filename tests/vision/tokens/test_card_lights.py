"""What light tokens lie in is told by the cards about them."""

from __future__ import annotations

import numpy as np
import pytest

from arena_cam.vision.printed.print_light import PrintLight
from arena_cam.vision.tokens.card_lights import light_of, white_in_one_tint
from arena_cam.vision.tokens.cards.card_search import LaidCard
from arena_cam.vision.tokens.view.top_view import rigid_motion


def test_the_light_is_told_by_the_card_that_is_seen_well() -> None:
    """Not by a scrap nearby that looks like another card in a strange light."""

    def card(x: float, gain: float, share: float) -> LaidCard:
        light = PrintLight(np.array([[gain, 0.0, 0.0]] * 3), np.zeros((3, 3)))
        return LaidCard(rigid_motion(np.array([x, 0.0, 0.0])), 0, light, np.ones((90, 60), bool), 1.0, share, 9)

    light = light_of([card(0.0, 0.8, 0.9), card(45.0, 0.3, 0.2)])
    gains, _ = light(np.array([[30.0, 0.0], [44.0, 0.0]]))
    assert gains[:, 0] == pytest.approx([0.8, 0.3])


def test_white_paper_has_one_colour_all_over_a_table() -> None:
    """Of three dark cards in a reflection one says that green is lit twice as strongly as blue and red."""

    def card(x: float, gains: tuple[float, float, float]) -> LaidCard:
        light = PrintLight(np.array([[gain, 0.0, 0.0] for gain in gains]), np.zeros((3, 3)))
        return LaidCard(rigid_motion(np.array([x, 0.0, 0.0])), 0, light, np.ones((90, 60), bool), 1.0, 1.0, 9)

    cards = [card(0.0, (0.8, 0.7, 0.6)), card(100.0, (0.4, 0.8, 0.4)), card(200.0, (0.4, 0.35, 0.3))]
    white, black = white_in_one_tint(cards)(np.array([[1.0, 0.0], [101.0, 0.0], [199.0, 0.0]]))
    assert white / white[:, 1:2] == pytest.approx(np.tile([0.8 / 0.7, 1.0, 0.6 / 0.7], (3, 1)), rel=0.05)
    assert white.mean(axis=1) == pytest.approx([0.7, 0.533, 0.35], rel=0.05)
    assert not black.any()


def test_the_light_about_one_place_is_that_of_it_among_many() -> None:
    def card(x: float, gain: float) -> LaidCard:
        light = PrintLight(np.array([[gain, 0.0, 0.0]] * 3), np.zeros((3, 3)))
        return LaidCard(rigid_motion(np.array([x, 0.0, 0.0])), 0, light, np.ones((90, 60), bool), 1.0, 1.0, 9)

    light, places = light_of([card(0.0, 0.8), card(45.0, 0.3), card(45.0, 0.5)]), np.array([[3.0, 9.0], [60.0, -2.0]])
    for k, place in enumerate(places):
        assert light(place[None])[0] == pytest.approx(light(places)[0][k : k + 1])
