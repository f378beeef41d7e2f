"""A card's picture is brought to where the card lies."""

from __future__ import annotations

import numpy as np
import pytest

from arena_cam.vision.tokens.cards.face_alignment import AFFINE, RIGID, HiddenPixels, Plan, aligned, slopes
from arena_cam.vision.tokens.view.top_view import rigid_motion
from vision.tokens.scenes import SIZE_MM, laid, small_prints, view_of

PLACE = (150.0, 110.0, 0.3)


@pytest.mark.parametrize("freedom", [RIGID, AFFINE])
@pytest.mark.parametrize("tokens", [[], [("no", (150.0, 110.0, 0.0)), ("yes", (160.0, 80.0, 1.0))]])
def test_a_guess_beside_the_card_comes_to_it(
    freedom: int, tokens: list[tuple[str, tuple[float, float, float]]]
) -> None:
    view = view_of(laid([("p-1", PLACE)], tokens))
    grid = small_prints().cards(1.0)
    nothing = HiddenPixels(np.zeros(grid.mask.shape, bool))
    start = rigid_motion(np.array(PLACE) + np.array([1.2, -0.8, 0.02]))
    found = aligned(view, grid, slopes(grid, 0, SIZE_MM), SIZE_MM, start, Plan(freedom, 15, wide=True), nothing)
    assert np.abs(found - rigid_motion(np.array(PLACE)))[:, 2].max() < 0.35
