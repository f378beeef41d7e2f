"""The middles of round things of one size."""

from __future__ import annotations

import numpy as np

from arena_cam.vision.tokens.discs.rims import Edges
from vision.tokens.scenes import RADIUS_MM, laid, view_of


def test_the_middle_of_a_token_has_most_of_its_rim() -> None:
    middles, shares = Edges(view_of(laid([], [("no", (100.0, 80.0, 0.3))]))).circles(RADIUS_MM)
    assert np.allclose(middles[0], [100.0, 80.0], atol=0.8)
    assert shares[0] > 0.5
    assert (shares[1:] < shares[0]).all()


def test_an_even_table_has_no_rims() -> None:
    middles, _ = Edges(view_of(np.full((300, 300, 3), 120, np.uint8))).circles(RADIUS_MM)
    assert len(middles) == 0
