"""Colours in shade, or beneath a veil: as dark as suits them, never of another hue."""

from __future__ import annotations

import numpy as np
import pytest

from arena_cam.vision.tokens.discs.shades import MISTAKE, VEILS, off_shaded, off_veiled

SHADES = np.geomspace(0.35, 1.05, 14)
RED, GREEN = np.array([[40.0, 40.0, 200.0]]), np.array([[60.0, 150.0, 40.0]])


@pytest.mark.parametrize("shade", SHADES)
def test_a_colour_in_shade_is_the_same_colour(shade: float) -> None:
    assert off_shaded(shade * RED, RED, SHADES) == pytest.approx(0.0, abs=1e-9)


def test_another_colour_is_off_and_no_sample_is_by_more_than_a_mistake() -> None:
    assert off_shaded(0.2 * RED, RED, SHADES) == pytest.approx(200.0 * (SHADES[0] - 0.2))
    assert off_shaded(GREEN, RED, SHADES) == MISTAKE
    assert off_shaded(np.zeros((0, 3)), np.zeros((0, 3)), SHADES).shape == (0,)


@pytest.mark.parametrize("shade", [0.4, 1.0])
@pytest.mark.parametrize("which", range(len(VEILS)))
def test_a_veil_adds_light(which: int, shade: float) -> None:
    white = np.array([0.8, 0.9, 0.7])
    light = white**2.2 * (shade * (RED / 255.0) ** 2.2 + VEILS[which])
    off = off_veiled(255.0 * light ** (1.0 / 2.2), RED, white)
    assert off.shape == (len(VEILS), 1)
    assert off[which] == pytest.approx(0.0, abs=1e-6)
    assert off_veiled(255.0 * light ** (1.0 / 2.2), GREEN, white)[which] > 5.0
