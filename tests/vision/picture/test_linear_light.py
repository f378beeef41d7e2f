"""sRGB values as linear light and back."""

from __future__ import annotations

import numpy as np
import pytest

from arena_cam.vision.picture.linear_light import linear_light, srgb


@pytest.mark.parametrize(("level", "light"), [(0, 0.0), (10, 0.00304), (128, 0.2159), (255, 1.0)])
def test_levels_are_light_by_the_standards_curve(level: int, light: float) -> None:
    assert linear_light(np.full((1, 1, 3), level, np.uint8)) == pytest.approx(light, abs=1e-4)


def test_each_level_comes_back() -> None:
    levels = np.repeat(np.arange(256, dtype=np.uint8)[:, None], 3, axis=1)
    assert np.array_equal(srgb(linear_light(levels)), levels)


def test_light_beyond_white_is_white() -> None:
    assert srgb(np.array([[-0.1, 1.2, 0.5]], np.float32)).tolist() == [[0, 255, 188]]
