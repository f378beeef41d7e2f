"""A card that no keypoint told of is proposed near where it lies, half of it under tokens."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from arena_cam.vision.printed.print_light import PLAIN
from arena_cam.vision.tokens.cards.partner_search import PartnerSearch
from arena_cam.vision.tokens.cards.table_claims import Claims
from vision.tokens.scenes import SIZE_MM, laid, small_prints, view_of


@dataclass(frozen=True)
class Disc:
    middle: NDArray[np.float64]
    radius_mm: float


def test_a_card_under_tokens_is_proposed() -> None:
    places = [(118.0, 105.0, 0.0), (140.0, 125.0, 1.0)]
    view = view_of(laid([("n-1", (125.0, 110.0, 0.15))], [("yes", at) for at in places]))
    claims = Claims(view, SIZE_MM, covered=[Disc(np.array(at[:2]), 12.0) for at in places])
    turns = [0.0, 0.15, np.pi]
    found = PartnerSearch(small_prints()).places(view, claims, PLAIN, (np.array([110.0, 110.0]), 40.0), turns, (1,))
    assert found
    assert np.linalg.norm(found[0].at[:2] - np.array([125.0, 110.0])) < 5.0
    assert abs(found[0].at[2] - 0.15) < 0.01


def test_an_even_table_proposes_nothing() -> None:
    view = view_of(np.full((660, 900, 3), 90, np.uint8))
    claims = Claims(view, SIZE_MM)
    about = (np.array([110.0, 110.0]), 40.0)
    assert PartnerSearch(small_prints()).places(view, claims, PLAIN, about, [0.0], (0, 1)) == []
