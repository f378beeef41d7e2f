"""A veil of gloss over a deck's photographs, told by its black print: small faces under a known haze."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from arena_cam.vision.deck_learning.one_light.veil import AT_TABLE, BLACK, without_veil
from arena_cam.vision.picture.linear_light import linear_light, srgb

SIZE = 704, 504
Y, X = np.meshgrid(*(np.linspace(-1.0, 1.0, side) for side in SIZE), indexing="ij")


def faces(print_light: float, veil: NDArray[np.float64]) -> list[NDArray[np.uint8]]:
    """Pale faces with print of so much light in broad stripes, under a `veil` (H, W)."""
    light = np.full((*SIZE, 3), 0.6)
    light[(np.arange(SIZE[0]) // 40) % 2 == 0] = print_light
    return [srgb(np.asarray(light + veil[:, :, None], np.float32))] * 6


@pytest.mark.parametrize("veil", [0.04 + 0.0 * X, 0.035 + 0.015 * X - 0.01 * Y, 0.05 - 0.02 * (X * X + Y * Y) / 2])
def test_black_print_under_gloss_becomes_black(veil: NDArray[np.float64]) -> None:
    face = linear_light(without_veil(faces(BLACK, veil), 8.0)[0])
    stripes = (np.arange(SIZE[0]) // 40) % 2 == 0
    inner = face[50:-50, 50:-50][stripes[50:-50]]
    assert np.abs(inner - BLACK).max() < 0.012
    assert np.median(inner) == pytest.approx(BLACK, abs=0.004)


def test_without_a_veil_nothing_changes() -> None:
    before = faces(BLACK, 0.0 * X)
    assert np.abs(without_veil(before, 8.0)[0].astype(int) - before[0]).max() <= 2


def test_a_deck_without_black_print_is_left_as_it_is() -> None:
    before = faces(0.2, 0.04 + 0.0 * X)
    assert np.abs(without_veil(before, 8.0)[0].astype(int) - before[0]).max() <= 1


def test_a_spot_darker_than_black_on_one_face_tells_nothing() -> None:
    before = faces(0.2, 0.04 + 0.0 * X) * 10
    spotted = before[0].copy()
    spotted[300:340, 200:240] = 0
    assert np.abs(without_veil([spotted, *before[1:]], 8.0)[1].astype(int) - before[1]).max() <= 1


def test_at_a_table_the_lamps_reflection_is_taken_away_too() -> None:
    before, stripe = faces(BLACK, 0.15 + 0.0 * X), np.s_[330:350, 100:400]
    assert linear_light(without_veil(before, 8.0)[0])[stripe].mean() > 0.15, "such a photograph is no use"
    assert linear_light(without_veil(before, 8.0, AT_TABLE)[0])[stripe].mean() == pytest.approx(BLACK, abs=0.01)
