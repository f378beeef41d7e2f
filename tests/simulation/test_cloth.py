"""The simulated cloth: cards laid by hands, tricks swept away, score-cards put aside."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from arena_cam.domain.cards import Deck
from arena_cam.domain.errors import CannotDo
from arena_cam.formats.deck_toml import read_deck
from arena_cam.simulation.things.ordinary_pack import random_style
from arena_cam.simulation.tricks.cloth import Clear, Cloth, LayCard, Setting, SweepTrick
from arena_cam.simulation.tricks.pack import write_pack


@pytest.fixture(scope="module")
def pack(tmp_path_factory: pytest.TempPathFactory) -> Deck:
    return read_deck(write_pack(tmp_path_factory.mktemp("pack"), random_style(11)))


def passes(cloth: Cloth) -> NDArray[np.uint8]:
    """The picture once everything is acted out."""
    for _ in range(400):
        cloth.advance(cloth.time_s + 0.1)
        if cloth.idle:
            break
    return cloth.picture()


def test_a_trick_on_the_cloth(pack: Deck) -> None:
    cloth = Cloth(pack, supersample=1, size_px=(480, 270))
    empty = passes(cloth)
    cloth.perform(LayCard("KH", 0, 0))
    cloth.advance(0.1)
    cloth.advance(0.5)
    moving = cloth.picture()
    assert np.abs(moving.astype(int) - empty).max() > 40, "a hand comes"
    one = passes(cloth)
    assert [each.card for each in cloth.trick] == ["KH"]
    light = (one[100:170, 180:260].astype(int) - empty[100:170, 180:260]).mean()
    assert light > 15, "paper lies where cloth was"
    cloth.perform(LayCard("TS", 1, 1), LayCard("2D", 0, 2), LayCard("AC", 1, 3), SweepTrick(1, "AC"))
    passes(cloth)
    assert cloth.trick == []
    assert [each.card for each in cloth.heaps[1]] == ["AC"]
    assert cloth.stock == 24
    cloth.perform(Clear())
    passes(cloth)
    assert (cloth.heaps, cloth.stock) == (([], []), 28)


def test_a_card_that_the_pack_does_not_have_cannot_be_laid(pack: Deck) -> None:
    with pytest.raises(CannotDo):
        Cloth(pack, supersample=1, size_px=(320, 180)).perform(LayCard("1X", 0, 0))


def test_a_drawn_pack_is_a_pack(pack: Deck) -> None:
    assert len(pack.by_id) == 52
    assert pack.back is not None


def test_a_setting_says_how_far_apart_cards_are_laid_and_from_where_they_are_seen(pack: Deck) -> None:
    def two_cards(setting: Setting) -> tuple[float, NDArray[np.uint8]]:
        cloth = Cloth(pack, supersample=1, size_px=(320, 180), setting=setting)
        cloth.perform(LayCard("KH", 0, 0), LayCard("TS", 0, 3))
        picture = passes(cloth)
        first, second = (lying.pose.centre_mm[:2] for lying in cloth.trick)
        return float(np.linalg.norm(second - first)), picture

    usual, seen = two_cards(Setting())
    wide, from_seat_1 = two_cards(Setting(apart=1.5, tilt_deg=-20.0))
    assert wide == pytest.approx(usual * 1.5, abs=6.0), "places wobble by 2.5 mm each"
    assert np.abs(seen.astype(int) - from_seat_1).mean() > 5
