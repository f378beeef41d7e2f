"""Colours in shade: as dark as suits them, never of another hue."""

from __future__ import annotations

import numpy as np
import pytest

from arena_cam.vision.tokens.discs.shades import MISTAKE, off_shaded

SHADES = np.geomspace(0.35, 1.05, 14)
RED, GREEN = np.array([[40.0, 40.0, 200.0]]), np.array([[60.0, 150.0, 40.0]])


@pytest.mark.parametrize("shade", SHADES)
def test_a_colour_in_shade_is_the_same_colour(shade: float) -> None:
    assert off_shaded(shade * RED, RED, SHADES) == pytest.approx(0.0, abs=1e-9)


def test_another_colour_is_off_and_no_sample_is_by_more_than_a_mistake() -> None:
    assert off_shaded(0.2 * RED, RED, SHADES) == pytest.approx(200.0 * (SHADES[0] - 0.2))
    assert off_shaded(GREEN, RED, SHADES) == MISTAKE
    assert off_shaded(np.zeros((0, 3)), np.zeros((0, 3)), SHADES).shape == (0,)
