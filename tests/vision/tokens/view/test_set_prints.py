"""A set's pictures as arrays."""

from __future__ import annotations

import numpy as np

from arena_cam.vision.tokens.view.set_prints import SetPrints
from vision.tokens.scenes import small_prints, small_set


def test_cards_are_reduced_with_their_rim_left_out() -> None:
    grid = small_prints().cards(1.0)
    assert grid.faces.shape == (5, 90, 60, 3)
    assert grid.mask[45, 30]
    assert not grid.mask[0, 0]
    assert grid.ink[0, 8, 30]
    assert not grid.ink[0, 19, 3]


def test_each_card_has_its_kind_and_its_keypoints() -> None:
    assert small_prints().kinds.tolist() == [0, 0, 1, 1, 2]
    keypoints = SetPrints(small_set()).keypoints()
    assert set(np.unique(keypoints.face)) == {0, 1, 2, 3, 4}
