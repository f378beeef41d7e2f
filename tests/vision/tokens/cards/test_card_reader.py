"""From a photograph to its cards."""

from __future__ import annotations

import numpy as np

from arena_cam.vision.tokens.cards.card_reader import CardReader
from vision.tokens.scenes import laid, small_prints


def test_cards_are_found_and_named() -> None:
    table = CardReader(small_prints()).read(laid([("p-2", (90.0, 110.0, 0.1)), ("n-1", (165.0, 110.0, 0.0))]))
    assert table is not None
    assert {small_prints().names[card.face] for card in table.cards} == {"p-2", "n-1"}


def test_an_even_picture_has_no_table() -> None:
    assert CardReader(small_prints()).read(np.full((480, 640, 3), 128, np.uint8)) is None
