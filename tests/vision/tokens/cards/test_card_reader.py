"""From a photograph to its cards."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from arena_cam.vision.tokens.cards.card_reader import CardReader
from vision.tokens.scenes import PX_PER_MM, laid, small_prints


@dataclass(frozen=True)
class Disc:
    middle: NDArray[np.float64]
    radius_mm: float


def test_cards_are_found_and_named() -> None:
    table = CardReader(small_prints()).read(laid([("p-2", (90.0, 110.0, 0.1)), ("n-1", (165.0, 110.0, 0.0))]))
    assert table is not None
    assert {small_prints().names[card.face] for card in table.cards} == {"p-2", "n-1"}


def test_an_even_picture_has_no_table() -> None:
    assert CardReader(small_prints()).read(np.full((480, 640, 3), 128, np.uint8)) is None


def test_a_card_half_under_tokens_is_found_once_they_are_known() -> None:
    discs = [("no", (150.0, 80.0, 0.3)), ("no", (172.0, 84.0, 1.3)), ("yes", (160.0, 108.0, 2.3))]
    picture = laid([("p-2", (90.0, 110.0, 0.1)), ("n-1", (165.0, 110.0, 0.0))], discs)
    reader = CardReader(small_prints())
    table = reader.read(picture)
    assert table is not None
    middles = [np.array(at[:2]) * PX_PER_MM for _, at in discs]
    tokens = [Disc(table.camera.to_mm(middle[None])[0], 12.0) for middle in middles]
    again = reader.read_again(table, tokens)
    assert {small_prints().names[card.face] for card in again.cards} == {"p-2", "n-1"}
