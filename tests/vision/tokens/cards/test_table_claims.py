"""What tokens cover is nobody's print, and is not taken for a card."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from arena_cam.vision.tokens.cards.table_claims import CARD, ROUND, Claims
from arena_cam.vision.tokens.view.top_view import rigid_motion
from vision.tokens.scenes import SIZE_MM, laid, view_of


@dataclass(frozen=True)
class Disc:
    middle: NDArray[np.float64]
    radius_mm: float


def test_a_token_hides_print_but_explains_no_card() -> None:
    claims = Claims(view_of(laid([])), SIZE_MM, covered=[Disc(np.array([100.0, 110.0]), 12.0)])
    there = rigid_motion(np.array([100.0, 110.0, 0.0]))
    assert 0.08 < claims.on(there).mean() < 0.14  # a disc of 13.8 mm on 60 x 90 mm
    assert claims.share(there) == 0.0


def test_about_reads_the_same_map_at_another_scale() -> None:
    claims = Claims(view_of(laid([])), SIZE_MM, covered=[Disc(np.array([100.0, 110.0]), 12.0)])
    about = claims.about(np.array([80.0, 90.0]), 20, 0.5)
    assert about[9:11, 9:11].all()
    assert not about[0].any()
    assert set(np.unique(claims.map)) == {0, ROUND}
    assert CARD != ROUND
